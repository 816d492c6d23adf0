// The stage: holds scene, settings and labels, and sends changes to Python.

import contract from "../../../../contract.json";
import { Board } from "./board.js";
import { Mounted } from "../channel/channel.js";
import { fit, isCalm } from "../paint/dom.js";
import { Display } from "../bars/display.js";
import { Draw } from "../hands/draw.js";
import { sameSheet } from "../numbers/drawing.js";
import { applyLinkedView, carriedChanges, knobMoved } from "../channel/page.js";
import { Hand } from "../hands/hand.js";
import { listen, listenKeys, listenTool } from "../hands/gestures.js";
import { history, record, stepped } from "../numbers/history.js";
import { historyAt, isOfRow, labelsAt, nameOf, relocated, sameLabels, toRow, toggle } from "../numbers/labels.js";
import { OUTDATED, WAITING } from "./head.js";
import { PanelView } from "./panel.js";
import { Player } from "../hands/player.js";
import { Saver } from "../bars/saver.js";
import { makeScene } from "../channel/scene.js";
import { pictureOf } from "../paint/snapshot.js";
import { Stroke } from "../hands/stroke.js";
import { Toolbar } from "../bars/toolbar.js";
import { SpaceView } from "../numbers/space.js";
import { View, counted } from "../numbers/view.js";

const LAM = contract.lam;
const HIGHLIGHT_TIME = 2600; // milliseconds
const IN_BROWSER = contract.message.in_browser; // settings whose effect is computed here

function samePictures(a, b) {
  const titles = ({ panels }) => panels.map(({ title }) => title).join("\n");
  return a.about === b.about && titles(a) === titles(b);
}

function highlight(node, scroll) {
  node.classList.remove("pointed");
  void node.offsetWidth; // so that the animation starts again
  node.classList.add("pointed");
  if (scroll) node.scrollIntoView({ block: "nearest" });
  setTimeout(() => node.classList.remove("pointed"), HIGHLIGHT_TIME);
}

export class Stage extends Mounted {
  constructor(parent) {
    super();
    Object.assign(this, { scene: null, panels: [], stack: history([]), view: null });
    Object.assign(this, { lam: 1, filter: "", code: 0, specs: [], behind: false, action: "" });
    this.player = new Player((lam) => this.setLam(lam, { reason: "play" }), () => this.playChanged());
    const toolbar = new Toolbar(this);
    this.board = new Board(this, toolbar);
    this.computing = this.board.computing;
    this.attach(parent, this.board.root, () => this.board.resized());
    this.hand = new Hand(this);
    this.lamMoving = false; // is the user, or play, moving λ?
    this.display = new Display(this);
    this.stroke = new Stroke(this);
    this.saver = new Saver(
      (...request) => pictureOf(this, ...request),
      () => this.board.schedule("", "layout"),
    );
    toolbar.tools.prepend(this.stroke.node);
    toolbar.tools.append(this.display.node, this.saver.tool, toolbar.letters);
    toolbar.tools.after(this.saver.node);
    toolbar.hint.after(this.stroke.remark);
    this.draw = new Draw(this);
    toolbar.showLetters();
    const { plots } = this.board;
    const { signal } = this.channel.abortController;
    const onKey = (event) => this.scene && (this.draw.on ? this.draw : this.hand).key(event);
    listenKeys(this.root, plots, onKey, signal);
    plots.addEventListener("blur", () => this.hand.drop());
    // A finger does not leave the pictures: it touches something else.
    const onDown = (event) => {
      if (event.pointerType === "touch" && !event.composedPath().includes(plots)) this.hand.leave();
    };
    // The first click of a double click may have taken its picture from under the pointer.
    const onUp = (event) => {
      if (!event.composedPath()[0].closest?.(".plot")) this.hand.showWhole(event, false);
    };
    document.addEventListener("pointerdown", onDown, { signal });
    document.addEventListener("pointerup", onUp, { signal });
  }

  end() {
    this.player.stop();
    this.display.present.destroy();
    this.board.destroy();
    super.end();
  }

  // ---- from Python ------------------------------------------------------------------------

  guard(run) {
    this.board.guard("answer", run);
  }

  themeChanged() {
    this.board.schedule("theme", "base");
  }

  open(payload, staticPart) {
    const { answer, height, title, words, story = false, knobs = [], formula = "" } = payload;
    const { pending = null, failed = "", rev = null, point = null, useful = [] } = payload;
    Object.assign(this, { height: height ?? 0, useful });
    this.board.toolbar.markUseful(useful);
    // λ has its own slider; Python says whether its value was chosen from the data.
    this.specs = knobs.filter(({ name }) => name !== "lam");
    this.lamAuto = knobs.find(({ name }) => name === "lam")?.auto ?? null;
    this.display.present.setTexts(title ?? "", story, words ?? "");
    this.board.toolbar.formula.write(formula);
    const isFirst = this.pointCount === undefined; // the request may be older than this stage
    this.pointCount ??= point?.count ?? 0;
    Object.assign(this, { behind: !answer, failed });
    this.board.showFailure("python", failed);
    for (const { head } of this.panels) head.sayWhy(...(failed ? OUTDATED : WAITING));
    const byButton = Boolean(point && point.count !== this.pointCount);
    if (byButton) {
      this.pointCount = point.count;
      if (!isFirst) this.point(point);
    }
    const { alone } = this;
    if (answer) return this.adopt(Object.assign(makeScene(answer, staticPart), { alone, rev, byButton }));
    this.acknowledge(rev ?? this.channel.rev);
    this.showPending(pending);
    this.board.schedule("", "field");
  }

  // Highlight the control that does what a button has just done; the effect of an earlier button ends.
  point({ name }) {
    const { toolbar, plots } = this.board;
    const knob = toolbar.node.querySelector(`[data-knob="${name}"]`);
    const node = knob ?? { filter: toolbar.filter, marks: plots }[name];
    if (node) {
      const { on } = this.display.present;
      if (!on) toolbar.more.reveal(node); // no room for it when presenting
      highlight(node, !on); // whose title and sentence stay in view
    }
    this.endPlay();
  }

  // Stop play; the value that λ has reached is dropped.
  endPlay() {
    if (!this.player.on) return;
    this.channel.drop(["lam"]);
    this.player.stop();
  }

  acknowledge(rev) {
    this.channel.acknowledge(rev);
    this.board.toolbar.update(this.specs, this.channel);
    this.display.present.nextStep();
  }

  adopt(scene) {
    const { scene: previous, channel } = this;
    const newView = !previous || previous.view_key !== scene.view_key;
    const rev = scene.rev ?? (newView && !channel.unsent ? 0 : channel.rev);
    const isLatest = Math.max(rev, channel.answeredRev) >= channel.sentRev; // answers the last message
    const otherData = newView && !sameSheet(previous, scene);
    // While a control is moved Python answers without models; the previous ones are still valid.
    if (!newView && scene.light && samePictures(scene, previous)) scene.models = previous.models;
    this.scene = scene;
    if (newView) {
      const unanswered = channel.has("labels") ? this.labels : null;
      const relocatedLabels = !otherData && unanswered && relocated(unanswered, scene.points);
      // The same rows in another plane: Python did not take labels from the last one, unless they are there.
      const stay = unanswered && scene.rows && scene.rows === previous?.rows && !scene.byButton;
      if (!stay) this.announceEdit(""); // the last one was of other points
      channel.drop(["labels"]); // made on other points
      this.player.stop();
      if (!channel.unsent) channel.acknowledge(rev);
      if (stay) {
        const free = scene.labels.filter((label) => !isOfRow(label));
        this.updateStack([...labelsAt(unanswered.filter(isOfRow), scene.points), ...free], sameLabels);
        this.changeLabels();
      } else if (relocatedLabels) {
        this.storeStack(history(relocatedLabels));
        this.changeLabels();
      } else this.recallStack(scene.labels, sameLabels);
    }
    if (otherData) this.view = new (scene.space ? SpaceView : View)(this.name, scene.view);
    else this.view.rebase(scene.view);
    if (!scene.models.some(Boolean)) this.endPlay();
    if (previous?.points !== scene.points) this.replacePoints(scene);
    this.acknowledge(rev);
    // Changes that are not answered yet stay; everything else is as Python says.
    if (!channel.has("lam")) this.lam = scene.lam;
    if (!channel.has("filter")) this.filter = scene.filter;
    if (!channel.has("labels")) this.updateStack(scene.labels, sameLabels); // with Python's rounding
    this.code = Math.min(this.code, Math.max(scene.classes.length - 1, 0));
    this.setPanels();
    this.display.adopt(otherData);
    this.draw.adopt(scene, otherData);
    if (otherData) applyLinkedView(this);
    this.board.describe();
    if (isLatest) this.computing.answered();
    this.board.schedule("scene", "layout");
    if (!previous) {
      const names = new Set(this.specs.map(({ name }) => name));
      for (const [name, value] of carriedChanges(this))
        if (names.has(name)) this.setKnob(name, value, { done: true });
    }
    if (channel.unsent && newView) channel.flush(); // changes made meanwhile
  }

  // Other points, or the same ones in another plane.
  replacePoints({ points, space }) {
    this.hand.forget();
    this.stroke.cancel();
    if (space) return; // these are projected while painting
    this.storeStack(historyAt(this.stack, points));
    this.display.pins.replacePoints(points);
  }

  setPanels() {
    const { panels, models } = this.scene;
    const { hand, board } = this;
    const options = { plots: board.plots, inside: (x, y) => hand.inBox(x, y), forget: () => hand.forget() };
    fit(this.panels, panels.length, () => {
      const panel = new PanelView((view) => this.display.toggle(view));
      for (const tool of [this.draw, this.stroke]) listenTool(panel.plot, panel, tool, options);
      listen(panel.plot, panel, hand);
      board.plots.append(panel.node);
      return panel;
    });
    panels.forEach((panel, i) => this.panels[i].update(panel, this.scene, models[i]));
    this.panels.forEach((panel) => this.draw.unlock(panel));
  }

  // ---- to Python --------------------------------------------------------------------------

  // Is this a saved page, without Python?
  get alone() {
    return this.channel.alone;
  }

  changeLabels() {
    this.channel.change("labels", () => this.labels.map(toRow));
  }

  // ---- settings ---------------------------------------------------------------------------

  get labels() {
    return this.stack.present;
  }

  get settings() {
    const { lam, labels, alone } = this;
    return { lam, labels, filter: this.scene.filters[this.filter], alone };
  }

  // Names of the settings that differ from those of Python's last answer.
  get changed() {
    const { scene, channel } = this;
    const names = ["lam", "filter"].filter((name) => this[name] !== scene[name]);
    if (!sameLabels(this.labels, scene.labels)) names.push("labels");
    const others = [...channel.changes.keys()].filter((name) => !IN_BROWSER.includes(name));
    if (channel.value("lam") === "auto") others.push("lam");
    return [...names, ...others, ...(this.behind ? ["python"] : [])];
  }

  get exact() {
    return !this.changed.length;
  }

  // `done`: the user has let go, here and below.
  setLam(lam, { done = false, reason = "lam" } = {}) {
    if (!this.scene) return;
    this.lamMoving = !done;
    if (lam !== this.lam || this.lamIsAuto) {
      this.channel.change("lam", lam);
      this.lam = lam;
      this.board.markMoving();
      this.board.schedule(reason, "field");
    }
    if (done) {
      this.board.schedule("", "field"); // the scale may settle
      this.channel.post();
    } else if (this.panels.some(({ model, waiting }) => model && waiting)) {
      this.channel.post({ moving: true }); // Python answers where the browser cannot
    }
  }

  // Is λ chosen from the data, as far as is known here? null: it cannot be.
  get lamIsAuto() {
    if (this.lamAuto === null) return null;
    return this.channel.value("lam") === "auto" || (this.lamAuto && !this.channel.has("lam"));
  }

  // A knob of the toolbar.
  setKnob(...change) {
    knobMoved(this);
    super.setKnob(...change);
    this.board.schedule("knob", "field");
  }

  setFilter(name) {
    if (name === this.filter) return;
    this.filter = name;
    super.setKnob("filter", name, { done: true });
    this.board.schedule("filter", "field");
  }

  // λ from its slider: a number, or "auto".
  moveLam(value, { done }) {
    this.player.stop();
    if (value === "auto") this.setKnob("lam", value, { done: true });
    else this.setLam(value, { done });
  }

  play() {
    const [from = LAM.least, to = LAM.most] = this.useful;
    this.player.toggle(this.lam, from, to);
  }

  // Show how a new label spreads: λ, here a time, runs from the start of its useful range to its value. A λ
  // chosen from the data stays so.
  spread() {
    const [from = Infinity] = this.useful;
    const to = (this.player.on && this.player.end) || this.lam; // the last run may not have ended
    if (isCalm() || this.lamIsAuto || to <= from || !this.scene.models.some(Boolean)) return;
    this.player.once(from, to);
  }

  clear() {
    this.commit([], "all labels removed");
  }

  playChanged() {
    this.lamMoving = this.player.on;
    if (!this.player.on) this.channel.post();
    this.board.schedule("", "over");
  }

  pick(code) {
    if (!this.scene.editable || code >= this.scene.classes.length) return false;
    this.code = code;
    this.board.announce(`Class ${this.scene.classes[code]}`);
    this.board.schedule("", "over");
    return true;
  }

  viewChanged() {
    this.board.markMoving();
    this.board.schedule("view", "base");
  }

  zoomBy(factor) {
    if (!this.scene) return false;
    const { cursor } = this.hand;
    if (factor) this.view.zoomAt(factor, cursor?.x, cursor?.y);
    else this.view.reset();
    this.board.schedule("view", "base");
    return true;
  }

  // ---- labels -----------------------------------------------------------------------------

  canLabel(target) {
    return this.scene.editable && (target.snapped || this.scene.free_labels);
  }

  // `addCandidate`: a labelled point gets one more candidate class instead of another class.
  toggleAt(target, addCandidate = false) {
    if (!this.canLabel(target)) return false;
    return this.edit(toggle(this.labels, target, this.code, addCandidate || this.stroke.addCandidate), target);
  }

  get className() {
    return `class ${this.scene.classes[this.code] ?? this.code}`;
  }

  // An edit of the label at a target.
  edit({ labels, action }, target) {
    const point = target.index >= 0 ? nameOf(target.index, this.scene.points) : "a point off the sample";
    const asClass = action === "removed" ? "" : ` as ${this.className}`;
    const words = `${action} ${point}${asClass}; ${counted(labels.length, "label")}`;
    const edited = this.commit(labels, words);
    if (edited && asClass) this.spread();
    return edited;
  }

  // Other labels, in one step of the undo history; returns false if they may not or do not change.
  commit(labels, action) {
    const same = sameLabels(labels, this.labels);
    return !same && this.commitStack(record(this.stack, labels), action);
  }

  // Announce an edit of the labels at once; the board repeats it with the new accuracy.
  announceEdit(action) {
    this.action = action;
    this.board.announce(action);
  }

  commitStack(stack, action) {
    if (!this.scene?.editable || stack === this.stack) return false;
    this.changeLabels();
    this.storeStack(stack);
    this.board.schedule("labels", "field");
    this.channel.post({ single: true });
    this.announceEdit(action);
    return true;
  }

  // direction: "undo" or "redo".
  travel(direction) {
    const stack = stepped(this.stack, direction);
    return this.commitStack(stack, `${direction}ne; ${counted(stack.present.length, "label")}`);
  }
}
