// The stage: holds scene, settings and labels, repaints, and tells Python what changed.

import { makeTheme } from "./colour.js";
import { decode, fingerprint } from "./decode.js";
import { element, fit, setText } from "./dom.js";
import { compileFilters } from "./filters.js";
import { describe, drawHover, placeTip } from "./hover.js";
import { listen, neighbour, pressKey, targetAt } from "./interact.js";
import { history, record, redo, remove, sameLabels, toggle, undo } from "./labels.js";
import { arrange, detail } from "./layout.js";
import { drawDots } from "./marks.js";
import { PanelView } from "./panel.js";
import { Player } from "./player.js";
import { awaitStore, makeScene, stored } from "./scene.js";
import { LAM_MAX, LAM_MIN, Toolbar } from "./toolbar.js";
import { View } from "./view.js";

const SETTLE = 160; // milliseconds after which a moving picture is drawn in full detail
const PAUSE = 60; // milliseconds that gather quick changes into one message

const log = (globalThis.__lapviz ??= { paints: 0, last: null, stages: {} });

export class Stage {
  constructor(parent) {
    this.panels = [];
    this.stack = history([]);
    Object.assign(this, { rev: 0, lam: 1, filter: "", code: 0, unsent: false, scene: null, target: null });
    Object.assign(this, { cursor: null, hovered: null, moving: false, tag: "", width: 0, turn: 0 });
    this.dirty = { layout: true, field: true, base: true };
    this.player = new Player((lam) => this.setLam(lam, false, "play"), () => this.refreshPlay());
    this.toolbar = new Toolbar({
      lam: (value, done) => (this.player.stop(), this.setLam(value, done)),
      filter: (name) => this.setFilter(name),
      play: () => this.player.toggle(this.lam, LAM_MIN, LAM_MAX),
      pick: (code) => this.pick(code),
      undo: () => this.undo(),
      redo: () => this.redo(),
      clear: () => this.edit({ labels: [], did: "cleared" }),
      zoom: (factor) => this.zoomBy(factor),
    });
    this.plots = element("div.plots", { tabindex: "0", role: "application", "aria-label": "Picture" });
    this.message = element("div.message", { role: "alert" });
    this.flash = element("div.flash", { "aria-hidden": "true" });
    this.live = element("div.live", { "aria-live": "polite", role: "status" });
    this.root = element("div.stage", {}, this.toolbar.node, this.message, this.plots, this.flash, this.live);
    parent.append(this.root);
    this.listen();
  }

  listen() {
    this.plots.addEventListener("keydown", (event) => {
      if (this.scene && pressKey(event, this)) event.preventDefault();
    });
    this.plots.addEventListener("blur", () => this.dropCursor());
    this.resizer = new ResizeObserver(() => {
      if (Math.abs(this.root.clientWidth - this.width) > 0.5) this.schedule("resize", "layout");
    });
    this.resizer.observe(this.root);
    this.unhook = awaitStore(() => this.join());
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.onScheme = () => this.schedule("theme", "base");
    this.scheme.addEventListener("change", this.onScheme);
  }

  destroy() {
    this.gone = true;
    this.player.stop();
    this.unhook();
    this.resizer.disconnect();
    this.scheme.removeEventListener("change", this.onScheme);
    if (log.stages[this.key] === this) delete log.stages[this.key];
    this.root.remove();
  }

  // ---- from Python ------------------------------------------------------------------------

  receive({ data, setStateValue }) {
    this.send = setStateValue;
    this.guard(() => {
      const tag = fingerprint(data);
      if (tag === this.tag) return this.schedule("theme", "base");
      this.parcel = decode(data);
      this.tag = tag;
      this.join();
    });
  }

  // Adopt the newest answer as soon as its lasting part is here.
  join() {
    if (!this.parcel) return;
    this.guard(() => {
      const { answer, needs, key, height, static: own } = this.parcel;
      const lasting = own ?? (needs === this.lastingTag ? this.lasting : stored(needs));
      if (!lasting) return;
      Object.assign(this, { lasting, lastingTag: needs ?? "", parcel: null, key: key ?? "", height: height ?? 0 });
      log.stages[this.key] = this;
      this.adopt(makeScene(answer, lasting));
    });
  }

  adopt(scene) {
    const before = this.scene;
    const fresh = !before || before.view_key !== scene.view_key;
    this.scene = scene;
    this.filters = compileFilters(scene.meta.filters);
    scene.rev = scene.meta.rev ?? (fresh ? 0 : this.rev);
    if (fresh) {
      this.player.stop();
      this.stack = history(scene.labels);
      this.view = new View(`${this.key}|${scene.view_key}`, scene.view);
      Object.assign(this, { target: null, cursor: null, unsent: false, rev: scene.rev });
    } else this.view.rebase(scene.view);
    // An answer to an older question must not undo what was done since.
    if (fresh || (!this.unsent && scene.rev >= this.rev)) {
      Object.assign(this, { rev: scene.rev, lam: scene.lam, filter: scene.filter });
      if (!fresh) this.stack = record(this.stack, scene.labels);
    }
    this.code = Math.min(this.code, Math.max(scene.classes.length - 1, 0));
    this.setPanels();
    this.describePlots();
    this.schedule("scene", "layout");
  }

  setPanels() {
    const { panels, models } = this.scene;
    while (this.panels.length > panels.length) this.panels.pop().node.remove();
    while (this.panels.length < panels.length) {
      const panel = new PanelView();
      listen(panel.plot, panel, this);
      this.panels.push(panel);
      this.plots.append(panel.node);
    }
    panels.forEach((panel, i) => this.panels[i].update(panel, this.scene, models[i]));
  }

  describePlots() {
    const { editable, free_labels: free, panels } = this.scene;
    const names = panels.map((panel) => panel.title).filter(Boolean).join(", ");
    const how = editable
      ? ` Arrow keys go from point to point${free ? ", with Shift freely" : ""}; Enter labels, Delete removes, 1 to 9 choose the class.`
      : " Arrow keys go from point to point.";
    this.plots.setAttribute("aria-label", `Picture of ${names || "the data"}.${how} Plus and minus zoom.`);
  }

  // ---- to Python --------------------------------------------------------------------------

  // Marks that the settings moved on from what Python last answered.
  bump() {
    if (this.unsent) return;
    this.unsent = true;
    this.rev += 1;
  }

  commit(reason) {
    this.reason = reason;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.unsent || this.gone || this.player.on) return;
      this.unsent = false;
      const labels = this.labels.map(({ x, y, index, code }) => [x, y, index, code]);
      const { rev, lam, filter } = this;
      this.send("state", { rev, reason: this.reason, lam, filter, labels, view_key: this.scene.view_key });
    }, PAUSE);
  }

  // ---- settings ---------------------------------------------------------------------------

  get labels() {
    return this.stack.present;
  }

  get classCount() {
    return this.scene.classes.length;
  }

  setLam(lam, done, reason = "lam") {
    if (!this.scene) return;
    if (lam !== this.lam) {
      this.bump();
      this.lam = lam;
      this.move();
      this.schedule(reason, "field");
    }
    if (done) this.commit("lam");
  }

  setFilter(name) {
    if (name === this.filter) return;
    this.bump();
    this.filter = name;
    this.schedule("filter", "field");
    this.commit("filter");
  }

  refreshPlay() {
    if (!this.player.on) this.commit("lam");
    this.schedule("play", "base");
  }

  // While things move, draw coarser; a moment later once more in full detail.
  move() {
    this.moving = true;
    clearTimeout(this.settle);
    this.settle = setTimeout(() => {
      this.moving = false;
      this.schedule("settle", "base");
    }, SETTLE);
  }

  pick(code) {
    if (code >= this.classCount) return false;
    this.code = code;
    this.say(`Class ${this.scene.classes[code]}`);
    this.schedule("pick", "over");
    return true;
  }

  // ---- labels -----------------------------------------------------------------------------

  edit({ labels, did }, target = null) {
    if (!this.scene?.editable || sameLabels(labels, this.labels)) return false;
    this.changeStack(record(this.stack, labels));
    const what = target && target.index >= 0 ? `point ${target.index}` : "a place of its own";
    const as = did === "removed" ? "" : ` as class ${this.scene.classes[this.code] ?? this.code}`;
    this.say(did === "cleared" ? "All labels removed" : `${did} ${what}${as}; ${labels.length} labels`);
    return true;
  }

  changeStack(stack) {
    this.bump();
    this.stack = stack;
    this.schedule("labels", "field");
    this.commit("labels");
  }

  undo() {
    return this.step(undo(this.stack), "Undone");
  }

  redo() {
    return this.step(redo(this.stack), "Redone");
  }

  step(stack, word) {
    if (!this.scene?.editable || stack === this.stack) return false;
    this.changeStack(stack);
    this.say(`${word}; ${this.labels.length} labels`);
    return true;
  }

  toggleAt(target) {
    if (!this.scene.editable) return false;
    if (!target.snapped && !this.scene.free_labels) return false;
    return this.edit(toggle(this.labels, target, this.code), target);
  }

  // ---- pointer (interact.js) --------------------------------------------------------------

  // What targetAt and the painters need to know of the stage.
  get lens() {
    return { scene: this.scene, view: this.view, box: this.place.box, labels: this.labels };
  }

  inBox(x, y) {
    const { box } = this.place ?? { box: null };
    return box && x >= box.x && y >= box.y && x <= box.x + box.w && y <= box.y + box.h;
  }

  hover(panel, x, y) {
    if (!this.inBox(x, y)) return this.leave();
    this.hovered = panel;
    this.target = targetAt(x, y, this.lens);
    panel.plot.style.cursor = this.target.snapped && this.scene.editable ? "pointer" : "crosshair";
    this.schedule("", "over");
  }

  leave() {
    if (!this.target) return;
    Object.assign(this, { hovered: null, target: null });
    this.schedule("", "over");
  }

  press(panel, x, y, reach, twice) {
    if (!this.inBox(x, y)) return;
    this.plots.focus({ preventScroll: true });
    this.cursor = null;
    if (twice && this.view.zoomed) {
      // The first click of two was no wish to label.
      if (this.pressed) this.undo();
      this.pressed = false;
      this.zoomBy(0);
      return;
    }
    this.hovered = panel;
    this.target = targetAt(x, y, this.lens, reach);
    this.pressed = this.toggleAt(this.target);
    this.schedule("", "over");
  }

  drag(dx, dy) {
    const [x0, x1, y0, y1] = this.view.range;
    const { box } = this.place;
    this.view.pan((-dx / box.w) * (x1 - x0), (dy / box.h) * (y1 - y0));
    this.hideTips();
    this.move();
    this.schedule("view", "base");
  }

  zoomAt(factor, px, py) {
    this.view.zoomAt(factor, ...this.view.toPlane(px, py, this.place.box));
    this.move();
    this.schedule("view", "base");
  }

  zoomBy(factor) {
    if (!this.scene) return false;
    if (factor) this.view.zoomAt(factor, this.cursor?.x, this.cursor?.y);
    else this.view.reset();
    this.schedule("view", "base");
    return true;
  }

  hint() {
    const key = /Mac|iP(hone|ad)/.test(navigator.platform) ? "⌘" : "Ctrl";
    setText(this.flash, `${key} + wheel zooms, drag moves`);
    this.flash.classList.add("on");
    clearTimeout(this.flashing);
    this.flashing = setTimeout(() => this.flash.classList.remove("on"), 1100);
  }

  // ---- keyboard (interact.js) -------------------------------------------------------------

  moveCursor(dx, dy, free) {
    const [x0, x1, y0, y1] = this.view.range;
    const centre = { x: (x0 + x1) / 2, y: (y0 + y1) / 2, index: -1, point: -1, snapped: false };
    const from = this.cursor ?? centre;
    if (free) {
      const step = 0.02 * (x1 - x0);
      const x = Math.min(Math.max(from.x + dx * step, x0), x1);
      const y = Math.min(Math.max(from.y + dy * step, y0), y1);
      this.cursor = { ...centre, x, y };
    } else this.cursor = neighbour(from, dx, dy, this.lens) ?? from;
    this.target = this.cursor;
    this.hovered = this.hovered ?? this.panels.find((panel) => !panel.panel.note) ?? this.panels[0];
    const [first, ...rest] = describe(this.cursor, this.hovered, this.scene, this.labels);
    this.say([...rest, first].join(", "));
    this.schedule("", "over");
    return true;
  }

  labelCursor() {
    return this.cursor ? (this.toggleAt(this.cursor), true) : false;
  }

  removeCursor() {
    if (!this.cursor) return false;
    this.edit(remove(this.labels, this.cursor), this.cursor);
    return true;
  }

  dropCursor() {
    if (!this.cursor) return false;
    Object.assign(this, { cursor: null, target: null, hovered: null });
    this.schedule("", "over");
    return true;
  }

  say(text) {
    setText(this.live, text);
  }

  // ---- painting ---------------------------------------------------------------------------

  // level: "over" < "base" < "field" < "layout"; a reason of "" is no event of its own.
  schedule(reason, level) {
    if (this.gone) return;
    this.dirty.layout ||= level === "layout";
    this.dirty.field ||= level === "layout" || level === "field";
    this.dirty.base ||= level !== "over";
    if (reason) this.why = reason;
    this.pending ??= requestAnimationFrame(() => {
      this.pending = null;
      this.guard(() => this.frame());
    });
  }

  frame() {
    if (!this.scene || this.gone || !this.root.isConnected) return;
    const start = performance.now();
    const theme = this.readTheme();
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    if (ratio !== this.ratio) this.dirty.layout = true;
    this.ratio = ratio;
    if (this.dirty.layout) this.layout();
    if (!this.place) return;
    const { lam, labels } = this;
    const exact = this.exact;
    const painted = this.dirty.base;
    if (this.dirty.field) {
      const settings = { lam, labels, filter: this.filters[this.filter] };
      for (const panel of this.panels) panel.choose(settings, exact);
    }
    const brush = this.brush(theme);
    if (painted) for (const panel of this.panels) panel.paint(brush);
    this.paintOver(brush);
    this.showControls(theme);
    this.dirty = { layout: false, field: false, base: false };
    if (painted || this.why) this.report(performance.now() - start, exact);
  }

  readTheme() {
    const style = getComputedStyle(this.root);
    const name = ["--st-background-color", "--st-text-color", "--st-primary-color", "--st-font"].map((v) => style.getPropertyValue(v)).join("|");
    if (name !== this.themeName) {
      this.themeName = name;
      this.theme = makeTheme(this.root);
      this.root.dataset.theme = this.theme.dark ? "dark" : "light";
      this.dirty.base = true;
    }
    return this.theme;
  }

  layout() {
    this.width = this.root.clientWidth;
    if (this.width < 40) return;
    const narrow = this.width < 560;
    this.root.dataset.size = narrow ? "narrow" : "wide";
    this.place = arrange({
      width: this.plots.clientWidth,
      count: this.panels.length,
      wish: this.scene.columns,
      height: this.height,
      aspect: this.view.aspect,
      windowHeight: window.innerHeight,
    });
    const { columns, gap, size } = this.place;
    this.plots.style.gridTemplateColumns = `repeat(${columns}, ${size.width}px)`;
    this.plots.style.gap = `${gap}px`;
    this.plots.classList.toggle("small", size.width < 215);
    for (const panel of this.panels) {
      panel.plot.style.width = `${size.width}px`;
      panel.plot.style.height = `${size.height}px`;
    }
  }

  // Is what Python last sent the answer to the settings as they stand?
  get exact() {
    const { scene } = this;
    return this.lam === scene.lam && this.filter === scene.filter && sameLabels(this.labels, scene.labels);
  }

  brush(theme) {
    const { view, scene, ratio, panels } = this;
    const { box, size, axes } = this.place;
    return {
      theme, view, scene, box, size, ratio,
      count: panels.length,
      axes: axes ? scene.axes : null,
      pixels: () => detail(box, ratio, panels.length, this.moving),
      dots: () => this.dots(theme),
    };
  }

  // The points as one layer, drawn once and used by every panel with a field.
  dots(theme) {
    const { box, size } = this.place;
    const { ratio, view, lastingTag } = this;
    const name = [theme.id, size.width, size.height, ratio, lastingTag, this.tag && this.scene.points.count, ...view.range].join();
    this.layer ??= document.createElement("canvas");
    if (this.layerName === name) return this.layer;
    this.layerName = name;
    fit(this.layer, size.width, size.height, ratio);
    const context = this.layer.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    drawDots(context, this.scene.points, view, box, theme);
    return this.layer;
  }

  paintOver(brush) {
    const { target, hovered, cursor } = this;
    for (const panel of this.panels) {
      const chip = target && panel !== hovered;
      const more = target && ((context) => drawHover(context, brush, panel, target, Boolean(cursor), chip));
      panel.paintOver(brush, this.labels, more);
      if (panel !== hovered || !target) panel.tip.style.display = "none";
    }
    if (!target || !hovered || hovered.panel.note) return;
    const [x, y] = this.view.toPixel(target.x, target.y, this.place.box);
    placeTip(hovered.tip, describe(target, hovered, this.scene, this.labels), x, y, this.place.size);
  }

  hideTips() {
    Object.assign(this, { target: null, hovered: null });
  }

  showControls(theme) {
    const { scene, filters, lam, filter, code, stack } = this;
    const hasModel = scene.models.some(Boolean);
    this.toolbar.arrange({ scene, filters, theme, hasModel });
    this.toolbar.show({
      lam, filter, code,
      playing: this.player.on,
      canUndo: stack.past.length > 0,
      canRedo: stack.future.length > 0,
      nLabels: stack.present.length,
      zoomed: this.view.zoomed,
    });
  }

  report(ms, exact) {
    const detail = { reason: this.why || "view", ms, panels: this.panels.length, rev: this.rev, exact, key: this.key };
    this.why = "";
    log.paints += 1;
    log.last = detail;
    window.dispatchEvent(new CustomEvent("lapviz:painted", { detail }));
  }

  // Nothing here may break the page: a sentence stands in for the picture instead.
  guard(run) {
    try {
      run();
      if (this.message.textContent) setText(this.message, "");
    } catch (error) {
      console.warn("lapviz stage:", error);
      setText(this.message, `This picture could not be drawn: ${error?.message ?? error} Change a setting or reload the page.`);
    }
  }
}
