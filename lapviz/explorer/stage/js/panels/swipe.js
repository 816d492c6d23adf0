// On a phone one panel at a time: the panels stand in a row that is swiped, under a navigation with
// their names.

import { element, setText } from "../paint/dom.js";

const WIDEST = 640; // pixels of the stage up to which panels are swiped
const MOST = 6; // panels; more of them are small pictures below each other, to be compared

export class Swipe {
  // board: whose panels are swiped; see Board.
  constructor(board) {
    Object.assign(this, { board, on: false, at: null });
    this.node = element("nav.tabs", { "aria-label": "Panels" });
    this.node.hidden = true;
    board.plots.parentElement.before(this.node);
    board.plots.addEventListener("scroll", () => this.scrolled(), { passive: true });
  }

  // Decides for this width and these panels, and says so.
  arrange(width, panels) {
    const { plots } = this.board;
    this.on = width <= WIDEST && panels.length > 1 && panels.length <= MOST;
    this.at = Math.min(this.at ?? this.board.stage.scene.first, panels.length - 1);
    plots.classList.toggle("swiped", this.on);
    this.node.hidden = !this.on;
    if (!this.on) {
      this.at = null; // of the next layout with one panel at a time: the scene's first
      return false;
    }
    this.name(panels.map(({ panel }) => panel.title));
    return true;
  }

  name(titles) {
    const { node } = this;
    while (node.children.length > titles.length) node.lastChild.remove();
    while (node.children.length < titles.length) {
      const i = node.children.length;
      node.append(element("button.tab", { type: "button", onclick: () => this.go(i) }));
    }
    titles.forEach((title, i) => setText(node.children[i], title || `Panel ${i + 1}`));
    this.mark();
  }

  mark() {
    [...this.node.children].forEach((tab, i) => {
      if (i === this.at) tab.setAttribute("aria-current", "true");
      else tab.removeAttribute("aria-current");
    });
  }

  // After a layout the same panel stays in view.
  settle() {
    if (this.on) this.board.plots.scrollLeft = this.at * this.board.plots.clientWidth;
  }

  go(i) {
    const { plots } = this.board;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    plots.scrollTo({ left: i * plots.clientWidth, behavior: still ? "auto" : "smooth" });
  }

  scrolled() {
    if (!this.on) return;
    const { plots, stage } = this.board;
    const at = Math.round(plots.scrollLeft / Math.max(plots.clientWidth, 1));
    const panel = stage.display.visible[at];
    if (at === this.at || !panel) return;
    this.at = at;
    this.mark();
    stage.hand.show(panel);
  }

  // The panel in view, null where all are.
  get panel() {
    return this.on ? (this.board.stage.display.visible[this.at] ?? null) : null;
  }
}
