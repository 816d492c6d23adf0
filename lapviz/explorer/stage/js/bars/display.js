// Display settings of the pictures: visible panels, common scale, marked errors, pinned copies, present
// mode. `node` is the group of their buttons, `more` the button below the panels.

import contract from "../../../../contract.json";
import icons from "./icons.json";
import { element, setLabel, setText, show, tool } from "../paint/dom.js";
import { preference, setPressed } from "./parts.js";
import { Present } from "./present.js";
import { isTyping, listen } from "../hands/gestures.js";
import { labelsAt } from "../numbers/labels.js";
import { PINNED } from "../panels/head.js";
import { PanelView } from "../panels/panel.js";
import { counted, short } from "../numbers/view.js";

const { first: FIRST } = contract.panels;
const SCALE = "lapviz.same-scale."; // the browser remembers the common scale, by stage
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

export class Display {
  constructor(stage) {
    Object.assign(this, { stage, enlarged: null, all: false, sameScale: false, errors: true });
    this.images = true;
    this.pins = new Pins(stage);
    this.present = new Present(stage);
    const toggleImages = () => this.set("images", "images", !this.images, "base");
    this.scaleTool = tool(icons.scale, "", () => this.share(!this.sameScale), "One scale");
    this.errorTool = tool(icons.errors, "", () => this.set("errors", "errors", !this.errors), "Errors");
    this.compareTool = tool(icons.compare, "", () => this.pins.toggle(), "Compare");
    const togglePresent = () => (this.present.on ? this.present.leave() : this.present.enter());
    this.presentTool = tool(icons.present, "", togglePresent, "Present");
    this.imageTool = tool(icons.images, "", toggleImages, "Images");
    this.node = element("div.group.display", { role: "group", "aria-label": "Picture" }, this.scaleTool,
      this.errorTool, this.compareTool, this.presentTool, this.imageTool);
    const onclick = () => this.set("more", "all", !this.all, "layout");
    this.more = element("button.more", { type: "button", onclick });
    stage.board.plots.after(this.more);
    stage.board.root.addEventListener("keydown", (event) => this.keydown(event), true);
  }

  // A new scene; `otherData`: of other data.
  adopt(otherData) {
    const { panels, key, scene } = this.stage;
    if (otherData) Object.assign(this, { all: false, enlarged: null, sameScale: preference(SCALE + key) });
    if (otherData) this.pins.clear();
    if (this.enlarged !== null && this.enlarged >= panels.length) {
      this.enlarged = null;
      this.stage.draw.grown = false; // with more panels again
    }
    this.truthKnown = scene.kind === "classes" && Boolean(scene.points.truth?.some((c) => c >= 0));
    this.hasImages = scene.kind === "classes" && !scene.space && Boolean(scene.points.images);
    this.present.resume();
    this.follow();
  }

  // ---- which panels -----------------------------------------------------------------------

  // The visible panels that are not pinned copies.
  get live() {
    const { panels } = this.stage;
    if (this.enlarged !== null) return [panels[this.enlarged]];
    return this.all ? panels : panels.slice(0, FIRST);
  }

  // With their pinned copies; beside an enlarged panel that of the same title, as panels may have changed places,
  // or that of its place, if no panel has its title any more.
  get visible() {
    const { live, enlarged, pins } = this;
    const titles = this.stage.panels.map(({ panel }) => panel.title);
    const isVisible = ({ panel: { title } }, i) => {
      if (enlarged === null) return i < live.length;
      return titles.includes(title) ? title === titles[enlarged] : i === enlarged;
    };
    return [...live, ...pins.panels.filter(isVisible)];
  }

  // The number of panels, and how often they are shown: twice if they have pinned copies.
  get shape() {
    return { count: this.live.length, times: this.visible.length > this.live.length ? 2 : 1 };
  }

  // Show one panel alone (by its index), or all of them (null); returns false if nothing changes.
  enlarge(index) {
    const { panels, board, hand } = this.stage;
    if (index !== null && !(panels.length > 1 && index >= 0 && index < panels.length)) return false;
    if (index === this.enlarged) return false;
    this.enlarged = index;
    hand.forget();
    board.describe();
    const name = index === null ? "all panels" : panels[index].panel.title;
    board.announce(`Showing ${name}`);
    board.schedule("enlarge", "layout");
    return true;
  }

  toggle(panel) {
    return this.enlarge(this.enlarged === null ? this.stage.panels.indexOf(panel) : null);
  }

  keydown(event) {
    if (this.stage.draw.on) return; // keys draw
    if (this.enlarged === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.shiftKey || isTyping(event)) return;
    const { board, panels, hand, scene } = this.stage;
    const { classList } = event.target;
    const movesPanel = event.target === board.plots ? !scene.editable : classList.contains("grow");
    const step = movesPanel ? STEPS[event.key] : 0;
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

  // ---- switches ---------------------------------------------------------------------------

  // Are errors marked, as far as the true classes are known?
  get marking() {
    return this.errors && this.truthKnown;
  }

  share(on) {
    preference(SCALE + this.stage.key, on);
    this.set("scale", "sameScale", on);
  }

  set(reason, name, on, level = "field") {
    this[name] = on;
    this.follow();
    this.stage.board.schedule(reason, level);
  }

  // Update nodes and buttons.
  follow() {
    const { panels, scene, board, draw } = this.stage;
    const visible = new Set(this.visible);
    const fixed = draw.on; // while drawing no tool may appear and move the picture
    const several = panels.length > 1;
    for (const panel of [...panels, ...this.pins.panels]) {
      show(panel.node, visible.has(panel));
      const enlarged = !panel.frozen && this.enlarged !== null;
      panel.head.showButton({ offered: several && !panel.frozen, enlarged });
    }
    board.root.dataset.enlarged = String(this.enlarged !== null);
    const hidden = panels.length - FIRST;
    show(this.more, hidden > 0 && this.enlarged === null);
    setText(this.more, this.all ? `The first ${FIRST} only` : `${hidden} more`);
    offer(this.scaleTool, several, "One scale: the same colours for all panels", this.sameScale);
    const errors = "Mark errors: crosses on points of the wrong class";
    offer(this.errorTool, !fixed && this.truthKnown, errors, this.errors);
    offer(this.imageTool, !fixed && this.hasImages, "Show the images of some points", this.images);
    const pinned = this.pins.on;
    show(this.pins.caption, this.shape.times > 1);
    const label = pinned ? "Take the pinned picture away" : "Compare: pin this picture";
    offer(this.compareTool, true, label, pinned);
    this.compareTool.disabled = !pinned && scene.panels.every((panel) => panel.note);
    const { on } = this.present;
    offer(this.presentTool, true, on ? "End the presentation (Esc)" : "Present: large type", on);
  }
}

function offer(node, visible, label, pressed) {
  show(node, visible);
  setLabel(node, label);
  setPressed(node, pressed);
}

// Compare: frozen copies of the panels beside the live ones.
export class Pins {
  constructor(stage) {
    Object.assign(this, { stage, panels: [] });
    this.text = element("span");
    const unpin = tool(icons.cross, "Take the pinned picture away", () => this.toggle());
    this.caption = element("div.pincaption", {}, this.text, unpin);
  }

  get on() {
    return this.panels.length > 0;
  }

  toggle() {
    const { stage } = this;
    if (this.on) this.clear();
    else {
      this.panels = stage.panels.map((panel) => this.frozenCopy(panel));
      setText(this.text, `Pinned: ${settingsLine(stage)}`);
      stage.board.plots.append(this.caption, ...this.panels.map((panel) => panel.node));
    }
    this.stage.board.schedule("pin", "layout");
    this.stage.board.announce(this.on ? this.text.textContent : "Nothing is pinned");
  }

  clear() {
    for (const panel of this.panels) panel.node.remove();
    this.panels = [];
    this.caption.remove();
  }

  // The same rows in another plane: pinned panels keep their values.
  replacePoints(points) {
    for (const panel of this.panels) {
      const { index } = panel.points;
      const sameRows = points.count === index.length && index.every((row, i) => row === points.index[i]);
      if (sameRows && !panel.grid) Object.assign(panel, { points, labels: labelsAt(panel.labels, points) });
    }
  }

  frozenCopy(panel) {
    const { stage } = this;
    const copy = new PanelView();
    copy.update(panel.panel, stage.scene, null);
    copy.showNote(panel.hasNote);
    const { captionParts, waiting } = panel;
    copy.head.caption(...captionParts);
    copy.head.sayWhy(...PINNED);
    copy.node.classList.toggle("waiting", waiting);
    const field = panel.field && { ...panel.field }; // its scale may differ from now on
    const { labels, scene } = stage;
    Object.assign(copy, { field, captionParts, frozen: true, waiting, labels, scene });
    copy.node.classList.add("pinned");
    listen(copy.plot, copy, stage.hand);
    return copy;
  }
}

// The settings that determine the picture, as text.
export function settingsLine({ scene, lam, filter, labels }) {
  const parts = [scene.about];
  if (scene.models.some(Boolean) || !scene.hide.has("lam")) {
    const name = scene.filters[filter]?.label;
    parts.push(`λ = ${short(lam)}`, name && filter !== "tikhonov" ? name : "");
    if (scene.kind === "classes") parts.push(counted(labels.length, "label"));
  }
  return parts.filter(Boolean).join(" · ");
}
