// How the pictures are shown, whatever they show: which panels, one scale, errors marked, a pinned
// copy, present mode. `node` is the group of buttons for it, `more` the one below the panels.

import contract from "../../../../contract.json";
import icons from "./icons.json";
import { element, name, setText, show, tool } from "../paint/dom.js";
import { habit, press } from "./parts.js";
import { Present } from "./present.js";
import { listen } from "../hands/gestures.js";
import { labelsAt } from "../numbers/labels.js";
import { PanelView } from "../panels/panel.js";
import { short } from "../numbers/view.js";

const { first: FIRST } = contract.panels;
const SCALE = "lapviz.same-scale."; // one scale for all panels is a habit, by stage
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

export class Display {
  constructor(stage) {
    Object.assign(this, { stage, enlarged: null, all: false, sameScale: false, errors: true });
    this.images = true;
    this.pins = new Pins(stage);
    this.present = new Present(stage);
    const turnImages = () => this.set("images", "images", !this.images, "base");
    this.scaleTool = tool(icons.scale, "", () => this.share(!this.sameScale), "One scale");
    this.errorTool = tool(icons.errors, "", () => this.set("errors", "errors", !this.errors), "Errors");
    this.compareTool = tool(icons.compare, "", () => this.pins.toggle(), "Compare");
    const present = () => (this.present.on ? this.present.leave() : this.present.enter());
    this.presentTool = tool(icons.present, "", present, "Present");
    this.imageTool = tool(icons.images, "", turnImages, "Images");
    this.node = element("div.group.display", { role: "group", "aria-label": "Picture" }, this.scaleTool,
      this.errorTool, this.compareTool, this.presentTool, this.imageTool);
    const all = () => this.set("more", "all", !this.all, "layout");
    this.more = element("button.more", { type: "button", onclick: all });
    stage.board.plots.after(this.more);
    stage.board.root.addEventListener("keydown", (event) => this.keydown(event), true);
  }

  // A new scene; `fresh`: of other data.
  adopted(fresh) {
    const { panels, key, scene } = this.stage;
    if (fresh) Object.assign(this, { all: false, enlarged: null, sameScale: habit(SCALE + key) });
    if (fresh) this.pins.clear();
    if (this.enlarged !== null && this.enlarged >= panels.length) this.enlarged = null;
    this.knows = scene.kind === "classes" && Boolean(scene.points.truth?.some((c) => c >= 0));
    this.pictured = scene.kind === "classes" && !scene.space && Boolean(scene.points.images);
    this.present.resume();
    this.follow();
  }

  // ---- which panels -----------------------------------------------------------------------

  get live() {
    const { panels } = this.stage;
    if (this.enlarged !== null) return [panels[this.enlarged]];
    return this.all ? panels : panels.slice(0, FIRST);
  }

  // With their pinned copies.
  get visible() {
    const { panels } = this.pins;
    const of = (i) => (this.enlarged === null ? i < this.live.length : i === this.enlarged);
    return [...this.live, ...panels.filter((_, i) => of(i))];
  }

  // How many panels stand side by side, and how often.
  get shape() {
    return { count: this.live.length, times: this.pins.on ? 2 : 1 };
  }

  // Shows one panel alone (its index), or all of them again (null).
  enlarge(index) {
    const { panels, board, hand } = this.stage;
    if (index !== null && !(panels.length > 1 && index >= 0 && index < panels.length)) return false;
    if (index === this.enlarged) return false;
    this.enlarged = index;
    hand.forget();
    const name = index === null ? "all panels" : panels[index].panel.title;
    board.say(`Showing ${name}`);
    board.schedule("enlarge", "layout");
    return true;
  }

  toggle(panel) {
    return this.enlarge(this.enlarged === null ? this.stage.panels.indexOf(panel) : null);
  }

  keydown(event) {
    if (this.stage.draw.on) return; // its keys paint
    if (this.enlarged === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const { board, panels, hand, scene } = this.stage;
    const { classList } = event.target;
    const ours = event.target === board.plots ? !scene.editable : classList.contains("grow");
    const step = ours ? STEPS[event.key] : 0;
    const to = this.enlarged + step;
    if (step && to >= 0 && to < panels.length) {
      const focused = classList.contains("grow");
      this.enlarge(to);
      board.layout();
      if (focused) panels[to].head.grow.focus();
    } else if (event.key === "Escape") {
      if (!hand.drop()) this.enlarge(null);
    } else if (!step) return;
    event.preventDefault();
    event.stopPropagation();
  }

  // ---- how they are drawn -----------------------------------------------------------------

  // Are errors marked, as far as anything is known about them?
  get marking() {
    return this.errors && this.knows;
  }

  share(on) {
    habit(SCALE + this.stage.key, on);
    this.set("scale", "sameScale", on);
  }

  set(reason, name, on, level = "field") {
    this[name] = on;
    this.follow();
    this.stage.board.schedule(reason, level);
  }

  // Show and hide nodes and set the buttons by the settings.
  follow() {
    const { panels, scene, board, draw } = this.stage;
    const shown = new Set(this.visible);
    const still = !draw.on; // no tool comes and moves the picture under a hand that draws
    const several = panels.length > 1;
    for (const panel of [...panels, ...this.pins.panels]) {
      show(panel.node, shown.has(panel));
      panel.head.follow(several && !panel.frozen, !panel.frozen && this.enlarged !== null);
    }
    board.root.dataset.enlarged = String(this.enlarged !== null);
    const rest = panels.length - FIRST;
    show(this.more, rest > 0 && this.enlarged === null);
    setText(this.more, this.all ? `The first ${FIRST} only` : `${rest} more`);
    offer(this.scaleTool, several, "Same colour scale for all panels", this.sameScale);
    offer(this.errorTool, still && this.knows, "Mark errors: crosses on points of the wrong class", this.errors);
    offer(this.imageTool, still && this.pictured, "Show the images of some points", this.images);
    const pinned = this.pins.on;
    const words = pinned ? "Take the pinned picture away" : "Compare: pin this picture";
    offer(this.compareTool, true, words, pinned);
    this.compareTool.disabled = !pinned && scene.panels.every((panel) => panel.note);
    const { on } = this.present;
    offer(this.presentTool, true, on ? "End the presentation (Esc)" : "Present: large type", on);
  }
}

function offer(node, visible, label, pressed) {
  show(node, visible);
  name(node, label);
  press(node, pressed);
}

// Compare: frozen copies of the panels beside the live ones, until they are taken away.
export class Pins {
  constructor(stage) {
    Object.assign(this, { stage, panels: [] });
    this.words = element("span");
    const unpin = tool(icons.cross, "Take the pinned picture away", () => this.toggle());
    this.caption = element("div.pincaption", {}, this.words, unpin);
  }

  get on() {
    return this.panels.length > 0;
  }

  toggle() {
    const { stage } = this;
    if (this.on) this.clear();
    else {
      this.panels = stage.panels.map((panel) => this.frozen(panel));
      setText(this.words, `Pinned: ${settingsLine(stage)}`);
      stage.board.plots.append(this.caption, ...this.panels.map((panel) => panel.node));
    }
    this.stage.board.schedule("pin", "layout");
    this.stage.board.say(this.on ? this.words.textContent : "Nothing is pinned");
  }

  clear() {
    for (const panel of this.panels) panel.node.remove();
    this.panels = [];
    this.caption.remove();
  }

  // The same rows in another plane: what is pinned keeps its values.
  replace(points) {
    for (const panel of this.panels) {
      const { index } = panel.points;
      const rows = points.count === index.length && index.every((row, i) => row === points.index[i]);
      if (rows && !panel.grid) Object.assign(panel, { points, labels: labelsAt(panel.labels, points) });
    }
  }

  frozen(panel) {
    const { stage } = this;
    const copy = new PanelView();
    copy.update(panel.panel, stage.scene, null);
    copy.setNoted(panel.noted);
    copy.head.caption(...panel.captioned);
    const { field } = panel;
    if (field) {
      // A local model writes every frame into the same arrays.
      const [grid, points] = [field.grid?.slice() ?? null, field.points?.slice() ?? null];
      copy.field = { ...field, grid, points, lines: null };
    }
    Object.assign(copy, { frozen: true, labels: stage.labels });
    copy.node.classList.add("pinned");
    listen(copy.plot, copy, stage.hand);
    return copy;
  }
}

// The settings that a picture stands for, as far as they shape it.
export function settingsLine({ scene, lam, filter, labels }) {
  const parts = [scene.about];
  if (scene.models.some(Boolean) || !scene.hide.has("lam")) {
    const name = scene.filters[filter]?.label;
    parts.push(`λ = ${short(lam, 2)}`, name && filter !== "tikhonov" ? name : "");
    parts.push(`${labels.length} label${labels.length === 1 ? "" : "s"}`);
  }
  return parts.filter(Boolean).join(" · ");
}
