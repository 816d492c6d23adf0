// Controls above a picture: classes, brush, eraser, move, width, undo; behind “More” the sliders of the
// method, opacity, outline and zoom.

import contract from "../../../../contract.json";
import icons from "./icons.json";
import { check, element, isTouched, setText, tool, zoomKey } from "../paint/dom.js";
import { KnobRow } from "./knob.js";
import { More } from "./more.js";
import { choices, edits, paintTools, range, refill, setPressed, swatch, zooms } from "./parts.js";

const TITLES = ["Brush (B)", "Eraser: removes scribbles (E)", "Move the picture (M)"];
export const RADIUS = { least: 0, most: 60, first: 6 };

export class PictureTools {
  constructor(stage) {
    this.row = new KnobRow((...change) => stage.setKnob(...change));
    this.palette = element("div.palette", { role: "radiogroup", "aria-label": "Class to scribble" });
    this.more = tool(icons.plus, "Add a class", () => stage.setClasses(stage.classes + 1));
    this.fewer = tool(icons.minus, "Remove the last class", () => stage.setClasses(stage.classes - 1));
    this.kinds = choices("div.set", "Tool", paintTools(...TITLES), (tool) => stage.set({ tool }));
    const spec = "input.slide.short";
    this.radius = range(spec, "Radius of the brush", "Radius of the brush in pixels ([ and ])",
      [RADIUS.least, RADIUS.most], (radius) => stage.setRadius(radius), { step: 1 });
    const opacity = "Opacity of the colours";
    this.opacity = range(spec, opacity, opacity, [0, 1], (value) => stage.set({ opacity: value }),
      { step: 0.05 });
    const toggleOutline = () => stage.set({ outline: !stage.outline });
    this.outline = tool(icons.line, "Borders: show where classes meet", toggleOutline, "Borders");
    this.edits = edits(stage, "remove all scribbles");
    this.zooms = zooms(stage);
    this.moreBox = new More(() => stage.schedule());
    const labelled = (text, node) => element("label.labelled", {}, element("span", {}, text), node);
    const colours = element("div.group", {}, labelled("Colours", this.opacity), this.outline);
    const settings = element("div.settings", {}, this.row.node);
    this.moreBox.node.append(settings, element("div.tools", {}, colours, this.zooms.node));
    const bar = element("div.bar", {},
      element("div.group.labels", {}, this.palette, this.fewer, this.more),
      element("div.group", {}, this.kinds.node, labelled("Width", this.radius)),
      this.edits.node, this.moreBox.button);
    this.node = element("div.toolbar", { role: "toolbar", "aria-label": "Scribbling" },
      bar, this.row.complaint, this.moreBox.node);
    this.hint = element("div.hint");
  }

  follow(stage) {
    const { theme, classes, code, tool: kind, stack } = stage;
    const choose = (code) => stage.pick(code);
    const paint = (_, i) => swatch(i, String(i + 1), { label: `Class ${i + 1}`, key: i + 1, theme, choose });
    refill(this.palette, `${theme.id} ${classes}`, () => Array.from({ length: classes }, paint));
    check(this.palette.children, kind === "eraser" ? -1 : code);
    this.kinds.check(kind);
    this.more.disabled = classes >= contract.changes.picture.classes.most;
    this.fewer.disabled = classes <= stage.fewestClasses;
    this.edits.follow(stack, stage.strokes.length);
    this.zooms.follow(stage.frame);
    setPressed(this.outline, stage.outline);
    if (Number(this.radius.value) !== stage.radius) this.radius.value = stage.radius;
    if (Number(this.opacity.value) !== stage.opacity) this.opacity.value = stage.opacity;
    const text = isTouched()
      ? "one finger: scribble · two fingers: zoom and move · double tap: whole picture"
      : `drag: scribble · 1–${classes}: class · ${zoomKey()} + wheel: zoom · arrows: move the brush, ` +
        "Space: put it down or lift it";
    setText(this.hint, text);
  }
}
