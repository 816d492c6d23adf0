// Compare: frozen copies of the panels beside the live ones, until they are taken away.

import { element, setText, tool } from "../paint/dom.js";
import { listen } from "../hands/interact.js";
import { labelsAt } from "../numbers/labels.js";
import { PanelView } from "./panel.js";
import { short } from "../numbers/view.js";

const CROSS = "M4 4 L12 12 M12 4 L4 12";

export class Pins {
  constructor(stage) {
    Object.assign(this, { stage, panels: [] });
    this.words = element("span");
    const unpin = tool(CROSS, "Take the pinned picture away", () => this.toggle());
    this.caption = element("div.pincaption", {}, this.words, unpin);
  }

  get on() {
    return this.panels.length > 0;
  }

  toggle() {
    if (this.on) this.clear();
    else this.pin();
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
      const same = !panel.grid && points.count === index.length && index.every((row, i) => row === points.index[i]);
      if (same) Object.assign(panel, { points, labels: labelsAt(panel.labels, points) });
    }
  }

  pin() {
    const { stage } = this;
    const { plots } = stage.board;
    this.panels = stage.panels.map((panel) => this.frozen(panel));
    setText(this.words, `Pinned: ${settingsLine(stage)}`);
    plots.append(this.caption, ...this.panels.map((panel) => panel.node));
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
    listen(copy.plot, copy, onlyLooks(stage.hand));
    return copy;
  }
}

// A hand that zooms and points, but sets no labels: a frozen picture has its own.
function onlyLooks(hand) {
  return {
    hover: (panel, x, y) => hand.hover(panel, x, y),
    leave: () => hand.leave(),
    drag: (dx, dy) => hand.drag(dx, dy),
    zoomAt: (factor, x, y) => hand.zoomAt(factor, x, y),
    hint: () => hand.hint(),
    press: () => {},
  };
}

// The settings that a picture stands for, as far as they shape it.
export function settingsLine({ scene, lam, filter, filters, labels }) {
  const parts = [scene.about];
  if (scene.models.some(Boolean) || !scene.hide.has("lam")) {
    const name = filters[filter]?.label;
    parts.push(`λ = ${short(lam, 2)}`, name && filter !== "tikhonov" ? name : "");
    parts.push(`${labels.length} label${labels.length === 1 ? "" : "s"}`);
  }
  return parts.filter(Boolean).join(" · ");
}
