// The curve stage: functions of one input. Paths are scrubbed and points dragged in the browser;
// what the hand has done is told to Python, whose answer replaces the local one.

import contract from "../../../../contract.json";
import { Computing } from "./computing.js";
import { css, makeTheme } from "../paint/colour.js";
import { Chart } from "../paint/curve_chart.js";
import { HandlesView, movedTo, numbers, respond } from "../hands/curve_handles.js";
import { PathView } from "./curve_path.js";
import { curvesOf } from "../paint/curve_snapshot.js";
import { Channel } from "../channel/channel.js";
import { element, setText, svg } from "../paint/dom.js";
import { Saver } from "../bars/saver.js";
import { short } from "../numbers/view.js";

const MOST_HANDLES = contract.changes.curve.handles.most;
const NARROW = 560;
const BESIDE = 760; // pixels from which a path stands beside the curves

export class CurveStage {
  constructor(parent) {
    Object.assign(this, { scene: null, handles: [], selected: 0, path: "", step: 0 });
    this.channel = new Channel(this);
    this.main = new Chart("Curves over the input");
    this.head = element("output.readout");
    this.point = element("output.readout");
    const acts = {
      step: (k, done) => this.setStep(k, done),
      choose: (name) => this.choose(name),
    };
    this.along = new PathView(acts, this.head);
    this.hand = new HandlesView(this.main, {
      move: (i, handle, done) => this.setHandle(i, handle, done),
      select: (i) => this.select(i),
      remove: (i) => this.remove(i),
    });
    this.note = element("div.message");
    this.saver = new Saver((...asked) => curvesOf(this, ...asked), () => {});
    this.edits = this.makeEdits();
    this.legend = element("div.legend");
    this.charts = element("div.charts", {}, this.main.node, this.along.node);
    this.computing = new Computing(this.charts, () => {});
    const keep = element("div.toolbar.keeping", {}, this.saver.tool, this.saver.node);
    this.root = element("div.stage.curves", {}, this.note, this.along.tools, this.edits, keep,
      this.legend, this.charts, this.computing.node);
    parent.append(this.root);
    // What the explorer's tests and tools ask of every stage.
    this.board = { root: this.root, place: null, pending: false };
    this.main.node.addEventListener("dblclick", (event) => this.addAt(event));
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.root);
  }

  makeEdits() {
    const button = (text, title, act) =>
      element("button.swatch", { title, onclick: () => act() }, text);
    this.tilt = button("Slope", "Give the selected point a slope, or take it away", () =>
      this.toggleSlope());
    this.bin = button("Remove", "Remove the selected point", () => this.remove(this.selected));
    const add = button("Add a point", "Add a point in the widest gap", () => this.addInGap());
    return element("div.toolbar", {}, add, this.tilt, this.bin, this.point);
  }

  left() {
    if (!this.root.isConnected) this.destroy();
  }

  destroy() {
    if (this.gone) return;
    this.gone = true;
    this.channel.end();
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
    this.retheme();
  }

  open({ answer, key }, lasting) {
    this.key = key;
    this.adopt({ ...lasting, ...answer });
  }

  adopt(scene) {
    const fresh = this.scene?.view_key !== scene.view_key;
    const other = this.scene?.paths !== scene.paths;
    const { channel } = this;
    this.scene = scene;
    if (fresh) {
      channel.drop();
      this.selected = 0;
    }
    channel.acknowledge(scene.rev);
    // An answer to older settings must not undo later changes.
    if (!channel.has("path")) this.path = scene.path;
    if (!channel.has("step")) this.step = scene.step;
    if (!channel.has("handles"))
      this.handles = scene.handles.map(([x, value, slope]) => ({ x, value, slope }));
    if (!scene.paths.some(({ name }) => name === this.path)) this.path = scene.path;
    if (other) this.along.adopt(scene.paths);
    if (scene.paths.length) this.step = Math.min(this.step, this.shown.positions.length - 1);
    if (this.exact) this.computing.answered(null);
    this.describe();
    this.layout();
  }

  get shown() {
    return this.scene.paths.find(({ name }) => name === this.path);
  }

  // Whether all that is shown is Python's answer.
  get exact() {
    const { scene } = this;
    const same = ({ x, value, slope }, i) => {
      const [u, v, s] = scene.handles[i];
      return x === u && value === v && slope === s;
    };
    const paths = !scene.paths.length || (this.path === scene.path && this.step === scene.step);
    const handles = this.handles.length === scene.handles.length && this.handles.every(same);
    return paths && handles;
  }

  get viewKey() {
    return this.scene.view_key;
  }

  // A message has left.
  asked() {
    this.computing.asked();
  }

  changeHandles() {
    const rows = this.handles.map(({ x, value, slope }) => [x, value, slope ?? null]);
    this.channel.change("handles", rows);
    this.schedule();
  }

  // ---- what the hand does -----------------------------------------------------------------

  setStep(k, done) {
    if (!this.scene?.paths.length) return;
    if (k !== this.step) {
      this.step = k;
      this.channel.change("step", k);
      this.schedule();
    }
    if (done) this.channel.post();
  }

  // Another method's path, at the place that the truth would choose.
  choose(name) {
    if (name === this.path) return;
    this.path = name;
    this.step = this.shown.marks.at(-1)?.step ?? 0;
    this.channel.change("path", name);
    this.channel.change("step", this.step);
    this.layout();
    this.channel.post();
  }

  // Values and slopes act at once; an input that moves is Python's to answer, the newest first.
  setHandle(i, handle, done) {
    const rounded = { x: digits(handle.x), value: digits(handle.value), slope: handle.slope ?? null };
    if (rounded.slope !== null) rounded.slope = digits(rounded.slope);
    const before = this.handles[i];
    if (this.channel.alone) rounded.x = before.x; // responses are of these inputs
    const moved = rounded.x !== before.x;
    const other = moved || rounded.value !== before.value || rounded.slope !== before.slope;
    // Once more when it is let go after messages on the way: what stands below follows then.
    if (other || (done && this.channel.moving)) {
      this.handles = this.handles.with(i, rounded);
      this.changeHandles();
    }
    if (done || moved) this.channel.post(!done);
  }

  edit(handles, selected) {
    if (this.channel.alone) return;
    Object.assign(this, { handles, selected });
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
    const slope = handle.slope === null ? digits(this.slopeAt(handle.x)) : null;
    this.edit(this.handles.with(this.selected, { ...handle, slope }), this.selected);
  }

  addAt(event) {
    if (!this.scene?.handles.length) return;
    const frame = this.main.node.getBoundingClientRect();
    const [x, y] = this.main.toPlane(event.clientX - frame.left, event.clientY - frame.top);
    this.add(x, y);
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
    const fresh = movedTo({ slope: null }, digits(x), digits(y));
    this.edit([...this.handles, fresh], this.handles.length);
  }

  nearest(x) {
    const { data } = this.scene.x;
    const t = (x - data[0]) / (data[data.length - 1] - data[0]);
    return Math.min(Math.max(Math.round(t * (data.length - 1)), 0), data.length - 1);
  }

  slopeAt(x) {
    const { data } = this.scene.x;
    const k = Math.min(Math.max(this.nearest(x), 1), data.length - 2);
    const { values } = this.curves[0];
    return (values[k + 1] - values[k - 1]) / (data[k + 1] - data[k - 1]);
  }

  // ---- the picture ------------------------------------------------------------------------

  // All curves as they are now, the main one first.
  get curves() {
    const { scene } = this;
    const fixed = scene.curves.map(({ title, role, values }) => ({ title, role, values: values.data }));
    const fits = scene.responses.every(({ matrix }) => matrix.shape[1] === 2 * this.handles.length);
    const given = numbers(this.handles);
    const linear = fits
      ? scene.responses.map(({ title, role, matrix }) => ({ title, role, values: respond(matrix, given) }))
      : [];
    const path = scene.paths.length ? [this.pathCurve()] : [];
    return [...linear, ...path, ...fixed];
  }

  pathCurve() {
    const { curves, title } = this.shown;
    const g = curves.shape[1];
    return { title, role: "main", values: curves.data.subarray(this.step * g, (this.step + 1) * g) };
  }

  describe() {
    const { scene } = this;
    setText(this.note, scene.note);
    this.along.tools.hidden = this.along.node.hidden = !scene.paths.length;
    this.edits.hidden = this.channel.alone || !scene.responses.length; // other points need Python
    const theme = makeTheme(this.root);
    theme.classes.slice(0, 4).forEach((colour, i) =>
      this.root.style.setProperty(`--c${i}`, css(colour)));
    const unknown = scene.known.data.some((known) => !known);
    const keys = [
      ...this.curves.map(({ title, role }) => element(`span.key.${role}`, {}, element("i"), title)),
      scene.points.shape[0] ? element("span.key.known", {}, element("i"), "Known value") : "",
      unknown ? element("span.key.unknown", {}, element("i"), "Unlabelled input") : "",
    ];
    this.legend.replaceChildren(...keys);
  }

  // Other colours than before.
  retheme() {
    if (!this.scene) return;
    this.describe();
    this.layout();
  }

  resized() {
    const width = this.root.clientWidth;
    if (this.scene && width && width !== this.wide) this.layout();
  }

  layout() {
    const { scene, root } = this;
    const width = root.clientWidth;
    if (!width) return;
    this.wide = width;
    root.dataset.size = width < NARROW ? "narrow" : "wide";
    const beside = scene.paths.length && width >= BESIDE;
    const tall = Math.min(Math.max(0.46 * innerHeight, 220), 0.62 * width + 60, 460);
    const own = beside ? Math.round(0.61 * width) : width;
    this.main.layout(own, tall, scene.view, { names: scene.axes });
    if (scene.paths.length) {
      this.along.show(this.shown);
      const rest = beside ? width - own - 16 : width;
      this.along.node.style.width = `${rest}px`;
      this.along.layout(rest, beside ? tall - 26 : 200);
    }
    this.drawPoints();
    this.schedule();
  }

  drawPoints() {
    const { points, known } = this.scene;
    const { box } = this.main;
    const pairs = Array.from({ length: points.shape[0] }, (_, i) => [
      points.data[2 * i],
      points.data[2 * i + 1],
    ]);
    const rug = pairs.filter((_, i) => !known.data[i]).map(([x]) => this.main.toPixel(x, 0)[0]);
    this.still = [
      svg("path", {
        class: "points",
        d: this.main.dots(pairs.filter((_, i) => known.data[i])),
      }),
      svg("path", {
        class: "rug",
        d: rug.map((px) => `M${px.toFixed(1)} ${box.y + box.h}v-9`).join(""),
      }),
    ];
    this.main.lines.replaceChildren(...this.still);
  }

  schedule() {
    if (this.board.pending) return;
    this.board.pending = true;
    requestAnimationFrame(() => {
      this.board.pending = false;
      if (this.scene && !this.gone && this.wide) this.draw();
    });
  }

  draw() {
    const { scene, main } = this;
    const clip = `clip-${this.key}`;
    const { x, y, w, h } = main.box;
    const frame = svg("clipPath", { id: clip }, svg("rect", { x, y, width: w, height: h }));
    const lines = this.curves.map(({ role, values }) =>
      svg("path", { class: `curve ${role}`, d: main.path(scene.x.data, values) }));
    // The main curve is drawn last, over the others.
    main.over.replaceChildren(frame, svg("g", { "clip-path": `url(#${clip})` }, ...lines.reverse()));
    this.hand.draw(this.handles, this.selected);
    if (scene.paths.length) this.along.draw(this.step);
    this.say();
    this.board.place = main.box;
  }

  say() {
    const { scene } = this;
    if (scene.paths.length) {
      setText(this.head, this.along.words(this.step));
      return;
    }
    const handle = this.handles[this.selected];
    this.tilt.disabled = !handle;
    this.bin.disabled = this.handles.length < 2;
    if (!handle) return;
    const slope = handle.slope === null ? "no slope given" : `slope ${short(handle.slope)}`;
    setText(this.tilt, handle.slope === null ? "Give a slope" : "Take the slope away");
    setText(this.point,
      `Point ${this.selected + 1}: x = ${short(handle.x)} · value ${short(handle.value)} · ${slope}`);
  }
}

// As many digits as a link keeps.
function digits(value) {
  return Number(value.toPrecision(4));
}
