// The picture stage: scribbles are shown at once; Python's segmentation follows, coarse, then fine.

import contract from "../../../../contract.json";
import { makeTheme } from "../paint/colour.js";
import { Computing } from "./computing.js";
import { Channel } from "../channel/channel.js";
import { element, setText } from "../paint/dom.js";
import { listenKeys } from "../hands/keys.js";
import { PictureHand } from "../hands/picture_hand.js";
import { ERASER, History, extended, readStrokes, writeStrokes } from "../numbers/picture_strokes.js";
import { PictureTools, RADIUS } from "../bars/picture_tools.js";
import { Frame, PictureView } from "../paint/picture_view.js";
import { scrolled } from "./place.js";

const CLASSES = contract.changes.picture.classes;
const [BELOW, LOWEST] = [34, 240]; // pixels under the picture; its least height
const NARROW = 560; // pixels of a phone
const LEAST_WIDTH = 240; // of one of several canvases
const frames = new Map(); // zoom is kept across reruns and remounts

export class PictureStage {
  constructor(parent) {
    Object.assign(this, { scene: null, failed: "", specs: [], strokes: [], drawing: null });
    Object.assign(this, { classes: 2, code: 0, tool: "brush" });
    Object.assign(this, { radius: RADIUS.first, opacity: 0.45, outline: true, cursor: null });
    this.frame = new Frame(1, 1);
    this.history = new History("", "");
    this.tools = new PictureTools({
      pick: (code) => this.pick(code),
      classes: (more) => this.setClasses(this.classes + more),
      tool: (name) => this.choose(name),
      radius: (radius) => this.setRadius(radius),
      opacity: (opacity) => (Object.assign(this, { opacity }), this.schedule()),
      outline: () => ((this.outline = !this.outline), this.schedule()),
      undo: () => this.undo(),
      redo: () => this.redo(),
      clear: () => this.edit([], "all scribbles removed"),
      zoom: (factor) => this.zoomBy(factor),
      knob: (name, value, done) => this.setKnob(name, value, done),
    });
    this.hand = new PictureHand(this);
    this.message = element("div.message", { role: "alert" });
    this.live = element("div.live", { "aria-live": "polite", role: "status" });
    this.plots = element("div.plots.pictured", { tabindex: "0", role: "application" });
    this.computing = new Computing(this.plots, () => {});
    this.pictures = element("div.pictures", {}, this.plots, this.computing.node);
    this.root = element("div.stage.picture", {}, this.message, this.tools.node, this.pictures,
      this.tools.hint, this.live);
    parent.append(this.root);
    this.views = [];
    // What the explorer's tests and tools ask of every stage.
    this.board = { root: this.root, place: null, pending: false };
    this.deafen = listenKeys(this.root, this.plots, (event) => this.hand.key(event));
    this.plots.addEventListener("blur", () => this.drawing && this.hand.down && this.hand.toggle());
    this.observer = new ResizeObserver(() => this.schedule());
    this.observer.observe(this.root);
    this.channel = new Channel(this);
  }

  left() {
    if (!this.root.isConnected) this.destroy();
  }

  destroy() {
    if (this.gone) return;
    this.gone = true;
    clearTimeout(this.later);
    this.channel.end();
    this.deafen();
    this.observer.disconnect();
    this.computing.destroy();
    this.root.remove();
  }

  // ---- from Python ------------------------------------------------------------------------

  receive(component) {
    this.channel.receive(component);
  }

  guard(run) {
    run();
  }

  same() {
    this.schedule();
  }

  open(parcel, lasting) {
    const unchanged = this.scene?.view_key === parcel.view_key && this.lasting === lasting;
    Object.assign(this, { lasting, key: parcel.key });
    if (!unchanged) this.show(lasting, parcel);
    this.settle(parcel);
  }

  // Another picture.
  show(lasting, { view_key: view, strokes }) {
    const name = `${this.key} ${view}`;
    this.frame = frames.get(name) ?? new Frame(lasting.width, lasting.height);
    frames.set(name, this.frame);
    this.channel.drop();
    Object.assign(this, { image: null, drawing: null, cursor: null, strokes: [] });
    this.history = new History(name, strokes);
    this.setPanels([]);
    createImageBitmap(new Blob([lasting.image.data], { type: "image/jpeg" })).then((image) => {
      if (this.lasting !== lasting) return;
      this.image = image;
      this.schedule();
    });
  }

  settle(parcel) {
    const { answer, pending = null, failed = "", rev, knobs } = parcel;
    const { channel } = this;
    clearTimeout(this.later);
    this.scene = parcel;
    channel.acknowledge(rev);
    this.specs = knobs;
    this.tools.row.update(knobs, channel);
    if (!channel.has("classes")) this.classes = parcel.classes;
    if (!channel.has("strokes")) {
      this.strokes = readStrokes(parcel.strokes);
      this.history.record(parcel.strokes);
    }
    this.code = Math.min(this.code, this.classes - 1);
    this.failed = failed;
    setText(this.message, failed);
    if (answer) this.adopt(answer);
    else if (pending) {
      this.computing.pending(pending);
      channel.look();
    } else this.computing.answered(null);
    this.schedule();
    this.later = setTimeout(() => this.schedule(), 400); // what stands above may have moved it
  }

  async adopt(answer) {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const panels = await Promise.all(answer.panels.map(unpack));
    if (turn !== this.turn || this.gone) return;
    this.answer = answer;
    this.shown = turn;
    this.setPanels(panels);
    if (this.channel.isAnswered) this.computing.answered(null);
    if (!answer.fine && !this.channel.unsent) this.channel.look(0); // now all pixels
    this.schedule();
  }

  setPanels(panels) {
    const count = Math.max(panels.length, 1);
    while (this.views.length > count) this.views.pop().node.remove();
    while (this.views.length < count) {
      const view = new PictureView();
      this.hand.listen(view);
      this.views.push(view);
      this.plots.append(view.node);
    }
    this.views.forEach((view, i) => view.adopt(panels[i], count === 1));
  }

  get viewKey() {
    return this.scene.view_key;
  }

  // A message has left.
  asked(moving) {
    if (!moving) this.computing.asked();
  }

  changeStrokes() {
    this.channel.change("strokes", () => writeStrokes(this.strokes));
    this.channel.post();
    this.schedule();
  }

  // ---- what the hand does -----------------------------------------------------------------

  get fewest() {
    return Math.max(CLASSES.least, ...this.strokes.map(({ code }) => code + 1));
  }

  // Strokes as seen: the one under the hand included.
  get shownStrokes() {
    return this.drawing ? [...this.strokes, this.drawing] : this.strokes;
  }

  get brushColour() {
    return this.tool === "eraser" ? this.theme.outline : this.theme.classes[this.code];
  }

  inside([x, y]) {
    const clamp = (v, size) => Math.min(Math.max(Math.round(v), 0), size - 1);
    return [clamp(x, this.frame.width), clamp(y, this.frame.height)];
  }

  pixel(at, view) {
    return this.inside(this.frame.toPicture(at, view.box));
  }

  point(at) {
    this.cursor = at;
    this.schedule();
  }

  begin(at) {
    const code = this.tool === "eraser" ? ERASER : this.code;
    this.drawing = { code, radius: this.radius, points: [at] };
    this.point(at);
  }

  extend(at) {
    if (!this.drawing) return;
    this.drawing.points = extended(this.drawing.points, at, this.radius);
    this.tip = at;
    this.point(at);
  }

  finish() {
    const { drawing, tip } = this;
    if (!drawing) return;
    const last = drawing.points.at(-1);
    if (tip && (tip[0] !== last[0] || tip[1] !== last[1])) drawing.points.push(tip);
    Object.assign(this, { drawing: null, tip: null });
    const as = drawing.code === ERASER ? "erased" : `scribbled class ${drawing.code + 1}`;
    this.edit([...this.strokes, drawing], as);
  }

  abandon() {
    Object.assign(this, { drawing: null, tip: null });
    this.schedule();
  }

  edit(strokes, said) {
    this.strokes = strokes;
    this.history.record(writeStrokes(strokes));
    this.changeStrokes();
    this.say(`${said}; ${strokes.length} strokes`);
  }

  travel(moved, said) {
    if (!moved) return false;
    this.strokes = readStrokes(this.history.state.now);
    this.changeStrokes();
    this.say(`${said}; ${this.strokes.length} strokes`);
    return true;
  }

  undo() {
    return this.travel(this.history.undo(), "undone");
  }

  redo() {
    return this.travel(this.history.redo(), "redone");
  }

  pick(code) {
    this.code = code;
    return this.choose("brush");
  }

  choose(tool) {
    this.tool = tool;
    this.schedule();
    return true;
  }

  setRadius(radius) {
    this.radius = Math.min(Math.max(radius, RADIUS.least), RADIUS.most);
    this.schedule();
    return true;
  }

  setClasses(count) {
    const classes = Math.min(Math.max(count, this.fewest), CLASSES.most);
    if (classes === this.classes) return;
    this.classes = classes;
    this.code = Math.min(this.code, classes - 1);
    if (count > 2 && classes === count) this.code = classes - 1;
    this.channel.change("classes", classes);
    this.channel.post();
    this.schedule();
  }

  setKnob(name, value, done) {
    // Once more when it is let go: the answer to the last value while it moved was a coarse one.
    if (done || this.channel.value(name) !== value) this.channel.change(name, value);
    this.channel.post(!done);
    this.schedule();
  }

  zoomAt(factor, at, view) {
    this.frame.zoomAt(factor, at, view.box);
    this.schedule();
  }

  zoomBy(factor) {
    if (!factor) this.frame.reset();
    else {
      const view = this.views[0];
      const at = this.cursor ? this.frame.toScreen(this.cursor, view.box) : [view.box.w / 2, view.box.h / 2];
      this.frame.zoomAt(factor, at, view.box);
    }
    this.schedule();
    return true;
  }

  say(text) {
    setText(this.live, text);
  }

  // ---- the picture ------------------------------------------------------------------------

  // Whether all that is shown is Python's answer to all that was done here, for all pixels.
  get exact() {
    const current = this.shown === this.turn && this.answer?.fine && !this.drawing;
    return Boolean(current && this.channel.isAnswered && this.scene?.answer);
  }

  schedule() {
    this.board.pending = true;
    this.frameRequest ??= requestAnimationFrame(() => {
      this.frameRequest = null;
      if (!this.gone) this.draw();
    });
  }

  draw() {
    this.board.pending = false;
    if (!this.scene || !this.root.isConnected) return;
    this.theme = makeTheme(this.root, 12);
    const wide = this.root.clientWidth;
    if (!wide) return;
    const size = wide < NARROW ? "narrow" : "wide";
    if (this.root.dataset.size !== size) this.tools.fold.open = size === "wide";
    this.root.dataset.size = size;
    const gap = 12;
    const many = this.views.length;
    const columns = wide >= many * LEAST_WIDTH + (many - 1) * gap ? many : 1;
    const { frame } = this;
    const tallest = Math.max(window.innerHeight - this.top() - BELOW, LOWEST);
    const room = (wide - (columns - 1) * gap) / columns;
    const width = Math.max(120, Math.min(room, (tallest * frame.width) / frame.height));
    const height = (width * frame.height) / frame.width;
    this.plots.style.gridTemplateColumns = `repeat(${columns}, max-content)`;
    this.plots.style.gap = `${gap}px`;
    this.plots.classList.toggle("moves", this.tool === "move");
    this.tools.follow(this);
    this.plots.setAttribute("aria-label", this.words());
    if (!this.image) return;
    for (const view of this.views) view.draw(this, Math.floor(width), Math.floor(height));
    this.board.place = { width, height };
  }

  // Where the canvases stand in the window as long as nothing is scrolled.
  top() {
    const key = `${window.innerWidth}x${window.innerHeight}`;
    if (!scrolled(this.root) || this.sized !== key)
      Object.assign(this, { sized: key, offset: this.pictures.getBoundingClientRect().top });
    return this.offset + Math.max(0, ...this.views.map((view) => view.head.offsetHeight));
  }

  // The picture in words.
  words() {
    const { name, width, height } = this.lasting;
    const shares = (this.answer?.shares ?? []).map(
      ([code, share]) => `class ${code + 1}: ${(100 * share).toFixed(1)} %`,
    );
    const found = shares.length ? shares.join(", ") : "scribble at least two classes";
    return `Picture ${name}, ${width} by ${height} pixels, ${this.strokes.length} strokes; ${found}`;
  }
}

// The classes of a panel, which come compressed.
async function unpack(panel) {
  const stream = new Blob([panel.codes.data]).stream().pipeThrough(new DecompressionStream("deflate"));
  const codes = new Uint8Array(await new Response(stream).arrayBuffer());
  return { ...panel, codes };
}
