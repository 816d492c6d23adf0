// Where the panels stand on the page: measured room, and the layout set on their nodes.

import contract from "../../../../contract.json";
import { axisRoom } from "../paint/axes.js";
import { NARROW, arrange } from "./layout.js";

const MOST_ABOVE = 0.34; // share of the window above the stage that its pictures make room for
const BELOW = 10; // pixels to the window's end
const FOOT = 118; // pixels of a saved page's text below the stage
const ROUNDS = 3;
const LATER = [250, 1200]; // milliseconds after which the page above may have moved the stage

export class Place {
  constructor(board) {
    Object.assign(this, { board, top: 0 });
  }

  destroy() {
    this.timers?.forEach(clearTimeout);
  }

  // The layout that fits, as arrange() gives it, set on every visible panel.
  find() {
    const { stage, root, theme } = this.board;
    const { scene, view, display } = stage;
    const kind = root.clientWidth < NARROW ? "narrow" : "wide";
    if (root.dataset.size !== kind) this.board.toolbar.fold.open = kind === "wide";
    root.dataset.size = kind;
    display.follow();
    const panels = display.visible;
    this.swiped = this.board.swipe.arrange(root.clientWidth, panels);
    let place = null;
    // The axis takes room as its numbers need it, heads as their titles break into lines.
    for (let round = 0; round < ROUNDS; round++) {
      const wishes = { ...this.wishes(), head: headroom(panels) };
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
    const { plots } = this.board;
    plots.style.gridTemplateColumns = `repeat(${columns}, ${size.width}px)`;
    plots.style.gap = `${gap}px`;
    plots.classList.toggle("turning", Boolean(this.board.stage.scene.space));
    plots.classList.toggle("small", size.width < contract.panels.least_width);
    plots.style.setProperty("--left", `${box.x}px`);
    plots.style.setProperty("--right", `${size.width - box.w - box.x}px`);
    for (const panel of panels) {
      panel.plot.style.width = `${size.width}px`;
      panel.plot.style.height = `${size.height}px`;
    }
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
      swiped: this.swiped,
      available: this.available(),
      type: theme.type,
    };
  }

  // Pixels from the panels' top to the window's end, before anything is scrolled away: a picture
  // must not grow while one scrolls.
  available() {
    const { stage, root, plots } = this.board;
    const { present, pins, more } = stage.display;
    const { top } = root.getBoundingClientRect();
    const key = `${window.innerWidth}x${window.innerHeight}`;
    if (!scrolled(root) || this.key !== key) Object.assign(this, { top, key });
    const offset = (this.offset = plots.getBoundingClientRect().top - root.getBoundingClientRect().top);
    const most = MOST_ABOVE * window.innerHeight;
    const above = present.on ? 0 : Math.min(Math.max(this.top, 0), most);
    const below = outer(more) + outer(pins.caption) + BELOW + (stage.alone && !present.on ? FOOT : 0);
    return window.innerHeight - above - offset - below;
  }

  // What stands above the pictures may come, go and change its height later than they.
  lookAgain() {
    this.destroy();
    this.timers = LATER.map((wait) =>
      setTimeout(() => {
        const { root } = this.board;
        if (!root.isConnected || scrolled(root)) return;
        const { top } = root.getBoundingClientRect();
        const offset = this.board.plots.getBoundingClientRect().top - top;
        if (Math.abs(top - this.top) > 1 || Math.abs(offset - this.offset) > 1)
          this.board.schedule("resize", "layout");
      }, wait),
    );
  }
}

function headroom(panels) {
  return Math.max(0, ...panels.map((panel) => panel.head.node.offsetHeight)) + 4;
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
