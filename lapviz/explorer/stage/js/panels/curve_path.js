// A regularisation path below the curve: numbers along it, the steps at which rules stop, and the current
// step.

import { Chart, label } from "../paint/curve_chart.js";
import { menu } from "../bars/parts.js";
import { element, svg } from "../paint/dom.js";
import { listenDrag, placeOn } from "../hands/gestures.js";
import { short } from "../numbers/view.js";

const LINE = 15; // pixels between two rows of names above the frame
const LETTER = 6; // at most, on the mean over a name

export class PathView {
  // actions: {setStep(k, { done }), choose(name)}; head: the element that shows the numbers.
  constructor(actions, head) {
    this.actions = actions;
    this.chart = new Chart("Numbers along the path");
    const choose = (name) => actions.choose(name);
    this.menu = menu("select.filter", "Regularisation", "Whose path is shown", choose);
    const step = (options) => () => actions.setStep(Number(this.slider.value), options);
    this.slider = element("input.slide.steps", {
      ...{ type: "range", min: 0, step: 1, oninput: step(), onchange: step({ done: true }) },
      title: "Move along the path; the browser holds all its curves",
    });
    this.chips = element("div.group.chips");
    this.tools = element("div.group.lead", {}, this.menu, this.slider, head);
    this.legend = element("div.legend");
    this.node = element("div.along", {}, this.chart.node, this.legend);
    const { node } = this.chart;
    listenDrag(node, placeOn(node), {
      begin: ([px]) => this.pick(px),
      drag: ([px], options) => this.pick(px, options),
      cancelled: step({ done: true }),
    });
  }

  // The step nearest to a place in the chart.
  pick(px, options) {
    const distances = this.xs.map((x) => Math.abs(this.chart.toPixel(x, 1)[0] - px));
    this.actions.setStep(distances.indexOf(Math.min(...distances)), options);
  }

  adopt(paths) {
    const option = ({ name, title }) => element("option", { value: name }, title);
    this.menu.replaceChildren(...paths.map(option));
    this.menu.hidden = paths.length < 2;
  }

  show(path) {
    if (path === this.path) return;
    this.path = path;
    this.menu.value = path.name;
    this.slider.max = path.positions.length - 1;
    this.slider.setAttribute("aria-label", `Position on the path, ${path.symbol}`);
    const chip = ({ title, step }) => {
      const go = () => this.actions.setStep(step, { done: true });
      const attributes = { title: `Go to where “${title}” stops`, onclick: go };
      return element("button.swatch", attributes, `${title}: ${short(path.positions[step])}`);
    };
    this.chips.replaceChildren(...path.marks.map(chip));
    const key = ({ title, dashed }, i) => element("span.key", {}, sample(i, dashed), title);
    this.legend.replaceChildren(...path.series.map(key));
  }

  // Positions on the axis: a logarithmic one has no 0.
  get xs() {
    const { positions, log } = this.path;
    const least = Math.min(...positions.filter((v) => v > 0));
    return log ? positions.map((v) => Math.max(v, least)) : positions;
  }

  layout(width, height) {
    const { path, xs } = this;
    const values = path.series.flatMap(({ values }) => Array.from(values));
    const positive = values.filter((v) => v > 0 && Number.isFinite(v));
    const high = Math.max(...positive, 1e-12);
    const low = Math.max(Math.min(...positive, high), high * 1e-8);
    const ends = [Math.min(...xs), Math.max(...xs)];
    if (ends[0] === ends[1]) ends[1] = path.log ? 10 * ends[0] : ends[0] + 1;
    const groups = grouped(path.marks);
    this.chart.layout(width, height, [...ends, low / 1.4, high * 1.4], {
      log: [path.log, true],
      names: [path.symbol, "size"],
      whole: path.positions.every(Number.isInteger),
      top: 8 + LINE * groups.length,
    });
    const line = ({ values, dashed }, i) =>
      svg("path", { d: this.chart.path(xs, values), class: seriesClass(i, dashed) });
    const lines = svg("g", this.chart.clipped, ...path.series.map(line));
    this.chart.lines.replaceChildren(lines, ...this.flags(groups));
  }

  // A line and a name for each step at which a rule stops; names that would touch go a row lower.
  flags(groups) {
    const { box } = this.chart;
    const ends = groups.map(() => -Infinity);
    return groups.flatMap(({ step, titles }) => {
      const px = this.chart.toPixel(this.xs[step], 1)[0];
      const text = titles.join(", ");
      const width = LETTER * text.length;
      const anchor = px < box.x + width / 2 ? "start" : px > box.x + box.w - width / 2 ? "end" : "middle";
      const from = px - width * { start: 0, middle: 0.5, end: 1 }[anchor];
      const row = ends.findIndex((end) => from > end + 6);
      ends[row] = from + width;
      const y = 12 + LINE * row;
      return [
        svg("line", { x1: px, x2: px, y1: y + 4, y2: box.y + box.h, class: "flag" }),
        label(text, px, y, anchor),
      ];
    });
  }

  // The numbers at a step, as text.
  words(step) {
    const { path } = this;
    const solid = path.series.filter(({ dashed }) => !dashed);
    const parts = solid.map(({ title, values }) => `${title.toLowerCase()} ${short(values[step])}`);
    return [`${path.symbol} = ${short(path.positions[step])}`, ...parts].join(" · ");
  }

  draw(step) {
    const { chart, path } = this;
    const { box } = chart;
    const x = this.xs[step];
    const px = chart.toPixel(x, 1)[0];
    const dots = path.series.map(({ values, dashed }, i) => {
      const [cx, cy] = chart.toPixel(x, values[step]);
      const seen = !dashed && cy >= box.y && cy <= box.y + box.h;
      return seen ? svg("circle", { cx, cy, r: 4, class: `dot s${i}` }) : "";
    });
    const line = svg("line", { x1: px, x2: px, y1: box.y, y2: box.y + box.h, class: "now" });
    chart.over.replaceChildren(line, ...dots);
    this.slider.value = step;
    this.slider.setAttribute("aria-valuetext", this.words(step));
    for (const [i, chip] of [...this.chips.children].entries()) {
      chip.classList.toggle("at", path.marks[i].step === step);
    }
  }
}

function seriesClass(i, dashed) {
  return `series s${i}${dashed ? " dashed" : ""}`;
}

// A short line in the style of the series, for the legend.
function sample(i, dashed) {
  const line = svg("path", { d: "M0 5h28", class: seriesClass(i, dashed) });
  return svg("svg", { width: 28, height: 10, class: "chart", "aria-hidden": true }, line);
}

// The titles of marks at each step, in the order of the steps.
function grouped(marks) {
  const groups = new Map();
  for (const { step, title } of marks) groups.set(step, [...(groups.get(step) ?? []), title]);
  return [...groups].sort(([a], [b]) => a - b).map(([step, titles]) => ({ step, titles }));
}
