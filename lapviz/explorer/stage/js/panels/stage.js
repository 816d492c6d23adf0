// The stage: holds scene, settings and labels, and tells Python what changed.

import contract from "../../../../contract.json";
import { Board } from "./board.js";
import { decode, fingerprint } from "../channel/decode.js";
import { Display } from "../bars/display.js";
import { Draw, relocated, sameSheet } from "../hands/draw.js";
import { listenDraw, pressDraw } from "../hands/draw_listen.js";
import { carried, leaving, moves } from "../channel/address.js";
import { Hand } from "../hands/hand.js";
import { listen, pressKey } from "../hands/interact.js";
import { listenKeys } from "../hands/keys.js";
import { history, historyAt, keepHistory, recall, record, redo } from "../numbers/labels.js";
import { sameLabels, toRow, toggle, toggleCandidate, undo } from "../numbers/labels.js";
import { PanelView } from "./panel.js";
import { Player } from "../hands/player.js";
import { Saver } from "../bars/saver.js";
import { awaitStore, makeScene, stored } from "../channel/scene.js";
import { pictureOf } from "../paint/snapshot.js";
import { Stroke, listenStroke } from "../hands/stroke.js";
import { Toolbar } from "../bars/toolbar.js";
import { viewOf } from "../numbers/space.js";
import { lookAsLinked } from "../channel/view_link.js";
import { Tools } from "../bars/tools.js";

const LAM = contract.lam;
const PATIENCE = 1500; // milliseconds after which an unanswered message is no reason to wait
const LOOK = 300; // milliseconds between two questions whether a long computation is done
const POINTED = 2600; // milliseconds
const GATHER = 60; // milliseconds over which quick changes are combined into one message

function flash(node) {
  node.classList.remove("pointed");
  void node.offsetWidth; // so that the animation starts again
  node.classList.add("pointed");
  node.scrollIntoView({ block: "nearest" });
  setTimeout(() => node.classList.remove("pointed"), POINTED);
}

export class Stage {
  constructor(parent) {
    Object.assign(this, { scene: null, panels: [], stack: history([]), filters: {}, view: null });
    Object.assign(this, { lam: 1, filter: "", code: 0, rev: 0, unsent: false, tag: "" });
    this.touched = new Map(); // what changed here, and at which rev, until Python has answered it
    this.knobs = new Map(); // those that were moved here: their values
    Object.assign(this, { specs: [], scrubbing: false, behind: false, sentRev: 0, answered: 0 });
    this.player = new Player(
      (lam) => this.setLam(lam, false, "play"),
      () => this.played(),
    );
    const toolbar = new Toolbar({
      lam: (value, done) => (
        this.player.stop(), value === "auto" ? this.setKnob("lam", value, true) : this.setLam(value, done)
      ),
      filter: (name) => this.setFilter(name),
      play: () => this.player.toggle(this.lam, LAM.least, LAM.most),
      pick: (code) => this.pick(code),
      undo: () => this.undo(),
      redo: () => this.redo(),
      clear: () => this.edit({ labels: [], did: "cleared" }),
      zoom: (factor) => this.zoomBy(factor),
      enlarge: (index) => this.enlarge(index),
      knob: (name, value, done) => this.setKnob(name, value, done),
    });
    this.board = new Board(this, parent, toolbar);
    this.hand = new Hand(this);
    this.holding = false; // is a hand, or play, moving λ?
    this.display = new Display(this);
    this.stroke = new Stroke(this);
    this.tools = new Tools(() => this.board.schedule("", "over"));
    this.saver = new Saver(
      (...asked) => pictureOf(this, ...asked),
      () => this.board.schedule("", "layout"),
    );
    this.display.node.append(this.saver.tool);
    toolbar.tools.append(this.display.node, this.tools.node);
    toolbar.node.append(this.tools.remark, this.saver.node);
    this.draw = new Draw(this);
    this.unhook = awaitStore(() => this.join());
    this.deafen = listenKeys(this.board.root, this.board.plots, (event) => this.press(event));
    this.board.plots.addEventListener("blur", () => this.hand.drop());
  }

  press(event) {
    if (!this.scene) return false;
    return this.draw.on ? pressDraw(event, this.draw) : pressKey(event, this);
  }

  // Ends the stage if its page is gone.
  left() {
    if (!this.board.root?.isConnected) this.destroy();
  }

  destroy() {
    if (this.gone) return;
    this.gone = true;
    this.player.stop();
    clearTimeout(this.timer);
    clearTimeout(this.looking);
    clearTimeout(this.insisting);
    this.unhook();
    this.deafen();
    this.display.destroy();
    this.board.destroy();
    const { stages } = globalThis.__lapviz;
    if (stages[this.key] === this) delete stages[this.key];
  }

  // ---- from Python ------------------------------------------------------------------------

  receive({ data, setStateValue }) {
    this.send = setStateValue;
    this.board.guard("answer", () => {
      const tag = fingerprint(data);
      if (tag === this.tag) {
        this.board.schedule("theme", "base");
        return true;
      }
      this.parcel = decode(data);
      this.tag = tag;
      return this.open();
    });
  }

  // Adopt the newest answer as soon as its static part has arrived.
  join() {
    if (this.parcel) this.board.guard("answer", () => this.open());
  }

  // False while the lasting part is still on its way.
  open() {
    const { answer, needs, key, height, title, static: own } = this.parcel;
    const lasting = answer && (own ?? (needs === this.needs ? this.lasting : stored(needs)));
    if (answer && !lasting) return false;
    const { knobs = [], pending = null, failed = "", rev = null, point = null } = this.parcel;
    this.alone = Boolean(this.parcel.alone); // no Python listens: this is a saved page
    Object.assign(this, { parcel: null, key: key ?? "", height: height ?? 0 });
    // λ has its own place; Python says whether it was chosen from the data.
    this.specs = knobs.filter(({ name }) => name !== "lam");
    this.lamAuto = knobs.find(({ name }) => name === "lam")?.auto ?? null;
    this.display.present.name(title ?? "");
    globalThis.__lapviz.stages[this.key] = this;
    clearTimeout(this.looking);
    const first = this.pointed === undefined; // what was pointed at before this stage was there
    this.pointed ??= point?.count ?? 0;
    Object.assign(this, { behind: !answer, failed });
    this.board.tell(failed);
    if (point && point.count !== this.pointed) {
      this.pointed = point.count;
      if (!first) this.point(point);
    }
    if (!answer) {
      this.heard(rev ?? this.rev);
      if (pending) this.await(pending);
      else this.board.computing.answered(null);
      this.board.schedule("", "field");
      return true;
    }
    Object.assign(this, { lasting, needs });
    try {
      this.adopt(Object.assign(makeScene(answer, lasting), { alone: this.alone }));
    } catch (error) {
      this.tag = ""; // the same bytes again are no picture yet
      throw error;
    }
    return true;
  }

  // Show where the hand can do what a button has just done; what the button before did ends.
  point({ name, act }) {
    const { toolbar, plots } = this.board;
    const knob = name === "lam" ? toolbar.lam : toolbar.row.knobs.get(name);
    const node = knob?.node ?? (name === "filter" ? toolbar.filter : name === "marks" ? plots : null);
    if (node) flash(node);
    if (act !== "play") this.player.stop();
    else if (!this.player.on) this.player.toggle(this.lam, LAM.least, LAM.most);
  }

  // Python works on it: show how long that may take, and look again.
  await(pending) {
    this.board.computing.pending(pending);
    const look = () => {
      // A question would reach the page that is being left, and Streamlit run that one again.
      if (leaving()) this.looking = setTimeout(look, LOOK);
      else if (!this.gone) this.send("tick", Date.now());
    };
    this.looking = setTimeout(look, LOOK);
  }

  // Python knows what was done here up to this revision.
  heard(rev) {
    this.answered = Math.max(this.answered, rev);
    for (const [what, at] of this.touched) if (at <= rev) this.touched.delete(what);
    for (const name of [...this.knobs.keys()]) if (!this.touched.has(name)) this.knobs.delete(name);
    this.board.toolbar.row.update(this.specs, this.touched);
    if (this.unsent && this.scrubbing && this.answered >= this.sentRev) this.post();
  }

  adopt(scene) {
    const before = this.scene;
    const fresh = !before || before.view_key !== scene.view_key;
    const rev = scene.rev ?? (fresh && !this.unsent ? 0 : this.rev);
    const other = fresh && !sameSheet(before, scene);
    this.scene = scene;
    this.filters = scene.filters;
    if (fresh) {
      this.player.stop();
      clearTimeout(this.timer);
      const moved = !other && this.touched.has("labels") && relocated(this.labels, scene.points);
      this.touched.delete("labels"); // they were of other points
      Object.assign(this, { unsent: this.unsent && this.touched.size > 0 });
      if (!this.unsent) this.rev = Math.max(this.rev, rev);
      this.hold(moved ? history(moved) : recall(this.name, scene.labels));
      if (moved) this.bump("labels");
    }
    if (other) this.view = viewOf(this.name, scene);
    else this.view.rebase(scene.view);
    if (!scene.models.some(Boolean)) this.player.stop();
    if (before?.points !== scene.points) this.replace(scene);
    this.heard(rev);
    // What was changed here and is not answered yet stays; everything else is as Python says.
    if (!this.unsent) this.rev = Math.max(this.rev, rev);
    if (!this.touched.has("lam")) this.lam = scene.lam;
    if (!this.touched.has("filter")) this.filter = scene.filter;
    if (!this.touched.has("labels")) this.hold(record(this.stack, scene.labels));
    this.code = Math.min(this.code, Math.max(scene.classes.length - 1, 0));
    this.setPanels();
    this.display.adopted(other);
    this.draw.adopt(scene, other);
    if (other) lookAsLinked(this);
    this.board.describe();
    if (this.answered >= this.sentRev) this.board.computing.answered(scene.seconds);
    this.board.schedule("scene", "layout");
    if (!before) {
      const known = new Set(this.specs.map(({ name }) => name));
      for (const [name, value] of carried(this)) if (known.has(name)) this.setKnob(name, value, true);
    }
    if (this.unsent && fresh) this.post(); // what the hand did meanwhile
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
    while (this.panels.length > panels.length) this.panels.pop().node.remove();
    while (this.panels.length < panels.length) {
      const panel = new PanelView((one) => this.display.toggle(one));
      listenDraw(panel.plot, panel, this);
      listenStroke(panel.plot, panel, this);
      listen(panel.plot, panel, this.hand);
      this.panels.push(panel);
      this.board.plots.append(panel.node);
    }
    panels.forEach((panel, i) => this.panels[i].update(panel, this.scene, models[i]));
    this.panels.forEach((panel) => this.draw.unlock(panel));
  }

  // ---- to Python --------------------------------------------------------------------------

  // Records that the settings differ from those last sent to Python.
  bump(what) {
    if (!this.unsent) this.rev += 1;
    this.unsent = true;
    this.touched.set(what, this.rev);
  }

  commit(reason) {
    this.reason = reason;
    this.scrubbing = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.post(), GATHER);
  }

  // Send what is new. While a hand moves a knob, one message at a time: then the newest value.
  post() {
    clearTimeout(this.timer);
    if (!this.unsent || this.gone || !this.scene) return;
    if (this.alone) {
      this.unsent = false;
      return;
    }
    const [now, { scrubbing }] = [performance.now(), this];
    const waits = scrubbing && this.answered < this.sentRev;
    if (waits && now - this.sentAt < PATIENCE) {
      this.timer = setTimeout(() => this.post(), PATIENCE - (now - this.sentAt));
      return;
    }
    this.tell({});
    this.insist();
  }

  // A message that brought no answer is sent again.
  insist() {
    clearTimeout(this.insisting);
    this.insisting = setTimeout(() => {
      if (this.gone || this.answered >= this.sentRev) return;
      if (!this.board.computing.busy && !leaving()) this.tell({ again: Date.now() });
      this.insist();
    }, 2 * PATIENCE);
  }

  // Sends the settings as they are, and `more`.
  tell(more) {
    if (this.alone) return;
    const { rev, lam, filter, scrubbing } = this;
    // What changes from now on has a revision of its own.
    Object.assign(this, { unsent: false, sentRev: rev, sentAt: performance.now() });
    if (!scrubbing) this.board.computing.asked();
    this.send("state", {
      rev,
      reason: this.reason ?? "",
      changed: [...this.touched.keys()],
      lam,
      filter,
      labels: this.labels.map(toRow),
      knobs: Object.fromEntries(this.knobs),
      hand: scrubbing,
      view_key: this.scene.view_key,
      ...(this.touched.has("drawing") ? { drawing: this.draw.message } : {}),
      ...more,
    });
  }

  // ---- settings ---------------------------------------------------------------------------

  get labels() {
    return this.stack.present;
  }

  get settings() {
    return { lam: this.lam, labels: this.labels, filter: this.filters[this.filter] };
  }

  // Which settings moved on from those that Python last answered.
  get changed() {
    const { lam, filter, labels } = this.scene;
    const moved = { lam: this.lam !== lam, filter: this.filter !== filter };
    moved.labels = !sameLabels(this.labels, labels);
    const names = Object.keys(moved).filter((name) => moved[name]);
    if (this.touched.has("drawing")) names.push("drawing");
    return [...names, ...this.knobs.keys(), ...(this.behind ? ["python"] : [])];
  }

  get exact() {
    return !this.changed.length;
  }

  // The one panel that is shown, by its index; null: all of them.
  get enlarged() {
    return this.display.enlarged;
  }

  enlarge(index) {
    return this.display.enlarge(index);
  }

  // What zoom and history are kept under.
  get name() {
    return `${this.key}|${this.scene.view_key}`;
  }

  setLam(lam, done, reason = "lam") {
    if (!this.scene) return;
    this.holding = !done;
    if (lam !== this.lam || this.lamFree) {
      this.knobs.delete("lam");
      this.bump("lam");
      this.lam = lam;
      this.board.move();
      this.board.schedule(reason, "field");
    }
    if (!done) return;
    this.board.schedule("", "field"); // the scale may settle
    this.commit("lam");
  }

  // Is λ chosen from the data, as far as is known here? null: it cannot be.
  get lamFree() {
    if (this.lamAuto === null) return null;
    return this.knobs.get("lam") === "auto" || (this.lamAuto && !this.touched.has("lam"));
  }

  // A knob of the strip; `done`: the hand has let go of it.
  setKnob(name, value, done) {
    moves(this);
    const same = this.knobs.get(name) === value;
    if (!same || done) {
      this.bump(name);
      this.knobs.set(name, value);
      this.board.schedule("knob", "field");
    }
    this.scrubbing = !done;
    this.reason = name;
    if (done) this.commit(name);
    else this.post();
  }

  setFilter(name) {
    if (name === this.filter) return;
    this.bump("filter");
    this.filter = name;
    this.board.schedule("filter", "field");
    this.commit("filter");
  }

  played() {
    this.holding = this.player.on;
    if (!this.player.on) this.commit("lam");
    this.board.schedule("", "over");
  }

  pick(code) {
    if (!this.scene.editable || code >= this.scene.classes.length) return false;
    this.code = code;
    this.board.say(`Class ${this.scene.classes[code]}`);
    this.board.schedule("", "over");
    return true;
  }

  // Other colours than before.
  retheme() {
    this.board.schedule("theme", "base");
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
    const change = also || this.tools.also ? toggleCandidate : toggle;
    return this.canLabel(target) && this.edit(change(this.labels, target, this.code), target);
  }

  // Many labels in one step that can be undone.
  editMany(labels, count) {
    if (!this.scene?.editable || sameLabels(labels, this.labels)) return;
    this.setStack(record(this.stack, labels));
    const name = this.scene.classes[this.code] ?? this.code;
    this.board.say(`${count} points labelled as class ${name}; ${labels.length} labels`);
  }

  edit({ labels, did }, target = null) {
    if (!this.scene?.editable || sameLabels(labels, this.labels)) return false;
    this.setStack(record(this.stack, labels));
    const what = target?.index >= 0 ? `point ${target.index}` : "a free point";
    const as = did === "removed" ? "" : ` as class ${this.scene.classes[this.code] ?? this.code}`;
    const count = `${labels.length} label${labels.length === 1 ? "" : "s"}`;
    this.board.say(did === "cleared" ? "all labels removed" : `${did} ${what}${as}; ${count}`);
    return true;
  }

  hold(stack) {
    this.stack = stack;
    keepHistory(this.name, stack);
  }

  setStack(stack) {
    this.bump("labels");
    this.hold(stack);
    this.board.schedule("labels", "field");
    this.commit("labels");
  }

  undo() {
    return this.travel(undo(this.stack), "undone");
  }

  redo() {
    return this.travel(redo(this.stack), "redone");
  }

  travel(stack, word) {
    if (!this.scene?.editable || stack === this.stack) return false;
    this.setStack(stack);
    this.board.say(`${word}; ${this.labels.length} labels`);
    return true;
  }
}
