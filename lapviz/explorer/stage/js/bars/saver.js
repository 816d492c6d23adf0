// The tool that saves a picture of the stage: format, size, file.

import icons from "./icons.json";
import { menu } from "./parts.js";
import { element, save, setText, show, tool } from "../paint/dom.js";

const SIZES = ["1280x720", "1920x1080", "3840x2160", "1080x1080"];
const [LEAST, MOST] = [200, 7680];
const TOO_LARGE = "This browser cannot create a picture of that size: choose a smaller one.";

export class Saver {
  // render(format, width, height): promises a Blob; changed: called when the row was opened or closed.
  constructor(render, changed) {
    Object.assign(this, { render, changed });
    this.tool = tool(icons.save, "Save a picture (PNG or SVG)", () => this.toggle(), "Save");
    const kinds = [["png", "PNG"], ["svg", "SVG"]];
    this.kind = menu("select.choice", "Format", null, () => {}, kinds);
    const sizes = SIZES.map((size) => [size, size.replace("x", " × ")]);
    const showFields = () => show(this.customSize, this.size.value === "own");
    this.size = menu("select.choice", "Size in pixels", null, showFields, [...sizes, ["own", "custom size"]]);
    this.size.value = "1920x1080";
    const field = (name, value) =>
      element("input.number", { type: "number", min: LEAST, max: MOST, value, "aria-label": name });
    this.width = field("Width in pixels", 1600);
    this.height = field("Height in pixels", 900);
    this.customSize = element("span.pair", {}, this.width, "×", this.height);
    const button = element("button.words-tool", { type: "button", onclick: () => this.save() }, "Save");
    this.status = element("span", { role: "status" });
    this.node = element("div.saver", { role: "group", "aria-label": "Save a picture" },
      this.kind, this.size, this.customSize, button, this.status);
    this.toggle(false);
    showFields();
  }

  toggle(on = !this.shown) {
    this.shown = on;
    show(this.node, on);
    this.tool.setAttribute("aria-expanded", String(on));
    setText(this.status, "");
    this.changed();
    if (on) this.kind.focus();
  }

  get chosen() {
    if (this.size.value !== "own") return this.size.value.split("x").map(Number);
    return [this.width, this.height].map((field) => {
      const side = Math.min(Math.max(Math.round(Number(field.value)) || LEAST, LEAST), MOST);
      field.value = side;
      return side;
    });
  }

  async save() {
    const kind = this.kind.value;
    const [width, height] = this.chosen;
    const warn = (error) => console.warn("lapviz picture:", error);
    const blob = await this.render(kind, width, height).catch(warn);
    if (!blob) return setText(this.status, TOO_LARGE);
    save(blob, `lapviz-${width}x${height}.${kind}`);
    setText(this.status, `Saved: ${width} × ${height}, ${kind.toUpperCase()}`);
    this.changed(); // the stage's rasters were used at another size
  }
}
