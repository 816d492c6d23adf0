// One panel: its exact values, its local model, and the two canvases that show them.

import contract from "../../../../contract.json";
import { wrongPoints } from "../numbers/codes.js";
import { blank, element, setText } from "../paint/dom.js";
import { css, unfade } from "../paint/colour.js";
import { boundaries, cellsToPixels, signedLines } from "../paint/contours.js";
import { drawAxes } from "../paint/axes.js";
import { drawTriad } from "../paint/cloud.js";
import { Head, SAVED } from "./head.js";
import { drawColoured, drawDots, drawErrors, drawKnown, drawLabels, drawLandmarks } from "../paint/marks.js";
import { signedWords, winnerWords } from "../paint/marks.js";
import { insideOf } from "../numbers/near.js";
import { Raster, scaleOf } from "../paint/raster.js";
import { drawBeyond, drawCover, regionOf } from "../paint/layers.js";
import { addLines, strokePath, withClip } from "../paint/pen.js";
import { rowsOf, sample } from "../numbers/linalg.js";
import { drawThumbnails } from "../paint/thumbnails.js";

const { lines: LINES, panels: PANELS } = contract;
const IN_BROWSER = contract.message.in_browser; // settings whose effect is computed here

export class PanelView {
  // enlarge: called with the panel when its button is pressed.
  constructor(enlarge) {
    this.raster = new Raster();
    this.head = new Head(() => enlarge?.(this));
    this.base = element("canvas.base");
    this.over = element("canvas.over");
    this.note = element("div.note");
    this.tip = element("div.tip", { "aria-hidden": "true" });
    this.plot = element("div.plot", {}, this.base, this.over, this.note, this.tip);
    this.node = element("div.panel", {}, this.head.node, this.plot, this.head.foot);
    Object.assign(this, { field: null, frozen: false, waiting: false, wrong: [], reasons: [] });
  }

  // Exact values from Python; `model` is null or computes values for other settings.
  update(panel, scene, model) {
    Object.assign(this, { panel, model, kind: panel.kind ?? scene.kind });
    this.grid = panel.grid ? scene.grid : null;
    this.points = scene.points;
    this.samples = scene.n_samples;
    this.alone = scene.alone;
    this.head.setTitle(panel.title);
    if (scene.alone) this.head.sayWhy(...SAVED);
    setText(this.note, panel.note);
    this.editable = scene.editable;
    this.node.classList.toggle("open", scene.editable);
    this.showNote(Boolean(panel.note));
    this.field = null;
  }

  // A note replaces the picture; if labels can be set, the points can still be clicked.
  showNote(hasNote) {
    this.hasNote = hasNote;
    this.node.classList.toggle("noted", hasNote);
  }

  // Does the panel show nothing that could be clicked?
  get closed() {
    return this.hasNote && !this.editable;
  }

  // Show Python's values, or the model's for settings that Python has not answered. `changed` names
  // the settings that differ from those of Python's answer; `marking`: errors are marked.
  updateField(settings, changed, marking) {
    const { panel } = this;
    const exact = !changed.some((name) => panel.depends.includes(name));
    const needsPython = changed.some((name) => !IN_BROWSER.includes(name));
    const local = exact || !this.model ? null : this.evaluate(settings, marking);
    this.waiting = needsPython || (!exact && !local);
    this.node.classList.toggle("waiting", this.waiting);
    this.showNote(!local && Boolean(panel.note));
    const { grid, points } = panel;
    if (local) this.show(local.grid, local.points, this.model.outputs);
    else if (this.hasNote) this.field = null;
    else if (this.field?.grid !== grid || this.field.points !== points)
      this.show(grid, points, grid?.shape[0] ?? points?.shape[0] ?? 1);
    const share = this.findErrors(settings.labels, marking);
    const outdated = this.waiting && this.alone; // no answer will replace it
    this.caption(local ? share : outdated ? null : panel.accuracy, !local);
  }

  // The model's values on the grid and at the points, as far as they are needed; null if it has none.
  evaluate(settings, marking) {
    const { model, grid, points } = this;
    const k = model.outputs;
    const needsPoints = this.countsErrors || marking || !grid;
    const values = {
      grid: grid && new Float32Array(k * grid.x[2] * grid.y[2]),
      // In double precision: far from the labels the sign of a tiny score decides.
      points: needsPoints ? new Float64Array(k * points.count) : null,
    };
    return model.evaluate(settings, values) ? values : null;
  }

  // Can the share right be counted here, before Python answers?
  get countsErrors() {
    const { accuracy } = this.panel;
    return this.kind === "classes" && accuracy !== null && Boolean(this.points.truth);
  }

  get title() {
    return this.frozen ? `Pinned: ${this.panel.title}` : this.panel.title;
  }

  // Accuracy and subtitle; a share that only Python knows exactly is marked as such: counted over
  // some of the samples, or estimated from the leading modes.
  caption(share, exact) {
    const { count } = this.points;
    const certain = exact || share === null;
    const reasons = [
      !certain && count !== this.samples && `counted over the ${count} points that are drawn`,
      !certain && this.model.rough && "an estimate from the leading modes",
    ];
    this.captionParts = [this.panel.subtitle, share, reasons.filter(Boolean).join(", ")];
    this.head.caption(...this.captionParts);
  }

  // `size`: the scale's end for these values alone; `top`: its end as set by settleScales().
  show(grid, points, outputs) {
    const near = grid ? insideOf(this.grid) : null;
    const { size, constant } = scaleOf(grid ?? points ?? [], outputs, this.kind, near);
    this.field = { grid, points, outputs, size, top: size, flat: !(size > 0), constant, lines: null };
  }

  // Find the drawn points to be marked as wrong; returns the share of those of known class that are
  // right, or null if errors are not counted in this panel.
  findErrors(labels, marking) {
    const { points, outputs } = this.field ?? {};
    this.wrong = [];
    if (!this.countsErrors || !points) return null;
    const { wrong, total } = wrongPoints(points, outputs, this.points, labels);
    if (marking) this.wrong = wrong;
    return total ? (total - wrong.length) / total : null;
  }

  // Redraw the base canvas, with the options of paintOptionsOf() in board.js.
  paint(options) {
    const context = blank(this.base, options.size, options.ratio);
    if (!this.closed) this.draw(context, options);
    if (this.field) this.showScale(options.theme);
  }

  // Draw the picture with its axes at the origin; also on the pen of a saved picture.
  draw(context, shared) {
    const options = this.frozen && this.grid ? this.pinnedOptions(shared) : shared;
    const { theme, view, box, scene, cloud } = options;
    const onGrid = this.field?.grid && this.grid;
    const words = this.field?.points && !onGrid ? this.colourWords(theme) : null;
    withClip(context, [box], () => {
      if (cloud) {
        context.imageSmoothingEnabled = true;
        context.drawImage(cloud.paint(words), box.x, box.y, box.w, box.h);
      } else if (words) {
        drawColoured(context, this.points, words, view, box, theme, options.moving);
        if (options.images && this.kind === "classes") drawThumbnails(context, this.points, this.field, options);
      } else if (onGrid || !this.field) {
        if (onGrid) this.paintField(context, options);
        options.putDots(context);
      }
      drawLandmarks(context, scene.landmarks, view, box, theme);
      drawKnown(context, scene, view, box, theme);
      drawErrors(context, this.points, this.wrong, view, box, theme);
    });
    if (cloud) drawTriad(context, scene.space, box, theme, scene.axes);
    else drawAxes(context, view, box, theme, options.axes);
  }

  // A pinned picture keeps its own points, landmarks and fading.
  pinnedOptions(shared) {
    const { view, box, theme } = shared;
    const options = { ...shared, scene: this.scene };
    if (shared.drawing || this.points !== shared.scene.points)
      options.putDots = (context) => drawDots(context, this.points, view, box, theme);
    if (this.grid !== shared.scene.grid) options.putCover = (context) => drawCover(context, options);
    return options;
  }

  paintField(context, options) {
    const { theme, view, box } = options;
    const { grid: field, outputs, top } = this.field;
    const [width, height] = options.pixels();
    const scales =
      outputs > 1 ? { top, shades: this.shades(theme) } : { top, colours: this.colours(theme) };
    const image = this.raster.draw(field, outputs, this.grid, view.range, width, height, scales);
    const region = regionOf(this.grid, view, box);
    withClip(context, [region], () => {
      context.imageSmoothingEnabled = true;
      context.drawImage(image, box.x, box.y, box.w, box.h);
      if (!this.field.flat) this.paintLines(context, options);
    });
    if (!this.field.constant) options.putCover(context); // a constant is known far from the data, too
    drawBeyond(context, region, box, theme);
  }

  paintLines(context, options) {
    const { theme, view, box } = options;
    const { grid: field, outputs, size } = this.field;
    const [nx, ny] = [this.grid.x[2], this.grid.y[2]];
    const many = options.count > PANELS.many;
    const classes = this.kind === "classes";
    const count = LINES.count[many ? "many" : classes ? "classes" : "functions"];
    const lines = (this.field.lines ??=
      outputs > 1
        ? boundaries(field, outputs, nx, ny, size)
        : signedLines(field, nx, ny, this.field, count, classes ? unfade : (t) => t));
    const toPixels = cellsToPixels(this.grid, view, box);
    context.lineJoin = "round";
    const faint = many ? LINES.faint_width_many : LINES.faint_width;
    const draw = (name, alpha, width) => {
      context.beginPath();
      for (const line of lines[name]) addLines(context, line.map(toPixels));
      strokePath(context, css(theme.line, alpha), width);
    };
    draw("thin", LINES.thin_alpha, LINES.thin_width);
    draw("faint", LINES.faint_alpha, faint);
    draw("zero", LINES.zero_alpha, many ? LINES.zero_width_many : LINES.zero_width);
  }

  // The colours of the points (packed RGBA).
  colourWords(theme) {
    const { points: values, outputs, top } = this.field;
    if (outputs > 1) return winnerWords(values, outputs, top, this.shades(theme));
    return signedWords(values, top, this.colours(theme));
  }

  // The colour map of a signed function, and the shades of every class.
  colours(theme) {
    return this.kind === "classes" ? theme.pair() : theme.functions();
  }

  shades(theme) {
    return theme.shades.slice(0, this.field.outputs).map((compute) => compute());
  }

  showScale(theme) {
    const signed = this.field.outputs === 1 && !this.field.flat;
    const top = signed ? this.field.top : null;
    this.head.showScale(top, this.colours(theme), this.field.constant);
  }

  // Redraw the upper canvas: labels, with below() and above() drawn before and after them.
  paintOver(options, labels, above, below) {
    const context = blank(this.over, options.size, options.ratio);
    if (!this.closed) this.drawOver(context, options, labels, above, below);
  }

  drawOver(context, { theme, view, box }, labels, above, below = () => {}) {
    withClip(context, [{ x: box.x - 1, y: box.y - 1, w: box.w + 2, h: box.h + 2 }], () => {
      below(context);
      drawLabels(context, labels, view, box, theme);
      above(context);
    });
  }

  // Values of all outputs at a target: `point` is that of the scene's `points` there, or -1. Null outside the
  // grid, and of a pinned copy at other points than its own.
  valuesAt({ x, y, point }, points) {
    const { field } = this;
    if (!field) return null;
    if (point >= 0 && field.points && points === this.points)
      return rowsOf(field.points, field.outputs).map((row) => row[point]);
    if (!field.grid) return null;
    const [[x0, x1], [y0, y1]] = [this.grid.x, this.grid.y];
    if (x < x0 || x > x1 || y < y0 || y > y1) return null;
    return rowsOf(field.grid, field.outputs).map((row) => sample(row, this.grid, x, y));
  }
}
