// The stage: holds scene, settings and labels, and tells Python what changed.

import contract from "../../../../contract.json";
import { Board } from "./board.js";
import { Mounted } from "../channel/channel.js";
import { fit, isCalm } from "../paint/dom.js";
import { Display } from "../bars/display.js";
import { Draw } from "../hands/draw.js";
import { sameSheet } from "../numbers/drawing.js";
import { carried, moves, lookAsLinked } from "../channel/page.js";
import { Hand } from "../hands/hand.js";
import { listenTool, listen, listenKeys } from "../hands/gestures.js";
import { history, keep, recall, record, renewed, travelled } from "../numbers/history.js";
import { historyAt, relocated, sameLabels, toRow, toggle } from "../numbers/labels.js";
import { PanelView } from "./panel.js";
import { Player } from "../hands/player.js";
import { Saver } from "../bars/saver.js";
import { makeScene } from "../channel/scene.js";
import { pictureOf } from "../paint/snapshot.js";
import { Stroke } from "../hands/stroke.js";
import { Toolbar } from "../bars/toolbar.js";
import { SpaceView } from "../numbers/space.js";
import { View } from "../numbers/view.js";

const LAM = contract.lam;
const POINTED = 2600; // milliseconds
const IN_BROWSER = contract.message.in_browser; // settings whose effect is computed here

function flash(node) {
  node.classList.remove("pointed");
  void node.offsetWidth; // so that the animation starts again
  node.classList.add("pointed");
  node.scrollIntoView({ block: "nearest" });
  setTimeout(() => node.classList.remove("pointed"), POINTED);
}

export class Stage extends Mounted {
  constructor(parent) {
    super();
    Object.assign(this, { scene: null, panels: [], stack: history([]), view: null });
    Object.assign(this, { lam: 1, filter: "", code: 0, specs: [], behind: false, did: "" });
    this.player = new Player((lam) => this.setLam(lam, false, "play"), () => this.played());
    const toolbar = new Toolbar(this);
    this.board = new Board(this, toolbar);
    this.computing = this.board.computing;
    this.stand(parent, this.board.root, () => this.board.resized());
    this.hand = new Hand(this);
    this.holding = false; // is a hand, or play, moving λ?
    this.display = new Display(this);
    this.stroke = new Stroke(this);
    this.saver = new Saver(
      (...asked) => pictureOf(this, ...asked),
      () => this.board.schedule("", "layout"),
    );
    toolbar.tools.prepend(this.stroke.node);
    toolbar.tools.append(this.display.node, this.saver.tool, toolbar.letters);
    toolbar.tools.after(this.saver.node);
    toolbar.hint.after(this.stroke.remark);
    this.draw = new Draw(this);
    toolbar.abbreviate();
    const press = (event) => this.scene && (this.draw.on ? this.draw : this.hand).key(event);
    listenKeys(this.root, this.board.plots, press, this.channel.over.signal);
    this.board.plots.addEventListener("blur", () => this.hand.drop());
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

  // Other colours than before.
  same() {
    this.board.schedule("theme", "base");
  }

  open(parcel, lasting) {
    const { answer, key = "", height, title, words, story = false, knobs = [], formula = "" } = parcel;
    const { pending = null, failed = "", rev = null, point = null, useful = [] } = parcel;
    Object.assign(this, { key, height: height ?? 0, useful });
    this.board.toolbar.mark(useful);
    // λ has its own place; Python says whether it was chosen from the data.
    this.specs = knobs.filter(({ name }) => name !== "lam");
    this.lamAuto = knobs.find(({ name }) => name === "lam")?.auto ?? null;
    this.display.present.name(title ?? "", story, words ?? "");
    this.board.toolbar.formula.write(formula);
    const first = this.pointed === undefined; // what was pointed at before this stage was there
    this.pointed ??= point?.count ?? 0;
    Object.assign(this, { behind: !answer, failed });
    this.board.tell(failed);
    if (point && point.count !== this.pointed) {
      this.pointed = point.count;
      if (!first) this.point(point);
    }
    if (answer) return this.adopt(Object.assign(makeScene(answer, lasting), { alone: this.alone }));
    this.acknowledge(rev ?? this.channel.rev);
    this.waits(pending);
    this.board.schedule("", "field");
  }

  // Show where the hand can do what a button has just done; what the button before did ends.
  point({ name }) {
    const { toolbar, plots } = this.board;
    const knob = toolbar.node.querySelector(`[data-knob="${name}"]`);
    const node = knob ?? { filter: toolbar.filter, marks: plots }[name];
    if (node) {
      if (!this.display.present.on) toolbar.more.reveal(node); // the wall has no room for it
      flash(node);
    }
    this.endPlay();
  }

  // Where λ has come to while it plays is not kept.
  endPlay() {
    if (!this.player.on) return;
    this.channel.drop(["lam"]);
    this.player.stop();
  }

  acknowledge(rev) {
    this.channel.acknowledge(rev);
    this.board.toolbar.update(this.specs, this.channel);
    this.display.present.go();
  }

  adopt(scene) {
    const { scene: before, channel } = this;
    const fresh = !before || before.view_key !== scene.view_key;
    const rev = scene.rev ?? (fresh && !channel.unsent ? 0 : channel.rev);
    const answers = Math.max(rev, channel.answered) >= channel.sentRev; // the last message so far
    const other = fresh && !sameSheet(before, scene);
    // To a hand that moves Python answers without models; those that are here still hold.
    if (!fresh && scene.light && scene.about === before.about) scene.models = before.models;
    this.scene = scene;
    if (fresh) {
      this.tellLabels(""); // what was said was of other points
      const moved = !other && channel.has("labels") && relocated(this.labels, scene.points);
      channel.drop(["labels"]); // they were of other points
      this.player.stop();
      if (!channel.unsent) channel.acknowledge(rev);
      this.hold(moved ? history(moved) : recall(this.name, scene.labels, sameLabels));
      if (moved) this.changeLabels();
    }
    if (other) this.view = new (scene.space ? SpaceView : View)(this.name, scene.view);
    else this.view.rebase(scene.view);
    if (!scene.models.some(Boolean)) this.endPlay();
    if (before?.points !== scene.points) this.replace(scene);
    this.acknowledge(rev);
    // What was changed here and is not answered yet stays; everything else is as Python says.
    if (!channel.has("lam")) this.lam = scene.lam;
    if (!channel.has("filter")) this.filter = scene.filter;
    const { stack } = this;
    if (!channel.has("labels")) // as Python writes them, where they are the same
      this.hold(renewed(stack, scene.labels, sameLabels, (labels) => record(stack, labels)));
    this.code = Math.min(this.code, Math.max(scene.classes.length - 1, 0));
    this.setPanels();
    this.display.adopted(other);
    this.draw.adopt(scene, other);
    if (other) lookAsLinked(this);
    this.board.describe();
    if (answers) this.computing.answered(scene.seconds);
    this.board.schedule("scene", "layout");
    if (!before) {
      const known = new Set(this.specs.map(({ name }) => name));
      for (const [name, value] of carried(this)) if (known.has(name)) this.setKnob(name, value, true);
    }
    if (channel.unsent && fresh) channel.flush(); // what the hand did meanwhile
  }

  // Other points, or the same in another plane.
  replace({ points, space }) {
    this.hand.forget();
    if (space) return; // they are turned as they are painted
    this.hold(historyAt(this.stack, points));
    this.display.pins.replace(points);
  }

  setPanels() {
    const { panels, models } = this.scene;
    const { hand, board } = this;
    const place = { plots: board.plots, inside: (...at) => hand.inBox(...at), forget: () => hand.forget() };
    fit(this.panels, panels.length, () => {
      const panel = new PanelView((one) => this.display.toggle(one));
      for (const tool of [this.draw, this.stroke]) listenTool(panel.plot, panel, tool, place);
      listen(panel.plot, panel, hand);
      board.plots.append(panel.node);
      return panel;
    });
    panels.forEach((panel, i) => this.panels[i].update(panel, this.scene, models[i]));
    this.panels.forEach((panel) => this.draw.unlock(panel));
  }

  // ---- to Python --------------------------------------------------------------------------

  // No Python listens: this is a saved page.
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

  // Which settings moved on from those that Python last answered.
  get changed() {
    const { lam, filter, labels } = this.scene;
    const moved = { lam: this.lam !== lam, filter: this.filter !== filter };
    moved.labels = !sameLabels(this.labels, labels);
    const names = Object.keys(moved).filter((name) => moved[name]);
    const { channel } = this;
    const others = [...channel.changes.keys()].filter((name) => !IN_BROWSER.includes(name));
    if (channel.value("lam") === "auto") others.push("lam");
    return [...names, ...others, ...(this.behind ? ["python"] : [])];
  }

  get exact() {
    return !this.changed.length;
  }

  // What zoom and history are kept under.
  get name() {
    return `${this.key}|${this.scene.view_key}`;
  }

  setLam(lam, done, reason = "lam") {
    if (!this.scene) return;
    this.holding = !done;
    if (lam !== this.lam || this.lamFree) {
      this.channel.change("lam", lam);
      this.lam = lam;
      this.board.move();
      this.board.schedule(reason, "field");
    }
    if (done) {
      this.board.schedule("", "field"); // the scale may settle
      this.channel.post();
    } else if (this.panels.some(({ model, waiting }) => model && waiting)) {
      this.channel.post(true); // what the browser cannot tell here, Python does while the hand moves
    }
  }

  // Is λ chosen from the data, as far as is known here? null: it cannot be.
  get lamFree() {
    if (this.lamAuto === null) return null;
    return this.channel.value("lam") === "auto" || (this.lamAuto && !this.channel.has("lam"));
  }

  // A knob of the strip; `done`: the hand has let go of it.
  setKnob(name, value, done) {
    moves(this);
    super.setKnob(name, value, done);
    this.board.schedule("knob", "field");
  }

  setFilter(name) {
    if (name === this.filter) return;
    this.channel.change("filter", name);
    this.filter = name;
    this.board.schedule("filter", "field");
    this.channel.post();
  }

  // λ by the slider: a number, or "auto".
  moveLam(value, done) {
    this.player.stop();
    if (value === "auto") this.setKnob("lam", value, true);
    else this.setLam(value, done);
  }

  play() {
    const [from = LAM.least, to = LAM.most] = this.useful;
    this.player.toggle(this.lam, from, to);
  }

  // A new label spreads: λ, here a time, runs from the start of its useful range to where it stands.
  spread() {
    const [from = Infinity] = this.useful;
    const to = (this.player.on && this.player.end) || this.lam; // the last label may still spread
    if (isCalm() || to <= from || !this.scene.models.some(Boolean)) return;
    this.player.once(from, to);
  }

  clear() {
    this.edit({ labels: [], did: "cleared" });
  }

  played() {
    this.holding = this.player.on;
    if (!this.player.on) this.channel.post();
    this.board.schedule("", "over");
  }

  pick(code) {
    if (!this.scene.editable || code >= this.scene.classes.length) return false;
    this.code = code;
    this.board.say(`Class ${this.scene.classes[code]}`);
    this.board.schedule("", "over");
    return true;
  }

  moved() {
    this.board.move();
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

  // `also`: one more candidate class for a labelled point, in place of another class.
  toggleAt(target, also = false) {
    if (!this.canLabel(target)) return false;
    return this.edit(toggle(this.labels, target, this.code, also || this.stroke.also), target);
  }

  // Many labels in one step that can be undone.
  editMany(labels, count) {
    if (!this.scene?.editable || sameLabels(labels, this.labels)) return;
    this.setStack(record(this.stack, labels));
    const name = this.scene.classes[this.code] ?? this.code;
    this.tellLabels(`${count} points labelled as class ${name}; ${labels.length} labels`);
  }

  edit({ labels, did }, target = null) {
    if (!this.scene?.editable || sameLabels(labels, this.labels)) return false;
    this.setStack(record(this.stack, labels));
    const what = target?.index >= 0 ? `row ${target.index + 1}` : "a free point";
    const as = did === "removed" ? "" : ` as class ${this.scene.classes[this.code] ?? this.code}`;
    const count = `${labels.length} label${labels.length === 1 ? "" : "s"}`;
    this.tellLabels(did === "cleared" ? "all labels removed" : `${did} ${what}${as}; ${count}`);
    if (as && labels.length) this.spread();
    return true;
  }

  // What labelling has changed, at once; the board says it again with the new accuracy.
  tellLabels(did) {
    this.did = did;
    this.board.say(did);
  }

  hold(stack) {
    this.stack = keep(this.name, stack);
  }

  setStack(stack) {
    this.changeLabels();
    this.hold(stack);
    this.board.schedule("labels", "field");
    this.channel.post(false, true);
  }

  // way: "undo" or "redo".
  travel(way) {
    const stack = travelled(this.stack, way);
    if (!this.scene?.editable || stack === this.stack) return false;
    this.setStack(stack);
    this.tellLabels(`${way}ne; ${this.labels.length} labels`);
    return true;
  }
}
