// The controls above a picture: classes, brush, eraser, move; width, opacity; undo, redo, clear; zoom.

import { check, element, setText, tool, zoomKey } from "../paint/dom.js";
import { KnobRow } from "./knobs.js";
import { Folded, ICONS, edits, range, swatch, zooms } from "./parts.js";
import { MOST_CLASSES } from "../numbers/picture_strokes.js";

const BRUSH = "M13 2.5 L7.2 8.6 L8.6 10 L13.5 4 Z M6.6 9.4 C4.6 9.4 4.6 12 2.8 12.8 C5.4 13.8 8.4 13 7.8 10.6 Z";
const RUBBER = "M6 13 L2.5 9.5 L9 3 L13 7 L7 13 H13 M5.5 6.5 L9.6 10.5";
const MOVE = "M8 2.5 V13.5 M2.5 8 H13.5 M6.5 4 L8 2.5 L9.5 4 M6.5 12 L8 13.5 L9.5 12 M4 6.5 L2.5 8 L4 9.5 M12 6.5 L13.5 8 L12 9.5";
const LINE = "M2.5 11 C5 3 10 13.5 13.5 5";
const TOOLS = {
  brush: [BRUSH, "Brush (B)"],
  eraser: [RUBBER, "Eraser: removes scribbles (E)"],
  move: [MOVE, "Move the picture (M)"],
};
export const RADIUS = { least: 0, most: 60, first: 6 };

export class PictureTools {
  // act: pick, classes, tool, radius, opacity, outline, undo, redo, clear, zoom, knob.
  constructor(act) {
    this.act = act;
    this.row = new KnobRow((...moved) => act.knob(...moved));
    this.folded = new Folded(this.row.node);
    this.fold = this.folded.node;
    this.palette = element("div.palette", { role: "radiogroup", "aria-label": "Class to scribble" });
    this.more = tool(ICONS.plus, "Add a class", () => act.classes(1));
    this.fewer = tool(ICONS.minus, "Remove the last class", () => act.classes(-1));
    this.kinds = Object.entries(TOOLS).map(([name, [path, label]]) =>
      tool(path, label, () => act.tool(name), { role: "radio" }),
    );
    const kinds = element("div.set", { role: "radiogroup", "aria-label": "Tool" }, ...this.kinds);
    const short = "input.slide.short";
    this.radius = range(short, "Radius of the brush", "Radius of the brush in pixels ([ and ])",
      [RADIUS.least, RADIUS.most], act.radius, { step: 1 });
    const opacity = "Opacity of the colours";
    this.opacity = range(short, opacity, opacity, [0, 1], act.opacity, { step: 0.05 });
    this.outline = tool(LINE, "Show where classes meet", () => act.outline());
    this.edits = edits(act, "Remove all scribbles");
    const zoom = zooms(act.zoom);
    this.whole = zoom.whole;
    const labelled = (text, node) => element("label.labelled", {}, element("span", {}, text), node);
    this.node = element(
      "div.toolbar",
      { role: "toolbar", "aria-label": "Scribbling" },
      this.fold,
      this.row.complaint,
      element("div.group", {}, this.palette, this.fewer, this.more),
      element("div.group", {}, kinds, labelled("Width", this.radius)),
      element("div.group", {}, labelled("Colours", this.opacity), this.outline),
      element("div.group.zooms", {}, ...this.edits.nodes, ...zoom.nodes),
    );
    this.hint = element("div.hint");
  }

  follow(stage) {
    const { theme, classes, code, tool: kind, history } = stage;
    const key = [theme.id, classes].join();
    if (this.arranged !== key) {
      this.arranged = key;
      const run = this.act.pick;
      this.palette.replaceChildren(
        ...Array.from({ length: classes }, (_, i) =>
          swatch(i, String(i + 1), { label: `Class ${i + 1}`, key: i + 1, theme, run })),
      );
    }
    check(this.palette.children, kind === "eraser" ? -1 : code);
    check(this.kinds, Object.keys(TOOLS).indexOf(kind));
    this.folded.follow(stage.specs);
    this.more.disabled = classes >= MOST_CLASSES;
    this.fewer.disabled = classes <= stage.fewest;
    this.edits.undo.disabled = !history.state.past.length;
    this.edits.redo.disabled = !history.state.future.length;
    this.edits.clear.disabled = !stage.strokes.length;
    this.whole.disabled = stage.frame.whole;
    this.outline.setAttribute("aria-pressed", String(stage.outline));
    if (Number(this.radius.value) !== stage.radius) this.radius.value = stage.radius;
    if (Number(this.opacity.value) !== stage.opacity) this.opacity.value = stage.opacity;
    const touch = matchMedia("(pointer: coarse)").matches;
    const words = touch
      ? "one finger: scribble · two fingers: zoom and move · double tap: whole picture"
      : `drag: scribble · 1–${classes}: class · ${zoomKey()} + wheel: zoom · arrows: move the brush, ` +
        "Space: put it down or lift it";
    setText(this.hint, words);
  }
}
