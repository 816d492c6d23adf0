// Painting: what is repainted when, the layout of the panels, and their common layers.

import contract from "../../../../contract.json";
import { makeTheme } from "../paint/colour.js";
import { Computing } from "./computing.js";
import { Cloud } from "../paint/cloud.js";
import { element, setText } from "../paint/dom.js";
import { describe, drawHover, placeTip, portrait } from "../hands/hover.js";
import { drawReasons, drawShares, reasonsAt } from "../hands/reasons.js";
import { Layers, drawCover } from "../paint/layers.js";
import { detail } from "./layout.js";
import { drawDots, drawInvitation, drawNext } from "../paint/marks.js";
import { Place, Swipe } from "./place.js";
import { settleScales } from "../paint/raster.js";
import { rememberView, shared } from "../channel/page.js";

const SETTLE = 160; // milliseconds after which a moving picture is drawn in full detail
const AHEAD = "data-lapviz-ahead"; // the page's numbers are not yet of what is shown: it dims them
const THEME = ["--st-background-color", "--st-text-color", "--st-primary-color", "--st-font"];

export class Board {
  // stage: the settings, scene, panels and view to paint; see Stage.
  constructor(stage, toolbar) {
    Object.assign(this, { stage, toolbar, moving: false, width: 0, place: null });
    this.dirty = { layout: true, field: true, base: true };
    this.layers = new Layers();
    this.placing = new Place(this);
    this.heading = element("div.heading"); // seen in present mode
    this.plots = element("div.plots", { tabindex: "0", role: "application", "aria-label": "Picture" });
    this.computing = new Computing(this.plots, () => stage.channel.send("cancel", Date.now()));
    this.cloud = new Cloud();
    this.broken = new Map(); // what could not be drawn, by kind
    this.message = element("div.message", { role: "alert" });
    this.flash = element("div.flash", { "aria-hidden": "true" });
    this.live = element("div.live", { "aria-live": "polite", role: "status" });
    const pictures = element("div.pictures", {}, this.plots, this.computing.node);
    this.root = element("div.stage", {}, this.heading, toolbar.node, this.message, pictures,
      toolbar.hint, this.flash, this.live);
    this.swipe = new Swipe(this);
    const { signal } = stage.channel.over;
    addEventListener("resize", () => this.schedule("resize", "layout"), { signal });
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", () => this.schedule("theme", "base"), { signal });
  }

  destroy() {
    document.documentElement.removeAttribute(AHEAD);
  }

  // Also called when the stage is removed from the page.
  resized() {
    if (!this.root.isConnected) setTimeout(() => this.stage.left(), 0);
    else if (Math.abs(this.root.clientWidth - this.width) > 0.5) this.schedule("resize", "layout");
  }

  // level: "over" < "base" < "field" < "layout"; a reason of "" is no event of its own.
  schedule(reason, level) {
    if (this.stage.gone) return;
    this.dirty.layout ||= level === "layout";
    this.dirty.field ||= level === "layout" || level === "field";
    this.dirty.base ||= level !== "over";
    if (reason) this.why = reason;
    this.pending ??= requestAnimationFrame(() => {
      this.pending = null;
      this.guard("paint", () => this.frame());
    });
  }

  // Draw coarsely while something moves, and once in full detail shortly after.
  move() {
    this.moving = true;
    clearTimeout(this.settle);
    this.settle = setTimeout(() => {
      this.moving = false;
      this.schedule(this.why || "settle", "base"); // what was just done says more
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
    if (this.dirty.field) this.choose(settings, changed);
    if (stage.did) this.sayAccuracy();
    const brush = this.brush(theme);
    if (painted) for (const panel of stage.display.visible) panel.paint(brush);
    this.paintOver(brush);
    this.toolbar.follow(stage);
    stage.stroke.follow();
    this.dirty = { layout: false, field: false, base: false };
    document.documentElement.toggleAttribute(AHEAD, changed.length > 0);
    if (painted) rememberView(stage);
    if (painted || this.why) this.report(performance.now() - start, !changed.length);
    return painted;
  }

  // What every panel shows, the hidden ones at rest or where they share in a common scale.
  choose(settings, changed) {
    const { panels, display, holding, channel } = this.stage;
    const { marking, sameScale: same, live, pins } = display;
    const chosen = same || !(holding || channel.moving) ? panels : live;
    for (const panel of chosen) panel.choose(settings, changed, marking);
    for (const panel of pins.panels) panel.findErrors(panel.labels, marking);
    settleScales([...chosen, ...pins.panels], same);
  }

  readTheme() {
    const style = getComputedStyle(this.root);
    const { present, least } = contract.type;
    const type = this.stage.display.present.on ? present : least;
    const name = [type, ...THEME.map((v) => style.getPropertyValue(v))].join("|");
    if (name !== this.themeName) {
      this.themeName = name;
      this.theme = makeTheme(this.root, type);
      this.root.dataset.theme = this.theme.dark ? "dark" : "light";
      this.dirty.base = true;
    }
    return this.theme;
  }

  layout() {
    this.width = this.root.clientWidth;
    if (this.width < 40) return;
    this.stage.appeared();
    // Streamlit dims a component that waits for Python; the stage stays interactive and marks the
    // waiting panels itself.
    const container = this.root.getRootNode().host?.closest('[data-testid="stElementContainer"]');
    container?.style.setProperty("opacity", "1", "important");
    this.place = this.placing.find();
  }

  // What a panel needs to paint itself.
  brush(theme) {
    const { ratio, layers, place, moving, cloud } = this;
    const { display, draw } = this.stage;
    const pixels = () => detail(place.box, ratio, display.shape.count, moving);
    const brush = brushOf(this.stage, { place, theme, ratio, moving, cloud, pixels });
    const { scene, putDots, putCover } = brush;
    const sheet = (context, canvas) => context.drawImage(canvas, 0, 0, place.size.width, place.size.height);
    const dots = () => draw.layer(brush) ?? layers.layer("dots", scene.points, brush, putDots);
    brush.putDots = (context) => sheet(context, dots());
    brush.putCover = (context) => sheet(context, layers.layer("cover", scene.grid, brush, putCover));
    return brush;
  }

  paintOver(brush) {
    const { scene, hand, view, display, stroke, code, draw } = this.stage;
    const { space, points } = scene;
    const labels = space?.placed(this.stage.labels, points.position) ?? this.stage.labels;
    const { target, hovered, cursor } = hand;
    const invite = scene.editable && !labels.length && !target && !draw.on;
    for (const panel of display.visible) {
      const chip = panel !== hovered;
      panel.why = target ? reasonsAt(target, panel, this.stage) : [];
      const below = (context) => drawReasons(context, brush, panel.why);
      const above = (context) => {
        draw.paint(context, panel, brush.theme);
        drawShares(context, brush, panel.why);
        if (target) drawHover(context, brush, panel, target, Boolean(cursor), chip);
        drawNext(context, scene, view, brush.box, brush.theme);
        stroke.draw(context, panel, brush.theme, code);
        if (invite && !panel.noted && !panel.frozen) drawInvitation(context, brush, scene.free_labels);
      };
      panel.paintOver(brush, panel.labels ?? labels, above, below);
      if (panel !== hovered || !target) panel.tip.style.display = "none";
    }
    if (!target || !hovered || hovered.closed) return;
    const [x, y] = view.toPixel(target.x, target.y, this.place.box);
    const { why } = hovered;
    const lines = describe(target, hovered, this.stage, why);
    const picture = portrait(points.images, target.point, brush.theme);
    const free = why.flatMap(({ there, way }) => way ?? [there]).map((at) => view.toPixel(...at, brush.box));
    if (lines.length) placeTip(hovered.tip, lines, [x, y], this.place.size, picture, free);
    else hovered.tip.style.display = "none";
  }

  // What the pictures are, for those who do not see them.
  describe() {
    const { scene, draw, hand } = this.stage;
    const { editable, free_labels: free, panels } = scene;
    const names = panels.map((panel) => panel.title).filter(Boolean);
    const how = editable
      ? `${free ? ", with Shift freely" : ""}; Enter labels, Delete removes, digits choose the class`
      : "";
    const turn = hand.turns ? " Shift with arrow keys turns the points." : "";
    const keys = `Arrow keys go from point to point${how}.${turn} Plus and minus zoom.`;
    const text = draw.ready
      ? "A sheet to draw on. Arrow keys move the brush, with Shift faster; Space paints; " +
        "digits choose the class, 0 none; B brush, E eraser, M moves points; Escape ends."
      : `Picture of ${names.join(", ") || "the data"}. ${keys}`;
    this.plots.setAttribute("aria-label", text);
  }

  // A sentence in place of an answer, "" for none.
  tell(sentence) {
    if (sentence) this.broken.set("python", sentence);
    else this.broken.delete("python");
    this.complain();
  }

  say(text) {
    setText(this.live, text);
  }

  // What labelling has changed, with the accuracy of every picture as soon as Python has told it.
  sayAccuracy() {
    const { stage } = this;
    const { visible } = stage.display;
    if (!stage.alone && !stage.exact) return;
    const scores = visible.filter(({ head, waiting }) => head.share.textContent && !waiting);
    const words = scores.map(({ panel, head }) => `${panel.title} ${head.score.textContent}`);
    this.say([stage.did, words.join(", ")].filter(Boolean).join("; "));
    stage.did = "";
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
    const detail = { reason: this.why || "view", ms, panels: panels.length, rev, exact, key };
    this.why = "";
    shared.paints += 1;
    shared.last = detail;
    window.dispatchEvent(new CustomEvent("lapviz:painted", { detail }));
  }

  // Nothing here may break the page: a sentence stands in for the picture instead, until the same
  // kind of work succeeds, which run() says by returning true.
  guard(kind, run) {
    try {
      if (run()) this.broken.delete(kind);
    } catch (error) {
      console.warn("lapviz stage:", error);
      this.broken.set(kind, error?.message ?? String(error));
    }
    this.complain();
  }

  complain() {
    const [[kind, why] = []] = this.broken;
    const drawing = `This picture could not be drawn: ${why} Change a setting or reload the page.`;
    setText(this.message, kind === undefined ? "" : kind === "python" ? why : drawing);
  }
}

// A picture of the stage at a place: pixels() of a heat map, and how points and fading are put on it.
export function brushOf({ view, scene, display }, { place, theme, ratio, moving, cloud, pixels }) {
  const { box, size, axes } = place;
  const brush = { theme, view, scene, box, size, ratio, moving, pixels };
  brush.putDots = (context) => drawDots(context, scene.points, view, box, theme);
  brush.putCover = (context) => drawCover(context, brush);
  Object.assign(brush, { count: display.shape.count, cloud: null, axes: axes ? scene.axes : null });
  brush.images = display.images && display.pictured;
  if (scene.space) {
    scene.space.look(view);
    cloud.aim(brush);
    brush.cloud = cloud;
  }
  return brush;
}
