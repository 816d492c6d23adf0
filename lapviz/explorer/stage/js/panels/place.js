// Where the panels stand on the page: measured room, and the layout set on their nodes.

import contract from "../../../../contract.json";
import { axisRoom } from "../paint/axes.js";
import { refill } from "../bars/parts.js";
import { element, isCalm } from "../paint/dom.js";
import { arrange, markSize } from "./layout.js";

const MOST_ABOVE = 0.34; // share of the window above the stage that its pictures make room for
const BELOW = 10; // pixels to the window's end
const FOOT = 118; // pixels of a saved page's text below the stage
const ROUNDS = 3;
const LATER = [250, 1200]; // milliseconds after which the page above may have moved the stage

export class Place {
  constructor(board) {
    Object.assign(this, { board, top: 0 });
  }

  // The layout that fits, as arrange() gives it, set on every visible panel.
  find() {
    const { stage, root, theme } = this.board;
    const { scene, view, display } = stage;
    markSize(root);
    display.follow();
    const panels = display.visible;
    this.board.swipe.arrange(root.clientWidth, panels);
    let place = null;
    // The axis takes room as its numbers need it, heads as their titles break into lines.
    for (let round = 0; round < ROUNDS; round++) {
      const heads = panels.map(({ head }) => head.node.offsetHeight + head.foot.offsetHeight);
      const wishes = { ...this.wishes(), head: Math.max(0, ...heads) + 4 };
      if (place && Math.abs(wishes.head - place.head) <= 1) break;
      place = arrange(wishes);
      const context = place.axes && panels[0]?.base.getContext("2d");
      const room = context && axisRoom(context, view, place.box, theme, scene.axes[1]);
      if (room) place = arrange({ ...wishes, room });
      place.head = wishes.head;
      this.put(place, panels);
    }
    this.board.swipe.settle();
    this.lookAgain();
    return place;
  }

  put({ columns, gap, size, box }, panels) {
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
    const whole = display.present.on || display.enlarged !== null;
    return {
      ...display.shape,
      width: plots.clientWidth,
      wish: display.enlarged === null ? scene.columns : 0,
      height: whole ? 0 : height,
      aspect: view.aspect,
      bare: Boolean(scene.space),
      swiped: this.board.swipe.on,
      available: this.available(),
      type: theme.type,
    };
  }

  // Pixels from the panels' top to the window's end, before anything is scrolled away: a picture
  // must not grow while one scrolls.
  available() {
    const { stage, root } = this.board;
    const { present, pins, more } = stage.display;
    const { top, offset } = this.measure();
    const key = `${window.innerWidth}x${window.innerHeight}`;
    if (!scrolled(root) || this.key !== key) Object.assign(this, { top, key });
    this.offset = offset;
    const most = MOST_ABOVE * window.innerHeight;
    const above = present.on ? 0 : Math.min(Math.max(this.top, 0), most);
    const below = outer(more) + outer(pins.caption) + BELOW + (stage.alone && !present.on ? FOOT : 0);
    return window.innerHeight - above - offset - below;
  }

  // Where the stage begins in the window, and its pictures in the stage.
  measure() {
    const [{ top }, plots] = [this.board.root, this.board.plots].map((node) => node.getBoundingClientRect());
    return { top, offset: plots.top - top };
  }

  // What stands above the pictures may come, go and change its height later than they.
  lookAgain() {
    this.timers?.forEach(clearTimeout);
    const look = () => {
      const { root } = this.board;
      if (!root.isConnected || scrolled(root)) return;
      const { top, offset } = this.measure();
      if (Math.abs(top - this.top) > 1 || Math.abs(offset - this.offset) > 1)
        this.board.schedule("resize", "layout");
    };
    this.timers = LATER.map((wait) => setTimeout(look, wait));
  }
}

// Height with the space around it.
function outer(node) {
  return node.offsetHeight ? node.offsetHeight + 14 : 0;
}

// Is anything scrolled that the node is in?
export function scrolled(node) {
  for (let at = node; at; at = at.parentElement ?? at.getRootNode().host)
    if (at.scrollTop > 0) return true;
  return false;
}

// ---- on a phone: one panel at a time, in a row that is swiped, under a navigation with their names ----

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

  // Decides for this width and these panels.
  arrange(width, panels) {
    const { plots } = this.board;
    this.on = width <= WIDEST && panels.length > 1 && panels.length <= MOST;
    this.at = Math.min(this.at ?? this.board.stage.scene.first, panels.length - 1);
    plots.classList.toggle("swiped", this.on);
    this.node.hidden = !this.on;
    if (!this.on) this.at = null; // of the next layout with one panel at a time: the scene's first
    if (!this.on) return;
    const titles = panels.map(({ panel }) => panel.title);
    const tab = (title, i) =>
      element("button.tab", { type: "button", onclick: () => this.go(i) }, title || `Panel ${i + 1}`);
    refill(this.node, JSON.stringify(titles), () => titles.map(tab));
    this.mark();
  }

  mark() {
    for (const tab of this.node.children) tab.removeAttribute("aria-current");
    this.node.children[this.at].setAttribute("aria-current", "true");
  }

  // After a layout the same panel stays in view.
  settle() {
    if (this.on) this.board.plots.scrollLeft = this.at * this.board.plots.clientWidth;
  }

  go(i) {
    const { plots } = this.board;
    plots.scrollTo({ left: i * plots.clientWidth, behavior: isCalm() ? "auto" : "smooth" });
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
