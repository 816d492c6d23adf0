// A pen with the part of a canvas's interface that the pictures use, which writes SVG: level lines,
// points and text stay vectors, a heat map is an image within.

const ROUND = 6.28; // radians from which an arc is a circle
const ENDS = { left: "start", start: "start", center: "middle", right: "end", end: "end" };

// A path in a canvas's words; numbers with two digits, a 48th of an inch being one.
export class SvgPath {
  constructor(points = []) {
    this.parts = points;
  }

  moveTo(x, y) {
    this.parts.push("M", x, y);
  }

  lineTo(x, y) {
    this.parts.push("L", x, y);
  }

  // The same path moved and scaled.
  under({ a, d, e, f }) {
    const { parts } = this;
    const moved = [];
    for (let i = 0; i < parts.length; i += 3)
      moved.push(parts[i], a * parts[i + 1] + e, d * parts[i + 2] + f);
    return new SvgPath(moved);
  }

  get data() {
    const { parts } = this;
    const words = [];
    for (let i = 0; i < parts.length; i += 3)
      words.push(`${parts[i]}${short(parts[i + 1])} ${short(parts[i + 2])}`);
    return words.join("");
  }
}

export class SvgPen {
  constructor(width, height) {
    Object.assign(this, { width, height, out: [], ids: 0, stack: [], opened: 0, path: [] });
    Object.assign(this, { fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, globalAlpha: 1 });
    Object.assign(this, { font: "12px sans-serif", textAlign: "left", textBaseline: "alphabetic" });
    Object.assign(this, { lineJoin: "miter", lineCap: "butt", imageSmoothingEnabled: true });
    this.ruler = document.createElement("canvas").getContext("2d");
    this.Path = SvgPath;
  }

  text(title) {
    const { width: w, height: h } = this;
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" ` +
      `viewBox="0 0 ${w} ${h}" role="img" aria-label="${escaped(title)}">\n` +
      `<title>${escaped(title)}</title>\n${this.out.join("\n")}\n</svg>\n`
    );
  }

  // ---- state: what restricts or moves the pen is a group, until restore ---------------------

  save() {
    const { fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, textBaseline } = this;
    const { lineJoin, lineCap, opened } = this;
    this.stack.push({
      ...{ fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, textBaseline },
      ...{ lineJoin, lineCap, opened },
    });
  }

  restore() {
    const state = this.stack.pop();
    if (!state) return;
    for (let i = this.opened; i > state.opened; i--) this.out.push("</g>");
    Object.assign(this, state);
  }

  group(attributes) {
    this.out.push(`<g ${attributes}>`);
    this.opened += 1;
  }

  translate(x, y) {
    this.group(`transform="translate(${short(x)} ${short(y)})"`);
  }

  rotate(angle) {
    this.group(`transform="rotate(${short((180 * angle) / Math.PI)})"`);
  }

  scale(x, y) {
    this.group(`transform="scale(${x} ${y})"`);
  }

  clip(rule = "nonzero") {
    const id = `c${++this.ids}`;
    this.out.push(
      `<clipPath id="${id}"><path d="${this.path.join("")}" clip-rule="${rule}"/></clipPath>`,
    );
    this.group(`clip-path="url(#${id})"`);
  }

  // ---- paths ------------------------------------------------------------------------------

  beginPath() {
    this.path = [];
  }

  moveTo(x, y) {
    this.path.push(`M${short(x)} ${short(y)}`);
  }

  lineTo(x, y) {
    this.path.push(`L${short(x)} ${short(y)}`);
  }

  closePath() {
    this.path.push("Z");
  }

  rect(x, y, w, h) {
    this.path.push(`M${short(x)} ${short(y)}h${short(w)}v${short(h)}h${short(-w)}Z`);
  }

  roundRect(x, y, w, h, r) {
    const [a, b] = [short(w - 2 * r), short(h - 2 * r)];
    const turn = (u, v) => `a${short(r)} ${short(r)} 0 0 1 ${short(u * r)} ${short(v * r)}`;
    this.path.push(
      `M${short(x + r)} ${short(y)}h${a}${turn(1, 1)}v${b}${turn(-1, 1)}h-${a}${turn(-1, -1)}v-${b}${turn(1, -1)}Z`,
    );
  }

  arc(x, y, r, start, end) {
    const at = (angle) => `${short(x + r * Math.cos(angle))} ${short(y + r * Math.sin(angle))}`;
    const size = `${short(r)} ${short(r)} 0`;
    const first = this.path.length ? "L" : "M";
    if (end - start >= ROUND) {
      const half = `${size} 1 1`;
      this.path.push(`M${at(start)}A${half} ${at(start + Math.PI)}A${half} ${at(start)}Z`);
    } else {
      const large = end - start > Math.PI ? 1 : 0;
      this.path.push(`${first}${at(start)}A${size} ${large} 1 ${at(end)}`);
    }
  }

  // ---- ink --------------------------------------------------------------------------------

  fill() {
    this.shape(this.path.join(""), `${paint("fill", this.fillStyle)}${this.alpha}`);
  }

  stroke(path = null) {
    const join = `stroke-linejoin="${this.lineJoin}" stroke-linecap="${this.lineCap}"`;
    const width = `stroke-width="${short(this.lineWidth)}"`;
    const ink = `fill="none" ${paint("stroke", this.strokeStyle)} ${width} ${join}${this.alpha}`;
    this.shape(path ? path.data : this.path.join(""), ink);
  }

  shape(data, ink) {
    if (data) this.out.push(`<path d="${data}" ${ink}/>`);
  }

  get alpha() {
    return this.globalAlpha < 1 ? ` opacity="${short(this.globalAlpha)}"` : "";
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

  clearRect() {}

  drawImage(image, x, y, w, h) {
    const place = `x="${short(x)}" y="${short(y)}" width="${short(w)}" height="${short(h)}"`;
    const still = `preserveAspectRatio="none" href="${image.toDataURL("image/png")}"`;
    this.out.push(`<image ${place} ${still}/>`);
  }

  measureText(text) {
    this.ruler.font = this.font;
    return this.ruler.measureText(text);
  }

  fillText(text, x, y, room = Infinity) {
    this.write(text, x, y, room, paint("fill", this.fillStyle));
  }

  strokeText(text, x, y, room = Infinity) {
    const width = `stroke-width="${short(this.lineWidth)}" stroke-linejoin="round"`;
    this.write(text, x, y, room, `fill="none" ${paint("stroke", this.strokeStyle)} ${width}`);
  }

  write(text, x, y, room, ink) {
    const { width, fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = this.measureText(text);
    const lower = { top: up, middle: (up - down) / 2, bottom: -down }[this.textBaseline] ?? 0;
    const squeezed =
      width > room ? ` textLength="${short(room)}" lengthAdjust="spacingAndGlyphs"` : "";
    const [, weight, size, family] = /^(bold |)([\d.]+)px (.*)$/.exec(this.font) ?? [];
    const face = `font-family="${escaped(family ?? "sans-serif")}" font-size="${size ?? 12}"`;
    const place = `x="${short(x)}" y="${short(y + lower)}" text-anchor="${ENDS[this.textAlign]}"`;
    const heavy = weight ? ' font-weight="bold"' : "";
    this.out.push(`<text ${place} ${face}${heavy}${squeezed} ${ink}>${escaped(text)}</text>`);
  }
}

function short(value) {
  return String(Math.round(100 * value) / 100);
}

// Programs that read SVG often know no rgba().
function paint(what, colour) {
  const [, r, g, b, alpha] = /^rgba\((\d+), (\d+), (\d+), ([\d.e-]+)\)$/.exec(colour) ?? [];
  if (r === undefined) return `${what}="${escaped(colour)}"`;
  const hex = [r, g, b].map((v) => Number(v).toString(16).padStart(2, "0")).join("");
  return `${what}="#${hex}"${Number(alpha) < 1 ? ` ${what}-opacity="${alpha}"` : ""}`;
}

function escaped(text) {
  return String(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
