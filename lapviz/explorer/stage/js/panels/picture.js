// The picture stage: scribbles are shown at once; Python's segmentation follows, first coarse, then fine.

import contract from "../../../../contract.json";
import { makeTheme } from "../paint/colour.js";
import { Computing } from "./computing.js";
import { Mounted } from "../channel/channel.js";
import { element, fit, inflated, setText } from "../paint/dom.js";
import { listenKeys } from "../hands/gestures.js";
import { PictureHand } from "../hands/picture_hand.js";
import { percentage } from "../numbers/codes.js";
import { history, record, stepped } from "../numbers/history.js";
import { ERASER, Frame, PictureView, fromRow, toRow } from "../paint/picture_view.js";
import { PictureTools, RADIUS } from "../bars/picture_tools.js";
import { markSize } from "./layout.js";
import { scrolled } from "./place.js";
import { counted } from "../numbers/view.js";

const CLASSES = contract.changes.picture.classes;
const MOST_CORNERS = contract.changes.picture.strokes.most; // of all strokes together, as in links
const [BELOW, LOWEST] = [34, 240]; // pixels under the picture; its least height
const LEAST_WIDTH = 240; // of one of several canvases

const nextFrame = () => new Promise(requestAnimationFrame);

export class PictureStage extends Mounted {
  constructor(parent) {
    super();
    Object.assign(this, { scene: null, failed: "", drawing: null });
    Object.assign(this, { classes: 2, code: 0, tool: "brush", answerCount: 0 });
    Object.assign(this, { radius: RADIUS.first, opacity: 0.45, outline: true, cursor: null });
    this.frame = new Frame("", 1, 1);
    this.stack = history([]);
    this.tools = new PictureTools(this);
    this.hand = new PictureHand(this);
    this.message = element("div.message", { role: "alert" });
    this.live = element("div.live", { "aria-live": "polite", role: "status" });
    this.plots = element("div.plots.pictured", { tabindex: "0", role: "application" });
    this.computing = new Computing(this.plots, () => this.channel.send("cancel", Date.now()));
    this.pictures = element("div.pictures", {}, this.plots, this.computing.node);
    this.views = [];
    const root = element("div.stage.picture", {}, this.message, this.tools.node, this.pictures,
      this.tools.hint, this.live);
    this.attach(parent, root, () => this.schedule());
    this.board = { root, place: null, pending: false };
    const { signal } = this.channel.abortController;
    listenKeys(root, this.plots, (event) => this.hand.key(event), signal);
    this.plots.addEventListener("blur", () => this.drawing && this.hand.down && this.hand.toggle());
  }

  end() {
    clearTimeout(this.redrawTimer);
    super.end();
  }

  // ---- from Python ------------------------------------------------------------------------

  themeChanged() {
    this.schedule();
  }

  open(payload, staticPart) {
    const unchanged = this.scene?.view_key === payload.view_key && this.staticPart === staticPart;
    Object.assign(this, { staticPart, scene: payload });
    if (!unchanged) this.showPicture(staticPart, payload);
    this.applyAnswer(payload);
  }

  // Another picture.
  showPicture(staticPart, { strokes }) {
    this.frame = new Frame(this.name, staticPart.width, staticPart.height);
    this.channel.drop();
    Object.assign(this, { image: null, answer: null, drawing: null, cursor: null });
    this.answerCount += 1; // an earlier answer that is still unpacked is dropped
    this.recallStack(strokes.map(fromRow));
    this.setPanels([]);
    createImageBitmap(new Blob([staticPart.image], { type: "image/jpeg" })).then((image) => {
      if (this.staticPart !== staticPart) return;
      this.image = image;
      this.markPainted();
      this.schedule();
    });
  }

  applyAnswer(payload) {
    const { answer, pending = null, failed = "", rev, knobs } = payload;
    const { channel } = this;
    clearTimeout(this.redrawTimer);
    channel.acknowledge(rev);
    this.tools.row.update(knobs, channel);
    if (!channel.has("classes")) this.classes = payload.classes;
    if (!channel.has("strokes")) this.updateStack(payload.strokes.map(fromRow));
    this.code = Math.min(this.code, this.classes - 1);
    this.failed = failed;
    setText(this.message, failed);
    if (answer) this.adopt(answer);
    else this.showPending(pending);
    this.schedule();
    this.redrawTimer = setTimeout(() => this.schedule(), 400); // the page above may have moved it
  }

  async adopt(answer) {
    const count = (this.answerCount += 1);
    // The class codes come compressed.
    const unpack = async (panel) => ({ ...panel, codes: await inflated(panel.codes) });
    const panels = await Promise.all(answer.panels.map(unpack));
    // The coarse answer has no comparisons: those shown stay until the fine one.
    if (!answer.fine) panels.push(...this.views.slice(panels.length).map(({ panel }) => panel));
    // The canvases keep their places during a stroke.
    while (this.hand.busy && !this.gone && panels.length !== this.views.length) await nextFrame();
    if (count !== this.answerCount || this.gone) return;
    this.answer = answer;
    this.shownCount = count;
    this.setPanels(panels);
    if (this.channel.isAnswered) this.computing.answered();
    if (!answer.fine && !this.channel.unsent) this.channel.poll(0); // for the answer in full resolution
    this.schedule();
  }

  setPanels(panels) {
    const count = Math.max(panels.length, 1);
    fit(this.views, count, () => {
      const view = new PictureView();
      this.hand.listen(view);
      this.plots.append(view.node);
      return view;
    });
    this.views.forEach((view, i) => view.adopt(panels[i], count === 1));
  }

  // ---- the user's changes -----------------------------------------------------------------

  get fewestClasses() {
    return Math.max(CLASSES.least, ...this.strokes.map(({ code }) => code + 1));
  }

  get strokes() {
    return this.stack.present;
  }

  inside([x, y]) {
    const clamp = (v, size) => Math.min(Math.max(Math.round(v), 0), size - 1);
    return [clamp(x, this.frame.width), clamp(y, this.frame.height)];
  }

  pixel(at, view) {
    return this.inside(this.frame.toPlane(...at, view.box));
  }

  moveCursor(at) {
    this.set({ cursor: at });
  }

  begin(at) {
    const code = this.tool === "eraser" ? ERASER : this.code;
    this.drawing = { code, radius: this.radius, points: [at] };
    this.moveCursor(at);
  }

  extend(at) {
    if (!this.drawing) return;
    const { points } = this.drawing;
    const [u, v] = points.at(-1);
    // Only corners that are far enough from the last one.
    if (Math.hypot(at[0] - u, at[1] - v) >= Math.max(1, this.radius / 3)) points.push(at);
    this.tip = at;
    this.moveCursor(at);
  }

  // Returns whether a stroke was added.
  finish() {
    const { drawing, tip } = this;
    if (!drawing) return false;
    const last = drawing.points.at(-1);
    if (tip && (tip[0] !== last[0] || tip[1] !== last[1])) drawing.points.push(tip);
    Object.assign(this, { drawing: null, tip: null });
    const strokes = [...this.strokes, drawing];
    if (strokes.reduce((sum, { points }) => sum + points.length, 0) > MOST_CORNERS) {
      setText(this.message, `All strokes together have at most ${MOST_CORNERS} corners: take some away first.`);
      this.schedule();
      return false;
    }
    const action = drawing.code === ERASER ? "erased" : `scribbled class ${drawing.code + 1}`;
    return this.commitStack(record(this.stack, strokes), action);
  }

  clear() {
    this.commitStack(record(this.stack, []), "all scribbles removed");
  }

  commitStack(stack, action) {
    if (stack === this.stack) return false;
    this.storeStack(stack);
    this.channel.change("strokes", () => this.strokes.map(toRow));
    this.channel.post();
    this.schedule();
    this.announce(`${action}; ${counted(this.strokes.length, "stroke")}`);
    return true;
  }

  // direction: "undo" or "redo".
  travel(direction) {
    return this.commitStack(stepped(this.stack, direction), `${direction}ne`);
  }

  pick(code) {
    return this.set({ code, tool: "brush" });
  }

  set(changes) {
    Object.assign(this, changes);
    this.schedule();
    return true;
  }

  setRadius(radius) {
    return this.set({ radius: Math.min(Math.max(radius, RADIUS.least), RADIUS.most) });
  }

  setClasses(count) {
    const classes = Math.min(Math.max(count, this.fewestClasses), CLASSES.most);
    if (classes === this.classes) return;
    this.code = classes > this.classes ? classes - 1 : Math.min(this.code, classes - 1);
    this.classes = classes;
    this.setKnob("classes", classes, { done: true });
  }

  setKnob(...change) {
    super.setKnob(...change);
    this.schedule();
  }

  // At a place of a canvas.
  zoomAt(factor, at, view) {
    this.frame.zoomAt(factor, ...this.frame.toPlane(...at, view.box));
    this.schedule();
  }

  pan(dx, dy, view) {
    const scale = this.frame.scale(view.box);
    this.frame.pan(-dx / scale, -dy / scale);
    this.schedule();
  }

  zoomBy(factor) {
    if (factor) this.frame.zoomAt(factor, ...(this.cursor ?? []));
    else this.frame.reset();
    this.schedule();
    return true;
  }

  announce(text) {
    setText(this.live, text);
  }

  // ---- the picture ------------------------------------------------------------------------

  // Is everything shown Python's answer in full resolution, and nothing unanswered?
  get exact() {
    const current = this.shownCount === this.answerCount && this.answer?.fine && !this.drawing;
    return Boolean(current && this.channel.isAnswered && this.scene?.answer);
  }

  draw() {
    if (!this.root.isConnected) return;
    this.theme = makeTheme(this.root, 12, this.theme);
    const available = this.root.clientWidth;
    if (!available) return;
    markSize(this.root);
    const gap = 12;
    const count = this.views.length;
    const columns = available >= count * LEAST_WIDTH + (count - 1) * gap ? count : 1;
    const { frame } = this;
    const tallest = Math.max(window.innerHeight - this.top() - BELOW, LOWEST);
    const room = (available - (columns - 1) * gap) / columns;
    const width = Math.max(120, Math.min(room, (tallest * frame.width) / frame.height));
    const height = (width * frame.height) / frame.width;
    this.plots.style.gridTemplateColumns = `repeat(${columns}, max-content)`;
    this.plots.style.gap = `${gap}px`;
    this.plots.classList.toggle("moves", this.tool === "move");
    this.tools.follow(this);
    this.plots.setAttribute("aria-label", this.description());
    if (!this.image) return;
    for (const view of this.views) view.draw(this, Math.floor(width), Math.floor(height));
    this.board.place = { width, height };
  }

  // Top of the canvases in the window when nothing is scrolled.
  top() {
    const key = `${window.innerWidth}x${window.innerHeight}`;
    if (!scrolled(this.root) || this.windowSize !== key)
      Object.assign(this, { windowSize: key, offset: this.pictures.getBoundingClientRect().top });
    return this.offset + Math.max(0, ...this.views.map((view) => view.head.offsetHeight));
  }

  // Describe the picture in words.
  description() {
    const { name, width, height } = this.staticPart;
    const shares = (this.answer?.shares ?? []).map(
      ([code, share]) => `class ${code + 1}: ${percentage(share)} %`,
    );
    const result = shares.length ? shares.join(", ") : "scribble at least two classes";
    return `Picture ${name}, ${width} by ${height} pixels, ${counted(this.strokes.length, "stroke")}; ${result}`;
  }
}
