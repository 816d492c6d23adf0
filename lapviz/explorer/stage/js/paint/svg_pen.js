// A pen with the part of a canvas's interface that the pictures use, which makes SVG: level lines,
// points and text stay vectors, a heat map is an image within.

import { svg, svgBlob } from "./dom.js";

const ENDS = { left: "start", start: "start", center: "middle", right: "end", end: "end" };
const START = {
  ...{ fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, lineJoin: "miter", lineCap: "butt" },
  ...{ globalAlpha: 1, font: "12px sans-serif", textAlign: "left", textBaseline: "alphabetic" },
};
const FULL = 6.28; // radians from which an arc is a circle

// A path in a canvas's words, moved and scaled by a matrix; numbers with two digits.
export class SvgPath {
  constructor({ a, d, e, f } = { a: 1, d: 1, e: 0, f: 0 }) {
    this.data = "";
    this.place = (x, y) => `${short(a * x + e)} ${short(d * y + f)}`;
  }

  beginPath() {
    this.data = "";
  }

  moveTo(x, y) {
    this.data += `M${this.place(x, y)}`;
  }

  lineTo(x, y) {
    this.data += `L${this.place(x, y)}`;
  }

  closePath() {
    this.data += "Z";
  }

  rect(x, y, w, h) {
    this.data += `M${this.place(x, y)}h${short(w)}v${short(h)}h${short(-w)}Z`;
  }

  // After moveTo or lineTo to its start, or alone.
  arc(x, y, r, start, end) {
    const to = (angle) => this.place(x + r * Math.cos(angle), y + r * Math.sin(angle));
    const round = `A${short(r)} ${short(r)} 0`;
    const part = end - start < FULL;
    this.data += `${this.data && part ? "L" : "M"}${to(start)}`;
    if (part) this.data += `${round} ${end - start > Math.PI ? 1 : 0} 1 ${to(end)}`;
    else this.data += `${round} 1 1 ${to(start + Math.PI)}${round} 1 1 ${to(start)}Z`;
  }
}

export class SvgPen extends SvgPath {
  constructor(width, height) {
    super();
    const size = { width, height, viewBox: `0 0 ${width} ${height}` };
    this.root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", ...size, role: "img" });
    Object.assign(this, START, { at: this.root, stack: [], ids: 0 });
    this.ruler = document.createElement("canvas").getContext("2d");
  }

  // As a Blob.
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

  // ---- state: what restricts or moves the pen is a group, until restore ---------------------

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

  // For lines in other coordinates.
  newPath(matrix) {
    return new SvgPath(matrix);
  }

  // ---- ink --------------------------------------------------------------------------------

  fill() {
    this.draw(this, ink("fill", this.fillStyle));
  }

  stroke(path = this) {
    const line = { "stroke-linejoin": this.lineJoin, "stroke-linecap": this.lineCap };
    const width = { "stroke-width": short(this.lineWidth) };
    this.draw(path, { fill: "none", ...ink("stroke", this.strokeStyle), ...width, ...line });
  }

  draw({ data }, look) {
    const clear = this.globalAlpha < 1 ? { opacity: short(this.globalAlpha) } : {};
    if (data) this.add("path", { d: data, ...look, ...clear });
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
    this.add("image", { ...place, preserveAspectRatio: "none", href: image.toDataURL("image/png") });
  }

  measureText(text) {
    this.ruler.font = this.font;
    return this.ruler.measureText(text);
  }

  fillText(text, x, y, room = Infinity) {
    this.write(text, x, y, room, ink("fill", this.fillStyle));
  }

  strokeText(text, x, y, room = Infinity) {
    const line = { "stroke-width": short(this.lineWidth), "stroke-linejoin": "round" };
    this.write(text, x, y, room, { fill: "none", ...ink("stroke", this.strokeStyle), ...line });
  }

  write(text, x, y, room, look) {
    const { width, fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = this.measureText(text);
    const lower = { top: up, middle: (up - down) / 2, bottom: -down }[this.textBaseline] ?? 0;
    const [, weight, size, family] = /^(bold |)([\d.]+)px (.*)$/.exec(this.font);
    const squeezed = { textLength: short(room), lengthAdjust: "spacingAndGlyphs" };
    this.add("text", {
      ...{ x: short(x), y: short(y + lower), "text-anchor": ENDS[this.textAlign] },
      ...{ "font-family": family, "font-size": size, ...(weight && { "font-weight": "bold" }) },
      ...(width > room && squeezed),
      ...look,
    }, text);
  }
}

function short(value) {
  return Math.round(100 * value) / 100;
}

// Programs that read SVG often know no rgba().
function ink(what, colour) {
  const [, r, g, b, alpha] = /^rgba\((\d+), (\d+), (\d+), ([\d.e-]+)\)$/.exec(colour) ?? [];
  if (r === undefined) return { [what]: colour };
  const hex = [r, g, b].map((v) => Number(v).toString(16).padStart(2, "0")).join("");
  return { [what]: `#${hex}`, ...(Number(alpha) < 1 && { [`${what}-opacity`]: alpha }) };
}
