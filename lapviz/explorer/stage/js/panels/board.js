// Painting: what is repainted when, the layout of the panels, and the layers they share.

import contract from "../../../../contract.json";
import { makeTheme } from "../paint/colour.js";
import { Computing } from "./computing.js";
import { Cloud } from "../paint/cloud.js";
import { element, setText } from "../paint/dom.js";
import { describe, drawHover, placeTip, portrait } from "../hands/hover.js";
import { drawPaths, drawShares, reasonsAt } from "../hands/reasons.js";
import { Layer, drawCover } from "../paint/layers.js";
import { detail } from "./layout.js";
import { drawDots, drawInvitation, drawNext, drawPoints } from "../paint/marks.js";
import { Placement, Swipe } from "./place.js";
import { settleScales } from "../paint/raster.js";
import { saveView, shared } from "../channel/page.js";

const SETTLE = 160; // milliseconds without a move before a picture is drawn in full detail
const OUTDATED = "data-lapviz-ahead"; // the page dims its numbers, which lag behind the picture

export class Board {
  // stage: the Stage whose scene, panels and view are painted.
  constructor(stage, toolbar) {
    Object.assign(this, { stage, toolbar, moving: false, width: 0, place: null });
    this.dirty = { layout: true, field: true, base: true };
    this.layers = { dots: new Layer(), cover: new Layer() };
    this.placement = new Placement(this);
    this.heading = element("div.heading"); // visible in present mode
    this.plots = element("div.plots", { tabindex: "0", role: "application", "aria-label": "Picture" });
    this.computing = new Computing(this.plots, () => stage.channel.send("cancel", Date.now()));
    this.cloud = new Cloud();
    this.failures = new Map(); // sentences, by kind of work
    this.message = element("div.message", { role: "alert" });
    this.flash = element("div.flash", { "aria-hidden": "true" });
    this.live = element("div.live", { "aria-live": "polite", role: "status" });
    const pictures = element("div.pictures", {}, this.plots, this.computing.node);
    this.root = element("div.stage", {}, this.heading, toolbar.node, this.message, pictures,
      toolbar.hint, this.flash, this.live);
    this.swipe = new Swipe(this);
    const { signal } = stage.channel.abortController;
    addEventListener("resize", () => this.schedule("resize", "layout"), { signal });
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", () => this.schedule("theme", "base"), { signal });
  }

  destroy() {
    document.documentElement.removeAttribute(OUTDATED);
  }

  // Also called when the stage is removed from the page.
  resized() {
    if (!this.root.isConnected) setTimeout(() => this.stage.endIfDetached(), 0);
    else if (Math.abs(this.root.clientWidth - this.width) > 0.5) this.schedule("resize", "layout");
  }

  // level: "over" < "base" < "field" < "layout"; with the reason "" no event is reported.
  schedule(reason, level) {
    if (this.stage.gone) return;
    this.dirty.layout ||= level === "layout";
    this.dirty.field ||= level === "layout" || level === "field";
    this.dirty.base ||= level !== "over";
    if (reason) this.reason = reason;
    this.pending ??= requestAnimationFrame(() => {
      this.pending = null;
      this.guard("paint", () => this.frame());
    });
  }

  // Draw coarsely while something moves, and in full detail shortly after.
  markMoving() {
    this.moving = true;
    clearTimeout(this.settle);
    this.settle = setTimeout(() => {
      this.moving = false;
      this.schedule(this.reason || "settle", "base"); // a later reason says more
    }, SETTLE);
  }

  frame() {
    const { stage } = this;
    if (!stage.scene || stage.gone || !this.root.isConnected) return false;
    const start = performance.now();
    const theme = this.readTheme();
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    if (ratio !== this.ratio) this.dirty.layout = true;
    this.ratio = ratio;
    this.toolbar.arrange(stage, theme); // before the layout, which needs its height
    if (this.dirty.field) this.toolbar.update(stage.specs, stage.channel);
    stage.draw.bar.follow(theme);
    if (this.dirty.layout) this.layout();
    if (!this.place) return false;
    const { changed, settings } = stage;
    const painted = this.dirty.base;
    if (this.dirty.field) this.updateFields(settings, changed);
    if (stage.action) this.announceAccuracy();
    const options = this.paintOptions(theme);
    if (painted) for (const panel of stage.display.visible) panel.paint(options);
    this.paintOver(options);
    this.toolbar.follow(stage);
    stage.stroke.follow();
    this.dirty = { layout: false, field: false, base: false };
    document.documentElement.toggleAttribute(OUTDATED, changed.length > 0);
    if (painted) saveView(stage);
    if (painted || this.reason) this.report(performance.now() - start, !changed.length);
    return painted;
  }

  // Update the fields: of hidden panels only at rest or if they share a common scale.
  updateFields(settings, changed) {
    const { panels, display, lamMoving, channel } = this.stage;
    const { marking, sameScale: same, live, pins } = display;
    const updated = same || !(lamMoving || channel.moving) ? panels : live;
    for (const panel of updated) panel.updateField(settings, changed, marking);
    for (const panel of pins.panels) panel.findErrors(panel.labels, marking);
    settleScales([...updated, ...pins.panels], same);
  }

  readTheme() {
    const { present, least } = contract.type;
    const theme = makeTheme(this.root, this.stage.display.present.on ? present : least, this.theme);
    if (theme !== this.theme) {
      this.theme = theme;
      this.root.dataset.theme = theme.dark ? "dark" : "light";
      this.dirty.base = true;
    }
    return theme;
  }

  layout() {
    this.width = this.root.clientWidth;
    if (this.width < 40) return;
    this.stage.markPainted();
    // Streamlit dims a component that waits for Python; the stage stays interactive and marks its
    // waiting panels.
    const container = this.root.getRootNode().host?.closest('[data-testid="stElementContainer"]');
    container?.style.setProperty("opacity", "1", "important");
    this.place = this.placement.compute();
  }

  // What a panel needs to paint itself.
  paintOptions(theme) {
    const { ratio, layers, place, moving, cloud } = this;
    const { display, draw } = this.stage;
    const pixels = () => detail(place.box, ratio, display.shape.count, moving);
    const options = paintOptionsOf(this.stage, { place, theme, ratio, moving, cloud, pixels });
    const { scene, putDots, putCover } = options;
    const points = draw.shown ? draw.current.points : scene.points;
    const { width, height } = place.size;
    const copy = (layer, content, put) => (context) =>
      context.drawImage(layer.show(content, options, put), 0, 0, width, height);
    options.putDots = copy(layers.dots, points, putDots);
    options.putCover = copy(layers.cover, scene.grid, putCover);
    return options;
  }

  paintOver(options) {
    const { scene, hand, view, display, stroke, code, draw } = this.stage;
    const { space, points } = scene;
    const placed = (labels) => space?.placed(labels, points.position) ?? labels;
    const labels = placed(this.stage.labels);
    const { target, hovered, cursor } = hand;
    const invite = scene.editable && !labels.length && !target && !draw.on;
    for (const panel of display.visible) {
      const chip = panel !== hovered;
      panel.reasons = target ? reasonsAt(target, panel, this.stage) : [];
      const below = (context) => drawPaths(context, options, panel.reasons);
      const above = (context) => {
        draw.paint(context, panel, options.theme);
        drawShares(context, options, panel.reasons);
        if (target) drawHover(context, options, panel, target, { strong: target === cursor, chip });
        if (!panel.frozen) drawNext(context, scene, view, options.box, options.theme);
        stroke.draw(context, panel, options.theme, code);
        if (invite && !panel.hasNote && !panel.frozen) drawInvitation(context, options, scene.free_labels);
      };
      panel.paintOver(options, panel.labels ? placed(panel.labels) : labels, above, below);
      if (panel !== hovered || !target) panel.tip.style.display = "none";
    }
    if (!target || !hovered || hovered.closed) return;
    const [x, y] = view.toPixel(target.x, target.y, this.place.box);
    const { reasons } = hovered;
    const lines = describe(target, hovered, this.stage, reasons);
    const image = portrait(points.images, target.point, options.theme);
    const places = reasons.flatMap(({ place, path }) => path ?? [place]);
    const uncovered = places.map((place) => view.toPixel(...place, options.box));
    if (lines.length) placeTip(hovered.tip, lines, [x, y], this.place.size, image, uncovered);
    else hovered.tip.style.display = "none";
  }

  // Describe the pictures to screen readers.
  describe() {
    const { scene, draw, hand, display } = this.stage;
    const { editable, free_labels: free, panels } = scene;
    const names = panels.map((panel) => panel.title).filter(Boolean);
    const labelKeys = editable
      ? `${free ? ", with Shift freely" : ""}; Enter labels, Delete removes, digits choose the class`
      : "";
    const turn = hand.rotates ? " Shift with arrow keys turns the points." : "";
    const arrows = editable || display.enlarged === null ? "go from point to point" : "change the picture";
    const keys = `Arrow keys ${arrows}${labelKeys}.${turn} Plus and minus zoom.`;
    const text = draw.ready
      ? "A sheet to draw on. Arrow keys move the brush, with Shift faster; Space paints; " +
        "digits choose the class, 0 none; B brush, E eraser, M moves points; Escape ends."
      : `Picture of ${names.join(", ") || "the data"}. ${keys}`;
    this.plots.setAttribute("aria-label", text);
  }

  // Show a sentence in place of a picture, "" for none: the first one of all kinds of work.
  showFailure(kind, sentence) {
    if (sentence) this.failures.set(kind, sentence);
    else this.failures.delete(kind);
    setText(this.message, [...this.failures.values()][0] ?? "");
  }

  announce(text) {
    setText(this.live, text);
  }

  // Announce the last edit with the accuracy of every picture, once Python has answered.
  announceAccuracy() {
    const { stage } = this;
    const { visible } = stage.display;
    if (!stage.alone && !stage.exact) return;
    const scores = visible.filter(({ head, waiting }) => head.share.textContent && !waiting);
    const texts = scores.map(({ panel, head }) => `${panel.title} ${head.score.textContent}`);
    this.announce([stage.action, texts.join(", ")].filter(Boolean).join("; "));
    stage.action = "";
  }

  // A short note over the picture.
  remark(text) {
    setText(this.flash, text);
    this.flash.classList.add("on");
    clearTimeout(this.flashing);
    this.flashing = setTimeout(() => this.flash.classList.remove("on"), 1200);
  }

  report(ms, exact) {
    const { panels, rev, key } = this.stage;
    const detail = { reason: this.reason || "view", ms, panels: panels.length, rev, exact, key };
    this.reason = "";
    shared.paints += 1;
    shared.last = detail;
    window.dispatchEvent(new CustomEvent("lapviz:painted", { detail }));
  }

  // Run something that must not break the page: if it throws, a sentence replaces the picture until the
  // same kind of work succeeds (run() returns true).
  guard(kind, run) {
    try {
      if (run()) this.showFailure(kind, "");
    } catch (error) {
      console.warn("lapviz stage:", error);
      const reason = error?.message ?? String(error);
      const sentence = `This picture could not be drawn: ${reason} Change a setting or reload the page.`;
      this.showFailure(kind, sentence);
    }
  }
}

// Options for painting the stage at a place: pixels() is the resolution of a heat map, putDots() and
// putCover() draw the points and the fading.
export function paintOptionsOf({ view, scene, display, draw }, { place, theme, ratio, moving, cloud, pixels }) {
  const { box, size, axes } = place;
  scene.space?.look(view);
  const options = { theme, view, scene, box, size, ratio, moving, pixels, axes: axes ? scene.axes : null };
  Object.assign(options, { count: display.shape.count, images: display.images && display.hasImages });
  options.drawing = draw.shown;
  options.putDots = (context) => {
    if (draw.shown) drawPoints(context, draw.current, options);
    else drawDots(context, scene.points, view, box, theme);
  };
  options.putCover = (context) => drawCover(context, options);
  if (scene.space) {
    cloud.prepare(options);
    options.cloud = cloud;
  }
  return options;
}
