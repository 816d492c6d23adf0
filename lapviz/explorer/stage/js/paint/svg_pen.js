// A pen that writes SVG, with the part of a canvas's interface that the pictures use: level lines, points
// and text stay vectors, a heat map is an image.

import { svg, svgBlob } from "./dom.js";
import { latest } from "../numbers/memo.js";

const ENDS = { left: "start", start: "start", center: "middle", right: "end", end: "end" };
const START = {
  ...{ fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, lineJoin: "miter", lineCap: "butt" },
  ...{ globalAlpha: 1, font: "12px sans-serif", textAlign: "left", textBaseline: "alphabetic" },
  imageSmoothingEnabled: true,
};
const FULL = 6.28; // radians from which an arc is a circle

const newRuler = latest(() => document.createElement("canvas").getContext("2d"));

// A path with a canvas's methods; numbers with two decimals.
export class SvgPath {
  data = "";

  beginPath() {
    this.data = "";
  }

  moveTo(x, y) {
    this.data += `M${placeText(x, y)}`;
  }

  lineTo(x, y) {
    this.data += `L${placeText(x, y)}`;
  }

  closePath() {
    this.data += "Z";
  }

  rect(x, y, w, h) {
    this.data += `M${placeText(x, y)}h${short(w)}v${short(h)}h${short(-w)}Z`;
  }

  // An arc, joined to the path by a line; a full circle is a subpath by itself.
  arc(x, y, r, start, end) {
    const to = (angle) => placeText(x + r * Math.cos(angle), y + r * Math.sin(angle));
    const round = `A${short(r)} ${short(r)} 0`;
    const isOpen = end - start < FULL;
    this.data += `${this.data && isOpen ? "L" : "M"}${to(start)}`;
    if (isOpen) this.data += `${round} ${end - start > Math.PI ? 1 : 0} 1 ${to(end)}`;
    else this.data += `${round} 1 1 ${to(start + Math.PI)}${round} 1 1 ${to(start)}Z`;
  }
}

export class SvgPen extends SvgPath {
  constructor(width, height) {
    super();
    const size = { width, height, viewBox: `0 0 ${width} ${height}` };
    this.root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", ...size, role: "img" });
    Object.assign(this, START, { at: this.root, stack: [], ids: 0 });
  }

  // The picture as a Blob.
  picture(title) {
    this.root.setAttribute("aria-label", title);
    this.root.prepend(svg("title", {}, title));
    return svgBlob(this.root);
  }

  add(name, attributes, ...children) {
    const node = svg(name, attributes, ...children);
    this.at.append(node);
    return node;
  }

  // ---- state: clips and transforms are groups, until restore --------------------------------

  save() {
    const state = Object.keys(START).map((name) => [name, this[name]]);
    this.stack.push({ ...Object.fromEntries(state), at: this.at });
  }

  restore() {
    Object.assign(this, this.stack.pop());
  }

  translate(x, y) {
    this.at = this.add("g", { transform: `translate(${short(x)} ${short(y)})` });
  }

  rotate(angle) {
    this.at = this.add("g", { transform: `rotate(${short((180 * angle) / Math.PI)})` });
  }

  scale(x, y) {
    this.at = this.add("g", { transform: `scale(${x} ${y})` });
  }

  clip(rule = "nonzero") {
    const id = `c${++this.ids}`;
    this.add("clipPath", { id }, svg("path", { d: this.data, "clip-rule": rule }));
    this.at = this.add("g", { "clip-path": `url(#${id})` });
  }

  // ---- ink --------------------------------------------------------------------------------

  fill() {
    this.draw(ink("fill", this.fillStyle));
  }

  stroke() {
    const line = { "stroke-linejoin": this.lineJoin, "stroke-linecap": this.lineCap };
    const width = { "stroke-width": short(this.lineWidth) };
    this.draw({ fill: "none", ...ink("stroke", this.strokeStyle), ...width, ...line });
  }

  draw(attributes) {
    const opacity = this.globalAlpha < 1 ? { opacity: short(this.globalAlpha) } : {};
    if (this.data) this.add("path", { d: this.data, ...attributes, ...opacity });
  }

  strokeRect(x, y, w, h) {
    this.beginPath();
    this.rect(x, y, w, h);
    this.stroke();
  }

  fillRect(x, y, w, h) {
    this.beginPath();
    this.rect(x, y, w, h);
    this.fill();
  }

  drawImage(image, x, y, width, height) {
    const place = { x: short(x), y: short(y), width: short(width), height: short(height) };
    if (!this.imageSmoothingEnabled) place["image-rendering"] = "pixelated";
    this.add("image", { ...place, preserveAspectRatio: "none", href: image.toDataURL("image/png") });
  }

  measureText(text) {
    const ruler = newRuler();
    ruler.font = this.font;
    return ruler.measureText(text);
  }

  fillText(text, x, y, room = Infinity) {
    this.write(text, x, y, room, ink("fill", this.fillStyle));
  }

  strokeText(text, x, y, room = Infinity) {
    const line = { "stroke-width": short(this.lineWidth), "stroke-linejoin": "round" };
    this.write(text, x, y, room, { fill: "none", ...ink("stroke", this.strokeStyle), ...line });
  }

  write(words, x, y, room, attributes) {
    const text = words.trimEnd(); // as SVG drops spaces at the end
    const { width, fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = this.measureText(text);
    const shift = { top: up, middle: (up - down) / 2, bottom: -down }[this.textBaseline] ?? 0;
    const [, weight, size, family] = /^(bold |)([\d.]+)px (.*)$/.exec(this.font);
    this.add("text", {
      ...{ x: short(x), y: short(y + shift), "text-anchor": ENDS[this.textAlign] },
      ...{ "font-family": family, "font-size": size, ...(weight && { "font-weight": "bold" }) },
      // Its width on the page, or the room it has, also where its font is missing.
      ...{ textLength: short(Math.min(width, room)), lengthAdjust: "spacingAndGlyphs" },
      ...attributes,
    }, text);
  }
}

function short(value) {
  return Math.round(100 * value) / 100;
}

function placeText(x, y) {
  return `${short(x)} ${short(y)}`;
}

// Attributes for a fill or stroke: many programs that read SVG do not know rgba().
function ink(property, colour) {
  const [, r, g, b, alpha] = /^rgba\((\d+), (\d+), (\d+), ([\d.e-]+)\)$/.exec(colour) ?? [];
  if (r === undefined) return { [property]: colour };
  const hex = [r, g, b].map((v) => Number(v).toString(16).padStart(2, "0")).join("");
  return { [property]: `#${hex}`, ...(Number(alpha) < 1 && { [`${property}-opacity`]: alpha }) };
}
