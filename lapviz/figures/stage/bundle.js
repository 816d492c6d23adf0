// Built by esbuild (build.mjs) from js/, vendor/ and contract.json: edit those, not this.
// sources: sha256 6e9b0dadc7f23a7ac7161f9dfda699676bf4150f39fc427993af348b2774784f
// Holds d3-contour and d3-array, ISC, see LICENSE-d3.txt.
var __defProp = Object.defineProperty;
var __export = (target, all) => {
  for (var name2 in all)
    __defProp(target, name2, { get: all[name2], enumerable: true });
};

// js/bars/icons.json
var icons_default = {
  grow: "M9.5 3 H13 V6.5 M13 3 L9 7 M6.5 13 H3 V9.5 M3 13 L7 9",
  shrink: "M13 7 H9 V3 M9 7 L13.5 2.5 M3 9 H7 V13 M7 9 L2.5 13.5",
  cross: "M4 4 L12 12 M12 4 L4 12",
  scale: "M2.5 6 H13.5 M2.5 10 H13.5 M5 3.5 L2.5 6 L5 8.5 M11 7.5 L13.5 10 L11 12.5",
  errors: "M13 8 A5 5 0 1 1 3 8 A5 5 0 1 1 13 8 M6.2 6.2 L9.8 9.8 M9.8 6.2 L6.2 9.8",
  compare: "M2.5 3.5 H7 V12.5 H2.5 Z M9 3.5 H13.5 V12.5 H9 Z",
  present: "M2.5 3 H13.5 V10.5 H2.5 Z M8 10.5 V13 M5 13.5 L8 11.5 L11 13.5",
  images: "M2.5 3 H13.5 V13 H2.5 Z M2.5 11.5 L6 8 L8.5 10.5 L11 8.5 L13.5 11 M10.8 5.8 V5.9",
  pencil: "M3 13 L3.8 9.9 L10.8 2.9 L13.1 5.2 L6.1 12.2 Z M9.5 4.2 L11.8 6.5",
  paint: "M13.5 2.5 L7.5 8.5 M7.5 8.5 C5.5 8 4 9.2 3.9 11 C3.8 12.3 3 13 2.3 13.2 C4.5 14.2 8.6 13.6 8.7 10.4 C8.7 9.6 8.2 8.9 7.5 8.5",
  erase: "M2.5 10 L9 3.5 L13 7.5 L7.5 13 H5.5 Z M5.7 6.8 L9.8 10.8 M7.5 13 H13.5",
  drag: "M8 2 V14 M2 8 H14 M8 2 L6.2 3.8 M8 2 L9.8 3.8 M8 14 L6.2 12.2 M8 14 L9.8 12.2 M2 8 L3.8 6.2 M2 8 L3.8 9.8 M14 8 L12.2 6.2 M14 8 L12.2 9.8",
  empty: "M4 2.5 H9.5 L12.5 5.5 V13.5 H4 Z M9.5 2.5 V5.5 H12.5",
  down: "M8 2.5 V10 M5 7 L8 10 L11 7 M3 12.5 H13",
  label: "M2.5 7.5 L7.5 2.5 H13.5 V8.5 L8.5 13.5 Z M10.5 5.5 V5.6",
  point: "M4 2.5 L4 12 L6.6 9.6 L8.4 13.4 L10 12.7 L8.3 9 L11.8 8.8 Z",
  circle: "M8 2.8 A5.2 5.2 0 1 1 8 13.2 A5.2 5.2 0 1 1 8 2.8 M8 7 V9 M7 8 H9",
  lasso: "M3 7 C3 3.6 13 3.6 13 7 C13 10.2 6.4 10.6 5 9.2 C4 8.2 6 7.6 6 9.4 C6 11 5 12.6 3.4 13",
  several: "M6.2 4.5 A3.5 3.5 0 1 0 6.2 11.5 A3.5 3.5 0 1 0 6.2 4.5 M12 5.5 V10.5 M9.5 8 H14.5",
  brush: "M13 2.5 L7.2 8.6 L8.6 10 L13.5 4 Z M6.6 9.4 C4.6 9.4 4.6 12 2.8 12.8 C5.4 13.8 8.4 13 7.8 10.6 Z",
  rubber: "M6 13 L2.5 9.5 L9 3 L13 7 L7 13 H13 M5.5 6.5 L9.6 10.5",
  move: "M8 2.5 V13.5 M2.5 8 H13.5 M6.5 4 L8 2.5 L9.5 4 M6.5 12 L8 13.5 L9.5 12 M4 6.5 L2.5 8 L4 9.5 M12 6.5 L13.5 8 L12 9.5",
  line: "M2.5 11 C5 3 10 13.5 13.5 5",
  save: "M3 10.5 V13 H13 V10.5 M8 2.5 V10 M5 7.2 L8 10.2 L11 7.2",
  more: "M2.5 4.5 H8 M12 4.5 H13.5 M8 3 V6 M12 3 V6 M8 3 H12 M8 6 H12 M2.5 11.5 H4 M8 11.5 H13.5 M4 10 V13 M8 10 V13 M4 10 H8 M4 13 H8",
  letters: "M2.5 3.5 C5.5 2.5 6.5 4.5 7.5 7 L10 13 C10.5 13.8 12 13.8 13 12.5 M7.3 7 L3.5 13.5",
  play: "M4.5 3 L13 8 L4.5 13 Z",
  pause: "M5 3 V13 M11 3 V13",
  undo: "M3 6 H10 A3.5 3.5 0 0 1 10 13 H6 M3 6 L6 3 M3 6 L6 9",
  redo: "M13 6 H6 A3.5 3.5 0 0 0 6 13 H10 M13 6 L10 3 M13 6 L10 9",
  clear: "M3 4.5 H13 M6 4.5 V3 H10 V4.5 M4.5 4.5 L5.2 13 H10.8 L11.5 4.5",
  plus: "M8 3.5 V12.5 M3.5 8 H12.5",
  minus: "M3.5 8 H12.5",
  whole: "M3 6 V3 H6 M10 3 H13 V6 M13 10 V13 H10 M6 13 H3 V10"
};

// js/paint/colour.js
var colour_exports = {};
__export(colour_exports, {
  SHAPES: () => SHAPES,
  STEPS: () => STEPS,
  blend: () => blend,
  classColour: () => classColour,
  css: () => css,
  fade: () => fade,
  fromLab: () => fromLab,
  gradient: () => gradient,
  makeTheme: () => makeTheme,
  packed: () => packed,
  parseColour: () => parseColour,
  table: () => table,
  toLab: () => toLab,
  unfade: () => unfade,
  unpacked: () => unpacked
});

// ../../contract.json
var contract_default = {
  lam: { least: 1e-6, most: 1e4, limit: 1e12 },
  knobs: {
    lam: {
      name: "lam",
      symbol: "λ",
      label: "Smoothness λ",
      help: "More makes the estimate smoother along the data, less follows the labels: the weight of the Dirichlet energy.",
      scale: "log",
      step: 20,
      smooth: true,
      value: 1
    },
    mode: {
      name: "mode",
      symbol: "",
      label: "Mode shown large",
      help: "One panel on the whole stage; Escape shows all of them.",
      scale: "linear",
      step: 1,
      whole: true,
      low: 0,
      high: 15,
      value: 0
    }
  },
  labels: { digits: 6, zero: 1e-6 },
  message: {
    most_rev: 9007199254740991,
    in_browser: ["lam", "filter", "labels"],
    tools: ["lam", "filter", "labels", "zoom", "tools"]
  },
  changes: {
    stage: {
      lam: { is: "number", least: 0, most: 1e12 },
      filter: { is: "name" },
      labels: { is: "rows", most: 5e3, of_data: true },
      drawing: { is: "rows", most: 5004 },
      story: { is: "name" }
    },
    curve: {
      path: { is: "name", of_data: true },
      step: { is: "number", whole: true, least: 0, most: 200, of_data: true },
      handles: { is: "rows", most: 30, size: 100, of_data: true }
    },
    picture: {
      strokes: { is: "rows", most: 2e4, of_data: true },
      classes: { is: "number", whole: true, least: 2, most: 9, of_data: true }
    }
  },
  drawing: {
    version: 1,
    bits: 12,
    most: 5e3,
    most_in_link: 500,
    classes: 10,
    sheet: [-1, -1, 48828125e-11, 48828125e-11]
  },
  accuracy: { words: "accuracy {} %", digits: 1 },
  blob: { start: 16, half_top: 32768 },
  srgb: { bend: 0.04045, linear_bend: 31308e-7, slope: 12.92, offset: 0.055, power: 2.4 },
  oklab: {
    to_cones: [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005]
    ],
    to_lab: [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766]
    ]
  },
  shapes: [
    "circle",
    "square",
    "triangle",
    "diamond",
    "plus",
    "wedge",
    "star",
    "cross",
    "pentagon",
    "hexagon"
  ],
  themes: {
    light: {
      classes: [
        "#0072b2",
        "#e07b00",
        "#009e73",
        "#c65a97",
        "#56b4e9",
        "#d23a00",
        "#d9c400",
        "#7a2f8f",
        "#8a5a2b",
        "#7f8790"
      ],
      cold: ["#0b3c78", "#5aa2d6"],
      warm: ["#f0a04a", "#9c3b00"],
      line: "#141820",
      halo: "#ffffff",
      outline: "#101218"
    },
    dark: {
      classes: [
        "#4aa8ff",
        "#ffa53d",
        "#22c793",
        "#f08cc4",
        "#9bdcff",
        "#ff6b3d",
        "#f5e663",
        "#b98af0",
        "#c99a63",
        "#a6adb8"
      ],
      cold: ["#a8dcff", "#2f86cc"],
      warm: ["#d07a20", "#ffd9a0"],
      line: "#ffffff",
      halo: "#0a0c10",
      outline: "#ffffff"
    }
  },
  fade: { power: 0.5, knee: 0.62, weakest: 0.14, range: 0.76 },
  scale: { flat_below: 0.05, flat_room: 2 },
  near: { quantile: 0.9, least: 0.02, inner: 2.5, outer: 8, cover: 0.72 },
  type: { least: 12, present: 20 },
  lines: {
    faint_below: 2e-3,
    nothing_below: 1e-9,
    least_rest: 1e-3,
    count: { many: 2, classes: 3, functions: 4 },
    thin_width: 0.8,
    thin_alpha: 0.26,
    zero_width: 1.9,
    zero_width_many: 1.3,
    faint_width: 1.1,
    faint_width_many: 0.8,
    faint_alpha: 0.35,
    zero_alpha: 0.85
  },
  dots: { many: 1200, alpha: 0.55, alpha_many: 0.42, enlarged: 1.7, cross: 1.5, cross_many: 0.8, few: 60 },
  panels: {
    many: 6,
    in_a_row: 3,
    columns: 4,
    first: 8,
    least_width: 215,
    least_width_many: 150,
    pixels: 420,
    pixels_many: 200
  }
};

// js/paint/colour.js
var STEPS = 512;
var SHAPES = contract_default.shapes;
var { fade: FADE, oklab: OKLAB, srgb: SRGB } = contract_default;
function parseColour(text, fallback = [255, 255, 255]) {
  const hex = /^#([\da-f]{3,8})$/i.exec(text?.trim() ?? "");
  if (hex) {
    const digits = hex[1].length < 6 ? [...hex[1]].map((d) => d + d).join("") : hex[1];
    return [0, 2, 4].map((i) => parseInt(digits.slice(i, i + 2), 16));
  }
  const parts = /^rgba?\(([^)]+)\)/.exec(text?.trim() ?? "");
  if (!parts) return fallback;
  return parts[1].split(/[\s,/]+/, 3).map(Number);
}
function css([r, g, b2], alpha = 1) {
  return `rgba(${Math.round(r)}, ${Math.round(g)}, ${Math.round(b2)}, ${alpha})`;
}
function classColour({ classes, line }, code, alpha = 1) {
  return code < 0 ? css(line, 0.65) : css(classes[code % classes.length], alpha);
}
function toLinear(value) {
  const c = value / 255;
  if (c <= SRGB.bend) return c / SRGB.slope;
  return ((c + SRGB.offset) / (1 + SRGB.offset)) ** SRGB.power;
}
function fromLinear(c) {
  if (c <= SRGB.linear_bend) return 255 * SRGB.slope * c;
  return 255 * ((1 + SRGB.offset) * c ** (1 / SRGB.power) - SRGB.offset);
}
function times(matrix, [a, b2, c]) {
  return matrix.map((row) => row[0] * a + row[1] * b2 + row[2] * c);
}
function inverse([a, b2, c]) {
  const cross2 = (p, q) => [
    p[1] * q[2] - p[2] * q[1],
    p[2] * q[0] - p[0] * q[2],
    p[0] * q[1] - p[1] * q[0]
  ];
  const columns = [cross2(b2, c), cross2(c, a), cross2(a, b2)];
  const volume = a[0] * columns[0][0] + a[1] * columns[0][1] + a[2] * columns[0][2];
  return [0, 1, 2].map((i) => columns.map((column) => column[i] / volume));
}
var FROM_CONES = inverse(OKLAB.to_cones);
var FROM_LAB = inverse(OKLAB.to_lab);
function toLab(rgb) {
  return times(OKLAB.to_lab, times(OKLAB.to_cones, rgb.map(toLinear)).map(Math.cbrt));
}
function fromLab(lab) {
  const cones = times(FROM_LAB, lab).map((v2) => v2 ** 3);
  return times(FROM_CONES, cones).map((c) => Math.min(Math.max(fromLinear(Math.max(c, 0)), 0), 255));
}
function blend(a, b2, t) {
  const [p, q] = [toLab(a), toLab(b2)];
  return fromLab(p.map((v2, i) => v2 + (q[i] - v2) * t));
}
function table(anchors, bend = (t) => t) {
  const labs = anchors.map(toLab);
  return Uint32Array.from({ length: 2 * STEPS + 1 }, (_2, entry) => {
    const i = entry - STEPS;
    const u = (1 + Math.sign(i) * bend(Math.abs(i) / STEPS)) / 2 * (labs.length - 1);
    const k = Math.min(Math.floor(u), labs.length - 2);
    return packed(fromLab(labs[k].map((v2, c) => v2 + (labs[k + 1][c] - v2) * (u - k))));
  });
}
function packed([r, g, b2]) {
  return (255 << 24 | Math.round(b2) << 16 | Math.round(g) << 8 | Math.round(r)) >>> 0;
}
function unpacked(word) {
  return [word & 255, word >> 8 & 255, word >> 16 & 255];
}
var fade = (t) => t ** FADE.power;
var unfade = (strength) => strength ** (1 / FADE.power);
function makeTheme(element2, type) {
  const style = getComputedStyle(element2);
  const read = (name2, fallback) => parseColour(style.getPropertyValue(name2), fallback);
  const background = read("--st-background-color", [255, 255, 255]);
  const text = read("--st-text-color", [49, 51, 63]);
  const primary = read("--st-primary-color", [255, 75, 75]);
  const dark = toLab(background)[0] < 0.5;
  const shared3 = contract_default.themes[dark ? "dark" : "light"];
  const colours = (list) => list.map((c) => parseColour(c));
  const classes = colours(shared3.classes);
  const middle = blend(background, dark ? [120, 130, 150] : [246, 247, 249], dark ? 0.12 : 0.5);
  const anchors = [...colours(shared3.cold), middle, ...colours(shared3.warm)];
  const towards = (colour) => blend(middle, colour, FADE.knee);
  const sided = (a, b2) => [a, towards(a), middle, towards(b2), b2];
  return {
    id: [background, text, primary, type].join("|"),
    type,
    // pixels of the smallest letters
    dark,
    background,
    text,
    primary,
    middle,
    classes,
    line: parseColour(shared3.line),
    halo: background,
    ring: parseColour(shared3.halo),
    // around labelled points, and their thin edge on it
    outline: parseColour(shared3.outline),
    font: style.getPropertyValue("--st-font") || "sans-serif",
    // Computed when first used: most stages need one of the three.
    functions: once(() => table(anchors)),
    pair: once(() => table(sided(classes[0], classes[1]), fade)),
    wins: classes.map((c) => once(() => shades(middle, c)))
  };
}
function once(make) {
  let made = null;
  return () => made ??= make();
}
function shades(middle, colour) {
  const shade = (i) => blend(middle, colour, FADE.weakest + FADE.range * fade(i / STEPS));
  return Uint32Array.from({ length: STEPS + 1 }, (_2, i) => packed(shade(i)));
}
function gradient(colours, stops = 16) {
  const at = (_2, i) => css(unpacked(colours[Math.round(i / stops * (colours.length - 1))]));
  const parts = Array.from({ length: stops + 1 }, at);
  return `linear-gradient(to right, ${parts.join(", ")})`;
}

// js/paint/dom.js
function element(spec, attributes = {}, ...children) {
  const [tag, ...classes] = spec.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  for (const [name2, value] of Object.entries(attributes)) {
    if (name2.startsWith("on")) node.addEventListener(name2.slice(2), value);
    else if (value !== null && value !== false)
      node.setAttribute(name2, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}
function svg(name2, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name2);
  set(node, attributes);
  node.append(...children);
  return node;
}
function svgBlob(root) {
  return new Blob([new XMLSerializer().serializeToString(root)], { type: "image/svg+xml" });
}
function set(node, attributes) {
  for (const [name2, value] of Object.entries(attributes)) node.setAttribute(name2, value);
}
function icon(path, { fill = "none", stroke = "currentColor" } = {}) {
  const line = { stroke, "stroke-width": 1.5, "stroke-linejoin": "round", "stroke-linecap": "round" };
  const shape = svg("path", { d: path, fill, ...line });
  return svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, shape);
}
function tool(path, label2, onclick, word = null, more = {}) {
  const names = { type: "button", title: label2, "aria-label": label2 };
  const words2 = word === null ? [] : [element("span.word", {}, word)];
  return element("button.tool", { ...names, onclick, ...more }, icon(path), ...words2);
}
function fit(views, count, make) {
  while (views.length > count) views.pop().node.remove();
  while (views.length < count) views.push(make(views.length));
}
function name(node, label2) {
  set(node, { title: label2, "aria-label": label2 });
}
function show(node, visible) {
  node.style.display = visible ? "" : "none";
}
function check(nodes, chosen) {
  [...nodes].forEach((node, i) => node.setAttribute("aria-checked", String(i === chosen)));
}
function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
function isTouched() {
  return matchMedia("(pointer: coarse)").matches;
}
function zoomKey() {
  return /Mac|iP(hone|ad)/.test(navigator.platform) ? "⌘" : "Ctrl";
}
function wayBack() {
  return `${isTouched() ? "double tap" : "double click"}: whole picture`;
}
function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
function blank(canvas, { width, height }, ratio) {
  const [w, h] = [width, height].map((side) => Math.max(1, Math.round(side * ratio)));
  if (canvas.width !== w || canvas.height !== h) {
    Object.assign(canvas, { width: w, height: h });
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
function canvasOf(image, canvas = document.createElement("canvas")) {
  const { width, height } = image;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}
function save(blob, download) {
  const href = URL.createObjectURL(blob);
  element("a", { href, download }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1e4);
}
async function copy(text) {
  return navigator.clipboard?.writeText(text).then(() => true, () => false) ?? false;
}
async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// js/numbers/codes.js
var codes_exports = {};
__export(codes_exports, {
  codesOf: () => codesOf,
  decodeAt: () => decodeAt,
  outputsOf: () => outputsOf,
  rightParts: () => rightParts,
  sharesOf: () => sharesOf,
  win: () => win,
  wrongPoints: () => wrongPoints
});

// js/numbers/labels.js
var labels_exports = {};
__export(labels_exports, {
  anySeveral: () => anySeveral,
  candidatesOf: () => candidatesOf,
  findLabel: () => findLabel,
  fromRow: () => fromRow,
  historyAt: () => historyAt,
  labelKey: () => labelKey,
  labelMany: () => labelMany,
  labelsAt: () => labelsAt,
  relocated: () => relocated,
  remove: () => remove,
  rounded: () => rounded,
  sameLabel: () => sameLabel,
  sameLabels: () => sameLabels,
  samePlace: () => samePlace,
  toRow: () => toRow,
  toggle: () => toggle
});
var DIGITS = contract_default.labels.digits;
var SAME = 1e-5;
function rounded(x) {
  return Number(x.toPrecision(DIGITS));
}
function toRow(label2) {
  return [label2.x, label2.y, label2.index, ...candidatesOf(label2)];
}
function fromRow([x, y, index, code, ...others]) {
  return { x, y, index, code, others };
}
function candidatesOf({ code, others }) {
  return [code, ...others ?? []];
}
function anySeveral(labels) {
  return labels.some((label2) => label2.others?.length);
}
function labelKey(label2) {
  return label2.index >= 0 ? `i${label2.index}` : `f${rounded(label2.x)},${rounded(label2.y)}`;
}
function samePlace(a, b2) {
  if (a.index >= 0 || b2.index >= 0) return a.index === b2.index;
  const near = (p, q) => Math.abs(p - q) <= SAME * Math.max(Math.abs(p), Math.abs(q));
  return near(a.x, b2.x) && near(a.y, b2.y);
}
function sameLabel(a, b2) {
  return candidatesOf(a).join() === candidatesOf(b2).join() && samePlace(a, b2);
}
function sameLabels(a, b2) {
  return a === b2 || a.length === b2.length && a.every((label2, j) => sameLabel(label2, b2[j]));
}
function findLabel(labels, target) {
  return labels.findIndex((label2) => samePlace(label2, target));
}
function toggle(labels, target, code, also = false) {
  const at = findLabel(labels, target);
  if (at < 0) return { labels: [...labels, placed(target, code)], did: "labelled" };
  const known = candidatesOf(labels[at]);
  if (known[0] === code && (!also || known.length === 1)) return remove(labels, target);
  const had = known.includes(code);
  const several = had ? known.filter((c) => c !== code) : [...known, code];
  const [first, ...others] = also ? several : [code];
  const changed = { ...labels[at], code: first, others: others.sort((a, b2) => a - b2) };
  const candidate = had ? "took a candidate from" : "added a candidate to";
  return { labels: labels.with(at, changed), did: also ? candidate : "changed" };
}
function labelMany(labels, targets, code, { also, most }) {
  const byRow = new Map(labels.map((label2, j) => [label2.index, j]));
  const result = [...labels];
  let [count, full] = [0, false];
  for (const target of targets) {
    const at = byRow.get(target.index);
    if (at === void 0) {
      full ||= result.length >= most;
      if (full) continue;
      result.push(placed(target, code));
    } else {
      const known = candidatesOf(result[at]);
      if (also ? known.includes(code) : known.length === 1 && known[0] === code) continue;
      const others = also ? [...known.slice(1), code].sort((a, b2) => a - b2) : [];
      result[at] = { ...result[at], code: also ? known[0] : code, others };
    }
    count += 1;
  }
  return { labels: result, count, full };
}
function placed({ x, y, index }, code) {
  const place = index >= 0 ? { x, y, index } : { x: rounded(x), y: rounded(y), index: -1 };
  return { ...place, code, others: [] };
}
function remove(labels, target) {
  return { labels: labels.filter((label2) => !samePlace(label2, target)), did: "removed" };
}
function labelsAt(labels, { xy, position }) {
  return labels.map((label2) => {
    const i = position.get(label2.index);
    if (i === void 0) return label2;
    const [x, y] = [xy[2 * i], xy[2 * i + 1]];
    const there = Math.fround(label2.x) === x && Math.fround(label2.y) === y;
    return there ? label2 : { ...label2, x, y };
  });
}
function historyAt({ past, present, future }, points) {
  const move = (labels) => labelsAt(labels, points);
  return { past: past.map(move), present: move(present), future: future.map(move) };
}
function relocated(labels, { xy, index }) {
  const rows = /* @__PURE__ */ new Map();
  index.forEach((row, i) => rows.set(`${xy[2 * i]},${xy[2 * i + 1]}`, row));
  const key = ({ x, y }) => `${Math.fround(x)},${Math.fround(y)}`;
  return labels.flatMap((label2) => {
    if (label2.index < 0) return [label2];
    const row = rows.get(key(label2));
    return row === void 0 ? [] : [{ ...label2, index: row }];
  });
}

// js/numbers/codes.js
function outputsOf(nClasses) {
  return nClasses > 2 ? nClasses : 1;
}
function sharesOf(label2, nClasses) {
  const shares = new Float64Array(nClasses);
  const candidates = candidatesOf(label2);
  for (const c of candidates) shares[c] = 1 / candidates.length;
  return shares;
}
function codesOf(labels, nClasses) {
  const k = outputsOf(nClasses);
  const y = new Float64Array(labels.length * k);
  labels.forEach((label2, j) => {
    const shares = sharesOf(label2, nClasses);
    if (k === 1) y[j] = 2 * shares[1] - 1;
    else for (let o = 0; o < k; o++) y[j * k + o] = shares[o] - 1 / k;
  });
  return y;
}
var win = { code: 0, next: -1, score: -Infinity, other: -Infinity, margin: 0 };
function decodeAt(values, at, stride, k) {
  if (k === 1) {
    const v2 = values[at];
    win.code = v2 > 0 ? 1 : 0;
    win.next = 1 - win.code;
    win.score = Math.abs(v2);
    win.other = -win.score;
    win.margin = win.score;
    return win;
  }
  let [code, next, best, other] = [0, -1, -Infinity, -Infinity];
  for (let c = 0, p = at; c < k; c++, p += stride) {
    const v2 = values[p];
    if (v2 > best) {
      next = best > -Infinity ? code : next;
      other = best;
      best = v2;
      code = c;
    } else if (v2 > other) {
      other = v2;
      next = c;
    }
  }
  win.code = code;
  win.next = next;
  win.score = best;
  win.other = other;
  win.margin = best - other;
  return win;
}
var RULE = contract_default.accuracy;
function wrongPoints(values, k, points, labels) {
  const { truth, count, position } = points;
  const given = new Set(labels.map((label2) => position.get(label2.index)));
  const wrong = [];
  let known = 0;
  for (let i = 0; i < count; i++) {
    if (!(truth?.[i] >= 0) || given.has(i)) continue;
    known += 1;
    if (decodeAt(values, i, count, k).code !== truth[i]) wrong.push(i);
  }
  return { wrong, known };
}
function rightParts(share, about) {
  if (share === null) return ["", ""];
  const [before, after] = RULE.words.split("{}");
  return [before, (about ? "≈ " : "") + (100 * share).toFixed(RULE.digits) + after];
}

// js/paint/pen.js
function disc(context, x, y, r) {
  context.moveTo(x + r, y);
  context.arc(x, y, r, 0, 2 * Math.PI);
}
function lines(context, corners) {
  corners.forEach(([x, y], i) => context[i ? "lineTo" : "moveTo"](x, y));
}
function stroked(context, style, width, ...path) {
  Object.assign(context, { strokeStyle: style, lineWidth: width });
  context.stroke(...path);
}
function filled(context, style) {
  context.fillStyle = style;
  context.fill();
}
function inked(context, fill, line, width) {
  filled(context, fill);
  stroked(context, line, width);
}
function haloed(context, theme, halo, width, style, dash = null) {
  if (halo) stroked(context, css(theme.halo, halo[1]), halo[0]);
  if (dash) context.setLineDash(dash);
  stroked(context, style, width);
  if (dash) context.setLineDash([]);
}
function write(context, theme, words2, x, y, look2 = {}) {
  const { size = theme.type, bold = false, clear = 1, align = "left", base = "alphabetic" } = look2;
  Object.assign(context, { font: `${bold ? "bold " : ""}${size}px ${theme.font}`, textAlign: align });
  Object.assign(context, { textBaseline: base, fillStyle: css(theme.text, clear) });
  context.fillText(words2, x, y, look2.room);
}
function clipTo(context, { x, y, w, h }) {
  context.beginPath();
  context.rect(x, y, w, h);
  context.clip();
}
function clipped(context, boxes, draw2) {
  context.save();
  for (const box of boxes) clipTo(context, box);
  draw2();
  context.restore();
}

// js/paint/svg_pen.js
var ENDS = { left: "start", start: "start", center: "middle", right: "end", end: "end" };
var START = {
  ...{ fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, lineJoin: "miter", lineCap: "butt" },
  ...{ globalAlpha: 1, font: "12px sans-serif", textAlign: "left", textBaseline: "alphabetic" }
};
var FULL = 6.28;
var SvgPath = class {
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
};
var SvgPen = class extends SvgPath {
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
  add(name2, attributes, ...children) {
    const node = svg(name2, attributes, ...children);
    this.at.append(node);
    return node;
  }
  // ---- state: what restricts or moves the pen is a group, until restore ---------------------
  save() {
    const state = Object.keys(START).map((name2) => [name2, this[name2]]);
    this.stack.push({ ...Object.fromEntries(state), at: this.at });
  }
  restore() {
    Object.assign(this, this.stack.pop());
  }
  translate(x, y) {
    this.at = this.add("g", { transform: `translate(${short(x)} ${short(y)})` });
  }
  rotate(angle) {
    this.at = this.add("g", { transform: `rotate(${short(180 * angle / Math.PI)})` });
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
  draw({ data }, look2) {
    const clear = this.globalAlpha < 1 ? { opacity: short(this.globalAlpha) } : {};
    if (data) this.add("path", { d: data, ...look2, ...clear });
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
  write(text, x, y, room, look2) {
    const { width, fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = this.measureText(text);
    const lower2 = { top: up, middle: (up - down) / 2, bottom: -down }[this.textBaseline] ?? 0;
    const [, weight, size, family] = /^(bold |)([\d.]+)px (.*)$/.exec(this.font);
    const squeezed = { textLength: short(room), lengthAdjust: "spacingAndGlyphs" };
    this.add("text", {
      ...{ x: short(x), y: short(y + lower2), "text-anchor": ENDS[this.textAlign] },
      ...{ "font-family": family, "font-size": size, ...weight && { "font-weight": "bold" } },
      ...width > room && squeezed,
      ...look2
    }, text);
  }
};
function short(value) {
  return Math.round(100 * value) / 100;
}
function ink(what, colour) {
  const [, r, g, b2, alpha] = /^rgba\((\d+), (\d+), (\d+), ([\d.e-]+)\)$/.exec(colour) ?? [];
  if (r === void 0) return { [what]: colour };
  const hex = [r, g, b2].map((v2) => Number(v2).toString(16).padStart(2, "0")).join("");
  return { [what]: `#${hex}`, ...Number(alpha) < 1 && { [`${what}-opacity`]: alpha } };
}

// js/numbers/drawing.js
var drawing_exports = {};
__export(drawing_exports, {
  CELLS: () => CELLS,
  CLASSES: () => CLASSES,
  MOST: () => MOST,
  MOST_IN_LINK: () => MOST_IN_LINK,
  SHEET: () => SHEET,
  asTable: () => asTable,
  cellAt: () => cellAt,
  checkedSheet: () => checkedSheet,
  codeOf: () => codeOf,
  fromParts: () => fromParts,
  groupFor: () => groupFor,
  groupOf: () => groupOf,
  isLabel: () => isLabel,
  moved: () => moved,
  nearestTo: () => nearestTo,
  painted: () => painted,
  placeOf: () => placeOf,
  pointOf: () => pointOf,
  pointsFrom: () => pointsFrom,
  randomFrom: () => randomFrom,
  same: () => same,
  sameDrawing: () => sameDrawing,
  sameSheet: () => sameSheet,
  spray: () => spray,
  toNumbers: () => toNumbers,
  touchedBy: () => touchedBy,
  without: () => without
});

// js/numbers/near.js
function insideOf(grid) {
  if (!grid?.near) return null;
  if (grid.inside === void 0) {
    const at = [];
    grid.near.data.forEach((size, p) => size === 255 && at.push(p));
    const some = at.length && at.length < grid.near.data.length;
    grid.inside = some ? Int32Array.from(at) : null;
  }
  return grid.inside;
}
var FAR = 128;
function farAt(grid, x, y) {
  if (!grid?.near) return false;
  const node = ([low2, high2, n], v2) => Math.min(Math.max(Math.round((v2 - low2) / (high2 - low2) * (n - 1)), 0), n - 1);
  return grid.near.data[node(grid.y, y) * grid.x[2] + node(grid.x, x)] < FAR;
}
function within(field, k, inside2) {
  if (!inside2) return field;
  const n = field.length / k;
  const m = inside2.length;
  const out = new field.constructor(k * m);
  for (let o = 0; o < k; o++)
    for (let i = 0; i < m; i++) out[o * m + i] = field[o * n + inside2[i]];
  return out;
}
function nearWay([ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy || 1;
  return (x, y) => {
    const t = Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / length, 0), 1);
    return Math.hypot(x - ax - t * dx, y - ay - t * dy);
  };
}

// js/numbers/drawing.js
var RULES = contract_default.drawing;
var MOST = RULES.most;
var MOST_IN_LINK = RULES.most_in_link;
var CLASSES = RULES.classes;
var CELLS = 1 << RULES.bits;
var SHEET = RULES.sheet;
var FAR2 = 2 ** 30;
function pointOf(column, row, group) {
  return (group * CELLS + row) * CELLS + column;
}
var groupOf = (point) => Math.floor(point / (CELLS * CELLS));
var groupFor = (code, labelled) => code < 0 ? 0 : 2 * code + (labelled ? 2 : 1);
var codeOf = (point) => Math.floor((groupOf(point) + 1) / 2) - 1;
var isLabel = (point) => groupOf(point) > 0 && groupOf(point) % 2 === 0;
function placeOf(point, [x0, y0, dx, dy]) {
  return [x0 + dx * (point % CELLS), y0 + dy * (Math.floor(point / CELLS) % CELLS)];
}
function cellAt(x, y, [x0, y0, dx, dy]) {
  const near = (value) => Math.min(Math.max(Math.round(value), 0), CELLS - 1);
  return [near((x - x0) / dx), near((y - y0) / dy)];
}
function toNumbers({ sheet, points }) {
  return [...sheet, ...points];
}
function fromParts({ sheet, points }) {
  return { sheet, points: Array.from(points.data) };
}
function sameDrawing(a, b2) {
  const sorted = ({ points }) => Float64Array.from(points).sort();
  return same(a.sheet, b2.sheet) && same(sorted(a), sorted(b2));
}
function same(a, b2) {
  return a.length === b2.length && a.every((value, i) => value === b2[i]);
}
function checkedSheet(sheet) {
  const [x0, y0, dx, dy] = sheet.map(Math.fround);
  const good = [dx, dy].every((step) => step >= 1e-30 && step <= 1e30);
  if (!good || !(Math.abs(x0) <= FAR2 * dx && Math.abs(y0) <= FAR2 * dy))
    throw new Error("The sheet of the drawing is empty or too far from the origin.");
  return [x0, y0, dx, dy];
}
function sameSheet(before, scene) {
  return Boolean(before?.drawing && scene.drawing) && same(before.drawing.sheet, scene.drawing.sheet);
}
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = state + 1831565813 >>> 0;
    let t = Math.imul(state ^ state >>> 15, state | 1);
    t ^= t + Math.imul(t ^ t >>> 7, t | 61);
    return ((t ^ t >>> 14) >>> 0) / 4294967296;
  };
}
function spray([ax, ay], [bx, by], radius, count, random) {
  return Array.from({ length: count }, () => {
    const [along, far, turn2] = [random(), radius * Math.sqrt(random()), 2 * Math.PI * random()];
    return [
      ax + along * (bx - ax) + far * Math.cos(turn2),
      ay + along * (by - ay) + far * Math.sin(turn2)
    ];
  });
}
function painted(points, places, sheet, code, labelled) {
  const [x0, y0, dx, dy] = sheet;
  const on2 = places.filter(([x, y]) => {
    const [column, row] = [(x - x0) / dx, (y - y0) / dy];
    return column > -0.5 && row > -0.5 && column < CELLS - 0.5 && row < CELLS - 0.5;
  });
  const room = Math.max(MOST - points.length, 0);
  const group = groupFor(code, labelled);
  const fresh = on2.slice(0, room).map(([x, y]) => pointOf(...cellAt(x, y, sheet), group));
  return [[...points, ...fresh], on2.length > room];
}
function touchedBy(points, sheet, toPixel, a, b2, radius) {
  const far = nearWay(a, b2);
  const found = [];
  points.forEach((point, i) => far(...toPixel(...placeOf(point, sheet))) <= radius && found.push(i));
  return found;
}
function nearestTo(points, sheet, toPixel, place, reach) {
  const far = nearWay(place, place);
  let [best, at] = [reach, -1];
  points.forEach((point, i) => {
    const d = far(...toPixel(...placeOf(point, sheet)));
    if (d <= best) [best, at] = [d, i];
  });
  return at < 0 ? [] : [at];
}
function without(points, positions) {
  const gone = new Set(positions);
  return points.filter((_2, i) => !gone.has(i));
}
function moved(points, positions, sheet, [dx, dy]) {
  const result = [...points];
  for (const i of positions) {
    const [x, y] = placeOf(points[i], sheet);
    result[i] = pointOf(...cellAt(x + dx, y + dy, sheet), groupOf(points[i]));
  }
  return result;
}
function pointsFrom({ xy, index, truth }, labels, sheet, most) {
  const byRow = new Map(labels.filter((l) => l.index >= 0).map((label2) => [label2.index, label2.code]));
  const [first, rest] = [[], []];
  for (const { index: row, x, y, code } of labels)
    if (row < 0) first.push(pointOf(...cellAt(x, y, sheet), groupFor(code, true)));
  index.forEach((row, i) => {
    const cell = cellAt(xy[2 * i], xy[2 * i + 1], sheet);
    const given = byRow.get(row);
    if (given !== void 0) first.push(pointOf(...cell, groupFor(given, true)));
    else rest.push(pointOf(...cell, groupFor(truth?.[i] ?? -1, false)));
  });
  const room = Math.max(most - first.length, 0);
  const every = Math.max(rest.length / Math.max(room, 1), 1);
  const count = Math.min(room, rest.length);
  const thinned = Array.from({ length: count }, (_2, i) => rest[Math.floor(i * every)]);
  return [...first.slice(0, most), ...thinned];
}
function asTable({ points, sheet }) {
  const rows = [...points].sort(inOrder).map((point) => {
    const code = codeOf(point);
    return [...placeOf(point, sheet), code < 0 ? "" : `class ${code + 1}`, isLabel(point) ? 1 : 0].join(",");
  });
  return `x,y,class,labelled
${rows.map((row) => `${row}
`).join("")}`;
}
function inOrder(p, q) {
  const [[a, b2], [c, d]] = [p, q].map((point) => [point % CELLS, Math.floor(point / CELLS) % CELLS]);
  const [across, up] = [a ^ c, b2 ^ d];
  const wider = up < across && up < (up ^ across);
  return groupOf(p) - groupOf(q) || (wider ? a - c : b2 - d);
}

// js/paint/marks.js
var DOTS = contract_default.dots;
var MANY = 1500;
var CROWD = 600;
var CENTRED = { align: "center", base: "middle" };
var CORNERS = {
  square: polygon(4, Math.PI / 4, 1.18),
  triangle: polygon(3, -Math.PI / 2, 1.28),
  diamond: polygon(4, 0, 1.28),
  wedge: polygon(3, Math.PI / 2, 1.28),
  pentagon: polygon(5, -Math.PI / 2, 1.12),
  hexagon: polygon(6, 0, 1.12),
  star: Array.from(
    { length: 10 },
    (_2, i) => spoke(-Math.PI / 2 + i * Math.PI / 5, i % 2 ? 0.55 : 1.32)
  ),
  plus: cross(0),
  cross: cross(Math.PI / 4)
};
function spoke(angle, radius) {
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}
function polygon(n, start, radius) {
  return Array.from({ length: n }, (_2, i) => spoke(start + 2 * Math.PI * i / n, radius));
}
function cross(turn2) {
  const [w, r] = [0.42, 1.2];
  const corners = [0, 1, 2, 3].flatMap(
    (quarter) => [[w, w], [w, r], [-w, r]].map((corner) => turned(corner, quarter * Math.PI / 2))
  );
  return corners.map((corner) => turned(corner, turn2));
}
function turned([x, y], angle) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [c * x - s * y, s * x + c * y];
}
function trace(context, code, x, y, r) {
  const corners = CORNERS[SHAPES[code % SHAPES.length]];
  if (!corners) return disc(context, x, y, r);
  lines(context, corners.map(([u, v2]) => [x + r * u, y + r * v2]));
  context.closePath();
}
function shapePath(code, r = 5) {
  const path = new SvgPath();
  trace(path, code, 8, 8, r);
  return path.data;
}
function dotRadius(count, box) {
  const free = 0.06 * Math.min(box.w, box.h) / Math.sqrt(Math.max(count, 9));
  return Math.min(Math.max(free, 0.9), 2.6);
}
function drawDots(context, points, view, box, theme) {
  const r = dotRadius(points.count, box);
  context.beginPath();
  eachVisible(points, view, box, r, (x, y) => disc(context, x, y, r));
  filled(context, css(theme.line, points.count > DOTS.many ? DOTS.alpha_many : DOTS.alpha));
}
function drawLandmarks(context, xy, view, box, theme) {
  if (!xy?.length) return;
  const count = xy.length / 2;
  const r = count > CROWD ? 1.7 : box.w < 220 || count > 200 ? 2.4 : 3.2;
  context.beginPath();
  eachVisible({ xy, count }, view, box, r, (x, y) => disc(context, x, y, r));
  inked(context, css(theme.halo), css(theme.line), r > 2 ? 1.2 : 0.9);
}
function drawColoured(context, points, words2, view, box, theme, quick) {
  const r = Math.min(Math.max(dotRadius(points.count, box) * DOTS.enlarged, 2.2), 5);
  const squares = quick && points.count > MANY;
  const groups = /* @__PURE__ */ new Map();
  eachVisible(points, view, box, r, (x, y, i) => {
    const group = groups.get(words2[i]);
    if (group) group.push(x, y);
    else groups.set(words2[i], [x, y]);
  });
  for (const [word, places] of groups) {
    context.beginPath();
    for (let i = 0; i < places.length; i += 2) {
      const [x, y] = [places[i], places[i + 1]];
      if (squares) context.rect(x - 0.89 * r, y - 0.89 * r, 1.77 * r, 1.77 * r);
      else disc(context, x, y, r);
    }
    filled(context, css(unpacked(word), 0.95));
    if (points.count <= MANY) stroked(context, css(theme.line, 0.35), 0.5);
  }
}
function inside({ x, y, w, h }, px, py, margin = 0) {
  return px >= x - margin && py >= y - margin && px <= x + w + margin && py <= y + h + margin;
}
function eachVisible({ xy, count }, view, box, margin, visit) {
  const [x0, x1, y0, y1] = view.range;
  const sx = box.w / (x1 - x0);
  const sy = box.h / (y1 - y0);
  for (let i = 0; i < count; i++) {
    const x = box.x + (xy[2 * i] - x0) * sx;
    const y = box.y + (y1 - xy[2 * i + 1]) * sy;
    if (inside(box, x, y, margin)) visit(x, y, i);
  }
}
function signedWords(values, top, colours, words2) {
  for (let i = 0; i < words2.length; i++) {
    const t = Math.round(Math.min(Math.max(values[i] / top, -1), 1) * 32) / 32;
    words2[i] = colours[Math.round(STEPS * (1 + (t || 0)))];
  }
}
function winnerWords(values, k, top, shades2, words2) {
  const n = words2.length;
  for (let i = 0; i < n; i++) {
    const { code, margin } = decodeAt(values, i, n, k);
    const t = Math.ceil(Math.min(margin / top, 1) * 8) / 8;
    words2[i] = shades2[code % shades2.length][Math.round(STEPS * (t || 0))];
  }
}
function drawErrors(context, { xy, count }, wrong, view, box, theme) {
  if (!wrong.length) return;
  const few = wrong.length <= DOTS.few;
  const r = dotRadius(count, box) + (few ? DOTS.cross : DOTS.cross_many);
  context.beginPath();
  for (const i of wrong) {
    const [x, y] = view.toPixel(xy[2 * i], xy[2 * i + 1], box);
    if (!inside(box, x, y, r)) continue;
    lines(context, [[x - r, y - r], [x + r, y + r]]);
    lines(context, [[x - r, y + r], [x + r, y - r]]);
  }
  haloed(context, theme, few ? [2.6, 0.7] : null, few ? 1.3 : 0.8, css(theme.line, few ? 0.95 : 0.6));
}
function drawLabels(context, labels, view, box, theme) {
  const r = box.w < 220 || labels.length > 40 ? 4.2 : 6;
  context.lineJoin = "round";
  for (const { x, y, code, others, clear = 1 } of labels) {
    const [px, py] = view.toPixel(x, y, box);
    if (!inside(box, px, py, r)) continue;
    context.globalAlpha = clear;
    context.beginPath();
    trace(context, code, px, py, r);
    stroked(context, css(theme.ring, 0.95), 0.75 * r);
    inked(context, classColour(theme, code), css(theme.outline), r > 5 ? 1.4 : 1);
    if (others?.length) drawSlices(context, [code, ...others], px, py, r, theme);
  }
  context.globalAlpha = 1;
}
function drawSlices(context, codes, x, y, r, theme) {
  const [radius, turn2] = [1.25 * r, 2 * Math.PI / codes.length];
  codes.forEach((code, i) => {
    const start = -Math.PI / 2 + i * turn2;
    context.beginPath();
    context.moveTo(x, y);
    context.arc(x, y, radius, start, start + turn2);
    context.closePath();
    inked(context, classColour(theme, code), css(theme.outline), r > 5 ? 1.4 : 1);
  });
}
function drawCross(context, x, y, box, theme) {
  const [u, v2] = [Math.round(x) + 0.5, Math.round(y) + 0.5];
  context.beginPath();
  lines(context, [[u, box.y], [u, box.y + box.h]]);
  lines(context, [[box.x, v2], [box.x + box.w, v2]]);
  haloed(context, theme, null, 1, css(theme.line, 0.45), [3, 3]);
}
function drawRing(context, x, y, theme, strong) {
  context.beginPath();
  disc(context, x, y, strong ? 10 : 8.5);
  if (strong) haloed(context, theme, [4.5, 0.85], 2.2, css(theme.primary));
  else haloed(context, theme, [3.5, 0.85], 1.4, css(theme.text, 0.85));
}
function drawNext(context, { marked, points }, view, box, theme) {
  const i = points.position.get(marked ?? -1) ?? -1;
  if (i < 0) return;
  const [x, y] = view.toPixel(points.xy[2 * i], points.xy[2 * i + 1], box);
  if (!inside(box, x, y)) return;
  context.beginPath();
  disc(context, x, y, 9);
  filled(context, css(theme.background, 0.9));
  haloed(context, theme, [4, 0.9], 2, css(theme.primary));
  write(context, theme, "?", x, y + 1, { size: 13, bold: true, ...CENTRED });
}
function drawWay(context, way, code, share, theme) {
  const width = 1 + 5 * Math.abs(share);
  context.save();
  Object.assign(context, { lineJoin: "round", lineCap: "round" });
  context.beginPath();
  lines(context, way);
  stroked(context, css(theme.ring, 0.85), width + 2.2);
  if (share < 0) context.setLineDash([2, 2 * width]);
  stroked(context, classColour(theme, code), width);
  context.restore();
}
function drawChip(context, text, x, y, box, theme) {
  drawPlate(context, text, theme.type, [10, 6], theme, [0.88, 1], (w, h) => {
    return [Math.min(x + 8, box.x + box.w - w - 2), Math.max(y - h - 7, box.y + 2), 4];
  });
}
function drawInvitation(context, { box, theme }, free) {
  const text = box.w < 180 ? "click to label" : free ? "click anywhere to label" : "click a point to label it";
  drawPlate(context, text, theme.type + 1, [24, 15], theme, [0.82, 0.75], (w, h) => {
    return [box.x + (box.w - w) / 2, box.y + (box.h - h) / 2, h / 2];
  });
}
function drawPlate(context, words2, size, [beside, above], theme, clear, place) {
  context.font = `${size}px ${theme.font}`;
  const [w, h] = [context.measureText(words2).width + beside, size + above];
  const [x, y, round] = place(w, h);
  context.beginPath();
  context.roundRect(x, y, w, h, round);
  filled(context, css(theme.background, clear[0]));
  write(context, theme, words2, x + w / 2, y + h / 2 + 0.5, { size, clear: clear[1], ...CENTRED });
}
var FEW = 800;
function drawPoints(context, { points, sheet }, { view, box, theme }) {
  const few = points.length <= FEW;
  const r = Math.min(Math.max(1.5 * dotRadius(points.length, box), few ? 2.2 : 1.2), 4);
  clipTo(context, box);
  for (let code = -1; code < CLASSES; code++) {
    const own = points.filter((point) => codeOf(point) === code);
    if (!own.length) continue;
    context.beginPath();
    for (const point of own) {
      const [x, y] = view.toPixel(...placeOf(point, sheet), box);
      trace(context, isLabel(point) ? code : 0, x, y, isLabel(point) ? 2 * r : r);
    }
    const line = code < 0 ? css(theme.halo, 0.8) : css(theme.outline, 0.75);
    if (few) inked(context, classColour(theme, code), line, 0.8);
    else filled(context, classColour(theme, code));
  }
}
function drawCursor(context, [x, y], { tool: tool2, radius, code }, theme) {
  const painting = tool2 === "brush";
  context.beginPath();
  disc(context, x, y, Math.max(radius, 3));
  const style = painting && code >= 0 ? classColour(theme, code) : css(theme.text);
  haloed(context, theme, [3.5, 0.8], 1.5, style, tool2 === "eraser" ? [4, 3] : []);
}

// js/bars/parts.js
function edits(stage, label2, path = icons_default.clear) {
  const undo = tool(icons_default.undo, "Undo (Ctrl+Z)", () => stage.travel("undo"), "Undo");
  const redo = tool(icons_default.redo, "Redo (Ctrl+Shift+Z)", () => stage.travel("redo"), "Redo");
  const clear = tool(path, label2, () => stage.clear(), "Clear");
  const follow = (stack, any) => {
    undo.disabled = !stack?.past.length;
    redo.disabled = !stack?.future.length;
    clear.disabled = !any;
  };
  return { undo, nodes: [undo, redo, clear], follow };
}
function zooms(stage) {
  const whole = tool(icons_default.whole, "Whole picture", () => stage.zoomBy(0), "Whole");
  const out = tool(icons_default.minus, "Zoom out (−)", () => stage.zoomBy(1 / 1.4), "Zoom out");
  const into = tool(icons_default.plus, "Zoom in (+)", () => stage.zoomBy(1.4), "Zoom in");
  return { whole, nodes: [out, into, whole] };
}
function swatch(code, name2, { label: label2, key = "", theme, run = null }) {
  const known = code >= 0;
  const fill = classColour(theme, code);
  const shape = shapePath(Math.max(code, 0), known ? 5 : 3.5);
  const inside2 = [icon(shape, { fill, stroke: css(theme.text, 0.7) }), element("span", {}, name2)];
  if (!run) return element("span.swatch.fixed", { role: "listitem" }, ...inside2);
  const title = key ? `${label2} (key ${key})` : label2;
  const choice = { type: "button", role: "radio", title, "aria-label": label2 };
  return element("button.swatch", { ...choice, onclick: () => run(code) }, ...inside2);
}
function choices(spec, label2, kinds, choose) {
  const buttons = Object.entries(kinds).map(
    ([name2, [path, words2, word = ""]]) => tool(path, words2, () => choose(name2), word, { role: "radio" })
  );
  const node = element(spec, { role: "radiogroup", "aria-label": label2 }, ...buttons);
  return { node, check: (name2) => check(buttons, Object.keys(kinds).indexOf(name2)) };
}
function menu(spec, label2, title, choose, entries = []) {
  const onchange = (event) => choose(event.target.value);
  const options = entries.map(([value, words2]) => element("option", { value }, words2));
  return element(spec, { "aria-label": label2, title, onchange }, ...options);
}
function refill(node, key, make) {
  if (node.filled === key) return;
  node.filled = key;
  node.replaceChildren(...make());
}
function press(node, on2) {
  node.setAttribute("aria-pressed", String(on2));
}
function range(spec, label2, title, [min, max], run, more = {}) {
  const oninput = (event) => run(Number(event.target.value));
  return element(spec, { type: "range", min, max, title, "aria-label": label2, ...more, oninput });
}
function habit(place, on2 = null) {
  try {
    if (on2 !== null) localStorage.setItem(place, on2 ? "1" : "0");
    return localStorage.getItem(place) === "1";
  } catch {
    return Boolean(on2);
  }
}

// js/numbers/view.js
var view_exports = {};
__export(view_exports, {
  View: () => View,
  kept: () => kept,
  linked: () => linked,
  short: () => short2,
  snapped: () => snapped,
  ticks: () => ticks
});
var SEEN = 0.6;
var ZERO = contract_default.labels.zero;
var kept = /* @__PURE__ */ new Map();
var View = class {
  static ZOOM = [0.5, 200];
  // how far out and in one may zoom
  constructor(name2, base) {
    Object.assign(this, { name: name2, base, zoom: 1, centre: middleOf(base) });
    const saved = kept.get(name2);
    if (saved && same(saved.base, base)) Object.assign(this, saved);
    this.limit();
  }
  // Of the same points in another plane all is in view again: a zoom was of the old coordinates.
  rebase(base) {
    if (same(this.base, base)) return;
    this.base = base;
    this.reset();
  }
  // Half extents of the whole view.
  get half() {
    return [(this.base[1] - this.base[0]) / 2, (this.base[3] - this.base[2]) / 2];
  }
  get aspect() {
    return this.half[0] / this.half[1];
  }
  get zoomed() {
    const middle = middleOf(this.base);
    return this.zoom !== 1 || middle.some((m, axis) => m !== this.centre[axis]);
  }
  // Visible [x0, x1, y0, y1].
  get range() {
    const [hx, hy] = this.half.map((h) => h / this.zoom);
    const [x, y] = this.centre;
    return [x - hx, x + hx, y - hy, y + hy];
  }
  toPixel(x, y, box) {
    const [x0, x1, y0, y1] = this.range;
    return [box.x + (x - x0) / (x1 - x0) * box.w, box.y + (y1 - y) / (y1 - y0) * box.h];
  }
  toPlane(px, py, box) {
    const [x0, x1, y0, y1] = this.range;
    const [x, y] = [(px - box.x) / box.w * (x1 - x0), (py - box.y) / box.h * (y1 - y0)];
    return this.snap(x0 + x, y1 - y);
  }
  // A place whose coordinates are 0 where they are next to nothing beside the whole view.
  snap(x, y) {
    return [snapped(x, 2 * this.half[0]), snapped(y, 2 * this.half[1])];
  }
  // Zoom by a factor and keep the point of the plane (x, y) where it is on screen.
  zoomAt(factor, x = this.centre[0], y = this.centre[1]) {
    const zoom = this.within(this.zoom * factor);
    const keep3 = this.zoom / zoom;
    this.lookAt(zoom, x + (this.centre[0] - x) * keep3, y + (this.centre[1] - y) * keep3);
  }
  within(zoom) {
    const [farthest, closest] = this.constructor.ZOOM;
    return Math.min(Math.max(zoom, farthest), closest);
  }
  // Moves as far as the limit lets it; false where that cut the way short.
  pan(dx, dy) {
    this.centre = [this.centre[0] + dx, this.centre[1] + dy];
    const free = this.limit();
    this.save();
    return free;
  }
  // Keeps the data in view; true if they were.
  limit() {
    const asked = this.centre;
    const middle = middleOf(this.base);
    this.centre = this.half.map((h, axis) => {
      const seen = h / this.zoom;
      const most = seen + h - 2 * SEEN * Math.min(seen, h);
      return Math.min(Math.max(asked[axis], middle[axis] - most), middle[axis] + most);
    });
    return this.centre.every((c, axis) => c === asked[axis]);
  }
  // What a link asks for.
  lookAt(zoom, x, y) {
    this.zoom = this.within(zoom);
    this.centre = [x, y];
    this.limit();
    this.save();
  }
  reset() {
    Object.assign(this, { centre: middleOf(this.base), zoom: 1 });
    this.save();
  }
  save() {
    kept.set(this.name, { ...this });
  }
};
function middleOf([x0, x1, y0, y1]) {
  return [(x0 + x1) / 2, (y0 + y1) / 2];
}
function snapped(value, span) {
  return Math.abs(value) < ZERO * span ? 0 : value;
}
var ENOUGH = 3;
function ticks(lo, hi, count, most = count, shown = () => true) {
  const rough = (hi - lo) / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const wide2 = [1, 2, 5, 10].find((m) => m * power >= rough) ?? 10;
  let chosen = roundValues(lo, hi, wide2 * power);
  for (const m of [5, 2, 1, 0.5, 0.2, 0.1]) {
    if (chosen.values.filter(shown).length >= ENOUGH) break;
    if ((hi - lo) / (m * power) > most) break;
    if (m < wide2) chosen = roundValues(lo, hi, m * power);
  }
  return chosen;
}
function roundValues(lo, hi, step) {
  const out = [];
  for (let k = Math.ceil(lo / step); k * step <= hi + 1e-9 * step; k++) out.push(k * step);
  return { values: out, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}
function linked(value) {
  return Number(value.toPrecision(4));
}
function short2(value, digits = 3) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  let text;
  if (value === 0) text = "0";
  else if (size >= 1e-3 && size < 1e5) text = String(Number(value.toPrecision(digits)));
  else {
    const power = Math.floor(Math.log10(size));
    text = `${Number((value / 10 ** power).toPrecision(Math.max(digits - 1, 1)))}e${power}`;
  }
  return text.replaceAll("-", "−");
}

// js/channel/page.js
var shared = globalThis.__lapviz ??= { paints: 0, last: null, stages: {} };
var PRESENT = "present";
var SWITCH = 1e3;
function oneEntryPerPage() {
  const { history: history2 } = window;
  shared.presenting ||= new URL(window.location.href).searchParams.get(PRESENT) === "1";
  const push = history2.pushState.bind(history2);
  let cleared = null;
  history2.pushState = (state, title, url) => {
    const from = new URL(window.location.href);
    const to = new URL(url ?? "", from);
    if (to.pathname === from.pathname) {
      if (from.search && !to.search) cleared = { from, at: performance.now() };
      history2.replaceState(state, title, withView(to));
      return;
    }
    if (cleared?.from.pathname === from.pathname && performance.now() - cleared.at < SWITCH)
      history2.replaceState(history2.state, "", cleared.from);
    cleared = null;
    push(state, title, url);
  };
}
var LEAVING = 4e3;
var left = -Infinity;
function leaving() {
  return performance.now() - left < LEAVING;
}
var SHARED = ["labels-stage", "eigen-stage"];
var moved2 = null;
function moves(stage) {
  moved2 = stage;
}
function carried(stage) {
  const from = moved2;
  if (!from || from === stage || !leaving()) return [];
  if (![from, stage].every(({ key }) => SHARED.includes(key))) return [];
  moved2 = null;
  return [...from.channel.changes].map(([name2, { value }]) => [name2, value]);
}
var MOST_WAIT = 2e3;
function answered() {
  const told = ({ channel }) => channel.moving || channel.isAnswered && !channel.unsent;
  return Object.values(shared.stages).every(told);
}
function watchLinks() {
  let held = null;
  const follow = () => {
    if (!answered() && performance.now() - held.since < MOST_WAIT) return setTimeout(follow, 20);
    held.goes = true;
    held.link.click();
    held = null;
  };
  const away = (event) => {
    const link = event.target.closest?.('a[href]:not([target="_blank"]):not([href^="#"])');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (held?.goes || !held && answered()) return left = performance.now();
    event.preventDefault();
    event.stopImmediatePropagation();
    if (held) return held.link = link;
    held = { link, since: performance.now() };
    follow();
  };
  document.addEventListener("click", away, true);
  window.addEventListener("popstate", () => left = performance.now());
}
var STATE = "data-test-script-state";
var BUSY = ["running", "rerunRequested"];
function application() {
  return document.querySelector('[data-testid="stApp"]');
}
function isBusy(app = application()) {
  return BUSY.includes(app?.getAttribute(STATE));
}
function passByMain() {
  document.querySelector('[data-testid="stMain"]')?.setAttribute("tabindex", "-1");
}
var WIDEST = 1e3;
var OPEN = '[data-testid="stSidebar"]:is([data-collapsed="false"], [aria-expanded="true"]) [data-testid="stSidebarCollapseButton"] button';
var HANDS = ["pointerdown", "keydown"];
function startWithoutSidebar() {
  if (window.__lapvizSidebar || window.innerWidth > WIDEST) return;
  window.__lapvizSidebar = true;
  const close = () => document.querySelector(OPEN)?.click();
  const watch = new MutationObserver(close);
  const end = () => watch.disconnect();
  for (const hand of HANDS) document.addEventListener(hand, end, { capture: true, once: true });
  const attributeFilter = ["data-collapsed", "aria-expanded"];
  watch.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter });
  close();
}
var KEY = "stage";
var OURS = /-(stage|fields)$/;
var LATER = 400;
var MOST2 = 120;
var SWITCHES = { a: { all: true }, s: { sameScale: true }, x: { errors: true }, i: { images: false } };
var mine = null;
var timer = 0;
function standsForPage({ key, alone }) {
  return OURS.test(key) && !alone;
}
function viewText({ display, view, scene, panels }) {
  const parts = [];
  if (display.enlarged !== null) parts.push(`e${display.enlarged}`);
  if (display.all && panels.length > 1) parts.push("a");
  if (display.sameScale) parts.push("s");
  if (view.zoomed) parts.push(`z${[view.zoom, ...view.centre].map(linked).join("_")}`);
  if (scene.space && view.zoomed) parts.push(`t${[view.azimuth, view.elevation].map(linked).join("_")}`);
  if (display.pictured && !display.images) parts.push("i");
  const plain = display.errors || !display.knows;
  if (!parts.length) return plain ? "" : "o";
  return [...parts, ...display.errors ? ["x"] : []].join("~");
}
function lookAsLinked(stage) {
  const text = new URL(window.location.href).searchParams.get(KEY) ?? "";
  if (!standsForPage(stage) || text === (mine ?? "") || text.length > MOST2) return;
  const { display, view, scene } = stage;
  if (text) display.errors = false;
  for (const part of text.split("~")) {
    const numbers2 = part.slice(1).split("_").map(Number);
    if (!numbers2.every(Number.isFinite)) continue;
    Object.assign(display, SWITCHES[part]);
    if (part[0] === "e" && Number.isInteger(numbers2[0])) display.enlarge(numbers2[0]);
    else if (part[0] === "z" && numbers2.length === 3) view.lookAt(...numbers2);
    else if (part[0] === "t" && numbers2.length === 2 && scene.space) view.turnTo?.(...numbers2);
  }
  display.follow();
  mine = text;
}
function rememberView(stage) {
  if (!standsForPage(stage)) return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (stage.gone || !stage.scene) return;
    const text = viewText(stage);
    if (text === (mine ?? "")) return;
    mine = text;
    writeView();
  }, LATER);
}
function writeView() {
  window.history.replaceState(window.history.state, "", withView(new URL(window.location.href)));
}
function withView(url) {
  if (mine) url.searchParams.set(KEY, mine);
  else if (mine !== null) url.searchParams.delete(KEY);
  const ones = { [PRESENT]: Boolean(shared.presenting), ...barsShown };
  for (const [key, on2] of Object.entries(ones)) {
    if (on2) url.searchParams.set(key, "1");
    else url.searchParams.delete(key);
  }
  return url;
}
var barsShown = {};
var placeOf2 = (name2) => `lapviz.${name2}`;
function barShows(name2, turn2 = null) {
  if (turn2 !== null) {
    barsShown[name2] = habit(placeOf2(name2), turn2);
    if (application()) writeView();
  } else if (new URL(window.location.href).searchParams.get(name2) === "1") barsShown[name2] ??= true;
  return barsShown[name2] ?? habit(placeOf2(name2));
}
function addressHere() {
  const url = new URL(window.location.href.replace("/~/+/", "/"));
  for (const name2 of ["letters", "more"]) if (barShows(name2)) url.searchParams.set(name2, "1");
  return url.href;
}

// js/panels/computing.js
var AFTER = 150;
var CANCEL = 2;
var Computing = class {
  // plots: the node that is marked busy for those who do not see the strip.
  // cancel: what its button does.
  constructor(plots, cancel) {
    this.said = element("span", { "aria-hidden": "true" });
    this.cancel = element("button.cancel", { type: "button", onclick: cancel }, "Cancel");
    this.words = element("div.words", {}, this.said, this.cancel);
    this.strip = element("i.strip", { "aria-hidden": "true" });
    this.node = element("div.computing", {}, this.strip, this.words);
    Object.assign(this, { plots, since: null, expected: null, task: null });
    this.cancel.hidden = true;
    this.app = application();
    if (!this.app) return;
    this.observer = new MutationObserver(() => this.follow());
    this.observer.observe(this.app, { attributes: true, attributeFilter: [STATE] });
    this.follow();
  }
  destroy() {
    this.observer?.disconnect();
    this.stop();
  }
  // As Python's state changes; or at a question, which does not change it where it is still busy.
  follow() {
    if (isBusy(this.app)) this.start();
    else if (!this.task) this.stop();
  }
  start() {
    if (this.since !== null) return;
    this.since = performance.now();
    this.timer = setTimeout(() => this.count(), AFTER);
  }
  // A long computation: {words, seconds expected or null, spent}.
  pending(task) {
    const first = this.since === null;
    this.task = task;
    this.start();
    const spent = performance.now() - 1e3 * task.spent;
    this.since = Math.min(this.since, spent);
    if (first) this.count();
  }
  // The picture is up to date: what else the script does is no matter of the stage.
  answered(seconds) {
    this.expected = seconds;
    this.task = null;
    this.stop();
  }
  stop() {
    clearTimeout(this.timer);
    this.since = null;
    this.cancel.hidden = true;
    this.node.classList.remove("on");
    this.plots.removeAttribute("aria-busy");
  }
  // Counts up; in whole seconds for those who want less motion.
  count() {
    const calm = isCalm();
    const seconds = (performance.now() - this.since) / 1e3;
    const expected = this.task ? this.task.seconds : this.expected;
    const rounded2 = expected < 1 ? Math.max(expected, 0.1).toFixed(1) : Math.round(expected);
    const about = expected === null ? "" : ` of about ${rounded2} s`;
    const now = calm || seconds > 10 ? Math.floor(seconds) : seconds.toFixed(1);
    setText(this.said, `${this.task?.words || "computing"}… ${now} s${about}`);
    this.cancel.hidden = !(this.task && seconds > CANCEL);
    this.node.classList.add("on");
    this.plots.setAttribute("aria-busy", "true");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.count(), calm ? 1e3 : 100);
  }
};

// js/paint/curve_chart.js
var BOTTOM = 34;
var TOP = 10;
var LETTER = 7.2;
var Chart = class {
  constructor(label2) {
    this.grid = svg("g", { class: "grid" });
    this.lines = svg("g", { class: "lines" });
    this.over = svg("g", { class: "over" });
    this.node = svg("svg", { class: "chart", role: "img", "aria-label": label2 });
    this.node.append(this.grid, this.lines, this.over);
  }
  // range: [x0, x1, y0, y1]; log: which of the axes are logarithmic; top: room for names above.
  layout(width, height, range2, { log = [false, false], names = ["", ""], top = TOP } = {}) {
    Object.assign(this, { width, height, names });
    this.log = log;
    this.range = [0, 1, 2, 3].map((i) => log[i >> 1] ? Math.log10(range2[i]) : range2[i]);
    const up = this.marks(1, height / 44);
    const longest = Math.max(2, ...up.map(({ text }) => text.length));
    this.box = { x: 22 + LETTER * longest, y: top, w: 0, h: height - BOTTOM - top };
    this.box.w = Math.max(width - this.box.x - 12, 20);
    set(this.node, { width, height, viewBox: `0 0 ${width} ${height}` });
    this.drawAxes(up);
  }
  // Ticks of an axis: positions in its own scale, with texts.
  marks(axis, count) {
    const [lo, hi] = this.range.slice(2 * axis, 2 * axis + 2);
    if (!this.log[axis]) {
      const { values, digits } = ticks(lo, hi, count);
      return values.map((at) => ({ at, text: at.toFixed(digits).replace("-", "−") }));
    }
    const stride = Math.max(1, Math.ceil((hi - lo) / count));
    const decades2 = [];
    for (let k = Math.ceil(lo); k <= hi; k += stride) decades2.push(k);
    if (decades2.length > 1) return decades2.map((at) => ({ at, text: short2(10 ** at) }));
    return [lo, (lo + hi) / 2, hi].map((at) => ({ at, text: short2(10 ** at, 2) }));
  }
  drawAxes(up) {
    const { x, y, w, h } = this.box;
    const parts = [svg("rect", { x: x - 0.5, y: y - 0.5, width: w + 1, height: h + 1 })];
    for (const { at, text } of up) {
      const py = this.place(1, at);
      if (py < y - 1 || py > y + h + 1) continue;
      parts.push(svg("line", { x1: x, x2: x + w, y1: py, y2: py }));
      parts.push(label(text, x - 6, py + 4, "end"));
    }
    const room = x + w - LETTER * this.names[0].length - 8;
    for (const { at, text } of this.marks(0, w / 76)) {
      const px = this.place(0, at);
      if (px < x - 1 || px > room) continue;
      parts.push(svg("line", { x1: px, x2: px, y1: y + h, y2: y + h + 4 }));
      parts.push(label(text, px, y + h + 18, "middle"));
    }
    parts.push(label(this.names[0], x + w, y + h + 18, "end"));
    const side = label(this.names[1], 0, 0, "middle");
    set(side, { transform: `translate(12 ${y + h / 2}) rotate(-90)` });
    parts.push(side);
    this.grid.replaceChildren(...parts);
  }
  place(axis, scaled) {
    const [lo, hi] = this.range.slice(2 * axis, 2 * axis + 2);
    const t = (scaled - lo) / (hi - lo || 1);
    return axis ? this.box.y + (1 - t) * this.box.h : this.box.x + t * this.box.w;
  }
  toPixel(x, y) {
    return [x, y].map((v2, axis) => this.place(axis, this.log[axis] ? Math.log10(v2) : v2));
  }
  toPlane(px, py) {
    const [x0, x1, y0, y1] = this.range;
    const { box } = this;
    const at = [x0 + (px - box.x) / box.w * (x1 - x0), y1 - (py - box.y) / box.h * (y1 - y0)];
    return at.map((v2, axis) => this.log[axis] ? 10 ** v2 : v2);
  }
  // The path of a line; parts far outside the frame are cut at it, gaps where there is no number.
  path(xs, ys) {
    const { y, h } = this.box;
    let text = "";
    let pen = "M";
    for (let i = 0; i < xs.length; i++) {
      const [px, py] = this.toPixel(xs[i], ys[i]);
      if (!Number.isFinite(px) || Number.isNaN(py)) {
        pen = "M";
        continue;
      }
      const inside2 = Math.min(Math.max(py, y - 2e3), y + h + 2e3);
      text += `${pen}${px.toFixed(1)} ${inside2.toFixed(1)}`;
      pen = "L";
    }
    return text;
  }
  // Dots as one path of round caps.
  dots(points) {
    return points.map(([x, y]) => this.toPixel(x, y)).filter(([, py]) => py >= this.box.y && py <= this.box.y + this.box.h).map(([px, py]) => `M${px.toFixed(1)} ${py.toFixed(1)}h0`).join("");
  }
};
function label(text, x, y, anchor) {
  return svg("text", { x: x.toFixed(1), y: y.toFixed(1), "text-anchor": anchor }, text);
}

// js/numbers/formulas.js
var formulas_exports = {};
__export(formulas_exports, {
  compileFilters: () => compileFilters,
  compileFormula: () => compileFormula
});
var TWO = {
  "+": (out, n, a, s, b2, t) => {
    for (let i = 0; i < n; i++) out[i] = a[i * s] + b2[i * t];
  },
  "-": (out, n, a, s, b2, t) => {
    for (let i = 0; i < n; i++) out[i] = a[i * s] - b2[i * t];
  },
  "*": (out, n, a, s, b2, t) => {
    for (let i = 0; i < n; i++) out[i] = a[i * s] * b2[i * t];
  },
  "/": (out, n, a, s, b2, t) => {
    for (let i = 0; i < n; i++) out[i] = a[i * s] / b2[i * t];
  },
  "**": (out, n, a, s, b2, t) => {
    for (let i = 0; i < n; i++) out[i] = a[i * s] ** b2[i * t];
  },
  "<": shared2((x, y) => x < y ? 1 : 0),
  "<=": shared2((x, y) => x <= y ? 1 : 0),
  ">": shared2((x, y) => x > y ? 1 : 0),
  ">=": shared2((x, y) => x >= y ? 1 : 0),
  "==": shared2((x, y) => x === y ? 1 : 0),
  minimum: shared2(Math.min),
  maximum: shared2(Math.max)
};
var ONE = {
  neg: (out, n, a, s) => {
    for (let i = 0; i < n; i++) out[i] = -a[i * s];
  },
  exp: (out, n, a, s) => {
    for (let i = 0; i < n; i++) out[i] = Math.exp(a[i * s]);
  },
  sqrt: (out, n, a, s) => {
    for (let i = 0; i < n; i++) out[i] = Math.sqrt(a[i * s]);
  },
  expm1: shared2(Math.expm1),
  log: shared2(Math.log),
  log1p: shared2(Math.log1p),
  abs: shared2(Math.abs),
  floor: shared2(Math.floor)
};
var THREE = {
  if: (out, n, test, s, yes, t, no, u) => {
    for (let i = 0; i < n; i++) out[i] = test[i * s] !== 0 ? yes[i * t] : no[i * u];
  }
};
var LOOPS = [{}, ONE, TWO, THREE];
function shared2(of) {
  return (out, n, a, s, b2 = a, t = s) => {
    for (let i = 0; i < n; i++) out[i] = of(a[i * s], b2[i * t]);
  };
}
function compileFormula(tree, names) {
  const steps = [];
  const known = /* @__PURE__ */ new Map();
  const add = (node) => {
    const key = JSON.stringify(node);
    if (!known.has(key)) {
      const step = makeStep(node, names, add);
      if (!step) throw new Error(`unknown: ${key}`);
      known.set(key, steps.push(step) - 1);
    }
    return known.get(key);
  };
  try {
    add(tree);
  } catch {
    return null;
  }
  return (values) => {
    const results = [];
    for (const step of steps) results.push(evaluate(step, results, values));
    const last = results.at(-1);
    return last.length === 1 ? last[0] : last.slice();
  };
}
function makeStep(node, names, add) {
  if (typeof node === "number") return Number.isFinite(node) ? { fixed: Float64Array.of(node) } : null;
  if (typeof node === "string") return names.includes(node) ? { name: node } : null;
  if (!Array.isArray(node)) return null;
  const [operation, ...parts] = node;
  const loops = LOOPS[parts.length] ?? {};
  if (typeof operation !== "string" || !Object.hasOwn(loops, operation)) return null;
  return { loop: loops[operation], args: parts.map(add) };
}
function evaluate(step, results, values) {
  if (step.fixed) return step.fixed;
  if (step.name) {
    const value = values[step.name];
    return typeof value === "number" ? Float64Array.of(value) : value;
  }
  const args = step.args.map((place) => results[place]);
  const n = Math.max(...args.map((a) => a.length));
  if (step.buffer?.length !== n) step.buffer = new Float64Array(n);
  step.loop(step.buffer, n, ...args.flatMap((a) => [a, a.length === 1 ? 0 : 1]));
  return step.buffer;
}
var NAMES = ["lam", "gamma", "gamma1"];
var cache = /* @__PURE__ */ new Map();
function compileFilters(filters) {
  const compiled = {};
  for (const [name2, { label: label2, formula }] of Object.entries(filters ?? {})) {
    const key = JSON.stringify(formula);
    if (!cache.has(key)) {
      const run = compileFormula(formula, NAMES);
      cache.set(key, run && ((lam, gamma, gamma1) => run({ lam, gamma, gamma1 })));
    }
    compiled[name2] = { label: label2 ?? name2, h: cache.get(key) };
  }
  return compiled;
}

// js/numbers/linalg.js
var linalg_exports = {};
__export(linalg_exports, {
  applySpectral: () => applySpectral,
  centreBoth: () => centreBoth,
  centreRows: () => centreRows,
  gramOf: () => gramOf,
  median: () => median,
  mix: () => mix,
  mixEach: () => mixEach,
  product: () => product,
  rowsOf: () => rowsOf,
  sample: () => sample,
  solvePositive: () => solvePositive
});
function applySpectral({ values, vectors }, weight, y, k) {
  const n = values.length;
  const out = new Float64Array(n * k);
  for (let e = 0; e < n; e++) {
    const w = weight(values[e]);
    if (w === 0) continue;
    for (let o = 0; o < k; o++) {
      let dot2 = 0;
      for (let j = 0; j < n; j++) dot2 += vectors[e * n + j] * y[j * k + o];
      dot2 *= w;
      for (let j = 0; j < n; j++) out[j * k + o] += dot2 * vectors[e * n + j];
    }
  }
  return out;
}
function solvePositive(matrix, n, y, k) {
  const l = Float64Array.from(matrix);
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      let sum = l[i * n + j];
      for (let c = 0; c < j; c++) sum -= l[i * n + c] * l[j * n + c];
      if (i === j) l[j * n + j] = Math.sqrt(Math.max(sum, 1e-15 * matrix[j * n + j]));
      else l[i * n + j] = sum / l[j * n + j];
    }
  }
  const x = Float64Array.from(y);
  for (let o = 0; o < k; o++) {
    for (let i = 0; i < n; i++) {
      for (let c = 0; c < i; c++) x[i * k + o] -= l[i * n + c] * x[c * k + o];
      x[i * k + o] /= l[i * n + i];
    }
    for (let i = n - 1; i >= 0; i--) {
      for (let c = i + 1; c < n; c++) x[i * k + o] -= l[c * n + i] * x[c * k + o];
      x[i * k + o] /= l[i * n + i];
    }
  }
  return x;
}
function product(a, x, n, k) {
  const m = x.length / k;
  const out = new Float64Array(n * k);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < m; j++)
      for (let o = 0; o < k; o++) out[i * k + o] += a[i * m + j] * x[j * k + o];
  return out;
}
function gramOf(rows, m, n) {
  const out = new Float64Array(m * m);
  for (const row of rows) {
    for (let i = 0; i < m; i++) {
      const x = row[i] / n;
      for (let l = 0; l <= i; l++) out[i * m + l] += x * row[l];
    }
  }
  for (let i = 0; i < m; i++) for (let l = 0; l < i; l++) out[l * m + i] = out[i * m + l];
  return out;
}
function centreRows(y, n, k) {
  const mean = new Float64Array(k);
  for (let j = 0; j < n * k; j++) mean[j % k] += y[j] / n;
  return { centred: y.map((v2, j) => v2 - mean[j % k]), mean };
}
function centreBoth(gram, n) {
  const { mean } = centreRows(gram, n, n);
  const all = mean.reduce((a, b2) => a + b2, 0) / n;
  return gram.map((g, at) => g - mean[at / n | 0] - mean[at % n] + all);
}
var wide = new Float64Array(0);
function mix(out, rows, weights, k, shift = null) {
  const width = out.length / k;
  const double = rows[0] instanceof Float64Array;
  if (double && wide.length !== width) wide = new Float64Array(width);
  for (let o = 0; o < k; o++) {
    const target = double ? wide : out.subarray(o * width, (o + 1) * width);
    target.fill(shift ? shift[o] : 0);
    for (let i = 0; i < rows.length; i++) {
      const w = weights[i * k + o];
      if (w === 0) continue;
      const row = rows[i];
      for (let p = 0; p < width; p++) target[p] += w * row[p];
    }
    if (double) out.set(wide, o * width);
  }
}
function mixEach(out, rows, weights, k, shift = null) {
  for (const kind of ["grid", "points"])
    if (out[kind]) mix(out[kind], rows(kind), weights, k, shift);
}
function rowsOf(data, m) {
  const width = data.length / m;
  return Array.from({ length: m }, (_2, i) => data.subarray(i * width, (i + 1) * width));
}
function sample(field, grid, x, y) {
  const [x0, x1, nx] = grid.x;
  const [y0, y1, ny] = grid.y;
  const u = Math.min(Math.max((x - x0) / (x1 - x0) * (nx - 1), 0), nx - 1);
  const v2 = Math.min(Math.max((y - y0) / (y1 - y0) * (ny - 1), 0), ny - 1);
  const i = Math.min(Math.floor(u), nx - 2);
  const j = Math.min(Math.floor(v2), ny - 2);
  const at = j * nx + i;
  const low2 = field[at] + (field[at + 1] - field[at]) * (u - i);
  const high2 = field[at + nx] + (field[at + nx + 1] - field[at + nx]) * (u - i);
  return low2 + (high2 - low2) * (v2 - j);
}
function median(values) {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

// js/numbers/ridge.js
var MOST_LABELS = 400;
var ARGUMENTS = {
  r2: (x, y, label2) => each(x.length, (i) => (x[i] - label2.x) ** 2 + (y[i] - label2.y) ** 2),
  u: (x, y, label2) => each(x.length, (i) => x[i] * label2.x + y[i] * label2.y)
};
function each(n, value) {
  const out = new Float64Array(n);
  for (let i = 0; i < n; i++) out[i] = value(i);
  return out;
}
var RidgeModel = class {
  // spec: {formula, argument, values, floor} of the panel; floor is the least ridge, relative to the
  // kernel's size, that keeps two labels in one place solvable.
  constructor(spec, grid, points, nClasses, mu) {
    const { formula, argument, values, floor } = spec;
    const names = [argument, ...Object.keys(values)];
    const kernel = Object.hasOwn(ARGUMENTS, argument) ? compileFormula(formula, names) : null;
    Object.assign(this, { argument, values, kernel, floor, grid, points, nClasses, mu });
    Object.assign(this, { outputs: outputsOf(nClasses), prepared: null, columns: /* @__PURE__ */ new Map(), places: {} });
  }
  evaluate({ labels, lam }, out) {
    if (!this.kernel || anySeveral(labels)) return false;
    if (labels.length > MOST_LABELS) return false;
    const a = this.solve(labels, lam, this.prepare(labels).codes, this.outputs);
    mixEach(out, (kind) => labels.map((label2) => this.column(kind, label2)), a, this.outputs);
    return true;
  }
  solve(labels, lam, values, k) {
    const n = labels.length;
    const { gram, floor } = this.prepare(labels);
    const system = gram.slice();
    for (let j = 0; j < n; j++) system[j * n + j] += n * Math.max(lam * this.mu, floor);
    return solvePositive(system, n, values, k);
  }
  // As ModesModel has it.
  countsAt(point, { labels, lam }) {
    if (!this.kernel || !labels.length || labels.length > MOST_LABELS || anySeveral(labels)) return null;
    const there = Float64Array.from(labels, (label2) => this.column("points", label2)[point]);
    return this.solve(labels, lam, there, 1);
  }
  prepare(labels) {
    if (this.prepared && sameLabels(this.prepared.labels, labels)) return this.prepared;
    const n = labels.length;
    const gram = new Float64Array(n * n);
    const [x, y] = [each(n, (i) => labels[i].x), each(n, (i) => labels[i].y)];
    labels.forEach((label2, j) => gram.set(this.k(x, y, label2), j * n));
    const size = gram.reduce((most, g) => Math.max(most, Math.abs(g)), 1);
    const codes = codesOf(labels, this.nClasses);
    this.prepared = { labels, gram, codes, floor: this.floor * size };
    const alive = new Set(labels.map(labelKey));
    for (const name2 of this.columns.keys()) if (!alive.has(name2.slice(1))) this.columns.delete(name2);
    return this.prepared;
  }
  // k(., label) at places given by the arrays x and y.
  k(x, y, label2) {
    const given = ARGUMENTS[this.argument](x, y, label2);
    const values = this.kernel({ ...this.values, [this.argument]: given });
    return typeof values === "number" ? new Float64Array(x.length).fill(values) : values;
  }
  column(kind, label2) {
    const name2 = kind[0] + labelKey(label2);
    if (!this.columns.has(name2)) this.columns.set(name2, this.k(...this.sites(kind), label2));
    return this.columns.get(name2);
  }
  // Coordinates of the grid's nodes or of the points, made once.
  sites(kind) {
    return this.places[kind] ??= kind === "grid" ? nodesOf(this.grid) : pointsOf(this.points);
  }
};
function nodesOf({ x: [x0, x1, nx], y: [y0, y1, ny] }) {
  return [
    each(nx * ny, (p) => x0 + (x1 - x0) * (p % nx) / (nx - 1)),
    each(nx * ny, (p) => y0 + (y1 - y0) * Math.floor(p / nx) / (ny - 1))
  ];
}
function pointsOf({ xy, count }) {
  return [0, 1].map((axis) => each(count, (i) => xy[2 * i + axis]));
}

// js/hands/reasons.js
var MOST3 = 4;
var LEAST = 0.02;
function reasonsAt({ point }, panel, { settings, scene }) {
  if (point < 0 || panel.noted || panel.frozen || panel.kind !== "classes") return [];
  const counts = panel.model?.countsAt(point, settings);
  const all = counts?.reduce((sum, count) => sum + Math.abs(count), 0);
  if (!(all > 0)) return [];
  return settings.labels.map((label2, j) => ({ label: label2, share: counts[j] / all })).filter(({ share }) => Math.abs(share) >= LEAST).sort((a, b2) => Math.abs(b2.share) - Math.abs(a.share)).slice(0, MOST3).map((one) => ({ ...one, ...placesOf(one.label, point, panel, scene.points) }));
}
function placesOf(label2, point, panel, { xy, ways, position }) {
  const place = (i) => [xy[2 * i], xy[2 * i + 1]];
  const at = position.get(label2.index);
  const there = at === void 0 ? [label2.x, label2.y] : place(at);
  if (!ways || panel.model instanceof RidgeModel) return { there, way: [place(point), there] };
  const along = ways.between(point, at ?? ways.nearest(...there));
  return { there, way: along && [...along.map(place), there] };
}
function words(why, { point }, panel, { labels }) {
  if (!why.length && point >= 0 && labels.length && !panel.frozen) return silence(panel);
  const each2 = why.map(({ label: label2, share }) => `${percent(share)} ${label2.index < 0 ? "one in empty space" : `row ${label2.index + 1}`}`);
  return each2.length ? [`from labels: ${each2.join(", ")}`] : [];
}
function silence({ kind, noted, panel, model }) {
  if (kind !== "classes" || noted || model) return [];
  if (!panel.depends.includes("lam")) return ["from labels: along the edges of the graph, not by shares"];
  return ["from labels: not a sum over them here, so there are no shares"];
}
function percent(share) {
  return `${share < 0 ? "−" : ""}${Math.round(100 * Math.abs(share))} %`;
}
function drawReasons(context, { view, box, theme }, why) {
  for (const { label: label2, share, way } of why)
    if (way) drawWay(context, way.map(([x, y]) => view.toPixel(x, y, box)), label2.code, share, theme);
}
function drawShares(context, { view, box, theme }, why) {
  for (const { share, there } of why)
    drawChip(context, percent(share), ...view.toPixel(...there, box), box, theme);
}

// js/paint/thumbnails.js
var SIDE = 18;
var CELL = 54;
var FRAME = 1.6;
function imageOf(images, point, theme) {
  const [, height, width] = images.shape;
  const image = new ImageData(width, height);
  const size = height * width;
  for (let p = 0; p < size; p++) {
    const share = images.data[point * size + p] / 255;
    const colour = theme.background.map((c, i) => c + (theme.text[i] - c) * share);
    image.data.set([...colour, 255], 4 * p);
  }
  return canvasOf(image);
}
function drawThumbnails(context, points, { points: values, outputs }, { view, box, theme }) {
  const { images, count } = points;
  const [, height, width] = images.shape;
  const scale = SIDE / Math.max(width, height);
  const [w, h] = [width * scale, height * scale];
  if (kept2.of !== images || kept2.theme !== theme.id)
    kept2 = { of: images, theme: theme.id, canvases: /* @__PURE__ */ new Map() };
  for (const [i, x, y] of spread(points, view, box)) {
    const { code } = decodeAt(values, i, count, outputs);
    context.beginPath();
    context.rect(x - w / 2 - FRAME, y - h / 2 - FRAME, w + 2 * FRAME, h + 2 * FRAME);
    filled(context, classColour(theme, code));
    context.imageSmoothingEnabled = false;
    if (!kept2.canvases.has(i)) kept2.canvases.set(i, imageOf(images, i, theme));
    context.drawImage(kept2.canvases.get(i), x - w / 2, y - h / 2, w, h);
  }
}
var kept2 = {};
function spread({ xy, count }, view, box) {
  const cells = /* @__PURE__ */ new Map();
  for (let i = 0; i < count; i++) {
    const [x, y] = view.toPixel(xy[2 * i], xy[2 * i + 1], box);
    if (!inside(box, x, y, -SIDE / 2)) continue;
    const [a, b2] = [Math.floor((x - box.x) / CELL), Math.floor((y - box.y) / CELL)];
    const off = Math.hypot(x - box.x - (a + 0.5) * CELL, y - box.y - (b2 + 0.5) * CELL);
    const key = `${a},${b2}`;
    if (!(cells.get(key)?.off <= off)) cells.set(key, { off, at: [i, x, y] });
  }
  const chosen = [];
  for (const { at } of [...cells.values()].sort((one, other) => one.off - other.off)) {
    const free = ([, x, y]) => Math.max(Math.abs(x - at[1]), Math.abs(y - at[2])) > SIDE + 2 * FRAME + 3;
    if (chosen.every(free)) chosen.push(at);
  }
  return chosen;
}

// js/hands/hover.js
function verdict(values, scene, kind = scene.kind) {
  if (!values) return null;
  const { classes } = scene;
  const [v2] = values;
  const { code, next, margin } = decodeAt(values, 0, 1, values.length);
  if (values.length === 1) {
    if (kind !== "classes") return { text: short2(v2), long: `value ${short2(v2, 4)}` };
    const name3 = classes[code] ?? (code ? "+" : "−");
    return { text: `${short2(v2, 2)} → ${name3}`, long: `score ${short2(v2, 3)} → ${name3}` };
  }
  const name2 = classes[code] ?? String(code);
  return { text: name2, long: `${name2}, ahead of ${classes[next] ?? next} by ${short2(margin, 2)}` };
}
function describe(target, panel, stage, why) {
  const { scene, labels } = stage;
  const lines2 = [placeWords(target, scene)].filter(Boolean);
  const told = [];
  const seen = verdict(panel.valuesAt(target.x, target.y, target.point), scene, panel.kind);
  if (seen) lines2.push(panel.field?.constant ? `${seen.long}, the same everywhere` : seen.long);
  if (target.point < 0 && farAt(scene.grid, target.x, target.y)) lines2.push("far from the data");
  if (target.point >= 0) {
    const truth = scene.points.truth?.[target.point] ?? -1;
    const known = truth >= 0 ? `, true class ${scene.classes[truth] ?? truth}` : "";
    const { notes, index } = scene.points;
    const [name2, ...more] = notes?.[target.point]?.split("\n") ?? [`row ${index[target.point] + 1}`];
    lines2.push(`${name2}${known}`);
    told.push(...more);
  }
  const at = findLabel(labels, target);
  if (at >= 0) {
    const names = candidatesOf(labels[at]).map((code) => scene.classes[code] ?? code);
    lines2.push(`labelled ${names.join(" or ")}`);
  }
  return [...lines2, ...words(why, target, panel, stage), ...told];
}
function placeWords(target, scene) {
  if (scene.space) return target.point >= 0 ? scene.space.words(target.point) : "";
  const [x0, x1, y0, y1] = scene.view;
  const place = [snapped(target.x, x1 - x0), snapped(target.y, y1 - y0)];
  return place.map((c) => short2(c)).join(", ");
}
function drawHover(context, stage, panel, target, strong, chip) {
  const { view, box, theme, scene } = stage;
  const [x, y] = view.toPixel(target.x, target.y, box);
  if (!scene.space) drawCross(context, x, y, box, theme);
  if (target.snapped || strong) drawRing(context, x, y, theme, strong);
  const values = chip && panel.valuesAt(target.x, target.y, target.point);
  const seen = values && verdict(values, scene, panel.kind);
  if (seen) drawChip(context, seen.text, x, y, box, theme);
}
var LARGEST = 72;
function portrait(images, point, theme) {
  if (!images || point < 0) return null;
  const [, height, width] = images.shape;
  const canvas = imageOf(images, point, theme);
  const scale = LARGEST / Math.max(width, height);
  canvas.className = "portrait";
  canvas.style.width = `${Math.round(width * scale)}px`;
  canvas.style.height = `${Math.round(height * scale)}px`;
  return canvas;
}
function placeTip(tip, lines2, [x, y], size, picture, free) {
  const text = lines2.flatMap((line, i) => i ? [document.createElement("br"), line] : [line]);
  tip.replaceChildren(...picture ? [picture] : [], ...text);
  tip.style.display = "block";
  const [w, h] = [tip.offsetWidth, tip.offsetHeight];
  const into = (at, room) => Math.max(2, Math.min(at, room - 2));
  const places = [y + 14, y - 14 - h].flatMap(
    (top2) => [x + 14, x - 14 - w].map((left3) => [into(left3, size.width - w), into(top2, size.height - h)])
  );
  const covered = places.map(([left3, top2]) => {
    const under = ([u, v2]) => u > left3 && u < left3 + w && v2 > top2 && v2 < top2 + h;
    return free.filter(under).length + (under([x, y]) ? Infinity : 0);
  });
  const [left2, top] = places[covered.indexOf(Math.min(...covered))];
  tip.style.left = `${left2}px`;
  tip.style.top = `${top}px`;
}

// js/paint/cloud.js
var DOTS2 = contract_default.dots;
var LAYERS = 16;
var SHIFTS = 4;
var FADED = 0.65;
var RIM = { light: 0.3, dark: 0.14 };
var LARGER = 1.2;
var BUSY2 = 9e5;
function markRadius(count, box) {
  return Math.min(Math.max(LARGER * dotRadius(count, box) * DOTS2.enlarged, 2), 5);
}
var Cloud = class {
  constructor() {
    this.stamps = /* @__PURE__ */ new Map();
    this.name = "";
  }
  // Ready for the panels of this picture.
  aim({ scene, view, box, ratio, theme, count, moving }) {
    const { space, points } = scene;
    const radius = markRadius(points.count, box);
    const work = points.count * count * (2 * radius * ratio + 1) ** 2;
    const scale = moving && work > BUSY2 ? Math.min(ratio, 1) : ratio;
    const name2 = [space.turns, box.w, box.h, scale, theme.id, ...view.range].join();
    if (name2 === this.name && this.space === space) return;
    Object.assign(this, { name: name2, space, scale, theme });
    this.width = Math.max(1, Math.round(box.w * scale));
    this.height = Math.max(1, Math.round(box.h * scale));
    const depths = Array.from({ length: LAYERS }, (_2, layer) => (layer + 0.5) / LAYERS);
    this.discs = depths.map((depth) => this.stamp(radius * scale * space.scale(depth)));
    this.fades = depths.map((depth) => Math.round(256 * FADED * (1 - depth) ** 1.3));
    this.place(points, view);
  }
  // Corners of the stamps in the picture; a mark that is not wholly inside is left out.
  place({ xy, count }, view) {
    const [x0, x1, y0, y1] = view.range;
    const [sx, sy] = [this.width / (x1 - x0), this.height / (y1 - y0)];
    const { near, order } = this.space;
    if (this.corner?.length !== count) {
      this.corner = new Int32Array(count);
      this.layer = new Uint8Array(count);
      this.shift = new Uint8Array(count);
      this.item = new Uint32Array(count);
    }
    let kept5 = 0;
    for (let k = 0; k < count; k++) {
      const i = order[k];
      const layer = Math.min(Math.max(near[i] * LAYERS | 0, 0), LAYERS - 1);
      const { half } = this.discs[layer];
      const x = (xy[2 * i] - x0) * sx;
      const y = (y1 - xy[2 * i + 1]) * sy;
      const [left2, top] = [Math.floor(x), Math.floor(y)];
      if (left2 < half || top < half || left2 + half >= this.width || top + half >= this.height)
        continue;
      this.item[kept5] = i;
      this.layer[kept5] = layer;
      this.shift[kept5] = ((y - top) * SHIFTS | 0) * SHIFTS + ((x - left2) * SHIFTS | 0);
      this.corner[kept5++] = (top - half) * this.width + left2 - half;
    }
    this.kept = kept5;
  }
  // A disc's pixels for every place of its middle within a pixel: offset, cover and rim, 0 to 256.
  stamp(radius) {
    const r = Math.round(4 * radius) / 4;
    const strength = 256 * (this.theme.dark ? RIM.dark : RIM.light);
    const name2 = [r, this.width, strength].join();
    const known = this.stamps.get(name2);
    if (known) return known;
    const half = Math.ceil(r + 1);
    const masks = [];
    for (let shift = 0; shift < SHIFTS * SHIFTS; shift++) {
      const u = half + (shift % SHIFTS + 0.5) / SHIFTS;
      const v2 = half + (Math.floor(shift / SHIFTS) + 0.5) / SHIFTS;
      const mask = [];
      for (let y = 0; y <= 2 * half; y++) {
        for (let x = 0; x <= 2 * half; x++) {
          const inside2 = r - Math.hypot(x + 0.5 - u, y + 0.5 - v2);
          const cover = Math.round(256 * Math.min(Math.max(inside2 + 0.5, 0), 1));
          const rim = Math.round(strength * Math.min(Math.max(1.2 - inside2, 0), 1));
          if (cover) mask.push(y * this.width + x, cover, rim);
        }
      }
      masks.push(Int32Array.from(mask));
    }
    const made = { half, masks };
    if (this.stamps.size > 200) this.stamps.clear();
    this.stamps.set(name2, made);
    return made;
  }
  // The same colour for all points.
  plain(count) {
    return new Uint32Array(count).fill(packed(this.theme.text));
  }
  // The marks in the colours `words` (packed RGBA, one for each point), as an image for a panel.
  paint(words2) {
    const { width, height, theme, kept: kept5 } = this;
    if (this.image?.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    const { pixels } = this;
    const page = packed(theme.background);
    pixels.fill(page);
    const [pr, pg, pb] = theme.background;
    const [lr, lg, lb] = theme.line;
    for (let k = 0; k < kept5; k++) {
      const layer = this.layer[k];
      const word = words2[this.item[k]];
      const fade2 = this.fades[layer];
      const r = mix2(word & 255, pr, fade2);
      const g = mix2(word >> 8 & 255, pg, fade2);
      const b2 = mix2(word >> 16 & 255, pb, fade2);
      const mask = this.discs[layer].masks[this.shift[k]];
      const corner = this.corner[k];
      for (let m = 0; m < mask.length; m += 3) {
        const at = corner + mask[m];
        const cover = mask[m + 1];
        const rim = mask[m + 2];
        let [s, t, u] = [r, g, b2];
        if (rim) {
          s = mix2(r, lr, rim);
          t = mix2(g, lg, rim);
          u = mix2(b2, lb, rim);
        }
        if (cover < 256) {
          const under = pixels[at];
          s = mix2(under & 255, s, cover);
          t = mix2(under >> 8 & 255, t, cover);
          u = mix2(under >> 16 & 255, u, cover);
        }
        pixels[at] = 4278190080 | u << 16 | t << 8 | s;
      }
    }
    return this.sheet = canvasOf(this.image, this.sheet);
  }
};
function mix2(a, b2, share) {
  return a + ((b2 - a) * share >> 8) | 0;
}
function drawTriad(context, space, box, theme, names) {
  const small = box.w < 200;
  const length = small ? 13 : 24;
  const reach = length + (small ? 4 : 16);
  const [x, y] = [box.x + reach, box.y + box.h - reach];
  Object.assign(context, { font: `12px ${theme.font}`, textAlign: "center", textBaseline: "middle" });
  const [right, up, front] = space.matrix;
  const order = [0, 1, 2].sort((a, b2) => front[a] - front[b2]);
  for (const axis of order) {
    const [u, v2] = [right[axis] * length, -up[axis] * length];
    const clear = 0.85 + 0.15 * front[axis];
    context.beginPath();
    lines(context, [[x, y], [x + u, y + v2]]);
    context.lineCap = "round";
    haloed(context, theme, [4, 0.8], 1.5, css(theme.text, clear));
    if (small) continue;
    const away = 1 + 10 / Math.max(Math.hypot(u, v2), 9);
    const place = [names[axis], x + away * u, y + away * v2];
    Object.assign(context, { strokeStyle: css(theme.halo, 0.85), lineWidth: 3.5 });
    context.strokeText(...place);
    context.fillStyle = css(theme.text, clear);
    context.fillText(...place);
  }
}

// js/hands/hand.js
var STEP = Math.PI / 24;
var HINTS = 3;
var Hand = class {
  constructor(stage) {
    Object.assign(this, { stage, hints: 0 });
    this.forget();
  }
  // target: what the pointer or the keyboard's cursor is at; hovered: the panel under the pointer.
  forget() {
    Object.assign(this, { target: null, hovered: null, cursor: null });
  }
  get lens() {
    const { scene, view, labels, board } = this.stage;
    scene.space?.look(view);
    return { scene, view, labels, box: board.place.box };
  }
  inBox(x, y) {
    const box = this.stage.board.place?.box;
    return Boolean(box) && inside(box, x, y);
  }
  repaint() {
    this.stage.board.schedule("", "over");
  }
  // ---- pointer ----------------------------------------------------------------------------
  hover(panel, x, y) {
    if (!this.inBox(x, y) || panel.closed) return this.leave();
    this.hovered = panel;
    this.target = targetAt(x, y, this.lens);
    const free = this.turns ? "grab" : "crosshair";
    const point = this.target.snapped && this.stage.canLabel(this.target);
    panel.plot.style.cursor = point ? "pointer" : free;
    if (!this.turns && !this.stage.scene.editable && this.stage.panels.length > 1)
      panel.plot.style.cursor = this.stage.display.enlarged === null ? "zoom-in" : "zoom-out";
    this.repaint();
  }
  leave() {
    if (!this.target || this.cursor) return;
    this.forget();
    this.repaint();
  }
  // A click; `twice` when it is the second of two in the same place.
  press(panel, x, y, reach, twice, also = false) {
    if (!this.inBox(x, y) || panel.closed || panel.frozen) return;
    const { stage } = this;
    stage.board.plots.focus({ preventScroll: true });
    this.cursor = null;
    if (twice && stage.view.zoomed) {
      if (this.pressed) stage.travel("undo");
      this.pressed = false;
      stage.zoomBy(0);
      return;
    }
    if (!stage.scene.editable && stage.display.toggle(panel)) return;
    this.hovered = panel;
    this.target = targetAt(x, y, this.lens, reach);
    this.pressed = stage.toggleAt(this.target, also);
    this.repaint();
  }
  // Do drags turn the picture?
  get turns() {
    return Boolean(this.stage.scene?.space);
  }
  drag(dx, dy) {
    if (!this.turns) return this.pan(dx, dy);
    this.stage.view.follow(dx, dy, this.stage.board.place.box);
    this.forget();
    this.stage.moved();
  }
  pan(dx, dy) {
    const { view, board } = this.stage;
    const [x0, x1, y0, y1] = view.range;
    const { box } = board.place;
    const free = view.pan(-dx / box.w * (x1 - x0), dy / box.h * (y1 - y0));
    if (!free) board.remark(`The data end here; ${wayBack()}`);
    this.forget();
    this.stage.moved();
  }
  zoomAt(factor, px, py) {
    const { view, board } = this.stage;
    view.zoomAt(factor, ...view.toPlane(px, py, board.place.box));
    this.stage.moved();
  }
  hint() {
    if (this.hints++ >= HINTS) return;
    const drag = this.turns ? "turns" : "moves";
    this.stage.board.remark(`${zoomKey()} + wheel zooms, drag ${drag}`);
  }
  // Another panel came into view: the note moves there.
  show(panel) {
    if (this.cursor) this.hovered = panel;
    else this.forget();
    this.repaint();
  }
  // ---- keyboard ---------------------------------------------------------------------------
  // Keys while the pictures have the focus; true when the key was used.
  key(event) {
    return pressKey(event, this.stage, (key) => {
      if (key in ARROWS && event.shiftKey && this.turns) return this.turn(...ARROWS[key]);
      if (key in ARROWS) return this.step(...ARROWS[key], event.shiftKey);
      if (key === "Enter" || key === " ") return this.label(event.shiftKey);
      if (key === "Delete" || key === "Backspace") return this.remove();
      if (key === "Escape") return this.drop();
      if (!/^\d$/.test(key)) return void 0;
      const code = classOfKey(key, this.stage.scene.classes);
      if (code >= 0) return this.stage.pick(code);
      return key === "0" && this.stage.zoomBy(0);
    });
  }
  step(dx, dy, free) {
    const { stage } = this;
    const [x0, x1, y0, y1] = stage.view.range;
    const bare = { x: (x0 + x1) / 2, y: (y0 + y1) / 2, index: -1, point: -1, snapped: false };
    const from = this.cursor ?? bare;
    if (free) {
      const size = 0.02 * (x1 - x0);
      const x = Math.min(Math.max(from.x + dx * size, x0), x1);
      const y = Math.min(Math.max(from.y + dy * size, y0), y1);
      const [u, v2] = stage.view.snap(x, y);
      this.cursor = { ...bare, x: u, y: v2 };
    } else this.cursor = neighbour(from, dx, dy, this.lens) ?? from;
    this.target = this.cursor;
    this.follow();
    this.hovered = stage.board.swipe.panel ?? this.hovered;
    const { live } = stage.display;
    if (!live.includes(this.hovered)) this.hovered = live.find((p) => !p.closed) ?? live[0];
    const why = reasonsAt(this.cursor, this.hovered, stage);
    const [place, ...rest] = describe(this.cursor, this.hovered, stage, why);
    stage.board.say([...rest, place].join(", "));
    this.repaint();
    return true;
  }
  // A step of the turn; the cursor stays on its point.
  turn(dx, dy) {
    const { stage } = this;
    stage.view.turn(dx * STEP, -dy * STEP);
    const { scene } = this.lens;
    if (this.cursor?.point >= 0) this.cursor = pointTarget(scene.points, this.cursor.point);
    this.target = this.cursor;
    stage.moved();
    return true;
  }
  // Keep the cursor on screen when the picture is zoomed.
  follow() {
    const { view } = this.stage;
    const { x, y } = this.cursor;
    const [x0, x1, y0, y1] = view.range;
    if (x >= x0 && x <= x1 && y >= y0 && y <= y1) return;
    view.pan(x - (x0 + x1) / 2, y - (y0 + y1) / 2);
    this.stage.moved();
  }
  label(also = false) {
    if (this.cursor) this.stage.toggleAt(this.cursor, also);
    return true;
  }
  remove() {
    if (!this.cursor) return false;
    this.stage.edit(remove(this.stage.labels, this.cursor), this.cursor);
    return true;
  }
  drop() {
    if (this.stage.stroke.cancel()) return true;
    if (!this.cursor) return false;
    this.forget();
    this.repaint();
    return true;
  }
};
var NEAR = 12;
var BEHIND = 3;
function pointTarget({ xy, index }, i) {
  return { x: xy[2 * i], y: xy[2 * i + 1], index: index[i], point: i, snapped: true };
}
function foremost({ scene: { space, points }, labels }, rank) {
  let [least, found] = [Infinity, null];
  for (let i = 0; i < points.count; i++) {
    const own = rank(points.xy[2 * i], points.xy[2 * i + 1], i);
    if (own < least) [least, found] = [own, pointTarget(points, i)];
  }
  for (const label2 of space ? [] : labels) {
    const { x, y, index } = label2;
    const own = rank(x, y, -1, label2);
    const point = points.position.get(index) ?? -1;
    if (own < least) [least, found] = [own, { x, y, index, point, snapped: true }];
  }
  return found;
}
function targetAt(px, py, lens, reach = NEAR) {
  const { scene, view, box, labels } = lens;
  const { space, points } = scene;
  const labelled = new Set(space ? labels.map((label2) => label2.index) : []);
  const mark = space && markRadius(points.count, box);
  const inSpace = (d, i) => {
    const near = space.near[i];
    const ease = labelled.has(points.index[i]) ? 2 : 1;
    const covers = d <= mark * space.scale(near) * ease;
    return covers ? -near : d * (1 + BEHIND * (1 - near)) / ease;
  };
  const found = foremost(lens, (x2, y2, i) => {
    const [u, v2] = view.toPixel(x2, y2, box);
    const d = Math.hypot(u - px, v2 - py) * (i < 0 ? Math.SQRT1_2 : 1);
    return d >= reach ? Infinity : space ? inSpace(d, i) : d;
  });
  if (found) return found;
  const [x, y] = view.toPlane(px, py, box);
  return { x, y, index: -1, point: -1, snapped: false };
}
function neighbour(from, dx, dy, lens) {
  const { space } = lens.scene;
  const depth = space && (from.point >= 0 ? space.near[from.point] : 1);
  const least = space ? 1e-9 * space.radius : 1e-12;
  return foremost(lens, (x, y, i, label2) => {
    const ahead = (x - from.x) * dx + (y - from.y) * dy;
    const aside = Math.abs((x - from.x) * dy - (y - from.y) * dx);
    if (label2?.index >= 0 || ahead <= least || aside > ahead) return Infinity;
    return ahead + 2 * aside + (space ? 2 * space.radius * Math.abs(space.near[i] - depth) : 0);
  });
}

// js/hands/gestures.js
var TWICE = 350;
function placeOn(node) {
  return (event) => {
    const frame = node.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
}
function pairs(within2) {
  let last = null;
  return ({ timeStamp: time }, [x, y]) => {
    const soon = last && time - last.time < TWICE && Math.hypot(x - last.x, y - last.y) < within2;
    last = soon ? null : { x, y, time };
    return Boolean(soon);
  };
}
function listenDrag(node, place, { begin, drag, lost }) {
  let held = false;
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.preventDefault();
    node.setPointerCapture(event.pointerId);
    held = true;
    begin(place(event));
  });
  node.addEventListener("pointermove", (event) => held && drag(place(event), false));
  node.addEventListener("pointerup", (event) => {
    if (held) drag(place(event), true);
    held = false;
  });
  node.addEventListener("pointercancel", () => {
    if (held) lost();
    held = false;
  });
}
function listenWheel(node, zoomAt, plain) {
  const place = placeOn(node);
  const turned2 = (event) => {
    if (!event.ctrlKey && !event.metaKey) return plain?.();
    event.preventDefault();
    const step = event.deltaMode === 1 ? 16 * event.deltaY : event.deltaY;
    zoomAt(Math.exp(-Math.min(Math.max(step, -120), 120) * 4e-3), ...place(event));
  };
  node.addEventListener("wheel", turned2, { passive: false });
}
function listenPinch(node, { pan, zoomAt, begun }) {
  const place = placeOn(node);
  let pinch = null;
  const measure = ({ touches }) => {
    const [[ax, ay], [bx, by]] = [place(touches[0]), place(touches[1])];
    return { x: (ax + bx) / 2, y: (ay + by) / 2, span: Math.hypot(ax - bx, ay - by) };
  };
  const start = (event) => {
    pinch = event.touches.length === 2 ? measure(event) : null;
    if (!pinch) return;
    begun();
    event.preventDefault();
  };
  const move = (event) => {
    if (!pinch || event.touches.length !== 2) return;
    event.preventDefault();
    const now = measure(event);
    pan(now.x - pinch.x, now.y - pinch.y);
    zoomAt(now.span / Math.max(pinch.span, 1), now.x, now.y);
    pinch = now;
  };
  node.addEventListener("touchstart", start, { passive: false });
  node.addEventListener("touchmove", move, { passive: false });
  for (const end of ["touchend", "touchcancel"]) node.addEventListener(end, () => pinch = null);
}
function listenTool(plot, panel, tool2, { plots, buttons = [0], inside: inside2 = () => true, forget }) {
  const place = placeOn(plot);
  plot.addEventListener("pointerdown", (event) => {
    if (!tool2.ready || !buttons.includes(event.button) || !event.isPrimary || panel.closed) return;
    const at = place(event);
    if (!inside2(...at)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    plots.focus({ preventScroll: true });
    forget?.();
    plot.setPointerCapture(event.pointerId);
    tool2.begin(panel, at, event);
  });
  plot.addEventListener("pointermove", (event) => {
    if (!tool2.ready) return;
    if (tool2.alone || tool2.busy) event.stopImmediatePropagation();
    if (!event.isPrimary) return;
    const at = place(event);
    if (event.pointerType !== "touch") tool2.hover(panel, inside2(...at) ? at : null);
    if (!tool2.busy) return;
    const combined = event.getCoalescedEvents?.() ?? [];
    for (const one of combined.length ? combined : [event]) tool2.extend(place(one), one);
  });
  plot.addEventListener("pointerup", (event) => {
    if (!tool2.busy) return;
    event.stopImmediatePropagation();
    if (event.isPrimary) tool2.finish();
  });
  plot.addEventListener("pointercancel", () => tool2.keeps ? tool2.finish() : tool2.cancel());
  plot.addEventListener("pointerleave", () => tool2.hover(panel, null));
  const touched = (event) => {
    if (event.touches.length > 1) tool2.cancel();
    else if (tool2.ready) event.preventDefault();
  };
  plot.addEventListener("touchstart", touched, { passive: false });
}
var FINGER = 20;
var STILL = 4;
function listen(plot, panel, hand) {
  const place = placeOn(plot);
  const second = pairs(8);
  let down = null;
  plot.addEventListener("pointermove", (event) => {
    const [x, y] = place(event);
    const touch = event.pointerType === "touch";
    const drags = down && (event.pointerType === "mouse" || hand.turns);
    if (drags && !down.moved && Math.hypot(x - down.x, y - down.y) > STILL) {
      if (touch && Math.abs(y - down.y) > Math.abs(x - down.x)) down = null;
      else {
        down.moved = true;
        plot.setPointerCapture(event.pointerId);
      }
    }
    if (drags && down?.moved) {
      hand.drag(x - down.at[0], y - down.at[1]);
      down.at = [x, y];
    } else if (!touch) hand.hover(panel, x, y);
  });
  plot.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch") hand.leave();
  });
  plot.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    const [x, y] = place(event);
    down = { x, y, at: [x, y], moved: false };
  });
  plot.addEventListener("pointercancel", () => down = null);
  plot.addEventListener("pointerup", (event) => {
    const press2 = down;
    down = null;
    if (!press2 || press2.moved || event.button !== 0) return;
    const [x, y] = place(event);
    if (Math.hypot(x - press2.x, y - press2.y) > 2 * STILL) return;
    const reach = event.pointerType === "touch" ? FINGER : NEAR;
    hand.press(panel, x, y, reach, second(event, [x, y]), event.shiftKey);
  });
  const zoomAt = (...how) => hand.zoomAt(...how);
  listenWheel(plot, zoomAt, () => hand.hint());
  listenPinch(plot, { pan: (dx, dy) => hand.pan(dx, dy), zoomAt, begun: () => down = null });
}
function classOfKey(key, classes) {
  const named = classes.indexOf(key);
  const place = key === "0" ? 9 : Number(key) - 1;
  return named >= 0 ? named : place < classes.length ? place : -1;
}
function keysOf(classes) {
  const keys = classes.map(() => "");
  for (const key of "1234567890") {
    const code = classOfKey(key, classes);
    if (code >= 0 && (!keys[code] || classes[code] === key)) keys[code] = key;
  }
  return keys;
}
var TYPED = "input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select, canvas, [contenteditable]:not([contenteditable=false]), [role=combobox], [role=listbox], [role=grid], [role=menu]";
var ZOOMS = { "+": 1.4, "=": 1.4, "-": 1 / 1.4, _: 1 / 1.4, Home: 0 };
var ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
var TOOLS = { b: "brush", e: "eraser", m: "move" };
function isFree({ key, ctrlKey, metaKey, altKey }) {
  if (altKey) return false;
  return ctrlKey || metaKey ? /^[zy]$/i.test(key) : /^[0-9bem[\],.]$/i.test(key);
}
function listenKeys(root, plots, press2, signal) {
  const heard = (event) => {
    const [at] = event.composedPath();
    if (at !== plots) {
      const others = Object.keys(globalThis.__lapviz?.stages ?? {}).length > 1;
      if (event.defaultPrevented || !isFree(event) || at.closest?.(TYPED)) return;
      if (others && !root.contains(at)) return;
    }
    if (!press2(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("keydown", heard, { signal });
}
function pressKey(event, acts, own) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) {
    const way = { z: event.shiftKey ? "redo" : "undo", y: "redo" }[key];
    return Boolean(way) && acts.travel(way);
  }
  if (event.altKey) return false;
  return own(key) ?? (key in ZOOMS && acts.zoomBy(ZOOMS[key]));
}

// js/hands/curve_handles.js
var ARM = [30, 44];
var REACH = 18;
var MOST4 = contract_default.changes.curve.handles.size;
var clamp = (value, low2, high2) => Math.min(Math.max(value, low2), high2);
function numbers(handles) {
  return [...handles.map((h) => h.value), ...handles.map((h) => h.slope ?? 0)];
}
function movedTo(handle, x, value) {
  return { ...handle, x: clamp(x, 0, 1), value: clamp(value, -MOST4, MOST4) };
}
function turnedTo(handle, slope) {
  return { ...handle, slope: clamp(slope, -MOST4, MOST4) };
}
var HandlesView = class {
  // acts: {move(i, handle, done), select(i), remove(i)}
  constructor(chart, acts) {
    Object.assign(this, { chart, acts, nodes: [], handles: [] });
    this.group = svg("g", { class: "handles" });
    chart.node.append(this.group);
    chart.node.setAttribute("role", "group");
  }
  draw(handles, selected) {
    this.handles = handles;
    fit(this.nodes, handles.length, (i) => this.added(i));
    handles.forEach((handle, i) => this.place(i, handle, i === selected));
  }
  added(i) {
    const knob = (cls) => svg(
      "g",
      { class: cls, role: "slider", tabindex: 0 },
      svg("circle", { r: REACH, class: "reach" }),
      svg("circle", { r: 8, class: "bead" })
    );
    const parts = { point: knob("point"), left: knob("turn"), right: knob("turn") };
    parts.arm = svg("line", { class: "arm" });
    parts.node = svg("g", { class: "handle" }, parts.arm, parts.left, parts.right, parts.point);
    set(parts.left, { tabindex: -1, "aria-hidden": true });
    for (const name2 of ["point", "left", "right"])
      this.listen(parts[name2], i, name2 === "point" ? "point" : "turn");
    this.group.append(parts.node);
    return parts;
  }
  listen(node, i, what) {
    let grip = null;
    const begin = ([px, py]) => {
      node.focus({ preventScroll: true });
      const { x, value } = this.handles[i];
      const [cx, cy] = this.chart.toPixel(x, value);
      grip = what === "point" ? [cx - px, cy - py, px] : [cx, cy, Math.sign(px - cx) || 1];
      this.acts.select(i);
    };
    const drag = (at, done) => what === "point" ? this.slide(i, at, grip, done) : this.turn(i, at, grip, done);
    const lost = () => this.acts.move(i, this.handles[i], true);
    listenDrag(node, placeOn(this.chart.node), { begin, drag, lost });
    node.addEventListener("focus", () => this.acts.select(i));
    node.addEventListener("keydown", (event) => this.press(event, i, what));
  }
  // Straight up and down keeps the input: a hand that wavers by a few pixels does not move it.
  slide(i, [px, py], grip, done) {
    grip.free ||= Math.abs(px - grip[2]) > 6;
    const [x, value] = this.chart.toPlane(px + grip[0], py + grip[1]);
    const handle = this.handles[i];
    this.acts.move(i, movedTo(handle, grip.free ? x : handle.x, value), done);
  }
  turn(i, [px, py], [cx, cy, side], done) {
    const dx = side * Math.max(side * (px - cx), 3);
    const [x0, y0] = this.chart.toPlane(cx, cy);
    const [x1, y1] = this.chart.toPlane(cx + dx, py);
    this.acts.move(i, turnedTo(this.handles[i], (y1 - y0) / (x1 - x0)), done);
  }
  press(event, i, what) {
    if (event.key === "Delete" || event.key === "Backspace") this.acts.remove(i);
    else if (event.key in ARROWS) {
      const [dx, dy] = ARROWS[event.key];
      const many = event.shiftKey ? 10 : 1;
      const [x0, x1, y0, y1] = this.chart.range;
      const unit = (y1 - y0) / 100 * many;
      const handle = this.handles[i];
      const next = what === "point" ? movedTo(handle, handle.x + 0.01 * many * dx, handle.value + unit * dy) : turnedTo(handle, (handle.slope ?? 0) + 5 * unit * (dy || dx) / (x1 - x0));
      this.acts.move(i, next, true);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
  place(i, { x, value, slope }, selected) {
    const { node, point, left: left2, right, arm } = this.nodes[i];
    const [cx, cy] = this.chart.toPixel(x, value);
    node.classList.toggle("selected", selected);
    set(point, spoken(`Point ${i + 1}`, value, `x ${short2(x)}, value ${short2(value)}`));
    point.setAttribute("transform", `translate(${cx.toFixed(1)} ${cy.toFixed(1)})`);
    const given = slope !== null && slope !== void 0;
    for (const part of [left2, right, arm]) show(part, given);
    if (!given) return;
    const [ux, uy] = this.chart.toPixel(x + 1, value + slope);
    const length = Math.hypot(ux - cx, uy - cy) || 1;
    const reach = Math.min(Math.max(0.06 * this.chart.width, ARM[0]), ARM[1]);
    const [dx, dy] = [(ux - cx) / length * reach, (uy - cy) / length * reach];
    set(arm, { x1: cx - dx, y1: cy - dy, x2: cx + dx, y2: cy + dy });
    left2.setAttribute("transform", `translate(${(cx - dx).toFixed(1)} ${(cy - dy).toFixed(1)})`);
    right.setAttribute("transform", `translate(${(cx + dx).toFixed(1)} ${(cy + dy).toFixed(1)})`);
    set(right, spoken(`Slope of point ${i + 1}`, slope, `slope ${short2(slope)}`));
  }
};
function spoken(label2, now, text) {
  const range2 = { "aria-valuenow": now, "aria-valuemin": -MOST4, "aria-valuemax": MOST4 };
  return { "aria-label": label2, ...range2, "aria-valuetext": text };
}

// js/panels/curve_path.js
var LINE = 15;
var LETTER2 = 6.9;
var ROWS = 3;
var PathView = class {
  // acts: {setStep(k, done), choose(name)}; head: where the numbers stand.
  constructor(acts, head) {
    this.acts = acts;
    this.chart = new Chart("Numbers along the path");
    const choose = (name2) => acts.choose(name2);
    this.menu = menu("select.filter", "Regularisation", "Whose path is shown", choose);
    const step = (done) => () => acts.setStep(Number(this.slider.value), done);
    this.slider = element("input.slide.steps", {
      ...{ type: "range", min: 0, step: 1, oninput: step(false), onchange: step(true) },
      title: "Move along the path; the browser holds all its curves"
    });
    this.chips = element("div.group.chips");
    this.tools = element("div.group.lead", {}, this.menu, this.slider, head);
    this.legend = element("div.legend");
    this.node = element("div.along", {}, this.chart.node, this.legend);
    const { node } = this.chart;
    listenDrag(node, placeOn(node), {
      begin: ([px]) => this.pick(px, false),
      drag: ([px], done) => this.pick(px, done),
      lost: step(true)
    });
  }
  // The step nearest to a place in the chart.
  pick(px, done) {
    const places = this.at.map((x) => Math.abs(this.chart.toPixel(x, 1)[0] - px));
    this.acts.setStep(places.indexOf(Math.min(...places)), done);
  }
  adopt(paths) {
    const option = ({ name: name2, title }) => element("option", { value: name2 }, title);
    this.menu.replaceChildren(...paths.map(option));
    this.menu.hidden = paths.length < 2;
  }
  show(path) {
    if (path === this.path) return;
    this.path = path;
    this.menu.value = path.name;
    this.slider.max = path.positions.length - 1;
    this.slider.setAttribute("aria-label", `Position on the path, ${path.symbol}`);
    const chip = ({ title, step }) => {
      const act = { title: `Go to where “${title}” stops`, onclick: () => this.acts.setStep(step, true) };
      return element("button.swatch", act, `${title}: ${short2(path.positions[step])}`);
    };
    this.chips.replaceChildren(...path.marks.map(chip));
    const key = ({ title, dashed }, i) => element("span.key", {}, sample2(i, dashed), title);
    this.legend.replaceChildren(...path.series.map(key));
  }
  // Positions as the axis has them: a logarithmic axis has no 0.
  get at() {
    const { positions, log } = this.path;
    const least = Math.min(...positions.filter((v2) => v2 > 0));
    return log ? positions.map((v2) => Math.max(v2, least)) : positions;
  }
  layout(width, height) {
    const { path, at } = this;
    const values = path.series.flatMap(({ values: values2 }) => Array.from(values2.data));
    const positive = values.filter((v2) => v2 > 0 && Number.isFinite(v2));
    const high2 = Math.max(...positive, 1e-12);
    const low2 = Math.max(Math.min(...positive, high2), high2 * 1e-8);
    const ends = [Math.min(...at), Math.max(...at)];
    if (ends[0] === ends[1]) ends[1] = path.log ? 10 * ends[0] : ends[0] + 1;
    const groups = grouped(path.marks);
    this.chart.layout(width, height, [...ends, low2 / 1.4, high2 * 1.4], {
      log: [path.log, true],
      names: [path.symbol, "size"],
      top: 8 + LINE * Math.min(groups.length, ROWS)
    });
    const line = ({ values: values2, dashed }, i) => svg("path", { d: this.chart.path(at, values2.data), class: look(i, dashed) });
    this.chart.lines.replaceChildren(...path.series.map(line), ...this.flags(groups));
  }
  // A line and a name for each place where a rule stops; names that would touch go a row lower.
  flags(groups) {
    const { box } = this.chart;
    const ends = Array(ROWS).fill(-Infinity);
    return groups.flatMap(({ step, titles }) => {
      const px = this.chart.toPixel(this.at[step], 1)[0];
      const text = titles.join(", ");
      const wide2 = LETTER2 * text.length;
      const x = Math.min(Math.max(px, box.x + wide2 / 2), box.x + box.w - wide2 / 2);
      const row = Math.max(0, ends.findIndex((end) => x - wide2 / 2 > end + 6));
      ends[row] = x + wide2 / 2;
      const y = 12 + LINE * row;
      return [
        svg("line", { x1: px, x2: px, y1: y + 4, y2: box.y + box.h, class: "flag" }),
        label(text, x, y, "middle")
      ];
    });
  }
  // The numbers at a step, as text.
  words(step) {
    const { path } = this;
    const whole = path.series.filter(({ dashed }) => !dashed);
    const parts = whole.map(({ title, values }) => `${title.toLowerCase()} ${short2(values.data[step])}`);
    return [`${path.symbol} = ${short2(path.positions[step])}`, ...parts].join(" · ");
  }
  draw(step) {
    const { chart, path } = this;
    const { box } = chart;
    const x = this.at[step];
    const px = chart.toPixel(x, 1)[0];
    const dots = path.series.map(({ values, dashed }, i) => {
      const [cx, cy] = chart.toPixel(x, values.data[step]);
      const seen = !dashed && cy >= box.y && cy <= box.y + box.h;
      return seen ? svg("circle", { cx, cy, r: 4, class: `dot s${i}` }) : "";
    });
    const line = svg("line", { x1: px, x2: px, y1: box.y, y2: box.y + box.h, class: "now" });
    chart.over.replaceChildren(line, ...dots);
    this.slider.value = step;
    this.slider.setAttribute("aria-valuetext", this.words(step));
    for (const [i, chip] of [...this.chips.children].entries()) {
      chip.classList.toggle("at", path.marks[i].step === step);
    }
  }
};
function look(i, dashed) {
  return `series s${i}${dashed ? " dashed" : ""}`;
}
function sample2(i, dashed) {
  const line = svg("path", { d: "M0 5h28", class: look(i, dashed) });
  return svg("svg", { width: 28, height: 10, class: "chart", "aria-hidden": true }, line);
}
function grouped(marks) {
  const groups = /* @__PURE__ */ new Map();
  for (const { step, title } of marks) groups.set(step, [...groups.get(step) ?? [], title]);
  return [...groups].sort(([a], [b2]) => a - b2).map(([step, titles]) => ({ step, titles }));
}

// js/panels/layout.js
var layout_exports = {};
__export(layout_exports, {
  AXIS: () => AXIS,
  GAP: () => GAP,
  arrange: () => arrange,
  detail: () => detail,
  framed: () => framed,
  markSize: () => markSize,
  pixelsOf: () => pixelsOf
});
var PANELS = contract_default.panels;
var GAP = 14;
var LEAST2 = { few: 150, many: 104, pinned: 200 };
var AXIS = 34;
var NARROW = 560;
function markSize(root) {
  root.dataset.size = root.clientWidth < NARROW ? "narrow" : "wide";
}
function arrange(wishes) {
  const { width, wish, height, aspect, available, swiped = false, bare = false } = wishes;
  const { head = 44, room = AXIS, type = contract_default.type.least } = wishes;
  const [count, times2] = swiped ? [1, 1] : [wishes.count, wishes.times ?? 1];
  const many = count > PANELS.many;
  const beside = count === 1 && times2 > 1;
  const least = many ? PANELS.least_width_many : count > 1 || beside ? PANELS.least_width : 0;
  const natural = wish || (count <= PANELS.in_a_row ? count : PANELS.columns);
  const columns = beside ? fitting(width, least, 2) : columnsOf(width, count, natural, least);
  const outer2 = Math.floor((width - GAP * (columns - 1)) / columns);
  const rows = rowsInView(width, columns, beside ? 2 : count, beside ? 1 : times2);
  const free = (available - GAP * (rows - 1)) / rows - head;
  const kind = many ? "many" : times2 > 1 && !beside ? "pinned" : "few";
  const most = (above) => height || Math.max(free - above, LEAST2[kind]);
  const place = framed({ outer: outer2, most, aspect, axes: !bare && !many && outer2 >= 200, room, type });
  return { columns, gap: GAP, ...place };
}
function framed({ outer: outer2, most, aspect, axes, room, type }) {
  const margin = axes ? { left: room, right: 8, top: 1, bottom: type + 10 } : { left: 1, right: 1, top: 1, bottom: 1 };
  const [beside, above] = [margin.left + margin.right, margin.top + margin.bottom];
  const widest = Math.max(outer2 - beside, 40);
  const tallest = Math.max(most(above), 1);
  const [w, h] = [Math.min(widest, tallest * aspect), Math.min(widest / aspect, tallest)].map(Math.floor);
  return {
    axes,
    box: { x: margin.left, y: margin.top, w, h },
    size: { width: w + beside, height: h + above }
  };
}
function columnsOf(width, count, natural, least) {
  const columns = fitting(width, least, Math.min(natural, count || 1));
  if (count <= PANELS.in_a_row && count % columns) {
    return fitting(width, PANELS.least_width_many, count) === count ? count : 1;
  }
  return count ? Math.ceil(count / Math.ceil(count / columns)) : 1;
}
function fitting(width, least, most) {
  if (!least) return 1;
  return Math.max(1, Math.min(most, Math.floor((width + GAP) / (least + GAP))));
}
function rowsInView(width, columns, count, times2) {
  if (columns === 1) return 1;
  const rows = Math.ceil(Math.min(count, PANELS.first) / columns) * times2;
  return width < NARROW ? Math.min(rows, 2) : rows;
}
function detail(box, ratio, count, moving) {
  const still = count > PANELS.many ? PANELS.pixels_many : PANELS.pixels;
  return pixelsOf(box, ratio, moving ? count > 3 ? 96 : 192 : still);
}
function pixelsOf({ w, h }, ratio, most) {
  const scale = ratio * Math.min(1, most / (ratio * Math.max(w, h)));
  return [w, h].map((side) => Math.max(2, Math.round(side * scale)));
}

// js/paint/axes.js
var [TURNED, MOST5, LINE2] = [1.25, 5.4, 1.5];
function axisRoom(context, view, box, theme, name2) {
  const { type } = theme;
  context.font = `${type}px ${theme.font}`;
  const [, , y0, y1] = view.range;
  const { values, digits } = ticks(y0, y1, box.h / (5 * type), box.h / (LINE2 * type));
  const widths = values.map((value) => context.measureText(tick(value, digits)).width);
  const turned2 = turns(context, name2) ? TURNED * type : 0;
  const wide2 = Math.max(Math.max(0, ...widths) + 9, AXIS - turned2 / 2) + turned2;
  return Math.ceil(Math.min(wide2, MOST5 * type));
}
function turns(context, name2) {
  return context.measureText(name2).width > AXIS - 8;
}
function drawAxes(context, view, box, theme, names) {
  Object.assign(context, { strokeStyle: css(theme.text, 0.22), lineWidth: 1 });
  context.strokeRect(box.x - 0.5, box.y - 0.5, box.w + 1, box.h + 1);
  if (!names) return;
  context.font = `${theme.type}px ${theme.font}`;
  context.beginPath();
  names.forEach((name2, axis) => drawTicks(context, view, box, theme, axis, name2));
  context.stroke();
  nameAxes(context, box, theme, names);
}
function drawTicks(context, view, box, theme, axis, name2) {
  const { type } = theme;
  const turned2 = turns(context, name2);
  const end = box.x + box.w - Math.min(context.measureText(name2).width, 0.6 * box.w) - 10;
  const top = box.y + (turned2 ? 4 : type + 5);
  const [least, most] = axis ? [top, box.y + box.h - 4] : [box.x + 6, end];
  const [length, wide2, tight] = axis ? [box.h, 5, LINE2] : [box.w, 4, 3];
  const [dx, dy] = axis ? [-1, 0] : [0, 1];
  const room = axis ? box.x - 8 - (turned2 ? TURNED * type : 0) : void 0;
  const [align, base] = axis ? ["right", "middle"] : ["center", "top"];
  const look2 = { clear: 0.7, align, base, room };
  const place = (value) => view.toPixel(value, value, box)[axis];
  const clear = (value) => place(value) > least && place(value) < most;
  const [lo, hi] = view.range.slice(2 * axis, 2 * axis + 2);
  const { values, digits } = ticks(lo, hi, length / (wide2 * type), length / (tight * type), clear);
  for (const value of values) {
    const [x, y] = axis ? [box.x, place(value)] : [place(value), box.y + box.h];
    context.moveTo(x + dx, y + dy);
    context.lineTo(x + 4 * dx, y + 4 * dy);
    if (clear(value)) write(context, theme, tick(value, digits), x + 6 * dx, y + 6 * dy, look2);
  }
}
function nameAxes(context, box, theme, [across, up]) {
  const look2 = { clear: 0.8, align: "right", base: "top" };
  write(context, theme, across, box.x + box.w, box.y + box.h + 6, { ...look2, room: 0.6 * box.w });
  if (!turns(context, up)) return write(context, theme, up, box.x - 6, box.y, look2);
  context.save();
  context.translate(2, box.y);
  context.rotate(-Math.PI / 2);
  write(context, theme, up, 0, 0, { ...look2, room: box.h });
  context.restore();
}
function tick(value, digits) {
  const text = Math.abs(value) >= 1e5 ? value.toExponential(0) : value.toFixed(digits);
  return (Number(text) === 0 ? 0 .toFixed(digits) : text).replaceAll("-", "−");
}

// js/paint/layers.js
var { cover: COVER } = contract_default.near;
var Layers = class {
  constructor() {
    this.made = /* @__PURE__ */ new Map();
  }
  // A canvas as large as a panel's, drawn anew where its content, size, zoom or theme changed.
  layer(name2, content, { theme, view, size, box, ratio }, draw2) {
    const key = [theme.id, size.width, size.height, box.x, box.w, box.h, ratio, ...view.range].join();
    const known = this.made.get(name2) ?? { canvas: document.createElement("canvas") };
    if (known.key === key && known.content === content) return known.canvas;
    this.made.set(name2, Object.assign(known, { key, content }));
    const context = blank(known.canvas, size, ratio);
    context.save();
    draw2(context);
    context.restore();
    return known.canvas;
  }
};
function drawCover(context, { scene: { grid }, view, box, theme }) {
  if (!insideOf(grid)) return;
  const region = regionOf(grid, view, box);
  const { x, y, near } = grid;
  const [nx, ny] = [x[2], y[2]];
  const image = new ImageData(nx, ny);
  const [r, g, b2] = theme.middle.map(Math.round);
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const alpha = Math.round(COVER * (255 - near.data[j * nx + i]));
      image.data.set([r, g, b2, alpha], 4 * ((ny - 1 - j) * nx + i));
    }
  }
  const [w, h] = [region.w / (nx - 1), region.h / (ny - 1)];
  clipped(context, [box, region], () => {
    context.imageSmoothingEnabled = true;
    context.drawImage(canvasOf(image), region.x - w / 2, region.y - h / 2, nx * w, ny * h);
  });
}
var STEP2 = 7;
function regionOf(grid, view, box) {
  const [left2, low2] = view.toPixel(grid.x[0], grid.y[0], box);
  const [right, high2] = view.toPixel(grid.x[1], grid.y[1], box);
  return { x: left2, y: high2, w: right - left2, h: low2 - high2 };
}
function drawBeyond(context, region, box, theme) {
  const ends = ({ x, y, w, h }) => [-x, -y, x + w, y + h];
  if (ends(region).every((end, i) => end >= ends(box)[i] - 0.5)) return;
  context.save();
  context.beginPath();
  context.rect(box.x, box.y, box.w, box.h);
  context.rect(region.x, region.y, region.w, region.h);
  context.clip("evenodd");
  context.beginPath();
  for (let t = -box.h; t < box.w; t += STEP2) {
    context.moveTo(box.x + t, box.y + box.h);
    context.lineTo(box.x + t + box.h, box.y);
  }
  stroked(context, css(theme.text, 0.13), 1);
  context.restore();
  Object.assign(context, { strokeStyle: css(theme.text, 0.4), lineWidth: 1 });
  context.strokeRect(region.x, region.y, region.w, region.h);
}

// js/panels/place.js
var MOST_ABOVE = 0.34;
var BELOW = 10;
var FOOT = 118;
var ROUNDS = 3;
var LATER2 = [250, 1200];
var Place = class {
  constructor(board) {
    Object.assign(this, { board, top: 0 });
  }
  // The layout that fits, as arrange() gives it, set on every visible panel.
  find() {
    const { stage, root, theme } = this.board;
    const { scene, view, display } = stage;
    markSize(root);
    display.follow();
    const panels = display.visible;
    this.board.swipe.arrange(root.clientWidth, panels);
    let place = null;
    for (let round = 0; round < ROUNDS; round++) {
      const heads = panels.map(({ head }) => head.node.offsetHeight + head.foot.offsetHeight);
      const wishes = { ...this.wishes(), head: Math.max(0, ...heads) + 4 };
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
    const { plots, stage } = this.board;
    plots.style.gridTemplateColumns = `repeat(${columns}, ${size.width}px)`;
    plots.style.gap = `${gap}px`;
    plots.classList.toggle("turning", Boolean(stage.scene.space));
    plots.classList.toggle("small", size.width < contract_default.panels.least_width);
    plots.style.setProperty("--left", `${box.x}px`);
    plots.style.setProperty("--right", `${size.width - box.w - box.x}px`);
    const [width, height] = [`${size.width}px`, `${size.height}px`];
    for (const panel of panels) Object.assign(panel.plot.style, { width, height });
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
      swiped: this.board.swipe.on,
      available: this.available(),
      type: theme.type
    };
  }
  // Pixels from the panels' top to the window's end, before anything is scrolled away: a picture
  // must not grow while one scrolls.
  available() {
    const { stage, root } = this.board;
    const { present, pins, more } = stage.display;
    const { top, offset } = this.measure();
    const key = `${window.innerWidth}x${window.innerHeight}`;
    if (!scrolled(root) || this.key !== key) Object.assign(this, { top, key });
    this.offset = offset;
    const most = MOST_ABOVE * window.innerHeight;
    const above = present.on ? 0 : Math.min(Math.max(this.top, 0), most);
    const below = outer(more) + outer(pins.caption) + BELOW + (stage.alone && !present.on ? FOOT : 0);
    return window.innerHeight - above - offset - below;
  }
  // Where the stage begins in the window, and its pictures in the stage.
  measure() {
    const [{ top }, plots] = [this.board.root, this.board.plots].map((node) => node.getBoundingClientRect());
    return { top, offset: plots.top - top };
  }
  // What stands above the pictures may come, go and change its height later than they.
  lookAgain() {
    this.timers?.forEach(clearTimeout);
    const look2 = () => {
      const { root } = this.board;
      if (!root.isConnected || scrolled(root)) return;
      const { top, offset } = this.measure();
      if (Math.abs(top - this.top) > 1 || Math.abs(offset - this.offset) > 1)
        this.board.schedule("resize", "layout");
    };
    this.timers = LATER2.map((wait) => setTimeout(look2, wait));
  }
};
function outer(node) {
  return node.offsetHeight ? node.offsetHeight + 14 : 0;
}
function scrolled(node) {
  for (let at = node; at; at = at.parentElement ?? at.getRootNode().host)
    if (at.scrollTop > 0) return true;
  return false;
}
var WIDEST2 = 640;
var MOST6 = 6;
var Swipe = class {
  // board: whose panels are swiped; see Board.
  constructor(board) {
    Object.assign(this, { board, on: false, at: null });
    this.node = element("nav.tabs", { "aria-label": "Panels" });
    this.node.hidden = true;
    board.plots.parentElement.before(this.node);
    board.plots.addEventListener("scroll", () => this.scrolled(), { passive: true });
  }
  // Decides for this width and these panels.
  arrange(width, panels) {
    const { plots } = this.board;
    this.on = width <= WIDEST2 && panels.length > 1 && panels.length <= MOST6;
    this.at = Math.min(this.at ?? this.board.stage.scene.first, panels.length - 1);
    plots.classList.toggle("swiped", this.on);
    this.node.hidden = !this.on;
    if (!this.on) this.at = null;
    if (!this.on) return;
    const titles = panels.map(({ panel }) => panel.title);
    const tab = (title, i) => element("button.tab", { type: "button", onclick: () => this.go(i) }, title || `Panel ${i + 1}`);
    refill(this.node, JSON.stringify(titles), () => titles.map(tab));
    this.mark();
  }
  mark() {
    for (const tab of this.node.children) tab.removeAttribute("aria-current");
    this.node.children[this.at].setAttribute("aria-current", "true");
  }
  // After a layout the same panel stays in view.
  settle() {
    if (this.on) this.board.plots.scrollLeft = this.at * this.board.plots.clientWidth;
  }
  go(i) {
    const { plots } = this.board;
    plots.scrollTo({ left: i * plots.clientWidth, behavior: isCalm() ? "auto" : "smooth" });
  }
  scrolled() {
    if (!this.on) return;
    const { plots, stage } = this.board;
    const at = Math.round(plots.scrollLeft / Math.max(plots.clientWidth, 1));
    const panel = stage.display.visible[at];
    if (at === this.at || !panel) return;
    this.at = at;
    this.mark();
    stage.hand.show(panel);
  }
  // The panel in view, null where all are.
  get panel() {
    return this.on ? this.board.stage.display.visible[this.at] ?? null : null;
  }
};

// js/paint/raster.js
var raster_exports = {};
__export(raster_exports, {
  Raster: () => Raster,
  scaleOf: () => scaleOf,
  settleScales: () => settleScales,
  topOf: () => topOf
});
var SCALE = contract_default.scale;
var Raster = class {
  line = new Float32Array(0);
  // Paints the part of the grid within `range` ([x0, x1, y0, y1]) at width x height.
  // scales: {top, colours} of one signed field, or {tops, shades} of K scores.
  draw(field, k, grid, range2, width, height, scales) {
    const [x0, x1, nx] = grid.x;
    const [y0, y1, ny] = grid.y;
    if (this.image?.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      this.words = new Uint32Array(this.image.data.buffer);
      this.column = new Int32Array(width);
      this.share = new Float32Array(width);
    }
    if (this.line.length < k * nx) this.line = new Float32Array(k * nx);
    const { words: words2, column, share, line } = this;
    for (let i = 0; i < width; i++) {
      const x = range2[0] + (i + 0.5) / width * (range2[1] - range2[0]);
      const u = (x - x0) / (x1 - x0) * (nx - 1);
      const outside = u < -0.5 || u > nx - 0.5;
      column[i] = outside ? -1 : Math.min(Math.max(Math.floor(u), 0), nx - 2);
      share[i] = Math.min(Math.max(u - column[i], 0), 1);
    }
    const row = k > 1 ? winnerRow : signedRow;
    for (let j = 0; j < height; j++) {
      const y = range2[3] - (j + 0.5) / height * (range2[3] - range2[2]);
      const v2 = (y - y0) / (y1 - y0) * (ny - 1);
      const target = words2.subarray(j * width, (j + 1) * width);
      if (v2 < -0.5 || v2 > ny - 0.5) {
        target.fill(0);
        continue;
      }
      const r = Math.min(Math.max(Math.floor(v2), 0), ny - 2);
      const t = Math.min(Math.max(v2 - r, 0), 1);
      for (let c = 0; c < k; c++) {
        const low2 = (c * ny + r) * nx;
        for (let i = 0; i < nx; i++) {
          const a = field[low2 + i];
          line[c * nx + i] = a + (field[low2 + nx + i] - a) * t;
        }
      }
      row(target, line, column, share, width, nx, k, scales);
    }
    return this.canvas = canvasOf(this.image, this.canvas);
  }
};
function signedRow(target, line, column, share, width, nx, k, { top, colours }) {
  const scale = STEPS / top;
  const most = 2 * STEPS;
  for (let i = 0; i < width; i++) {
    const at = column[i];
    const a = at < 0 ? NaN : line[at];
    const value = (a + (line[at + 1] - a) * share[i]) * scale + STEPS + 0.5;
    target[i] = value >= 0 ? colours[value > most ? most : value | 0] : value < 0 ? colours[0] : 0;
  }
}
function winnerRow(target, line, column, share, width, nx, k, { top, shades: shades2 }) {
  const scores = new Float64Array(k);
  const scale = STEPS / top;
  for (let i = 0; i < width; i++) {
    target[i] = 0;
    const at = column[i];
    if (at < 0) continue;
    for (let c = 0, p = at; c < k; c++, p += nx) {
      scores[c] = line[p] + (line[p + 1] - line[p]) * share[i];
    }
    const { code, score, margin } = decodeAt(scores, 0, 1, k);
    const shade = margin * scale;
    if (score > -Infinity)
      target[i] = shades2[code % shades2.length][shade > STEPS ? STEPS : shade | 0];
  }
}
function scaleOf(whole, k, kind, inside2 = null) {
  const values = within(whole, k, inside2);
  const top = topOf(values, k);
  const flat = (these) => kind === "functions" && k === 1 && spread2(these) < SCALE.flat_below * top;
  if (!flat(values)) return { size: top, constant: false };
  return { size: SCALE.flat_room * top, constant: values === whole || flat(whole) };
}
function spread2(values) {
  let [lo, hi] = [Infinity, -Infinity];
  for (const v2 of values) {
    if (v2 < lo && v2 > -Infinity) lo = v2;
    if (v2 > hi && v2 < Infinity) hi = v2;
  }
  return hi - lo;
}
function topOf(field, k) {
  let top = 0;
  const n = field.length / k;
  for (let p = 0; p < n; p++) {
    const { margin } = decodeAt(field, p, n, k);
    if (margin > top && margin < Infinity) top = margin;
  }
  return top;
}
function settleScales(panels, same2) {
  const drawn2 = panels.filter((panel) => panel.field);
  const alike = drawn2.filter((panel) => !panel.panel?.kind || panel.panel.kind === drawn2[0].kind);
  const most = Math.max(0, ...alike.map((panel) => panel.field.size));
  for (const panel of drawn2) {
    const { field } = panel;
    const top = (same2 && alike.includes(panel) ? most : field.size) || 1;
    if (field.top !== top) Object.assign(field, { top, lines: null });
  }
}

// js/panels/board.js
var SETTLE = 160;
var AHEAD = "data-lapviz-ahead";
var THEME = ["--st-background-color", "--st-text-color", "--st-primary-color", "--st-font"];
var Board = class {
  // stage: the settings, scene, panels and view to paint; see Stage.
  constructor(stage, toolbar) {
    Object.assign(this, { stage, toolbar, moving: false, width: 0, place: null });
    this.dirty = { layout: true, field: true, base: true };
    this.layers = new Layers();
    this.placing = new Place(this);
    this.heading = element("div.heading");
    this.plots = element("div.plots", { tabindex: "0", role: "application", "aria-label": "Picture" });
    this.computing = new Computing(this.plots, () => stage.channel.send("cancel", Date.now()));
    this.cloud = new Cloud();
    this.broken = /* @__PURE__ */ new Map();
    this.message = element("div.message", { role: "alert" });
    this.flash = element("div.flash", { "aria-hidden": "true" });
    this.live = element("div.live", { "aria-live": "polite", role: "status" });
    const pictures = element("div.pictures", {}, this.plots, this.computing.node);
    this.root = element(
      "div.stage",
      {},
      this.heading,
      toolbar.node,
      this.message,
      pictures,
      toolbar.hint,
      this.flash,
      this.live
    );
    this.swipe = new Swipe(this);
    const { signal } = stage.channel.over;
    addEventListener("resize", () => this.schedule("resize", "layout"), { signal });
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", () => this.schedule("theme", "base"), { signal });
  }
  destroy() {
    document.documentElement.removeAttribute(AHEAD);
  }
  // Also called when the stage is removed from the page.
  resized() {
    if (!this.root.isConnected) setTimeout(() => this.stage.left(), 0);
    else if (Math.abs(this.root.clientWidth - this.width) > 0.5) this.schedule("resize", "layout");
  }
  // level: "over" < "base" < "field" < "layout"; a reason of "" is no event of its own.
  schedule(reason, level) {
    if (this.stage.gone) return;
    this.dirty.layout ||= level === "layout";
    this.dirty.field ||= level === "layout" || level === "field";
    this.dirty.base ||= level !== "over";
    if (reason) this.why = reason;
    this.pending ??= requestAnimationFrame(() => {
      this.pending = null;
      this.guard("paint", () => this.frame());
    });
  }
  // Draw coarsely while something moves, and once in full detail shortly after.
  move() {
    this.moving = true;
    clearTimeout(this.settle);
    this.settle = setTimeout(() => {
      this.moving = false;
      this.schedule(this.why || "settle", "base");
    }, SETTLE);
  }
  frame() {
    const { stage } = this;
    if (!stage.scene || stage.gone || !this.root.isConnected) return false;
    const start = performance.now();
    const theme = this.readTheme();
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    if (ratio !== this.ratio) this.dirty.layout = true;
    this.ratio = ratio;
    this.toolbar.arrange(stage, theme);
    if (this.dirty.field) this.toolbar.update(stage.specs, stage.channel);
    stage.draw.bar.follow(theme);
    if (this.dirty.layout) this.layout();
    if (!this.place) return false;
    const { changed, settings } = stage;
    const painted2 = this.dirty.base;
    if (this.dirty.field) this.choose(settings, changed);
    if (stage.did) this.sayAccuracy();
    const brush = this.brush(theme);
    if (painted2) for (const panel of stage.display.visible) panel.paint(brush);
    this.paintOver(brush);
    this.toolbar.follow(stage);
    stage.stroke.follow();
    this.dirty = { layout: false, field: false, base: false };
    document.documentElement.toggleAttribute(AHEAD, changed.length > 0);
    if (painted2) rememberView(stage);
    if (painted2 || this.why) this.report(performance.now() - start, !changed.length);
    return painted2;
  }
  // What every panel shows, the hidden ones at rest or where they share in a common scale.
  choose(settings, changed) {
    const { panels, display, holding, channel } = this.stage;
    const { marking, sameScale: same2, live, pins } = display;
    const chosen = same2 || !(holding || channel.moving) ? panels : live;
    for (const panel of chosen) panel.choose(settings, changed, marking);
    for (const panel of pins.panels) panel.findErrors(panel.labels, marking);
    settleScales([...chosen, ...pins.panels], same2);
  }
  readTheme() {
    const style = getComputedStyle(this.root);
    const { present, least } = contract_default.type;
    const type = this.stage.display.present.on ? present : least;
    const name2 = [type, ...THEME.map((v2) => style.getPropertyValue(v2))].join("|");
    if (name2 !== this.themeName) {
      this.themeName = name2;
      this.theme = makeTheme(this.root, type);
      this.root.dataset.theme = this.theme.dark ? "dark" : "light";
      this.dirty.base = true;
    }
    return this.theme;
  }
  layout() {
    this.width = this.root.clientWidth;
    if (this.width < 40) return;
    this.stage.appeared();
    const container = this.root.getRootNode().host?.closest('[data-testid="stElementContainer"]');
    container?.style.setProperty("opacity", "1", "important");
    this.place = this.placing.find();
  }
  // What a panel needs to paint itself.
  brush(theme) {
    const { ratio, layers, place, moving, cloud } = this;
    const { display, draw: draw2 } = this.stage;
    const pixels = () => detail(place.box, ratio, display.shape.count, moving);
    const brush = brushOf(this.stage, { place, theme, ratio, moving, cloud, pixels });
    const { scene, putDots, putCover } = brush;
    const sheet = (context, canvas) => context.drawImage(canvas, 0, 0, place.size.width, place.size.height);
    const dots = () => draw2.layer(brush) ?? layers.layer("dots", scene.points, brush, putDots);
    brush.putDots = (context) => sheet(context, dots());
    brush.putCover = (context) => sheet(context, layers.layer("cover", scene.grid, brush, putCover));
    return brush;
  }
  paintOver(brush) {
    const { scene, hand, view, display, stroke, code, draw: draw2 } = this.stage;
    const { space, points } = scene;
    const labels = space?.placed(this.stage.labels, points.position) ?? this.stage.labels;
    const { target, hovered, cursor } = hand;
    const invite = scene.editable && !labels.length && !target && !draw2.on;
    for (const panel of display.visible) {
      const chip = panel !== hovered;
      panel.why = target ? reasonsAt(target, panel, this.stage) : [];
      const below = (context) => drawReasons(context, brush, panel.why);
      const above = (context) => {
        draw2.paint(context, panel, brush.theme);
        drawShares(context, brush, panel.why);
        if (target) drawHover(context, brush, panel, target, Boolean(cursor), chip);
        drawNext(context, scene, view, brush.box, brush.theme);
        stroke.draw(context, panel, brush.theme, code);
        if (invite && !panel.noted && !panel.frozen) drawInvitation(context, brush, scene.free_labels);
      };
      panel.paintOver(brush, panel.labels ?? labels, above, below);
      if (panel !== hovered || !target) panel.tip.style.display = "none";
    }
    if (!target || !hovered || hovered.closed) return;
    const [x, y] = view.toPixel(target.x, target.y, this.place.box);
    const { why } = hovered;
    const lines2 = describe(target, hovered, this.stage, why);
    const picture = portrait(points.images, target.point, brush.theme);
    const free = why.flatMap(({ there, way }) => way ?? [there]).map((at) => view.toPixel(...at, brush.box));
    if (lines2.length) placeTip(hovered.tip, lines2, [x, y], this.place.size, picture, free);
    else hovered.tip.style.display = "none";
  }
  // What the pictures are, for those who do not see them.
  describe() {
    const { scene, draw: draw2, hand } = this.stage;
    const { editable, free_labels: free, panels } = scene;
    const names = panels.map((panel) => panel.title).filter(Boolean);
    const how = editable ? `${free ? ", with Shift freely" : ""}; Enter labels, Delete removes, digits choose the class` : "";
    const turn2 = hand.turns ? " Shift with arrow keys turns the points." : "";
    const keys = `Arrow keys go from point to point${how}.${turn2} Plus and minus zoom.`;
    const text = draw2.ready ? "A sheet to draw on. Arrow keys move the brush, with Shift faster; Space paints; digits choose the class, 0 none; B brush, E eraser, M moves points; Escape ends." : `Picture of ${names.join(", ") || "the data"}. ${keys}`;
    this.plots.setAttribute("aria-label", text);
  }
  // A sentence in place of an answer, "" for none.
  tell(sentence) {
    if (sentence) this.broken.set("python", sentence);
    else this.broken.delete("python");
    this.complain();
  }
  say(text) {
    setText(this.live, text);
  }
  // What labelling has changed, with the accuracy of every picture as soon as Python has told it.
  sayAccuracy() {
    const { stage } = this;
    const { visible } = stage.display;
    if (!stage.alone && !stage.exact) return;
    const scores = visible.filter(({ head, waiting }) => head.share.textContent && !waiting);
    const words2 = scores.map(({ panel, head }) => `${panel.title} ${head.score.textContent}`);
    this.say([stage.did, words2.join(", ")].filter(Boolean).join("; "));
    stage.did = "";
  }
  // A short note over the picture.
  remark(text) {
    setText(this.flash, text);
    this.flash.classList.add("on");
    clearTimeout(this.flashing);
    this.flashing = setTimeout(() => this.flash.classList.remove("on"), 1200);
  }
  report(ms, exact) {
    const { panels, rev, key } = this.stage;
    const detail2 = { reason: this.why || "view", ms, panels: panels.length, rev, exact, key };
    this.why = "";
    shared.paints += 1;
    shared.last = detail2;
    window.dispatchEvent(new CustomEvent("lapviz:painted", { detail: detail2 }));
  }
  // Nothing here may break the page: a sentence stands in for the picture instead, until the same
  // kind of work succeeds, which run() says by returning true.
  guard(kind, run) {
    try {
      if (run()) this.broken.delete(kind);
    } catch (error) {
      console.warn("lapviz stage:", error);
      this.broken.set(kind, error?.message ?? String(error));
    }
    this.complain();
  }
  complain() {
    const [[kind, why] = []] = this.broken;
    const drawing = `This picture could not be drawn: ${why} Change a setting or reload the page.`;
    setText(this.message, kind === void 0 ? "" : kind === "python" ? why : drawing);
  }
};
function brushOf({ view, scene, display }, { place, theme, ratio, moving, cloud, pixels }) {
  const { box, size, axes } = place;
  const brush = { theme, view, scene, box, size, ratio, moving, pixels };
  brush.putDots = (context) => drawDots(context, scene.points, view, box, theme);
  brush.putCover = (context) => drawCover(context, brush);
  Object.assign(brush, { count: display.shape.count, cloud: null, axes: axes ? scene.axes : null });
  brush.images = display.images && display.pictured;
  if (scene.space) {
    scene.space.look(view);
    cloud.aim(brush);
    brush.cloud = cloud;
  }
  return brush;
}

// js/bars/share.js
var BACK = 1600;
var NO_SETTINGS = /^(stage|present|letters|more|part|embed.*)$/;
var NO_CODE = "This page has no QR code here: under its picture, without hide=page, it has.";
var latest = null;
function codeOfLink() {
  if (!latest?.root.isConnected) return { qr: "", why: NO_CODE };
  const current = sameSettings(latest.data.link, window.location.href);
  return current ? latest.data : { qr: "", why: "The code is on its way …" };
}
function sameSettings(one, other) {
  const parts = (address) => {
    const { pathname, searchParams } = new URL(address);
    const kept5 = [...searchParams].filter(([name2]) => !NO_SETTINGS.test(name2));
    return [pathname, ...kept5.map((pair) => pair.join("=")).sort()].join("&");
  };
  return Boolean(one) && parts(one) === parts(other);
}
var Share = class {
  constructor(parent2) {
    this.link = this.button("Copy link", "The address of exactly this view", addressHere);
    this.embed = this.button("Copy embed code", "An iframe for slides or a course page", () => embedCode(addressHere(), this.data));
    const title = "This view's address, for phones";
    const shown = { type: "button", title, "aria-expanded": "false", onclick: () => this.toggle() };
    this.shown = element("button.swatch", shown, "QR code");
    this.said = element("span", { role: "status" });
    this.picture = element("img.qr", { width: 232, height: 232 });
    this.why = element("span");
    this.box = element("div.qrbox", {}, this.picture, this.why);
    this.box.hidden = true;
    const row = element("div.toolbar", {}, this.link, this.embed, this.shown, this.said);
    this.root = element("div.stage.sharing", { "data-size": "wide" }, row, this.box);
    parent2.append(this.root);
  }
  // `text`: what it copies.
  button(label2, title, text) {
    const onclick = async ({ target: node }) => {
      const copied = text();
      const done = await copy(copied);
      if (!done) {
        const look2 = { value: copied, readonly: true, "aria-label": "To copy" };
        const field = element("input.copyfield", look2);
        node.parentNode.querySelector(".copyfield")?.remove();
        node.after(field);
        field.select();
      }
      setText(this.said, done ? "Copied" : "");
      clearTimeout(this.timer);
      this.timer = setTimeout(() => setText(this.said, ""), BACK);
    };
    return element("button.swatch", { type: "button", title, onclick }, label2);
  }
  toggle() {
    this.box.hidden = !this.box.hidden;
    this.shown.setAttribute("aria-expanded", String(!this.box.hidden));
  }
  // data: {title, height, link, qr (an image's address or ""), why (a sentence in its place), alt}
  receive({ data }) {
    this.data = data;
    latest = this;
    const { qr, why, alt } = data;
    this.picture.hidden = !qr;
    if (qr) Object.assign(this.picture, { src: qr, alt });
    setText(this.why, why);
  }
};
function embedCode(address, { title, height, hide }) {
  const url = new URL(address);
  url.searchParams.set("embed", "true");
  const hidden = [url.searchParams.get("hide"), hide].filter(Boolean);
  if (hidden.length) url.searchParams.set("hide", hidden.join());
  const look2 = { width: "100%", height, style: "border: 0", loading: "lazy" };
  const allow = "fullscreen; clipboard-write";
  return element("iframe", { src: url.href, title, ...look2, allow }).outerHTML;
}

// js/bars/present.js
var STEPS2 = { PageDown: 1, n: 1, N: 1, PageUp: -1, p: -1, P: -1 };
var ARROWS2 = { ArrowRight: 1, ArrowLeft: -1 };
var OWN_ARROWS = "input, select, textarea, [role=slider], [role=radio]";
var LOOK = 300;
var NEXT_PAGE = 3e4;
var Present = class {
  constructor(stage) {
    Object.assign(this, { stage, on: false, steps: false, ahead: 0 });
    this.title = element("span");
    const help = { type: "button", title: "QR code of this view (key q)", "aria-expanded": "false" };
    this.codeTool = element("button.codetool", { ...help, onclick: () => this.toggleCode() }, "QR code");
    this.image = element("img.qr");
    this.why = element("span");
    this.code = element("div.code", { role: "status" }, this.image, this.why);
    this.code.hidden = true;
    this.words = element("div.sentence");
    stage.board.heading.append(this.title, this.codeTool, this.words);
    stage.board.root.append(this.code);
  }
  // The page is asked to fill the screen; where it may not, the stage fills the window.
  async enter() {
    shared.presenting = true;
    const page = document.documentElement;
    if (!document.fullscreenElement) await page.requestFullscreen?.().catch(() => {
    });
    if (shared.presenting && !this.stage.gone) this.cover();
  }
  // Over everything else: a popover is in the browser's top layer, whatever the page's own layers.
  cover() {
    if (this.on) return;
    this.on = true;
    const { root, plots, toolbar } = this.stage.board;
    toolbar.more.put(false);
    root.dataset.present = "";
    root.setAttribute("popover", "manual");
    root.showPopover?.();
    this.over = new AbortController();
    const { signal } = this.over;
    document.addEventListener("keydown", (event) => this.keydown(event), { capture: true, signal });
    const left2 = () => document.fullscreenElement || this.leave();
    document.addEventListener("fullscreenchange", left2, { signal });
    plots.focus({ preventScroll: true });
    this.stage.board.schedule("present", "layout");
    if (!this.stage.alone) writeView();
  }
  // A link asks for it, or another page's stage was presented, which is where the story was before.
  resume() {
    if (shared.presenting && !this.on && standsForPage(this.stage)) this.cover();
  }
  leave() {
    shared.presenting = false;
    if (document.fullscreenElement) document.exitFullscreen?.();
    if (!this.stage.alone) writeView();
    this.uncover();
  }
  uncover() {
    if (!this.on) return;
    this.on = false;
    this.over.abort();
    if (!this.code.hidden) this.toggleCode();
    const { root, toolbar } = this.stage.board;
    toolbar.more.restore();
    if (root.matches(":popover-open")) root.hidePopover();
    root.removeAttribute("popover");
    delete root.dataset.present;
    this.stage.board.schedule("present", "layout");
  }
  // The stage is gone with its page.
  destroy() {
    if (!this.on) return;
    this.uncover();
    setTimeout(() => {
      if (!Object.values(shared.stages).some((stage) => stage.display?.present.on)) this.leave();
    }, NEXT_PAGE);
  }
  // steps: whether there is a story to go on with; words: what is seen.
  name(title, steps, words2 = "") {
    setText(this.title, title);
    setText(this.words, words2);
    this.steps = steps;
  }
  // ---- the QR code ------------------------------------------------------------------------
  toggleCode() {
    this.code.hidden = !this.code.hidden;
    this.codeTool.setAttribute("aria-expanded", String(!this.code.hidden));
    clearInterval(this.looking);
    if (this.code.hidden) return;
    this.followCode();
    this.looking = setInterval(() => this.followCode(), LOOK);
  }
  // The code comes after the picture of a step.
  followCode() {
    const { qr, why, alt } = codeOfLink();
    show(this.image, Boolean(qr));
    if (qr && this.image.src !== qr) Object.assign(this.image, { src: qr, alt });
    setText(this.why, why);
  }
  // ---- keys -------------------------------------------------------------------------------
  keydown(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = STEPS2[event.key] ?? this.arrow(event);
    if (step) {
      this.ahead += step;
      this.go();
    } else if (event.key === "q" || event.key === "Q") this.toggleCode();
    else if (event.key !== "Escape") return;
    else if (!this.code.hidden) this.toggleCode();
    else if (!this.stage.hand.drop() && !this.stage.display.enlarge(null)) this.leave();
    event.preventDefault();
    event.stopPropagation();
  }
  // The next of the steps that keys have asked for, once the one before is answered.
  go() {
    const { channel } = this.stage;
    if (!this.ahead || !channel.isAnswered) return;
    const step = Math.sign(this.ahead);
    this.ahead -= step;
    channel.act("story", step);
  }
  // Arrows are steps of a story where nothing else needs them: no slider, no cursor among the points
  // (up and down begin with one, Escape drops it); with Shift they turn points in space.
  arrow(event) {
    const step = ARROWS2[event.key];
    const taken = event.shiftKey || this.stage.hand.cursor || this.stage.draw.on;
    if (!step || !this.steps || taken) return 0;
    return event.composedPath()[0].closest?.(OWN_ARROWS) ? 0 : step;
  }
};

// js/paint/contours.js
var contours_exports = {};
__export(contours_exports, {
  boundaries: () => boundaries,
  cellsToPixels: () => cellsToPixels,
  signedLines: () => signedLines
});

// vendor/d3-contour.js
function F(n, e) {
  return n == null || e == null ? NaN : n < e ? -1 : n > e ? 1 : n >= e ? 0 : NaN;
}
function X(n, e) {
  return n == null || e == null ? NaN : e < n ? -1 : e > n ? 1 : e >= n ? 0 : NaN;
}
function L(n) {
  let e, o, f;
  n.length !== 2 ? (e = F, o = (c, h) => F(n(c), h), f = (c, h) => n(c) - h) : (e = n === F || n === X ? n : Y, o = n, f = n);
  function r(c, h, t = 0, l = c.length) {
    if (t < l) {
      if (e(h, h) !== 0) return l;
      do {
        let s = t + l >>> 1;
        o(c[s], h) < 0 ? t = s + 1 : l = s;
      } while (t < l);
    }
    return t;
  }
  function i(c, h, t = 0, l = c.length) {
    if (t < l) {
      if (e(h, h) !== 0) return l;
      do {
        let s = t + l >>> 1;
        o(c[s], h) <= 0 ? t = s + 1 : l = s;
      } while (t < l);
    }
    return t;
  }
  function u(c, h, t = 0, l = c.length) {
    let s = r(c, h, t, l - 1);
    return s > t && f(c[s - 1], h) > -f(c[s], h) ? s - 1 : s;
  }
  return { left: r, center: u, right: i };
}
function Y() {
  return 0;
}
function H(n) {
  return n === null ? NaN : +n;
}
var P = L(F);
var yn = P.right;
var Mn = P.left;
var xn = L(H).center;
var J = S(C);
var pn = S(K);
function S(n) {
  return function(e, o, f = o) {
    if (!((o = +o) >= 0)) throw new RangeError("invalid rx");
    if (!((f = +f) >= 0)) throw new RangeError("invalid ry");
    let { data: r, width: i, height: u } = e;
    if (!((i = Math.floor(i)) >= 0)) throw new RangeError("invalid width");
    if (!((u = Math.floor(u !== void 0 ? u : r.length / i)) >= 0)) throw new RangeError("invalid height");
    if (!i || !u || !o && !f) return e;
    let c = o && n(o), h = f && n(f), t = r.slice();
    return c && h ? (N(c, t, r, i, u), N(c, r, t, i, u), N(c, t, r, i, u), z(h, r, t, i, u), z(h, t, r, i, u), z(h, r, t, i, u)) : c ? (N(c, r, t, i, u), N(c, t, r, i, u), N(c, r, t, i, u)) : h && (z(h, r, t, i, u), z(h, t, r, i, u), z(h, r, t, i, u)), e;
  };
}
function N(n, e, o, f, r) {
  for (let i = 0, u = f * r; i < u; ) n(e, o, i, i += f, 1);
}
function z(n, e, o, f, r) {
  for (let i = 0, u = f * r; i < f; ++i) n(e, o, i, i + u, f);
}
function K(n) {
  let e = C(n);
  return (o, f, r, i, u) => {
    r <<= 2, i <<= 2, u <<= 2, e(o, f, r + 0, i + 0, u), e(o, f, r + 1, i + 1, u), e(o, f, r + 2, i + 2, u), e(o, f, r + 3, i + 3, u);
  };
}
function C(n) {
  let e = Math.floor(n);
  if (e === n) return Q(n);
  let o = n - e, f = 2 * n + 1;
  return (r, i, u, c, h) => {
    if (!((c -= h) >= u)) return;
    let t = e * i[u], l = h * e, s = l + h;
    for (let d = u, m = u + l; d < m; d += h) t += i[Math.min(c, d)];
    for (let d = u, m = c; d <= m; d += h) t += i[Math.min(c, d + l)], r[d] = (t + o * (i[Math.max(u, d - s)] + i[Math.min(c, d + s)])) / f, t -= i[Math.max(u, d - l)];
  };
}
function Q(n) {
  let e = 2 * n + 1;
  return (o, f, r, i, u) => {
    if (!((i -= u) >= r)) return;
    let c = n * f[r], h = u * n;
    for (let t = r, l = r + h; t < l; t += u) c += f[Math.min(i, t)];
    for (let t = r, l = i; t <= l; t += u) c += f[Math.min(i, t + h)], o[t] = c / e, c -= f[Math.max(r, t - h)];
  };
}
function Z(n, e) {
  let o = 0;
  if (e === void 0) for (let f of n) f != null && (f = +f) >= f && ++o;
  else {
    let f = -1;
    for (let r of n) (r = e(r, ++f, n)) != null && (r = +r) >= r && ++o;
  }
  return o;
}
function B(n, e) {
  let o, f;
  if (e === void 0) for (let r of n) r != null && (o === void 0 ? r >= r && (o = f = r) : (o > r && (o = r), f < r && (f = r)));
  else {
    let r = -1;
    for (let i of n) (i = e(i, ++r, n)) != null && (o === void 0 ? i >= i && (o = f = i) : (o > i && (o = i), f < i && (f = i)));
  }
  return [o, f];
}
var _ = Array.prototype;
var An = _.slice;
var v = Math.sqrt(50);
var nn = Math.sqrt(10);
var tn = Math.sqrt(2);
function O(n, e, o) {
  let f = (e - n) / Math.max(0, o), r = Math.floor(Math.log10(f)), i = f / Math.pow(10, r), u = i >= v ? 10 : i >= nn ? 5 : i >= tn ? 2 : 1, c, h, t;
  return r < 0 ? (t = Math.pow(10, -r) / u, c = Math.round(n * t), h = Math.round(e * t), c / t < n && ++c, h / t > e && --h, t = -t) : (t = Math.pow(10, r) * u, c = Math.round(n / t), h = Math.round(e / t), c * t < n && ++c, h * t > e && --h), h < c && 0.5 <= o && o < 2 ? O(n, e, o * 2) : [c, h, t];
}
function D(n, e, o) {
  if (e = +e, n = +n, o = +o, !(o > 0)) return [];
  if (n === e) return [n];
  let f = e < n, [r, i, u] = f ? O(e, n, o) : O(n, e, o);
  if (!(i >= r)) return [];
  let c = i - r + 1, h = new Array(c);
  if (f) if (u < 0) for (let t = 0; t < c; ++t) h[t] = (i - t) / -u;
  else for (let t = 0; t < c; ++t) h[t] = (i - t) * u;
  else if (u < 0) for (let t = 0; t < c; ++t) h[t] = (r + t) / -u;
  else for (let t = 0; t < c; ++t) h[t] = (r + t) * u;
  return h;
}
function en(n, e, o) {
  return e = +e, n = +n, o = +o, O(n, e, o)[2];
}
function U(n, e, o) {
  let f;
  for (; ; ) {
    let r = en(n, e, o);
    if (r === f || r === 0 || !isFinite(r)) return [n, e];
    if (r > 0) {
      let i = Math.ceil(n / r), u = Math.floor(e / r);
      n = (i - (i * r > n)) * r, e = (u + (u * r < e)) * r;
    } else if (r < 0) {
      let i = -r, u = Math.ceil(n * i), c = Math.floor(e * i);
      n = (u - (u / i > n)) / i, e = (c + (c / i < e)) / i;
    }
    f = r;
  }
}
function $(n) {
  return Math.max(1, Math.ceil(Math.log(Z(n)) / Math.LN2) + 1);
}
var bn = rn(Math.random);
function rn(n) {
  return function(o, f = 0, r = o.length) {
    let i = r - (f = +f);
    for (; i; ) {
      let u = n() * i-- | 0, c = o[i + f];
      o[i + f] = o[u + f], o[u + f] = c;
    }
    return o;
  };
}
var on = Array.prototype;
var fn = on.slice;
function un(n, e) {
  return n - e;
}
function cn(n) {
  for (var e = 0, o = n.length, f = n[o - 1][1] * n[0][0] - n[o - 1][0] * n[0][1]; ++e < o; ) f += n[e - 1][1] * n[e][0] - n[e - 1][0] * n[e][1];
  return f;
}
var G = (n) => () => n;
function ln(n, e) {
  for (var o = -1, f = e.length, r; ++o < f; ) if (r = hn(n, e[o])) return r;
  return 0;
}
function hn(n, e) {
  for (var o = e[0], f = e[1], r = -1, i = 0, u = n.length, c = u - 1; i < u; c = i++) {
    var h = n[i], t = h[0], l = h[1], s = n[c], d = s[0], m = s[1];
    if (sn(h, s, e)) return 0;
    l > f != m > f && o < (d - t) * (f - l) / (m - l) + t && (r = -r);
  }
  return r;
}
function sn(n, e, o) {
  var f;
  return dn(n, e, o) && an(n[f = +(n[0] === e[0])], o[f], e[f]);
}
function dn(n, e, o) {
  return (e[0] - n[0]) * (o[1] - n[1]) === (o[0] - n[0]) * (e[1] - n[1]);
}
function an(n, e, o) {
  return n <= e && e <= o || o <= e && e <= n;
}
function mn() {
}
var b = [[], [[[1, 1.5], [0.5, 1]]], [[[1.5, 1], [1, 1.5]]], [[[1.5, 1], [0.5, 1]]], [[[1, 0.5], [1.5, 1]]], [[[1, 1.5], [0.5, 1]], [[1, 0.5], [1.5, 1]]], [[[1, 0.5], [1, 1.5]]], [[[1, 0.5], [0.5, 1]]], [[[0.5, 1], [1, 0.5]]], [[[1, 1.5], [1, 0.5]]], [[[0.5, 1], [1, 0.5]], [[1.5, 1], [1, 1.5]]], [[[1.5, 1], [1, 0.5]]], [[[0.5, 1], [1.5, 1]]], [[[1, 1.5], [1.5, 1]]], [[[0.5, 1], [1, 1.5]]], []];
function gn() {
  var n = 1, e = 1, o = $, f = h;
  function r(t) {
    var l = o(t);
    if (Array.isArray(l)) l = l.slice().sort(un);
    else {
      let s = B(t, wn);
      for (l = D(...U(s[0], s[1], l), l); l[l.length - 1] >= s[1]; ) l.pop();
      for (; l[1] < s[0]; ) l.shift();
    }
    return l.map((s) => i(t, s));
  }
  function i(t, l) {
    let s = l == null ? NaN : +l;
    if (isNaN(s)) throw new Error(`invalid value: ${l}`);
    var d = [], m = [];
    return u(t, s, function(a) {
      f(a, t, s), cn(a) > 0 ? d.push([a]) : m.push(a);
    }), m.forEach(function(a) {
      for (var w = 0, p = d.length, y; w < p; ++w) if (ln((y = d[w])[0], a) !== -1) {
        y.push(a);
        return;
      }
    }), { type: "MultiPolygon", value: l, coordinates: d };
  }
  function u(t, l, s) {
    var d = new Array(), m = new Array(), a, w, p, y, M, j;
    for (a = w = -1, y = E(t[0], l), b[y << 1].forEach(A); ++a < n - 1; ) p = y, y = E(t[a + 1], l), b[p | y << 1].forEach(A);
    for (b[y << 0].forEach(A); ++w < e - 1; ) {
      for (a = -1, y = E(t[w * n + n], l), M = E(t[w * n], l), b[y << 1 | M << 2].forEach(A); ++a < n - 1; ) p = y, y = E(t[w * n + n + a + 1], l), j = M, M = E(t[w * n + a + 1], l), b[p | y << 1 | M << 2 | j << 3].forEach(A);
      b[y | M << 3].forEach(A);
    }
    for (a = -1, M = t[w * n] >= l, b[M << 2].forEach(A); ++a < n - 1; ) j = M, M = E(t[w * n + a + 1], l), b[M << 2 | j << 3].forEach(A);
    b[M << 3].forEach(A);
    function A(q) {
      var T = [q[0][0] + a, q[0][1] + w], I = [q[1][0] + a, q[1][1] + w], k = c(T), R = c(I), g, x;
      (g = m[k]) ? (x = d[R]) ? (delete m[g.end], delete d[x.start], g === x ? (g.ring.push(I), s(g.ring)) : d[g.start] = m[x.end] = { start: g.start, end: x.end, ring: g.ring.concat(x.ring) }) : (delete m[g.end], g.ring.push(I), m[g.end = R] = g) : (g = d[R]) ? (x = m[k]) ? (delete d[g.start], delete m[x.end], g === x ? (g.ring.push(I), s(g.ring)) : d[x.start] = m[g.end] = { start: x.start, end: g.end, ring: x.ring.concat(g.ring) }) : (delete d[g.start], g.ring.unshift(T), d[g.start = k] = g) : d[k] = m[R] = { start: k, end: R, ring: [T, I] };
    }
  }
  function c(t) {
    return t[0] * 2 + t[1] * (n + 1) * 4;
  }
  function h(t, l, s) {
    t.forEach(function(d) {
      var m = d[0], a = d[1], w = m | 0, p = a | 0, y = V(l[p * n + w]);
      m > 0 && m < n && w === m && (d[0] = W(m, V(l[p * n + w - 1]), y, s)), a > 0 && a < e && p === a && (d[1] = W(a, V(l[(p - 1) * n + w]), y, s));
    });
  }
  return r.contour = i, r.size = function(t) {
    if (!arguments.length) return [n, e];
    var l = Math.floor(t[0]), s = Math.floor(t[1]);
    if (!(l >= 0 && s >= 0)) throw new Error("invalid size");
    return n = l, e = s, r;
  }, r.thresholds = function(t) {
    return arguments.length ? (o = typeof t == "function" ? t : Array.isArray(t) ? G(fn.call(t)) : G(t), r) : o;
  }, r.smooth = function(t) {
    return arguments.length ? (f = t ? h : mn, r) : f === h;
  }, r;
}
function wn(n) {
  return isFinite(n) ? n : NaN;
}
function E(n, e) {
  return n == null ? false : +n >= e;
}
function V(n) {
  return n == null || isNaN(n = +n) ? -1 / 0 : n;
}
function W(n, e, o, f) {
  let r = f - e, i = o - e, u = isFinite(r) || isFinite(i) ? r / i : Math.sign(r) / Math.sign(i);
  return isNaN(u) ? n : n + u - 0.5;
}

// js/paint/contours.js
var maker = gn();
var { faint_below: FAINT, nothing_below: NOTHING, least_rest: LEAST3 } = contract_default.lines;
var ALONG = 8;
var flattened = new Float32Array(0);
var canvasPath = () => new Path2D();
function signedLines(field, nx, ny, { top, size }, count, unbend, make = canvasPath) {
  maker.size([nx, ny]);
  const lines2 = { thin: make(), zero: make(), faint: make() };
  for (let i = 1; i <= count; i++) {
    const level = top * unbend(i / (count + 1));
    for (const side of [level, -level]) addLevel(field, nx, ny, side, () => () => lines2.thin);
  }
  addZero(lines2, field, nx, ny, size);
  return lines2;
}
function boundaries(field, k, nx, ny, size, make = canvasPath) {
  maker.size([nx, ny]);
  const n = nx * ny;
  const [first, second, margin] = [0, 1, 2].map(() => new Float32Array(n));
  const winner = new Uint8Array(n);
  for (let p = 0; p < n; p++) {
    const { code, score, other } = decodeAt(field, p, n, k);
    [winner[p], first[p], second[p]] = [code, score, other];
  }
  const lines2 = { thin: make(), zero: make(), faint: make() };
  for (const c of new Set(winner)) {
    const row = field.subarray(c * n, (c + 1) * n);
    for (let p = 0; p < n; p++) margin[p] = row[p] - (winner[p] === c ? second[p] : first[p]);
    addZero(lines2, margin, nx, ny, size);
  }
  return lines2;
}
function addZero({ zero, faint }, field, nx, ny, top) {
  const size = ([x, y]) => {
    const i = Math.min(Math.max(Math.floor(x - 0.5), 0), nx - 2);
    const at = Math.min(Math.max(Math.floor(y - 0.5), 0), ny - 2) * nx + i;
    const low2 = Math.max(Math.abs(field[at]), Math.abs(field[at + 1]));
    return Math.max(low2, Math.abs(field[at + nx]), Math.abs(field[at + nx + 1]));
  };
  const choose = (ring) => {
    const sizes = smooth(ring.map((point) => Math.log(size(point) / top + 1e-300)));
    return (i) => sizes[i] > Math.log(FAINT) ? zero : sizes[i] > Math.log(NOTHING) ? faint : null;
  };
  addLevel(flatten(field, FAINT * top), nx, ny, 0, choose);
}
function smooth(values) {
  const sums = [0];
  for (const value of values) sums.push(sums.at(-1) + value);
  return values.map((_2, i) => {
    const from = Math.max(i - ALONG, 0);
    const to = Math.min(i + ALONG + 1, values.length);
    return (sums[to] - sums[from]) / (to - from);
  });
}
function flatten(field, small) {
  if (flattened.length !== field.length) flattened = new Float32Array(field.length);
  const lowest = Math.log(NOTHING / FAINT);
  for (let p = 0; p < field.length; p++) {
    const size = Math.abs(field[p]);
    if (size >= small) flattened[p] = field[p];
    else {
      const rest = size > 0 ? Math.max(1 - Math.log(size / small) / lowest, LEAST3) : LEAST3;
      flattened[p] = field[p] < 0 ? -small * rest : small * rest;
    }
  }
  return flattened;
}
function addLevel(field, nx, ny, level, choose) {
  for (const ring of maker.contour(field, level).coordinates.flat()) {
    const pathOf = choose(ring);
    let pen = null;
    let [x, y] = ring[0];
    let framed2 = x <= 0 || y <= 0 || x >= nx || y >= ny;
    for (let i = 1; i < ring.length; i++) {
      const [u, v2] = ring[i];
      const edge = u <= 0 || v2 <= 0 || u >= nx || v2 >= ny;
      const path = framed2 && edge ? null : pathOf(i);
      if (path && path !== pen) path.moveTo(x, y);
      if (path) path.lineTo(u, v2);
      pen = path;
      [x, y, framed2] = [u, v2, edge];
    }
  }
}
function cellsToPixels(grid, view, box) {
  const [x0, x1, nx] = grid.x;
  const [y0, y1, ny] = grid.y;
  const [left2, low2] = view.toPixel(x0, y0, box);
  const [right, high2] = view.toPixel(x1, y1, box);
  const sx = (right - left2) / (nx - 1);
  const sy = (high2 - low2) / (ny - 1);
  return new DOMMatrix([sx, 0, 0, sy, left2 - sx / 2, low2 - sy / 2]);
}

// js/panels/head.js
var Head = class {
  // enlarge: called by the button, and by arrow keys on it with the step to another panel.
  constructor(enlarge) {
    this.title = element("div.title");
    this.what = element("span.what");
    this.share = element("span.share");
    this.score = element("div.score", {}, this.what, this.share);
    this.subtitle = element("div.subtitle");
    this.low = element("span");
    this.high = element("span");
    this.bar = element("i.bar");
    this.scale = element("div.scale", { "aria-hidden": "true" }, this.low, this.bar, this.high);
    this.wait = element("span.wait", { title: "Python is working on the new settings" }, "waiting");
    this.grow = element("button.grow", { type: "button", onclick: enlarge });
    const words2 = [this.title, this.score, this.subtitle, this.grow];
    this.node = element("div.head", {}, ...words2);
    this.foot = element("div.under", {}, this.wait, this.scale);
    this.follow(false, false);
  }
  name(title) {
    setText(this.title, title);
    this.title.title = title;
  }
  // In a saved page nothing is on its way: the picture stays as it was saved.
  needsPython() {
    setText(this.wait, "needs Python");
    this.wait.title = "This panel cannot be computed here: it stays as it was saved";
  }
  // What stands beside the title; `about`: why the share is not quite Python's, or "".
  caption(subtitle, share, about) {
    const [what, number] = rightParts(share, about);
    setText(this.what, what);
    setText(this.share, number);
    const how = about && `, ${about}`;
    this.score.title = `Share of the points without a label that get their true class${how}`;
    show(this.score, number);
    setText(this.subtitle, subtitle);
    this.subtitle.title = subtitle;
  }
  // The button, if there is anything to enlarge.
  follow(possible, enlarged) {
    const name2 = this.title.textContent;
    const label2 = enlarged ? "Show all panels (Esc)" : `Enlarge ${name2 || "this panel"}`;
    show(this.grow, possible || enlarged);
    if (this.grow.title === label2) return;
    set(this.grow, { title: label2, "aria-label": label2, "aria-pressed": enlarged });
    this.grow.replaceChildren(icon(enlarged ? icons_default.shrink : icons_default.grow));
  }
  // top: end of the scale; colours: its table, known by `name`; null: no signed field is shown. A constant
  // has a word in place of a scale.
  showScale(top, name2, colours, constant) {
    show(this.scale, top !== null);
    this.scale.dataset.constant = constant ? "constant" : "";
    if (top === null) return;
    setText(this.low, `−${short2(top, 2)}`);
    setText(this.high, short2(top, 2));
    if (this.barName === name2) return;
    this.bar.style.background = gradient(colours);
    this.barName = name2;
  }
};

// js/panels/panel.js
var { lines: LINES, panels: PANELS2 } = contract_default;
var MOVES = contract_default.message.in_browser;
var PanelView = class {
  // enlarge: called with the panel when its button is pressed.
  constructor(enlarge) {
    this.raster = new Raster();
    this.head = new Head(() => enlarge?.(this));
    this.base = element("canvas.base");
    this.over = element("canvas.over");
    this.note = element("div.note");
    this.tip = element("div.tip", { "aria-hidden": "true" });
    this.plot = element("div.plot", {}, this.base, this.over, this.note, this.tip);
    this.node = element("div.panel", {}, this.head.node, this.plot, this.head.foot);
    Object.assign(this, { local: null, field: null, frozen: false, waiting: false });
    Object.assign(this, { wrong: [], why: [] });
  }
  // New exact values from Python; `model` is null or has evaluate().
  update(panel, scene, model) {
    Object.assign(this, { panel, model, kind: panel.kind ?? scene.kind });
    this.grid = panel.grid ? scene.grid : null;
    this.points = scene.points;
    this.samples = scene.n_samples;
    this.head.name(panel.title);
    if (scene.alone) this.head.needsPython();
    setText(this.note, panel.note);
    this.open = scene.editable;
    this.node.classList.toggle("open", scene.editable);
    this.setNoted(Boolean(panel.note));
    this.field = null;
  }
  // A note replaces the picture; where labels can be set, the points can still be clicked.
  setNoted(noted) {
    this.noted = noted;
    this.node.classList.toggle("noted", noted);
  }
  // Does the panel show nothing that could be clicked?
  get closed() {
    return this.noted && !this.open;
  }
  // Choose what to show: Python's values, or the model's for settings that Python has not seen.
  // `changed` names the settings that differ from those of Python's answer; `marking`: errors are
  // marked.
  choose(settings, changed, marking) {
    const { panel } = this;
    const exact = !changed.some((name2) => panel.depends.includes(name2));
    const behind = changed.some((name2) => !MOVES.includes(name2));
    const local = !exact && this.model && this.evaluate(settings, marking);
    this.waiting = behind || !exact && !local;
    this.node.classList.toggle("waiting", this.waiting);
    this.setNoted(!local && Boolean(panel.note));
    const [grid, points] = [panel.grid?.data ?? null, panel.points?.data ?? null];
    if (local) this.show(this.local.grid, this.local.points, this.model.outputs);
    else if (this.noted) this.field = null;
    else if (this.field?.grid !== grid || this.field.points !== points)
      this.show(grid, points, panel.grid?.shape[0] ?? panel.points?.shape[0] ?? 1);
    const share = this.findErrors(settings.labels, marking);
    this.caption(local ? share : panel.accuracy, !local);
  }
  evaluate(settings, marking) {
    const k = this.model.outputs;
    const old = this.local;
    const room = (kind, size, Values) => old?.[kind]?.length === k * size ? old[kind] : new Values(k * size);
    const wanted = this.counts || marking || !this.grid;
    this.local = {
      grid: this.grid ? room("grid", this.grid.x[2] * this.grid.y[2], Float32Array) : null,
      points: wanted ? room("points", this.points.count, Float64Array) : null
    };
    return this.model.evaluate(settings, this.local);
  }
  // Can the share right be counted here, while Python has not answered?
  get counts() {
    const { accuracy } = this.panel;
    return this.kind === "classes" && accuracy !== null && Boolean(this.points.truth);
  }
  // The line below the title; a share that only Python knows for certain is marked as such: counted over
  // some of the samples, or from leading modes.
  caption(share, exact) {
    const { count } = this.points;
    const known = exact || share === null;
    const why = [
      !known && count !== this.samples && `counted over the ${count} points that are drawn`,
      !known && this.model.rough && "an estimate from the leading modes"
    ];
    this.captioned = [this.panel.subtitle, share, why.filter(Boolean).join(", ")];
    this.head.caption(...this.captioned);
  }
  // `size`: the scale's end that these values alone would have; `top`: its end, from settleScales().
  show(grid, points, outputs) {
    const near = grid ? insideOf(this.grid) : null;
    const { size, constant } = scaleOf(grid ?? points ?? [], outputs, this.kind, near);
    this.field = { grid, points, outputs, size, top: size, flat: !(size > 0), constant, lines: null };
  }
  // Positions of the drawn points to be marked as wrong, in a panel whose errors are counted; the share
  // of those of known class that are right, or null.
  findErrors(labels, marking) {
    const { points, outputs } = this.field ?? {};
    this.wrong = [];
    if (!this.counts || !points) return null;
    const { wrong, known } = wrongPoints(points, outputs, this.points, labels);
    if (marking) this.wrong = wrong;
    return known ? (known - wrong.length) / known : null;
  }
  // Redraw the base canvas. `stage` gives theme, view, box, ratio, the layer of dots, `fast`.
  paint(stage) {
    const context = blank(this.base, stage.size, stage.ratio);
    if (!this.closed) this.draw(context, stage);
    if (this.field) this.showScale(stage.theme);
  }
  // The picture with its axes, from the origin on; also on the pen of a picture that is saved.
  draw(context, stage) {
    const { theme, view, box, scene, cloud } = stage;
    clipped(context, [box], () => {
      if (cloud) {
        const words2 = this.field?.points ? this.colourWords(theme) : cloud.plain(this.points.count);
        context.imageSmoothingEnabled = true;
        context.drawImage(cloud.paint(words2), box.x, box.y, box.w, box.h);
      } else if (this.field && !(this.field.grid && this.grid)) {
        const words2 = this.field.points && this.colourWords(theme);
        if (words2) drawColoured(context, this.points, words2, view, box, theme, stage.moving);
        if (words2 && stage.images) drawThumbnails(context, this.points, this.field, stage);
      } else {
        if (this.field) this.paintField(context, stage);
        stage.putDots(context);
      }
      drawLandmarks(context, scene.landmarks, view, box, theme);
      drawErrors(context, this.points, this.wrong, view, box, theme);
    });
    if (cloud) drawTriad(context, scene.space, box, theme, scene.axes);
    else drawAxes(context, view, box, theme, stage.axes);
  }
  paintField(context, stage) {
    const { theme, view, box } = stage;
    const { grid: field, outputs, top } = this.field;
    const [width, height] = stage.pixels();
    const scales = outputs > 1 ? { top, shades: this.shades(theme) } : { top, colours: this.colours(theme) };
    const image = this.raster.draw(field, outputs, this.grid, view.range, width, height, scales);
    const region = regionOf(this.grid, view, box);
    clipped(context, [region], () => {
      context.imageSmoothingEnabled = true;
      context.drawImage(image, box.x, box.y, box.w, box.h);
      if (!this.field.flat) this.paintLines(context, stage);
    });
    if (!this.field.constant) stage.putCover(context);
    drawBeyond(context, region, box, theme);
  }
  paintLines(context, stage) {
    const { theme, view, box } = stage;
    const { grid: field, outputs, size } = this.field;
    const [nx, ny] = [this.grid.x[2], this.grid.y[2]];
    const many = stage.count > PANELS2.many;
    const classes = this.kind === "classes";
    const count = LINES.count[many ? "many" : classes ? "classes" : "functions"];
    const find = (make) => outputs > 1 ? boundaries(field, outputs, nx, ny, size, make) : signedLines(field, nx, ny, this.field, count, classes ? unfade : (t) => t, make);
    const matrix = cellsToPixels(this.grid, view, box);
    const vector = context.newPath && (() => context.newPath(matrix));
    const lines2 = vector ? find(vector) : this.field.lines ??= find();
    context.lineJoin = "round";
    const faint = many ? LINES.faint_width_many : LINES.faint_width;
    const draw2 = (name2, alpha, width) => {
      const path = vector ? lines2[name2] : placed2(lines2[name2], matrix);
      stroked(context, css(theme.line, alpha), width, path);
    };
    draw2("thin", LINES.thin_alpha, LINES.thin_width);
    draw2("faint", LINES.faint_alpha, faint);
    draw2("zero", LINES.zero_alpha, many ? LINES.zero_width_many : LINES.zero_width);
  }
  // The colours of the points (packed RGBA).
  colourWords(theme) {
    const { points: values, outputs, top } = this.field;
    if (this.words?.length !== this.points.count) this.words = new Uint32Array(this.points.count);
    if (outputs > 1) winnerWords(values, outputs, top, this.shades(theme), this.words);
    else signedWords(values, top, this.colours(theme), this.words);
    return this.words;
  }
  // The colour map of a signed function, and the shades of every class.
  colours(theme) {
    return this.kind === "classes" ? theme.pair() : theme.functions();
  }
  shades(theme) {
    return theme.wins.slice(0, this.field.outputs).map((make) => make());
  }
  showScale(theme) {
    const signed = this.field.outputs === 1 && !this.field.flat;
    const top = signed ? this.field.top : null;
    this.head.showScale(top, `${theme.id}|${this.kind}`, this.colours(theme), this.field.constant);
  }
  // Redraw labels, and whatever is drawn below and above them, on the upper canvas.
  paintOver(stage, labels, above, below) {
    const context = blank(this.over, stage.size, stage.ratio);
    if (!this.closed) this.drawOver(context, stage, labels, above, below);
  }
  drawOver(context, { theme, view, box }, labels, above, below = () => {
  }) {
    clipped(context, [{ x: box.x - 1, y: box.y - 1, w: box.w + 2, h: box.h + 2 }], () => {
      below(context);
      drawLabels(context, labels, view, box, theme);
      above(context);
    });
  }
  // Values of all outputs at a place (and drawn point, or -1), or null.
  valuesAt(x, y, point) {
    const { field } = this;
    if (!field) return null;
    const each2 = (of) => Array.from({ length: field.outputs }, (_2, o) => of(o));
    if (point >= 0 && field.points) return each2((o) => field.points[o * this.points.count + point]);
    if (!field.grid) return null;
    const [x0, x1, nx] = this.grid.x;
    const [y0, y1, ny] = this.grid.y;
    if (x < x0 || x > x1 || y < y0 || y > y1) return null;
    const cells = nx * ny;
    return each2((o) => sample(field.grid.subarray(o * cells, (o + 1) * cells), this.grid, x, y));
  }
};
function placed2(path, matrix) {
  const moved3 = new Path2D();
  moved3.addPath(path, matrix);
  return moved3;
}

// js/bars/display.js
var { first: FIRST } = contract_default.panels;
var SCALE2 = "lapviz.same-scale.";
var STEPS3 = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
var Display = class {
  constructor(stage) {
    Object.assign(this, { stage, enlarged: null, all: false, sameScale: false, errors: true });
    this.images = true;
    this.pins = new Pins(stage);
    this.present = new Present(stage);
    const turnImages = () => this.set("images", "images", !this.images, "base");
    this.scaleTool = tool(icons_default.scale, "", () => this.share(!this.sameScale), "One scale");
    this.errorTool = tool(icons_default.errors, "", () => this.set("errors", "errors", !this.errors), "Errors");
    this.compareTool = tool(icons_default.compare, "", () => this.pins.toggle(), "Compare");
    const present = () => this.present.on ? this.present.leave() : this.present.enter();
    this.presentTool = tool(icons_default.present, "", present, "Present");
    this.imageTool = tool(icons_default.images, "", turnImages, "Images");
    this.node = element(
      "div.group.display",
      { role: "group", "aria-label": "Picture" },
      this.scaleTool,
      this.errorTool,
      this.compareTool,
      this.presentTool,
      this.imageTool
    );
    const all = () => this.set("more", "all", !this.all, "layout");
    this.more = element("button.more", { type: "button", onclick: all });
    stage.board.plots.after(this.more);
    stage.board.root.addEventListener("keydown", (event) => this.keydown(event), true);
  }
  // A new scene; `fresh`: of other data.
  adopted(fresh) {
    const { panels, key, scene } = this.stage;
    if (fresh) Object.assign(this, { all: false, enlarged: null, sameScale: habit(SCALE2 + key) });
    if (fresh) this.pins.clear();
    if (this.enlarged !== null && this.enlarged >= panels.length) this.enlarged = null;
    this.knows = scene.kind === "classes" && Boolean(scene.points.truth?.some((c) => c >= 0));
    this.pictured = scene.kind === "classes" && !scene.space && Boolean(scene.points.images);
    this.present.resume();
    this.follow();
  }
  // ---- which panels -----------------------------------------------------------------------
  get live() {
    const { panels } = this.stage;
    if (this.enlarged !== null) return [panels[this.enlarged]];
    return this.all ? panels : panels.slice(0, FIRST);
  }
  // With their pinned copies.
  get visible() {
    const { panels } = this.pins;
    const of = (i) => this.enlarged === null ? i < this.live.length : i === this.enlarged;
    return [...this.live, ...panels.filter((_2, i) => of(i))];
  }
  // How many panels stand side by side, and how often.
  get shape() {
    return { count: this.live.length, times: this.pins.on ? 2 : 1 };
  }
  // Shows one panel alone (its index), or all of them again (null).
  enlarge(index) {
    const { panels, board, hand } = this.stage;
    if (index !== null && !(panels.length > 1 && index >= 0 && index < panels.length)) return false;
    if (index === this.enlarged) return false;
    this.enlarged = index;
    hand.forget();
    const name2 = index === null ? "all panels" : panels[index].panel.title;
    board.say(`Showing ${name2}`);
    board.schedule("enlarge", "layout");
    return true;
  }
  toggle(panel) {
    return this.enlarge(this.enlarged === null ? this.stage.panels.indexOf(panel) : null);
  }
  keydown(event) {
    if (this.stage.draw.on) return;
    if (this.enlarged === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const { board, panels, hand, scene } = this.stage;
    const { classList } = event.target;
    const ours = event.target === board.plots ? !scene.editable : classList.contains("grow");
    const step = ours ? STEPS3[event.key] : 0;
    const to = this.enlarged + step;
    if (step && to >= 0 && to < panels.length) {
      const focused = classList.contains("grow");
      this.enlarge(to);
      board.layout();
      if (focused) panels[to].head.grow.focus();
    } else if (event.key === "Escape") {
      if (!hand.drop()) this.enlarge(null);
    } else if (!step) return;
    event.preventDefault();
    event.stopPropagation();
  }
  // ---- how they are drawn -----------------------------------------------------------------
  // Are errors marked, as far as anything is known about them?
  get marking() {
    return this.errors && this.knows;
  }
  share(on2) {
    habit(SCALE2 + this.stage.key, on2);
    this.set("scale", "sameScale", on2);
  }
  set(reason, name2, on2, level = "field") {
    this[name2] = on2;
    this.follow();
    this.stage.board.schedule(reason, level);
  }
  // Show and hide nodes and set the buttons by the settings.
  follow() {
    const { panels, scene, board, draw: draw2 } = this.stage;
    const shown = new Set(this.visible);
    const still = !draw2.on;
    const several = panels.length > 1;
    for (const panel of [...panels, ...this.pins.panels]) {
      show(panel.node, shown.has(panel));
      panel.head.follow(several && !panel.frozen, !panel.frozen && this.enlarged !== null);
    }
    board.root.dataset.enlarged = String(this.enlarged !== null);
    const rest = panels.length - FIRST;
    show(this.more, rest > 0 && this.enlarged === null);
    setText(this.more, this.all ? `The first ${FIRST} only` : `${rest} more`);
    offer(this.scaleTool, several, "Same colour scale for all panels", this.sameScale);
    offer(this.errorTool, still && this.knows, "Mark errors: crosses on points of the wrong class", this.errors);
    offer(this.imageTool, still && this.pictured, "Show the images of some points", this.images);
    const pinned = this.pins.on;
    const words2 = pinned ? "Take the pinned picture away" : "Compare: pin this picture";
    offer(this.compareTool, true, words2, pinned);
    this.compareTool.disabled = !pinned && scene.panels.every((panel) => panel.note);
    const { on: on2 } = this.present;
    offer(this.presentTool, true, on2 ? "End the presentation (Esc)" : "Present: large type", on2);
  }
};
function offer(node, visible, label2, pressed) {
  show(node, visible);
  name(node, label2);
  press(node, pressed);
}
var Pins = class {
  constructor(stage) {
    Object.assign(this, { stage, panels: [] });
    this.words = element("span");
    const unpin = tool(icons_default.cross, "Take the pinned picture away", () => this.toggle());
    this.caption = element("div.pincaption", {}, this.words, unpin);
  }
  get on() {
    return this.panels.length > 0;
  }
  toggle() {
    const { stage } = this;
    if (this.on) this.clear();
    else {
      this.panels = stage.panels.map((panel) => this.frozen(panel));
      setText(this.words, `Pinned: ${settingsLine(stage)}`);
      stage.board.plots.append(this.caption, ...this.panels.map((panel) => panel.node));
    }
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
      const rows = points.count === index.length && index.every((row, i) => row === points.index[i]);
      if (rows && !panel.grid) Object.assign(panel, { points, labels: labelsAt(panel.labels, points) });
    }
  }
  frozen(panel) {
    const { stage } = this;
    const copy2 = new PanelView();
    copy2.update(panel.panel, stage.scene, null);
    copy2.setNoted(panel.noted);
    copy2.head.caption(...panel.captioned);
    const { field } = panel;
    if (field) {
      const [grid, points] = [field.grid?.slice() ?? null, field.points?.slice() ?? null];
      copy2.field = { ...field, grid, points, lines: null };
    }
    Object.assign(copy2, { frozen: true, labels: stage.labels });
    copy2.node.classList.add("pinned");
    listen(copy2.plot, copy2, stage.hand);
    return copy2;
  }
};
function settingsLine({ scene, lam, filter, labels }) {
  const parts = [scene.about];
  if (scene.models.some(Boolean) || !scene.hide.has("lam")) {
    const name2 = scene.filters[filter]?.label;
    parts.push(`λ = ${short2(lam, 2)}`, name2 && filter !== "tikhonov" ? name2 : "");
    parts.push(`${labels.length} label${labels.length === 1 ? "" : "s"}`);
  }
  return parts.filter(Boolean).join(" · ");
}

// js/paint/snapshot.js
var USUAL = [1280, 720];
var PAD = 20;
var HEAD = 42;
var PIXELS = 1200;
var BANDS = 40;
async function pictureOf(stage, kind, width, height) {
  const scale = Math.sqrt(width * height / (USUAL[0] * USUAL[1]));
  const title = stage.board.heading.textContent;
  if (kind === "svg") {
    const pen = new SvgPen(width, height);
    draw(pen, stage, width, height, scale, title);
    const names = stage.display.visible.map((panel) => panel.panel.title).join(", ");
    return pen.picture([title, names, settingsLine(stage)].filter(Boolean).join(": "));
  }
  return drawn(width, height, (pen) => draw(pen, stage, width, height, scale, title));
}
function drawn(width, height, put) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  put(canvas.getContext("2d"));
  return new Promise((give) => canvas.toBlob(give, "image/png"));
}
async function rasterised(picture, width, height) {
  const href = URL.createObjectURL(picture);
  try {
    const image = new Image(width, height);
    image.src = href;
    await image.decode();
    return await drawn(width, height, (pen) => pen.drawImage(image, 0, 0, width, height));
  } finally {
    URL.revokeObjectURL(href);
  }
}
function draw(pen, stage, width, height, scale, title) {
  const [w, h] = [width / scale, height / scale];
  const { theme } = stage.board;
  pen.save();
  pen.scale(scale, scale);
  pen.fillStyle = css(theme.background);
  pen.fillRect(0, 0, w, h);
  const bold = { size: 22, bold: true, base: "top", room: w - 2 * PAD };
  if (title) write(pen, theme, title, PAD, PAD, bold);
  const top = PAD + (title ? 36 : 0);
  const bottom = h - PAD - drawFoot(pen, stage, w, h - PAD, theme);
  drawPanels(pen, stage, { x: PAD, y: top, w: w - 2 * PAD, h: bottom - top }, scale);
  pen.restore();
}
function measured(pen, theme, words2, ...place) {
  write(pen, theme, words2, ...place);
  return pen.measureText(words2).width;
}
function drawFoot(pen, stage, w, bottom, theme) {
  const { scene } = stage;
  const y = bottom - 8;
  const look2 = { size: 13, base: "middle" };
  pen.font = `13px ${theme.font}`;
  let x = PAD;
  for (const [code, name2] of scene.kind === "classes" ? scene.classes.entries() : []) {
    const wide2 = 22 + pen.measureText(name2).width;
    if (x + wide2 > 0.62 * w) break;
    pen.beginPath();
    trace(pen, code, x + 7, y, 5);
    filled(pen, classColour(theme, code));
    write(pen, theme, name2, x + 18, y, look2);
    x += wide2 + 12;
  }
  const words2 = settingsLine(stage);
  const rest = { clear: 0.8, align: "right", room: w - PAD - x };
  write(pen, theme, words2, w - PAD, y, { ...look2, ...rest });
  return words2 || x > PAD ? 26 : 0;
}
function drawPanels(pen, stage, area, scale) {
  const { scene, view, display, labels: own } = stage;
  const { theme } = stage.board;
  const panels = display.visible;
  const place = layoutOf(pen, stage, area, panels.length);
  const { columns, box, size, gap } = place;
  const cloud = new Cloud();
  const pixels = () => pixelsOf(box, scale, PIXELS);
  const brush = brushOf(stage, { place, theme, ratio: scale, moving: false, cloud, pixels });
  const rows = Math.ceil(panels.length / columns);
  const [pitchX, pitchY] = [size.width + gap, size.height + HEAD + gap];
  const left2 = area.x + (area.w - (columns * pitchX - gap)) / 2;
  const high2 = area.y + Math.max((area.h - (rows * pitchY - gap)) / 2, 0);
  panels.forEach((panel, i) => {
    pen.save();
    pen.translate(left2 + i % columns * pitchX, high2 + Math.floor(i / columns) * pitchY + HEAD);
    drawHead(pen, panel, box, theme);
    if (panel.noted) drawNote(pen, panel, box, theme);
    else {
      panel.draw(pen, brush);
      const labels = panel.labels ?? own;
      const placed3 = scene.space?.placed(labels, scene.points.position) ?? labels;
      panel.drawOver(pen, brush, placed3, (context) => drawNext(context, scene, view, box, theme));
    }
    pen.restore();
  });
}
function layoutOf(pen, { scene, view, display, board }, area, count) {
  const { aspect } = view;
  const { theme } = board;
  const drawn2 = !scene.space && display.shape.count <= contract_default.panels.many;
  const placed3 = (columns, room = AXIS) => {
    const outer2 = Math.floor((area.w - GAP * (columns - 1)) / columns);
    const rows = Math.ceil(count / columns);
    const free = (area.h - GAP * (rows - 1)) / rows - HEAD;
    const most = (above) => Math.max(free - above, 20 / aspect);
    const axes = drawn2 && outer2 >= 200;
    return { columns, gap: GAP, ...framed({ outer: outer2, most, aspect, axes, room, type: theme.type }) };
  };
  const places = Array.from({ length: count }, (_2, i) => placed3(i + 1));
  const best = places.reduce((a, b2) => b2.box.w > 1.02 * a.box.w ? b2 : a);
  if (!best.axes) return best;
  return placed3(best.columns, axisRoom(pen, view, best.box, theme, scene.axes[1]));
}
function drawHead(pen, panel, box, theme) {
  const [subtitle, share, about] = panel.captioned ?? ["", null, ""];
  const [what, number] = rightParts(share, about);
  write(pen, theme, panel.panel.title, box.x, -25, { size: 15, bold: true, room: box.w });
  const end = box.x + box.w - drawScale(pen, panel, box, theme, Boolean(number));
  let { x } = box;
  if (number) {
    x += measured(pen, theme, what, x, -7, { clear: 0.8 });
    x += measured(pen, theme, number, x, -7, { size: 17, bold: true }) + 10;
  }
  if (subtitle && end - x >= 40) write(pen, theme, subtitle, x, -7, { clear: 0.8, room: end - x });
}
function drawScale(pen, panel, box, theme, scored) {
  const right = box.x + box.w;
  const { field } = panel;
  if (!field || field.outputs !== 1 || field.flat || panel.noted) return 0;
  const colours = panel.colours(theme);
  const look2 = { clear: 0.85, align: "right" };
  const wide2 = measured(pen, theme, short2(field.top, 2), right, -7, look2);
  const bar = 44;
  const start = right - wide2 - 4 - bar;
  for (let i = 0; i < BANDS; i++) {
    const at = Math.round((i + 0.5) / BANDS * (colours.length - 1));
    pen.fillStyle = css(unpacked(colours[at]));
    pen.fillRect(start + i * bar / BANDS, -15, bar / BANDS + (i < BANDS - 1 ? 0.3 : 0), 8);
  }
  if (box.w < (scored ? 250 : 190)) return wide2 + bar + 12;
  return wide2 + bar + 16 + measured(pen, theme, `−${short2(field.top, 2)}`, start - 4, -7, look2);
}
function drawNote(pen, panel, box, theme) {
  Object.assign(pen, { strokeStyle: css(theme.text, 0.4), lineWidth: 1 });
  pen.strokeRect(box.x, box.y, box.w, box.h);
  pen.font = `14px ${theme.font}`;
  const lines2 = broken(pen, panel.panel.note, 0.84 * box.w);
  const look2 = { size: 14, clear: 0.85, align: "center", base: "middle" };
  const [x, y] = [box.x + box.w / 2, box.y + box.h / 2 - 10 * (lines2.length - 1)];
  lines2.forEach((line, i) => write(pen, theme, line, x, y + 20 * i, look2));
}
function broken(pen, text, room) {
  const lines2 = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines2.at(-1)} ${word}`.trim();
    if (pen.measureText(longer).width <= room) lines2[lines2.length - 1] = longer;
    else lines2.push(word);
  }
  return lines2.filter(Boolean);
}
var ROW = 26;
var STYLES = [
  ...["fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray"],
  ...["stroke-linecap", "font-size", "font-family", "font-weight", "opacity"]
];
async function curvesOf(stage, kind, width, height) {
  const picture = svgBlob(chartsOf(stage, width, height));
  return kind === "svg" ? picture : rasterised(picture, width, height);
}
function chartsOf(stage, width, height) {
  const theme = makeTheme(stage.root);
  const frame = stage.charts.getBoundingClientRect();
  const words2 = { x: PAD, "font-family": theme.font, fill: css(theme.text) };
  const [across, up] = [width - 2 * PAD, height - 2 * PAD - 2 * ROW];
  const scale = Math.min(across / frame.width, up / frame.height);
  const root = svg("svg", {
    ...{ xmlns: "http://www.w3.org/2000/svg", width, height, role: "img" },
    viewBox: `0 0 ${width} ${height}`
  });
  const left2 = (width - scale * frame.width) / 2;
  const top = PAD + 2 * ROW + Math.max((up - scale * frame.height) / 2, 0);
  const all = svg("g", { transform: `translate(${left2} ${top}) scale(${scale})` });
  for (const chart of stage.charts.querySelectorAll("svg.chart")) {
    const at = chart.getBoundingClientRect();
    if (!at.width) continue;
    const place = `translate(${at.left - frame.left} ${at.top - frame.top})`;
    all.append(svg("g", { transform: place }, ...styled(chart).childNodes));
  }
  for (const key of stage.charts.querySelectorAll(".key")) {
    const at = key.getBoundingClientRect();
    const place = { x: at.right - frame.left, y: at.bottom - frame.top - 4, "text-anchor": "end" };
    if (at.width) all.append(svg("text", { ...words2, ...place, "font-size": 13 }, key.textContent));
  }
  root.append(
    svg("rect", { width, height, fill: css(theme.background) }),
    svg(
      "text",
      { ...words2, y: PAD + 14, "font-size": 18, "font-weight": "bold" },
      stage.head.textContent || stage.point.textContent
    ),
    legend(stage, words2),
    all
  );
  return root;
}
function legend(stage, words2) {
  const line = svg("text", { ...words2, y: PAD + 14 + ROW, "font-size": 14 });
  for (const key of stage.legend.children) {
    const { borderTopColor, backgroundColor } = getComputedStyle(key.firstElementChild);
    const curve = ["main", "other"].some((role) => key.classList.contains(role));
    const ink2 = curve ? borderTopColor : key.classList.contains("known") ? backgroundColor : "";
    const mark = key.classList.contains("known") ? "● " : "▬ ";
    line.append(svg("tspan", ink2 ? { fill: ink2 } : {}, mark), svg("tspan", {}, `${key.textContent}   `));
  }
  return line;
}
function styled(node) {
  const copy2 = node.cloneNode(true);
  const [from, to] = [node, copy2].map((one) => [one, ...one.querySelectorAll("*")]);
  from.forEach((one, i) => {
    const style = getComputedStyle(one);
    for (const name2 of STYLES) to[i].setAttribute(name2, style.getPropertyValue(name2));
    for (const name2 of ["class", "tabindex", "role", "aria-label"]) to[i].removeAttribute(name2);
  });
  return copy2;
}

// js/channel/channel.js
var channel_exports = {};
__export(channel_exports, {
  Channel: () => Channel,
  Mounted: () => Mounted
});

// js/channel/decode.js
var decode_exports = {};
__export(decode_exports, {
  STORED: () => STORED,
  decode: () => decode,
  fingerprint: () => fingerprint,
  keep: () => keep2,
  stored: () => stored
});

// js/numbers/history.js
var DEPTH = 200;
function history(present) {
  return { past: [], present, future: [] };
}
function record({ past, present: before }, present) {
  return { past: [...past, before].slice(-DEPTH), present, future: [] };
}
function renewed(stack, present, same2, make = history) {
  return stack && same2(stack.present, present) ? { ...stack, present } : make(present);
}
var Kept = class extends Map {
  constructor(most) {
    super();
    this.most = most;
  }
  set(name2, value) {
    this.delete(name2);
    super.set(name2, value);
    while (this.size > this.most) this.delete(this.keys().next().value);
    return this;
  }
};
var kept3 = new Kept(20);
function keep(name2, stack) {
  kept3.set(name2, stack);
  return stack;
}
function recall(name2, present, same2) {
  return renewed(kept3.get(name2), present, same2);
}
function travelled(stack, way) {
  const { past, present, future } = stack ?? history(null);
  if (way === "undo" && past.length)
    return { past: past.slice(0, -1), present: past.at(-1), future: [present, ...future] };
  if (way === "redo" && future.length)
    return { past: [...past, present], present: future[0], future: future.slice(1) };
  return stack;
}

// js/channel/decode.js
var START2 = contract_default.blob.start;
var halves = null;
function halfTable() {
  return halves ??= Float32Array.from({ length: 65536 }, (_2, half) => {
    const [sign, exponent, fraction] = [half & 32768 ? -1 : 1, half >> 10 & 31, half & 1023];
    if (exponent === 31) return fraction ? NaN : sign * Infinity;
    if (exponent === 0) return sign * fraction * 2 ** -24;
    return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  });
}
function fingerprint(bytes) {
  const hex = (byte) => byte.toString(16).padStart(2, "0");
  return Array.from(bytes.subarray(4, START2), hex).join("");
}
function decode(bytes) {
  if (!(bytes instanceof Uint8Array) || bytes.length < START2)
    throw new Error("The picture's data did not arrive.");
  const buffer = bytes.slice().buffer;
  const size = new DataView(buffer).getUint32(0, true);
  if (START2 + size > buffer.byteLength) throw new Error("The picture's data is cut short.");
  const header = new TextDecoder().decode(new Uint8Array(buffer, START2, size));
  return lower(JSON.parse(header), buffer, START2 + size);
}
function lower(node, buffer, base) {
  if (node === null || typeof node !== "object" || typeof node[0] === "number") return node;
  if (Array.isArray(node)) return node.map((value) => lower(value, buffer, base));
  if ("at" in node && "type" in node) return readArray(node, buffer, base);
  const tree = Object.entries(node).map(([name2, value]) => [name2, lower(value, buffer, base)]);
  return Object.fromEntries(tree);
}
function readArray(node, buffer, base) {
  const count = node.shape.reduce((a, b2) => a * b2, 1);
  const at = base + node.at;
  const Values = { f4: Float32Array, f8: Float64Array, i4: Int32Array, u1: Uint8Array }[node.type];
  if (Values) return { shape: node.shape, data: new Values(buffer, at, count) };
  const raw = new Uint16Array(buffer, at, count);
  const table2 = halfTable();
  const data = new Float32Array(count);
  const width = count / node.scale.length;
  node.scale.forEach((scale, row) => {
    for (let p = row * width; p < (row + 1) * width; p++) data[p] = table2[raw[p]] * scale;
  });
  return { shape: node.shape, data };
}
var store = new Kept(8);
var STORED = "lapviz:stored";
function keep2(tag, lasting) {
  store.set(tag, lasting);
  window.dispatchEvent(new Event(STORED));
}
function stored(tag) {
  return store.get(tag) ?? null;
}

// js/channel/channel.js
var GATHER = 60;
var PATIENCE = 2e3;
var LOOK2 = 100;
var Channel = class {
  // stage: one that is Mounted. The key of its data, `viewKey`, goes with every message.
  constructor(stage) {
    Object.assign(this, { stage, tag: "", parcel: null, lasting: null, alone: false });
    this.changes = /* @__PURE__ */ new Map();
    Object.assign(this, { rev: 0, sentRev: 0, answered: 0, unsent: false, moving: false });
    this.toldMoving = false;
    this.over = new AbortController();
    const options = { capture: true, signal: this.over.signal };
    window.addEventListener(STORED, () => stage.guard(() => this.join()), options);
    for (const act of ["pointerdown", "keydown"])
      window.addEventListener(act, (event) => this.elsewhere(event), options);
  }
  end() {
    for (const timer2 of [this.timer, this.looking, this.retrying]) clearTimeout(timer2);
    this.over.abort();
    const { stages } = globalThis.__lapviz;
    if (stages[this.key] === this.stage) delete stages[this.key];
  }
  // ---- from Python ------------------------------------------------------------------------
  // A component's data. The stage opens what is new in it; of the same bytes it hears, too, since
  // the theme may be another one.
  receive({ data, setStateValue }) {
    this.send = setStateValue;
    this.stage.guard(() => {
      const tag = fingerprint(data);
      if (tag === this.tag) {
        this.stage.same();
        return true;
      }
      this.parcel = decode(data);
      this.tag = tag;
      return this.join();
    });
  }
  // Open the newest parcel as soon as the lasting part that it names has arrived.
  join() {
    if (!this.parcel) return false;
    const { parcel } = this;
    const { needs = this.needs, static: own, key } = parcel;
    const lasting = own ?? (needs === this.needs ? this.lasting : stored(needs));
    if (needs && !lasting) return false;
    clearTimeout(this.looking);
    Object.assign(this, { parcel: null, needs, lasting, key });
    this.alone = Boolean(parcel.alone);
    if (key) globalThis.__lapviz.stages[key] = this.stage;
    try {
      this.stage.open(parcel, lasting);
    } catch (error) {
      this.tag = "";
      throw error;
    }
    return true;
  }
  // Python knows what was done here up to this revision.
  acknowledge(rev) {
    this.answered = Math.max(this.answered, rev);
    for (const [name2, change] of this.changes) if (change.rev <= rev) this.changes.delete(name2);
    if (!this.unsent) this.rev = Math.max(this.rev, rev);
    else if (this.moving && this.isAnswered) this.flush();
  }
  // Has Python answered the last message?
  get isAnswered() {
    return this.answered >= this.sentRev;
  }
  // Ask whether a long computation is done.
  look(wait = LOOK2) {
    clearTimeout(this.looking);
    this.looking = setTimeout(() => {
      if (leaving()) this.look();
      else if (!this.stage.gone) this.send("tick", Date.now());
    }, wait);
  }
  // ---- to Python --------------------------------------------------------------------------
  // A hand has changed a setting; a value that takes time to write down may be a function.
  change(name2, value) {
    this.renew();
    this.changes.set(name2, { value, rev: this.rev });
  }
  // There is something to tell, under a revision of its own.
  renew() {
    if (!this.unsent) this.rev += 1;
    this.unsent = true;
  }
  has(name2) {
    return this.changes.has(name2);
  }
  value(name2) {
    return this.changes.get(name2)?.value;
  }
  // Forget changes that concern other data than those on screen now; all of them by default.
  drop(names = [...this.changes.keys()]) {
    clearTimeout(this.timer);
    for (const name2 of names) this.changes.delete(name2);
    this.unsent &&= this.changes.size > 0;
  }
  // Tell Python; `moving`: the hand has not let go. That it has is told even where the values are: the
  // answer to them while it moved may have been a coarse one, and the page around waits for it.
  // `single`: an act by itself, as a click, which waits for no others unless some are on their way.
  post(moving = false, single = false) {
    if (this.toldMoving && !moving) this.renew();
    this.moving = moving;
    clearTimeout(this.timer);
    if (moving || single && this.isAnswered) this.flush();
    else this.timer = setTimeout(() => this.flush(), GATHER);
  }
  flush() {
    clearTimeout(this.timer);
    if (!this.unsent || this.stage.gone) return;
    const wait = this.moving && !this.isAnswered ? PATIENCE - (performance.now() - this.sentAt) : 0;
    if (wait > 0) this.timer = setTimeout(() => this.flush(), wait);
    else if (this.alone) this.unsent = false;
    else this.tell();
  }
  // A hand that does something beside the stage has let go here: Python hears of both in that order.
  elsewhere(event) {
    if (!this.unsent || event.composedPath().includes(this.stage.root)) return;
    this.moving = false;
    this.flush();
  }
  // Tell of an act, which is no value: it is not sent a second time with later changes.
  act(name2, value) {
    this.change(name2, value);
    this.tell();
    this.changes.delete(name2);
  }
  tell(more = {}) {
    const changes = {};
    for (const [name2, { value }] of this.changes) {
      changes[name2] = typeof value === "function" ? value() : value;
    }
    const { rev, moving } = this;
    Object.assign(this, { unsent: false, sentRev: rev, sentAt: performance.now(), toldMoving: moving });
    clearTimeout(this.looking);
    this.stage.asked(moving);
    this.send("state", { rev, changes, hand: moving, view_key: this.stage.viewKey, ...more });
    this.retry();
  }
  retry() {
    clearTimeout(this.retrying);
    this.retrying = setTimeout(() => {
      if (this.stage.gone || this.isAnswered) return;
      if (isBusy() || leaving()) this.retry();
      else this.tell({ again: Date.now() });
    }, 2 * PATIENCE);
  }
};
var Mounted = class {
  constructor() {
    this.channel = new Channel(this);
  }
  // A component's data; open(parcel, lasting) is called with what is new in it.
  receive(component) {
    this.channel.receive(component);
  }
  // The key of the data on screen; "" where there are none.
  get viewKey() {
    return this.scene?.view_key ?? "";
  }
  // The same data again: the theme may be another one.
  same() {
  }
  // A message has left; `moving`: the hand has not let go. A stage may have `computing`, which says
  // that Python is at work.
  asked(moving) {
    if (!moving) this.computing?.follow();
  }
  // There is no answer yet, but a long computation; or none at all.
  waits(pending) {
    if (!pending) return this.computing.answered(null);
    this.computing.pending(pending);
    this.channel.look();
  }
  // A knob that a hand moves; `done`: it has let go.
  setKnob(name2, value, done) {
    if (this.channel.value(name2) !== value) this.channel.change(name2, value);
    this.channel.post(!done);
  }
  // Draw in the next frame.
  schedule() {
    this.board.pending ||= requestAnimationFrame(() => {
      this.board.pending = false;
      if (!this.gone && this.scene) this.draw();
    });
  }
  // Runs what Python's data start.
  guard(run) {
    run();
  }
  // Ends the stage if its page is gone.
  left() {
    if (this.gone || this.root.isConnected) return;
    this.gone = true;
    this.channel.end();
    this.end();
  }
  // What a stage itself has to end.
  end() {
    this.observer?.disconnect();
    this.computing?.destroy();
    this.root.remove();
  }
  // Its node in the page; resized() is called as its size may change.
  stand(parent2, root, resized) {
    parent2.append(root);
    this.root = root;
    this.observer = new ResizeObserver(resized);
    this.observer.observe(root);
  }
  // There is something to see: page.css no longer keeps its place free.
  appeared() {
    this.root.getRootNode().host?.toggleAttribute("data-painted", true);
  }
};

// js/bars/formula.js
var HAND = "lapviz:hand";
function lightUp(term) {
  window.dispatchEvent(new CustomEvent(HAND, { detail: { term } }));
}
var Formula = class {
  // signal: ends it.
  constructor(signal) {
    this.node = element("div.formula");
    window.addEventListener(HAND, ({ detail: detail2 }) => this.light(detail2.term), { signal });
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.hush(), { signal });
    this.write("");
  }
  // html: as lapviz/explorer/words/formula_line.py writes it; "" for none.
  write(html) {
    if (html !== this.html) this.node.innerHTML = this.html = html;
    show(this.node, html);
  }
  // Lights every symbol of that term, and no other; null: none.
  light(term) {
    for (const node of this.node.querySelectorAll("[data-term]"))
      node.classList.toggle("lit", node.dataset.term === term);
  }
  // Closes an explanation until it is left.
  hush() {
    const opened = ":is(.lv-term:hover, .lv-term:focus, .lv-term:focus-within)";
    for (const term of this.node.querySelectorAll(opened)) {
      term.classList.add("hush");
      const again = () => term.classList.remove("hush");
      for (const left2 of ["mouseleave", "blur"]) term.addEventListener(left2, again, { once: true });
    }
  }
};

// js/bars/more.js
var TITLE = "The other settings, the formula, and tools for the picture";
var More = class {
  // changed: the box came or went.
  constructor(changed) {
    this.changed = changed;
    const toggle2 = () => this.turn(barShows("more", !this.open));
    this.button = tool(icons_default.more, "More", toggle2, "More");
    this.button.title = TITLE;
    this.button.classList.add("opens");
    this.node = element("div.drawer", { role: "group", "aria-label": "More" });
    this.restore();
  }
  // Open or not, as it is elsewhere.
  restore() {
    this.put(barShows("more"));
  }
  put(open) {
    this.open = open;
    show(this.node, open);
    this.button.setAttribute("aria-expanded", String(open));
  }
  turn(open) {
    this.put(open);
    this.changed();
  }
  // Something is pointed at in the box: it opens for now.
  reveal(node) {
    if (!this.open && this.node.contains(node)) this.turn(true);
  }
  // Nothing stands in the box: then there is no button either.
  offer(any) {
    show(this.button, any);
    show(this.node, any && this.open);
  }
};

// js/bars/saver.js
var SIZES = ["1280x720", "1920x1080", "3840x2160", "1080x1080"];
var [LEAST4, MOST7] = [200, 7680];
var SORRY = "This browser makes no picture of that size: choose a smaller one.";
var Saver = class {
  // make: called with format, width and height, promises a Blob; changed: the row came or went.
  constructor(make, changed) {
    Object.assign(this, { make, changed });
    this.tool = tool(icons_default.save, "Save a picture (PNG or SVG)", () => this.toggle(), "Save");
    const kinds = [["png", "PNG"], ["svg", "SVG"]];
    this.kind = menu("select.choice", "Format", null, () => {
    }, kinds);
    const sizes = SIZES.map((size) => [size, size.replace("x", " × ")]);
    const follow = () => show(this.own, this.size.value === "own");
    this.size = menu("select.choice", "Size in pixels", null, follow, [...sizes, ["own", "own size"]]);
    this.size.value = "1920x1080";
    const number = (name2, value) => element("input.number", { type: "number", min: LEAST4, max: MOST7, value, "aria-label": name2 });
    this.width = number("Width in pixels", 1600);
    this.height = number("Height in pixels", 900);
    this.own = element("span.pair", {}, this.width, "×", this.height);
    const button = element("button.words-tool", { type: "button", onclick: () => this.save() }, "Save");
    this.said = element("span", { role: "status" });
    this.node = element(
      "div.saver",
      { role: "group", "aria-label": "Save a picture" },
      this.kind,
      this.size,
      this.own,
      button,
      this.said
    );
    this.toggle(false);
    follow();
  }
  toggle(on2 = !this.shown) {
    this.shown = on2;
    show(this.node, on2);
    this.tool.setAttribute("aria-expanded", String(on2));
    setText(this.said, "");
    this.changed();
    if (on2) this.kind.focus();
  }
  get chosen() {
    if (this.size.value !== "own") return this.size.value.split("x").map(Number);
    return [this.width, this.height].map((field) => {
      const side = Math.min(Math.max(Math.round(Number(field.value)) || LEAST4, LEAST4), MOST7);
      field.value = side;
      return side;
    });
  }
  async save() {
    const kind = this.kind.value;
    const [width, height] = this.chosen;
    const warn = (error) => console.warn("lapviz picture:", error);
    const blob = await this.make(kind, width, height).catch(warn);
    if (!blob) return setText(this.said, SORRY);
    save(blob, `lapviz-${width}x${height}.${kind}`);
    setText(this.said, `Saved: ${width} × ${height}, ${kind.toUpperCase()}`);
    this.changed();
  }
};

// js/panels/curve.js
var MOST_HANDLES = contract_default.changes.curve.handles.most;
var BESIDE = 760;
var CurveStage = class extends Mounted {
  constructor(parent2) {
    super();
    Object.assign(this, { scene: null, handles: [], selected: 0, path: "", step: 0 });
    this.main = new Chart("Curves over the input");
    this.head = element("output.readout");
    this.point = element("output.readout");
    this.along = new PathView(this, this.head);
    this.hand = new HandlesView(this.main, this);
    this.note = element("div.message");
    this.saver = new Saver((...asked) => curvesOf(this, ...asked), () => {
    });
    this.edits = this.makeEdits();
    this.legend = element("div.legend");
    this.charts = element("div.charts", {}, this.main.node, this.along.node);
    this.computing = new Computing(this.charts, () => {
    });
    this.formula = new Formula(this.channel.over.signal);
    this.more = new More(() => this.scene && this.layout());
    const tools = element("div.tools", {}, this.along.chips, this.saver.tool);
    this.more.node.append(tools, this.saver.node, this.formula.node);
    const bar = element("div.bar", {}, this.along.tools, this.edits, this.more.button);
    const root = element(
      "div.stage.curves",
      {},
      this.note,
      element("div.toolbar", {}, bar, this.more.node),
      this.legend,
      this.charts,
      this.computing.node
    );
    const resized = () => this.scene && root.clientWidth !== this.wide && this.layout();
    this.stand(parent2, root, resized);
    this.board = { root, place: null, pending: false };
    const place = placeOn(this.main.node);
    this.main.node.addEventListener("dblclick", (event) => {
      if (this.scene?.handles.length) this.add(...this.main.toPlane(...place(event)));
    });
  }
  makeEdits() {
    const button = (text, title, onclick) => element("button.swatch", { title, onclick }, text);
    const add = button("Add a point", "Add a point in the widest gap", () => this.addInGap());
    const slope = "Give the selected point a slope, or take it away";
    this.tilt = button("Slope", slope, () => this.toggleSlope());
    this.bin = button("Remove", "Remove the selected point", () => this.remove(this.selected));
    return element("div.group.edits", {}, add, this.tilt, this.bin, this.point);
  }
  // ---- from Python ------------------------------------------------------------------------
  open({ answer, key, formula = "" }, lasting) {
    this.key = key;
    this.formula.write(formula);
    this.adopt({ ...lasting, ...answer });
  }
  adopt(scene) {
    const fresh = this.scene?.view_key !== scene.view_key;
    const other = this.scene?.paths !== scene.paths;
    const { channel } = this;
    this.scene = scene;
    if (fresh) {
      channel.drop();
      this.selected = 0;
    }
    channel.acknowledge(scene.rev);
    if (!channel.has("path") || !scene.paths.some(({ name: name2 }) => name2 === this.path)) this.path = scene.path;
    if (!channel.has("step")) this.step = scene.step;
    if (!channel.has("handles"))
      this.handles = scene.handles.map(([x, value, slope]) => ({ x, value, slope }));
    if (other) this.along.adopt(scene.paths);
    if (scene.paths.length) this.step = Math.min(this.step, this.shown.positions.length - 1);
    if (this.exact) this.computing.answered(null);
    this.describe();
    this.layout();
    this.appeared();
  }
  get shown() {
    return this.scene.paths.find(({ name: name2 }) => name2 === this.path);
  }
  // Whether all that is shown is Python's answer.
  get exact() {
    const { scene } = this;
    const paths = !scene.paths.length || this.path === scene.path && this.step === scene.step;
    return paths && JSON.stringify(this.rows) === JSON.stringify(scene.handles);
  }
  // The points as messages carry them.
  get rows() {
    return this.handles.map(({ x, value, slope }) => [x, value, slope ?? null]);
  }
  asked() {
    this.computing.follow();
  }
  changeHandles() {
    this.channel.change("handles", this.rows);
    this.schedule();
  }
  // ---- what the hand does -----------------------------------------------------------------
  setStep(k, done) {
    if (!this.scene?.paths.length) return;
    if (k !== this.step) {
      this.step = k;
      this.channel.change("step", k);
      this.schedule();
    }
    if (done) this.channel.post();
  }
  // Another method's path, at the place that the truth would choose.
  choose(name2) {
    if (name2 === this.path) return;
    this.path = name2;
    this.step = this.shown.marks.at(-1)?.step ?? 0;
    this.channel.change("path", name2);
    this.channel.change("step", this.step);
    this.layout();
    this.channel.post();
  }
  // Values and slopes act at once; an input that moves is Python's to answer, the newest first.
  move(i, { x, value, slope }, done) {
    const before = this.handles[i];
    const place = this.channel.alone ? before.x : linked(x);
    const moved3 = place !== before.x;
    const next = { x: place, value: linked(value), slope: (slope ?? null) && linked(slope) };
    const other = moved3 || next.value !== before.value || next.slope !== before.slope;
    if (other) {
      this.handles = this.handles.with(i, next);
      this.changeHandles();
    }
    if (done || moved3) this.channel.post(!done);
  }
  edit(handles, selected) {
    if (this.channel.alone) return;
    Object.assign(this, { handles, selected });
    this.changeHandles();
    this.channel.post();
  }
  select(i) {
    if (i === this.selected) return;
    this.selected = i;
    this.schedule();
  }
  remove(i) {
    if (this.handles.length < 2 || !this.handles[i]) return;
    this.edit(this.handles.toSpliced(i, 1), Math.max(0, i - 1));
  }
  toggleSlope() {
    const handle = this.handles[this.selected];
    if (!handle) return;
    const slope = handle.slope === null ? linked(this.slopeAt(handle.x)) : null;
    this.edit(this.handles.with(this.selected, { ...handle, slope }), this.selected);
  }
  addInGap() {
    const xs = [0, ...this.handles.map(({ x: x2 }) => x2).sort((a, b2) => a - b2), 1];
    const widths = xs.slice(1).map((x2, i2) => x2 - xs[i2]);
    const i = widths.indexOf(Math.max(...widths));
    const x = (xs[i] + xs[i + 1]) / 2;
    this.add(x, this.curves[0]?.values[this.nearest(x)] ?? 0);
  }
  add(x, y) {
    if (this.handles.length >= MOST_HANDLES) return;
    const fresh = movedTo({ slope: null }, linked(x), linked(y));
    this.edit([...this.handles, fresh], this.handles.length);
  }
  nearest(x) {
    const { data } = this.scene.x;
    const last = data.length - 1;
    const t = (x - data[0]) / (data[last] - data[0]);
    return Math.min(Math.max(Math.round(t * last), 0), last);
  }
  slopeAt(x) {
    const { data } = this.scene.x;
    const k = Math.min(Math.max(this.nearest(x), 1), data.length - 2);
    const { values } = this.curves[0];
    return (values[k + 1] - values[k - 1]) / (data[k + 1] - data[k - 1]);
  }
  // ---- the picture ------------------------------------------------------------------------
  // All curves as they are now, the main one first.
  get curves() {
    const { scene } = this;
    const given = numbers(this.handles);
    const fits = scene.responses.every(({ matrix }) => matrix.shape[1] === given.length);
    const linear = (fits ? scene.responses : []).map(({ matrix, ...curve }) => {
      return { ...curve, values: product(matrix.data, given, matrix.shape[0], 1) };
    });
    const path = (scene.paths.length ? [this.shown] : []).map(({ curves, title }) => {
      return { title, role: "main", values: rowsOf(curves.data, curves.shape[0])[this.step] };
    });
    const fixed = scene.curves.map(({ values, ...curve }) => ({ ...curve, values: values.data }));
    return [...linear, ...path, ...fixed];
  }
  describe() {
    const { scene } = this;
    setText(this.note, scene.note);
    this.along.tools.hidden = this.along.node.hidden = !scene.paths.length;
    this.edits.hidden = this.channel.alone || !scene.responses.length;
    const { classes } = makeTheme(this.root);
    classes.slice(0, 4).forEach((colour, i) => this.root.style.setProperty(`--c${i}`, css(colour)));
    const key = (kind, words2) => element(`span.key.${kind}`, {}, element("i"), words2);
    this.legend.replaceChildren(...this.curves.map(({ title, role }) => key(role, title)));
    if (scene.points.shape[0]) this.legend.append(key("known", "Known value"));
    if (scene.known.data.includes(0)) this.legend.append(key("unknown", "Unlabelled input"));
  }
  // Other colours than before.
  same() {
    if (!this.scene) return;
    this.describe();
    this.layout();
  }
  layout() {
    const { scene, root } = this;
    const width = root.clientWidth;
    if (!width) return;
    this.wide = width;
    markSize(root);
    const beside = scene.paths.length && width >= BESIDE;
    const tall = Math.min(Math.max(0.46 * innerHeight, 220), 0.62 * width + 60, 460);
    const own = beside ? Math.round(0.61 * width) : width;
    this.main.layout(own, tall, scene.view, { names: scene.axes });
    if (scene.paths.length) {
      this.along.show(this.shown);
      const rest = beside ? width - own - 16 : width;
      this.along.node.style.width = `${rest}px`;
      this.along.layout(rest, beside ? tall - 26 : 200);
    }
    this.drawPoints();
    this.schedule();
  }
  drawPoints() {
    const { points, known } = this.scene;
    const { main } = this;
    const pairs2 = rowsOf(points.data, points.shape[0]);
    const floor = main.box.y + main.box.h;
    const rug = pairs2.filter((_2, i) => !known.data[i]).map(([x]) => main.toPixel(x, 0)[0].toFixed(1));
    main.lines.replaceChildren(
      svg("path", { class: "points", d: main.dots(pairs2.filter((_2, i) => known.data[i])) }),
      svg("path", { class: "rug", d: rug.map((px) => `M${px} ${floor}v-9`).join("") })
    );
  }
  draw() {
    const { scene, main } = this;
    if (!this.wide) return;
    const clip = `clip-${this.key}`;
    const { x, y, w, h } = main.box;
    const frame = svg("clipPath", { id: clip }, svg("rect", { x, y, width: w, height: h }));
    const lines2 = this.curves.map(({ role, values }) => svg("path", { class: `curve ${role}`, d: main.path(scene.x.data, values) }));
    main.over.replaceChildren(frame, svg("g", { "clip-path": `url(#${clip})` }, ...lines2.reverse()));
    this.hand.draw(this.handles, this.selected);
    if (scene.paths.length) this.along.draw(this.step);
    this.say();
    this.board.place = main.box;
  }
  say() {
    const { scene } = this;
    if (scene.paths.length) return setText(this.head, this.along.words(this.step));
    const handle = this.handles[this.selected];
    this.tilt.disabled = !handle;
    this.bin.disabled = this.handles.length < 2;
    if (!handle) return;
    const slope = handle.slope === null ? "no slope given" : `slope ${short2(handle.slope)}`;
    setText(this.tilt, handle.slope === null ? "Give a slope" : "Take the slope away");
    setText(
      this.point,
      `Point ${this.selected + 1}: x = ${short2(handle.x)} · value ${short2(handle.value)} · ${slope}`
    );
  }
};

// js/bars/draw_bar.js
var TOOLS2 = {
  brush: [icons_default.paint, "Brush: paint points (B)", "Brush"],
  eraser: [icons_default.erase, "Eraser: take points away (E)", "Eraser"],
  move: [icons_default.drag, "Move: drag points (M)", "Move"]
};
var DrawBar = class {
  constructor(draw2) {
    this.draw = draw2;
    const words2 = (text, title, onclick) => element("button.words-tool", { type: "button", title, onclick }, text);
    const opens = "Draw: paint your own data set, from an empty sheet or from these points";
    this.opener = words2("Draw", opens, () => draw2.on ? draw2.leave() : draw2.open());
    this.opener.classList.add("opener");
    this.opener.prepend(icon(icons_default.pencil));
    this.tools = choices("div.kit", "Tool", TOOLS2, (name2) => draw2.choose(name2));
    this.paints = element("div.paints", { role: "radiogroup", "aria-label": "Class to paint" });
    const wide2 = "Radius of the brush in pixels ([ and ])";
    this.width = setting("Width", WIDTH, wide2, (radius) => draw2.set({ radius }));
    const dense = "How many points a click paints; a stroke paints as many for each width (, and .)";
    this.density = setting("Density", DENSITY, dense, (density) => draw2.set({ density }));
    const label2 = "Labels: points painted now are labelled; without any, two of each class are";
    this.labels = tool(icons_default.label, label2, () => draw2.set({ labels: !draw2.labels }), "Labels");
    this.edits = edits(draw2, "Empty sheet", icons_default.empty);
    const keep3 = () => save(new Blob([asTable(draw2.current)], { type: "text/csv" }), "drawing.csv");
    this.file = tool(icons_default.down, "Save as a file: x, y, class, labelled (CSV)", keep3, "File");
    this.starting = element(
      "div.kit",
      {},
      element("span", {}, "Draw on"),
      words2("An empty sheet", "Paint all points yourself", () => draw2.beginSheet(false)),
      words2("These points", "Paint more points, erase and move these", () => draw2.beginSheet(true))
    );
    this.editing = element("div.set", {}, ...this.edits.nodes);
    this.painting = [this.tools.node, this.paints, this.editing];
    const done = words2("Done", "End drawing (Esc)", () => draw2.leave());
    this.bar = element("div.bar", {}, this.starting, ...this.painting, done);
    this.node = element("div.toolbar.drawbar", { role: "toolbar", "aria-label": "Drawing" }, this.bar);
    this.rest = element("div.kit.painter", {}, this.width.node, this.density.node, this.labels, this.file);
    this.count = element("span.count");
    this.hint = element("span.how");
    this.foot = element("div.foot", {}, this.count, this.hint);
    for (const node of [this.node, this.opener, this.rest, this.foot]) show(node, false);
  }
  follow(theme) {
    const { draw: draw2 } = this;
    const points = draw2.current?.points ?? [];
    show(this.opener, draw2.offered);
    press(this.opener, draw2.on);
    show(this.node, draw2.on);
    draw2.stage.board.toolbar.yieldTo(draw2.on ? this.bar : null);
    const painting = draw2.on && Boolean(draw2.current);
    for (const node of [...this.painting, this.rest, this.foot]) show(node, painting);
    if (!draw2.on) return;
    show(this.starting, !painting);
    const keys = "drag: paint · arrows, then Space: paint by keys · 1–9: class, 0: none · B, E, M: tool · Esc: done";
    setText(this.hint, isTouched() ? "one finger: paint · two fingers: zoom" : keys);
    const { palette } = draw2;
    const run = (code) => draw2.pick(code);
    const paint = (code, name2, label2) => swatch(code, name2, { label: label2, key: String((code + 1) % 10), theme, run });
    refill(this.paints, `${palette} ${theme.id}`, () => [
      ...Array.from({ length: palette }, (_2, code) => paint(code, String(code + 1), `class ${code + 1}`)),
      paint(-1, "none", "Points without a class")
    ]);
    this.tools.check(draw2.tool);
    const none = this.paints.children.length - 1;
    check(this.paints.children, draw2.tool !== "brush" ? -1 : draw2.code < 0 ? none : draw2.code);
    press(this.labels, draw2.labels);
    this.width.set(draw2.radius);
    this.density.set(draw2.density);
    this.edits.follow(draw2.stack, points.length);
    if (draw2.stroke) this.edits.undo.disabled = false;
    this.file.disabled = !points.length;
    setText(this.count, countWords(points.length));
  }
};
function setting(name2, { least, most, first }, title, set2) {
  const input = range("input.radius", name2, title, [least, most], set2, { value: first });
  const node = element("label.setting", { title }, name2, input);
  return { node, set: (value) => Number(input.value) !== Math.round(value) && (input.value = value) };
}
function countWords(n) {
  const points = `${n.toLocaleString("en")} point${n === 1 ? "" : "s"}`;
  if (!n) return points;
  return n <= MOST_IN_LINK ? `${points}, in the link` : `${points}: too many for a link (${MOST_IN_LINK}), save them as a file`;
}

// js/hands/draw.js
var REACH2 = { mouse: 12, touch: 22 };
var PEN = { least: 0.4, range: 1.2 };
var STEP3 = 0.02;
var FAST = 5;
var WIDTH = { least: 2, most: 70, first: 18 };
var DENSITY = { least: 1, most: 40, first: 6 };
var kept4 = null;
var Draw = class {
  constructor(stage) {
    Object.assign(this, { stage, on: false, stack: null, stroke: null, cursor: null });
    Object.assign(this, { tool: "brush", code: 0, labels: false, pointer: null, grabbed: false });
    Object.assign(this, { radius: WIDTH.first, density: DENSITY.first, grown: false });
    Object.assign(this, { alone: true, keeps: true });
    this.toPixel = (x, y) => stage.view.toPixel(x, y, stage.board.place.box);
    this.bar = new DrawBar(this);
    const { toolbar } = stage.board;
    toolbar.node.before(this.bar.node);
    toolbar.tools.prepend(this.bar.opener);
    toolbar.more.node.prepend(this.bar.rest);
    toolbar.hint.after(this.bar.foot);
  }
  // ---- what is drawn ----------------------------------------------------------------------
  // Whether points may be drawn here at all.
  get offered() {
    return (this.stage.scene?.drawing ?? null) !== null;
  }
  // Is the picture that of the drawing, so that hands can change it?
  get ready() {
    return this.on && this.fits;
  }
  // Are the drawing's own points drawn, in place of those of the answer?
  get shown() {
    return this.fits && (this.on || this.stage.channel.has("drawing"));
  }
  // Is the answer on screen one to a drawing on this sheet?
  get fits() {
    return Boolean(this.sheet && this.current && same(this.sheet, this.current.sheet));
  }
  // The drawing as it stands, in the middle of a stroke, too.
  get current() {
    const { stack, stroke } = this;
    return stack && { ...stack.present, points: (stroke ?? stack.present).points };
  }
  // Python hears of it; `moving`: in the middle of a stroke.
  tell(moving = false) {
    const { channel } = this.stage;
    channel.change("drawing", () => toNumbers(this.current));
    channel.post(moving);
  }
  // A new scene; `other`: of other data than a drawing on the same sheet.
  adopt(scene, other) {
    const given = scene.drawing ? fromParts(scene.drawing) : null;
    this.sheet = given?.sheet ?? null;
    if (!this.stage.channel.has("drawing")) {
      const { stack } = this;
      const anew = (drawn2) => stack && same(stack.present.sheet, drawn2.sheet) ? record(stack, drawn2) : history(drawn2);
      if (!given) this.put(null);
      else if (!stack || !sameDrawing(this.current, given))
        this.put(renewed(kept4, given, sameDrawing, anew));
    }
    if (!this.offered || other && !given && !this.stack) this.leave();
    else if (other && given && !this.current.points.length) this.open();
    if (this.on) this.grow();
  }
  put(stack) {
    this.stroke = null;
    this.stack = stack;
    if (stack) kept4 = stack;
    this.repaint("base");
  }
  // A change of the points by one act of the hand.
  change(points, said) {
    this.put(record(this.stack, { sheet: this.stack.present.sheet, points }));
    this.commit(said);
  }
  commit(said) {
    const { stage } = this;
    this.tell();
    const count = this.current.points.length;
    stage.board.say(`${said}; ${count} point${count === 1 ? "" : "s"}`);
    stage.board.schedule("drawing", "field");
  }
  // way: "undo" or "redo".
  travel(way) {
    if (this.stroke) return way === "undo" && this.cancel();
    const stack = travelled(this.stack, way);
    if (stack === this.stack) return false;
    this.put(stack);
    this.commit(`${way}ne`);
    return true;
  }
  // ---- mode -------------------------------------------------------------------------------
  open() {
    if (this.on || !this.offered) return;
    this.on = true;
    this.stage.hand.forget();
    this.grow();
    this.moved();
  }
  leave() {
    if (!this.on) return;
    this.finish();
    Object.assign(this, { on: false, pointer: null, cursor: null, grabbed: false });
    if (this.grown) this.stage.display.enlarge(null);
    this.grown = false;
    this.moved();
  }
  // Sixteen pictures are too small to draw on: one of them is shown alone.
  grow() {
    const { panels, display } = this.stage;
    if (this.grown || display.enlarged !== null || panels.length <= 6 || !this.current) return;
    this.grown = display.enlarge(1);
  }
  moved() {
    const { stage } = this;
    stage.board.root.toggleAttribute("data-drawing", this.on);
    for (const panel of stage.panels) this.unlock(panel);
    stage.display.follow();
    stage.board.describe();
    stage.board.schedule("drawing", "layout");
  }
  // A picture that has a sentence in its place can be drawn on.
  unlock(panel) {
    panel.open = this.stage.scene.editable || this.on;
    panel.node.classList.toggle("open", panel.open);
  }
  // Begin with an empty sheet, or with the points on screen.
  beginSheet(from) {
    const { scene, labels, board } = this.stage;
    let made = { sheet: SHEET, points: [] };
    if (from) {
      const [x0, x1, y0, y1] = scene.view;
      const sheet = checkedSheet([x0, y0, (x1 - x0) / CELLS, (y1 - y0) / CELLS]);
      made = { sheet, points: pointsFrom(scene.points, labels, sheet, MOST_IN_LINK) };
      const [of, kept5] = [scene.n_samples ?? scene.points.count, made.points.length];
      if (kept5 < of) board.remark(`This keeps ${kept5} of ${of} points, which fit a link`);
    }
    this.put(history(made));
    this.commit(from ? "drawing on these points" : "an empty sheet");
    this.moved();
  }
  // A new, empty sheet in one step that can be undone.
  clear() {
    if (this.current?.points.length) this.change([], "an empty sheet");
  }
  pick(code) {
    if (code >= CLASSES) return false;
    this.stage.board.say(code < 0 ? "Points without a class" : `Class ${code + 1}`);
    return this.set({ code, tool: "brush" });
  }
  choose(tool2) {
    this.stage.board.say({ brush: "Brush", eraser: "Eraser", move: "Move points" }[tool2]);
    return this.set({ tool: tool2 });
  }
  set(changes) {
    Object.assign(this, changes);
    this.repaint();
    return true;
  }
  // ---- strokes ----------------------------------------------------------------------------
  toPlane(px, py) {
    return this.stage.view.toPlane(px, py, this.stage.board.place.box);
  }
  get busy() {
    return Boolean(this.stroke);
  }
  begin(panel, at, event) {
    const touch = event.pointerType === "touch";
    this.drop();
    this.hover(panel, touch ? null : at);
    this.start(at, event, touch ? REACH2.touch : REACH2.mouse);
  }
  start(at, event = null, reach = REACH2.mouse) {
    const { points, sheet } = this.stack.present;
    const random = randomFrom(points.length + 1);
    this.stroke = { points, at, from: at, random, debt: this.density, held: [] };
    if (this.tool === "move") {
      const inside2 = touchedBy(points, sheet, this.toPixel, at, at, this.radius);
      this.stroke.held = inside2.length ? inside2 : nearestTo(points, sheet, this.toPixel, at, reach);
    } else this.extend(at, event);
  }
  extend(to, event = null) {
    const { stroke, tool: tool2 } = this;
    const pen = event?.pointerType === "pen" && event.pressure > 0;
    const radius = this.radius * (pen ? PEN.least + PEN.range * event.pressure : 1);
    const { sheet } = this.stack.present;
    const before = stroke.points;
    if (tool2 === "brush") {
      stroke.debt += this.density * Math.hypot(to[0] - stroke.at[0], to[1] - stroke.at[1]) / (2 * radius);
      const count = Math.floor(stroke.debt);
      stroke.debt -= count;
      const fine = this.density === 1 && radius <= 2 * WIDTH.least;
      const places = spray(stroke.at, to, fine ? 0 : radius, count, stroke.random);
      const planar = places.map(([px, py]) => this.toPlane(px, py));
      const [points, full] = painted(before, planar, sheet, this.code, this.labels && this.code >= 0);
      if (points.length > before.length) stroke.points = points;
      if (full) this.stage.board.remark(`A drawing has at most ${MOST} points`);
    } else if (tool2 === "eraser") {
      const gone = touchedBy(before, sheet, this.toPixel, stroke.at, to, radius);
      if (gone.length) stroke.points = without(before, gone);
    } else if (stroke.held.length) {
      const [a, b2] = [this.toPlane(...stroke.from), this.toPlane(...to)];
      const by = [b2[0] - a[0], b2[1] - a[1]];
      stroke.points = moved(this.stack.present.points, stroke.held, sheet, by);
    }
    stroke.at = to;
    if (stroke.points === before) return;
    this.tell(true);
    this.repaint("base");
  }
  finish() {
    if (!this.stroke) return;
    const { points } = this.stroke;
    const { length } = this.stack.present.points;
    this.stroke = null;
    if (points === this.stack.present.points) return;
    const more = points.length - length;
    const word = more > 0 ? `${more} painted` : more < 0 ? `${-more} erased` : "moved";
    this.change(points, word);
  }
  cancel() {
    if (!this.stroke) return false;
    const changed = this.stroke.points !== this.stack.present.points;
    this.stroke = null;
    if (changed) this.commit("undone");
    this.repaint("base");
    return true;
  }
  // ---- by keys ----------------------------------------------------------------------------
  // True when the key was used.
  key(event) {
    return pressKey(event, this, (key) => this.pressed(key, event));
  }
  zoomBy(factor) {
    return this.stage.zoomBy(factor);
  }
  pressed(key, { shiftKey, repeat }) {
    if (key === "Escape") {
      if (!this.cancel() && !this.drop()) this.leave();
      return true;
    }
    if (!this.ready) return false;
    if (key in ARROWS) return this.step(...ARROWS[key], shiftKey ? FAST * STEP3 : STEP3);
    if (key === " " || key === "Enter") return repeat || this.press();
    if (key === "Delete" || key === "Backspace") return this.rub();
    if (key in TOOLS) return this.choose(TOOLS[key]);
    const { radius, density } = this;
    const wide2 = (v2) => Math.min(Math.max(v2, WIDTH.least), WIDTH.most);
    const dense = (v2) => Math.min(Math.max(Math.round(v2), DENSITY.least), DENSITY.most);
    if (key === "[") return this.set({ radius: wide2(0.8 * radius) });
    if (key === "]") return this.set({ radius: wide2(1.25 * radius) });
    if (key === ",") return this.set({ density: dense(0.7 * density - 0.5) });
    if (key === ".") return this.set({ density: dense(1.4 * density + 0.5) });
    return /^\d$/.test(key) ? Number(key) <= CLASSES && this.pick(Number(key) - 1) : void 0;
  }
  // The cursor, or what it has picked up, goes a step in the direction (dx, dy).
  step(dx, dy, share) {
    const [x0, x1, y0, y1] = this.stage.view.range;
    const [x, y] = this.cursor ?? [(x0 + x1) / 2, (y0 + y1) / 2];
    const size = share * Math.max(x1 - x0, y1 - y0);
    const to = [x + dx * size, y + dy * size];
    this.cursor = [Math.min(Math.max(to[0], x0), x1), Math.min(Math.max(to[1], y0), y1)];
    if (this.grabbed) this.extend(this.toPixel(...this.cursor));
    this.stage.board.say(this.cursor.map((v2) => short2(v2)).join(", "));
    return this.set({ pointer: null });
  }
  // Space: paint or erase at the cursor, pick up what is there or put it down.
  press() {
    if (!this.cursor) return this.step(0, 0, 0);
    if (this.drop()) return true;
    this.start(this.toPixel(...this.cursor));
    this.grabbed = this.tool === "move" && this.stroke.held.length > 0;
    if (this.grabbed) this.stage.board.say("picked up; arrows move, Space puts down");
    else this.finish();
    return true;
  }
  rub() {
    const { tool: tool2 } = this;
    if (!this.cursor) return false;
    this.drop();
    this.tool = "eraser";
    this.start(this.toPixel(...this.cursor));
    this.finish();
    this.tool = tool2;
    return true;
  }
  // Puts down what the keys have picked up.
  drop() {
    if (!this.grabbed) return false;
    this.grabbed = false;
    this.finish();
    return true;
  }
  // ---- picture ----------------------------------------------------------------------------
  repaint(level = "over") {
    this.stage.board.schedule("", level);
  }
  // Where the pointer is, in pixels of `panel`; null: nowhere.
  hover(panel, at) {
    this.set({ pointer: at && { panel, at } });
  }
  // The drawing's points as a canvas; null while those of the answer are shown.
  layer(brush) {
    if (!this.shown) return null;
    const draw2 = (context) => drawPoints(context, this.current, brush);
    return this.stage.board.layers.layer("drawing", this.current.points, brush, draw2);
  }
  // The tool's circle at the pointer, or at the keyboard's cursor in all panels.
  paint(context, panel, theme) {
    if (!this.ready) return;
    const own = this.pointer?.panel === panel ? this.pointer.at : null;
    const at = own ?? (this.cursor && this.toPixel(...this.cursor));
    if (at) drawCursor(context, at, this, theme);
  }
  // Classes that the palette offers: those in use, and one more.
  get palette() {
    const points = this.current?.points ?? [];
    const used = points.reduce((most, point) => Math.max(most, codeOf(point) + 1), this.code + 1);
    return Math.min(Math.max(used, 2) + 1, CLASSES);
  }
};

// js/hands/player.js
var SPEED = 1.5;
var STEP4 = 0.5;
var EVERY = 800;
var Player = class {
  constructor(set2, changed) {
    Object.assign(this, { set: set2, changed, on: false, way: 1 });
  }
  toggle(lam, lo, hi) {
    if (this.on) return this.stop();
    const [least, most] = [lo, hi].map(Math.log10);
    const at = Math.min(Math.max(Math.log10(lam || lo), least), most);
    this.start({ range: [least, most], at, way: at >= most - 1e-9 ? -1 : this.way, end: null });
  }
  // Upwards from lo to hi, and there it ends.
  once(lo, hi) {
    const range2 = [lo, hi].map(Math.log10);
    this.start({ range: range2, at: range2[0], way: 1, end: hi });
  }
  start(sweep) {
    Object.assign(this, sweep);
    const running = this.on;
    this.on = true;
    if (!running) this.run(performance.now());
    this.changed();
  }
  stop() {
    if (!this.on) return;
    this.on = false;
    cancelAnimationFrame(this.next);
    clearTimeout(this.timer);
    this.changed();
  }
  run(before) {
    const go = (now, decades2) => {
      if (!this.on) return;
      this.advance(decades2);
      this.run(now);
    };
    if (isCalm()) this.timer = setTimeout(() => go(performance.now(), STEP4), EVERY);
    else
      this.next = requestAnimationFrame((now) => go(now, SPEED * Math.min(Math.max(now - before, 0), 100) / 1e3));
  }
  advance(decades2) {
    const [lo, hi] = this.range;
    this.at += this.way * decades2;
    if (this.end !== null && this.at >= hi) {
      this.set(this.end);
      return this.stop();
    }
    if (this.at >= hi || this.at <= lo) {
      this.at = Math.min(Math.max(this.at, lo), hi);
      this.way = -this.way;
    }
    this.set(10 ** this.at);
  }
};

// js/channel/scene.js
var scene_exports = {};
__export(scene_exports, {
  makeScene: () => makeScene,
  widened: () => widened
});

// js/numbers/eigen.js
var eigen_exports = {};
__export(eigen_exports, {
  eigSymmetric: () => eigSymmetric
});
var EPSILON = 2 ** -52;
var MOST_SWEEPS = 80;
function eigSymmetric(matrix, n) {
  const { diagonal, off, vectors } = tridiagonal(Float64Array.from(matrix), n);
  diagonalise(diagonal, off, vectors, n);
  const order = Array.from({ length: n }, (_2, i) => i).sort((i, j) => diagonal[j] - diagonal[i]);
  const sorted = new Float64Array(n * n);
  order.forEach((i, k) => sorted.set(vectors.subarray(i * n, i * n + n), k * n));
  return { values: Float64Array.from(order, (i) => diagonal[i]), vectors: sorted };
}
function tridiagonal(a, n) {
  const reflectors = [];
  const off = new Float64Array(n);
  for (let k = 0; k < n - 2; k++) {
    const v2 = new Float64Array(n);
    for (let i = k + 1; i < n; i++) v2[i] = a[i * n + k];
    off[k] = v2[k + 1];
    if (dot(v2, v2, k + 2, n) <= 1e-300) continue;
    const length = Math.sqrt(dot(v2, v2, k + 1, n));
    off[k] = v2[k + 1] > 0 ? -length : length;
    v2[k + 1] -= off[k];
    const beta = 2 / dot(v2, v2, k + 1, n);
    reflect(a, v2, beta, k + 1, n);
    reflectors.push({ v: v2, beta, from: k + 1 });
  }
  if (n > 1) off[n - 2] = a[(n - 1) * n + n - 2];
  const diagonal = Float64Array.from({ length: n }, (_2, i) => a[i * n + i]);
  const vectors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
  for (const { v: v2, beta, from } of reflectors.reverse()) {
    for (let r = from; r < n; r++) {
      const row = vectors.subarray(r * n, r * n + n);
      const share = beta * dot(row, v2, from, n);
      for (let i = from; i < n; i++) row[i] -= share * v2[i];
    }
  }
  return { diagonal, off, vectors };
}
function reflect(a, v2, beta, from, n) {
  const w = new Float64Array(n);
  for (let i = from; i < n; i++) w[i] = beta * dot(a.subarray(i * n, i * n + n), v2, from, n);
  const half = beta / 2 * dot(w, v2, from, n);
  for (let i = from; i < n; i++) w[i] -= half * v2[i];
  for (let i = from; i < n; i++) {
    for (let j = from; j < n; j++) a[i * n + j] -= v2[i] * w[j] + w[i] * v2[j];
  }
}
function diagonalise(d, e, v2, n) {
  let size = 0;
  for (let i = 0; i < n; i++) size = Math.max(size, Math.abs(d[i]) + Math.abs(e[i]));
  const split = (m) => Math.abs(e[m]) <= EPSILON * (Math.abs(d[m]) + Math.abs(d[m + 1]) + EPSILON * size);
  for (let l = 0; l < n; l++) {
    for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
      let m = l;
      while (m < n - 1 && !split(m)) m++;
      if (m === l) break;
      chase(d, e, v2, n, l, m);
    }
  }
}
function chase(d, e, v2, n, l, m) {
  const lean = (d[l + 1] - d[l]) / (2 * e[l]);
  const root = Math.hypot(lean, 1);
  let g = d[m] - d[l] + e[l] / (lean + (lean >= 0 ? root : -root));
  let s = 1;
  let c = 1;
  let shift = 0;
  for (let i = m - 1; i >= l; i--) {
    const f = s * e[i];
    const b2 = c * e[i];
    const r = Math.hypot(f, g);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1] -= shift;
      e[m] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    const next = d[i + 1] - shift;
    const t = (d[i] - next) * s + 2 * c * b2;
    shift = s * t;
    d[i + 1] = next + shift;
    g = c * t - b2;
    turn(v2, i * n, (i + 1) * n, n, c, s);
  }
  d[l] -= shift;
  e[l] = g;
  e[m] = 0;
}
function turn(v2, p, q, n, c, s) {
  for (let k = 0; k < n; k++) {
    const x = v2[p + k];
    const y = v2[q + k];
    v2[p + k] = c * x - s * y;
    v2[q + k] = s * x + c * y;
  }
}
function dot(a, b2, from, to) {
  let sum = 0;
  for (let i = from; i < to; i++) sum += a[i] * b2[i];
  return sum;
}

// js/numbers/modes.js
var MOST_COLUMNS = 160;
function prepareModes(raw, grid, points) {
  const m = raw.gamma.length;
  const gamma = Float64Array.from(raw.gamma);
  const tiny = 1e-9 * Math.max(median(gamma), 1e-300);
  return {
    m,
    gamma,
    tiny,
    gamma1: raw.gamma1,
    // the first energy that is not a numerical zero
    rows: { grid: raw.grid ? rowsOf(raw.grid.data, m) : null, points: rowsOf(raw.points.data, m) },
    grid,
    points
  };
}
function columnsOf2(turned2, gram, turn2) {
  const back = {};
  const make = ({ data }) => turn2.map((weights) => mixed(rowsOf(data, turn2.length), Float64Array.from(weights)));
  return { gram, rows: (kind) => turned2[kind] && (back[kind] ??= make(turned2[kind])) };
}
function mixed(rows, weights) {
  const out = new Float64Array(rows[0].length);
  mix(out, rows, weights, 1);
  return out;
}
var ModesModel = class {
  // modes: prepareModes' record; spec: the panel's model record; labels: those of Python's columns;
  // nClasses, dataTerm: of the scene.
  constructor(modes, spec, labels, nClasses, dataTerm) {
    Object.assign(this, { modes, spec, nClasses, dataTerm, intercept: spec.intercept });
    this.outputs = outputsOf(nClasses);
    this.given = spec.known ? numbersOf(spec.known) : null;
    const own = this.given?.labels ?? labels;
    this.several = anySeveral(own);
    this.known = new Map(own.map((label2, j) => [labelKey(label2), j]));
    const { columns_grid: grid, columns_points: points, columns_gram: gram } = spec;
    const enough = gram && own.length && (grid || !modes.rows.grid) && (grid || points);
    this.columns = enough ? columnsOf2({ grid, points }, gram, spec.columns_turn) : null;
    this.prepared = null;
  }
  // Writes the field into out = {grid, points} (either may be null). False: only Python can.
  evaluate({ labels: shown, lam, filter }, out) {
    const { labels, offset } = this.given ?? { labels: shown, offset: 0 };
    if (!filter?.h || anySeveral(labels) && !this.several) return false;
    Object.assign(this, { truncated: false, rough: false });
    if (labels.length) {
      const work = this.prepare(labels);
      if (!work || out.grid && !work.rows("grid")) return false;
      Object.assign(this, { truncated: work.truncated, rough: work.rough });
      const [weights, shift] = this.weigh(work, lam, filter);
      mixEach(out, work.rows, weights, this.outputs, shift);
    } else mixEach(out, () => [], [], this.outputs);
    for (const values of offset ? [out.grid, out.points] : [])
      if (values) for (let p = 0; p < values.length; p++) values[p] += offset;
    return true;
  }
  // How much the value of each label counts in the estimate at a drawn point, before classes are
  // balanced: the estimate of values that are 1 at one label and 0 at the others. null: unknown here.
  countsAt(point, settings) {
    const { labels, lam, filter } = settings;
    if (this.given || this.dataTerm === "poisson" || !filter?.h || !labels.length) return null;
    if (anySeveral(labels) && !this.several) return null;
    const n = labels.length;
    if (this.units?.outputs !== n) {
      const one = (_2, at) => Number(at % (n + 1) === 0);
      const given = { values: Float64Array.from({ length: n * n }, one) };
      this.units = Object.assign(Object.create(this), { outputs: n, given, prepared: null, last: null });
    }
    const { units } = this;
    const work = units.prepare(labels);
    if (!work) return null;
    if (units.last?.work !== work || units.last.lam !== lam || units.last.filter !== filter)
      units.last = { work, lam, filter, made: units.weigh(work, lam, filter) };
    const [weights, shift] = units.last.made;
    const counts = shift?.slice() ?? new Float64Array(n);
    work.rows("points").forEach((row, i) => {
      for (let j = 0; j < n; j++) counts[j] += row[point] * weights[i * n + j];
    });
    return counts;
  }
  // Weights of work's rows, and the constant beside them.
  weigh(work, lam, filter) {
    const k = this.outputs;
    const { gamma, gamma1 } = this.modes;
    const h = (i) => filter.h(lam, gamma[i / k | 0], gamma1);
    if (work.load) return [work.load.map((b2, i) => b2 * h(i)), null];
    let a;
    if (this.dataTerm === "poisson") a = this.poisson(work);
    else {
      const { eig, right, top } = work;
      const psi = (s) => s > 1e-14 * top ? filter.h(lam, 1 / s, 1 / top) / s : 0;
      a = applySpectral(eig, psi, right, k);
      if (work.few) a = work.sources(a);
    }
    return [work.root ? a.map((v2, i) => v2 * work.root[i / k | 0]) : a, this.constant(work, a)];
  }
  // Labels as sources: a Σ (y_j − ȳ) G(·, x_j), only the scale a is fitted to the labels.
  poisson({ n, y, values, sources }) {
    const k = this.outputs;
    const { centred } = centreRows(y, n, k);
    const direction = sources(centred.map((v2) => v2 / n));
    const there = product(values, direction, n, k);
    const levelled = this.intercept ? centreRows(there, n, k).centred : there;
    let [dot2, norm] = [0, 0];
    levelled.forEach((v2, at) => (dot2 += v2 * centred[at], norm += v2 * v2));
    return direction.map((v2) => norm > 0 ? dot2 / norm * v2 : 0);
  }
  // The unpenalised constant of the bordered system: mean over the labels of y - g.
  constant({ n, y, values }, a) {
    if (!this.intercept) return null;
    const k = this.outputs;
    const there = product(values, a, n, k);
    return centreRows(y.map((v2, at) => v2 - there[at]), n, k).mean;
  }
  // The part that depends on the labels only, cached until they change.
  prepare(labels) {
    if (this.prepared && sameLabels(this.prepared.labels, labels)) return this.prepared.work;
    const rows = labels.map((label2) => this.at(label2));
    const work = rows.includes(null) ? null : this.decompose(labels, rows);
    this.prepared = { labels, work };
    return work;
  }
  // {rows(kind), truncated, rough} of the functions that are mixed, and for the data term over all samples
  // {load}, else {values: of these functions at the labels, y, n, eig, top, right}.
  decompose(labels, rows) {
    const y = this.given?.values ?? codesOf(labels, this.nClasses);
    const { rows: modeRows } = this.modes;
    const modes = { rows: (kind) => modeRows[kind], truncated: true, rough: true };
    if (this.dataTerm === "all")
      return { ...modes, load: this.transposed(rows, y, this.outputs, rows.length) };
    const known = labels.map((label2) => this.known.get(labelKey(label2)) ?? -1);
    const some = this.columns && known.some((j) => j >= 0);
    if (some && labels.length <= MOST_COLUMNS) return this.byColumns(labels, rows, known, y);
    return { ...modes, ...this.byModes(rows, y) };
  }
  // Rows (n, m) as a matrix, transposed, times y (n, k), over `n`.
  transposed(rows, y, k, n = 1) {
    const out = new Float64Array(this.modes.m * k);
    rows.forEach((row, j) => {
      for (let i = 0; i < row.length; i++) {
        const x = row[i] / n;
        for (let o = 0; o < k; o++) out[i * k + o] += x * y[j * k + o];
      }
    });
    return out;
  }
  // 1/gamma, the constant left out when it is free, else floored so that it stays finite.
  inverseGamma() {
    const { gamma, tiny } = this.modes;
    return gamma.map((g) => g > tiny ? 1 / g : this.intercept ? 0 : 1 / tiny);
  }
  // The estimate in coordinates of the modes over root, B = E Gamma^(-1/2): by B^T B or, of fewer labels
  // than modes, by B B^T, which has the same eigenvalues. With an intercept B is projected off the
  // constant.
  byModes(rows, y) {
    const { m } = this.modes;
    const [n, k] = [rows.length, this.outputs];
    const root = this.inverseGamma().map(Math.sqrt);
    const values = new Float64Array(n * m);
    const scaled = rowsOf(values, n);
    rows.forEach((row, j) => scaled[j].set(row.map((e, i) => e * root[i])));
    const centred = rowsOf(this.intercept ? centreRows(values, n, m).centred : values, n);
    const sources = (a) => this.transposed(scaled, a, k);
    const few = n < m;
    const sides = few ? Array.from({ length: m }, (_2, i) => centred.map((row) => row[i])) : centred;
    const gram = spectrum(gramOf(sides, few ? n : m, n), few ? n : m);
    const right = few ? this.residual(y, n) : this.transposed(centred, y, k, n);
    return { values, y, n, root, sources, few, right, ...gram };
  }
  // y over n, with an intercept less its mean.
  residual(y, n) {
    return (this.intercept ? centreRows(y, n, this.outputs).centred : y).map((v2) => v2 / n);
  }
  // Exact representers for the labels of Python's answer, truncated ones for newer labels.
  byColumns(labels, rows, known, y) {
    const n = labels.length;
    const inverse2 = this.inverseGamma();
    const exact = (i, j) => this.columns.gram[known[i]][known[j]];
    const rough = (i, j) => dot3(rows[i], rows[j], inverse2);
    const familiar = labels.map((_2, i) => i).filter((i) => known[i] >= 0);
    const missed = familiar.reduce((sum, i) => sum + exact(i, i) - rough(i, i), 0);
    const tail = Math.max(missed / familiar.length, 0);
    const entry = (i, j) => {
      if (known[i] >= 0 && known[j] >= 0) return exact(i, j);
      if (known[i] >= 0) return this.columnAt(known[i], labels[j]);
      if (known[j] >= 0) return this.columnAt(known[j], labels[i]);
      return rough(i, j) + (i === j ? tail : 0);
    };
    const gram = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) gram[i * n + j] = gram[j * n + i] = entry(i, j);
    const made = {};
    const columns = (kind) => {
      const [table2, modeRows] = [this.columns.rows(kind), this.modes.rows[kind]];
      if (!modeRows) return null;
      const column = (j) => mixed(modeRows, rows[j].map((e, i) => e * inverse2[i]));
      const own2 = (_2, j) => known[j] >= 0 && table2 ? table2[known[j]] : column(j);
      return made[kind] ??= labels.map(own2);
    };
    const right = this.residual(y, n);
    const own = spectrum((this.intercept ? centreBoth(gram, n) : gram).map((g) => g / n), n);
    const rest = { values: gram, y, n, right, sources: (a) => a, ...own };
    return { rows: columns, truncated: false, rough: known.includes(-1), ...rest };
  }
  columnAt(j, label2) {
    const at = this.modes.points.position.get(label2.index);
    const [points, grid] = ["points", "grid"].map((kind) => this.columns.rows(kind));
    if (at !== void 0 && points) return points[j][at];
    return grid ? sample(grid[j], this.modes.grid, label2.x, label2.y) : 0;
  }
  // Every mode at a label's place: exact at a drawn point, else interpolated on the grid.
  at(label2) {
    const { rows, grid, points, m } = this.modes;
    const at = points.position.get(label2.index);
    if (at === void 0 && !rows.grid) return null;
    const out = new Float64Array(m);
    for (let i = 0; i < m; i++)
      out[i] = at !== void 0 ? rows.points[i][at] : sample(rows.grid[i], grid, label2.x, label2.y);
    return out;
  }
};
function numbersOf({ xy, index, values, offset }) {
  const labels = Array.from(index.data, (row, j) => {
    return { x: xy.data[2 * j], y: xy.data[2 * j + 1], index: row, code: 0, others: [] };
  });
  return { labels, values: Float64Array.from(values.data), offset };
}
function spectrum(matrix, n) {
  const eig = eigSymmetric(matrix, n);
  return { eig, top: Math.max(eig.values[0], 1e-300) };
}
function dot3(a, b2, w) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b2[i] * w[i];
  return sum;
}

// js/numbers/adjusted.js
var Balanced = class extends ModesModel {
  // The panel's model record has the rule, `balance` ("scale" or "shift"), the number of labels beside the
  // given ones, `pseudo`, and factors on the grid, `fade`, or null.
  evaluate(settings, out) {
    const { outputs: k, spec } = this;
    const fade2 = spec.fade?.data;
    const points = out.points ?? (this.own ??= new Float64Array(k * this.modes.points.count));
    if (!super.evaluate(settings, { grid: out.grid, points })) return false;
    if (!settings.labels.length) return true;
    const { factor, shift } = this.change(points, settings.labels);
    for (const values of [out.grid, out.points].filter(Boolean)) {
      const stride = values.length / k;
      for (let o = 0, p = 0; o < k; o++)
        for (const end = p + stride; p < end; p++) values[p] = factor[o] * values[p] + shift[o];
    }
    if (fade2 && out.grid) for (let i = 0; i < out.grid.length; i++) out.grid[i] *= fade2[i % fade2.length];
    return true;
  }
  // Factor and shift of each output. The classes' proportions are those of the labels, and as many more of
  // each as Python says; of several candidates each has an equal share. A class's share is 1/K more than its
  // score; of two classes, whose one output is signed, the scores are half of it and its negative.
  change(points, labels) {
    const { outputs: k, nClasses: classes } = this;
    const { balance: rule, pseudo } = this.spec;
    const { count } = this.modes.points;
    const counts = new Float64Array(classes).fill(pseudo);
    for (const label2 of labels) sharesOf(label2, classes).forEach((share, c) => counts[c] += share);
    const prior = counts.map((number) => number / (labels.length + pseudo * classes));
    const mass = new Float64Array(classes);
    for (let i = 0; i < count; i++) {
      for (let c = 0; c < classes; c++) {
        const score = k > 1 ? points[i + c * count] : (c - 0.5) * points[i];
        const share = score + 1 / classes;
        mass[c] += (rule === "scale" ? Math.max(share, 0) : share) / count;
      }
    }
    const factor = prior.map((p, c) => rule === "scale" && mass[c] > 0 ? p / mass[c] : 1);
    const added = prior.map((p, c) => rule === "shift" ? p - mass[c] : (factor[c] - 1) / classes);
    if (k > 1) return { factor, shift: added };
    return { factor: [(factor[0] + factor[1]) / 2], shift: [added[1] - added[0]] };
  }
};
var NEGLIGIBLE = 1e-6;
var MOST_GROWTH = 1.5;
var SEEN2 = 0.02;
var UNKNOWN = 1e-3;
var Anchored = class {
  // model: a ModesModel; anchor: {lam, filter (compiled), labels, grid, points} of Python's answer.
  constructor(model, anchor) {
    Object.assign(this, { inner: model, outputs: model.outputs, anchor, rests: {} });
  }
  evaluate(settings, out) {
    if (!settings.alone && this.lacksTail(settings)) return false;
    if (!this.inner.evaluate(settings, out)) return false;
    this.rough = this.inner.rough;
    const share = this.inner.truncated ? this.share(settings) : 0;
    for (const kind of share ? ["grid", "points"] : []) {
      const values = out[kind];
      const rest = values && (this.rests[kind] ??= this.rest(kind, values.length));
      if (rest) for (let p = 0; p < values.length; p++) values[p] += share * rest[p];
    }
    return true;
  }
  countsAt(point, settings) {
    return this.inner.countsAt(point, settings);
  }
  // Would the tail be seen, and can it not be told from the anchor? Early in a heat flow, for example,
  // after an answer from late in it. Then Python has to answer.
  lacksTail({ lam, filter }) {
    if (this.inner.dataTerm !== "all" || !filter?.h) return false;
    return this.tailWeight(filter, lam) > SEEN2 && this.tailWeight(this.anchor.filter, this.anchor.lam) < UNKNOWN;
  }
  tailWeight(filter, lam) {
    const { gamma, gamma1 } = this.inner.modes;
    return filter?.h?.(lam, 2 * gamma[gamma.length - 1], gamma1) ?? 0;
  }
  // Share of the anchor's difference that still applies: from the filter's weight of the tail at
  // both settings, and from the labels that both have.
  share({ lam, filter, labels }) {
    const { anchor, inner } = this;
    const kept5 = anchor.labels.filter((label2) => labels.some((other) => sameLabel(other, label2)));
    const stay = inner.given ? 1 : kept5.length / Math.max(labels.length, 1);
    if (inner.dataTerm === "poisson") return stay;
    const before = this.tailWeight(anchor.filter, anchor.lam);
    if (!(before > NEGLIGIBLE)) return 0;
    const most = inner.dataTerm === "all" ? Infinity : MOST_GROWTH;
    return Math.min(this.tailWeight(filter, lam) / before, most) * stay;
  }
  // Python's values less the model's at the anchor.
  rest(kind, length) {
    const exact = this.anchor[kind];
    if (exact?.length !== length) return null;
    const rest = new Float32Array(length);
    if (!this.inner.evaluate(this.anchor, { grid: null, points: null, [kind]: rest })) return null;
    for (let p = 0; p < length; p++) rest[p] = exact[p] - rest[p];
    return rest;
  }
};

// js/numbers/space.js
var space_exports = {};
__export(space_exports, {
  Space: () => Space,
  SpaceView: () => SpaceView,
  ballAround: () => ballAround,
  turnMatrix: () => turnMatrix
});
var START3 = { azimuth: -0.44, elevation: 0.35 };
var STEEPEST = Math.PI / 2;
var EYE = 5;
var ROOM = 1.1;
var DIMMEST = 0.35;
var BUCKETS = 2048;
function turnMatrix({ azimuth, elevation }) {
  const [c, s] = [Math.cos(azimuth), Math.sin(azimuth)];
  const [e, f] = [Math.cos(elevation), Math.sin(elevation)];
  return [
    [c, -s, 0],
    [s * f, c * f, e],
    [-s * e, -c * e, f]
  ];
}
function ballAround(xyz) {
  const low2 = [Infinity, Infinity, Infinity];
  const high2 = low2.map((v2) => -v2);
  for (let i = 0; i < xyz.length; i++) {
    low2[i % 3] = Math.min(low2[i % 3], xyz[i]);
    high2[i % 3] = Math.max(high2[i % 3], xyz[i]);
  }
  const centre = low2.map((v2, a) => xyz.length ? (v2 + high2[a]) / 2 : 0);
  let most = 0;
  for (let i = 0; i < xyz.length; i += 3) {
    const [x, y, z2] = centre.map((v2, a) => xyz[i + a] - v2);
    most = Math.max(most, x * x + y * y + z2 * z2);
  }
  return { centre, radius: Math.sqrt(most) || 1 };
}
var Space = class {
  // xy (flat, two each) is written at every turn: all that looks for points in the plane of the
  // picture finds them there.
  constructor(xyz, xy) {
    const count = xy.length / 2;
    Object.assign(this, { xyz, xy, count, ...ballAround(xyz), turns: 0, seen: null });
    this.near = new Float32Array(count);
    this.order = new Uint32Array(count);
    this.look(START3);
    const half = ROOM * this.radius;
    this.view = [-half, half, -half, half];
  }
  // Where the points fall as they are turned now; nothing to do if that was the last question.
  look({ azimuth, elevation }) {
    if (this.seen?.azimuth === azimuth && this.seen.elevation === elevation) return;
    this.seen = { azimuth, elevation };
    this.matrix = turnMatrix(this.seen);
    this.turns += 1;
    const [right, up, front] = this.matrix;
    const [cx, cy, cz] = this.centre;
    const { xyz, xy, near, radius, count } = this;
    const eye = EYE * radius;
    for (let i = 0; i < count; i++) {
      const x = xyz[3 * i] - cx;
      const y = xyz[3 * i + 1] - cy;
      const z2 = xyz[3 * i + 2] - cz;
      const depth = front[0] * x + front[1] * y + front[2] * z2;
      const scale = eye / (eye - depth);
      xy[2 * i] = scale * (right[0] * x + right[1] * y + right[2] * z2);
      xy[2 * i + 1] = scale * (up[0] * x + up[1] * y + up[2] * z2);
      near[i] = 0.5 * (1 + depth / radius);
    }
    this.sort();
  }
  // A counting sort of the depths.
  sort() {
    const { near, order, count } = this;
    const starts = new Uint32Array(BUCKETS + 1);
    const bucket = (i) => Math.min(Math.max(near[i] * BUCKETS | 0, 0), BUCKETS - 1);
    for (let i = 0; i < count; i++) starts[bucket(i) + 1] += 1;
    for (let b2 = 0; b2 < BUCKETS; b2++) starts[b2 + 1] += starts[b2];
    for (let i = 0; i < count; i++) order[starts[bucket(i)]++] = i;
  }
  // How large a mark at a depth is, of one in the middle.
  scale(near) {
    return EYE / (EYE + 1 - 2 * near);
  }
  // The coordinates of a point, as they are in the data.
  words(i) {
    return [0, 1, 2].map((a) => short2(this.xyz[3 * i + a])).join(", ");
  }
  // Labels at the places where their points are now, from the back, with how clearly to draw them.
  placed(labels, position) {
    const found = [];
    for (const label2 of labels) {
      const i = position.get(label2.index) ?? -1;
      if (i < 0) continue;
      const [near, x, y] = [this.near[i], this.xy[2 * i], this.xy[2 * i + 1]];
      found.push({ ...label2, x, y, near, clear: DIMMEST + (1 - DIMMEST) * Math.min(2 * near, 1) });
    }
    return found.sort((a, b2) => a.near - b2.near);
  }
};
var SpaceView = class extends View {
  constructor(name2, base) {
    super(name2, base);
    const { azimuth, elevation } = kept.get(name2) ?? START3;
    Object.assign(this, { azimuth, elevation });
  }
  // Turn by angles, to the right and downwards.
  turn(right, down) {
    this.azimuth = (this.azimuth + right) % (2 * Math.PI);
    this.elevation = Math.min(Math.max(this.elevation + down, -STEEPEST), STEEPEST);
    this.save();
  }
  // What a link asks for.
  turnTo(azimuth, elevation) {
    Object.assign(this, { azimuth, elevation });
    this.turn(0, 0);
  }
  // Turn by a drag of so many pixels: the side that is seen follows the hand.
  follow(dx, dy, box) {
    const angle = 2 * ROOM / (box.w * this.zoom);
    this.turn(angle * dx, angle * dy);
  }
  // The same points, of which more may be drawn than before: they are seen as they were.
  rebase(base) {
    this.base = base;
  }
  get zoomed() {
    const still = this.azimuth === START3.azimuth && this.elevation === START3.elevation;
    return super.zoomed || !still;
  }
  reset() {
    Object.assign(this, START3);
    super.reset();
  }
};

// js/numbers/ways.js
var ways_exports = {};
__export(ways_exports, {
  Ways: () => Ways
});
var NEIGHBOURS = 8;
var Ways = class {
  // xy: places of the points, two numbers each; made once for a scene's points.
  constructor({ xy, count }) {
    Object.assign(this, { xy, count, edges: null, towards: /* @__PURE__ */ new Map() });
  }
  // The points from one to another, both included; null where none leads there.
  between(from, to) {
    this.edges ??= neighbourGraph(this.xy, this.count);
    if (!this.towards.has(to)) this.towards.set(to, shortest(this.edges, to, this.count));
    const next = this.towards.get(to);
    const way = [from];
    while (way.at(-1) !== to) {
      const step = next[way.at(-1)];
      if (step < 0) return null;
      way.push(step);
    }
    return way;
  }
  // The point nearest to a place.
  nearest(x, y) {
    const { xy, count } = this;
    let [least, at] = [Infinity, -1];
    for (let i = 0; i < count; i++) {
      const square = (xy[2 * i] - x) ** 2 + (xy[2 * i + 1] - y) ** 2;
      if (square < least) [least, at] = [square, i];
    }
    return at;
  }
};
function neighbourGraph(xy, count) {
  const order = Array.from({ length: count }, (_2, i) => i).sort((i, j) => xy[2 * i] - xy[2 * j]);
  const edges = Array.from({ length: count }, () => /* @__PURE__ */ new Map());
  order.forEach((i, at) => {
    const near = [];
    const tooFar = (j) => near.length === NEIGHBOURS && (xy[2 * j] - xy[2 * i]) ** 2 > near.at(-1)[0];
    for (const step of [-1, 1]) {
      for (let k = at + step; k >= 0 && k < count && !tooFar(order[k]); k += step) {
        const j = order[k];
        const cost = (xy[2 * j] - xy[2 * i]) ** 2 + (xy[2 * j + 1] - xy[2 * i + 1]) ** 2;
        if (near.length === NEIGHBOURS && cost >= near.at(-1)[0]) continue;
        if (near.length === NEIGHBOURS) near.pop();
        let slot = near.length;
        while (slot > 0 && near[slot - 1][0] > cost) slot -= 1;
        near.splice(slot, 0, [cost, j]);
      }
    }
    for (const [cost, j] of near) {
      edges[i].set(j, cost);
      edges[j].set(i, cost);
    }
  });
  return edges;
}
function shortest(edges, to, count) {
  const next = new Int32Array(count).fill(-1);
  const costs = new Float64Array(count).fill(Infinity);
  const open = /* @__PURE__ */ new Set([to]);
  costs[to] = 0;
  while (open.size) {
    let [least, i] = [Infinity, -1];
    for (const j of open) if (costs[j] < least) [least, i] = [costs[j], j];
    open.delete(i);
    for (const [j, step] of edges[i]) {
      if (least + step >= costs[j]) continue;
      costs[j] = least + step;
      next[j] = i;
      open.add(j);
    }
  }
  return next;
}

// js/channel/scene.js
function ready(lasting) {
  if (lasting.ready) return lasting.ready;
  const { xy, xyz, index, truth, images, notes } = lasting.points;
  const position = /* @__PURE__ */ new Map();
  index.data.forEach((row, i) => position.set(row, i));
  const points = {
    xy: xyz ? new Float32Array(2 * index.data.length) : xy.data,
    index: index.data,
    truth: truth?.data ?? null,
    count: index.data.length,
    position,
    images,
    notes,
    ways: lasting.grid ? new Ways({ xy: xy.data, count: index.data.length }) : null
    // of data in a plane
  };
  const space = xyz ? new Space(xyz.data, points.xy) : null;
  const modes = lasting.modes.map((raw) => prepareModes(raw, lasting.grid, points));
  const landmarks = lasting.landmarks?.data ?? null;
  lasting.ready = { grid: lasting.grid, points, modes, space, landmarks };
  return lasting.ready;
}
function makeScene(answer, lasting) {
  const { grid, points, modes, space, landmarks } = ready(lasting);
  const labels = answer.labels.map(fromRow);
  const view = space?.view ?? widened(answer.view);
  const scene = { ...answer, labels, grid, points, space, landmarks, view };
  scene.hide = new Set(answer.hide);
  scene.editable = answer.editable && !scene.hide.has("labels");
  scene.filters = compileFilters(answer.filters);
  scene.models = answer.panels.map((panel) => makeModel(panel, scene, modes));
  return scene;
}
function makeModel(panel, scene, modes) {
  const spec = panel.model;
  if (!spec) return null;
  const nClasses = scene.classes.length;
  if (spec.is === "ridge")
    return new RidgeModel(spec, scene.grid, scene.points, nClasses, scene.mu);
  const Model = spec.balance ? Balanced : ModesModel;
  const model = new Model(modes[spec.modes], spec, scene.labels, nClasses, scene.data_term);
  if (panel.note || !panel.points) return model;
  const { labels, lam } = scene;
  const filter = scene.filters[scene.filter];
  const [grid, points] = [panel.grid?.data, panel.points.data];
  return new Anchored(model, { labels, lam, filter, grid, points });
}
function widened([x0, x1, y0, y1]) {
  let w = Math.max(x1 - x0, 1e-9);
  let h = Math.max(y1 - y0, 1e-9);
  h = Math.max(h, w / 2.5);
  w = Math.max(w, h / 2.5);
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return [x - w / 2, x + w / 2, y - h / 2, y + h / 2];
}

// js/hands/stroke.js
var MOST8 = contract_default.changes.stage.labels.most;
var STEP5 = 2;
var KINDS = {
  point: [icons_default.point, "Label single points", "Points"],
  brush: [icons_default.circle, "Brush: label all points under the circle", "Brush"],
  lasso: [icons_default.lasso, "Lasso: label all points inside a loop", "Lasso"]
};
var RADIUS = { least: 6, most: 60, first: 18 };
var Stroke = class {
  constructor(stage) {
    Object.assign(this, { stage, busy: false, place: null, panel: null, inside: /* @__PURE__ */ new Set() });
    Object.assign(this, { kind: "point", radius: RADIUS.first, also: false });
    this.pen = element("canvas").getContext("2d");
    this.kinds = choices("div.set", "How labels are set", KINDS, (kind) => this.set({ kind }));
    this.slider = range(
      "input.radius",
      "Radius of the brush in pixels",
      "Radius of the brush",
      [RADIUS.least, RADIUS.most],
      (radius) => this.set({ radius }),
      { value: RADIUS.first }
    );
    const several = "Add a candidate class to a labelled point (or Shift + click)";
    this.several = tool(icons_default.several, several, () => this.set({ also: !this.also }), "Candidates");
    this.remark = element("div.remark", { role: "note" });
    this.node = element("div.group.marking", {}, this.kinds.node, this.slider, this.several);
    for (const node of [this.node, this.remark]) show(node, false);
  }
  set(changes) {
    Object.assign(this, changes);
    this.repaint();
  }
  // Does a stroke label what is inside it?
  get ready() {
    return Boolean(this.stage.scene?.editable && this.kind !== "point");
  }
  // Follow the scene: nothing to choose where labels cannot be set.
  follow() {
    const { scene, board } = this.stage;
    const shown = scene.editable && scene.kind === "classes" && scene.classes.length > 1;
    if (!shown) Object.assign(this, { kind: "point", also: false });
    show(this.node, shown);
    show(this.slider, this.kind === "brush");
    this.kinds.check(this.kind);
    press(this.several, this.also);
    board.plots.classList.toggle("strokes", this.ready);
    setText(this.remark, scene.remark ?? "");
    show(this.remark, scene.remark);
  }
  begin(panel, at) {
    const { points } = this.stage.scene;
    const { view, board } = this.stage;
    Object.assign(this, { busy: true, panel, path: [at], inside: /* @__PURE__ */ new Set() });
    this.pixels = Float64Array.from({ length: 2 * points.count });
    for (let i = 0; i < points.count; i++) {
      const spot = view.toPixel(points.xy[2 * i], points.xy[2 * i + 1], board.place.box);
      this.pixels.set(spot, 2 * i);
    }
    this.extend(at);
  }
  extend([x, y]) {
    const last = this.path.at(-1);
    this.place = [x, y];
    if (this.kind === "brush") {
      const far = nearWay(last, [x, y]);
      for (let i = 0; i < this.pixels.length / 2; i++)
        if (far(this.pixels[2 * i], this.pixels[2 * i + 1]) <= this.radius) this.inside.add(i);
      this.path = [[x, y]];
    } else if (Math.hypot(x - last[0], y - last[1]) >= STEP5) {
      this.path.push([x, y]);
      const loop = new Path2D();
      lines(loop, this.path);
      const { pixels, pen } = this;
      const within2 = (i) => pen.isPointInPath(loop, pixels[2 * i], pixels[2 * i + 1], "evenodd");
      const points = Array.from({ length: pixels.length / 2 }, (_2, i) => i);
      this.inside = new Set(points.filter(within2));
    }
    this.repaint();
  }
  cancel() {
    if (!this.busy) return false;
    this.set({ busy: false, place: null, inside: /* @__PURE__ */ new Set() });
    return true;
  }
  finish() {
    if (!this.busy) return;
    const { scene, labels, code } = this.stage;
    const targets = [...this.inside].map((i) => pointTarget(scene.points, i));
    this.cancel();
    if (!targets.length) return;
    const done = labelMany(labels, targets, code, { also: this.also, most: MOST8 });
    this.stage.editMany(done.labels, done.count);
    if (done.full) this.stage.board.remark(`No more than ${MOST8} labels: the others were left out`);
  }
  hover(panel, at) {
    const place = this.kind === "brush" ? at : null;
    if (!this.busy && (place || this.place)) this.set({ place });
  }
  repaint() {
    this.stage.board.schedule("", "over");
  }
  // What the stroke would label, and its outline.
  draw(context, panel, theme, code) {
    if (!this.ready || !this.place || this.busy && panel !== this.panel && !this.inside.size) return;
    context.beginPath();
    for (const i of this.inside) disc(context, this.pixels[2 * i], this.pixels[2 * i + 1], 3);
    inked(context, classColour(theme, code), css(theme.outline, 0.8), 0.8);
    context.beginPath();
    if (this.kind === "brush") disc(context, ...this.place, this.radius);
    else if (this.busy) lines(context, this.path);
    if (this.kind === "lasso") context.closePath();
    haloed(context, theme, [3.5, 0.8], 1.5, css(theme.text));
  }
};

// js/bars/knob.js
var REST = 350;
var SLACK = 0.1;
var WAYS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 8, PageDown: -8 };
var Knob = class {
  // act: set(name, value or "auto", done), complain(sentence).
  constructor(spec, act) {
    Object.assign(this, { act, held: false, typing: false, own: null });
    this.slider = element("input.slide", {
      type: "range",
      step: "any",
      onpointerdown: () => this.hold(),
      oninput: () => this.slid(false),
      // "change" does not come where the value was put on a rung meanwhile.
      onchange: () => this.slid(true),
      onpointerup: () => this.rest(),
      onpointercancel: () => this.rest(),
      onkeydown: (event) => this.key(event),
      onkeyup: () => this.keyed && this.rest(),
      onblur: () => this.keyed && this.rest()
    });
    this.number = element("input.number", {
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      spellcheck: "false",
      onfocus: () => (this.typing = true, this.number.select()),
      onkeydown: (event) => this.typed(event),
      onblur: () => this.finish()
    });
    const toggle2 = () => this.set(this.automatic ? this.spec.value : "auto", true);
    this.auto = element("button.auto", { type: "button", onclick: toggle2 }, "auto");
    this.plain = element("span.plain");
    this.letter = element("i");
    this.name = element("span.name", { "aria-hidden": "true" }, this.plain, this.letter);
    this.node = element("div.knob", {}, this.name, this.slider, this.number, this.auto);
    this.update(spec);
  }
  // A new description from Python: range, value, help. `waits`: Python does not yet know what the
  // hand did here.
  update(spec, waits = false) {
    this.spec = spec;
    if (!waits && !this.held) this.own = null;
    this.node.dataset.knob = spec.name;
    const { label: label2, symbol } = spec;
    const help = spec.help ? `${label2}. ${spec.help}` : label2;
    const word = symbol && label2.endsWith(` ${symbol}`) ? label2.slice(0, -symbol.length - 1) : label2;
    setText(this.plain, symbol ? `${word} ` : word);
    setText(this.letter, symbol);
    const [low2, high2] = [spec.low, spec.high].map((v2) => this.place(v2));
    const range2 = { min: spec.zero ? low2 - this.stride : low2, max: high2 };
    this.name.title = help;
    set(this.slider, { title: help, "aria-label": label2, ...range2 });
    set(this.number, { title: `Type a number and press Enter. ${help}`, "aria-label": label2 });
    const title = `Choose ${label2} from the data, by a documented rule.`;
    set(this.auto, { title, "aria-label": `${label2}: from the data` });
    show(this.auto, (spec.auto ?? null) !== null);
    for (const tool2 of [this.slider, this.number, this.auto]) tool2.disabled = Boolean(spec.disabled);
    this.node.classList.toggle("asleep", Boolean(spec.disabled));
    this.node.title = typeof spec.disabled === "string" ? spec.disabled : "";
    this.draw();
  }
  get value() {
    return typeof this.own === "number" ? this.own : this.spec.value;
  }
  get automatic() {
    return this.own === "auto" || this.own === null && Boolean(this.spec.auto);
  }
  // ---- the scale --------------------------------------------------------------------------
  get log() {
    return this.spec.scale === "log";
  }
  // Distance of two values on the scale.
  get stride() {
    return this.log ? 1 / this.spec.step : this.spec.step;
  }
  place(value) {
    if (!this.log) return value;
    return value > 0 ? Math.log10(value) : Math.log10(this.spec.low) - this.stride;
  }
  // The value at a place of the scale, on a rung.
  at(place) {
    const { values, low: low2, high: high2, zero, whole, smooth: smooth2 } = this.spec;
    if (values?.length) {
      const off = (value) => Math.abs(this.place(value) - place);
      return values.reduce((a, b2) => off(a) <= off(b2) ? a : b2);
    }
    const { log, stride } = this;
    if (log && zero && place < Math.log10(low2) - stride / 2) return 0;
    const rung = smooth2 ? place : Math.round(place / stride) * stride;
    const exact = log ? 10 ** rung : rung;
    const short3 = smooth2 || whole && !log ? exact : Number(exact.toPrecision(3));
    return Math.min(Math.max(whole ? Math.round(short3) : short3, low2), high2);
  }
  // The value `count` steps further.
  beside(count) {
    const { values } = this.spec;
    const now = this.value;
    if (values?.length) {
      const slack = 1e-9 * Math.abs(now);
      const above = values.findIndex((v2) => v2 > now + slack);
      const after = above < 0 ? values.length : above;
      const before = values.filter((v2) => v2 < now - slack).length - 1;
      const index = count > 0 ? after + count - 1 : before + count + 1;
      return values[Math.min(Math.max(index, 0), values.length - 1)];
    }
    const exact = this.place(now) / this.stride;
    const rung = count > 0 ? Math.floor(exact + SLACK) : Math.ceil(exact - SLACK);
    return this.at((rung + count) * this.stride);
  }
  // ---- the hand ---------------------------------------------------------------------------
  hold() {
    this.held = true;
    lightUp(this.spec.name);
  }
  slid(done) {
    if (done && !this.held) return;
    this.move(this.at(Number(this.slider.value)));
    if (done) this.rest();
  }
  move(value) {
    this.hold();
    if (value !== this.value || this.automatic) this.set(value, false);
  }
  key(event) {
    const way = WAYS[event.key];
    const end = { Home: this.spec.zero ? 0 : this.spec.low, End: this.spec.high }[event.key];
    if (way === void 0 && end === void 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.keyed = true;
    this.move(end ?? this.beside(way * (event.shiftKey ? 10 : 1)));
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rest(), REST);
  }
  rest() {
    if (!this.held) return;
    Object.assign(this, { held: false, keyed: false });
    clearTimeout(this.resting);
    lightUp(null);
    if (this.own !== null) this.act.set(this.spec.name, this.own, true);
  }
  set(value, done) {
    this.own = value;
    this.draw();
    this.act.set(this.spec.name, value, done);
  }
  typed(event) {
    event.stopPropagation();
    if (event.key === "Enter") {
      this.finish();
      this.number.select();
      this.typing = true;
    } else if (event.key === "Escape") {
      this.typing = false;
      this.draw();
      this.number.select();
    }
  }
  // Take what was typed, or say why not.
  finish() {
    if (!this.typing) return;
    this.typing = false;
    const text = this.number.value.trim();
    if (text === this.shown) return;
    const { label: label2, auto, whole } = this.spec;
    const typed = text.toLowerCase() === "auto" && (auto ?? null) !== null ? "auto" : numberOf(text, whole);
    const [low2, high2] = this.spec.limits ?? [this.spec.low, this.spec.high];
    let why = "";
    if (typed === null) why = whole ? "must be a whole number" : "is not a number it can take";
    else if (typed < low2 || typed > high2) {
      const kind = whole ? "must be a whole number from" : "must be from";
      why = `${kind} ${numberText(low2, whole)} to ${numberText(high2, whole)}`;
    }
    this.draw();
    const said = `“${text.slice(0, 40)}” for ${label2} ${why}; it stays at ${this.shown}.`;
    this.act.complain(why && said, this);
    if (!why) this.set(typed, true);
  }
  draw() {
    const { value, automatic } = this;
    const place = this.place(value);
    if (Math.abs(Number(this.slider.value) - place) > 1e-9)
      this.slider.value = String(place);
    this.shown = numberText(value, this.spec.whole);
    if (!this.typing && this.number.value !== this.shown) this.number.value = this.shown;
    this.slider.setAttribute("aria-valuetext", this.shown);
    this.auto.setAttribute("aria-pressed", String(automatic));
    this.node.classList.toggle("automatic", automatic);
  }
};
var KnobRow = class {
  // set(name, value or "auto", done): what a hand did. `complaint`: where it is said why a number
  // cannot be, if rows share that.
  constructor(set2, complaint = element("div.complaint", { role: "alert" })) {
    this.knobs = /* @__PURE__ */ new Map();
    this.complaint = complaint;
    const complain = (sentence, knob) => {
      setText(this.complaint, sentence);
      if (knob?.node.closest(".sheet")) knob.node.after(this.complaint);
    };
    this.act = { set: (...said) => (complain(""), set2(...said)), complain };
    this.node = element("div.knobs");
  }
  // specs from Python; `waiting` names the knobs whose change Python has not answered yet.
  update(specs, waiting) {
    for (const [name2, knob] of this.knobs) {
      if (specs.some((spec) => spec.name === name2)) continue;
      knob.node.remove();
      this.knobs.delete(name2);
    }
    specs.forEach((spec, i) => {
      let knob = this.knobs.get(spec.name);
      if (!knob) this.knobs.set(spec.name, knob = new Knob(spec, this.act));
      knob.update(spec, waiting.has(spec.name));
      const there = [...this.node.querySelectorAll(".knob")];
      if (there[i] !== knob.node) this.node.insertBefore(knob.node, there[i] ?? null);
    });
    show(this.node, specs.length);
  }
};
var KnobPanel = class extends Mounted {
  constructor(parent2) {
    super();
    this.row = new KnobRow((...moved3) => this.setKnob(...moved3));
    this.root = element("div.stage.sheet", {}, this.row.node, this.row.complaint);
    parent2.append(this.root);
  }
  open({ knobs, rev }) {
    this.channel.acknowledge(rev);
    this.row.update(knobs, this.channel);
  }
};
var GROUPED = /^\d{1,3}(([,'’_ \u00a0\u2009\u202f])\d{3})(\2\d{3})*$/;
function numberOf(text, whole = false) {
  let plain = text.trim().replaceAll("−", "-");
  if (GROUPED.test(plain) && (whole || !/^0/.test(plain))) plain = plain.replace(/\D/g, "");
  else if (!whole && /^-?\d*,\d+(e-?\d+)?$/i.test(plain)) plain = plain.replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(plain)) return null;
  const value = Number(plain);
  if (!Number.isFinite(value)) return null;
  return whole && !Number.isInteger(value) ? null : value;
}
function numberText(value, whole = false) {
  if (whole && Math.abs(value) < 1e15) return Math.round(value).toLocaleString("en-US");
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e5) return String(Number(value.toPrecision(3)));
  return value.toExponential(2).replace(/\.?0+e/, "e").replace("e+", "e");
}

// js/bars/toolbar.js
var { least: low, most: high, limit } = contract_default.lam;
var LAM = { ...contract_default.knobs.lam, low, high, limits: [0, limit] };
var MODE = contract_default.knobs.mode;
var POWERS = ["10⁻⁶", "", "10⁻⁴", "", "10⁻²", "", "1", "", "10²", "", "10⁴"];
var Toolbar = class {
  constructor(stage) {
    this.stage = stage;
    this.other = null;
    this.play = tool(icons_default.play, "Play: sweep λ", () => stage.play());
    const moved3 = (...what2) => stage.setKnob(...what2);
    this.row = new KnobRow(moved3);
    this.front = new KnobRow(moved3, this.row.complaint);
    const { complain } = this.row.act;
    this.lam = new Knob(LAM, { set: (_2, value, done) => stage.moveLam(value, done), complain });
    this.mode = new Knob(MODE, { set: (_2, value) => stage.display.enlarge(value), complain });
    this.mode.node.classList.add("mode");
    const { slider } = this.lam;
    slider.classList.add("lam");
    const scaled = element("div.scaled");
    slider.replaceWith(scaled);
    this.band = element("i.useful", { "aria-hidden": "true" });
    scaled.append(this.band, slider, decades());
    const what = "Filter. How frequencies γ are damped by λ.";
    this.filter = menu("select.filter", "Filter", what, (name2) => stage.setFilter(name2));
    const called = element("span.name", { "aria-hidden": "true", title: what }, "Filter");
    this.filterBox = element("div.knob.menu", {}, called, this.filter);
    this.lamGroup = element("div.group.lead", {}, this.lam.node, this.play);
    this.front.node.classList.add("lead");
    this.palette = element("div.palette");
    this.edits = edits(stage, "Remove all labels");
    this.editing = element("div.set", {}, ...this.edits.nodes);
    this.labelGroup = element("div.group.labels", {}, this.palette);
    const { whole, nodes } = zooms(stage);
    this.whole = whole;
    this.zooms = element("div.group.zooms", {}, ...nodes);
    const letters = "Letters: sliders named by their letters alone";
    this.letters = tool(icons_default.letters, letters, () => this.abbreviate(true), "Letters");
    this.tools = element("div.tools", {}, this.zooms);
    this.formula = new Formula(stage.channel.over.signal);
    this.more = new More(() => stage.board.schedule("more", "layout"));
    this.settings = element("div.settings", {}, this.row.node, this.filterBox, this.mode.node);
    this.more.node.append(this.settings, this.tools, this.formula.node);
    this.leading = [this.lamGroup, this.front.node];
    this.bar = element("div.bar", {}, ...this.leading, this.labelGroup, this.editing, this.more.button);
    this.node = element(
      "div.toolbar",
      { role: "toolbar", "aria-label": "Stage controls" },
      this.bar,
      this.row.complaint,
      this.more.node
    );
    this.hint = element("div.hint");
  }
  // Which groups this scene needs, and the entries of its selects and palette.
  arrange({ scene, specs }, theme) {
    const { hide: hidden, editable, panels, filters } = scene;
    this.playable = scene.light ? this.playable : scene.models.some(Boolean);
    const heeds = (what) => panels.some((one) => !one.note && one.depends.includes(what));
    this.moves = this.playable || !scene.alone && heeds("lam");
    const waits = editable && panels.some((panel) => panel.note);
    if (!scene.light || this.wanted === void 0) this.wanted = this.moves || waits;
    this.last = panels.length - 1;
    const names = Object.keys(filters);
    this.leads = this.wanted && !hidden.has("lam");
    show(this.lamGroup, this.leads);
    const modes = scene.kind === "functions" && this.last >= contract_default.panels.many;
    const choosing = modes && !hidden.has("zoom");
    const filtering = this.wanted && names.length > 1 && !hidden.has("filter");
    show(this.mode.node, choosing);
    show(this.filterBox, filtering);
    show(this.letters, specs.length > 0 || this.leads);
    this.play.disabled = !this.playable;
    this.filter.disabled = !this.moves || !panels.some((panel) => panel.depends.includes("filter"));
    const tools = !hidden.has("tools");
    const classes = scene.kind === "classes" && scene.classes.length > 0;
    show(this.labelGroup, classes);
    show(this.editing, classes && editable && tools);
    show(this.zooms, !hidden.has("zoom"));
    show(this.tools, tools);
    this.more.offer(tools || choosing || filtering || specs.length > (this.leads ? 0 : 1));
    refill(this.filter, JSON.stringify([filters, scene.alone]), () => names.map(entry));
    function entry(name2) {
      const { label: label2, h } = filters[name2];
      const lost = scene.alone && !h;
      return element("option", { value: name2, disabled: lost }, lost ? `${label2} (Python)` : label2);
    }
    const keys = keysOf(scene.classes);
    const run = editable ? (code) => this.stage.pick(code) : null;
    const named = (name2, code) => swatch(code, name2, { label: `Label as ${name2}`, key: keys[code], theme, run });
    const key = JSON.stringify([scene.classes, editable, theme.id]);
    refill(this.palette, key, () => scene.classes.map(named));
    setText(this.hint, hintFor(scene, keys));
    this.palette.setAttribute("role", editable ? "radiogroup" : "list");
    this.palette.setAttribute("aria-label", editable ? "Class of the next label" : "Classes");
  }
  // The sliders as Python has them; `waiting` names those whose change it has not answered yet. Until
  // the first scene it is not known which one leads.
  update(specs, waiting) {
    if (this.wanted === void 0) return;
    const first = this.leads ? 0 : 1;
    this.front.update(specs.slice(0, first), waiting);
    this.row.update(specs.slice(first), waiting);
  }
  // Where λ is worth moving, from and to; nothing: everywhere.
  mark([from, to]) {
    show(this.band, from !== void 0);
    if (from === void 0) return;
    const share = (lam) => Math.log10(lam / low) / Math.log10(high / low);
    this.band.style.setProperty("--from", share(from));
    this.band.style.setProperty("--to", share(to));
    this.band.title = "Where moving λ changes most";
  }
  // Another bar stands in the place of this one (null: none), with the button “More”; what leads is then
  // with the other settings.
  yieldTo(other) {
    if (this.other === other) return;
    this.other = other;
    show(this.bar, !other);
    (other ?? this.bar).append(this.more.button);
    (other ? this.settings : this.bar).prepend(...this.leading);
  }
  // Letters in place of names; `turn`: the other way round.
  abbreviate(turn2 = false) {
    const on2 = turn2 ? barShows("letters", !barShows("letters")) : barShows("letters");
    press(this.letters, on2);
    this.stage.root.toggleAttribute("data-letters", on2);
    if (turn2) this.stage.board.schedule("more", "layout");
  }
  // Follow the settings.
  follow({ lam, lamFree, filter, player, code, stack, view, display }) {
    const playing = player.on;
    this.mode.update({ ...MODE, high: this.last, value: display.enlarged ?? 0 });
    this.lam.update({ ...LAM, value: lam, auto: lamFree, disabled: !this.moves });
    this.lam.slider.setAttribute("aria-valuetext", `λ = ${this.lam.shown}`);
    if (this.filter.value !== filter) this.filter.value = filter;
    const drawing = () => [playing ? icon(icons_default.pause) : icon(icons_default.play, { fill: "currentColor" })];
    refill(this.play, String(playing), drawing);
    name(this.play, playing ? "Pause" : "Play: sweep λ");
    check(this.palette.querySelectorAll("button"), code);
    this.edits.follow(stack, stack.present.length);
    this.whole.disabled = !view.zoomed;
  }
};
function decades() {
  const marks = POWERS.map((text, i) => {
    const mark = element("span", {}, text);
    mark.style.left = `${100 * i / (POWERS.length - 1)}%`;
    return mark;
  });
  return element("div.decades", { "aria-hidden": "true" }, ...marks);
}
function hintFor({ editable, free_labels: free, classes, hide, space }, keys) {
  if (hide.has("tools")) return "";
  const touch = isTouched();
  const click = touch ? "tap" : "click";
  const parts = [];
  if (editable) parts.push(`${click}${free ? "" : " a point"}: label`, `${click} again: remove`);
  const digits = keys.filter(Boolean).sort();
  if (editable && !touch && digits.length > 1) {
    const all = digits.at(-1) - digits[0] === digits.length - 1;
    const tenth = keys[9] === "0";
    const range2 = tenth ? "1–9, 0" : all ? `${digits[0]}–${digits.at(-1)}` : digits.join(", ");
    parts.push(`${classes.length === 2 ? digits.join(", ") : range2}: class`);
  }
  if (space) parts.push(touch ? "one finger sideways: turn" : "drag or Shift + arrows: turn");
  if (!hide.has("zoom")) {
    parts.push(touch ? "two fingers: zoom" : `${zoomKey()} + wheel: zoom`, wayBack());
  }
  return parts.join(" · ");
}

// js/panels/stage.js
var LAM2 = contract_default.lam;
var POINTED = 2600;
var IN_BROWSER = contract_default.message.in_browser;
function flash(node) {
  node.classList.remove("pointed");
  void node.offsetWidth;
  node.classList.add("pointed");
  node.scrollIntoView({ block: "nearest" });
  setTimeout(() => node.classList.remove("pointed"), POINTED);
}
var Stage = class extends Mounted {
  constructor(parent2) {
    super();
    Object.assign(this, { scene: null, panels: [], stack: history([]), view: null });
    Object.assign(this, { lam: 1, filter: "", code: 0, specs: [], behind: false, did: "" });
    this.player = new Player((lam) => this.setLam(lam, false, "play"), () => this.played());
    const toolbar = new Toolbar(this);
    this.board = new Board(this, toolbar);
    this.computing = this.board.computing;
    this.stand(parent2, this.board.root, () => this.board.resized());
    this.hand = new Hand(this);
    this.holding = false;
    this.display = new Display(this);
    this.stroke = new Stroke(this);
    this.saver = new Saver(
      (...asked) => pictureOf(this, ...asked),
      () => this.board.schedule("", "layout")
    );
    toolbar.tools.prepend(this.stroke.node);
    toolbar.tools.append(this.display.node, this.saver.tool, toolbar.letters);
    toolbar.tools.after(this.saver.node);
    toolbar.hint.after(this.stroke.remark);
    this.draw = new Draw(this);
    toolbar.abbreviate();
    const press2 = (event) => this.scene && (this.draw.on ? this.draw : this.hand).key(event);
    listenKeys(this.root, this.board.plots, press2, this.channel.over.signal);
    this.board.plots.addEventListener("blur", () => this.hand.drop());
  }
  end() {
    this.player.stop();
    this.display.present.destroy();
    this.board.destroy();
    super.end();
  }
  // ---- from Python ------------------------------------------------------------------------
  guard(run) {
    this.board.guard("answer", run);
  }
  // Other colours than before.
  same() {
    this.board.schedule("theme", "base");
  }
  open(parcel, lasting) {
    const { answer, key = "", height, title, words: words2, story = false, knobs = [], formula = "" } = parcel;
    const { pending = null, failed = "", rev = null, point = null, useful = [] } = parcel;
    Object.assign(this, { key, height: height ?? 0, useful });
    this.board.toolbar.mark(useful);
    this.specs = knobs.filter(({ name: name2 }) => name2 !== "lam");
    this.lamAuto = knobs.find(({ name: name2 }) => name2 === "lam")?.auto ?? null;
    this.display.present.name(title ?? "", story, words2 ?? "");
    this.board.toolbar.formula.write(formula);
    const first = this.pointed === void 0;
    this.pointed ??= point?.count ?? 0;
    Object.assign(this, { behind: !answer, failed });
    this.board.tell(failed);
    if (point && point.count !== this.pointed) {
      this.pointed = point.count;
      if (!first) this.point(point);
    }
    if (answer) return this.adopt(Object.assign(makeScene(answer, lasting), { alone: this.alone }));
    this.acknowledge(rev ?? this.channel.rev);
    this.waits(pending);
    this.board.schedule("", "field");
  }
  // Show where the hand can do what a button has just done; what the button before did ends.
  point({ name: name2 }) {
    const { toolbar, plots } = this.board;
    const knob = toolbar.node.querySelector(`[data-knob="${name2}"]`);
    const node = knob ?? { filter: toolbar.filter, marks: plots }[name2];
    if (node) {
      if (!this.display.present.on) toolbar.more.reveal(node);
      flash(node);
    }
    this.endPlay();
  }
  // Where λ has come to while it plays is not kept.
  endPlay() {
    if (!this.player.on) return;
    this.channel.drop(["lam"]);
    this.player.stop();
  }
  acknowledge(rev) {
    this.channel.acknowledge(rev);
    this.board.toolbar.update(this.specs, this.channel);
    this.display.present.go();
  }
  adopt(scene) {
    const { scene: before, channel } = this;
    const fresh = !before || before.view_key !== scene.view_key;
    const rev = scene.rev ?? (fresh && !channel.unsent ? 0 : channel.rev);
    const answers = Math.max(rev, channel.answered) >= channel.sentRev;
    const other = fresh && !sameSheet(before, scene);
    if (!fresh && scene.light && scene.about === before.about) scene.models = before.models;
    this.scene = scene;
    if (fresh) {
      this.tellLabels("");
      const moved3 = !other && channel.has("labels") && relocated(this.labels, scene.points);
      channel.drop(["labels"]);
      this.player.stop();
      if (!channel.unsent) channel.acknowledge(rev);
      this.hold(moved3 ? history(moved3) : recall(this.name, scene.labels, sameLabels));
      if (moved3) this.changeLabels();
    }
    if (other) this.view = new (scene.space ? SpaceView : View)(this.name, scene.view);
    else this.view.rebase(scene.view);
    if (!scene.models.some(Boolean)) this.endPlay();
    if (before?.points !== scene.points) this.replace(scene);
    this.acknowledge(rev);
    if (!channel.has("lam")) this.lam = scene.lam;
    if (!channel.has("filter")) this.filter = scene.filter;
    const { stack } = this;
    if (!channel.has("labels"))
      this.hold(renewed(stack, scene.labels, sameLabels, (labels) => record(stack, labels)));
    this.code = Math.min(this.code, Math.max(scene.classes.length - 1, 0));
    this.setPanels();
    this.display.adopted(other);
    this.draw.adopt(scene, other);
    if (other) lookAsLinked(this);
    this.board.describe();
    if (answers) this.computing.answered(scene.seconds);
    this.board.schedule("scene", "layout");
    if (!before) {
      const known = new Set(this.specs.map(({ name: name2 }) => name2));
      for (const [name2, value] of carried(this)) if (known.has(name2)) this.setKnob(name2, value, true);
    }
    if (channel.unsent && fresh) channel.flush();
  }
  // Other points, or the same in another plane.
  replace({ points, space }) {
    this.hand.forget();
    if (space) return;
    this.hold(historyAt(this.stack, points));
    this.display.pins.replace(points);
  }
  setPanels() {
    const { panels, models } = this.scene;
    const { hand, board } = this;
    const place = { plots: board.plots, inside: (...at) => hand.inBox(...at), forget: () => hand.forget() };
    fit(this.panels, panels.length, () => {
      const panel = new PanelView((one) => this.display.toggle(one));
      for (const tool2 of [this.draw, this.stroke]) listenTool(panel.plot, panel, tool2, place);
      listen(panel.plot, panel, hand);
      board.plots.append(panel.node);
      return panel;
    });
    panels.forEach((panel, i) => this.panels[i].update(panel, this.scene, models[i]));
    this.panels.forEach((panel) => this.draw.unlock(panel));
  }
  // ---- to Python --------------------------------------------------------------------------
  // No Python listens: this is a saved page.
  get alone() {
    return this.channel.alone;
  }
  changeLabels() {
    this.channel.change("labels", () => this.labels.map(toRow));
  }
  // ---- settings ---------------------------------------------------------------------------
  get labels() {
    return this.stack.present;
  }
  get settings() {
    const { lam, labels, alone } = this;
    return { lam, labels, filter: this.scene.filters[this.filter], alone };
  }
  // Which settings moved on from those that Python last answered.
  get changed() {
    const { lam, filter, labels } = this.scene;
    const moved3 = { lam: this.lam !== lam, filter: this.filter !== filter };
    moved3.labels = !sameLabels(this.labels, labels);
    const names = Object.keys(moved3).filter((name2) => moved3[name2]);
    const { channel } = this;
    const others = [...channel.changes.keys()].filter((name2) => !IN_BROWSER.includes(name2));
    if (channel.value("lam") === "auto") others.push("lam");
    return [...names, ...others, ...this.behind ? ["python"] : []];
  }
  get exact() {
    return !this.changed.length;
  }
  // What zoom and history are kept under.
  get name() {
    return `${this.key}|${this.scene.view_key}`;
  }
  setLam(lam, done, reason = "lam") {
    if (!this.scene) return;
    this.holding = !done;
    if (lam !== this.lam || this.lamFree) {
      this.channel.change("lam", lam);
      this.lam = lam;
      this.board.move();
      this.board.schedule(reason, "field");
    }
    if (done) {
      this.board.schedule("", "field");
      this.channel.post();
    } else if (this.panels.some(({ model, waiting }) => model && waiting)) {
      this.channel.post(true);
    }
  }
  // Is λ chosen from the data, as far as is known here? null: it cannot be.
  get lamFree() {
    if (this.lamAuto === null) return null;
    return this.channel.value("lam") === "auto" || this.lamAuto && !this.channel.has("lam");
  }
  // A knob of the strip; `done`: the hand has let go of it.
  setKnob(name2, value, done) {
    moves(this);
    super.setKnob(name2, value, done);
    this.board.schedule("knob", "field");
  }
  setFilter(name2) {
    if (name2 === this.filter) return;
    this.channel.change("filter", name2);
    this.filter = name2;
    this.board.schedule("filter", "field");
    this.channel.post();
  }
  // λ by the slider: a number, or "auto".
  moveLam(value, done) {
    this.player.stop();
    if (value === "auto") this.setKnob("lam", value, true);
    else this.setLam(value, done);
  }
  play() {
    const [from = LAM2.least, to = LAM2.most] = this.useful;
    this.player.toggle(this.lam, from, to);
  }
  // A new label spreads: λ, here a time, runs from the start of its useful range to where it stands.
  spread() {
    const [from = Infinity] = this.useful;
    const to = this.player.on && this.player.end || this.lam;
    if (isCalm() || to <= from || !this.scene.models.some(Boolean)) return;
    this.player.once(from, to);
  }
  clear() {
    this.edit({ labels: [], did: "cleared" });
  }
  played() {
    this.holding = this.player.on;
    if (!this.player.on) this.channel.post();
    this.board.schedule("", "over");
  }
  pick(code) {
    if (!this.scene.editable || code >= this.scene.classes.length) return false;
    this.code = code;
    this.board.say(`Class ${this.scene.classes[code]}`);
    this.board.schedule("", "over");
    return true;
  }
  moved() {
    this.board.move();
    this.board.schedule("view", "base");
  }
  zoomBy(factor) {
    if (!this.scene) return false;
    const { cursor } = this.hand;
    if (factor) this.view.zoomAt(factor, cursor?.x, cursor?.y);
    else this.view.reset();
    this.board.schedule("view", "base");
    return true;
  }
  // ---- labels -----------------------------------------------------------------------------
  canLabel(target) {
    return this.scene.editable && (target.snapped || this.scene.free_labels);
  }
  // `also`: one more candidate class for a labelled point, in place of another class.
  toggleAt(target, also = false) {
    if (!this.canLabel(target)) return false;
    return this.edit(toggle(this.labels, target, this.code, also || this.stroke.also), target);
  }
  // Many labels in one step that can be undone.
  editMany(labels, count) {
    if (!this.scene?.editable || sameLabels(labels, this.labels)) return;
    this.setStack(record(this.stack, labels));
    const name2 = this.scene.classes[this.code] ?? this.code;
    this.tellLabels(`${count} points labelled as class ${name2}; ${labels.length} labels`);
  }
  edit({ labels, did }, target = null) {
    if (!this.scene?.editable || sameLabels(labels, this.labels)) return false;
    this.setStack(record(this.stack, labels));
    const what = target?.index >= 0 ? `row ${target.index + 1}` : "a free point";
    const as = did === "removed" ? "" : ` as class ${this.scene.classes[this.code] ?? this.code}`;
    const count = `${labels.length} label${labels.length === 1 ? "" : "s"}`;
    this.tellLabels(did === "cleared" ? "all labels removed" : `${did} ${what}${as}; ${count}`);
    if (as && labels.length) this.spread();
    return true;
  }
  // What labelling has changed, at once; the board says it again with the new accuracy.
  tellLabels(did) {
    this.did = did;
    this.board.say(did);
  }
  hold(stack) {
    this.stack = keep(this.name, stack);
  }
  setStack(stack) {
    this.changeLabels();
    this.hold(stack);
    this.board.schedule("labels", "field");
    this.channel.post(false, true);
  }
  // way: "undo" or "redo".
  travel(way) {
    const stack = travelled(this.stack, way);
    if (!this.scene?.editable || stack === this.stack) return false;
    this.setStack(stack);
    this.tellLabels(`${way}ne; ${this.labels.length} labels`);
    return true;
  }
};

// js/panels/alone.js
var KINDS2 = { plane: Stage, curves: CurveStage };
var MOST_LABELS2 = 400;
var SORRY2 = "This page needs a browser of 2023 or later: its picture could not be unpacked.";
async function openPage() {
  const place = document.getElementById("lapviz-stage");
  if (!place) return;
  try {
    const [lasting, data] = await Promise.all(["lapviz-static", "lapviz-answer"].map(unpacked2));
    keep2(fingerprint(lasting), decode(lasting).static);
    const stage = new KINDS2[place.dataset.kind](place);
    stage.receive({ data, setStateValue: () => {
    } });
    offerThemes(stage);
    offerCopies();
    followLink(stage);
  } catch (error) {
    console.warn("lapviz page:", error);
    setText(place, SORRY2);
  }
}
function unpacked2(name2) {
  const text = document.getElementById(name2).textContent.trim();
  return inflated(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
}
function offerThemes(stage) {
  const button = document.getElementById("lapviz-theme");
  const { dataset } = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => dataset.theme ? dataset.theme === "dark" : system.matches;
  const follow = () => {
    setText(button, isDark() ? "Light" : "Dark");
    stage.same();
  };
  const choose = (theme) => {
    dataset.theme = theme;
    follow();
  };
  button.addEventListener("click", () => choose(isDark() ? "light" : "dark"));
  addEventListener("message", ({ data }) => {
    if (["light", "dark"].includes(data?.lapvizTheme)) choose(data.lapvizTheme);
  });
  if (parent !== window) parent.postMessage({ lapvizTheme: "?" }, "*");
  system.addEventListener("change", follow);
  button.hidden = false;
  follow();
}
function offerCopies() {
  for (const button of document.querySelectorAll("button[data-copies]")) {
    const source = document.getElementById(button.dataset.copies);
    button.hidden = false;
    button.addEventListener("click", async () => {
      const done = await copy(source.textContent);
      if (!done) getSelection().selectAllChildren(source);
      setText(button, done ? "Copied" : "Marked: press Ctrl+C");
    });
  }
}
function followLink(stage) {
  const link = document.getElementById("lapviz-link");
  if (!link) return;
  const saved = link.href;
  const follow = () => {
    if (!stage.scene) return;
    const { lam, filter, labels, changed = [] } = stage;
    const url = new URL(saved);
    if (changed.includes("lam")) url.searchParams.set("lam", String(linked(lam)));
    if (changed.includes("filter")) url.searchParams.set("filter", filter);
    if (changed.includes("labels") && labels.length <= MOST_LABELS2)
      url.searchParams.set("labels", labels.map(written).join("~"));
    link.href = url.href;
  };
  for (const event of ["pointerenter", "pointerdown", "focus"]) link.addEventListener(event, follow);
}
function written(label2) {
  const where = label2.index >= 0 ? label2.index : `${rounded(label2.x)},${rounded(label2.y)}`;
  return `${where}c${candidatesOf(label2).join(".")}`;
}

// js/hands/picture_hand.js
var PictureHand = class {
  constructor(stage) {
    Object.assign(this, { stage, panning: null, down: false, second: pairs(12), alone: true });
  }
  listen(view) {
    const { canvas } = view;
    const { stage } = this;
    listenTool(canvas, view, this, { plots: stage.plots, buttons: [0, 1] });
    canvas.addEventListener("dblclick", () => stage.tool === "move" && stage.zoomBy(0));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    const zoomAt = (factor, ...at) => stage.zoomAt(factor, at, view);
    const pan = (dx, dy) => stage.pan(dx, dy, view);
    listenWheel(canvas, zoomAt);
    listenPinch(canvas, { pan, zoomAt, begun: () => this.cancel() });
  }
  // ---- as a tool of listenTool(): scribbles, or moves the picture ---------------------------
  get ready() {
    return Boolean(this.stage.image);
  }
  // In a stroke of the pointer; one of the keyboard goes on without it.
  get busy() {
    return Boolean(this.panning ?? (this.stage.drawing && !this.down));
  }
  begin(view, at, event) {
    const { stage } = this;
    const touched = event.pointerType === "touch";
    Object.assign(this, { view, touched, down: false });
    if (touched && this.second(event, at) && stage.frame.zoomed) stage.zoomBy(0);
    else if (stage.tool === "move" || event.button === 1) this.panning = at;
    else stage.begin(stage.pixel(at, view));
  }
  extend(at) {
    const { stage, view, panning } = this;
    if (panning) {
      stage.pan(at[0] - panning[0], at[1] - panning[1], view);
      this.panning = at;
    } else stage.extend(stage.pixel(at, view));
  }
  finish() {
    this.panning = null;
    this.stage.finish();
    if (this.touched) this.stage.point(null);
  }
  hover(view, at) {
    this.stage.point(at && this.stage.pixel(at, view));
  }
  cancel() {
    Object.assign(this, { down: false, panning: null });
    this.stage.set({ drawing: null, tip: null });
  }
  // Arrows move the brush, Space puts it down and lifts it; true when the key was used.
  key(event) {
    const { stage } = this;
    return pressKey(event, stage, (key) => {
      if (key in ARROWS) return this.step(ARROWS[key], event.shiftKey);
      if (key === " " || key === "Enter") return this.toggle();
      if (key === "Escape") return stage.drawing ? (this.cancel(), true) : false;
      if (key === "0") return stage.zoomBy(0);
      if (key === "[" || key === "]") return stage.setRadius(stage.radius + (key === "]" ? 1 : -1));
      if (key in TOOLS) return stage.choose(TOOLS[key]);
      if (!/^[1-9]$/.test(key)) return void 0;
      return Number(key) <= stage.classes && stage.pick(Number(key) - 1);
    });
  }
  step([dx, dy], far) {
    const { stage } = this;
    const reach = Math.max(1, Math.round((far ? 5 : 1) * Math.max(stage.radius, 3)));
    const from = stage.cursor ?? stage.frame.centre.map(Math.round);
    const to = stage.inside([from[0] + dx * reach, from[1] - dy * reach]);
    stage.point(to);
    if (stage.drawing) stage.extend(to);
    stage.say(`column ${to[0]}, row ${to[1]}${stage.drawing ? ", brush down" : ""}`);
    return true;
  }
  toggle() {
    const { stage } = this;
    if (stage.drawing) {
      this.down = false;
      stage.finish();
      return true;
    }
    const at = stage.cursor ?? stage.inside(stage.frame.centre);
    if (stage.tool === "move") stage.choose("brush");
    stage.point(at);
    stage.begin(at);
    this.down = stage.drawing;
    stage.say("brush down");
    return true;
  }
};

// js/paint/picture_view.js
var LEVELS = 28;
var FAINTEST = 0.35;
var ERASER = -1;
function toRow2({ code, radius, points }) {
  return [code, radius, ...points.flat()];
}
function fromRow2([code, radius, ...xy]) {
  const points = Array.from({ length: xy.length / 2 }, (_2, i) => xy.slice(2 * i, 2 * i + 2));
  return { code, radius, points };
}
function sameStrokes(a, b2) {
  return JSON.stringify(a) === JSON.stringify(b2);
}
var Frame = class extends View {
  static ZOOM = [1, 40];
  constructor(name2, width, height) {
    super(name2, [-0.5, width - 0.5, height - 0.5, -0.5]);
    Object.assign(this, { width, height });
  }
  // Pixels of the screen for one of the picture.
  scale(box) {
    return box.w / this.width * this.zoom;
  }
  limit() {
    const [x0, x1, y1, y0] = this.base;
    const clamp2 = (value, low2, high2) => {
      const half = (high2 - low2) / 2 / this.zoom;
      return Math.min(Math.max(value, low2 + half), high2 - half);
    };
    this.centre = [clamp2(this.centre[0], x0, x1), clamp2(this.centre[1], y0, y1)];
    return true;
  }
};
var PictureView = class {
  constructor() {
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.scribbles = document.createElement("canvas");
    this.title = element("div.title");
    this.note = element("div.subtitle");
    this.head = element("div.head", {}, this.title, this.note);
    this.node = element("div.panel", {}, this.head, element("div.photo", {}, this.canvas));
    this.overlay = null;
    this.box = { x: 0, y: 0, w: 1, h: 1 };
  }
  // The panel's classes: {title, note, step, shape, codes} with codes already unpacked.
  adopt(panel, alone) {
    setText(this.title, panel?.title ?? "");
    setText(this.note, panel?.note ?? "");
    this.head.hidden = alone;
    if (this.panel?.codes === panel?.codes) return;
    this.panel = panel;
    this.overlay = null;
  }
  // The overlay for these colours and this opacity, as a canvas of the panel's own size.
  painted({ theme, opacity, outline }) {
    const { panel } = this;
    if (!panel) return null;
    const key = [theme.id, opacity, outline].join();
    if (this.overlay?.key === key) return this.overlay.canvas;
    const [h, w] = panel.shape;
    const image = new ImageData(w, h);
    const words2 = new Uint32Array(image.data.buffer);
    const colours = Uint32Array.from({ length: 9 * LEVELS }, (_2, byte) => {
      const [r, g, b2] = theme.classes[Math.floor(byte / LEVELS) % theme.classes.length];
      const sure = byte % LEVELS / (LEVELS - 1);
      const alpha = Math.round(255 * opacity * (FAINTEST + (1 - FAINTEST) * sure));
      return (alpha << 24 | b2 << 16 | g << 8 | r) >>> 0;
    });
    const { codes } = panel;
    for (let i = 0; i < codes.length; i++) words2[i] = colours[codes[i]];
    if (outline) drawBoundary(words2, codes, w, h);
    this.overlay = { key, canvas: canvasOf(image) };
    return this.overlay.canvas;
  }
  draw(stage, width, height) {
    const { image, frame, theme } = stage;
    const ratio = window.devicePixelRatio || 1;
    this.box = { x: 0, y: 0, w: width, h: height };
    const context = blank(this.canvas, { width, height }, ratio);
    const s = frame.scale(this.box);
    const [left2, top] = frame.toPixel(-0.5, -0.5, this.box);
    context.imageSmoothingEnabled = s < 4;
    context.drawImage(image, left2, top, frame.width * s, frame.height * s);
    const overlay = this.painted(stage);
    if (overlay) {
      const { step } = this.panel;
      context.imageSmoothingEnabled = step * s * ratio < 1.5;
      context.drawImage(overlay, left2, top, overlay.width * step * s, overlay.height * step * s);
    }
    this.drawScribbles(context, stage, ratio, s);
    this.drawBrush(context, stage, s, theme);
  }
  // Scribbles on a canvas of their own: an eraser takes away from them alone.
  drawScribbles(context, stage, ratio, s) {
    const { w, h } = this.box;
    const ink2 = blank(this.scribbles, { width: w, height: h }, ratio);
    Object.assign(ink2, { lineCap: "round", lineJoin: "round" });
    for (const { code, radius, points } of stage.strokes.concat(stage.drawing ?? [])) {
      const erases = code === ERASER;
      ink2.globalCompositeOperation = erases ? "destination-out" : "source-over";
      const wide2 = Math.max(2 * radius * s, 1.5);
      const [[x, y]] = points;
      const way = points.length > 1 ? points : [[x, y], [x + 0.01, y]];
      ink2.beginPath();
      lines(ink2, way.map((point) => stage.frame.toPixel(...point, this.box)));
      if (!erases) stroked(ink2, css(stage.theme.ring), wide2 + 2);
      stroked(ink2, css(erases ? [0, 0, 0] : stage.theme.classes[code]), wide2);
    }
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = 0.85;
    context.drawImage(this.scribbles, 0, 0);
    context.restore();
  }
  drawBrush(context, stage, s, theme) {
    if (!stage.cursor || stage.tool === "move") return;
    const [x, y] = stage.frame.toPixel(...stage.cursor, this.box);
    const radius = Math.max(stage.radius * s, 3);
    const erases = stage.tool === "eraser";
    const colour = erases ? theme.outline : theme.classes[stage.code];
    context.beginPath();
    disc(context, x, y, radius);
    haloed(context, { halo: theme.ring }, [4, 1], 2, css(colour), erases ? [4, 3] : null);
  }
};
function drawBoundary(words2, codes, w, h) {
  const code = (i) => codes[i] / LEVELS | 0;
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const i = y * w + x;
      const right = x + 1 < w && code(i) !== code(i + 1);
      const below = y + 1 < h && code(i) !== code(i + w);
      if (!right && !below) continue;
      words2[i] = 4294967295;
      if (right) words2[i + 1] = 4279768080;
      if (below) words2[i + w] = 4279768080;
    }
  }
}

// js/bars/picture_tools.js
var TOOLS3 = {
  brush: [icons_default.brush, "Brush (B)", "Brush"],
  eraser: [icons_default.rubber, "Eraser: removes scribbles (E)", "Eraser"],
  move: [icons_default.move, "Move the picture (M)", "Move"]
};
var RADIUS2 = { least: 0, most: 60, first: 6 };
var PictureTools = class {
  constructor(stage) {
    this.row = new KnobRow((...moved3) => stage.setKnob(...moved3));
    this.palette = element("div.palette", { role: "radiogroup", "aria-label": "Class to scribble" });
    this.more = tool(icons_default.plus, "Add a class", () => stage.setClasses(stage.classes + 1));
    this.fewer = tool(icons_default.minus, "Remove the last class", () => stage.setClasses(stage.classes - 1));
    this.kinds = choices("div.set", "Tool", TOOLS3, (name2) => stage.choose(name2));
    const short3 = "input.slide.short";
    this.radius = range(
      short3,
      "Radius of the brush",
      "Radius of the brush in pixels ([ and ])",
      [RADIUS2.least, RADIUS2.most],
      (radius) => stage.setRadius(radius),
      { step: 1 }
    );
    const opacity = "Opacity of the colours";
    this.opacity = range(
      short3,
      opacity,
      opacity,
      [0, 1],
      (value) => stage.set({ opacity: value }),
      { step: 0.05 }
    );
    const turn2 = () => stage.set({ outline: !stage.outline });
    this.outline = tool(icons_default.line, "Show where classes meet", turn2, "Borders");
    this.edits = edits(stage, "Remove all scribbles");
    const zoom = zooms(stage);
    this.whole = zoom.whole;
    this.rest = new More(() => stage.schedule());
    const labelled = (text, node) => element("label.labelled", {}, element("span", {}, text), node);
    const colours = element("div.group", {}, labelled("Colours", this.opacity), this.outline);
    const zoomed = element("div.group.zooms", {}, ...zoom.nodes);
    const settings = element("div.settings", {}, this.row.node);
    this.rest.node.append(settings, element("div.tools", {}, colours, zoomed));
    this.node = element(
      "div.toolbar",
      { role: "toolbar", "aria-label": "Scribbling" },
      element(
        "div.bar",
        {},
        element("div.group.labels", {}, this.palette, this.fewer, this.more),
        element("div.group", {}, this.kinds.node, labelled("Width", this.radius)),
        element("div.set", {}, ...this.edits.nodes),
        this.rest.button
      ),
      this.row.complaint,
      this.rest.node
    );
    this.hint = element("div.hint");
  }
  follow(stage) {
    const { theme, classes, code, tool: kind, stack } = stage;
    const run = (code2) => stage.pick(code2);
    const paint = (_2, i) => swatch(i, String(i + 1), { label: `Class ${i + 1}`, key: i + 1, theme, run });
    refill(this.palette, `${theme.id} ${classes}`, () => Array.from({ length: classes }, paint));
    check(this.palette.children, kind === "eraser" ? -1 : code);
    this.kinds.check(kind);
    this.more.disabled = classes >= contract_default.changes.picture.classes.most;
    this.fewer.disabled = classes <= stage.fewest;
    this.edits.follow(stack, stage.strokes.length);
    this.whole.disabled = !stage.frame.zoomed;
    press(this.outline, stage.outline);
    if (Number(this.radius.value) !== stage.radius) this.radius.value = stage.radius;
    if (Number(this.opacity.value) !== stage.opacity) this.opacity.value = stage.opacity;
    const touch = isTouched();
    const words2 = touch ? "one finger: scribble · two fingers: zoom and move · double tap: whole picture" : `drag: scribble · 1–${classes}: class · ${zoomKey()} + wheel: zoom · arrows: move the brush, Space: put it down or lift it`;
    setText(this.hint, words2);
  }
};

// js/panels/picture.js
var CLASSES2 = contract_default.changes.picture.classes;
var [BELOW2, LOWEST] = [34, 240];
var LEAST_WIDTH = 240;
var PictureStage = class extends Mounted {
  constructor(parent2) {
    super();
    Object.assign(this, { scene: null, failed: "", drawing: null });
    Object.assign(this, { classes: 2, code: 0, tool: "brush" });
    Object.assign(this, { radius: RADIUS2.first, opacity: 0.45, outline: true, cursor: null });
    this.frame = new Frame("", 1, 1);
    this.stack = history([]);
    this.tools = new PictureTools(this);
    this.hand = new PictureHand(this);
    this.message = element("div.message", { role: "alert" });
    this.live = element("div.live", { "aria-live": "polite", role: "status" });
    this.plots = element("div.plots.pictured", { tabindex: "0", role: "application" });
    this.computing = new Computing(this.plots, () => this.channel.send("cancel", Date.now()));
    this.pictures = element("div.pictures", {}, this.plots, this.computing.node);
    this.views = [];
    const root = element(
      "div.stage.picture",
      {},
      this.message,
      this.tools.node,
      this.pictures,
      this.tools.hint,
      this.live
    );
    this.stand(parent2, root, () => this.schedule());
    this.board = { root, place: null, pending: false };
    listenKeys(root, this.plots, (event) => this.hand.key(event), this.channel.over.signal);
    this.plots.addEventListener("blur", () => this.drawing && this.hand.down && this.hand.toggle());
  }
  end() {
    clearTimeout(this.later);
    super.end();
  }
  // ---- from Python ------------------------------------------------------------------------
  same() {
    this.schedule();
  }
  open(parcel, lasting) {
    const unchanged = this.scene?.view_key === parcel.view_key && this.lasting === lasting;
    Object.assign(this, { lasting, key: parcel.key });
    if (!unchanged) this.show(lasting, parcel);
    this.settle(parcel);
  }
  // Another picture.
  show(lasting, { view_key: view, strokes }) {
    this.name = `${this.key} ${view}`;
    this.frame = new Frame(this.name, lasting.width, lasting.height);
    this.channel.drop();
    Object.assign(this, { image: null, drawing: null, cursor: null });
    const given = strokes.map(fromRow2);
    this.hold(recall(this.name, given, sameStrokes));
    this.setPanels([]);
    createImageBitmap(new Blob([lasting.image.data], { type: "image/jpeg" })).then((image) => {
      if (this.lasting !== lasting) return;
      this.image = image;
      this.appeared();
      this.schedule();
    });
  }
  settle(parcel) {
    const { answer, pending = null, failed = "", rev, knobs } = parcel;
    const { channel } = this;
    clearTimeout(this.later);
    this.scene = parcel;
    channel.acknowledge(rev);
    this.tools.row.update(knobs, channel);
    if (!channel.has("classes")) this.classes = parcel.classes;
    if (!channel.has("strokes")) this.record(parcel.strokes.map(fromRow2));
    this.code = Math.min(this.code, this.classes - 1);
    this.failed = failed;
    setText(this.message, failed);
    if (answer) this.adopt(answer);
    else this.waits(pending);
    this.schedule();
    this.later = setTimeout(() => this.schedule(), 400);
  }
  async adopt(answer) {
    const turn2 = this.turn = (this.turn ?? 0) + 1;
    const unpack = async (panel) => ({ ...panel, codes: await inflated(panel.codes.data) });
    const panels = await Promise.all(answer.panels.map(unpack));
    if (turn2 !== this.turn || this.gone) return;
    this.answer = answer;
    this.shown = turn2;
    this.setPanels(panels);
    if (this.channel.isAnswered) this.computing.answered(null);
    if (!answer.fine && !this.channel.unsent) this.channel.look(0);
    this.schedule();
  }
  setPanels(panels) {
    const count = Math.max(panels.length, 1);
    fit(this.views, count, () => {
      const view = new PictureView();
      this.hand.listen(view);
      this.plots.append(view.node);
      return view;
    });
    this.views.forEach((view, i) => view.adopt(panels[i], count === 1));
  }
  changeStrokes() {
    this.channel.change("strokes", () => this.strokes.map(toRow2));
    this.channel.post();
    this.schedule();
  }
  // ---- what the hand does -----------------------------------------------------------------
  get fewest() {
    return Math.max(CLASSES2.least, ...this.strokes.map(({ code }) => code + 1));
  }
  get strokes() {
    return this.stack.present;
  }
  inside([x, y]) {
    const clamp2 = (v2, size) => Math.min(Math.max(Math.round(v2), 0), size - 1);
    return [clamp2(x, this.frame.width), clamp2(y, this.frame.height)];
  }
  pixel(at, view) {
    return this.inside(this.frame.toPlane(...at, view.box));
  }
  point(at) {
    this.set({ cursor: at });
  }
  begin(at) {
    const code = this.tool === "eraser" ? ERASER : this.code;
    this.drawing = { code, radius: this.radius, points: [at] };
    this.point(at);
  }
  extend(at) {
    if (!this.drawing) return;
    const { points } = this.drawing;
    const [u, v2] = points.at(-1);
    if (Math.hypot(at[0] - u, at[1] - v2) >= Math.max(1, this.radius / 3)) points.push(at);
    this.tip = at;
    this.point(at);
  }
  finish() {
    const { drawing, tip } = this;
    if (!drawing) return;
    const last = drawing.points.at(-1);
    if (tip && (tip[0] !== last[0] || tip[1] !== last[1])) drawing.points.push(tip);
    Object.assign(this, { drawing: null, tip: null });
    const as = drawing.code === ERASER ? "erased" : `scribbled class ${drawing.code + 1}`;
    this.edit([...this.strokes, drawing], as);
  }
  edit(strokes, said) {
    this.record(strokes);
    this.changeStrokes();
    this.say(`${said}; ${strokes.length} strokes`);
  }
  clear() {
    this.edit([], "all scribbles removed");
  }
  hold(stack) {
    this.stack = keep(this.name, stack);
  }
  record(strokes) {
    if (!sameStrokes(strokes, this.strokes)) this.hold(record(this.stack, strokes));
  }
  // way: "undo" or "redo".
  travel(way) {
    const stack = travelled(this.stack, way);
    if (stack === this.stack) return false;
    this.hold(stack);
    this.changeStrokes();
    this.say(`${way}ne; ${this.strokes.length} strokes`);
    return true;
  }
  pick(code) {
    this.code = code;
    return this.choose("brush");
  }
  choose(tool2) {
    return this.set({ tool: tool2 });
  }
  set(changes) {
    Object.assign(this, changes);
    this.schedule();
    return true;
  }
  setRadius(radius) {
    return this.set({ radius: Math.min(Math.max(radius, RADIUS2.least), RADIUS2.most) });
  }
  setClasses(count) {
    const classes = Math.min(Math.max(count, this.fewest), CLASSES2.most);
    if (classes === this.classes) return;
    this.classes = classes;
    this.code = Math.min(this.code, classes - 1);
    if (count > 2 && classes === count) this.code = classes - 1;
    this.channel.change("classes", classes);
    this.channel.post();
    this.schedule();
  }
  setKnob(name2, value, done) {
    super.setKnob(name2, value, done);
    this.schedule();
  }
  // At a place of a canvas.
  zoomAt(factor, at, view) {
    this.frame.zoomAt(factor, ...this.frame.toPlane(...at, view.box));
    this.schedule();
  }
  pan(dx, dy, view) {
    const scale = this.frame.scale(view.box);
    this.frame.pan(-dx / scale, -dy / scale);
    this.schedule();
  }
  zoomBy(factor) {
    if (factor) this.frame.zoomAt(factor, ...this.cursor ?? []);
    else this.frame.reset();
    this.schedule();
    return true;
  }
  say(text) {
    setText(this.live, text);
  }
  // ---- the picture ------------------------------------------------------------------------
  // Whether all that is shown is Python's answer to all that was done here, for all pixels.
  get exact() {
    const current = this.shown === this.turn && this.answer?.fine && !this.drawing;
    return Boolean(current && this.channel.isAnswered && this.scene?.answer);
  }
  draw() {
    if (!this.root.isConnected) return;
    this.theme = makeTheme(this.root, 12);
    const wide2 = this.root.clientWidth;
    if (!wide2) return;
    markSize(this.root);
    const gap = 12;
    const many = this.views.length;
    const columns = wide2 >= many * LEAST_WIDTH + (many - 1) * gap ? many : 1;
    const { frame } = this;
    const tallest = Math.max(window.innerHeight - this.top() - BELOW2, LOWEST);
    const room = (wide2 - (columns - 1) * gap) / columns;
    const width = Math.max(120, Math.min(room, tallest * frame.width / frame.height));
    const height = width * frame.height / frame.width;
    this.plots.style.gridTemplateColumns = `repeat(${columns}, max-content)`;
    this.plots.style.gap = `${gap}px`;
    this.plots.classList.toggle("moves", this.tool === "move");
    this.tools.follow(this);
    this.plots.setAttribute("aria-label", this.words());
    if (!this.image) return;
    for (const view of this.views) view.draw(this, Math.floor(width), Math.floor(height));
    this.board.place = { width, height };
  }
  // Where the canvases stand in the window as long as nothing is scrolled.
  top() {
    const key = `${window.innerWidth}x${window.innerHeight}`;
    if (!scrolled(this.root) || this.sized !== key)
      Object.assign(this, { sized: key, offset: this.pictures.getBoundingClientRect().top });
    return this.offset + Math.max(0, ...this.views.map((view) => view.head.offsetHeight));
  }
  // The picture in words.
  words() {
    const { name: name2, width, height } = this.lasting;
    const shares = (this.answer?.shares ?? []).map(
      ([code, share]) => `class ${code + 1}: ${(100 * share).toFixed(1)} %`
    );
    const found = shares.length ? shares.join(", ") : "scribble at least two classes";
    return `Picture ${name2}, ${width} by ${height} pixels, ${this.strokes.length} strokes; ${found}`;
  }
};

// js/channel/modules.js
var modules_exports = {};
__export(modules_exports, {
  channel: () => channel_exports,
  codes: () => codes_exports,
  colour: () => colour_exports,
  contours: () => contours_exports,
  decode: () => decode_exports,
  drawing: () => drawing_exports,
  eigen: () => eigen_exports,
  formulas: () => formulas_exports,
  labels: () => labels_exports,
  layout: () => layout_exports,
  linalg: () => linalg_exports,
  raster: () => raster_exports,
  scene: () => scene_exports,
  space: () => space_exports,
  view: () => view_exports,
  ways: () => ways_exports
});

// js/channel/main.js
var KINDS3 = { stage: Stage, curve: CurveStage, picture: PictureStage, knobs: KnobPanel, share: Share };
var mounted = /* @__PURE__ */ new WeakMap();
function mount() {
  if (!globalThis.__lapvizMount) {
    oneEntryPerPage();
    watchLinks();
  }
  globalThis.__lapvizMount = mountKind;
  startWithoutSidebar();
  window.dispatchEvent(new Event("lapviz:ready"));
}
function mountKind(kind, component) {
  if (kind === "store") return store2(component);
  passByMain();
  const { parentElement } = component;
  let shown = mounted.get(parentElement);
  if (!shown || shown.gone) mounted.set(parentElement, shown = new KINDS3[kind](parentElement));
  shown.receive(component);
  return () => setTimeout(() => shown.left?.(), 0);
}
function store2({ data }) {
  try {
    const tag = fingerprint(data);
    const lasting = stored(tag) ?? decode(data).static;
    if (lasting) keep2(tag, lasting);
  } catch (error) {
    console.warn("lapviz store:", error);
  }
}
var main_default = mount;
openPage();
export {
  main_default as default,
  modules_exports as modules,
  mount,
  mountKind
};
