// The curve stage: functions of one input. The user scrubs paths and drags points in the browser;
// changes are sent to Python, whose answer replaces the local one.

import contract from "../../../../contract.json";
import { Computing } from "./computing.js";
import { css, makeTheme } from "../paint/colour.js";
import { Chart } from "../paint/curve_chart.js";
import { handleKey, listenKeys, placeOn } from "../hands/gestures.js";
import { HandlesView, movedTo, valuesAndSlopes } from "../hands/curve_handles.js";
import { PathView } from "./curve_path.js";
import { inside } from "../paint/marks.js";
import { curvesOf } from "../paint/snapshot.js";
import { Mounted } from "../channel/channel.js";
import { element, setText, svg } from "../paint/dom.js";
import { edits } from "../bars/parts.js";
import { Formula } from "../bars/formula.js";
import { More } from "../bars/more.js";
import { Saver } from "../bars/saver.js";
import { sameJson, stepped } from "../numbers/history.js";
import { product, rowsOf } from "../numbers/linalg.js";
import { markSize } from "./layout.js";
import { roundedForLink, short } from "../numbers/view.js";

const MOST_HANDLES = contract.changes.curve.handles.most;
const MANY = 100; // known values from which their dots are faint
const BESIDE = 760; // pixels of width from which a path stands beside the curves

export class CurveStage extends Mounted {
  constructor(parent) {
    super();
    Object.assign(this, { scene: null, handles: [], linear: [], selected: 0, path: "", step: 0, stack: null });
    this.main = new Chart("Curves over the input");
    this.head = element("output.readout");
    this.point = element("output.readout");
    this.pathView = new PathView(this, this.head);
    this.hand = new HandlesView(this.main, this);
    this.note = element("div.message");
    this.saver = new Saver((...request) => curvesOf(this, ...request), () => {});
    this.edits = this.makeEdits();
    this.legend = element("div.legend");
    this.charts = element("div.charts", {}, this.main.node, this.pathView.node);
    this.computing = new Computing(this.charts, () => {});
    this.formula = new Formula(this.channel.abortController.signal);
    this.more = new More(() => this.scene && this.layout());
    const tools = element("div.tools", {}, this.pathView.chips, this.saver.tool);
    this.more.node.append(tools, this.saver.node, this.formula.node);
    const bar = element("div.bar", {}, this.pathView.tools, this.edits, this.more.button);
    const root = element("div.stage.curves", {}, this.note,
      element("div.toolbar", {}, bar, this.more.node), this.legend, this.charts, this.computing.node);
    const resized = () => this.scene && root.clientWidth !== this.width && this.layout();
    this.attach(parent, root, resized);
    this.board = { root, place: null, pending: false };
    const place = placeOn(this.main.node);
    const onKey = (event) => this.scene && handleKey(event, this, () => false);
    listenKeys(this.root, this.main.node, onKey, this.channel.abortController.signal);
    this.main.node.addEventListener("dblclick", (event) => {
      const at = place(event);
      const isFree = inside(this.main.box, ...at) && !event.target.closest(".handle");
      if (this.scene?.handles.length && isFree) this.add(...this.main.toPlane(...at));
    });
  }

  makeEdits() {
    const button = (text, title, onclick) => element("button.swatch", { title, onclick }, text);
    this.addButton = button("Add a point", "", () => this.addInGap());
    const slope = "Give the selected point a slope, or take it away";
    this.slopeButton = button("Slope", slope, () => this.toggleSlope());
    this.removeButton = button("Remove", "Remove the selected point", () => this.remove(this.selected));
    this.undoRedo = edits(this, "");
    const { undo, redo } = this.undoRedo;
    return element("div.group.edits", {}, this.addButton, this.slopeButton, this.removeButton, undo, redo, this.point);
  }

  // ---- from Python ------------------------------------------------------------------------

  open({ answer, formula = "", rev = 0 }, staticPart) {
    this.formula.write(formula);
    this.adopt({ ...staticPart, ...answer, rev });
  }

  adopt(scene) {
    const newView = this.scene?.view_key !== scene.view_key;
    const newPaths = this.scene?.paths !== scene.paths;
    const { channel } = this;
    const { held } = this.hand;
    // The axes stay where they are under a pointer.
    this.scene = held && !newView ? { ...scene, view: this.scene.view } : scene;
    if (newView) {
      channel.drop();
      Object.assign(this, { selected: 0, linear: [] });
    }
    channel.acknowledge(scene.rev);
    // An answer to older settings must not undo later changes.
    if (!channel.has("path") || !scene.paths.some(({ name }) => name === this.path)) this.path = scene.path;
    if (!channel.has("step")) this.step = scene.step;
    if (!channel.has("handles") && (!held || newView)) {
      this.handles = scene.handles.map(([x, value, slope]) => ({ x, value, slope }));
      this.selected = Math.min(this.selected, Math.max(this.handles.length - 1, 0)); // fewer after a reset
      if (newView) this.recallStack(this.handles);
      else this.updateStack(this.handles);
    }
    if (newPaths) this.pathView.adopt(scene.paths);
    if (scene.paths.length) this.step = Math.min(this.step, this.shown.positions.length - 1);
    if (this.exact) this.computing.answered();
    this.describe();
    this.layout();
    this.markPainted();
  }

  get shown() {
    return this.scene.paths.find(({ name }) => name === this.path);
  }

  // Is everything shown Python's answer?
  get exact() {
    const { scene } = this;
    const paths = !scene.paths.length || (this.path === scene.path && this.step === scene.step);
    return paths && sameJson(this.rows, scene.handles);
  }

  // The points as messages carry them.
  get rows() {
    return this.handles.map(({ x, value, slope }) => [x, value, slope ?? null]);
  }

  changesSent() {
    this.computing.update();
  }

  // direction: "undo" or "redo".
  travel(direction) {
    const stack = stepped(this.stack, direction);
    if (stack === this.stack) return false;
    this.storeStack(stack);
    const { length } = stack.present;
    Object.assign(this, { handles: stack.present, selected: Math.min(this.selected, length - 1) });
    this.changeHandles();
    this.channel.post();
    return true;
  }

  changeHandles() {
    this.channel.change("handles", this.rows);
    this.schedule();
  }

  // ---- the user's changes -----------------------------------------------------------------

  // `done`: the user has let go, here and below.
  setStep(k, { done = false } = {}) {
    if (!this.scene?.paths.length) return;
    if (k !== this.step) {
      this.step = k;
      this.channel.change("step", k);
      this.schedule();
    }
    if (done) this.channel.post();
  }

  // Another method's path, at the step that the truth would choose.
  choose(name) {
    if (name === this.path) return;
    this.path = name;
    this.step = this.shown.marks.at(-1)?.step ?? 0;
    this.channel.change("path", name);
    this.channel.change("step", this.step);
    this.describe();
    this.layout();
    this.channel.post();
  }

  // Values and slopes take effect at once; Python answers an input that moves.
  move(i, { x, value, slope }, { done = false } = {}) {
    const before = this.handles[i];
    // A saved page has the responses for its own inputs only.
    const newX = this.channel.alone ? before.x : roundedForLink(x);
    const moved = newX !== before.x;
    const next = { x: newX, value: roundedForLink(value), slope: (slope ?? null) && roundedForLink(slope) };
    const changed = moved || next.value !== before.value || next.slope !== before.slope;
    if (changed) {
      this.handles = this.handles.with(i, next);
      this.changeHandles();
    }
    if (done) {
      this.updateStack(this.handles); // an edit that has ended
      this.schedule();
    }
    if (done || moved) this.channel.post({ moving: !done });
  }

  edit(handles, selected) {
    if (this.channel.alone) return;
    Object.assign(this, { handles, selected });
    this.updateStack(handles);
    this.changeHandles();
    this.channel.post();
  }

  select(i) {
    if (i === this.selected) return;
    this.selected = i;
    this.schedule();
  }

  remove(i) {
    if (this.handles.length < 2 || !this.handles[i]) return;
    this.edit(this.handles.toSpliced(i, 1), Math.max(0, i - 1));
  }

  toggleSlope() {
    const handle = this.handles[this.selected];
    if (!handle) return;
    const slope = handle.slope === null ? roundedForLink(this.slopeAt(handle.x)) : null;
    this.edit(this.handles.with(this.selected, { ...handle, slope }), this.selected);
  }

  addInGap() {
    const xs = [0, ...this.handles.map(({ x }) => x).sort((a, b) => a - b), 1];
    const widths = xs.slice(1).map((x, i) => x - xs[i]);
    const i = widths.indexOf(Math.max(...widths));
    const x = (xs[i] + xs[i + 1]) / 2;
    this.add(x, this.curves[0]?.values[this.nearest(x)] ?? 0);
  }

  add(x, y) {
    if (this.handles.length >= MOST_HANDLES) return;
    const added = movedTo({ x: 0, value: 0, slope: null }, roundedForLink(x), roundedForLink(y));
    this.edit([...this.handles, added], this.handles.length);
  }

  nearest(x) {
    const data = this.scene.x;
    const last = data.length - 1;
    const t = (x - data[0]) / (data[last] - data[0]);
    return Math.min(Math.max(Math.round(t * last), 0), last);
  }

  slopeAt(x) {
    const data = this.scene.x;
    const k = Math.min(Math.max(this.nearest(x), 1), data.length - 2);
    const values = this.curves[0]?.values;
    if (!values) return 0;
    return (values[k + 1] - values[k - 1]) / (data[k + 1] - data[k - 1]);
  }

  // ---- the picture ------------------------------------------------------------------------

  // All current curves, the main one first. With more or fewer values than Python knows, the last ones stay
  // until it answers.
  get curves() {
    const { scene } = this;
    const observed = valuesAndSlopes(this.handles);
    const fits = scene.responses.every(({ matrix }) => matrix.shape[1] === observed.length);
    const respond = ({ matrix, ...curve }) => {
      return { ...curve, values: product(matrix, observed, matrix.shape[0], 1) };
    };
    if (fits) this.linear = scene.responses.map(respond);
    const path = (scene.paths.length ? [this.shown] : []).map(({ curves, title }) => {
      return { title, role: "main", values: rowsOf(curves, curves.shape[0])[this.step] };
    });
    return [...this.linear, ...path, ...scene.curves];
  }

  describe() {
    const { scene } = this;
    setText(this.note, scene.note);
    const { tools, node, chips } = this.pathView;
    tools.hidden = node.hidden = chips.hidden = !scene.paths.length;
    this.edits.hidden = this.channel.alone || !scene.responses.length; // their responses need Python
    const { classes } = makeTheme(this.root);
    classes.slice(0, 4).forEach((colour, i) => this.root.style.setProperty(`--c${i}`, css(colour)));
    const key = (kind, words) => element(`span.key.${kind}`, {}, element("i"), words);
    this.legend.replaceChildren(...this.curves.map(({ title, role }) => key(role, title)));
    if (scene.points.shape[0]) this.legend.append(key("known", "Known value"));
    if (scene.known.includes(0)) this.legend.append(key("unknown", "Unlabelled input"));
  }

  themeChanged() {
    if (!this.scene) return;
    this.describe();
    this.layout();
  }

  // height: pixels of the curves' chart, by default what leaves room for the rest of the page.
  layout(height = 0) {
    const { scene, root } = this;
    const width = root.clientWidth;
    if (!width) return;
    this.width = width;
    markSize(root);
    const beside = scene.paths.length && width >= BESIDE;
    const tall = height || Math.min(Math.max(0.46 * innerHeight, 220), 0.62 * width + 60, 460);
    const mainWidth = beside ? Math.round(0.61 * width) : width;
    this.main.layout(mainWidth, tall, scene.view, { names: scene.axes });
    if (scene.paths.length) {
      this.pathView.show(this.shown);
      const pathWidth = beside ? width - mainWidth - 16 : width;
      this.pathView.node.style.width = `${pathWidth}px`;
      this.pathView.layout(pathWidth, beside ? tall - 26 : 200);
    }
    this.drawPoints();
    this.schedule();
  }

  drawPoints() {
    const { points, known } = this.scene;
    const { main } = this;
    const pairs = rowsOf(points, points.shape[0]);
    const floor = main.box.y + main.box.h;
    const rug = pairs.filter((_, i) => !known[i]).map(([x]) => main.toPixel(x, 0)[0].toFixed(1));
    const given = pairs.filter((_, i) => known[i]);
    main.lines.replaceChildren(
      svg("path", { class: `points${given.length > MANY ? "" : " few"}`, d: main.dots(given) }),
      svg("path", { class: "rug", d: rug.map((px) => `M${px} ${floor}v-9`).join("") }),
    );
  }

  draw() {
    const { scene, main } = this;
    if (!this.width) return;
    const lines = this.curves.map(({ role, values }) =>
      svg("path", { class: `curve ${role}`, d: main.path(scene.x, values) }));
    // The main curve is drawn last, over the others.
    main.over.replaceChildren(svg("g", main.clipped, ...lines.reverse()));
    this.hand.draw(this.handles, this.selected);
    if (scene.paths.length) this.pathView.draw(this.step);
    this.updateTexts();
    this.board.place = main.box;
  }

  updateTexts() {
    const { scene } = this;
    setText(this.head, scene.paths.length ? this.pathView.words(this.step) : "");
    if (scene.paths.length) return;
    const handle = this.handles[this.selected];
    this.slopeButton.disabled = !handle;
    this.removeButton.disabled = this.handles.length < 2;
    const isFull = this.handles.length >= MOST_HANDLES;
    this.addButton.disabled = isFull;
    this.addButton.title = isFull ? `At most ${MOST_HANDLES} points` : "Add a point in the widest gap";
    this.undoRedo.follow(this.stack, true);
    if (!handle) return;
    const slope = handle.slope === null ? "no slope given" : `slope ${short(handle.slope)}`;
    setText(this.slopeButton, handle.slope === null ? "Give a slope" : "Take the slope away");
    setText(this.point,
      `Point ${this.selected + 1}: x = ${short(handle.x)} · value ${short(handle.value)} · ${slope}`);
  }
}
