// Tools that label: point by point, brush, lasso; whether a click adds a candidate class; and a
// sentence about tools without effect. One node, which the toolbar appends.

import { check, element, setText, show, tool } from "../paint/dom.js";
import { range } from "./parts.js";

const POINT = "M4 2.5 L4 12 L6.6 9.6 L8.4 13.4 L10 12.7 L8.3 9 L11.8 8.8 Z";
const BRUSH = "M8 2.8 A5.2 5.2 0 1 1 8 13.2 A5.2 5.2 0 1 1 8 2.8 M8 7 V9 M7 8 H9";
const LASSO = "M3 7 C3 3.6 13 3.6 13 7 C13 10.2 6.4 10.6 5 9.2 C4 8.2 6 7.6 6 9.4 C6 11 5 12.6 3.4 13";
const SEVERAL = "M6.2 4.5 A3.5 3.5 0 1 0 6.2 11.5 A3.5 3.5 0 1 0 6.2 4.5 M12 5.5 V10.5 M9.5 8 H14.5";

// name: [icon, label]
const KINDS = {
  point: [POINT, "Label single points"],
  brush: [BRUSH, "Brush: label all points under the circle"],
  lasso: [LASSO, "Lasso: label all points inside a loop"],
};
const RADIUS = { least: 6, most: 60, first: 18 }; // pixels

export class Tools {
  constructor(changed) {
    Object.assign(this, { kind: "point", radius: RADIUS.first, also: false, changed });
    this.buttons = Object.entries(KINDS).map(([kind, [path, label]]) =>
      tool(path, label, () => this.choose(kind), { role: "radio" }),
    );
    this.group = element(
      "div.set",
      { role: "radiogroup", "aria-label": "How labels are set" },
      ...this.buttons,
    );
    const radius = (pixels) => {
      this.radius = pixels;
      this.changed();
    };
    this.slider = range("input.radius", "Radius of the brush in pixels", "Radius of the brush",
      [RADIUS.least, RADIUS.most], radius, { value: RADIUS.first });
    const several = "Add a candidate class to a labelled point (or Shift + click)";
    this.several = tool(SEVERAL, several, () => {
      this.also = !this.also;
      this.changed();
    });
    this.remark = element("div.remark", { role: "note" });
    this.node = element("div.group.marking", {}, this.group, this.slider, this.several);
    for (const node of [this.node, this.remark]) show(node, false); // until there is a scene
  }

  // Does a stroke label what is inside it?
  get strokes() {
    return this.kind !== "point";
  }

  choose(kind) {
    this.kind = kind;
    this.changed();
  }

  // Follow the scene: nothing to choose where labels cannot be set.
  follow({ scene, board }) {
    const classes = scene.kind === "classes" && scene.classes.length > 1;
    const shown = scene.editable && classes;
    if (!shown) Object.assign(this, { kind: "point", also: false });
    show(this.node, shown);
    show(this.slider, this.kind === "brush");
    check(this.buttons, Object.keys(KINDS).indexOf(this.kind));
    this.several.setAttribute("aria-pressed", String(this.also));
    board.plots.classList.toggle("strokes", this.strokes);
    setText(this.remark, scene.remark ?? "");
    show(this.remark, scene.remark);
  }
}
