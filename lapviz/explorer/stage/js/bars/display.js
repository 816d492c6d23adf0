// How the pictures are shown, whatever they show: which panels, one scale, errors marked, a pinned
// copy, present mode. `node` is the group of buttons for it, `more` the one below the panels.

import contract from "../../../../contract.json";
import { element, set, setText, show, tool } from "../paint/dom.js";
import { Pins } from "../panels/pins.js";
import { Present } from "./present.js";

const { first: FIRST } = contract.panels;
const SCALE = "M2.5 6 H13.5 M2.5 10 H13.5 M5 3.5 L2.5 6 L5 8.5 M11 7.5 L13.5 10 L11 12.5";
const ERRORS = "M13 8 A5 5 0 1 1 3 8 A5 5 0 1 1 13 8 M6.2 6.2 L9.8 9.8 M9.8 6.2 L6.2 9.8";
const COMPARE = "M2.5 3.5 H7 V12.5 H2.5 Z M9 3.5 H13.5 V12.5 H9 Z";
const PRESENT = "M2.5 3 H13.5 V10.5 H2.5 Z M8 10.5 V13 M5 13.5 L8 11.5 L11 13.5";
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

export class Display {
  constructor(stage) {
    Object.assign(this, { stage, enlarged: null, all: false, sameScale: false, errors: false });
    this.pins = new Pins(stage);
    this.present = new Present(stage);
    this.scaleTool = tool(SCALE, "", () => this.share(!this.sameScale));
    this.errorTool = tool(ERRORS, "", () => this.mark(!this.errors));
    this.compareTool = tool(COMPARE, "", () => this.pins.toggle());
    this.presentTool = tool(PRESENT, "", () => this.present.toggle());
    this.node = element(
      "div.group.display",
      { role: "group", "aria-label": "Picture" },
      this.scaleTool,
      this.errorTool,
      this.compareTool,
      this.presentTool,
    );
    this.more = element("button.more", { type: "button", onclick: () => this.showAll(!this.all) });
    stage.board.plots.after(this.more);
    stage.board.root.addEventListener("keydown", (event) => this.keydown(event), true);
  }

  destroy() {
    this.present.destroy();
  }

  // A new scene; `fresh`: of other data.
  adopted(fresh) {
    const { panels, key, scene } = this.stage;
    if (fresh) Object.assign(this, { all: false, enlarged: null, sameScale: read(key) });
    if (fresh) this.pins.clear();
    if (this.enlarged !== null && this.enlarged >= panels.length) this.enlarged = null;
    this.knows = scene.kind === "classes" && Boolean(scene.points.truth?.some((c) => c >= 0));
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
    const index = this.stage.panels.indexOf(panel);
    return this.enlarge(this.enlarged === null ? index : null);
  }

  // A click on a picture where none sets a label.
  pressed(panel) {
    return !this.stage.scene.editable && this.toggle(panel);
  }

  showAll(all) {
    this.all = all;
    this.stage.board.schedule("more", "layout");
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
    this.sameScale = on;
    write(this.stage.key, on);
    this.follow();
    this.stage.board.schedule("scale", "field");
  }

  mark(on) {
    this.errors = on;
    this.follow();
    this.stage.board.schedule("errors", "field");
  }

  // Show and hide nodes and set the buttons by the settings.
  follow() {
    const { panels, scene, board } = this.stage;
    const shown = new Set(this.visible);
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
    offer(this.errorTool, this.knows, "Mark errors: ring points of the wrong class", this.errors);
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
  set(node, { title: label, "aria-label": label, "aria-pressed": pressed });
}

// One scale for all panels is a habit of the person at the screen: kept in the browser, by stage.
const place = (key) => `lapviz.same-scale.${key}`;

function read(key) {
  try {
    return localStorage.getItem(place(key)) === "1";
  } catch {
    return false; // storage is refused here
  }
}

function write(key, on) {
  try {
    localStorage.setItem(place(key), on ? "1" : "0");
  } catch {
    // then it lasts as long as the page
  }
}
