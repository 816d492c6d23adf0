// Placement of the panels on the page: measures the room, and applies the layout to their nodes.

import contract from "../../../../contract.json";
import { axisRoom } from "../paint/axes.js";
import { refill } from "../bars/parts.js";
import { element, isCalm } from "../paint/dom.js";
import { arrange, markSize } from "./layout.js";

const MOST_ABOVE = 0.34; // largest share of the window that is reserved for the page above the stage
const SHARE = 0.38; // of the window's height, which a picture of requested height may reach
const BELOW = 10; // pixels to the end of the window
const FOOT = 118; // pixels of a saved page's text below the stage
const ROUNDS = 3;
const LATER = [250, 1200]; // milliseconds after which the page above may have moved the stage

export class Placement {
  constructor(board) {
    Object.assign(this, { board, top: 0 });
  }

  // Compute the layout that fits, as arrange() returns it, and apply it to every visible panel.
  compute() {
    const { stage, root, theme } = this.board;
    const { scene, view, display } = stage;
    markSize(root);
    display.follow();
    const panels = display.visible;
    this.board.swipe.arrange(root.clientWidth, panels);
    let place = null;
    // From wide panels: narrow ones of a smaller window have high titles, which would keep them narrow.
    this.apply(arrange({ ...this.wishes(), head: 0 }), panels);
    // The numbers on the axis and the line breaks of the titles change the room for the pictures.
    for (let round = 0; round < ROUNDS; round++) {
      const heads = panels.map(({ head }) => head.node.offsetHeight + head.foot.offsetHeight);
      const wishes = { ...this.wishes(), head: Math.max(0, ...heads) + 4 };
      if (place && Math.abs(wishes.head - place.head) <= 1) break;
      place = arrange(wishes);
      const context = place.axes && panels[0]?.base.getContext("2d");
      const room = context && axisRoom(context, view, place.box, theme, scene.axes[1]);
      if (room) place = arrange({ ...wishes, room });
      place.head = wishes.head;
      this.apply(place, panels);
    }
    this.board.swipe.settle();
    this.measureLater();
    return place;
  }

  apply({ columns, gap, size, box }, panels) {
    const { plots, stage } = this.board;
    plots.style.gridTemplateColumns = `repeat(${columns}, ${size.width}px)`;
    plots.style.gap = `${gap}px`;
    plots.classList.toggle("turning", Boolean(stage.scene.space));
    plots.classList.toggle("small", size.width < contract.panels.least_width);
    plots.style.setProperty("--left", `${box.x}px`);
    plots.style.setProperty("--right", `${size.width - box.w - box.x}px`);
    const [width, height] = [`${size.width}px`, `${size.height}px`];
    for (const panel of panels) Object.assign(panel.plot.style, { width, height });
  }

  wishes() {
    const { stage, plots, theme } = this.board;
    const { scene, view, height, display } = stage;
    const isAlone = display.present.on || display.enlarged !== null;
    return {
      ...display.shape,
      width: plots.clientWidth,
      wish: display.enlarged === null ? scene.columns : 0,
      height: isAlone || !height ? 0 : Math.max(height, SHARE * window.innerHeight),
      aspect: view.aspect,
      bare: Boolean(scene.space),
      swiped: this.board.swipe.on,
      available: this.available(),
      type: theme.type,
    };
  }

  // Pixels from the top of the panels to the end of the window, as if nothing were scrolled: a picture
  // must not grow while the page scrolls.
  available() {
    const { stage, root } = this.board;
    const { present, pins, more } = stage.display;
    const { top, offset } = this.measure();
    const key = `${window.innerWidth}x${window.innerHeight}`;
    if (!scrolled(root) || this.key !== key) Object.assign(this, { top, key });
    this.offset = offset;
    const most = MOST_ABOVE * window.innerHeight;
    const above = present.on ? 0 : Math.min(Math.max(this.top, 0), most);
    const foot = present.on ? outer(stage.draw.bar.foot) : stage.alone ? FOOT : 0;
    const below = outer(more) + outer(pins.caption) + BELOW + foot;
    return window.innerHeight - above - offset - below;
  }

  // Top of the stage in the window, and of the pictures in the stage.
  measure() {
    const [{ top }, plots] = [this.board.root, this.board.plots].map((node) => node.getBoundingClientRect());
    return { top, offset: plots.top - top };
  }

  // The page above the pictures may still change its height after they are placed.
  measureLater() {
    this.timers?.forEach(clearTimeout);
    const measure = () => {
      const { root } = this.board;
      if (!root.isConnected || scrolled(root)) return;
      const { top, offset } = this.measure();
      if (Math.abs(top - this.top) > 1 || Math.abs(offset - this.offset) > 1)
        this.board.schedule("resize", "layout");
    };
    this.timers = LATER.map((wait) => setTimeout(measure, wait));
  }
}

// Height with the space around it.
function outer(node) {
  return node.offsetHeight ? node.offsetHeight + 14 : 0;
}

// Is any ancestor of the node scrolled?
export function scrolled(node) {
  for (let ancestor = node; ancestor; ancestor = ancestor.parentElement ?? ancestor.getRootNode().host)
    if (ancestor.scrollTop > 0) return true;
  return false;
}

// ---- on a phone: one panel at a time, in a row to be swiped, below tabs with their names ----------

const WIDEST = 640; // pixels of the stage up to which panels are swiped
const MOST = 6; // panels to be swiped; more are shown as small pictures

export class Swipe {
  // board: the Board whose panels are swiped.
  constructor(board) {
    Object.assign(this, { board, on: false, index: null });
    this.node = element("nav.tabs", { "aria-label": "Panels" });
    this.node.hidden = true;
    board.plots.parentElement.before(this.node);
    board.plots.addEventListener("scroll", () => this.scrolled(), { passive: true });
  }

  // Decide whether these panels are swiped at this width.
  arrange(width, panels) {
    const { plots } = this.board;
    this.on = width <= WIDEST && panels.length > 1 && panels.length <= MOST;
    this.index = Math.min(this.index ?? this.board.stage.scene.first, panels.length - 1);
    plots.classList.toggle("swiped", this.on);
    this.node.hidden = !this.on;
    if (!this.on) return (this.index = null); // the next time start with the scene's first panel
    plots.style.setProperty("--panels", panels.length);
    const titles = panels.map((panel) => panel.title);
    const tab = (title, i) =>
      element("button.tab", { type: "button", onclick: () => this.go(i) }, title || `Panel ${i + 1}`);
    refill(this.node, JSON.stringify(titles), () => titles.map(tab));
    this.mark();
  }

  mark() {
    for (const tab of this.node.children) tab.removeAttribute("aria-current");
    this.node.children[this.index].setAttribute("aria-current", "true");
  }

  // Keep the same panel in view after a layout.
  settle() {
    if (this.on) this.board.plots.scrollLeft = this.index * this.board.plots.clientWidth;
  }

  go(i) {
    const { plots } = this.board;
    plots.scrollTo({ left: i * plots.clientWidth, behavior: isCalm() ? "auto" : "smooth" });
  }

  scrolled() {
    if (!this.on) return;
    const { plots, stage } = this.board;
    const index = Math.round(plots.scrollLeft / Math.max(plots.clientWidth, 1));
    const panel = stage.display.visible[index];
    if (index === this.index || !panel) return;
    this.index = index;
    this.mark();
    stage.hand.show(panel);
  }

  // The panel in view; null if all are.
  get panel() {
    return this.on ? (this.board.stage.display.visible[this.index] ?? null) : null;
  }
}
