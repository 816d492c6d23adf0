// Tools that label: point by point, brush, lasso; whether a click adds a candidate class; and a
// sentence about tools without effect. One node, which the toolbar appends.

import { element, icon, setText } from "../paint/dom.js";

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
      element(
        "button.tool",
        {
          type: "button",
          role: "radio",
          title: label,
          "aria-label": label,
          onclick: () => this.choose(kind),
        },
        icon(path),
      ),
    );
    this.group = element(
      "div.set",
      { role: "radiogroup", "aria-label": "How labels are set" },
      ...this.buttons,
    );
    this.slider = element("input.radius", {
      type: "range",
      min: RADIUS.least,
      max: RADIUS.most,
      value: RADIUS.first,
      "aria-label": "Radius of the brush in pixels",
      title: "Radius of the brush",
      oninput: () => {
        this.radius = Number(this.slider.value);
        this.changed();
      },
    });
    const several = "Add a candidate class to a labelled point (or Shift + click)";
    this.several = element(
      "button.tool",
      {
        type: "button",
        title: several,
        "aria-label": several,
        onclick: () => {
          this.also = !this.also;
          this.changed();
        },
      },
      icon(SEVERAL),
    );
    this.remark = element("div.remark", { role: "note" });
    this.node = element("div.group.marking", {}, this.group, this.slider, this.several);
    for (const node of [this.node, this.remark]) node.style.display = "none"; // until there is a scene
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
    this.node.style.display = shown ? "" : "none";
    this.slider.style.display = this.kind === "brush" ? "" : "none";
    Object.keys(KINDS).forEach((kind, i) =>
      this.buttons[i].setAttribute("aria-checked", String(kind === this.kind)),
    );
    this.several.setAttribute("aria-pressed", String(this.also));
    board.plots.classList.toggle("strokes", this.strokes);
    setText(this.remark, scene.remark ?? "");
    this.remark.style.display = scene.remark ? "" : "none";
  }
}
