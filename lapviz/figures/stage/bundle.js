// Built by esbuild (build.mjs) from js/, vendor/ and contract.json: edit those, not this.
// sources: sha256 73a8c098d60a2099a12d05e6bb779be509bb8aed3dfead8088d676de0b303896
// Holds d3-contour and d3-array, ISC, see LICENSE-d3.txt.
var __defProp = Object.defineProperty;
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};

// js/channel/page.js
var page_exports = {};
__export(page_exports, {
  STATE: () => STATE,
  addressToShare: () => addressToShare,
  applyLinkedView: () => applyLinkedView,
  barSetting: () => barSetting,
  carriedChanges: () => carriedChanges,
  channels: () => channels,
  isBusy: () => isBusy,
  isLeaving: () => isLeaving,
  isPageStage: () => isPageStage,
  knobMoved: () => knobMoved,
  linkView: () => linkView,
  oneEntryPerPage: () => oneEntryPerPage,
  pageAddress: () => pageAddress,
  removeMainFromTabOrder: () => removeMainFromTabOrder,
  saveView: () => saveView,
  shared: () => shared,
  startWithoutSidebar: () => startWithoutSidebar,
  streamlitApp: () => streamlitApp,
  viewText: () => viewText,
  watchLinks: () => watchLinks,
  withView: () => withView,
  writeView: () => writeView
});

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
  line: "M2.5 11 C5 3 10 13.5 13.5 5",
  save: "M3 10.5 V13 H13 V10.5 M8 2.5 V10 M5 7.2 L8 10.2 L11 7.2",
  more: "M2.5 4.5 H8 M12 4.5 H13.5 M8 3 V6 M12 3 V6 M8 3 H12 M8 6 H12 M2.5 11.5 H4 M8 11.5 H13.5 M4 10 V13 M8 10 V13 M4 10 H8 M4 13 H8",
  letters: "M2.5 3.5 C5.5 2.5 6.5 4.5 7.5 7 L10 13 C10.5 13.8 12 13.8 13 12.5 M7.3 7 L3.5 13.5",
  previous: "M10 3 L5 8 L10 13",
  next: "M6 3 L11 8 L6 13",
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
      label: "Picture shown large",
      help: "One picture on the whole stage, by its number; 0 shows all of them.",
      scale: "linear",
      step: 1,
      whole: true,
      low: 0,
      high: 15,
      value: 0
    }
  },
  labels: { digits: 6, zero: 1e-6 },
  modes: { most_labels: 160, most_values: 320 },
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

// js/numbers/memo.js
function latest(compute) {
  let last = null;
  return (...args) => {
    if (!last?.args.every((arg, i) => arg === args[i])) last = { args, value: compute(...args) };
    return last.value;
  };
}

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
function makeTheme(element2, type, previous = null) {
  const style2 = getComputedStyle(element2);
  const font = style2.getPropertyValue("--st-font") || "sans-serif";
  const read = (name, fallback) => parseColour(style2.getPropertyValue(name), fallback);
  const background = read("--st-background-color", [255, 255, 255]);
  const text = read("--st-text-color", [49, 51, 63]);
  const primary = read("--st-primary-color", [255, 75, 75]);
  const id = [background, text, primary, font, type].join("|");
  if (previous?.id === id) return previous;
  const dark = toLab(background)[0] < 0.5;
  const shared2 = contract_default.themes[dark ? "dark" : "light"];
  const colours = (list) => list.map((c) => parseColour(c));
  const classes = colours(shared2.classes);
  const middle = blend(background, dark ? [120, 130, 150] : [246, 247, 249], dark ? 0.12 : 0.5);
  const anchors = [...colours(shared2.cold), middle, ...colours(shared2.warm)];
  const faint = (colour) => blend(middle, colour, FADE.knee);
  const anchorsOf = (a, b2) => [a, faint(a), middle, faint(b2), b2];
  return {
    id,
    type,
    // pixels of the smallest letters
    dark,
    background,
    text,
    primary,
    middle,
    classes,
    line: parseColour(shared2.line),
    halo: background,
    ring: parseColour(shared2.halo),
    // around labelled points; `outline` is their thin edge on it
    outline: parseColour(shared2.outline),
    font,
    // Computed on first use: most stages need only one of the three.
    functions: latest(() => table(anchors)),
    pair: latest(() => table(anchorsOf(classes[0], classes[1]), fade)),
    shades: classes.map((c) => latest(() => shades(middle, c)))
  };
}
function shades(middle, colour) {
  const shade = (i) => blend(middle, colour, FADE.weakest + FADE.range * fade(i / STEPS));
  return Uint32Array.from({ length: STEPS + 1 }, (_2, i) => packed(shade(i)));
}
function gradient(colours, stops = 16) {
  const colourAt = (_2, i) => css(unpacked(colours[Math.round(i / stops * (colours.length - 1))]));
  const parts = Array.from({ length: stops + 1 }, colourAt);
  return `linear-gradient(to right, ${parts.join(", ")})`;
}

// js/paint/dom.js
function element(spec, attributes = {}, ...children) {
  const [tag, ...classes] = spec.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false)
      node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}
function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  set(node, attributes);
  node.append(...children);
  return node;
}
function svgBlob(root) {
  return new Blob([new XMLSerializer().serializeToString(root)], { type: "image/svg+xml" });
}
function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}
function icon(path, { fill = "none", stroke = "currentColor" } = {}) {
  const line = { stroke, "stroke-width": 1.5, "stroke-linejoin": "round", "stroke-linecap": "round" };
  const shape = svg("path", { d: path, fill, ...line });
  return svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, shape);
}
function tool(path, label2, onclick, word = null, attributes = {}) {
  const names = { type: "button", title: label2, "aria-label": label2 };
  const words = word === null ? [] : [element("span.word", {}, word)];
  return element("button.tool", { ...names, onclick, ...attributes }, icon(path), ...words);
}
function fit(views, count, make) {
  while (views.length > count) views.pop().node.remove();
  while (views.length < count) views.push(make(views.length));
}
function setLabel(node, label2) {
  set(node, { title: label2, "aria-label": label2 });
}
function show(node, visible) {
  node.style.display = visible ? "" : "none";
}
function check(nodes, chosen) {
  [...nodes].forEach((node, i) => {
    set(node, { "aria-checked": i === chosen, tabindex: i === Math.max(chosen, 0) ? 0 : -1 });
  });
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
function resetHint() {
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
  percentage: () => percentage,
  result: () => result,
  rightParts: () => rightParts,
  sharesOf: () => sharesOf,
  wrongPoints: () => wrongPoints
});

// js/numbers/labels.js
var labels_exports = {};
__export(labels_exports, {
  anyCandidates: () => anyCandidates,
  candidatesOf: () => candidatesOf,
  findLabel: () => findLabel,
  fromRow: () => fromRow,
  historyAt: () => historyAt,
  isOfRow: () => isOfRow,
  labelKey: () => labelKey,
  labelMany: () => labelMany,
  labelsAt: () => labelsAt,
  nameOf: () => nameOf,
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
function anyCandidates(labels) {
  return labels.some((label2) => label2.others?.length);
}
function isOfRow({ index }) {
  return index >= 0;
}
function labelKey(label2) {
  return isOfRow(label2) ? `i${label2.index}` : `f${rounded(label2.x)},${rounded(label2.y)}`;
}
function nameOf(row, { notes, position }) {
  return notes?.[position.get(row)]?.split("\n")[0] ?? `row ${row + 1}`;
}
function samePlace(a, b2) {
  if (isOfRow(a) || isOfRow(b2)) return a.index === b2.index;
  const equal = (p, q) => Math.abs(p - q) <= SAME * Math.max(Math.abs(p), Math.abs(q));
  return equal(a.x, b2.x) && equal(a.y, b2.y);
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
function toggle(labels, target, code, addCandidate = false) {
  const at = findLabel(labels, target);
  if (at < 0) return { labels: [...labels, newLabel(target, code)], action: "labelled" };
  const candidates = candidatesOf(labels[at]);
  if (candidates[0] === code && (!addCandidate || candidates.length === 1)) return remove(labels, target);
  const had = candidates.includes(code);
  const toggled = had ? candidates.filter((c) => c !== code) : [...candidates, code];
  const changed = withCandidates(labels[at], addCandidate ? toggled : [code]);
  const candidateAction = had ? "took a candidate from" : "added a candidate to";
  return { labels: labels.with(at, changed), action: addCandidate ? candidateAction : "changed" };
}
function withCandidates(label2, [code, ...others]) {
  return { ...label2, code, others: others.sort((a, b2) => a - b2) };
}
function labelMany(labels, targets, code, { addCandidate, most }) {
  const byRow = new Map(labels.map((label2, j) => [label2.index, j]));
  const result2 = [...labels];
  let [count, full] = [0, false];
  for (const target of targets) {
    const at = byRow.get(target.index);
    if (at === void 0) {
      full ||= result2.length >= most;
      if (full) continue;
      result2.push(newLabel(target, code));
    } else {
      const candidates = candidatesOf(result2[at]);
      if (candidates.includes(code) && (addCandidate || candidates.length === 1)) continue;
      result2[at] = withCandidates(result2[at], addCandidate ? [...candidates, code] : [code]);
    }
    count += 1;
  }
  return { labels: result2, count, full };
}
function newLabel({ x, y, index }, code) {
  const place = index >= 0 ? { x, y, index } : { x: rounded(x), y: rounded(y), index: -1 };
  return { ...place, code, others: [] };
}
function remove(labels, target) {
  return { labels: labels.filter((label2) => !samePlace(label2, target)), action: "removed" };
}
function labelsAt(labels, { xy, position }) {
  return labels.map((label2) => {
    const i = position.get(label2.index);
    if (i === void 0) return label2;
    const [x, y] = [xy[2 * i], xy[2 * i + 1]];
    const isThere = Math.fround(label2.x) === x && Math.fround(label2.y) === y;
    return isThere ? label2 : { ...label2, x, y };
  });
}
function historyAt({ past, present, future }, points) {
  const move = (labels) => labelsAt(labels, points);
  return { past: past.map(move), present: move(present), future: future.map(move) };
}
function relocated(labels, { xy, index }) {
  const rows = new Map(Array.from(index, (row, i) => [`${xy[2 * i]},${xy[2 * i + 1]}`, row]));
  const key = ({ x, y }) => `${Math.fround(x)},${Math.fround(y)}`;
  return labels.flatMap((label2) => {
    if (!isOfRow(label2)) return [label2];
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
var result = { code: 0, next: -1, score: -Infinity, other: -Infinity, margin: 0 };
function decodeAt(values, at, stride, k) {
  let [code, next, best, other] = [0, -1, -Infinity, -Infinity];
  if (k === 1) {
    code = values[at] > 0 ? 1 : 0;
    next = 1 - code;
    best = Math.abs(values[at]);
    other = -best;
  }
  for (let c = 0, p = at; c < k && k > 1; c++, p += stride) {
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
  result.code = code;
  result.next = next;
  result.score = best;
  result.other = other;
  result.margin = k > 1 ? best - other : best;
  return result;
}
var RULE = contract_default.accuracy;
function wrongPoints(values, k, points, labels) {
  const { truth, count, position } = points;
  const labelled = new Set(labels.map((label2) => position.get(label2.index)));
  const wrong = [];
  let total = 0;
  for (let i = 0; i < count; i++) {
    if (!(truth?.[i] >= 0) || labelled.has(i)) continue;
    total += 1;
    if (decodeAt(values, i, count, k).code !== truth[i]) wrong.push(i);
  }
  return { wrong, total };
}
function rightParts(share, about) {
  if (share === null) return ["", ""];
  const [before, after] = RULE.words.split("{}");
  return [before, (about ? "≈ " : "") + percentage(share) + after];
}
function percentage(share) {
  const value = 100 * share;
  const scaled = value * 10 ** RULE.digits;
  const down = Math.floor(scaled);
  const isHalf = scaled - down === 0.5 && Number.isInteger(value * 2 ** (RULE.digits + 1));
  return (isHalf && down % 2 === 0 ? down / 10 ** RULE.digits : value).toFixed(RULE.digits);
}

// js/paint/pen.js
function addCircle(context, x, y, r) {
  context.moveTo(x + r, y);
  context.arc(x, y, r, 0, 2 * Math.PI);
}
function addLines(context, corners) {
  corners.forEach(([x, y], i) => i ? context.lineTo(x, y) : context.moveTo(x, y));
}
function strokePath(context, style2, width) {
  Object.assign(context, { strokeStyle: style2, lineWidth: width });
  context.stroke();
}
function fillPath(context, style2) {
  context.fillStyle = style2;
  context.fill();
}
function fillAndStroke(context, fill, line, width) {
  fillPath(context, fill);
  strokePath(context, line, width);
}
function strokeWithHalo(context, theme, halo, width, style2, dash = null) {
  if (halo) strokePath(context, css(theme.halo, halo[1]), halo[0]);
  if (dash) context.setLineDash(dash);
  strokePath(context, style2, width);
  if (dash) context.setLineDash([]);
}
function drawText(context, theme, text, x, y, style2 = {}) {
  const { size = theme.type, bold = false, opacity = 1, align = "left", baseline = "alphabetic" } = style2;
  Object.assign(context, { font: `${bold ? "bold " : ""}${size}px ${theme.font}`, textAlign: align });
  Object.assign(context, { textBaseline: baseline, fillStyle: css(theme.text, opacity) });
  context.fillText(text, x, y, style2.room);
}
function withClip(context, boxes, draw2) {
  context.save();
  for (const { x, y, w, h } of boxes) {
    context.beginPath();
    context.rect(x, y, w, h);
    context.clip();
  }
  draw2();
  context.restore();
}

// js/paint/svg_pen.js
var ENDS = { left: "start", start: "start", center: "middle", right: "end", end: "end" };
var START = {
  ...{ fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, lineJoin: "miter", lineCap: "butt" },
  ...{ globalAlpha: 1, font: "12px sans-serif", textAlign: "left", textBaseline: "alphabetic" },
  imageSmoothingEnabled: true
};
var FULL = 6.28;
var newRuler = latest(() => document.createElement("canvas").getContext("2d"));
var SvgPath = class {
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
};
var SvgPen = class extends SvgPath {
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
    const text = words.trimEnd();
    const { width, fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = this.measureText(text);
    const shift = { top: up, middle: (up - down) / 2, bottom: -down }[this.textBaseline] ?? 0;
    const [, weight, size, family] = /^(bold |)([\d.]+)px (.*)$/.exec(this.font);
    this.add("text", {
      ...{ x: short(x), y: short(y + shift), "text-anchor": ENDS[this.textAlign] },
      ...{ "font-family": family, "font-size": size, ...weight && { "font-weight": "bold" } },
      // Its width on the page, or the room it has, also where its font is missing.
      ...{ textLength: short(Math.min(width, room)), lengthAdjust: "spacingAndGlyphs" },
      ...attributes
    }, text);
  }
};
function short(value) {
  return Math.round(100 * value) / 100;
}
function placeText(x, y) {
  return `${short(x)} ${short(y)}`;
}
function ink(property, colour) {
  const [, r, g, b2, alpha] = /^rgba\((\d+), (\d+), (\d+), ([\d.e-]+)\)$/.exec(colour) ?? [];
  if (r === void 0) return { [property]: colour };
  const hex = [r, g, b2].map((v2) => Number(v2).toString(16).padStart(2, "0")).join("");
  return { [property]: `#${hex}`, ...Number(alpha) < 1 && { [`${property}-opacity`]: alpha } };
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
    const inside2 = [];
    grid.near.forEach((nearness, p) => nearness === 255 && inside2.push(p));
    const isPart = inside2.length && inside2.length < grid.near.length;
    grid.inside = isPart ? Int32Array.from(inside2) : null;
  }
  return grid.inside;
}
var FAR = 128;
function farAt(grid, x, y) {
  if (!grid?.near) return false;
  const node = ([low2, high2, n], v2) => Math.min(Math.max(Math.round((v2 - low2) / (high2 - low2) * (n - 1)), 0), n - 1);
  return grid.near[node(grid.y, y) * grid.x[2] + node(grid.x, x)] < FAR;
}
function distanceToSegment([ax, ay], [bx, by]) {
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
var FARTHEST = 2 ** 30;
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
  const clamp2 = (value) => Math.min(Math.max(Math.round(value), 0), CELLS - 1);
  return [clamp2((x - x0) / dx), clamp2((y - y0) / dy)];
}
function toNumbers({ sheet, points }) {
  return [...sheet, ...points];
}
function fromParts({ sheet, points }) {
  return { sheet, points: Array.from(points) };
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
  const valid = [dx, dy].every((step) => step >= 1e-30 && step <= 1e30);
  if (!valid || !(Math.abs(x0) <= FARTHEST * dx && Math.abs(y0) <= FARTHEST * dy))
    throw new Error("The sheet of the drawing is empty or too far from the origin.");
  return [x0, y0, dx, dy];
}
function sameSheet(previous, scene) {
  return Boolean(previous?.drawing && scene.drawing) && same(previous.drawing.sheet, scene.drawing.sheet);
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
    const [along, distance, angle] = [random(), radius * Math.sqrt(random()), 2 * Math.PI * random()];
    return [
      ax + along * (bx - ax) + distance * Math.cos(angle),
      ay + along * (by - ay) + distance * Math.sin(angle)
    ];
  });
}
function painted(points, places, sheet, code, labelled) {
  const [x0, y0, dx, dy] = sheet;
  const onSheet = places.filter(([x, y]) => {
    const [column, row] = [(x - x0) / dx, (y - y0) / dy];
    return column > -0.5 && row > -0.5 && column < CELLS - 0.5 && row < CELLS - 0.5;
  });
  const room = Math.max(MOST - points.length, 0);
  const group = groupFor(code, labelled);
  const added = onSheet.slice(0, room).map(([x, y]) => pointOf(...cellAt(x, y, sheet), group));
  return [[...points, ...added], onSheet.length > room];
}
function touchedBy(points, sheet, toPixel, a, b2, radius) {
  const distance = distanceToSegment(a, b2);
  const isTouched2 = (point) => distance(...toPixel(...placeOf(point, sheet))) <= radius;
  return points.flatMap((point, i) => isTouched2(point) ? [i] : []);
}
function nearestTo(points, sheet, toPixel, place, reach) {
  const distance = distanceToSegment(place, place);
  const distances = points.map((point) => distance(...toPixel(...placeOf(point, sheet))));
  const least = Math.min(...distances);
  return least <= reach ? [distances.lastIndexOf(least)] : [];
}
function without(points, positions) {
  const removed = new Set(positions);
  return points.filter((_2, i) => !removed.has(i));
}
function moved(points, positions, sheet, [dx, dy]) {
  const result2 = [...points];
  for (const i of positions) {
    const [x, y] = placeOf(points[i], sheet);
    result2[i] = pointOf(...cellAt(x + dx, y + dy, sheet), groupOf(points[i]));
  }
  return result2;
}
function pointsFrom({ xy, index, truth }, labels, sheet, most) {
  const byRow = new Map(labels.filter((l) => l.index >= 0).map((label2) => [label2.index, label2.code]));
  const [labelled, unlabelled] = [[], []];
  for (const { index: row, x, y, code } of labels)
    if (row < 0) labelled.push(pointOf(...cellAt(x, y, sheet), groupFor(code, true)));
  index.forEach((row, i) => {
    const cell = cellAt(xy[2 * i], xy[2 * i + 1], sheet);
    const code = byRow.get(row);
    if (code !== void 0) labelled.push(pointOf(...cell, groupFor(code, true)));
    else unlabelled.push(pointOf(...cell, groupFor(truth?.[i] ?? -1, false)));
  });
  const room = Math.max(most - labelled.length, 0);
  const stride = Math.max(unlabelled.length / Math.max(room, 1), 1);
  const count = Math.min(room, unlabelled.length);
  const thinned = Array.from({ length: count }, (_2, i) => unlabelled[Math.floor(i * stride)]);
  return [...labelled.slice(0, most), ...thinned];
}
function asTable({ points, sheet }) {
  const rows = [...points].sort(mortonOrder).map((point) => {
    const code = codeOf(point);
    return [...placeOf(point, sheet), code < 0 ? "" : `class ${code + 1}`, isLabel(point) ? 1 : 0].join(",");
  });
  return `x,y,class,labelled
${rows.map((row) => `${row}
`).join("")}`;
}
function mortonOrder(p, q) {
  const [[a, b2], [c, d]] = [p, q].map((point) => [point % CELLS, Math.floor(point / CELLS) % CELLS]);
  const [across, up] = [a ^ c, b2 ^ d];
  const byColumn = up < across && up < (up ^ across);
  return groupOf(p) - groupOf(q) || (byColumn ? a - c : b2 - d);
}

// js/paint/marks.js
var DOTS = contract_default.dots;
var MANY = 1500;
var CROWD = 600;
var CENTRED = { align: "center", baseline: "middle" };
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
function cross(rotation) {
  const [w, r] = [0.42, 1.2];
  const corners = [[w, w], [w, r], [-w, r]].map(([x, y]) => [Math.atan2(y, x), Math.hypot(x, y)]);
  return [0, 1, 2, 3].flatMap(
    (quarter) => corners.map(([angle, radius]) => spoke(angle + rotation + quarter * Math.PI / 2, radius))
  );
}
function addShape(context, code, x, y, r) {
  const corners = CORNERS[SHAPES[(code + Math.floor(code / SHAPES.length)) % SHAPES.length]];
  if (!corners) return addCircle(context, x, y, r);
  addLines(context, corners.map(([u, v2]) => [x + r * u, y + r * v2]));
  context.closePath();
}
function shapePath(code, r = 5) {
  const path = new SvgPath();
  addShape(path, code, 8, 8, r);
  return path.data;
}
function dotRadius(count, box) {
  const radius = 0.06 * Math.min(box.w, box.h) / Math.sqrt(Math.max(count, 9));
  return Math.min(Math.max(radius, 0.9), 2.6);
}
function drawDots(context, points, view, box, theme) {
  const r = dotRadius(points.count, box);
  context.beginPath();
  eachVisible(points, view, box, r, (x, y) => addCircle(context, x, y, r));
  fillPath(context, css(theme.line, points.count > DOTS.many ? DOTS.alpha_many : DOTS.alpha));
}
function drawLandmarks(context, xy, view, box, theme) {
  if (!xy?.length) return;
  const count = xy.length / 2;
  const r = count > CROWD ? 1.7 : box.w < 220 || count > 200 ? 2.4 : 3.2;
  context.beginPath();
  eachVisible({ xy, count }, view, box, r, (x, y) => addCircle(context, x, y, r));
  fillAndStroke(context, css(theme.halo), css(theme.line), r > 2 ? 1.2 : 0.9);
}
function drawKnown(context, { known, points }, view, box, theme) {
  const drawn = known.map((row) => points.position.get(row)).filter((i) => i !== void 0);
  if (!drawn.length) return;
  const r = box.w < 220 || drawn.length > 200 ? 3.2 : 4.8;
  context.beginPath();
  const circle = (x, y) => addCircle(context, x, y, r);
  eachVisible({ xy: points.xy, count: drawn.length }, view, box, 0, circle, drawn);
  strokeWithHalo(context, theme, [3.5, 0.85], 1.6, css(theme.text));
}
function drawColoured(context, points, words, view, box, theme, quick) {
  const r = Math.min(Math.max(dotRadius(points.count, box) * DOTS.enlarged, 2.2), 5);
  const squares = quick && points.count > MANY;
  const groups = /* @__PURE__ */ new Map();
  eachVisible(points, view, box, r, (x, y, i) => {
    const group = groups.get(words[i]);
    if (group) group.push([x, y]);
    else groups.set(words[i], [[x, y]]);
  });
  for (const [word, places] of groups) {
    context.beginPath();
    for (const [x, y] of places) {
      if (squares) context.rect(x - 0.89 * r, y - 0.89 * r, 1.77 * r, 1.77 * r);
      else addCircle(context, x, y, r);
    }
    fillPath(context, css(unpacked(word), 0.95));
    if (points.count <= MANY) strokePath(context, css(theme.line, 0.35), 0.5);
  }
}
function inside({ x, y, w, h }, px, py, margin = 0) {
  return px >= x - margin && py >= y - margin && px <= x + w + margin && py <= y + h + margin;
}
function eachVisible({ xy, count }, view, box, margin, visit, order = null) {
  const [x0, x1, y0, y1] = view.range;
  const sx = box.w / (x1 - x0);
  const sy = box.h / (y1 - y0);
  for (let k = 0; k < count; k++) {
    const i = order ? order[k] : k;
    const x = box.x + (xy[2 * i] - x0) * sx;
    const y = box.y + (y1 - xy[2 * i + 1]) * sy;
    if (inside(box, x, y, margin)) visit(x, y, i);
  }
}
function signedWords(values, top, colours) {
  const words = new Uint32Array(values.length);
  for (let i = 0; i < words.length; i++) {
    const t = Math.round(Math.min(Math.max(values[i] / top, -1), 1) * 32) / 32;
    words[i] = colours[Math.round(STEPS * (1 + (t || 0)))];
  }
  return words;
}
function winnerWords(values, k, top, shades2) {
  const n = values.length / k;
  const words = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    const { code, margin } = decodeAt(values, i, n, k);
    const t = Math.ceil(Math.min(margin / top, 1) * 8) / 8;
    words[i] = shades2[code % shades2.length][Math.round(STEPS * (t || 0))];
  }
  return words;
}
function drawErrors(context, { xy, count }, wrong, view, box, theme) {
  if (!wrong.length) return;
  const few = wrong.length <= DOTS.few;
  const r = dotRadius(count, box) + (few ? DOTS.cross : DOTS.cross_many);
  context.beginPath();
  const addCross = (x, y) => {
    addLines(context, [[x - r, y - r], [x + r, y + r]]);
    addLines(context, [[x - r, y + r], [x + r, y - r]]);
  };
  eachVisible({ xy, count: wrong.length }, view, box, r, addCross, wrong);
  strokeWithHalo(context, theme, few ? [2.6, 0.7] : null, few ? 1.3 : 0.8, css(theme.line, few ? 0.95 : 0.6));
}
function labelRadius(labels, box) {
  return box.w < 220 || labels.length > 40 ? 4.2 : 6;
}
function drawLabels(context, labels, view, box, theme) {
  const r = labelRadius(labels, box);
  context.lineJoin = "round";
  for (const { x, y, code, others, opacity = 1 } of labels) {
    const [px, py] = view.toPixel(x, y, box);
    if (!inside(box, px, py, r)) continue;
    context.globalAlpha = opacity;
    context.beginPath();
    addShape(context, code, px, py, r);
    strokePath(context, css(theme.ring, 0.95), 0.75 * r);
    fillAndStroke(context, classColour(theme, code), css(theme.outline), r > 5 ? 1.4 : 1);
    if (others?.length) drawSlices(context, [code, ...others], px, py, r, theme);
  }
  context.globalAlpha = 1;
}
function drawSlices(context, codes, x, y, r, theme) {
  const [radius, angle] = [1.25 * r, 2 * Math.PI / codes.length];
  codes.forEach((code, i) => {
    const start = -Math.PI / 2 + i * angle;
    context.beginPath();
    context.moveTo(x, y);
    context.arc(x, y, radius, start, start + angle);
    context.closePath();
    fillAndStroke(context, classColour(theme, code), css(theme.outline), r > 5 ? 1.4 : 1);
  });
}
function drawCross(context, x, y, box, theme) {
  const [u, v2] = [Math.round(x) + 0.5, Math.round(y) + 0.5];
  context.beginPath();
  addLines(context, [[u, box.y], [u, box.y + box.h]]);
  addLines(context, [[box.x, v2], [box.x + box.w, v2]]);
  strokeWithHalo(context, theme, null, 1, css(theme.line, 0.45), [3, 3]);
}
function drawRing(context, x, y, theme, strong) {
  context.beginPath();
  addCircle(context, x, y, strong ? 10 : 8.5);
  if (strong) strokeWithHalo(context, theme, [4.5, 0.85], 2.2, css(theme.primary));
  else strokeWithHalo(context, theme, [3.5, 0.85], 1.4, css(theme.text, 0.85));
}
function drawNext(context, { marked, points }, view, box, theme) {
  const i = points.position.get(marked ?? -1) ?? -1;
  if (i < 0) return;
  const [x, y] = view.toPixel(points.xy[2 * i], points.xy[2 * i + 1], box);
  if (!inside(box, x, y)) return;
  context.beginPath();
  addCircle(context, x, y, 9);
  fillPath(context, css(theme.background, 0.9));
  strokeWithHalo(context, theme, [4, 0.9], 2, css(theme.primary));
  drawText(context, theme, "?", x, y + 1, { size: 13, bold: true, ...CENTRED });
}
function drawPath(context, path, code, share, theme) {
  const width = 1 + 5 * Math.abs(share);
  context.save();
  Object.assign(context, { lineJoin: "round", lineCap: "round" });
  context.beginPath();
  addLines(context, path);
  strokePath(context, css(theme.ring, 0.85), width + 2.2);
  if (share < 0) context.setLineDash([2, 2 * width]);
  strokePath(context, classColour(theme, code), width);
  context.restore();
}
function drawChip(context, text, x, y, box, theme) {
  drawPlate(context, text, theme.type, [10, 6], theme, [0.88, 1], (w, h) => {
    return [Math.min(x + 8, box.x + box.w - w - 2), Math.max(y - h - 7, box.y + 2), 4];
  });
}
function drawInvitation(context, { box, theme }, anywhere) {
  const text = box.w < 180 ? "click to label" : anywhere ? "click anywhere to label" : "click a point to label it";
  drawPlate(context, text, theme.type + 1, [24, 15], theme, [0.82, 0.75], (w, h) => {
    return [box.x + (box.w - w) / 2, box.y + (box.h - h) / 2, h / 2];
  });
}
function drawPlate(context, text, size, [beside, above], theme, opacities, place) {
  context.font = `${size}px ${theme.font}`;
  const [w, h] = [context.measureText(text).width + beside, size + above];
  const [x, y, round] = place(w, h);
  context.beginPath();
  context.roundRect(x, y, w, h, round);
  fillPath(context, css(theme.background, opacities[0]));
  drawText(context, theme, text, x + w / 2, y + h / 2 + 0.5, { size, opacity: opacities[1], ...CENTRED });
}
var FEW = 800;
function drawPoints(context, { points, sheet }, { view, box, theme }) {
  const few = points.length <= FEW;
  const r = Math.min(Math.max(1.5 * dotRadius(points.length, box), few ? 2.2 : 1.2), 4);
  for (let code = -1; code < CLASSES; code++) {
    const ofClass = points.filter((point) => codeOf(point) === code);
    if (!ofClass.length) continue;
    context.beginPath();
    for (const point of ofClass) {
      const [x, y] = view.toPixel(...placeOf(point, sheet), box);
      addShape(context, isLabel(point) ? code : 0, x, y, isLabel(point) ? 2 * r : r);
    }
    const line = code < 0 ? css(theme.halo, 0.8) : css(theme.outline, 0.75);
    if (few) fillAndStroke(context, classColour(theme, code), line, 0.8);
    else fillPath(context, classColour(theme, code));
  }
}
function drawCursor(context, [x, y], { tool: tool2, radius, code = -1 }, theme) {
  context.beginPath();
  addCircle(context, x, y, Math.max(radius, 3));
  const style2 = tool2 === "brush" && code >= 0 ? classColour(theme, code) : css(theme.text);
  strokeWithHalo(context, theme, [3.5, 0.8], 1.5, style2, tool2 === "eraser" ? [4, 3] : []);
}

// js/hands/hover.js
var hover_exports = {};
__export(hover_exports, {
  describe: () => describe,
  drawHover: () => drawHover,
  placeTip: () => placeTip,
  portrait: () => portrait,
  valueText: () => valueText
});

// js/numbers/formulas.js
var formulas_exports = {};
__export(formulas_exports, {
  compileFilters: () => compileFilters,
  compileFormula: () => compileFormula
});
var OPERATIONS = {
  "+": (x, y) => x + y,
  "-": (x, y) => x - y,
  "*": (x, y) => x * y,
  "/": (x, y) => x / y,
  "**": (x, y) => x ** y,
  "<": (x, y) => x < y ? 1 : 0,
  "<=": (x, y) => x <= y ? 1 : 0,
  ">": (x, y) => x > y ? 1 : 0,
  ">=": (x, y) => x >= y ? 1 : 0,
  "==": (x, y) => x === y ? 1 : 0,
  minimum: Math.min,
  maximum: Math.max,
  neg: (x) => -x,
  exp: Math.exp,
  sqrt: Math.sqrt,
  expm1: Math.expm1,
  log: Math.log,
  log1p: Math.log1p,
  abs: Math.abs,
  floor: Math.floor,
  if: (test, yes, no) => test !== 0 ? yes : no
};
function compileFormula(tree, names, constants = {}) {
  try {
    return asFunction(compiled(tree, names, constants));
  } catch {
    return null;
  }
}
function asFunction(part) {
  return typeof part === "number" ? () => part : part;
}
function compiled(node, names, constants) {
  if (Number.isFinite(node)) return node;
  if (typeof node === "string" && Object.hasOwn(constants, node)) return constants[node];
  const at = names.indexOf(node);
  if (at >= 0) return (values) => values[at];
  const [operation, ...operands] = Array.isArray(node) ? node : [];
  const run = Object.hasOwn(OPERATIONS, operation) && OPERATIONS[operation];
  if (!run || run.length !== operands.length) throw new Error(`unknown: ${JSON.stringify(node)}`);
  const parts = operands.map((operand) => compiled(operand, names, constants));
  if (parts.every((part) => typeof part === "number")) return run(...parts);
  const [a, b2, c] = parts.map(asFunction);
  if (c) return (values) => run(a(values), b2(values), c(values));
  return b2 ? (values) => run(a(values), b2(values)) : (values) => run(a(values));
}
var NAMES = ["lam", "gamma", "gamma1"];
function compileFilters(filters) {
  const compile = ([name, { label: label2, formula }]) => {
    const run = compileFormula(formula, NAMES);
    return [name, { label: label2, h: run && ((...values) => run(values)) }];
  };
  return Object.fromEntries(Object.entries(filters).map(compile));
}

// js/numbers/linalg.js
var linalg_exports = {};
__export(linalg_exports, {
  applySpectral: () => applySpectral,
  centreBoth: () => centreBoth,
  centreRows: () => centreRows,
  mix: () => mix,
  mixEach: () => mixEach,
  product: () => product,
  rowsOf: () => rowsOf,
  sample: () => sample,
  solvePositive: () => solvePositive,
  transposed: () => transposed
});
function applySpectral({ values, vectors }, weight, y, k) {
  const n = values.length;
  const weights = values.map((s) => weight(s));
  const weighted = product(vectors, y, n, k).map((c, at) => c * weights[at / k | 0]);
  return product(transposed(vectors, n), weighted, n, k);
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
function transposed(a, n) {
  const m = a.length / n;
  return a.map((_2, at) => a[at % n * m + (at / n | 0)]);
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
var sums = new Float64Array(0);
function mix(out, rows, weights, k, shift = null) {
  const width = out.length / k;
  if (sums.length !== width) sums = new Float64Array(width);
  for (let o = 0; o < k; o++) {
    sums.fill(shift ? shift[o] : 0);
    for (let i = 0; i < rows.length; i++) {
      const w = weights[i * k + o];
      if (w === 0) continue;
      const row = rows[i];
      for (let p = 0; p < width; p++) sums[p] += w * row[p];
    }
    out.set(sums, o * width);
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

// js/numbers/ridge.js
var MOST_LABELS = 400;
var ARGUMENTS = {
  r2: (a, b2) => (a.x - b2.x) ** 2 + (a.y - b2.y) ** 2,
  u: (a, b2) => a.x * b2.x + a.y * b2.y
};
var RidgeModel = class {
  // spec: {formula, argument, values, floor} of the panel; floor is the smallest ridge, relative to the
  // kernel's size, that keeps two labels in one place solvable.
  constructor(spec, { grid, points, classes, mu }) {
    const nClasses = classes.length;
    const { formula, argument, values, floor } = spec;
    const argumentOf = Object.hasOwn(ARGUMENTS, argument) ? ARGUMENTS[argument] : null;
    const kernel = argumentOf && compileFormula(formula, [argument], values);
    Object.assign(this, { argumentOf, kernel, floor, grid, points, nClasses, mu });
    Object.assign(this, { outputs: outputsOf(nClasses), prepared: null, places: {} });
    this.columns = columnsFor(points, JSON.stringify([formula, argument, values]));
  }
  evaluate({ labels, lam }, out) {
    if (!this.kernel || anyCandidates(labels)) return false;
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
  // See ModesModel.
  labelWeights(point, { labels, lam }) {
    if (!this.kernel || !labels.length || labels.length > MOST_LABELS || anyCandidates(labels)) return null;
    const kernelRow = Float64Array.from(labels, (label2) => this.column("points", label2)[point]);
    return this.solve(labels, lam, kernelRow, 1);
  }
  prepare(labels) {
    if (this.prepared && sameLabels(this.prepared.labels, labels)) return this.prepared;
    const n = labels.length;
    const gram = new Float64Array(n * n).map((_2, at) => this.k(labels[at % n], labels[at / n | 0]));
    const size = gram.reduce((most, g) => Math.max(most, Math.abs(g)), 1);
    const codes = codesOf(labels, this.nClasses);
    this.prepared = { labels, gram, codes, floor: this.floor * size };
    const keys = new Set(labels.map(labelKey));
    for (const name of this.columns.keys()) if (!keys.has(name.slice(1))) this.columns.delete(name);
    return this.prepared;
  }
  k(place, label2) {
    return this.kernel([this.argumentOf(place, label2)]);
  }
  column(kind, label2) {
    const name = kind[0] + labelKey(label2);
    const places = this.places[kind] ??= kind === "grid" ? nodesOf(this.grid) : pointsOf(this.points);
    if (!this.columns.has(name)) {
      const values = new Float64Array(places.length).map((_2, p) => this.k(places[p], label2));
      this.columns.set(name, values);
    }
    return this.columns.get(name);
  }
};
var columnsFor = latest(() => /* @__PURE__ */ new Map());
function nodesOf({ x: [x0, x1, nx], y: [y0, y1, ny] }) {
  return Array.from({ length: nx * ny }, (_2, p) => {
    return { x: x0 + (x1 - x0) * (p % nx) / (nx - 1), y: y0 + (y1 - y0) * Math.floor(p / nx) / (ny - 1) };
  });
}
function pointsOf({ xy, count }) {
  return Array.from({ length: count }, (_2, i) => ({ x: xy[2 * i], y: xy[2 * i + 1] }));
}

// js/hands/reasons.js
var MOST2 = 4;
var LEAST = 0.02;
function reasonsAt({ point }, panel, { settings, scene }) {
  const { hasNote, frozen, waiting, kind } = panel;
  if (point < 0 || hasNote || frozen || waiting || kind !== "classes") return [];
  const weights = panel.model?.labelWeights(point, settings);
  const total = weights?.reduce((sum, weight) => sum + Math.abs(weight), 0);
  if (!(total > 0)) return [];
  return settings.labels.map((label2, j) => ({ label: label2, share: weights[j] / total })).filter(({ share }) => Math.abs(share) >= LEAST).sort((a, b2) => Math.abs(b2.share) - Math.abs(a.share)).slice(0, MOST2).map((reason) => ({ ...reason, ...pathTo(reason.label, point, panel, scene.points) }));
}
function pathTo(label2, point, panel, { xy, paths, position }) {
  const placeOf2 = (i2) => [xy[2 * i2], xy[2 * i2 + 1]];
  const i = position.get(label2.index);
  const place = i === void 0 ? [label2.x, label2.y] : placeOf2(i);
  if (!paths || panel.model instanceof RidgeModel) return { place, path: [placeOf2(point), place] };
  const points = paths.between(point, i ?? paths.nearest(...place));
  return { place, path: points && [...points.map(placeOf2), place] };
}
function reasonLines(reasons, { point }, panel, { labels, scene }) {
  if (!reasons.length && point >= 0 && labels.length && !panel.frozen) return noSharesLines(panel);
  const parts = reasons.map(({ label: label2, share }) => `${percent(share)} ${label2.index < 0 ? "one in empty space" : nameOf(label2.index, scene.points)}`);
  return parts.length ? [`from labels: ${parts.join(", ")}`] : [];
}
function noSharesLines({ kind, hasNote, panel, model }) {
  if (kind !== "classes" || hasNote || model) return [];
  if (!panel.depends.includes("lam")) return ["from labels: along the edges of the graph, not by shares"];
  return ["from labels: the browser has no shares of this estimate"];
}
function percent(share) {
  return `${share < 0 ? "−" : ""}${Math.round(100 * Math.abs(share))} %`;
}
function drawPaths(context, { view, box, theme }, reasons) {
  for (const { label: label2, share, path } of reasons)
    if (path) drawPath(context, path.map(([x, y]) => view.toPixel(x, y, box)), label2.code, share, theme);
}
function drawShares(context, { view, box, theme }, reasons) {
  for (const { share, place } of reasons)
    drawChip(context, percent(share), ...view.toPixel(...place, box), box, theme);
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
    const share = images[point * size + p] / 255;
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
  const canvases = canvasesFor(images, theme);
  for (const [i, x, y] of spread(points, view, box)) {
    const { code } = decodeAt(values, i, count, outputs);
    context.beginPath();
    context.rect(x - w / 2 - FRAME, y - h / 2 - FRAME, w + 2 * FRAME, h + 2 * FRAME);
    fillPath(context, classColour(theme, code));
    context.imageSmoothingEnabled = false;
    if (!canvases.has(i)) canvases.set(i, imageOf(images, i, theme));
    context.drawImage(canvases.get(i), x - w / 2, y - h / 2, w, h);
  }
}
var canvasesFor = latest(() => /* @__PURE__ */ new Map());
function spread(points, view, box) {
  const cells = /* @__PURE__ */ new Map();
  eachVisible(points, view, box, -SIDE / 2, (x, y, i) => {
    const [a, b2] = [Math.floor((x - box.x) / CELL), Math.floor((y - box.y) / CELL)];
    const distance = Math.hypot(x - box.x - (a + 0.5) * CELL, y - box.y - (b2 + 0.5) * CELL);
    const key = `${a},${b2}`;
    if (!(cells.get(key)?.distance <= distance)) cells.set(key, { distance, point: [i, x, y] });
  });
  const chosen = [];
  for (const { point } of [...cells.values()].sort((a, b2) => a.distance - b2.distance)) {
    const [, u, v2] = point;
    const apart = ([, x, y]) => Math.max(Math.abs(x - u), Math.abs(y - v2)) > SIDE + 2 * FRAME + 3;
    if (chosen.every(apart)) chosen.push(point);
  }
  return chosen;
}

// js/numbers/view.js
var view_exports = {};
__export(view_exports, {
  View: () => View,
  counted: () => counted,
  numeral: () => numeral,
  roundedForLink: () => roundedForLink,
  savedViews: () => savedViews,
  short: () => short2,
  ticks: () => ticks
});
var ZERO = contract_default.labels.zero;
var savedViews = /* @__PURE__ */ new Map();
var View = class {
  static ZOOM = [0.5, 200];
  // limits of the zoom
  static LEAST_SHARE = 0.6;
  // of the data that could be visible along either axis: together over a third
  constructor(name, base) {
    Object.assign(this, { name, base, zoom: 1, centre: middleOf(base) });
    const saved2 = savedViews.get(name);
    if (saved2 && same(saved2.base, base)) Object.assign(this, saved2);
    this.limit();
  }
  // In another plane the whole picture is in view again: the zoom was one of the old coordinates.
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
  // A place with coordinates that are tiny compared to the whole view set to 0.
  snap(...place) {
    return place.map((value, axis) => Math.abs(value) < ZERO * 2 * this.half[axis] ? 0 : value);
  }
  // Zoom by a factor around the place (x, y).
  zoomAt(factor, x = this.centre[0], y = this.centre[1]) {
    const zoom = this.limitedZoom(this.zoom * factor);
    const ratio = this.zoom / zoom;
    this.lookAt(zoom, x + (this.centre[0] - x) * ratio, y + (this.centre[1] - y) * ratio);
  }
  limitedZoom(zoom) {
    const [farthest, closest] = this.constructor.ZOOM;
    return Math.min(Math.max(zoom, farthest), closest);
  }
  // Move as far as the limit allows; returns false if the limit was reached.
  pan(dx, dy) {
    this.centre = [this.centre[0] + dx, this.centre[1] + dy];
    const complete = this.limit();
    this.save();
    return complete;
  }
  // Keep the data in view; returns true if nothing had to change.
  limit() {
    const requested = this.centre;
    const middle = middleOf(this.base);
    this.centre = this.half.map(Math.abs).map((h, axis) => {
      const visible = h / this.zoom;
      const most = visible + h - 2 * this.constructor.LEAST_SHARE * Math.min(visible, h);
      return Math.min(Math.max(requested[axis], middle[axis] - most), middle[axis] + most);
    });
    return this.centre.every((c, axis) => c === requested[axis]);
  }
  // Set zoom and centre.
  lookAt(zoom, x, y) {
    this.zoom = this.limitedZoom(zoom);
    this.centre = [x, y];
    this.limit();
    this.save();
  }
  reset() {
    Object.assign(this, { centre: middleOf(this.base), zoom: 1 });
    this.save();
  }
  save() {
    savedViews.set(this.name, { ...this });
  }
};
function middleOf([x0, x1, y0, y1]) {
  return [(x0 + x1) / 2, (y0 + y1) / 2];
}
var ENOUGH = 3;
function ticks(lo, hi, count, most = count, shown = () => true) {
  const rough = (hi - lo) / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const multiple = [1, 2, 5, 10].find((m) => m * power >= rough) ?? 10;
  let chosen = roundValues(lo, hi, multiple * power);
  for (const m of [5, 2, 1, 0.5, 0.2, 0.1]) {
    if (chosen.values.filter(shown).length >= ENOUGH) break;
    if ((hi - lo) / (m * power) > most) break;
    if (m < multiple) chosen = roundValues(lo, hi, m * power);
  }
  return chosen;
}
function roundValues(lo, hi, step) {
  const out = [];
  for (let k = Math.ceil(lo / step); k * step <= hi + 1e-9 * step; k++) out.push(k * step);
  return { values: out, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), step };
}
function roundedForLink(value) {
  return Number(value.toPrecision(4));
}
function counted(n, word) {
  return `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
}
function short2(value, digits = 3) {
  if (!Number.isFinite(value)) return "–";
  return numeral(value, digits, Math.max(digits - 2, 0)).replaceAll("-", "−");
}
function numeral(value, digits, decimals) {
  const size = Math.abs(value);
  if (size === 0 || size >= 1e-3 && size < 1e5) return String(Number(value.toPrecision(digits)));
  return value.toExponential(decimals).replace(/\.?0+e/, "e").replace("e+", "e");
}

// js/hands/hover.js
function valueText(values, scene, kind = scene.kind) {
  if (!values) return null;
  const { classes } = scene;
  const [v2] = values;
  const { code, next, margin } = decodeAt(values, 0, 1, values.length);
  if (values.length === 1) {
    if (kind !== "classes") return { text: short2(v2), long: `value ${short2(v2, 4)}` };
    if (margin === 0) return { text: "0 → tie", long: "score 0 → tie between classes" };
    const name2 = classes[code] ?? (code ? "+" : "−");
    return { text: `${short2(v2, 2)} → ${name2}`, long: `score ${short2(v2, 3)} → ${name2}` };
  }
  if (margin === 0) return { text: "tie", long: "tie between classes" };
  const name = classes[code] ?? String(code);
  const second = classes[next] ?? next;
  return { text: name, long: `${name}, score ${short2(margin, 2)} above that of ${second}` };
}
function describe(target, panel, stage, reasons) {
  const { scene, labels } = stage;
  const lines = [placeText2(target, stage)].filter(Boolean);
  const remarks = [];
  const value = valueText(panel.valuesAt(target, scene.points), scene, panel.kind);
  if (value) lines.push(panel.field?.constant ? `${value.long}, the same everywhere` : value.long);
  if (target.point < 0 && farAt(scene.grid, target.x, target.y)) lines.push("far from the data");
  if (target.point >= 0) {
    const truth = scene.points.truth?.[target.point] ?? -1;
    const trueClass = truth >= 0 ? `, true class ${scene.classes[truth] ?? truth}` : "";
    const { notes, index } = scene.points;
    lines.push(`${nameOf(index[target.point], scene.points)}${trueClass}`);
    remarks.push(...notes?.[target.point]?.split("\n").slice(1) ?? []);
  }
  const at = findLabel(labels, target);
  if (at >= 0) {
    const names = candidatesOf(labels[at]).map((code) => scene.classes[code] ?? code);
    lines.push(`labelled ${names.join(" or ")}`);
  }
  return [...lines, ...reasonLines(reasons, target, panel, stage), ...remarks];
}
function placeText2({ x, y, point }, { scene, view }) {
  if (scene.space) return point >= 0 ? scene.space.coordinates(point) : "";
  return view.snap(x, y).map((c) => short2(c)).join(", ");
}
function drawHover(context, options, panel, target, { strong, chip }) {
  const { view, box, theme, scene } = options;
  const [x, y] = view.toPixel(target.x, target.y, box);
  if (!scene.space) drawCross(context, x, y, box, theme);
  if (target.snapped || strong) drawRing(context, x, y, theme, strong);
  const values = chip && panel.valuesAt(target, scene.points);
  const value = values && valueText(values, scene, panel.kind);
  if (value) drawChip(context, value.text, x, y, box, theme);
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
function placeTip(tip, lines, [x, y], size, image, uncovered) {
  const text = lines.flatMap((line, i) => i ? [document.createElement("br"), line] : [line]);
  tip.replaceChildren(...image ? [image] : [], ...text);
  tip.style.display = "block";
  const [w, h] = [tip.offsetWidth, tip.offsetHeight];
  const clamp2 = (position, room) => Math.max(2, Math.min(position, room - 2));
  const places = [y + 14, y - 14 - h].flatMap(
    (top2) => [x + 14, x - 14 - w].map((left3) => [clamp2(left3, size.width - w), clamp2(top2, size.height - h)])
  );
  const covered = places.map(([left3, top2]) => {
    const covers = ([u, v2]) => u > left3 && u < left3 + w && v2 > top2 && v2 < top2 + h;
    return uncovered.filter(covers).length + (covers([x, y]) ? Infinity : 0);
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
var BUSY = 9e5;
function markRadius(count, box) {
  return Math.min(Math.max(LARGER * dotRadius(count, box) * DOTS2.enlarged, 2), 5);
}
var Cloud = class {
  constructor() {
    this.stamps = /* @__PURE__ */ new Map();
    this.name = "";
  }
  // Prepare for painting the panels with these options.
  prepare({ scene, view, box, ratio, theme, count, moving }) {
    const { space, points } = scene;
    const radius = markRadius(points.count, box);
    const work = points.count * count * (2 * radius * ratio + 1) ** 2;
    const scale = moving && work > BUSY ? Math.min(ratio, 1) : ratio;
    const name = [space.rotations, box.w, box.h, scale, theme.id, ...view.range].join();
    if (name === this.name && this.space === space) return;
    Object.assign(this, { name, space, scale, theme });
    this.width = Math.max(1, Math.round(box.w * scale));
    this.height = Math.max(1, Math.round(box.h * scale));
    const depths = Array.from({ length: LAYERS }, (_2, layer) => (layer + 0.5) / LAYERS);
    this.discs = depths.map((depth) => this.stamp(radius * scale * space.scale(depth)));
    this.fades = depths.map((depth) => Math.round(256 * FADED * (1 - depth) ** 1.3));
    this.place(points, view);
  }
  // Place the stamps in the picture; marks that are not completely inside are left out.
  place({ xy, count }, view) {
    const [x0, x1, y0, y1] = view.range;
    const [sx, sy] = [this.width / (x1 - x0), this.height / (y1 - y0)];
    const { near, order } = this.space;
    this.corner = new Int32Array(count);
    this.layer = new Uint8Array(count);
    this.shift = new Uint8Array(count);
    this.item = new Uint32Array(count);
    let visible = 0;
    for (let k = 0; k < count; k++) {
      const i = order[k];
      const layer = Math.min(Math.max(near[i] * LAYERS | 0, 0), LAYERS - 1);
      const { half } = this.discs[layer];
      const x = (xy[2 * i] - x0) * sx;
      const y = (y1 - xy[2 * i + 1]) * sy;
      const [left2, top] = [Math.floor(x), Math.floor(y)];
      if (left2 < half || top < half || left2 + half >= this.width || top + half >= this.height)
        continue;
      this.item[visible] = i;
      this.layer[visible] = layer;
      this.shift[visible] = ((y - top) * SHIFTS | 0) * SHIFTS + ((x - left2) * SHIFTS | 0);
      this.corner[visible++] = (top - half) * this.width + left2 - half;
    }
    this.visible = visible;
  }
  // A disc's pixels for every place of its centre within a pixel: offset, cover and rim, 0 to 256.
  stamp(radius) {
    const r = Math.round(4 * radius) / 4;
    const strength = 256 * (this.theme.dark ? RIM.dark : RIM.light);
    const name = [r, this.width, strength].join();
    const cached = this.stamps.get(name);
    if (cached) return cached;
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
    const stamp = { half, masks };
    if (this.stamps.size > 200) this.stamps.clear();
    this.stamps.set(name, stamp);
    return stamp;
  }
  // The marks in the colours `words` (packed RGBA, one for each point; null: all in that of the text), as an
  // image for a panel.
  paint(words) {
    const { width, height, theme, visible } = this;
    if (this.image?.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    const { pixels } = this;
    pixels.fill(packed(theme.background));
    const neutral = packed(theme.text);
    const [pr, pg, pb] = theme.background;
    const [lr, lg, lb] = theme.line;
    for (let k = 0; k < visible; k++) {
      const layer = this.layer[k];
      const word = words ? words[this.item[k]] : neutral;
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
var NAME = 12;
function drawTriad(context, space, box, theme, names) {
  const small = box.w < 200;
  const length = small ? 13 : 24;
  const reach = length + (small ? 4 : 16);
  const [x, y] = [box.x + reach, box.y + box.h - reach];
  Object.assign(context, { font: `12px ${theme.font}`, textAlign: "left", textBaseline: "middle" });
  const [right, up, front] = space.matrix;
  const order = [0, 1, 2].sort((a, b2) => front[a] - front[b2]);
  const ends = [0, 1, 2].map((axis) => {
    const [u, v2] = [right[axis] * length, -up[axis] * length];
    const size = Math.hypot(u, v2);
    const away = 1 + 10 / Math.max(size, 9);
    return { u, v: v2, size, x: x + away * u, y: y + away * v2 };
  });
  const isClear = (end) => ends.every((other) => other.size <= end.size || Math.hypot(other.x - end.x, other.y - end.y) > NAME);
  const colour = (axis) => css(theme.text, 0.85 + 0.15 * front[axis]);
  for (const axis of order) {
    const { u, v: v2 } = ends[axis];
    context.beginPath();
    addLines(context, [[x, y], [x + u, y + v2]]);
    context.lineCap = "round";
    strokeWithHalo(context, theme, [4, 0.8], 1.5, colour(axis));
  }
  for (const axis of order) {
    if (small || !isClear(ends[axis])) continue;
    const centred = ends[axis].x - context.measureText(names[axis]).width / 2;
    const left2 = centred < box.x ? x + 6 : centred;
    const place = [names[axis], left2, ends[axis].y, box.x + box.w - left2];
    Object.assign(context, { strokeStyle: css(theme.halo, 0.85), lineWidth: 3.5 });
    context.strokeText(...place);
    context.fillStyle = colour(axis);
    context.fillText(...place);
  }
}

// js/hands/hand.js
var STEP = Math.PI / 24;
var HINTS = 3;
var Hand = class {
  constructor(stage) {
    Object.assign(this, { stage, hints: 0, isSecond: doubleClicks(8) });
    this.forget();
  }
  // target: the point or place at the pointer or the keyboard's cursor; hovered: the panel under the pointer.
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
    const background = this.rotates ? "grab" : "crosshair";
    const point = this.target.snapped && this.stage.canLabel(this.target);
    panel.plot.style.cursor = point ? "pointer" : background;
    if (!this.rotates && !this.stage.scene.editable && this.stage.panels.length > 1)
      panel.plot.style.cursor = this.stage.display.enlarged === null ? "zoom-in" : "zoom-out";
    this.repaint();
  }
  leave() {
    if (!this.target) return;
    if (this.cursor) this.target = this.cursor;
    else this.forget();
    this.repaint();
  }
  // The second click of a double click, which began on a picture, shows the whole picture, and takes back what
  // the first one did to labels or panels. Returns false for all other clicks.
  showWhole(event, onPicture = true) {
    const { stage } = this;
    const whole = this.isSecond(event, onPicture) && stage.view?.zoomed;
    if (whole) {
      if (this.labelSet) stage.travel("undo");
      stage.display.enlarge(this.enlarged);
      this.forget();
      stage.zoomBy(0);
    }
    Object.assign(this, { labelSet: false, enlarged: stage.display.enlarged });
    return whole;
  }
  press(panel, x, y, { reach, addCandidate }) {
    if (!this.inBox(x, y) || panel.closed || panel.frozen) return;
    const { stage } = this;
    stage.board.plots.focus({ preventScroll: true });
    this.cursor = null;
    if (!stage.scene.editable && stage.display.toggle(panel)) return;
    this.hovered = panel;
    this.target = targetAt(x, y, this.lens, reach);
    this.labelSet = stage.toggleAt(this.target, addCandidate);
    this.repaint();
  }
  // Do drags rotate the picture?
  get rotates() {
    return Boolean(this.stage.scene?.space);
  }
  drag(dx, dy) {
    if (!this.rotates) return this.pan(dx, dy);
    this.stage.view.rotateByDrag(dx, dy, this.stage.board.place.box);
    this.forget();
    this.stage.viewChanged();
  }
  pan(dx, dy) {
    const { view, board } = this.stage;
    const [x0, x1, y0, y1] = view.range;
    const { box } = board.place;
    const complete = view.pan(-dx / box.w * (x1 - x0), dy / box.h * (y1 - y0));
    if (!complete) board.remark(`The data end here; ${resetHint()}`);
    this.forget();
    this.stage.viewChanged();
  }
  zoomAt(factor, px, py) {
    const { view, board } = this.stage;
    view.zoomAt(factor, ...view.toPlane(px, py, board.place.box));
    this.stage.viewChanged();
  }
  hint() {
    if (this.hints++ >= HINTS) return;
    const drag = this.rotates ? "turns" : "moves";
    this.stage.board.remark(`${zoomKey()} + wheel zooms, drag ${drag}`);
  }
  // The note moves to the panel that came into view.
  show(panel) {
    if (this.cursor) this.hovered = panel;
    else this.forget();
    this.repaint();
  }
  // ---- keyboard ---------------------------------------------------------------------------
  // Keys while the pictures have the focus; returns true if the key was used.
  key(event) {
    return handleKey(event, this.stage, (key) => {
      if (key in ARROWS && event.shiftKey && this.rotates) return this.rotate(...ARROWS[key]);
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
  step(dx, dy, offPoints) {
    const { stage } = this;
    const [x0, x1, y0, y1] = stage.view.range;
    const centre = { x: (x0 + x1) / 2, y: (y0 + y1) / 2, index: -1, point: -1, snapped: false };
    const from = this.cursor ?? centre;
    if (offPoints) {
      const size = 0.02 * (x1 - x0);
      const x = Math.min(Math.max(from.x + dx * size, x0), x1);
      const y = Math.min(Math.max(from.y + dy * size, y0), y1);
      const [u, v2] = stage.view.snap(x, y);
      this.cursor = { ...centre, x: u, y: v2 };
    } else this.cursor = neighbour(from, dx, dy, this.lens) ?? from;
    this.target = this.cursor;
    this.followCursor();
    this.hovered = stage.board.swipe.panel ?? this.hovered;
    const { live } = stage.display;
    if (!live.includes(this.hovered)) this.hovered = live.find((p) => !p.closed) ?? live[0];
    const reasons = reasonsAt(this.cursor, this.hovered, stage);
    const [place, ...lines] = describe(this.cursor, this.hovered, stage, reasons);
    stage.board.announce([...lines, place].join(", "));
    this.repaint();
    return true;
  }
  // Rotate by one step; the cursor stays on its point.
  rotate(dx, dy) {
    const { stage } = this;
    stage.view.rotate(dx * STEP, -dy * STEP);
    const { scene } = this.lens;
    if (this.cursor?.point >= 0) this.cursor = pointTarget(scene.points, this.cursor.point);
    this.target = this.cursor;
    stage.viewChanged();
    return true;
  }
  // Move a zoomed picture so that the cursor stays on screen.
  followCursor() {
    const { view } = this.stage;
    const { x, y } = this.cursor;
    const [x0, x1, y0, y1] = view.range;
    if (x >= x0 && x <= x1 && y >= y0 && y <= y1) return;
    view.pan(x - (x0 + x1) / 2, y - (y0 + y1) / 2);
    this.stage.viewChanged();
  }
  label(addCandidate) {
    if (this.cursor) this.stage.toggleAt(this.cursor, addCandidate);
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
function lowestRanked({ scene: { space, points }, labels }, rank) {
  let [least, target] = [Infinity, null];
  for (let i = 0; i < points.count; i++) {
    const value = rank(points.xy[2 * i], points.xy[2 * i + 1], i);
    if (value < least) [least, target] = [value, pointTarget(points, i)];
  }
  for (const label2 of space ? [] : labels) {
    const { x, y, index } = label2;
    const value = rank(x, y, -1, label2);
    const point = points.position.get(index) ?? -1;
    if (value < least) [least, target] = [value, { x, y, index, point, snapped: true }];
  }
  return target;
}
function targetAt(px, py, lens, reach = NEAR) {
  const { scene, view, box, labels } = lens;
  const { space, points } = scene;
  const labelled = new Set(space ? labels.map((label2) => label2.index) : []);
  const covered = labelRadius(labels, box);
  const mark = space && markRadius(points.count, box);
  const inSpace = (d, i) => {
    const near = space.near[i];
    const size = labelled.has(points.index[i]) ? 2 : 1;
    const covers = d <= mark * space.scale(near) * size;
    return covers ? -near : d * (1 + BEHIND * (1 - near)) / size;
  };
  const target = lowestRanked(lens, (x2, y2, i) => {
    const [u, v2] = view.toPixel(x2, y2, box);
    const distance = Math.hypot(u - px, v2 - py);
    if (i < 0 && distance <= covered) return distance - covered;
    const d = distance * (i < 0 ? Math.SQRT1_2 : 1);
    return d >= reach ? Infinity : space ? inSpace(d, i) : d;
  });
  if (target) return target;
  const [x, y] = view.toPlane(px, py, box);
  return { x, y, index: -1, point: -1, snapped: false };
}
function neighbour(from, dx, dy, lens) {
  const { space } = lens.scene;
  const depth = space && (from.point >= 0 ? space.near[from.point] : 1);
  const least = space ? 1e-9 * space.radius : 1e-12;
  return lowestRanked(lens, (x, y, i, label2) => {
    const ahead = (x - from.x) * dx + (y - from.y) * dy;
    const aside = Math.abs((x - from.x) * dy - (y - from.y) * dx);
    if (label2?.index >= 0 || ahead <= least || aside > ahead) return Infinity;
    return ahead + 2 * aside + (space ? 2 * space.radius * Math.abs(space.near[i] - depth) : 0);
  });
}

// js/hands/gestures.js
var MOST_SHIFT = 2;
var DOUBLE_CLICK = 350;
function placeOn(node) {
  return (event) => {
    const frame = node.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
}
function doubleClicks(distance) {
  let last = null;
  return ({ timeStamp: time, clientX: x, clientY: y }, canBeFirst = true) => {
    const isSecond = last && time - last.time < DOUBLE_CLICK && Math.hypot(x - last.x, y - last.y) < distance;
    last = isSecond || !canBeFirst ? null : { x, y, time };
    return Boolean(isSecond);
  };
}
function listenDrag(node, place, { begin, drag, cancelled }) {
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.preventDefault();
    node.setPointerCapture(event.pointerId);
    begin(place(event));
  });
  const whileHeld = (kind, run) => node.addEventListener(kind, (event) => node.hasPointerCapture(event.pointerId) && run(event));
  whileHeld("pointermove", (event) => drag(place(event), { done: false }));
  whileHeld("pointerup", (event) => drag(place(event), { done: true }));
  whileHeld("pointercancel", cancelled);
}
function listenWheel(node, zoomAt, onScroll) {
  const place = placeOn(node);
  const onWheel = (event) => {
    if (!event.ctrlKey && !event.metaKey) return onScroll?.();
    event.preventDefault();
    const step = event.deltaMode === 1 ? 16 * event.deltaY : event.deltaY;
    zoomAt(Math.exp(-Math.min(Math.max(step, -120), 120) * 4e-3), ...place(event));
  };
  node.addEventListener("wheel", onWheel, { passive: false });
}
function listenPinch(node, { pan, zoomAt, begin }) {
  const place = placeOn(node);
  let pinch = null;
  const measure = ({ touches }) => {
    const [[ax, ay], [bx, by]] = [place(touches[0]), place(touches[1])];
    return { x: (ax + bx) / 2, y: (ay + by) / 2, span: Math.hypot(ax - bx, ay - by) };
  };
  const start = (event) => {
    pinch = event.touches.length === 2 ? measure(event) : null;
    if (!pinch) return;
    begin();
    event.preventDefault();
  };
  const move = (event) => {
    if (!pinch || event.touches.length !== 2) return;
    event.preventDefault();
    const current = measure(event);
    pan(current.x - pinch.x, current.y - pinch.y);
    zoomAt(current.span / Math.max(pinch.span, 1), current.x, current.y);
    pinch = current;
  };
  node.addEventListener("touchstart", start, { passive: false });
  node.addEventListener("touchmove", move, { passive: false });
  for (const end of ["touchend", "touchcancel"]) node.addEventListener(end, () => pinch = null);
}
function listenTool(plot, panel, tool2, { plots, buttons = [0], inside: inside2 = () => true, forget }) {
  const place = placeOn(plot);
  let frame = null;
  const hasMoved = () => {
    const now = plot.getBoundingClientRect();
    return ["left", "top", "width", "height"].some((side) => Math.abs(now[side] - frame[side]) > MOST_SHIFT);
  };
  plot.addEventListener("pointerdown", (event) => {
    if (!tool2.ready || !buttons.includes(event.button) || !event.isPrimary || panel.closed) return;
    const at = place(event);
    if (!inside2(...at)) return;
    event.stopImmediatePropagation();
    if (tool2.busy && event.pointerType !== tool2.pointerType) return;
    event.preventDefault();
    plots.focus({ preventScroll: true });
    forget?.();
    plot.setPointerCapture(event.pointerId);
    Object.assign(tool2, { pointerId: event.pointerId, pointerType: event.pointerType });
    frame = plot.getBoundingClientRect();
    tool2.begin(panel, at, event);
  });
  plot.addEventListener("pointermove", (event) => {
    if (!tool2.ready) return;
    if (tool2.exclusive || tool2.busy) event.stopImmediatePropagation();
    if (!event.isPrimary) return;
    const at = place(event);
    if (event.pointerType !== "touch") tool2.hover(panel, inside2(...at) ? at : null);
    if (!tool2.busy || event.pointerId !== tool2.pointerId) return;
    if (tool2.endsWhenMoved && frame && hasMoved()) return tool2.finish();
    const combined = event.getCoalescedEvents?.() ?? [];
    for (const step of combined.length ? combined : [event]) tool2.extend(place(step), step);
  });
  plot.addEventListener("pointerup", (event) => {
    if (!tool2.busy) return;
    event.stopImmediatePropagation();
    if (event.pointerId === tool2.pointerId) tool2.finish();
  });
  plot.addEventListener("pointercancel", (event) => {
    if (tool2.busy && event.pointerId === tool2.pointerId) tool2.keepsCancelled ? tool2.finish() : tool2.cancel();
  });
  plot.addEventListener("pointerleave", () => tool2.hover(panel, null));
  const onTouch = (event) => {
    const isPen = tool2.busy && tool2.pointerType === "pen";
    if (event.touches.length > 1 && !isPen) tool2.cancel();
    else if (tool2.ready) event.preventDefault();
  };
  plot.addEventListener("touchstart", onTouch, { passive: false });
}
var FINGER = 20;
var CLICK_DISTANCE = 4;
function listen(plot, panel, hand) {
  const place = placeOn(plot);
  let down = null;
  plot.addEventListener("pointermove", (event) => {
    const [x, y] = place(event);
    const touch = event.pointerType === "touch";
    const drags = down && (event.pointerType === "mouse" || hand.rotates);
    if (drags && !down.moved && Math.hypot(x - down.x, y - down.y) > CLICK_DISTANCE) {
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
    const press = down;
    down = null;
    if (!press || press.moved || event.button !== 0) return;
    const [x, y] = place(event);
    if (Math.hypot(x - press.x, y - press.y) > 2 * CLICK_DISTANCE) return;
    const reach = event.pointerType === "touch" ? FINGER : NEAR;
    if (!hand.showWhole(event)) hand.press(panel, x, y, { reach, addCandidate: event.shiftKey });
  });
  const zoomAt = (...args) => hand.zoomAt(...args);
  listenWheel(plot, zoomAt, () => hand.hint());
  listenPinch(plot, { pan: (dx, dy) => hand.pan(dx, dy), zoomAt, begin: () => down = null });
}
function classOfKey(key, classes) {
  const named = classes.indexOf(key);
  const position = key === "0" ? 9 : Number(key) - 1;
  return named >= 0 ? named : position < classes.length ? position : -1;
}
function keysOf(classes) {
  const keys = classes.map(() => "");
  for (const key of "1234567890") {
    const code = classOfKey(key, classes);
    if (code >= 0 && (!keys[code] || classes[code] === key)) keys[code] = key;
  }
  return keys;
}
var USES_KEYS = "input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select, canvas, [contenteditable]:not([contenteditable=false]), [role=combobox], [role=listbox], [role=grid], [role=menu]";
var TYPING = "input:not([type=range]), select, textarea, .lv-term";
var ZOOMS = { "+": 1.4, "=": 1.4, "-": 1 / 1.4, _: 1 / 1.4, Home: 0 };
var ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
var TOOLS = { b: "brush", e: "eraser", m: "move" };
function isTyping(event) {
  return Boolean(event.composedPath()[0].closest?.(TYPING));
}
function isSafeAnywhere({ key, ctrlKey, metaKey, altKey }) {
  if (altKey) return false;
  return ctrlKey || metaKey ? /^[zy]$/i.test(key) : /^[0-9bem[\],.]$/i.test(key);
}
function listenKeys(root, plots, onKey, signal) {
  const onKeydown = (event) => {
    const [target] = event.composedPath();
    if (target !== plots) {
      const severalStages = Object.keys(globalThis.__lapviz?.stages ?? {}).length > 1;
      if (event.defaultPrevented || !isSafeAnywhere(event) || target.closest?.(USES_KEYS)) return;
      if (severalStages && !root.contains(target)) return;
    }
    if (!onKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("keydown", onKeydown, { signal });
}
function handleKey(event, actions, onKey) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) {
    const direction = { z: event.shiftKey ? "redo" : "undo", y: "redo" }[key];
    return Boolean(direction) && actions.travel(direction);
  }
  if (event.altKey) return false;
  return onKey(key) ?? (key in ZOOMS && actions.zoomBy(ZOOMS[key]));
}

// js/bars/parts.js
function edits(stage, label2, path = icons_default.clear) {
  const undo = tool(icons_default.undo, "Undo (Ctrl+Z)", () => stage.travel("undo"), "Undo");
  const redo = tool(icons_default.redo, "Redo (Ctrl+Shift+Z)", () => stage.travel("redo"), "Redo");
  const clear = tool(path, `Clear: ${label2}`, () => stage.clear(), "Clear");
  const follow = (stack, any) => {
    undo.disabled = !stack?.past.length;
    redo.disabled = !stack?.future.length;
    clear.disabled = !any;
  };
  return { undo, redo, node: element("div.set", {}, undo, redo, clear), follow };
}
function zooms(stage) {
  const reset = tool(icons_default.whole, "Whole picture", () => stage.zoomBy(0), "Whole");
  const out = tool(icons_default.minus, "Zoom out (−)", () => stage.zoomBy(1 / 1.4), "Zoom out");
  const into = tool(icons_default.plus, "Zoom in (+)", () => stage.zoomBy(1.4), "Zoom in");
  const follow = ({ zoomed }) => reset.disabled = !zoomed;
  return { node: element("div.group.zooms", {}, out, into, reset), follow };
}
function swatch(code, name, { label: label2, key = "", theme, choose = null }) {
  const hasClass = code >= 0;
  const fill = classColour(theme, code);
  const shape = shapePath(Math.max(code, 0), hasClass ? 5 : 3.5);
  const content = [icon(shape, { fill, stroke: css(theme.text, 0.7) }), element("span", {}, name)];
  if (!choose) return element("span.swatch.fixed", { role: "listitem" }, ...content);
  const title = key ? `${label2} (key ${key})` : label2;
  const attributes = { type: "button", role: "radio", title, "aria-label": label2, onkeydown: turnRadio };
  return element("button.swatch", { ...attributes, onclick: () => choose(code) }, ...content);
}
function choices(spec, label2, kinds, choose) {
  const buttons = Object.entries(kinds).map(
    ([name, [path, title, word = ""]]) => tool(path, title, () => choose(name), word, { role: "radio", onkeydown: turnRadio })
  );
  const node = element(spec, { role: "radiogroup", "aria-label": label2 }, ...buttons);
  return { node, check: (name) => check(buttons, Object.keys(kinds).indexOf(name)) };
}
function paintTools(brush, eraser, move) {
  return {
    brush: [icons_default.paint, brush, "Brush"],
    eraser: [icons_default.erase, eraser, "Eraser"],
    move: [icons_default.drag, move, "Move"]
  };
}
function turnRadio(event) {
  const [dx, dy] = ARROWS[event.key] ?? [0, 0];
  const group = [...event.currentTarget.parentNode.querySelectorAll("[role=radio]")];
  const next = group.at((group.indexOf(event.currentTarget) + dx - dy) % group.length);
  if (!(dx || dy) || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
  next.click();
  next.focus();
  event.preventDefault();
  event.stopPropagation();
}
function menu(spec, label2, title, choose, entries = []) {
  const onchange = (event) => choose(event.target.value);
  const options = entries.map(([value, text]) => element("option", { value }, text));
  return element(spec, { "aria-label": label2, title, onchange }, ...options);
}
function refill(node, key, make) {
  if (node.filled === key) return;
  node.filled = key;
  const name = node.querySelector(":focus")?.ariaLabel;
  node.replaceChildren(...make());
  if (name) [...node.children].find((child) => child.ariaLabel === name)?.focus();
}
function setPressed(node, on2) {
  node.setAttribute("aria-pressed", String(on2));
}
function range(spec, label2, title, [min, max], onValue, attributes = {}) {
  const oninput = (event) => onValue(Number(event.target.value));
  return element(spec, { type: "range", min, max, title, "aria-label": label2, ...attributes, oninput });
}
function preference(key, on2 = null) {
  try {
    if (on2 !== null) localStorage.setItem(key, on2 ? "1" : "0");
    return localStorage.getItem(key) === "1";
  } catch {
    return Boolean(on2);
  }
}

// js/channel/page.js
var shared = globalThis.__lapviz ??= { paints: 0, last: null, stages: {} };
var channels = /* @__PURE__ */ new Set();
var PRESENT = "present";
var OPENING_TIME = 4e3;
var SWITCH_TIME = 1e3;
var left = null;
function leave(address, time) {
  left = { address: new URL(address), until: performance.now() + time };
}
function addressLeft({ pathname }) {
  const isPending = left?.address.pathname === pathname && performance.now() < left.until;
  return isPending ? left.address : null;
}
function oneEntryPerPage() {
  const { history: history2 } = window;
  shared.presenting ||= new URL(window.location.href).searchParams.get(PRESENT) === "1";
  const push = history2.pushState.bind(history2);
  history2.pushState = (state, title, url) => {
    const from = new URL(window.location.href);
    const to = new URL(url ?? "", from);
    if (to.pathname === from.pathname) {
      if (from.search && !to.search && !addressLeft(from)) leave(from, SWITCH_TIME);
      history2.replaceState(state, title, withView(to));
      return;
    }
    const address = addressLeft(from);
    if (address) history2.replaceState(history2.state, "", address);
    left = null;
    push(state, title, url);
  };
}
var lastNavigation = -Infinity;
function isLeaving(mounted2) {
  return mounted2 < lastNavigation && performance.now() - lastNavigation < OPENING_TIME;
}
var SHARED = ["labels-stage", "eigen-stage"];
var CARRY_TIME = 3e4;
var lastMoved = null;
function knobMoved(stage) {
  lastMoved = stage;
}
function carriedChanges(stage) {
  const from = lastMoved;
  if (!from || from === stage || performance.now() - lastNavigation > CARRY_TIME) return [];
  if (![from, stage].every(({ key }) => SHARED.includes(key))) return [];
  lastMoved = null;
  return [...from.channel.changes].map(([name, { value }]) => [name, value]);
}
var MOST_WAIT = 2e3;
function allAnswered() {
  for (const channel of channels) if (!channel.stage.root?.isConnected) channels.delete(channel);
  return [...channels].every((channel) => channel.moving || channel.isAnswered && !channel.unsent);
}
function watchLinks() {
  let waiting = null;
  const follow = () => {
    if (!allAnswered() && performance.now() - waiting.since < MOST_WAIT) return setTimeout(follow, 20);
    waiting.followed = true;
    waiting.link.click();
    waiting = null;
  };
  const onClick = (event) => {
    const link = event.target.closest?.('a[href]:not([target="_blank"]):not([href^="#"])');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (waiting?.followed || !waiting && allAnswered()) {
      lastNavigation = performance.now();
      saveNow();
      return leave(window.location, OPENING_TIME);
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    if (waiting) return waiting.link = link;
    waiting = { link, since: performance.now() };
    follow();
  };
  document.addEventListener("click", onClick, true);
  window.addEventListener("popstate", () => lastNavigation = performance.now());
}
var STATE = "data-test-script-state";
var BUSY2 = ["running", "rerunRequested"];
function streamlitApp() {
  return document.querySelector('[data-testid="stApp"]');
}
function isBusy(app = streamlitApp()) {
  return BUSY2.includes(app?.getAttribute(STATE));
}
function removeMainFromTabOrder() {
  document.querySelector('[data-testid="stMain"]')?.setAttribute("tabindex", "-1");
}
var WIDEST = 1e3;
var OPEN = '[data-testid="stSidebar"]:is([data-collapsed="false"], [aria-expanded="true"]) [data-testid="stSidebarCollapseButton"] button';
var USER_EVENTS = ["pointerdown", "keydown"];
function startWithoutSidebar() {
  if (window.__lapvizSidebar || window.innerWidth > WIDEST) return;
  window.__lapvizSidebar = true;
  const close = () => document.querySelector(OPEN)?.click();
  const watch = new MutationObserver(close);
  const end = () => watch.disconnect();
  for (const kind of USER_EVENTS) document.addEventListener(kind, end, { capture: true, once: true });
  const attributeFilter = ["data-collapsed", "aria-expanded"];
  watch.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter });
  close();
}
var KEY = "stage";
var PAGE_STAGES = /-(stage|fields)$/;
var WRITE_DELAY = 400;
var MOST_CHARACTERS = 120;
var SWITCHES = { a: { all: true }, s: { sameScale: true }, x: { errors: true }, i: { images: false } };
var written = null;
var timer = 0;
var saveNow = () => {
};
function isPageStage({ key, alone }) {
  return PAGE_STAGES.test(key) && !alone;
}
function viewText({ display, view, scene, panels }) {
  const parts = [];
  if (display.enlarged !== null) parts.push(`e${display.enlarged}`);
  if (display.all && panels.length > 1) parts.push("a");
  if (display.sameScale) parts.push("s");
  if (view.zoomed) parts.push(`z${[roundedForLink(view.zoom), ...view.centre.map(within(view))].join("_")}`);
  if (scene.space && view.zoomed) parts.push(`t${[view.azimuth, view.elevation].map(roundedForLink).join("_")}`);
  if (display.hasImages && !display.images) parts.push("i");
  const isDefault = display.errors || !display.truthKnown;
  if (!parts.length) return isDefault ? "" : "o";
  return [...parts, ...display.errors ? ["x"] : []].join("~");
}
function linkView(url, stage) {
  const text = viewText(stage);
  if (text) url.searchParams.set(KEY, text);
}
function within({ range: [x0, x1] }) {
  const digits = (v2) => 4 + Math.max(Math.ceil(Math.log10(Math.abs(v2) / (x1 - x0))), 0);
  return (v2) => v2 ? Number(v2.toPrecision(Math.min(digits(v2), 15))) : 0;
}
function applyLinkedView(stage) {
  const text = new URL(window.location.href).searchParams.get(KEY) ?? "";
  if (!isPageStage(stage) || text === (written ?? "") || text.length > MOST_CHARACTERS) return;
  const { display, view, scene } = stage;
  if (text) display.errors = false;
  for (const part of text.split("~")) {
    const numbers = part.slice(1).split("_").map(Number);
    if (!numbers.every(Number.isFinite)) continue;
    Object.assign(display, SWITCHES[part]);
    if (part[0] === "e" && Number.isInteger(numbers[0])) display.enlarge(numbers[0]);
    else if (part[0] === "z" && numbers.length === 3) view.lookAt(...numbers);
    else if (part[0] === "t" && numbers.length === 2 && scene.space) view.rotateTo?.(...numbers);
  }
  display.follow();
  written = text;
}
function saveView(stage) {
  if (!isPageStage(stage)) return;
  clearTimeout(timer);
  saveNow = () => {
    clearTimeout(timer);
    if (stage.gone || !stage.scene) return;
    const text = viewText(stage);
    if (text === (written ?? "")) return;
    written = text;
    writeView();
  };
  timer = setTimeout(saveNow, WRITE_DELAY);
}
function writeView() {
  window.history.replaceState(window.history.state, "", withView(new URL(window.location.href)));
}
function withView(url) {
  if (written) url.searchParams.set(KEY, written);
  else if (written !== null) url.searchParams.delete(KEY);
  const flags = { [PRESENT]: Boolean(shared.presenting), ...barSettings };
  for (const [key, on2] of Object.entries(flags)) {
    if (on2) url.searchParams.set(key, "1");
    else url.searchParams.delete(key);
  }
  return url;
}
var barSettings = {};
var storageKey = (name) => `lapviz.${name}`;
function barSetting(name, on2 = null) {
  if (on2 !== null) {
    barSettings[name] = preference(storageKey(name), on2);
    if (streamlitApp()) writeView();
  } else if (new URL(window.location.href).searchParams.get(name) === "1") barSettings[name] ??= true;
  return barSettings[name] ?? preference(storageKey(name));
}
function pageAddress() {
  return window.location.href.replace("/~/+/", "/");
}
function addressToShare() {
  saveNow();
  const url = new URL(pageAddress());
  for (const name of ["letters", "more"]) if (barSetting(name)) url.searchParams.set(name, "1");
  return url.href;
}

// js/panels/computing.js
var DELAY = 150;
var CANCEL_AFTER = 2;
var Computing = class {
  // plots: the node that is marked busy for screen readers; cancel: the action of the button.
  constructor(plots, cancel) {
    this.status = element("span", { "aria-hidden": "true" });
    this.cancel = element("button.cancel", { type: "button", onclick: cancel }, "Cancel");
    this.words = element("div.words", {}, this.status, this.cancel);
    this.strip = element("i.strip", { "aria-hidden": "true" });
    this.node = element("div.computing", {}, this.strip, this.words);
    Object.assign(this, { plots, since: null, task: null });
    this.cancel.hidden = true;
    this.app = streamlitApp();
    if (!this.app) return;
    this.observer = new MutationObserver(() => this.update());
    this.observer.observe(this.app, { attributes: true, attributeFilter: [STATE] });
    this.update();
  }
  destroy() {
    this.observer?.disconnect();
    this.stop();
  }
  // Called when Python's state changes, and after a message, as a busy Python's state stays the same.
  update() {
    if (isBusy(this.app)) this.start();
    else if (!this.task) this.stop();
  }
  start() {
    if (this.since !== null) return;
    this.since = performance.now();
    this.timer = setTimeout(() => this.count(), DELAY);
  }
  // A long computation: {words, seconds expected or null, spent}.
  pending(task) {
    const isFirst = this.since === null;
    this.task = task;
    this.start();
    const started = performance.now() - 1e3 * task.spent;
    this.since = Math.min(this.since, started);
    if (isFirst) this.count();
  }
  // The picture is up to date, even if Python's script goes on.
  answered() {
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
  // Count up; in whole seconds if the system asks for reduced motion.
  count() {
    const calm = isCalm();
    const seconds = (performance.now() - this.since) / 1e3;
    const expected = this.task?.seconds ?? null;
    const rounded2 = expected < 1 ? Math.max(expected, 0.1).toFixed(1) : Math.round(expected);
    const about = expected === null ? "" : ` of about ${rounded2} s`;
    const elapsed = calm || seconds > 10 ? Math.floor(seconds) : seconds.toFixed(1);
    setText(this.status, `${this.task?.words || "computing"}… ${elapsed} s${about}`);
    this.cancel.hidden = !(this.task && seconds > CANCEL_AFTER);
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
var charts = 0;
var Chart = class {
  constructor(label2) {
    const id = `frame-${charts += 1}`;
    this.frame = svg("rect");
    this.clipped = { "clip-path": `url(#${id})` };
    this.grid = svg("g", { class: "grid" });
    this.lines = svg("g", { class: "lines" });
    this.over = svg("g", { class: "over" });
    this.node = svg("svg", { class: "chart", role: "img", "aria-label": label2 });
    this.node.append(svg("clipPath", { id }, this.frame), this.grid, this.lines, this.over);
  }
  // range: [x0, x1, y0, y1]; log: which of the axes are logarithmic; whole: whether x is a number of
  // steps; top: pixels above the frame.
  layout(width, height, range2, { log = [false, false], names = ["", ""], top = TOP, whole = false } = {}) {
    Object.assign(this, { width, height, names, whole });
    this.log = log;
    this.range = [0, 1, 2, 3].map((i) => log[i >> 1] ? Math.log10(range2[i]) : range2[i]);
    const yTicks = this.axisTicks(1, height / 44);
    const longest = Math.max(2, ...yTicks.map(({ text }) => text.length));
    this.box = { x: 22 + LETTER * longest, y: top, w: 0, h: height - BOTTOM - top };
    this.box.w = Math.max(width - this.box.x - 12, 20);
    set(this.node, { width, height, viewBox: `0 0 ${width} ${height}` });
    const { x, y, w, h } = this.box;
    set(this.frame, { x, y, width: w, height: h });
    this.drawAxes(yTicks);
  }
  // Ticks of an axis: positions on its scale, with texts.
  axisTicks(axis, count) {
    const [lo, hi] = this.range.slice(2 * axis, 2 * axis + 2);
    if (!this.log[axis]) {
      const { values: all, digits: most } = ticks(lo, hi, count);
      const [values, digits] = this.whole && axis === 0 ? [all.filter(Number.isInteger), 0] : [all, most];
      return values.map((at) => ({ at, text: at.toFixed(digits).replace("-", "−") }));
    }
    const stride = Math.max(1, Math.ceil((hi - lo) / count));
    const decades2 = [];
    for (let k = Math.ceil(lo); k <= hi; k += stride) decades2.push(k);
    if (decades2.length > 1) return decades2.map((at) => ({ at, text: short2(10 ** at) }));
    return [lo, (lo + hi) / 2, hi].map((at) => ({ at, text: short2(10 ** at, 2) }));
  }
  drawAxes(yTicks) {
    const { x, y, w, h } = this.box;
    const parts = [svg("rect", { x: x - 0.5, y: y - 0.5, width: w + 1, height: h + 1 })];
    for (const { at, text } of yTicks) {
      const py = this.place(1, at);
      if (py < y - 1 || py > y + h + 1) continue;
      parts.push(svg("line", { x1: x, x2: x + w, y1: py, y2: py }), label(text, x - 6, py + 4, "end"));
    }
    const room = x + w - LETTER * this.names[0].length - 8;
    for (const { at, text } of this.axisTicks(0, w / 76)) {
      const px = this.place(0, at);
      if (px < x - 1 || px + LETTER * text.length / 2 > room) continue;
      parts.push(svg("line", { x1: px, x2: px, y1: y + h, y2: y + h + 4 }));
      parts.push(label(text, px, y + h + 18, "middle"));
    }
    const side = label(this.names[1], 0, 0, "middle");
    set(side, { transform: `translate(12 ${y + h / 2}) rotate(-90)` });
    this.grid.replaceChildren(...parts, label(this.names[0], x + w, y + h + 18, "end"), side);
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
    const scaled = [x0 + (px - box.x) / box.w * (x1 - x0), y1 - (py - box.y) / box.h * (y1 - y0)];
    return scaled.map((v2, axis) => this.log[axis] ? 10 ** v2 : v2);
  }
  // The path of a line, clamped far outside the frame, with gaps at values that are no numbers.
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
      const clamped = Math.min(Math.max(py, y - 2e3), y + h + 2e3);
      text += `${pen}${px.toFixed(1)} ${clamped.toFixed(1)}`;
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

// js/hands/curve_handles.js
var ARM = [30, 44];
var REACH = 18;
var MOST3 = contract_default.changes.curve.handles.size;
var clamp = (value, low2, high2) => Math.min(Math.max(value, low2), high2);
function valuesAndSlopes(handles) {
  return [...handles.map((h) => h.value), ...handles.map((h) => h.slope ?? 0)];
}
function movedTo(handle, x, value) {
  return { ...handle, x: clamp(x, 0, 1), value: clamp(value, -MOST3, MOST3) };
}
function turnedTo(handle, slope) {
  return { ...handle, slope: clamp(slope, -MOST3, MOST3) };
}
var HandlesView = class {
  // actions: {move(i, handle, { done }), select(i), remove(i), travel("undo" or "redo")}
  constructor(chart, actions) {
    Object.assign(this, { chart, actions, nodes: [], handles: [], held: false, repeats: false });
    this.group = svg("g", { class: "handles" });
    chart.node.append(this.group);
    chart.node.setAttribute("role", "group");
  }
  draw(handles, selected) {
    this.handles = handles;
    fit(this.nodes, handles.length, (i) => this.addHandle(i));
    handles.forEach((handle, i) => this.place(i, handle, i === selected));
  }
  addHandle(i) {
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
    this.listen(parts.point, i, 0);
    this.listen(parts.left, i, -1);
    this.listen(parts.right, i, 1);
    this.group.append(parts.node);
    return parts;
  }
  // side: of the slope's end, -1 or 1; 0 for the point.
  listen(node, i, side) {
    let grip = null;
    const begin = ([px, py]) => {
      node.focus({ preventScroll: true });
      const { cx, cy, dx, dy } = this.pixels(this.handles[i]);
      this.held = true;
      grip = { from: [px, py], offset: [cx + side * dx - px, cy + side * dy - py] };
      this.actions.select(i);
    };
    const drag = ([px, py], options) => {
      const { from, offset } = grip;
      grip.moved ||= Math.hypot(px - from[0], py - from[1]) > CLICK_DISTANCE;
      grip.sideways ||= Math.abs(px - from[0]) > 6;
      if (!grip.moved) return options.done && stay();
      this.held = !options.done;
      const at = [px + offset[0], py + offset[1]];
      this.actions.move(i, side ? this.turned(i, at, side) : this.slid(i, at, grip.sideways), options);
    };
    const stay = () => {
      this.held = false;
      this.actions.move(i, this.handles[i], { done: true });
    };
    listenDrag(node, placeOn(this.chart.node), { begin, drag, cancelled: stay });
    node.addEventListener("focus", () => this.actions.select(i));
    node.addEventListener("keydown", (event) => this.press(event, i, side));
    for (const end of ["keyup", "blur"]) node.addEventListener(end, () => this.release(i));
  }
  slid(i, at, sideways) {
    const handle = this.handles[i];
    const [x, value] = this.chart.toPlane(...at);
    return movedTo(handle, sideways ? x : handle.x, value);
  }
  turned(i, [px, py], side) {
    const handle = this.handles[i];
    const { cx } = this.pixels(handle);
    const [x, y] = this.chart.toPlane(cx + side * Math.max(side * (px - cx), 3), py);
    return turnedTo(handle, (y - handle.value) / (x - handle.x));
  }
  press(event, i, side) {
    const repeats = event.repeat && event.key in ARROWS;
    if (!repeats) this.release(i);
    if (event.key === "Delete" || event.key === "Backspace") this.actions.remove(i);
    else if (event.key in ARROWS) {
      const [dx, dy] = ARROWS[event.key];
      const times2 = event.shiftKey ? 10 : 1;
      const [x0, x1, y0, y1] = this.chart.range;
      const unit = (y1 - y0) / 100 * times2;
      const handle = this.handles[i];
      const next = side ? turnedTo(handle, (handle.slope ?? 0) + 5 * unit * (dy || dx) / (x1 - x0)) : movedTo(handle, handle.x + 0.01 * times2 * dx, handle.value + unit * dy);
      this.repeats = this.held = repeats;
      this.actions.move(i, next, { done: !repeats });
    } else if (!handleKey(event, this.actions, () => false)) return;
    event.preventDefault();
    event.stopPropagation();
  }
  release(i) {
    if (!this.repeats) return;
    this.repeats = this.held = false;
    if (this.handles[i]) this.actions.move(i, this.handles[i], { done: true });
  }
  // Centre of the point in pixels, and from there to the right end of its slope.
  pixels({ x, value, slope }) {
    const [cx, cy] = this.chart.toPixel(x, value);
    const [ux, uy] = this.chart.toPixel(x + 1, value + (slope ?? 0));
    const reach = Math.min(Math.max(0.06 * this.chart.width, ARM[0]), ARM[1]);
    const share = reach / Math.hypot(ux - cx, uy - cy);
    return { cx, cy, dx: (ux - cx) * share, dy: (uy - cy) * share };
  }
  place(i, handle, selected) {
    const { x, value, slope } = handle;
    const { node, point, left: left2, right, arm } = this.nodes[i];
    const { cx, cy, dx, dy } = this.pixels(handle);
    node.classList.toggle("selected", selected);
    set(point, sliderAttributes(`Point ${i + 1}`, value, `x ${short2(x)}, value ${short2(value)}`));
    point.setAttribute("transform", `translate(${cx.toFixed(1)} ${cy.toFixed(1)})`);
    const hasSlope = slope !== null && slope !== void 0;
    for (const part of [left2, right, arm]) show(part, hasSlope);
    if (!hasSlope) return;
    set(arm, { x1: cx - dx, y1: cy - dy, x2: cx + dx, y2: cy + dy });
    left2.setAttribute("transform", `translate(${(cx - dx).toFixed(1)} ${(cy - dy).toFixed(1)})`);
    right.setAttribute("transform", `translate(${(cx + dx).toFixed(1)} ${(cy + dy).toFixed(1)})`);
    set(right, sliderAttributes(`Slope of point ${i + 1}`, slope, `slope ${short2(slope)}`));
  }
};
function sliderAttributes(label2, value, text) {
  const range2 = { "aria-valuenow": value, "aria-valuemin": -MOST3, "aria-valuemax": MOST3 };
  return { "aria-label": label2, ...range2, "aria-valuetext": text };
}

// js/panels/curve_path.js
var LINE = 15;
var LETTER2 = 6;
var PathView = class {
  // actions: {setStep(k, { done }), choose(name)}; head: the element that shows the numbers.
  constructor(actions, head) {
    this.actions = actions;
    this.chart = new Chart("Numbers along the path");
    const choose = (name) => actions.choose(name);
    this.menu = menu("select.filter", "Regularisation", "Whose path is shown", choose);
    const step = (options) => () => actions.setStep(Number(this.slider.value), options);
    this.slider = element("input.slide.steps", {
      ...{ type: "range", min: 0, step: 1, oninput: step(), onchange: step({ done: true }) },
      title: "Move along the path; the browser holds all its curves"
    });
    this.chips = element("div.group.chips");
    this.tools = element("div.group.lead", {}, this.menu, this.slider, head);
    this.legend = element("div.legend");
    this.node = element("div.along", {}, this.chart.node, this.legend);
    const { node } = this.chart;
    listenDrag(node, placeOn(node), {
      begin: ([px]) => this.pick(px),
      drag: ([px], options) => this.pick(px, options),
      cancelled: step({ done: true })
    });
  }
  // The step nearest to a place in the chart.
  pick(px, options) {
    const distances = this.xs.map((x) => Math.abs(this.chart.toPixel(x, 1)[0] - px));
    this.actions.setStep(distances.indexOf(Math.min(...distances)), options);
  }
  adopt(paths) {
    const option = ({ name, title }) => element("option", { value: name }, title);
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
      const go = () => this.actions.setStep(step, { done: true });
      const attributes = { title: `Go to where “${title}” stops`, onclick: go };
      return element("button.swatch", attributes, `${title}: ${short2(path.positions[step])}`);
    };
    this.chips.replaceChildren(...path.marks.map(chip));
    const key = ({ title, dashed }, i) => element("span.key", {}, sample2(i, dashed), title);
    this.legend.replaceChildren(...path.series.map(key));
  }
  // Positions on the axis: a logarithmic one has no 0.
  get xs() {
    const { positions, log } = this.path;
    const least = Math.min(...positions.filter((v2) => v2 > 0));
    return log ? positions.map((v2) => Math.max(v2, least)) : positions;
  }
  layout(width, height) {
    const { path, xs } = this;
    const values = path.series.flatMap(({ values: values2 }) => Array.from(values2));
    const positive = values.filter((v2) => v2 > 0 && Number.isFinite(v2));
    const high2 = Math.max(...positive, 1e-12);
    const low2 = Math.max(Math.min(...positive, high2), high2 * 1e-8);
    const ends = [Math.min(...xs), Math.max(...xs)];
    if (ends[0] === ends[1]) ends[1] = path.log ? 10 * ends[0] : ends[0] + 1;
    const groups = grouped(path.marks);
    this.chart.layout(width, height, [...ends, low2 / 1.4, high2 * 1.4], {
      log: [path.log, true],
      names: [path.symbol, "size"],
      whole: path.positions.every(Number.isInteger),
      top: 8 + LINE * groups.length
    });
    const line = ({ values: values2, dashed }, i) => svg("path", { d: this.chart.path(xs, values2), class: seriesClass(i, dashed) });
    const lines = svg("g", this.chart.clipped, ...path.series.map(line));
    this.chart.lines.replaceChildren(lines, ...this.flags(groups));
  }
  // A line and a name for each step at which a rule stops; names that would touch go a row lower.
  flags(groups) {
    const { box } = this.chart;
    const ends = groups.map(() => -Infinity);
    return groups.flatMap(({ step, titles }) => {
      const px = this.chart.toPixel(this.xs[step], 1)[0];
      const text = titles.join(", ");
      const width = LETTER2 * text.length;
      const anchor = px < box.x + width / 2 ? "start" : px > box.x + box.w - width / 2 ? "end" : "middle";
      const from = px - width * { start: 0, middle: 0.5, end: 1 }[anchor];
      const row = ends.findIndex((end) => from > end + 6);
      ends[row] = from + width;
      const y = 12 + LINE * row;
      return [
        svg("line", { x1: px, x2: px, y1: y + 4, y2: box.y + box.h, class: "flag" }),
        label(text, px, y, anchor)
      ];
    });
  }
  // The numbers at a step, as text.
  words(step) {
    const { path } = this;
    const solid = path.series.filter(({ dashed }) => !dashed);
    const parts = solid.map(({ title, values }) => `${title.toLowerCase()} ${short2(values[step])}`);
    return [`${path.symbol} = ${short2(path.positions[step])}`, ...parts].join(" · ");
  }
  draw(step) {
    const { chart, path } = this;
    const { box } = chart;
    const x = this.xs[step];
    const px = chart.toPixel(x, 1)[0];
    const dots = path.series.map(({ values, dashed }, i) => {
      const [cx, cy] = chart.toPixel(x, values[step]);
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
function seriesClass(i, dashed) {
  return `series s${i}${dashed ? " dashed" : ""}`;
}
function sample2(i, dashed) {
  const line = svg("path", { d: "M0 5h28", class: seriesClass(i, dashed) });
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
  arrange: () => arrange,
  detail: () => detail,
  inGrid: () => inGrid,
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
  const paired = count === 1 && times2 > 1;
  const leastWidth = many ? PANELS.least_width_many : count > 1 || paired ? PANELS.least_width : 0;
  const natural = wish || (count <= PANELS.in_a_row ? count : PANELS.columns);
  const columns = paired ? fitting(width, leastWidth, 2) : columnsOf(width, count, natural, leastWidth);
  const rows = rowsInView(width, columns, paired ? 2 : count, paired ? 1 : times2);
  const kind = many ? "many" : times2 > 1 && !paired ? "pinned" : "few";
  const [axes, least] = [!bare && !many, LEAST2[kind] / Math.min(aspect, 1)];
  return inGrid({ width, available, columns, rows, head, height, least, aspect, axes, room, type });
}
function inGrid({ width, available, columns, rows, head, height, least, aspect, axes, room, type }) {
  const outer2 = Math.floor((width - GAP * (columns - 1)) / columns);
  const hasAxes = axes && outer2 >= 200;
  const margin = hasAxes ? { left: room, right: 8, top: 1, bottom: type + 10 } : { left: 1, right: 1, top: 1, bottom: 1 };
  const [beside, above] = [margin.left + margin.right, margin.top + margin.bottom];
  const free = (available - GAP * (rows - 1)) / rows - head - above;
  const widest = Math.max(outer2 - beside, 40);
  const tallest = Math.max(height || Math.max(free, least), 1);
  const [w, h] = [Math.min(widest, tallest * aspect), Math.min(widest / aspect, tallest)].map(Math.floor);
  return {
    columns,
    gap: GAP,
    axes: hasAxes,
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
var [ROTATED, MOST4, LINE2] = [1.25, 5.4, 1.5];
function axisRoom(context, view, box, theme, name) {
  const { type } = theme;
  context.font = `${type}px ${theme.font}`;
  const [, , y0, y1] = view.range;
  const { values, ...scale } = ticks(y0, y1, box.h / (5 * type), box.h / (LINE2 * type));
  const widths = values.map((value) => context.measureText(tick(value, scale)).width);
  const nameRoom = isRotated(context, name) ? ROTATED * type : 0;
  const width = Math.max(Math.max(0, ...widths) + 9, AXIS - nameRoom / 2) + nameRoom;
  return Math.ceil(Math.min(width, MOST4 * type));
}
function isRotated(context, name) {
  return context.measureText(name).width > AXIS - 8;
}
function drawAxes(context, view, box, theme, names) {
  Object.assign(context, { strokeStyle: css(theme.text, 0.22), lineWidth: 1 });
  context.strokeRect(box.x - 0.5, box.y - 0.5, box.w + 1, box.h + 1);
  if (!names) return;
  context.font = `${theme.type}px ${theme.font}`;
  context.beginPath();
  names.forEach((name, axis) => drawTicks(context, view, box, theme, axis, name));
  context.stroke();
  nameAxes(context, box, theme, names);
}
function drawTicks(context, view, box, theme, axis, name) {
  const { type } = theme;
  const rotated = isRotated(context, name);
  const end = box.x + box.w - Math.min(context.measureText(name).width, 0.6 * box.w) - 10;
  const top = box.y + (rotated ? 4 : 1.7 * type);
  const [least, most] = axis ? [top, box.y + box.h - 4] : [box.x + 6, end];
  const [length, spacing, leastSpacing] = axis ? [box.h, 5, LINE2] : [box.w, 4, 3];
  const [dx, dy] = axis ? [-1, 0] : [0, 1];
  const room = axis ? box.x - 8 - (rotated ? ROTATED * type : 0) : void 0;
  const [align, baseline] = axis ? ["right", "middle"] : ["center", "top"];
  const style2 = { opacity: 0.7, align, baseline, room };
  const place = (value) => view.toPixel(value, value, box)[axis];
  const fits = (value) => place(value) > least && place(value) < most;
  const [lo, hi] = view.range.slice(2 * axis, 2 * axis + 2);
  const { values, ...scale } = ticks(lo, hi, length / (spacing * type), length / (leastSpacing * type), fits);
  for (const value of values) {
    const [x, y] = axis ? [box.x, place(value)] : [place(value), box.y + box.h];
    context.moveTo(x + dx, y + dy);
    context.lineTo(x + 4 * dx, y + 4 * dy);
    if (fits(value)) drawText(context, theme, tick(value, scale), x + 6 * dx, y + 6 * dy, style2);
  }
}
function nameAxes(context, box, theme, [across, up]) {
  const style2 = { opacity: 0.8, align: "right", baseline: "top" };
  drawText(context, theme, across, box.x + box.w, box.y + box.h + 6, { ...style2, room: 0.6 * box.w });
  if (!isRotated(context, up)) return drawText(context, theme, up, box.x - 6, box.y, style2);
  context.save();
  context.translate(2, box.y);
  context.rotate(-Math.PI / 2);
  drawText(context, theme, up, 0, 0, { ...style2, room: box.h });
  context.restore();
}
function tick(value, { digits, step }) {
  const power = Math.floor(Math.log10(Math.abs(value)) + 1e-9);
  const after = Math.max(power - Math.floor(Math.log10(step) + 1e-9), 0);
  const text = power >= 5 ? value.toExponential(after).replace("e+", "e") : value.toFixed(digits);
  return (Number(text) === 0 ? 0 .toFixed(digits) : text).replaceAll("-", "−");
}

// js/paint/layers.js
var { cover: COVER } = contract_default.near;
var Layer = class {
  canvas = document.createElement("canvas");
  // The canvas, of a panel's size, redrawn by put(context) if its content, size, zoom or theme changed.
  show(content, { theme, view, size, box, ratio }, put) {
    const key = [theme.id, size.width, size.height, box.x, box.w, box.h, ratio, ...view.range].join();
    if (this.key !== key || this.content !== content) put(blank(this.canvas, size, ratio));
    Object.assign(this, { key, content });
    return this.canvas;
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
      const alpha = Math.round(COVER * (255 - near[j * nx + i]));
      image.data.set([r, g, b2, alpha], 4 * ((ny - 1 - j) * nx + i));
    }
  }
  const [w, h] = [region.w / (nx - 1), region.h / (ny - 1)];
  withClip(context, [box, region], () => {
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
  strokePath(context, css(theme.text, 0.13), 1);
  context.restore();
  Object.assign(context, { strokeStyle: css(theme.text, 0.4), lineWidth: 1 });
  context.strokeRect(region.x, region.y, region.w, region.h);
}

// js/panels/place.js
var MOST_ABOVE = 0.34;
var SHARE = 0.38;
var BELOW = 10;
var FOOT = 118;
var ROUNDS = 3;
var LATER = [250, 1200];
var Placement = class {
  constructor(board) {
    Object.assign(this, { board, top: 0 });
  }
  // Compute the layout that fits, as arrange() returns it, and apply it to every visible panel.
  compute() {
    const { stage, root, theme } = this.board;
    const { scene, view, display } = stage;
    markSize(root);
    display.follow();
    const panels = display.visible;
    this.board.swipe.arrange(root.clientWidth, panels);
    let place = null;
    this.apply(arrange({ ...this.wishes(), head: 0 }), panels);
    for (let round = 0; round < ROUNDS; round++) {
      const heads = panels.map(({ head }) => head.node.offsetHeight + head.foot.offsetHeight);
      const wishes = { ...this.wishes(), head: Math.max(0, ...heads) + 4 };
      if (place && Math.abs(wishes.head - place.head) <= 1) break;
      place = arrange(wishes);
      const context = place.axes && panels[0]?.base.getContext("2d");
      const room = context && axisRoom(context, view, place.box, theme, scene.axes[1]);
      if (room) place = arrange({ ...wishes, room });
      place.head = wishes.head;
      this.apply(place, panels);
    }
    this.board.swipe.settle();
    this.measureLater();
    return place;
  }
  apply({ columns, gap, size, box }, panels) {
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
    const isAlone = display.present.on || display.enlarged !== null;
    return {
      ...display.shape,
      width: plots.clientWidth,
      wish: display.enlarged === null ? scene.columns : 0,
      height: isAlone || !height ? 0 : Math.max(height, SHARE * window.innerHeight),
      aspect: view.aspect,
      bare: Boolean(scene.space),
      swiped: this.board.swipe.on,
      available: this.available(),
      type: theme.type
    };
  }
  // Pixels from the top of the panels to the end of the window, as if nothing were scrolled: a picture
  // must not grow while the page scrolls.
  available() {
    const { stage, root } = this.board;
    const { present, pins, more } = stage.display;
    const { top, offset } = this.measure();
    const key = `${window.innerWidth}x${window.innerHeight}`;
    if (!scrolled(root) || this.key !== key) Object.assign(this, { top, key });
    this.offset = offset;
    const most = MOST_ABOVE * window.innerHeight;
    const above = present.on ? 0 : Math.min(Math.max(this.top, 0), most);
    const foot = present.on ? outer(stage.draw.bar.foot) : stage.alone ? FOOT : 0;
    const below = outer(more) + outer(pins.caption) + BELOW + foot;
    return window.innerHeight - above - offset - below;
  }
  // Top of the stage in the window, and of the pictures in the stage.
  measure() {
    const [{ top }, plots] = [this.board.root, this.board.plots].map((node) => node.getBoundingClientRect());
    return { top, offset: plots.top - top };
  }
  // The page above the pictures may still change its height after they are placed.
  measureLater() {
    this.timers?.forEach(clearTimeout);
    const measure = () => {
      const { root } = this.board;
      if (!root.isConnected || scrolled(root)) return;
      const { top, offset } = this.measure();
      if (Math.abs(top - this.top) > 1 || Math.abs(offset - this.offset) > 1)
        this.board.schedule("resize", "layout");
    };
    this.timers = LATER.map((wait) => setTimeout(measure, wait));
  }
};
function outer(node) {
  return node.offsetHeight ? node.offsetHeight + 14 : 0;
}
function scrolled(node) {
  for (let ancestor = node; ancestor; ancestor = ancestor.parentElement ?? ancestor.getRootNode().host)
    if (ancestor.scrollTop > 0) return true;
  return false;
}
var WIDEST2 = 640;
var MOST5 = 6;
var Swipe = class {
  // board: the Board whose panels are swiped.
  constructor(board) {
    Object.assign(this, { board, on: false, index: null });
    this.node = element("nav.tabs", { "aria-label": "Panels" });
    this.node.hidden = true;
    board.plots.parentElement.before(this.node);
    board.plots.addEventListener("scroll", () => this.scrolled(), { passive: true });
  }
  // Decide whether these panels are swiped at this width.
  arrange(width, panels) {
    const { plots } = this.board;
    this.on = width <= WIDEST2 && panels.length > 1 && panels.length <= MOST5;
    this.index = Math.min(this.index ?? this.board.stage.scene.first, panels.length - 1);
    plots.classList.toggle("swiped", this.on);
    this.node.hidden = !this.on;
    if (!this.on) return this.index = null;
    plots.style.setProperty("--panels", panels.length);
    const titles = panels.map((panel) => panel.title);
    const tab = (title, i) => element("button.tab", { type: "button", onclick: () => this.go(i) }, title || `Panel ${i + 1}`);
    refill(this.node, JSON.stringify(titles), () => titles.map(tab));
    this.mark();
  }
  mark() {
    for (const tab of this.node.children) tab.removeAttribute("aria-current");
    this.node.children[this.index].setAttribute("aria-current", "true");
  }
  // Keep the same panel in view after a layout.
  settle() {
    if (this.on) this.board.plots.scrollLeft = this.index * this.board.plots.clientWidth;
  }
  go(i) {
    const { plots } = this.board;
    plots.scrollTo({ left: i * plots.clientWidth, behavior: isCalm() ? "auto" : "smooth" });
  }
  scrolled() {
    if (!this.on) return;
    const { plots, stage } = this.board;
    const index = Math.round(plots.scrollLeft / Math.max(plots.clientWidth, 1));
    const panel = stage.display.visible[index];
    if (index === this.index || !panel) return;
    this.index = index;
    this.mark();
    stage.hand.show(panel);
  }
  // The panel in view; null if all are.
  get panel() {
    return this.on ? this.board.stage.display.visible[this.index] ?? null : null;
  }
};

// js/paint/raster.js
var raster_exports = {};
__export(raster_exports, {
  Raster: () => Raster,
  scaleOf: () => scaleOf,
  settleScales: () => settleScales
});
var SCALE = contract_default.scale;
var Raster = class {
  // Paint the grid within `range` ([x0, x1, y0, y1]) at width x height; beyond the grid its edge is repeated.
  // scales: {top, colours} of one signed field, or {top, shades} of K scores.
  draw(field, k, grid, range2, width, height, scales) {
    const [x0, x1, nx] = grid.x;
    const [y0, y1, ny] = grid.y;
    if (this.image?.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      this.words = new Uint32Array(this.image.data.buffer);
    }
    const { words } = this;
    const line = new Float32Array(k * nx);
    const [column, share] = [new Int32Array(width), new Float32Array(width)];
    for (let i = 0; i < width; i++) {
      const x = range2[0] + (i + 0.5) / width * (range2[1] - range2[0]);
      const u = (x - x0) / (x1 - x0) * (nx - 1);
      column[i] = Math.min(Math.max(Math.floor(u), 0), nx - 2);
      share[i] = Math.min(Math.max(u - column[i], 0), 1);
    }
    const paintRow = k > 1 ? winnerRow : signedRow;
    for (let j = 0; j < height; j++) {
      const y = range2[3] - (j + 0.5) / height * (range2[3] - range2[2]);
      const v2 = (y - y0) / (y1 - y0) * (ny - 1);
      const r = Math.min(Math.max(Math.floor(v2), 0), ny - 2);
      const t = Math.min(Math.max(v2 - r, 0), 1);
      for (let c = 0; c < k; c++) {
        const low2 = (c * ny + r) * nx;
        for (let i = 0; i < nx; i++) {
          const a = field[low2 + i];
          line[c * nx + i] = a + (field[low2 + nx + i] - a) * t;
        }
      }
      paintRow(words.subarray(j * width, (j + 1) * width), line, column, share, nx, k, scales);
    }
    return this.canvas = canvasOf(this.image, this.canvas);
  }
};
function signedRow(target, line, column, share, nx, k, { top, colours }) {
  const scale = STEPS / top;
  const most = 2 * STEPS;
  for (let i = 0; i < target.length; i++) {
    const at = column[i];
    const a = line[at];
    const value = (a + (line[at + 1] - a) * share[i]) * scale + STEPS + 0.5;
    target[i] = value >= 0 ? colours[value > most ? most : value | 0] : value < 0 ? colours[0] : 0;
  }
}
function winnerRow(target, line, column, share, nx, k, { top, shades: shades2 }) {
  const scores = new Float64Array(k);
  const scale = STEPS / top;
  for (let i = 0; i < target.length; i++) {
    for (let c = 0, p = column[i]; c < k; c++, p += nx) {
      scores[c] = line[p] + (line[p + 1] - line[p]) * share[i];
    }
    const { code, score, margin } = decodeAt(scores, 0, 1, k);
    const shade = margin * scale;
    const known = score > -Infinity;
    target[i] = known ? shades2[code % shades2.length][shade > STEPS ? STEPS : shade | 0] : 0;
  }
}
function scaleOf(field, k, kind, inside2 = null) {
  const top = topOf(field, k, inside2);
  const flat = (nodes) => kind === "functions" && k === 1 && spread2(field, nodes) < SCALE.flat_below * top;
  if (!flat(inside2)) return { size: top, constant: false };
  return { size: SCALE.flat_room * top, constant: !inside2 || flat(null) };
}
function spread2(values, nodes) {
  let [lo, hi] = [Infinity, -Infinity];
  const count = nodes?.length ?? values.length;
  for (let i = 0; i < count; i++) {
    const v2 = values[nodes ? nodes[i] : i];
    if (v2 < lo && v2 > -Infinity) lo = v2;
    if (v2 > hi && v2 < Infinity) hi = v2;
  }
  return hi - lo;
}
function topOf(field, k, nodes) {
  let top = 0;
  const n = field.length / k;
  const count = nodes?.length ?? n;
  for (let i = 0; i < count; i++) {
    const { margin } = decodeAt(field, nodes ? nodes[i] : i, n, k);
    if (margin > top && margin < Infinity) top = margin;
  }
  return top;
}
function settleScales(panels, same2) {
  const drawn = panels.filter((panel) => panel.field);
  const comparable = drawn.filter((panel) => !panel.panel?.kind || panel.panel.kind === drawn[0].kind);
  const most = Math.max(0, ...comparable.map((panel) => panel.field.size));
  for (const panel of drawn) {
    const { field } = panel;
    const top = (same2 && comparable.includes(panel) ? most : field.size) || 1;
    if (field.top !== top) Object.assign(field, { top, lines: null });
  }
}

// js/panels/board.js
var SETTLE = 160;
var OUTDATED = "data-lapviz-ahead";
var Board = class {
  // stage: the Stage whose scene, panels and view are painted.
  constructor(stage, toolbar) {
    Object.assign(this, { stage, toolbar, moving: false, width: 0, place: null });
    this.dirty = { layout: true, field: true, base: true };
    this.layers = { dots: new Layer(), cover: new Layer() };
    this.placement = new Placement(this);
    this.heading = element("div.heading");
    this.plots = element("div.plots", { tabindex: "0", role: "application", "aria-label": "Picture" });
    this.computing = new Computing(this.plots, () => stage.channel.send("cancel", Date.now()));
    this.cloud = new Cloud();
    this.failures = /* @__PURE__ */ new Map();
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
    const { signal } = stage.channel.abortController;
    addEventListener("resize", () => this.schedule("resize", "layout"), { signal });
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", () => this.schedule("theme", "base"), { signal });
  }
  destroy() {
    document.documentElement.removeAttribute(OUTDATED);
  }
  // Also called when the stage is removed from the page.
  resized() {
    if (!this.root.isConnected) setTimeout(() => this.stage.endIfDetached(), 0);
    else if (Math.abs(this.root.clientWidth - this.width) > 0.5) this.schedule("resize", "layout");
  }
  // level: "over" < "base" < "field" < "layout"; with the reason "" no event is reported.
  schedule(reason, level) {
    if (this.stage.gone) return;
    this.dirty.layout ||= level === "layout";
    this.dirty.field ||= level === "layout" || level === "field";
    this.dirty.base ||= level !== "over";
    if (reason) this.reason = reason;
    this.pending ??= requestAnimationFrame(() => {
      this.pending = null;
      this.guard("paint", () => this.frame());
    });
  }
  // Draw coarsely while something moves, and in full detail shortly after.
  markMoving() {
    this.moving = true;
    clearTimeout(this.settle);
    this.settle = setTimeout(() => {
      this.moving = false;
      this.schedule(this.reason || "settle", "base");
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
    if (this.dirty.field) this.updateFields(settings, changed);
    if (stage.action) this.announceAccuracy();
    const options = this.paintOptions(theme);
    if (painted2) for (const panel of stage.display.visible) panel.paint(options);
    this.paintOver(options);
    this.toolbar.follow(stage);
    stage.stroke.follow();
    this.dirty = { layout: false, field: false, base: false };
    document.documentElement.toggleAttribute(OUTDATED, changed.length > 0);
    if (painted2) saveView(stage);
    if (painted2 || this.reason) this.report(performance.now() - start, !changed.length);
    return painted2;
  }
  // Update the fields: of hidden panels only at rest or if they share a common scale.
  updateFields(settings, changed) {
    const { panels, display, lamMoving, channel } = this.stage;
    const { marking, sameScale: same2, live, pins } = display;
    const updated = same2 || !(lamMoving || channel.moving) ? panels : live;
    for (const panel of updated) panel.updateField(settings, changed, marking);
    for (const panel of pins.panels) panel.findErrors(panel.labels, marking);
    settleScales([...updated, ...pins.panels], same2);
  }
  readTheme() {
    const { present, least } = contract_default.type;
    const theme = makeTheme(this.root, this.stage.display.present.on ? present : least, this.theme);
    if (theme !== this.theme) {
      this.theme = theme;
      this.root.dataset.theme = theme.dark ? "dark" : "light";
      this.dirty.base = true;
    }
    return theme;
  }
  layout() {
    this.width = this.root.clientWidth;
    if (this.width < 40) return;
    this.stage.markPainted();
    const container = this.root.getRootNode().host?.closest('[data-testid="stElementContainer"]');
    container?.style.setProperty("opacity", "1", "important");
    this.place = this.placement.compute();
  }
  // What a panel needs to paint itself.
  paintOptions(theme) {
    const { ratio, layers, place, moving, cloud } = this;
    const { display, draw: draw2 } = this.stage;
    const pixels = () => detail(place.box, ratio, display.shape.count, moving);
    const options = paintOptionsOf(this.stage, { place, theme, ratio, moving, cloud, pixels });
    const { scene, putDots, putCover } = options;
    const points = draw2.shown ? draw2.current.points : scene.points;
    const { width, height } = place.size;
    const copy2 = (layer, content, put) => (context) => context.drawImage(layer.show(content, options, put), 0, 0, width, height);
    options.putDots = copy2(layers.dots, points, putDots);
    options.putCover = copy2(layers.cover, scene.grid, putCover);
    return options;
  }
  paintOver(options) {
    const { scene, hand, view, display, stroke, code, draw: draw2 } = this.stage;
    const { space, points } = scene;
    const placed = (labels2) => space?.placed(labels2, points.position) ?? labels2;
    const labels = placed(this.stage.labels);
    const { target, hovered, cursor } = hand;
    const invite = scene.editable && !labels.length && !target && !draw2.on;
    for (const panel of display.visible) {
      const chip = panel !== hovered;
      panel.reasons = target ? reasonsAt(target, panel, this.stage) : [];
      const below = (context) => drawPaths(context, options, panel.reasons);
      const above = (context) => {
        draw2.paint(context, panel, options.theme);
        drawShares(context, options, panel.reasons);
        if (target) drawHover(context, options, panel, target, { strong: target === cursor, chip });
        if (!panel.frozen) drawNext(context, scene, view, options.box, options.theme);
        stroke.draw(context, panel, options.theme, code);
        if (invite && !panel.hasNote && !panel.frozen) drawInvitation(context, options, scene.free_labels);
      };
      panel.paintOver(options, panel.labels ? placed(panel.labels) : labels, above, below);
      if (panel !== hovered || !target) panel.tip.style.display = "none";
    }
    if (!target || !hovered || hovered.closed) return;
    const [x, y] = view.toPixel(target.x, target.y, this.place.box);
    const { reasons } = hovered;
    const lines = describe(target, hovered, this.stage, reasons);
    const image = portrait(points.images, target.point, options.theme);
    const places = reasons.flatMap(({ place, path }) => path ?? [place]);
    const uncovered = places.map((place) => view.toPixel(...place, options.box));
    if (lines.length) placeTip(hovered.tip, lines, [x, y], this.place.size, image, uncovered);
    else hovered.tip.style.display = "none";
  }
  // Describe the pictures to screen readers.
  describe() {
    const { scene, draw: draw2, hand, display } = this.stage;
    const { editable, free_labels: free, panels } = scene;
    const names = panels.map((panel) => panel.title).filter(Boolean);
    const labelKeys = editable ? `${free ? ", with Shift freely" : ""}; Enter labels, Delete removes, digits choose the class` : "";
    const turn = hand.rotates ? " Shift with arrow keys turns the points." : "";
    const arrows = editable || display.enlarged === null ? "go from point to point" : "change the picture";
    const keys = `Arrow keys ${arrows}${labelKeys}.${turn} Plus and minus zoom.`;
    const text = draw2.ready ? "A sheet to draw on. Arrow keys move the brush, with Shift faster; Space paints; digits choose the class, 0 none; B brush, E eraser, M moves points; Escape ends." : `Picture of ${names.join(", ") || "the data"}. ${keys}`;
    this.plots.setAttribute("aria-label", text);
  }
  // Show a sentence in place of a picture, "" for none: the first one of all kinds of work.
  showFailure(kind, sentence) {
    if (sentence) this.failures.set(kind, sentence);
    else this.failures.delete(kind);
    setText(this.message, [...this.failures.values()][0] ?? "");
  }
  announce(text) {
    setText(this.live, text);
  }
  // Announce the last edit with the accuracy of every picture, once Python has answered.
  announceAccuracy() {
    const { stage } = this;
    const { visible } = stage.display;
    if (!stage.alone && !stage.exact) return;
    const scores = visible.filter(({ head, waiting }) => head.share.textContent && !waiting);
    const texts = scores.map(({ panel, head }) => `${panel.title} ${head.score.textContent}`);
    this.announce([stage.action, texts.join(", ")].filter(Boolean).join("; "));
    stage.action = "";
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
    const detail2 = { reason: this.reason || "view", ms, panels: panels.length, rev, exact, key };
    this.reason = "";
    shared.paints += 1;
    shared.last = detail2;
    window.dispatchEvent(new CustomEvent("lapviz:painted", { detail: detail2 }));
  }
  // Run something that must not break the page: if it throws, a sentence replaces the picture until the
  // same kind of work succeeds (run() returns true).
  guard(kind, run) {
    try {
      if (run()) this.showFailure(kind, "");
    } catch (error) {
      console.warn("lapviz stage:", error);
      const reason = error?.message ?? String(error);
      const sentence = `This picture could not be drawn: ${reason} Change a setting or reload the page.`;
      this.showFailure(kind, sentence);
    }
  }
};
function paintOptionsOf({ view, scene, display, draw: draw2 }, { place, theme, ratio, moving, cloud, pixels }) {
  const { box, size, axes } = place;
  scene.space?.look(view);
  const options = { theme, view, scene, box, size, ratio, moving, pixels, axes: axes ? scene.axes : null };
  Object.assign(options, { count: display.shape.count, images: display.images && display.hasImages });
  options.drawing = draw2.shown;
  options.putDots = (context) => {
    if (draw2.shown) drawPoints(context, draw2.current, options);
    else drawDots(context, scene.points, view, box, theme);
  };
  options.putCover = (context) => drawCover(context, options);
  if (scene.space) {
    cloud.prepare(options);
    options.cloud = cloud;
  }
  return options;
}

// js/bars/share.js
var STATUS_TIME = 1600;
var NO_SETTINGS = /^(stage|present|letters|more|part|embed.*)$/;
var NO_CODE = "There is no QR code here; open the page without hide=page to get one below the picture.";
var latest2 = null;
function currentCode() {
  if (!latest2?.root.isConnected) return { qr: "", why: NO_CODE };
  const current = sameSettings(latest2.data.link, pageAddress());
  return current ? latest2.data : { qr: "", why: "The code is on its way …" };
}
function sameSettings(a, b2) {
  const parts = (address) => {
    const { pathname, searchParams } = new URL(address);
    const settings = [...searchParams].filter(([name]) => !NO_SETTINGS.test(name));
    return [pathname, ...settings.map((pair) => pair.join("=")).sort()].join("&");
  };
  return Boolean(a) && parts(a) === parts(b2);
}
var CodeBox = class {
  // changed(shown): called when the code is shown or hidden.
  constructor(button, title, box, changed = () => {
  }) {
    this.changed = changed;
    const attributes = { type: "button", title, "aria-expanded": "false", onclick: () => this.toggle() };
    this.button = element(button, attributes, "QR code");
    this.image = element("img.qr", { width: 232, height: 232 });
    this.reason = element("span");
    this.node = element(box, { role: "status" }, this.image, this.reason);
    this.node.hidden = true;
  }
  toggle() {
    this.node.hidden = !this.node.hidden;
    this.button.setAttribute("aria-expanded", String(!this.node.hidden));
    if (!this.node.hidden) this.node.scrollIntoView({ block: "center" });
    this.changed(!this.node.hidden);
  }
  // qr: the image's address or ""; why: a sentence in its place.
  update({ qr, why, alt }) {
    show(this.image, qr);
    if (qr && this.image.src !== qr) Object.assign(this.image, { src: qr, alt });
    setText(this.reason, why);
  }
};
var Share = class {
  constructor(parent2) {
    this.link = this.button("Copy link", "The address of exactly this view", addressToShare);
    this.embed = this.button("Copy embed code", "An iframe for slides or a course page", () => embedCode(addressToShare(), this.data));
    this.code = new CodeBox("button.swatch", "These settings' address, for phones", "div.qrbox");
    this.status = element("span", { role: "status" });
    const row = element("div.tools", {}, this.link, this.embed, this.code.button, this.status);
    this.root = element("div.stage.sharing", { "data-size": "wide" }, row, this.code.node);
    parent2.append(this.root);
  }
  // text(): what the button copies.
  button(label2, title, text) {
    const onclick = async ({ target: node }) => {
      const value = text();
      const done = await copy(value);
      if (!done) {
        const attributes = { value, readonly: true, "aria-label": "To copy" };
        const field = element("input.copyfield", attributes);
        node.parentNode.querySelector(".copyfield")?.remove();
        node.after(field);
        field.select();
      }
      setText(this.status, done ? "Copied" : "");
      clearTimeout(this.timer);
      this.timer = setTimeout(() => setText(this.status, ""), STATUS_TIME);
    };
    return element("button.swatch", { type: "button", title, onclick }, label2);
  }
  // data: {title, height, hide, link, and the code: qr, why, alt}
  receive({ data }) {
    this.data = data;
    latest2 = this;
    this.code.update(data);
  }
};
function embedCode(address, { title, height, hide }) {
  const url = new URL(address);
  url.searchParams.set("embed", "true");
  const hidden = [url.searchParams.get("hide"), hide].filter(Boolean);
  if (hidden.length) url.searchParams.set("hide", hidden.join());
  const size = { width: "100%", height, style: "border: 0", loading: "lazy" };
  const allow = "fullscreen; clipboard-write";
  return element("iframe", { src: url.href, title, ...size, allow }).outerHTML;
}

// js/bars/present.js
var STEPS2 = { PageDown: 1, n: 1, N: 1, PageUp: -1, p: -1, P: -1 };
var ARROWS2 = { ArrowRight: 1, ArrowLeft: -1 };
var USES_ARROWS = "input, select, textarea, [role=slider], [role=radio]";
var POLL = 300;
var NEXT_PAGE = 3e4;
var Present = class {
  constructor(stage) {
    Object.assign(this, { stage, on: false, hasSteps: false, queued: 0 });
    this.title = element("span");
    const changed = (shown) => this.pollCode(shown);
    this.code = new CodeBox("button.codetool", "QR code of these settings (key q)", "div.code", changed);
    this.sentence = element("div.sentence");
    this.steps = element(
      "div.group",
      {},
      tool(icons_default.previous, "Previous step (p)", () => this.step(-1)),
      tool(icons_default.next, "Next step (n)", () => this.step(1))
    );
    const title = "End the presentation (Esc)";
    const attributes = { type: "button", title, "aria-label": title, onclick: () => this.leave() };
    const end = element("button.codetool", attributes, "End");
    const buttons = element("div.group.presenting", {}, this.steps, this.code.button, end);
    stage.board.heading.append(this.title, buttons, this.sentence);
    stage.board.root.append(this.code.node);
  }
  // Request full screen; if that is refused, the stage fills the window.
  async enter() {
    shared.presenting = true;
    const page = document.documentElement;
    if (!document.fullscreenElement) await page.requestFullscreen?.().catch(() => {
    });
    if (shared.presenting && !this.stage.gone) this.cover();
  }
  // Cover the page: a popover is in the browser's top layer, above all layers of the page.
  cover() {
    if (this.on) return;
    this.on = true;
    clearTimeout(shared.ending);
    const { root, plots, toolbar } = this.stage.board;
    toolbar.more.display(false);
    root.dataset.present = "";
    root.setAttribute("popover", "manual");
    root.showPopover?.();
    this.abortController = new AbortController();
    const { signal } = this.abortController;
    document.addEventListener("keydown", (event) => this.keydown(event), { capture: true, signal });
    const stay = (event) => event.composedPath().includes(root) || plots.focus({ preventScroll: true });
    document.addEventListener("focusin", stay, { signal });
    const onFullscreenChange = () => document.fullscreenElement || this.leave();
    document.addEventListener("fullscreenchange", onFullscreenChange, { signal });
    plots.focus({ preventScroll: true });
    this.stage.board.schedule("present", "layout");
    if (!this.stage.alone) writeView();
  }
  // Present if a link says so, or if the story's previous page was presented.
  resume() {
    if (shared.presenting && !this.on && isPageStage(this.stage)) this.cover();
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
    this.abortController.abort();
    if (!this.code.node.hidden) this.code.toggle();
    const { root, toolbar } = this.stage.board;
    toolbar.more.display(barSetting("more"));
    if (root.matches(":popover-open")) root.hidePopover();
    root.removeAttribute("popover");
    delete root.dataset.present;
    this.stage.board.schedule("present", "layout");
  }
  // The stage is gone with its page.
  destroy() {
    if (!this.on) return;
    this.uncover();
    clearTimeout(shared.ending);
    shared.ending = setTimeout(() => {
      if (!Object.values(shared.stages).some((stage) => stage.display?.present.on)) this.leave();
    }, NEXT_PAGE);
  }
  // hasSteps: is there a story to step through? sentence: about the picture.
  setTexts(title, hasSteps, sentence = "") {
    setText(this.title, title);
    setText(this.sentence, sentence);
    this.hasSteps = hasSteps;
    show(this.steps, hasSteps);
    show(this.code.button, !this.stage.alone);
  }
  // While the code is shown: that of the view arrives after the picture of a step.
  pollCode(shown) {
    clearInterval(this.polling);
    if (!shown) return;
    this.code.update(currentCode());
    this.polling = setInterval(() => this.code.update(currentCode()), POLL);
  }
  // ---- keys -------------------------------------------------------------------------------
  keydown(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || isTyping(event)) return;
    const { draw: draw2, hand, display, alone } = this.stage;
    const step = this.hasSteps && (STEPS2[event.key] ?? this.arrow(event));
    if (step) this.step(step);
    else if (event.key.toLowerCase() === "q" && !alone) this.code.toggle();
    else if (event.key !== "Escape") return;
    else if (!this.code.node.hidden) this.code.toggle();
    else if (draw2.on) draw2.escape();
    else if (!hand.drop() && !display.enlarge(null)) this.leave();
    event.preventDefault();
    event.stopPropagation();
  }
  step(by) {
    this.queued += by;
    this.nextStep();
  }
  // Send the next step that was requested, once the previous one is answered.
  nextStep() {
    const { channel } = this.stage;
    if (!this.queued || !channel.isAnswered) return;
    const step = Math.sign(this.queued);
    this.queued -= step;
    channel.sendAction("story", step);
  }
  // Arrows are steps of a story if nothing else needs them: no slider, no cursor among the points (up and
  // down set one, Escape drops it); with Shift they rotate points in space.
  arrow(event) {
    const step = ARROWS2[event.key];
    const isTaken = event.shiftKey || this.stage.hand.cursor || this.stage.draw.on;
    if (!step || isTaken) return 0;
    return event.composedPath()[0].closest?.(USES_ARROWS) ? 0 : step;
  }
};

// js/panels/head.js
var WAITING = ["waiting", "Python is working on the new settings"];
var OUTDATED2 = ["outdated", "Python could not compute the new settings: this picture is older"];
var PINNED = ["outdated", "When this was pinned it did not show these settings yet"];
var SAVED = ["needs Python", "This panel cannot be computed here: it stays as it was saved"];
var Head = class {
  // enlarge: the action of the button.
  constructor(enlarge) {
    this.title = element("div.title");
    this.measure = element("span.what");
    this.share = element("span.share");
    this.score = element("div.score", {}, this.measure, this.share);
    this.subtitle = element("div.subtitle");
    this.low = element("span");
    this.high = element("span");
    this.bar = element("i.bar");
    this.scale = element("div.scale", { "aria-hidden": "true" }, this.low, this.bar, this.high);
    this.wait = element("span.wait");
    this.sayWhy(...WAITING);
    this.grow = element("button.grow", { type: "button", onclick: enlarge });
    const words = [this.title, this.score, this.subtitle, this.grow];
    this.node = element("div.head", {}, ...words);
    this.foot = element("div.under", {}, this.wait, this.scale);
    this.showButton({ offered: false, enlarged: false });
  }
  setTitle(title) {
    setText(this.title, title);
    this.title.title = title;
  }
  // Why the panel does not show the present settings.
  sayWhy(word, title) {
    setText(this.wait, word);
    this.wait.title = title;
  }
  // Show accuracy and subtitle; `about`: why the share right is not exactly Python's, or "".
  caption(subtitle, share, about) {
    const [measure, number] = rightParts(share, about);
    setText(this.measure, measure);
    setText(this.share, number);
    const remark = about && `, ${about}`;
    this.score.title = `Share of the points without a label that get their true class${remark}`;
    show(this.score, number);
    setText(this.subtitle, subtitle);
    this.subtitle.title = subtitle;
  }
  // Show the button if there is anything to enlarge.
  showButton({ offered, enlarged }) {
    const name = this.title.textContent;
    const label2 = enlarged ? "Show all panels (Esc)" : `Enlarge ${name || "this panel"}`;
    show(this.grow, offered || enlarged);
    if (this.grow.title === label2) return;
    set(this.grow, { title: label2, "aria-label": label2, "aria-pressed": enlarged });
    this.grow.replaceChildren(icon(enlarged ? icons_default.shrink : icons_default.grow));
  }
  // top: end of the scale, null if no signed field is shown; colours: its table. A constant gets a word in
  // place of a scale.
  showScale(top, colours, constant) {
    show(this.scale, top !== null);
    this.scale.dataset.constant = constant ? "constant" : "";
    if (top === null) return;
    setText(this.low, `−${short2(top, 2)}`);
    setText(this.high, short2(top, 2));
    if (this.colours === colours) return;
    this.colours = colours;
    this.bar.style.background = gradient(colours);
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
var HALF_WIDTH = 8;
var flattened = new Float32Array(0);
function signedLines(field, nx, ny, { top, size }, count, unbend) {
  maker.size([nx, ny]);
  const lines = { thin: [], zero: [], faint: [] };
  for (let i = 1; i <= count; i++) {
    const level = top * unbend(i / (count + 1));
    for (const signed of [level, -level]) addLevel(field, nx, ny, signed, () => () => lines.thin);
  }
  addZero(lines, field, nx, ny, size);
  return lines;
}
function boundaries(field, k, nx, ny, size) {
  maker.size([nx, ny]);
  const n = nx * ny;
  const [first, second, margin] = [0, 1, 2].map(() => new Float32Array(n));
  const winner = new Uint8Array(n);
  for (let p = 0; p < n; p++) {
    const { code, score, other } = decodeAt(field, p, n, k);
    [winner[p], first[p], second[p]] = [code, score, other];
  }
  const lines = { thin: [], zero: [], faint: [] };
  for (const c of new Set(winner)) {
    const row = field.subarray(c * n, (c + 1) * n);
    for (let p = 0; p < n; p++) margin[p] = row[p] - (winner[p] === c ? second[p] : first[p]);
    addZero(lines, margin, nx, ny, size);
  }
  return lines;
}
function addZero({ zero, faint }, field, nx, ny, top) {
  const sizeAt = ([x, y]) => {
    const i = Math.min(Math.max(Math.floor(x - 0.5), 0), nx - 2);
    const at = Math.min(Math.max(Math.floor(y - 0.5), 0), ny - 2) * nx + i;
    const low2 = Math.max(Math.abs(field[at]), Math.abs(field[at + 1]));
    return Math.max(low2, Math.abs(field[at + nx]), Math.abs(field[at + nx + 1]));
  };
  const choose = (ring) => {
    const sizes = smooth(ring.map((point) => Math.log(sizeAt(point) / top + 1e-300)));
    return (i) => sizes[i] > Math.log(FAINT) ? zero : sizes[i] > Math.log(NOTHING) ? faint : null;
  };
  addLevel(flatten(field, FAINT * top), nx, ny, 0, choose);
}
function smooth(values) {
  const sums2 = [0];
  for (const value of values) sums2.push(sums2.at(-1) + value);
  return values.map((_2, i) => {
    const from = Math.max(i - HALF_WIDTH, 0);
    const to = Math.min(i + HALF_WIDTH + 1, values.length);
    return (sums2[to] - sums2[from]) / (to - from);
  });
}
function flatten(field, small) {
  if (flattened.length !== field.length) flattened = new Float32Array(field.length);
  const lowest = Math.log(NOTHING / FAINT);
  for (let p = 0; p < field.length; p++) {
    const size = Math.abs(field[p]);
    if (size >= small) flattened[p] = field[p];
    else {
      const share = size > 0 ? Math.max(1 - Math.log(size / small) / lowest, LEAST3) : LEAST3;
      flattened[p] = field[p] < 0 ? -small * share : small * share;
    }
  }
  return flattened;
}
function addLevel(field, nx, ny, level, choose) {
  for (const ring of maker.contour(field, level).coordinates.flat()) {
    const linesOf = choose(ring);
    let last = null;
    let [x, y] = ring[0];
    let onFrame = x <= 0 || y <= 0 || x >= nx || y >= ny;
    for (let i = 1; i < ring.length; i++) {
      const [u, v2] = ring[i];
      const endsOnFrame = u <= 0 || v2 <= 0 || u >= nx || v2 >= ny;
      const lines = onFrame && endsOnFrame ? null : linesOf(i);
      if (lines && lines !== last) lines.push([[x, y]]);
      lines?.at(-1).push([u, v2]);
      last = lines;
      [x, y, onFrame] = [u, v2, endsOnFrame];
    }
  }
}
function cellsToPixels(grid, view, box) {
  const { x, y, w, h } = regionOf(grid, view, box);
  const [sx, sy] = [w / (grid.x[2] - 1), -h / (grid.y[2] - 1)];
  return ([i, j]) => [x + sx * (i - 0.5), y + h + sy * (j - 0.5)];
}

// js/panels/panel.js
var { lines: LINES, panels: PANELS2 } = contract_default;
var IN_BROWSER = contract_default.message.in_browser;
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
    Object.assign(this, { field: null, frozen: false, waiting: false, wrong: [], reasons: [] });
  }
  // Exact values from Python; `model` is null or computes values for other settings.
  update(panel, scene, model) {
    Object.assign(this, { panel, model, kind: panel.kind ?? scene.kind });
    this.grid = panel.grid ? scene.grid : null;
    this.points = scene.points;
    this.samples = scene.n_samples;
    this.alone = scene.alone;
    this.head.setTitle(panel.title);
    if (scene.alone) this.head.sayWhy(...SAVED);
    setText(this.note, panel.note);
    this.editable = scene.editable;
    this.node.classList.toggle("open", scene.editable);
    this.showNote(Boolean(panel.note));
    this.field = null;
  }
  // A note replaces the picture; if labels can be set, the points can still be clicked.
  showNote(hasNote) {
    this.hasNote = hasNote;
    this.node.classList.toggle("noted", hasNote);
  }
  // Does the panel show nothing that could be clicked?
  get closed() {
    return this.hasNote && !this.editable;
  }
  // Show Python's values, or the model's for settings that Python has not answered. `changed` names
  // the settings that differ from those of Python's answer; `marking`: errors are marked.
  updateField(settings, changed, marking) {
    const { panel } = this;
    const exact = !changed.some((name) => panel.depends.includes(name));
    const needsPython = changed.some((name) => !IN_BROWSER.includes(name));
    const local = exact || !this.model ? null : this.evaluate(settings, marking);
    this.waiting = needsPython || !exact && !local;
    this.node.classList.toggle("waiting", this.waiting);
    this.showNote(!local && Boolean(panel.note));
    const { grid, points } = panel;
    if (local) this.show(local.grid, local.points, this.model.outputs);
    else if (this.hasNote) this.field = null;
    else if (this.field?.grid !== grid || this.field.points !== points)
      this.show(grid, points, grid?.shape[0] ?? points?.shape[0] ?? 1);
    const share = this.findErrors(settings.labels, marking);
    const outdated = this.waiting && this.alone;
    this.caption(local ? share : outdated ? null : panel.accuracy, !local);
  }
  // The model's values on the grid and at the points, as far as they are needed; null if it has none.
  evaluate(settings, marking) {
    const { model, grid, points } = this;
    const k = model.outputs;
    const needsPoints = this.countsErrors || marking || !grid;
    const values = {
      grid: grid && new Float32Array(k * grid.x[2] * grid.y[2]),
      // In double precision: far from the labels the sign of a tiny score decides.
      points: needsPoints ? new Float64Array(k * points.count) : null
    };
    return model.evaluate(settings, values) ? values : null;
  }
  // Can the share right be counted here, before Python answers?
  get countsErrors() {
    const { accuracy } = this.panel;
    return this.kind === "classes" && accuracy !== null && Boolean(this.points.truth);
  }
  get title() {
    return this.frozen ? `Pinned: ${this.panel.title}` : this.panel.title;
  }
  // Accuracy and subtitle; a share that only Python knows exactly is marked as such: counted over
  // some of the samples, or estimated from the leading modes.
  caption(share, exact) {
    const { count } = this.points;
    const certain = exact || share === null;
    const reasons = [
      !certain && count !== this.samples && `counted over the ${count} points that are drawn`,
      !certain && this.model.rough && "an estimate from the leading modes"
    ];
    this.captionParts = [this.panel.subtitle, share, reasons.filter(Boolean).join(", ")];
    this.head.caption(...this.captionParts);
  }
  // `size`: the scale's end for these values alone; `top`: its end as set by settleScales().
  show(grid, points, outputs) {
    const near = grid ? insideOf(this.grid) : null;
    const { size, constant } = scaleOf(grid ?? points ?? [], outputs, this.kind, near);
    this.field = { grid, points, outputs, size, top: size, flat: !(size > 0), constant, lines: null };
  }
  // Find the drawn points to be marked as wrong; returns the share of those of known class that are
  // right, or null if errors are not counted in this panel.
  findErrors(labels, marking) {
    const { points, outputs } = this.field ?? {};
    this.wrong = [];
    if (!this.countsErrors || !points) return null;
    const { wrong, total } = wrongPoints(points, outputs, this.points, labels);
    if (marking) this.wrong = wrong;
    return total ? (total - wrong.length) / total : null;
  }
  // Redraw the base canvas, with the options of paintOptionsOf() in board.js.
  paint(options) {
    const context = blank(this.base, options.size, options.ratio);
    if (!this.closed) this.draw(context, options);
    if (this.field) this.showScale(options.theme);
  }
  // Draw the picture with its axes at the origin; also on the pen of a saved picture.
  draw(context, shared2) {
    const options = this.frozen && this.grid ? this.pinnedOptions(shared2) : shared2;
    const { theme, view, box, scene, cloud } = options;
    const onGrid = this.field?.grid && this.grid;
    const words = this.field?.points && !onGrid ? this.colourWords(theme) : null;
    withClip(context, [box], () => {
      if (cloud) {
        context.imageSmoothingEnabled = true;
        context.drawImage(cloud.paint(words), box.x, box.y, box.w, box.h);
      } else if (words) {
        drawColoured(context, this.points, words, view, box, theme, options.moving);
        if (options.images && this.kind === "classes") drawThumbnails(context, this.points, this.field, options);
      } else if (onGrid || !this.field) {
        if (onGrid) this.paintField(context, options);
        options.putDots(context);
      }
      drawLandmarks(context, scene.landmarks, view, box, theme);
      drawKnown(context, scene, view, box, theme);
      drawErrors(context, this.points, this.wrong, view, box, theme);
    });
    if (cloud) drawTriad(context, scene.space, box, theme, scene.axes);
    else drawAxes(context, view, box, theme, options.axes);
  }
  // A pinned picture keeps its own points, landmarks and fading.
  pinnedOptions(shared2) {
    const { view, box, theme } = shared2;
    const options = { ...shared2, scene: this.scene };
    if (shared2.drawing || this.points !== shared2.scene.points)
      options.putDots = (context) => drawDots(context, this.points, view, box, theme);
    if (this.grid !== shared2.scene.grid) options.putCover = (context) => drawCover(context, options);
    return options;
  }
  paintField(context, options) {
    const { theme, view, box } = options;
    const { grid: field, outputs, top } = this.field;
    const [width, height] = options.pixels();
    const scales = outputs > 1 ? { top, shades: this.shades(theme) } : { top, colours: this.colours(theme) };
    const image = this.raster.draw(field, outputs, this.grid, view.range, width, height, scales);
    const region = regionOf(this.grid, view, box);
    withClip(context, [region], () => {
      context.imageSmoothingEnabled = true;
      context.drawImage(image, box.x, box.y, box.w, box.h);
      if (!this.field.flat) this.paintLines(context, options);
    });
    if (!this.field.constant) options.putCover(context);
    drawBeyond(context, region, box, theme);
  }
  paintLines(context, options) {
    const { theme, view, box } = options;
    const { grid: field, outputs, size } = this.field;
    const [nx, ny] = [this.grid.x[2], this.grid.y[2]];
    const many = options.count > PANELS2.many;
    const classes = this.kind === "classes";
    const count = LINES.count[many ? "many" : classes ? "classes" : "functions"];
    const lines = this.field.lines ??= outputs > 1 ? boundaries(field, outputs, nx, ny, size) : signedLines(field, nx, ny, this.field, count, classes ? unfade : (t) => t);
    const toPixels = cellsToPixels(this.grid, view, box);
    context.lineJoin = "round";
    const faint = many ? LINES.faint_width_many : LINES.faint_width;
    const draw2 = (name, alpha, width) => {
      context.beginPath();
      for (const line of lines[name]) addLines(context, line.map(toPixels));
      strokePath(context, css(theme.line, alpha), width);
    };
    draw2("thin", LINES.thin_alpha, LINES.thin_width);
    draw2("faint", LINES.faint_alpha, faint);
    draw2("zero", LINES.zero_alpha, many ? LINES.zero_width_many : LINES.zero_width);
  }
  // The colours of the points (packed RGBA).
  colourWords(theme) {
    const { points: values, outputs, top } = this.field;
    if (outputs > 1) return winnerWords(values, outputs, top, this.shades(theme));
    return signedWords(values, top, this.colours(theme));
  }
  // The colour map of a signed function, and the shades of every class.
  colours(theme) {
    return this.kind === "classes" ? theme.pair() : theme.functions();
  }
  shades(theme) {
    return theme.shades.slice(0, this.field.outputs).map((compute) => compute());
  }
  showScale(theme) {
    const signed = this.field.outputs === 1 && !this.field.flat;
    const top = signed ? this.field.top : null;
    this.head.showScale(top, this.colours(theme), this.field.constant);
  }
  // Redraw the upper canvas: labels, with below() and above() drawn before and after them.
  paintOver(options, labels, above, below) {
    const context = blank(this.over, options.size, options.ratio);
    if (!this.closed) this.drawOver(context, options, labels, above, below);
  }
  drawOver(context, { theme, view, box }, labels, above, below = () => {
  }) {
    withClip(context, [{ x: box.x - 1, y: box.y - 1, w: box.w + 2, h: box.h + 2 }], () => {
      below(context);
      drawLabels(context, labels, view, box, theme);
      above(context);
    });
  }
  // Values of all outputs at a target: `point` is that of the scene's `points` there, or -1. Null outside the
  // grid, and of a pinned copy at other points than its own.
  valuesAt({ x, y, point }, points) {
    const { field } = this;
    if (!field) return null;
    if (point >= 0 && field.points && points === this.points)
      return rowsOf(field.points, field.outputs).map((row) => row[point]);
    if (!field.grid) return null;
    const [[x0, x1], [y0, y1]] = [this.grid.x, this.grid.y];
    if (x < x0 || x > x1 || y < y0 || y > y1) return null;
    return rowsOf(field.grid, field.outputs).map((row) => sample(row, this.grid, x, y));
  }
};

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
    const toggleImages = () => this.set("images", "images", !this.images, "base");
    this.scaleTool = tool(icons_default.scale, "", () => this.share(!this.sameScale), "One scale");
    this.errorTool = tool(icons_default.errors, "", () => this.set("errors", "errors", !this.errors), "Errors");
    this.compareTool = tool(icons_default.compare, "", () => this.pins.toggle(), "Compare");
    const togglePresent = () => this.present.on ? this.present.leave() : this.present.enter();
    this.presentTool = tool(icons_default.present, "", togglePresent, "Present");
    this.imageTool = tool(icons_default.images, "", toggleImages, "Images");
    this.node = element(
      "div.group.display",
      { role: "group", "aria-label": "Picture" },
      this.scaleTool,
      this.errorTool,
      this.compareTool,
      this.presentTool,
      this.imageTool
    );
    const onclick = () => this.set("more", "all", !this.all, "layout");
    this.more = element("button.more", { type: "button", onclick });
    stage.board.plots.after(this.more);
    stage.board.root.addEventListener("keydown", (event) => this.keydown(event), true);
  }
  // A new scene; `otherData`: of other data.
  adopt(otherData) {
    const { panels, key, scene } = this.stage;
    if (otherData) Object.assign(this, { all: false, enlarged: null, sameScale: preference(SCALE2 + key) });
    if (otherData) this.pins.clear();
    if (this.enlarged !== null && this.enlarged >= panels.length) {
      this.enlarged = null;
      this.stage.draw.grown = false;
    }
    this.truthKnown = scene.kind === "classes" && Boolean(scene.points.truth?.some((c) => c >= 0));
    this.hasImages = scene.kind === "classes" && !scene.space && Boolean(scene.points.images);
    this.present.resume();
    this.follow();
  }
  // ---- which panels -----------------------------------------------------------------------
  // The visible panels that are not pinned copies.
  get live() {
    const { panels } = this.stage;
    if (this.enlarged !== null) return [panels[this.enlarged]];
    return this.all ? panels : panels.slice(0, FIRST);
  }
  // With their pinned copies; beside an enlarged panel that of the same title, as panels may have changed places,
  // or that of its place, if no panel has its title any more.
  get visible() {
    const { live, enlarged, pins } = this;
    const titles = this.stage.panels.map(({ panel }) => panel.title);
    const isVisible = ({ panel: { title } }, i) => {
      if (enlarged === null) return i < live.length;
      return titles.includes(title) ? title === titles[enlarged] : i === enlarged;
    };
    return [...live, ...pins.panels.filter(isVisible)];
  }
  // The number of panels, and how often they are shown: twice if they have pinned copies.
  get shape() {
    return { count: this.live.length, times: this.visible.length > this.live.length ? 2 : 1 };
  }
  // Show one panel alone (by its index), or all of them (null); returns false if nothing changes.
  enlarge(index) {
    const { panels, board, hand } = this.stage;
    if (index !== null && !(panels.length > 1 && index >= 0 && index < panels.length)) return false;
    if (index === this.enlarged) return false;
    this.enlarged = index;
    hand.forget();
    board.describe();
    const name = index === null ? "all panels" : panels[index].panel.title;
    board.announce(`Showing ${name}`);
    board.schedule("enlarge", "layout");
    return true;
  }
  toggle(panel) {
    return this.enlarge(this.enlarged === null ? this.stage.panels.indexOf(panel) : null);
  }
  keydown(event) {
    if (this.stage.draw.on) return;
    if (this.enlarged === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.shiftKey || isTyping(event)) return;
    const { board, panels, hand, scene } = this.stage;
    const { classList } = event.target;
    const movesPanel = event.target === board.plots ? !scene.editable : classList.contains("grow");
    const step = movesPanel ? STEPS3[event.key] : 0;
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
  // ---- switches ---------------------------------------------------------------------------
  // Are errors marked, as far as the true classes are known?
  get marking() {
    return this.errors && this.truthKnown;
  }
  share(on2) {
    preference(SCALE2 + this.stage.key, on2);
    this.set("scale", "sameScale", on2);
  }
  set(reason, name, on2, level = "field") {
    this[name] = on2;
    this.follow();
    this.stage.board.schedule(reason, level);
  }
  // Update nodes and buttons.
  follow() {
    const { panels, scene, board, draw: draw2 } = this.stage;
    const visible = new Set(this.visible);
    const fixed = draw2.on;
    const several = panels.length > 1;
    for (const panel of [...panels, ...this.pins.panels]) {
      show(panel.node, visible.has(panel));
      const enlarged = !panel.frozen && this.enlarged !== null;
      panel.head.showButton({ offered: several && !panel.frozen, enlarged });
    }
    board.root.dataset.enlarged = String(this.enlarged !== null);
    const hidden = panels.length - FIRST;
    show(this.more, hidden > 0 && this.enlarged === null);
    setText(this.more, this.all ? `The first ${FIRST} only` : `${hidden} more`);
    offer(this.scaleTool, several, "One scale: the same colours for all panels", this.sameScale);
    const errors = "Mark errors: crosses on points of the wrong class";
    offer(this.errorTool, !fixed && this.truthKnown, errors, this.errors);
    offer(this.imageTool, !fixed && this.hasImages, "Show the images of some points", this.images);
    const pinned = this.pins.on;
    show(this.pins.caption, this.shape.times > 1);
    const label2 = pinned ? "Take the pinned picture away" : "Compare: pin this picture";
    offer(this.compareTool, true, label2, pinned);
    this.compareTool.disabled = !pinned && scene.panels.every((panel) => panel.note);
    const { on: on2 } = this.present;
    offer(this.presentTool, true, on2 ? "End the presentation (Esc)" : "Present: large type", on2);
  }
};
function offer(node, visible, label2, pressed) {
  show(node, visible);
  setLabel(node, label2);
  setPressed(node, pressed);
}
var Pins = class {
  constructor(stage) {
    Object.assign(this, { stage, panels: [] });
    this.text = element("span");
    const unpin = tool(icons_default.cross, "Take the pinned picture away", () => this.toggle());
    this.caption = element("div.pincaption", {}, this.text, unpin);
  }
  get on() {
    return this.panels.length > 0;
  }
  toggle() {
    const { stage } = this;
    if (this.on) this.clear();
    else {
      this.panels = stage.panels.map((panel) => this.frozenCopy(panel));
      setText(this.text, `Pinned: ${settingsLine(stage)}`);
      stage.board.plots.append(this.caption, ...this.panels.map((panel) => panel.node));
    }
    this.stage.board.schedule("pin", "layout");
    this.stage.board.announce(this.on ? this.text.textContent : "Nothing is pinned");
  }
  clear() {
    for (const panel of this.panels) panel.node.remove();
    this.panels = [];
    this.caption.remove();
  }
  // The same rows in another plane: pinned panels keep their values.
  replacePoints(points) {
    for (const panel of this.panels) {
      const { index } = panel.points;
      const sameRows = points.count === index.length && index.every((row, i) => row === points.index[i]);
      if (sameRows && !panel.grid) Object.assign(panel, { points, labels: labelsAt(panel.labels, points) });
    }
  }
  frozenCopy(panel) {
    const { stage } = this;
    const copy2 = new PanelView();
    copy2.update(panel.panel, stage.scene, null);
    copy2.showNote(panel.hasNote);
    const { captionParts, waiting } = panel;
    copy2.head.caption(...captionParts);
    copy2.head.sayWhy(...PINNED);
    copy2.node.classList.toggle("waiting", waiting);
    const field = panel.field && { ...panel.field };
    const { labels, scene } = stage;
    Object.assign(copy2, { field, captionParts, frozen: true, waiting, labels, scene });
    copy2.node.classList.add("pinned");
    listen(copy2.plot, copy2, stage.hand);
    return copy2;
  }
};
function settingsLine({ scene, lam, filter, labels }) {
  const parts = [scene.about];
  if (scene.models.some(Boolean) || !scene.hide.has("lam")) {
    const name = scene.filters[filter]?.label;
    parts.push(`λ = ${short2(lam)}`, name && filter !== "tikhonov" ? name : "");
    if (scene.kind === "classes") parts.push(counted(labels.length, "label"));
  }
  return parts.filter(Boolean).join(" · ");
}

// js/paint/snapshot.js
var BASE_SIZE = [1280, 720];
var PAD = 20;
var HEAD = 42;
var PIXELS = 1200;
var BANDS = 40;
var SCALE3 = 80;
async function pictureOf(stage, kind, width, height) {
  const scale = Math.sqrt(width * height / (BASE_SIZE[0] * BASE_SIZE[1]));
  const title = stage.display.present.title.textContent;
  if (kind === "svg") {
    const pen = new SvgPen(width, height);
    draw(pen, stage, width, height, scale, title);
    const names = stage.display.visible.map((panel) => panel.title).join(", ");
    return pen.picture([title, names, settingsLine(stage), pinnedLine(stage)].filter(Boolean).join(": "));
  }
  return toPng(width, height, (pen) => draw(pen, stage, width, height, scale, title));
}
function pinnedLine({ display: { shape, pins } }) {
  return shape.times > 1 ? pins.text.textContent : "";
}
function toPng(width, height, paint) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  paint(canvas.getContext("2d"));
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
async function rasterised(picture, width, height) {
  const href = URL.createObjectURL(picture);
  try {
    const image = new Image(width, height);
    image.src = href;
    await image.decode();
    return await toPng(width, height, (pen) => pen.drawImage(image, 0, 0, width, height));
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
  const style2 = { size: 22, bold: true, baseline: "top", room: w - 2 * PAD };
  if (title) drawText(pen, theme, title, PAD, PAD, style2);
  const top = PAD + (title ? 36 : 0);
  const bottom = h - PAD - drawFoot(pen, stage, w, h - PAD, theme);
  drawPanels(pen, stage, { x: PAD, y: top, w: w - 2 * PAD, h: bottom - top }, scale);
  pen.restore();
}
function drawMeasured(pen, theme, text, ...options) {
  drawText(pen, theme, text, ...options);
  return pen.measureText(text).width;
}
function drawFoot(pen, stage, w, bottom, theme) {
  const { scene } = stage;
  const style2 = { size: 13, baseline: "middle" };
  pen.font = `13px ${theme.font}`;
  const lines = legendLines(pen, scene.kind === "classes" ? scene.classes : [], w);
  const y = bottom - 8;
  lines.forEach((line, i) => {
    const middle = y - 18 * (lines.length - 1 - i);
    for (const { code, name, x, room } of line) {
      pen.beginPath();
      addShape(pen, code, x + 7, middle, 5);
      fillPath(pen, classColour(theme, code));
      drawText(pen, theme, name, x + 18, middle, { ...style2, room });
    }
  });
  const settings = settingsLine(stage);
  const last = lines.at(-1)?.at(-1);
  const right = { opacity: 0.8, align: "right", room: w - PAD - (last?.end ?? PAD) };
  drawText(pen, theme, settings, w - PAD, y, { ...style2, ...right });
  const pinned = pinnedLine(stage);
  const above = y - 18 * Math.max(lines.length, 1);
  drawText(pen, theme, pinned, w - PAD, above, { ...style2, ...right, room: w - 2 * PAD });
  const height = settings || lines.length ? 8 + 18 * Math.max(lines.length, 1) : 0;
  return height + (pinned ? 18 : 0);
}
function legendLines(pen, classes, w) {
  const most = 0.62 * w;
  const lines = [];
  let x = Infinity;
  for (const [code, name] of classes.entries()) {
    const room = Math.min(pen.measureText(name).width, most - PAD - 22);
    if (x + 22 + room > most) {
      lines.push([]);
      x = PAD;
    }
    const end = x + 22 + room + 12;
    lines.at(-1).push({ code, name, x, room, end });
    x = end;
  }
  return lines;
}
function drawPanels(pen, stage, area, scale) {
  const { scene, view, display } = stage;
  const { theme } = stage.board;
  const panels = display.visible;
  const place = layoutOf(pen, stage, area, panels.length);
  const { columns, box, size, gap } = place;
  const cloud = new Cloud();
  const pixels = () => pixelsOf(box, scale, PIXELS);
  const options = paintOptionsOf(stage, { place, theme, ratio: scale, moving: false, cloud, pixels });
  const rows = Math.ceil(panels.length / columns);
  const [pitchX, pitchY] = [size.width + gap, size.height + HEAD + gap];
  const left2 = area.x + (area.w - (columns * pitchX - gap)) / 2;
  const high2 = area.y + Math.max((area.h - (rows * pitchY - gap)) / 2, 0);
  panels.forEach((panel, i) => {
    pen.save();
    pen.translate(left2 + i % columns * pitchX, high2 + Math.floor(i / columns) * pitchY + HEAD);
    drawHead(pen, panel, box, theme);
    if (panel.hasNote) drawNote(pen, panel, box, theme);
    else {
      panel.draw(pen, options);
      const labels = panel.labels ?? stage.labels;
      const placed = scene.space?.placed(labels, scene.points.position) ?? labels;
      panel.drawOver(pen, options, placed, (context) => drawNext(context, scene, view, box, theme));
    }
    pen.restore();
  });
}
function layoutOf(pen, { scene, view, display, board }, area, count) {
  const { aspect } = view;
  const { theme } = board;
  const axes = !scene.space && display.shape.count <= contract_default.panels.many;
  const room = { width: area.w, available: area.h, head: HEAD, least: 20 / aspect, aspect };
  const placed = (columns, beside = AXIS) => {
    const rows = Math.ceil(count / columns);
    return inGrid({ ...room, columns, rows, axes, room: beside, type: theme.type });
  };
  const places = Array.from({ length: count }, (_2, i) => placed(i + 1));
  const best = places.reduce((a, b2) => b2.box.w > 1.02 * a.box.w ? b2 : a);
  if (!best.axes) return best;
  return placed(best.columns, axisRoom(pen, view, best.box, theme, scene.axes[1]));
}
function drawHead(pen, panel, box, theme) {
  const [subtitle, share, about] = panel.captionParts ?? ["", null, ""];
  const [measure, number] = rightParts(share, about);
  drawText(pen, theme, panel.title, box.x, -25, { size: 15, bold: true, room: box.w });
  let { x } = box;
  if (number) {
    x += drawMeasured(pen, theme, measure, x, -7, { opacity: 0.8 });
    x += drawMeasured(pen, theme, number, x, -7, { size: 17, bold: true }) + 10;
  }
  const right = box.x + box.w;
  const end = right - x < SCALE3 ? right : right - drawScale(pen, panel, box, theme, Boolean(number));
  const words = [panel.waiting && panel.head.wait.textContent, subtitle].filter(Boolean).join(" · ");
  if (words && end - x >= 40) drawText(pen, theme, words, x, -7, { opacity: 0.8, room: end - x });
}
function drawScale(pen, panel, box, theme, hasAccuracy) {
  const right = box.x + box.w;
  const { field } = panel;
  if (!field || field.outputs !== 1 || field.flat || panel.hasNote) return 0;
  const colours = panel.colours(theme);
  const style2 = { opacity: 0.85, align: "right" };
  if (field.constant) return drawMeasured(pen, theme, "constant", right, -7, style2) + 12;
  const width = drawMeasured(pen, theme, short2(field.top, 2), right, -7, style2);
  const bar = 44;
  const start = right - width - 4 - bar;
  for (let i = 0; i < BANDS; i++) {
    const at = Math.round((i + 0.5) / BANDS * (colours.length - 1));
    pen.fillStyle = css(unpacked(colours[at]));
    pen.fillRect(start + i * bar / BANDS, -15, bar / BANDS + (i < BANDS - 1 ? 0.3 : 0), 8);
  }
  if (box.w < (hasAccuracy ? 250 : 190)) return width + bar + 12;
  return width + bar + 16 + drawMeasured(pen, theme, `−${short2(field.top, 2)}`, start - 4, -7, style2);
}
function drawNote(pen, panel, box, theme) {
  Object.assign(pen, { strokeStyle: css(theme.text, 0.4), lineWidth: 1 });
  pen.strokeRect(box.x, box.y, box.w, box.h);
  pen.font = `14px ${theme.font}`;
  const lines = wrapped(pen, panel.panel.note, 0.84 * box.w);
  const style2 = { size: 14, opacity: 0.85, align: "center", baseline: "middle" };
  const [x, y] = [box.x + box.w / 2, box.y + box.h / 2 - 10 * (lines.length - 1)];
  lines.forEach((line, i) => drawText(pen, theme, line, x, y + 20 * i, style2));
}
function wrapped(pen, text, room) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (pen.measureText(longer).width <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.filter(Boolean);
}
var ROW = 26;
var STYLES = [
  ...["fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray"],
  ...["stroke-linecap", "font-size", "font-family", "font-weight", "opacity", "paint-order"]
];
async function curvesOf(stage, kind, width, height) {
  const picture = svgBlob(chartsOf(stage, width, height));
  return kind === "svg" ? picture : rasterised(picture, width, height);
}
function chartsOf(stage, width, height) {
  const theme = makeTheme(stage.root);
  const ratio = Math.sqrt(width * height / (BASE_SIZE[0] * BASE_SIZE[1]));
  const [pad, row] = [PAD * ratio, ROW * ratio];
  const [across, up] = [width - 2 * pad, height - 2 * pad - 2 * row];
  const pen = new SvgPen(width, height);
  pen.fillStyle = css(theme.background);
  pen.fillRect(0, 0, width, height);
  pen.save();
  pen.translate(pad, pad);
  pen.scale(ratio, ratio);
  const title = stage.head.textContent || stage.point.textContent;
  drawText(pen, theme, title, 0, 14, { size: 18, bold: true, room: across / ratio });
  drawLegend(pen, stage, theme, across / ratio);
  pen.restore();
  stage.root.style.width = `${across / ratio}px`;
  stage.layout(up / ratio);
  stage.draw();
  const frame = stage.charts.getBoundingClientRect();
  const scale = Math.min(across / frame.width, up / frame.height);
  pen.translate((width - scale * frame.width) / 2, pad + 2 * row + Math.max((up - scale * frame.height) / 2, 0));
  pen.scale(scale, scale);
  for (const chart of stage.charts.querySelectorAll("svg.chart")) {
    const { left: left2, top, width: width2 } = chart.getBoundingClientRect();
    const place = { transform: `translate(${left2 - frame.left} ${top - frame.top})` };
    if (width2) pen.add("g", place, ...styled(chart).childNodes);
  }
  for (const key of stage.charts.querySelectorAll(".key")) {
    const { width: width2, right, bottom } = key.getBoundingClientRect();
    const place = [right - frame.left, bottom - frame.top - 4];
    if (width2) drawText(pen, theme, key.textContent, ...place, { size: 13, align: "right" });
  }
  stage.root.style.width = "";
  stage.layout();
  return pen.root;
}
function drawLegend(pen, stage, theme, room) {
  const line = pen.add("g", {});
  pen.at = line;
  let x = 0;
  for (const key of stage.legend.children) {
    line.append(markOf(key, x, 9 + ROW));
    x += 46 + drawMeasured(pen, theme, key.textContent, x + 28, 14 + ROW, { size: 14 });
  }
  if (x > room) line.setAttribute("transform", `scale(${room / x} 1)`);
}
function markOf(key, x, y) {
  const style2 = getComputedStyle(key.firstElementChild);
  const { opacity } = style2;
  if (key.classList.contains("known"))
    return svg("circle", { cx: x + 11, cy: y, r: 3.5, fill: style2.backgroundColor, opacity });
  const isInput = key.classList.contains("unknown");
  const stroke = isInput ? style2.borderLeftColor : style2.borderTopColor;
  const dash = { dotted: "2 2", dashed: "6 4" }[style2.borderTopStyle] ?? "none";
  const shape = isInput ? `M${x + 11} ${y - 6}v11` : `M${x} ${y}h22`;
  const width = Number.parseFloat(isInput ? style2.borderLeftWidth : style2.borderTopWidth);
  return svg("path", { d: shape, stroke, opacity, "stroke-width": width, "stroke-dasharray": dash });
}
function styled(node) {
  const copy2 = node.cloneNode(true);
  const [from, to] = [node, copy2].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((source, i) => {
    const style2 = getComputedStyle(source);
    for (const name of STYLES) to[i].setAttribute(name, style2.getPropertyValue(name));
    for (const name of ["class", "tabindex", "role", "aria-label"]) to[i].removeAttribute(name);
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
  keep: () => keep,
  store: () => store
});

// js/numbers/history.js
var DEPTH = 200;
function history(present) {
  return { past: [], present, future: [] };
}
function record({ past, present: previous }, present) {
  return { past: [...past, previous].slice(-DEPTH), present, future: [] };
}
var sameJson = (a, b2) => JSON.stringify(a) === JSON.stringify(b2);
function withPresent(stack, present, same2, make = history) {
  return stack && same2(stack.present, present) ? { ...stack, present } : make(present);
}
var NewestMap = class extends Map {
  constructor(most) {
    super();
    this.most = most;
  }
  set(name, value) {
    this.delete(name);
    super.set(name, value);
    while (this.size > this.most) this.delete(this.keys().next().value);
    return this;
  }
};
var histories = new NewestMap(20);
function stepped(stack, direction) {
  const { past, present, future } = stack ?? history(null);
  if (direction === "undo" && past.length)
    return { past: past.slice(0, -1), present: past.at(-1), future: [present, ...future] };
  if (direction === "redo" && future.length)
    return { past: [...past, present], present: future[0], future: future.slice(1) };
  return stack;
}

// js/channel/decode.js
var START2 = contract_default.blob.start;
var halfTable = latest(
  () => Float32Array.from({ length: 65536 }, (_2, half) => {
    const [sign, exponent, fraction] = [half & 32768 ? -1 : 1, half >> 10 & 31, half & 1023];
    if (exponent === 31) return fraction ? NaN : sign * Infinity;
    if (exponent === 0) return sign * fraction * 2 ** -24;
    return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  })
);
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
  const isArray = (value) => value instanceof Object && "at" in value && "type" in value;
  return JSON.parse(header, (_2, value) => isArray(value) ? readArray(value, buffer, START2 + size) : value);
}
function readArray(node, buffer, base) {
  const count = node.shape.reduce((a, b2) => a * b2, 1);
  const at = base + node.at;
  const Values = { f4: Float32Array, f8: Float64Array, i4: Int32Array, u1: Uint8Array }[node.type];
  if (Values) return Object.assign(new Values(buffer, at, count), { shape: node.shape });
  const raw = new Uint16Array(buffer, at, count);
  const table2 = halfTable();
  const data = new Float32Array(count);
  const width = count / node.scale.length;
  node.scale.forEach((scale, row) => {
    for (let p = row * width; p < (row + 1) * width; p++) data[p] = table2[raw[p]] * scale;
  });
  return Object.assign(data, { shape: node.shape });
}
var store = new NewestMap(8);
var STORED = "lapviz:stored";
function keep(bytes) {
  const tag = fingerprint(bytes);
  const staticPart = store.get(tag) ?? decode(bytes).static;
  if (staticPart) store.set(tag, staticPart);
  window.dispatchEvent(new Event(STORED));
}

// js/channel/channel.js
var BATCH = 60;
var PATIENCE = 2e3;
var POLL2 = 100;
var Channel = class {
  // stage: a Mounted stage. The key of its data, `viewKey`, goes with every message.
  constructor(stage) {
    const mounted2 = performance.now();
    Object.assign(this, { stage, mounted: mounted2, tag: "", payload: null, staticPart: null, alone: false });
    channels.add(this);
    this.changes = /* @__PURE__ */ new Map();
    Object.assign(this, { rev: 0, sentRev: 0, answeredRev: 0, unsent: false, moving: false });
    this.tries = 0;
    this.sentMoving = false;
    this.abortController = new AbortController();
    const options = { capture: true, signal: this.abortController.signal };
    window.addEventListener(STORED, () => stage.guard(() => this.openPayload()), options);
    for (const kind of ["pointerdown", "keydown", "click"])
      window.addEventListener(kind, (event) => this.flushBefore(event), options);
  }
  end() {
    for (const timer2 of [this.timer, this.polling, this.retrying]) clearTimeout(timer2);
    this.abortController.abort();
    if (shared.stages[this.key] === this.stage) delete shared.stages[this.key];
  }
  // ---- from Python ------------------------------------------------------------------------
  // A component's data. The stage opens new data; the same bytes again may mean another theme.
  receive({ data, setStateValue }) {
    this.send = setStateValue;
    this.stage.guard(() => {
      const tag = fingerprint(data);
      if (tag === this.tag) {
        this.stage.themeChanged();
        return true;
      }
      this.payload = decode(data);
      this.tag = tag;
      return this.openPayload();
    });
  }
  // Open the newest payload as soon as the static part that it names has arrived.
  openPayload() {
    if (!this.payload) return false;
    const { payload } = this;
    const { needs = this.needs, static: included, key = "" } = payload;
    const staticPart = included ?? (needs === this.needs ? this.staticPart : store.get(needs));
    if (needs && !staticPart) return false;
    clearTimeout(this.polling);
    Object.assign(this, { payload: null, needs, staticPart, key });
    this.alone = Boolean(payload.alone);
    const { stages } = shared;
    if (key && (this.stage.root.isConnected || !stages[key])) stages[key] = this.stage;
    try {
      this.stage.open(payload, staticPart);
    } catch (error) {
      this.tag = "";
      throw error;
    }
    return true;
  }
  // Python's answer includes all changes up to this revision.
  acknowledge(rev) {
    this.answeredRev = Math.max(this.answeredRev, rev);
    this.tries = 0;
    for (const [name, change] of this.changes) if (change.rev <= rev) this.changes.delete(name);
    if (!this.unsent) this.rev = Math.max(this.rev, rev);
    else if (this.moving && this.isAnswered) this.flush();
  }
  // Has Python answered the last message?
  get isAnswered() {
    return this.answeredRev >= this.sentRev;
  }
  // Ask whether a long computation is done.
  poll(wait = POLL2) {
    clearTimeout(this.polling);
    this.polling = setTimeout(() => {
      if (isLeaving(this.mounted)) this.poll();
      else if (!this.stage.gone) this.send("tick", Date.now());
    }, wait);
  }
  // ---- to Python --------------------------------------------------------------------------
  // The user has changed a setting; a value that is expensive to write may be a function.
  change(name, value) {
    this.markUnsent();
    this.changes.set(name, { value, rev: this.rev });
  }
  // There is something to send, under a new revision.
  markUnsent() {
    if (!this.unsent) this.rev += 1;
    this.unsent = true;
  }
  has(name) {
    return this.changes.has(name);
  }
  value(name) {
    return this.changes.get(name)?.value;
  }
  // Forget changes that were made to data no longer on screen; all of them by default. Others are still
  // sent, and so is the end of a move.
  drop(names = [...this.changes.keys()]) {
    for (const name of names) this.changes.delete(name);
    this.unsent &&= this.changes.size > 0 || this.sentMoving;
    if (!this.unsent) clearTimeout(this.timer);
  }
  // Send the changes soon; `moving`: the user has not let go. The release is sent even if no value changed
  // since: the answers during the move may have been coarse, and the page around waits for the final one.
  // `single`: one act, such as a click, which is sent at once unless an earlier message is unanswered.
  post({ moving = false, single = false } = {}) {
    if (this.sentMoving && !moving) this.markUnsent();
    this.moving = moving;
    clearTimeout(this.timer);
    if (moving || single && this.isAnswered) this.flush();
    else this.timer = setTimeout(() => this.flush(), BATCH);
  }
  flush() {
    clearTimeout(this.timer);
    if (!this.unsent || this.stage.gone) return;
    const wait = this.moving && !this.isAnswered ? PATIENCE - (performance.now() - this.sentAt) : 0;
    if (wait > 0) this.timer = setTimeout(() => this.flush(), wait);
    else if (this.alone) this.unsent = false;
    else this.sendChanges();
  }
  // An event outside the stage ends the move on it: Python receives both in that order.
  flushBefore(event) {
    if (!this.unsent || event.composedPath().includes(this.stage.root)) return;
    this.moving = false;
    this.flush();
  }
  // Send an action, which is no setting: it is not repeated with later changes.
  sendAction(name, value) {
    if (this.alone) return;
    this.change(name, value);
    this.sendChanges();
    this.changes.delete(name);
  }
  sendChanges(extra = {}) {
    const valueOf = ({ value }) => typeof value === "function" ? value() : value;
    const changes = Object.fromEntries([...this.changes].map(([name, change]) => [name, valueOf(change)]));
    const { rev, moving } = this;
    Object.assign(this, { unsent: false, sentRev: rev, sentAt: performance.now(), sentMoving: moving });
    clearTimeout(this.polling);
    this.stage.changesSent(moving);
    const { viewKey: view_key, pointCount: point } = this.stage;
    this.send("state", { rev, changes, hand: moving, view_key, point, ...extra });
    this.retry();
  }
  retry() {
    clearTimeout(this.retrying);
    this.retrying = setTimeout(() => {
      if (this.stage.gone || this.isAnswered) return;
      if (isBusy() || isLeaving(this.mounted)) return this.retry();
      this.tries += 1;
      if (this.tries % 2) return this.sendChanges({ again: Date.now() });
      shared.runPage?.();
      this.retry();
    }, 2 * PATIENCE);
  }
};
var Mounted = class {
  constructor() {
    this.channel = new Channel(this);
  }
  // A component's data; open(payload, staticPart) is called with what is new in it.
  receive(component) {
    this.channel.receive(component);
  }
  get key() {
    return this.channel.key;
  }
  // The name under which zoom and history are saved.
  get name() {
    return `${this.key}|${this.viewKey}`;
  }
  // The key of the data on screen; "" if there are none.
  get viewKey() {
    return this.scene?.view_key ?? "";
  }
  // The same data again, perhaps in another theme.
  themeChanged() {
  }
  // A message was sent; `moving`: the user has not let go. A stage may have `computing`, the sign that
  // Python is at work.
  changesSent(moving) {
    if (!moving) this.computing?.update();
  }
  // No answer yet: `pending` describes a long computation, or is null.
  showPending(pending) {
    if (!pending) return this.computing.answered();
    this.computing.pending(pending);
    this.channel.poll();
  }
  // The undo history, which outlives the stage under its `name`.
  storeStack(stack) {
    this.stack = stack;
    histories.set(this.name, stack);
  }
  // Other data: its saved history if that ends in this state, else a new one.
  recallStack(present, same2 = sameJson) {
    this.storeStack(withPresent(histories.get(this.name), present, same2));
  }
  // Another state, by the user or from Python, is a step of the history.
  updateStack(present, same2 = sameJson) {
    const { stack } = this;
    this.storeStack(withPresent(stack, present, same2, () => record(stack, present)));
  }
  // The user moves a knob; `done`: and has let go.
  setKnob(name, value, { done = false } = {}) {
    if (this.channel.value(name) !== value) this.channel.change(name, value);
    this.channel.post({ moving: !done });
  }
  // Draw in the next frame.
  schedule() {
    this.board.pending ||= requestAnimationFrame(() => {
      this.board.pending = false;
      if (!this.gone && this.scene) this.draw();
    });
  }
  // Runs what new data from Python require.
  guard(run) {
    run();
  }
  // Ends the stage if its page is gone.
  endIfDetached() {
    if (this.gone || this.root.isConnected) return;
    this.gone = true;
    this.channel.end();
    this.end();
  }
  // Clean-up of the stage itself.
  end() {
    this.observer?.disconnect();
    this.computing?.destroy();
    this.root.remove();
  }
  // Puts the root into the page; resized() is called when its size may have changed.
  attach(parent2, root, resized) {
    parent2.append(root);
    this.root = root;
    this.observer = new ResizeObserver(resized);
    this.observer.observe(root);
  }
  // Something was painted: page.css no longer reserves its place.
  markPainted() {
    this.root.getRootNode().host?.toggleAttribute("data-painted", true);
  }
};

// js/bars/formula.js
var HAND = "lapviz:hand";
function lightTerm(term) {
  window.dispatchEvent(new CustomEvent(HAND, { detail: { term } }));
}
var Formula = class {
  // signal: ends the listening.
  constructor(signal) {
    this.node = element("div.formula");
    window.addEventListener(HAND, ({ detail: detail2 }) => this.light(detail2.term), { signal });
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.closeTips(), { signal });
    this.write("");
  }
  // html: from lapviz/explorer/words/formula_line.py; "" for none.
  write(html) {
    if (html !== this.html) this.node.innerHTML = this.html = html;
    show(this.node, html);
  }
  // Light every symbol of that term, and no other; null: none.
  light(term) {
    for (const node of this.node.querySelectorAll("[data-term]"))
      node.classList.toggle("lit", node.dataset.term === term);
  }
  // Close open explanations until the pointer or the focus leaves their symbols.
  closeTips() {
    const open = ":is(.lv-term:hover, .lv-term:focus, .lv-term:focus-within)";
    for (const term of this.node.querySelectorAll(open)) {
      term.classList.add("hush");
      const reopen = () => term.classList.remove("hush");
      for (const kind of ["mouseleave", "blur"]) term.addEventListener(kind, reopen, { once: true });
    }
  }
};

// js/bars/more.js
var TITLE = "The other settings, the formula, and tools for the picture";
var More = class {
  // changed: called when the box was opened or closed.
  constructor(changed) {
    this.changed = changed;
    const toggle2 = () => this.setOpen(barSetting("more", !this.open));
    this.button = tool(icons_default.more, "More", toggle2, "More");
    this.button.title = TITLE;
    this.button.classList.add("opens");
    this.node = element("div.drawer", { role: "group", "aria-label": "More" });
    this.display(barSetting("more"));
  }
  display(open) {
    this.open = open;
    show(this.node, open);
    this.button.setAttribute("aria-expanded", String(open));
  }
  setOpen(open) {
    this.display(open);
    this.changed();
  }
  // Open the box for now if the node is in it.
  reveal(node) {
    if (!this.open && this.node.contains(node)) this.setOpen(true);
  }
  // Without anything in the box the button is hidden, too.
  offer(any) {
    show(this.button, any);
    show(this.node, any && this.open);
  }
};

// js/bars/saver.js
var SIZES = ["1280x720", "1920x1080", "3840x2160", "1080x1080"];
var [LEAST4, MOST6] = [200, 7680];
var TOO_LARGE = "This browser cannot create a picture of that size: choose a smaller one.";
var Saver = class {
  // render(format, width, height): promises a Blob; changed: called when the row was opened or closed.
  constructor(render, changed) {
    Object.assign(this, { render, changed });
    this.tool = tool(icons_default.save, "Save a picture (PNG or SVG)", () => this.toggle(), "Save");
    const kinds = [["png", "PNG"], ["svg", "SVG"]];
    this.kind = menu("select.choice", "Format", null, () => {
    }, kinds);
    const sizes = SIZES.map((size) => [size, size.replace("x", " × ")]);
    const showFields = () => show(this.customSize, this.size.value === "own");
    this.size = menu("select.choice", "Size in pixels", null, showFields, [...sizes, ["own", "custom size"]]);
    this.size.value = "1920x1080";
    const field = (name, value) => element("input.number", { type: "number", min: LEAST4, max: MOST6, value, "aria-label": name });
    this.width = field("Width in pixels", 1600);
    this.height = field("Height in pixels", 900);
    this.customSize = element("span.pair", {}, this.width, "×", this.height);
    const button = element("button.words-tool", { type: "button", onclick: () => this.save() }, "Save");
    this.status = element("span", { role: "status" });
    this.node = element(
      "div.saver",
      { role: "group", "aria-label": "Save a picture" },
      this.kind,
      this.size,
      this.customSize,
      button,
      this.status
    );
    this.toggle(false);
    showFields();
  }
  toggle(on2 = !this.shown) {
    this.shown = on2;
    show(this.node, on2);
    this.tool.setAttribute("aria-expanded", String(on2));
    setText(this.status, "");
    this.changed();
    if (on2) this.kind.focus();
  }
  get chosen() {
    if (this.size.value !== "own") return this.size.value.split("x").map(Number);
    return [this.width, this.height].map((field) => {
      const side = Math.min(Math.max(Math.round(Number(field.value)) || LEAST4, LEAST4), MOST6);
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
    this.changed();
  }
};

// js/panels/curve.js
var MOST_HANDLES = contract_default.changes.curve.handles.most;
var MANY2 = 100;
var BESIDE = 760;
var CurveStage = class extends Mounted {
  constructor(parent2) {
    super();
    Object.assign(this, { scene: null, handles: [], linear: [], selected: 0, path: "", step: 0, stack: null });
    this.main = new Chart("Curves over the input");
    this.head = element("output.readout");
    this.point = element("output.readout");
    this.pathView = new PathView(this, this.head);
    this.hand = new HandlesView(this.main, this);
    this.note = element("div.message");
    this.saver = new Saver((...request) => curvesOf(this, ...request), () => {
    });
    this.edits = this.makeEdits();
    this.legend = element("div.legend");
    this.charts = element("div.charts", {}, this.main.node, this.pathView.node);
    this.computing = new Computing(this.charts, () => {
    });
    this.formula = new Formula(this.channel.abortController.signal);
    this.more = new More(() => this.scene && this.layout());
    const tools = element("div.tools", {}, this.pathView.chips, this.saver.tool);
    this.more.node.append(tools, this.saver.node, this.formula.node);
    const bar = element("div.bar", {}, this.pathView.tools, this.edits, this.more.button);
    const root = element(
      "div.stage.curves",
      {},
      this.note,
      element("div.toolbar", {}, bar, this.more.node),
      this.legend,
      this.charts,
      this.computing.node
    );
    const resized = () => this.scene && root.clientWidth !== this.width && this.layout();
    this.attach(parent2, root, resized);
    this.board = { root, place: null, pending: false };
    const place = placeOn(this.main.node);
    const onKey = (event) => this.scene && handleKey(event, this, () => false);
    listenKeys(this.root, this.main.node, onKey, this.channel.abortController.signal);
    this.main.node.addEventListener("dblclick", (event) => {
      const at = place(event);
      const isFree = inside(this.main.box, ...at) && !event.target.closest(".handle");
      if (this.scene?.handles.length && isFree) this.add(...this.main.toPlane(...at));
    });
  }
  makeEdits() {
    const button = (text, title, onclick) => element("button.swatch", { title, onclick }, text);
    this.addButton = button("Add a point", "", () => this.addInGap());
    const slope = "Give the selected point a slope, or take it away";
    this.slopeButton = button("Slope", slope, () => this.toggleSlope());
    this.removeButton = button("Remove", "Remove the selected point", () => this.remove(this.selected));
    this.undoRedo = edits(this, "");
    const { undo, redo } = this.undoRedo;
    return element("div.group.edits", {}, this.addButton, this.slopeButton, this.removeButton, undo, redo, this.point);
  }
  // ---- from Python ------------------------------------------------------------------------
  open({ answer, formula = "", rev = 0 }, staticPart) {
    this.formula.write(formula);
    this.adopt({ ...staticPart, ...answer, rev });
  }
  adopt(scene) {
    const newView = this.scene?.view_key !== scene.view_key;
    const newPaths = this.scene?.paths !== scene.paths;
    const { channel } = this;
    const { held } = this.hand;
    this.scene = held && !newView ? { ...scene, view: this.scene.view } : scene;
    if (newView) {
      channel.drop();
      Object.assign(this, { selected: 0, linear: [] });
    }
    channel.acknowledge(scene.rev);
    if (!channel.has("path") || !scene.paths.some(({ name }) => name === this.path)) this.path = scene.path;
    if (!channel.has("step")) this.step = scene.step;
    if (!channel.has("handles") && (!held || newView)) {
      this.handles = scene.handles.map(([x, value, slope]) => ({ x, value, slope }));
      this.selected = Math.min(this.selected, Math.max(this.handles.length - 1, 0));
      if (newView) this.recallStack(this.handles);
      else this.updateStack(this.handles);
    }
    if (newPaths) this.pathView.adopt(scene.paths);
    if (scene.paths.length) this.step = Math.min(this.step, this.shown.positions.length - 1);
    if (this.exact) this.computing.answered();
    this.describe();
    this.layout();
    this.markPainted();
  }
  get shown() {
    return this.scene.paths.find(({ name }) => name === this.path);
  }
  // Is everything shown Python's answer?
  get exact() {
    const { scene } = this;
    const paths = !scene.paths.length || this.path === scene.path && this.step === scene.step;
    return paths && sameJson(this.rows, scene.handles);
  }
  // The points as messages carry them.
  get rows() {
    return this.handles.map(({ x, value, slope }) => [x, value, slope ?? null]);
  }
  changesSent() {
    this.computing.update();
  }
  // direction: "undo" or "redo".
  travel(direction) {
    const stack = stepped(this.stack, direction);
    if (stack === this.stack) return false;
    this.storeStack(stack);
    const { length } = stack.present;
    Object.assign(this, { handles: stack.present, selected: Math.min(this.selected, length - 1) });
    this.changeHandles();
    this.channel.post();
    return true;
  }
  changeHandles() {
    this.channel.change("handles", this.rows);
    this.schedule();
  }
  // ---- the user's changes -----------------------------------------------------------------
  // `done`: the user has let go, here and below.
  setStep(k, { done = false } = {}) {
    if (!this.scene?.paths.length) return;
    if (k !== this.step) {
      this.step = k;
      this.channel.change("step", k);
      this.schedule();
    }
    if (done) this.channel.post();
  }
  // Another method's path, at the step that the truth would choose.
  choose(name) {
    if (name === this.path) return;
    this.path = name;
    this.step = this.shown.marks.at(-1)?.step ?? 0;
    this.channel.change("path", name);
    this.channel.change("step", this.step);
    this.describe();
    this.layout();
    this.channel.post();
  }
  // Values and slopes take effect at once; Python answers an input that moves.
  move(i, { x, value, slope }, { done = false } = {}) {
    const before = this.handles[i];
    const newX = this.channel.alone ? before.x : roundedForLink(x);
    const moved2 = newX !== before.x;
    const next = { x: newX, value: roundedForLink(value), slope: (slope ?? null) && roundedForLink(slope) };
    const changed = moved2 || next.value !== before.value || next.slope !== before.slope;
    if (changed) {
      this.handles = this.handles.with(i, next);
      this.changeHandles();
    }
    if (done) {
      this.updateStack(this.handles);
      this.schedule();
    }
    if (done || moved2) this.channel.post({ moving: !done });
  }
  edit(handles, selected) {
    if (this.channel.alone) return;
    Object.assign(this, { handles, selected });
    this.updateStack(handles);
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
    const slope = handle.slope === null ? roundedForLink(this.slopeAt(handle.x)) : null;
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
    const added = movedTo({ x: 0, value: 0, slope: null }, roundedForLink(x), roundedForLink(y));
    this.edit([...this.handles, added], this.handles.length);
  }
  nearest(x) {
    const data = this.scene.x;
    const last = data.length - 1;
    const t = (x - data[0]) / (data[last] - data[0]);
    return Math.min(Math.max(Math.round(t * last), 0), last);
  }
  slopeAt(x) {
    const data = this.scene.x;
    const k = Math.min(Math.max(this.nearest(x), 1), data.length - 2);
    const values = this.curves[0]?.values;
    if (!values) return 0;
    return (values[k + 1] - values[k - 1]) / (data[k + 1] - data[k - 1]);
  }
  // ---- the picture ------------------------------------------------------------------------
  // All current curves, the main one first. With more or fewer values than Python knows, the last ones stay
  // until it answers.
  get curves() {
    const { scene } = this;
    const observed = valuesAndSlopes(this.handles);
    const fits = scene.responses.every(({ matrix }) => matrix.shape[1] === observed.length);
    const respond = ({ matrix, ...curve }) => {
      return { ...curve, values: product(matrix, observed, matrix.shape[0], 1) };
    };
    if (fits) this.linear = scene.responses.map(respond);
    const path = (scene.paths.length ? [this.shown] : []).map(({ curves, title }) => {
      return { title, role: "main", values: rowsOf(curves, curves.shape[0])[this.step] };
    });
    return [...this.linear, ...path, ...scene.curves];
  }
  describe() {
    const { scene } = this;
    setText(this.note, scene.note);
    const { tools, node, chips } = this.pathView;
    tools.hidden = node.hidden = chips.hidden = !scene.paths.length;
    this.edits.hidden = this.channel.alone || !scene.responses.length;
    const { classes } = makeTheme(this.root);
    classes.slice(0, 4).forEach((colour, i) => this.root.style.setProperty(`--c${i}`, css(colour)));
    const key = (kind, words) => element(`span.key.${kind}`, {}, element("i"), words);
    this.legend.replaceChildren(...this.curves.map(({ title, role }) => key(role, title)));
    if (scene.points.shape[0]) this.legend.append(key("known", "Known value"));
    if (scene.known.includes(0)) this.legend.append(key("unknown", "Unlabelled input"));
  }
  themeChanged() {
    if (!this.scene) return;
    this.describe();
    this.layout();
  }
  // height: pixels of the curves' chart, by default what leaves room for the rest of the page.
  layout(height = 0) {
    const { scene, root } = this;
    const width = root.clientWidth;
    if (!width) return;
    this.width = width;
    markSize(root);
    const beside = scene.paths.length && width >= BESIDE;
    const tall = height || Math.min(Math.max(0.46 * innerHeight, 220), 0.62 * width + 60, 460);
    const mainWidth = beside ? Math.round(0.61 * width) : width;
    this.main.layout(mainWidth, tall, scene.view, { names: scene.axes });
    if (scene.paths.length) {
      this.pathView.show(this.shown);
      const pathWidth = beside ? width - mainWidth - 16 : width;
      this.pathView.node.style.width = `${pathWidth}px`;
      this.pathView.layout(pathWidth, beside ? tall - 26 : 200);
    }
    this.drawPoints();
    this.schedule();
  }
  drawPoints() {
    const { points, known } = this.scene;
    const { main } = this;
    const pairs = rowsOf(points, points.shape[0]);
    const floor = main.box.y + main.box.h;
    const rug = pairs.filter((_2, i) => !known[i]).map(([x]) => main.toPixel(x, 0)[0].toFixed(1));
    const given = pairs.filter((_2, i) => known[i]);
    main.lines.replaceChildren(
      svg("path", { class: `points${given.length > MANY2 ? "" : " few"}`, d: main.dots(given) }),
      svg("path", { class: "rug", d: rug.map((px) => `M${px} ${floor}v-9`).join("") })
    );
  }
  draw() {
    const { scene, main } = this;
    if (!this.width) return;
    const lines = this.curves.map(({ role, values }) => svg("path", { class: `curve ${role}`, d: main.path(scene.x, values) }));
    main.over.replaceChildren(svg("g", main.clipped, ...lines.reverse()));
    this.hand.draw(this.handles, this.selected);
    if (scene.paths.length) this.pathView.draw(this.step);
    this.updateTexts();
    this.board.place = main.box;
  }
  updateTexts() {
    const { scene } = this;
    setText(this.head, scene.paths.length ? this.pathView.words(this.step) : "");
    if (scene.paths.length) return;
    const handle = this.handles[this.selected];
    this.slopeButton.disabled = !handle;
    this.removeButton.disabled = this.handles.length < 2;
    const isFull = this.handles.length >= MOST_HANDLES;
    this.addButton.disabled = isFull;
    this.addButton.title = isFull ? `At most ${MOST_HANDLES} points` : "Add a point in the widest gap";
    this.undoRedo.follow(this.stack, true);
    if (!handle) return;
    const slope = handle.slope === null ? "no slope given" : `slope ${short2(handle.slope)}`;
    setText(this.slopeButton, handle.slope === null ? "Give a slope" : "Take the slope away");
    setText(
      this.point,
      `Point ${this.selected + 1}: x = ${short2(handle.x)} · value ${short2(handle.value)} · ${slope}`
    );
  }
};

// js/bars/draw_bar.js
var TITLES = ["Brush: paint points (B)", "Eraser: take points away (E)", "Move: drag points (M)"];
var DrawBar = class {
  constructor(draw2) {
    this.draw = draw2;
    const button = (text, title2, onclick) => element("button.words-tool", { type: "button", title: title2, onclick }, text);
    const stage = (text, title2, act) => button(text, title2, () => (act(), draw2.stage.board.plots.focus({ preventScroll: true })));
    const openerTitle = "Draw: paint your own data set, from an empty sheet or from these points";
    this.opener = button("Draw", openerTitle, () => draw2.on ? draw2.leave() : draw2.open());
    this.opener.classList.add("opener");
    this.opener.prepend(icon(icons_default.pencil));
    this.tools = choices("div.kit", "Tool", paintTools(...TITLES), (name) => draw2.choose(name));
    this.paints = element("div.paints", { role: "radiogroup", "aria-label": "Class to paint" });
    const widthTitle = "Radius of the brush in pixels ([ and ])";
    this.width = setting("Width", WIDTH, widthTitle, (radius) => draw2.set({ radius }));
    const perClick = "How many points a click paints; a stroke paints as many for each width (, and .)";
    this.density = setting("Density", DENSITY, perClick, (density) => draw2.set({ density }));
    const title = "Labels: points painted now are labelled; if there are none, two of each class are";
    this.labels = tool(icons_default.label, title, () => draw2.set({ labels: !draw2.labels }), "Labels");
    this.edits = edits(draw2, "empty sheet", icons_default.empty);
    const saveTable = () => save(new Blob([asTable(draw2.current)], { type: "text/csv" }), "drawing.csv");
    this.file = tool(icons_default.down, "Save as a file: x, y, class, labelled (CSV)", saveTable, "File");
    this.onPoints = stage("These points", "", () => draw2.beginSheet({ withPoints: true }));
    this.starting = element(
      "div.kit",
      {},
      element("span", {}, "Draw on"),
      stage("An empty sheet", "Paint all points yourself", () => draw2.beginSheet({ withPoints: false })),
      this.onPoints
    );
    this.painting = [this.tools.node, this.paints, this.edits.node];
    const done = stage("Done", "End drawing (Esc)", () => draw2.leave());
    this.bar = element("div.bar", {}, this.starting, ...this.painting, done);
    this.node = element("div.toolbar.drawbar", { role: "toolbar", "aria-label": "Drawing" }, this.bar);
    this.settings = element("div.kit.painter", {}, this.width.node, this.density.node, this.labels, this.file);
    this.count = element("span.count");
    this.hint = element("span.how");
    this.foot = element("div.foot", {}, this.count, this.hint);
    for (const node of [this.node, this.opener, this.settings, this.foot]) show(node, false);
  }
  follow(theme) {
    const { draw: draw2 } = this;
    const points = draw2.current?.points ?? [];
    show(this.opener, draw2.offered);
    setPressed(this.opener, draw2.on);
    show(this.node, draw2.on);
    this.onPoints.disabled = draw2.stage.scene.classes.length > CLASSES;
    this.onPoints.title = this.onPoints.disabled ? `A drawing has at most ${CLASSES} classes` : "Paint more points, erase and move these";
    draw2.stage.board.toolbar.replaceBar(draw2.on ? this.bar : null);
    const painting = draw2.on && Boolean(draw2.current);
    for (const node of [...this.painting, this.settings, this.foot]) show(node, painting);
    if (!draw2.on) return;
    show(this.starting, !painting);
    const keys = "drag: paint · arrows, then Space: paint by keys · 1–9: class, 0: none · B, E, M: tool · Esc: done";
    setText(this.hint, isTouched() ? "one finger: paint · two fingers: zoom" : keys);
    const { palette } = draw2;
    const choose = (code) => draw2.pick(code);
    const paint = (code, name, label2) => swatch(code, name, { label: label2, key: code < 9 ? String(code + 1) : "", theme, choose });
    refill(this.paints, `${palette} ${theme.id}`, () => [
      ...Array.from({ length: palette }, (_2, code) => paint(code, String(code + 1), `class ${code + 1}`)),
      paint(-1, "none", "Points without a class")
    ]);
    this.tools.check(draw2.tool);
    const none = this.paints.children.length - 1;
    check(this.paints.children, draw2.tool !== "brush" ? -1 : draw2.code < 0 ? none : draw2.code);
    setPressed(this.labels, draw2.labels);
    this.width.set(draw2.radius);
    this.density.set(draw2.density);
    this.edits.follow(draw2.stack, points.length);
    if (draw2.stroke) this.edits.undo.disabled = false;
    this.file.disabled = !points.length;
    setText(this.count, countText(points.length));
  }
};
function setting(name, { least, most, first }, title, set2) {
  const input = range("input.slide.radius", name, title, [least, most], set2, { value: first });
  const node = element("label.setting", { title }, name, input);
  return { node, set: (value) => Number(input.value) !== Math.round(value) && (input.value = value) };
}
function countText(n) {
  const points = counted(n, "point");
  if (!n) return points;
  return n <= MOST_IN_LINK ? `${points}, in the link` : `${points}: too many for a link (${MOST_IN_LINK}), save them by “File”`;
}

// js/hands/draw.js
var REACH2 = { mouse: 12, touch: 22 };
var PEN = { least: 0.4, range: 1.2 };
var STEP3 = 0.02;
var FAST = 5;
var WIDTH = { least: 2, most: 70, first: 18 };
var DENSITY = { least: 1, most: 40, first: 6 };
var saved = null;
var Draw = class {
  constructor(stage) {
    Object.assign(this, { stage, on: false, stack: null, stroke: null, cursor: null });
    Object.assign(this, { tool: "brush", code: 0, labels: false, pointer: null });
    Object.assign(this, { radius: WIDTH.first, density: DENSITY.first, grown: false });
    Object.assign(this, { exclusive: true, keepsCancelled: true });
    this.toPixel = (x, y) => stage.view.toPixel(x, y, stage.board.place.box);
    this.bar = new DrawBar(this);
    const { toolbar } = stage.board;
    toolbar.node.before(this.bar.node);
    toolbar.tools.prepend(this.bar.opener);
    toolbar.more.node.prepend(this.bar.settings);
    toolbar.hint.after(this.bar.foot);
  }
  // ---- state ------------------------------------------------------------------------------
  // Can points be drawn here at all?
  get offered() {
    return (this.stage.scene?.drawing ?? null) !== null;
  }
  // Does the picture show the drawing, so that it can be edited?
  get ready() {
    return this.on && this.fits;
  }
  // Are the points of the drawing shown instead of those of the answer?
  get shown() {
    return this.fits && (this.on || this.stage.channel.has("drawing"));
  }
  // Does the answer on screen belong to a drawing on this sheet?
  get fits() {
    return Boolean(this.sheet && this.current && same(this.sheet, this.current.sheet));
  }
  // The current drawing, including an unfinished stroke.
  get current() {
    const { stack, stroke } = this;
    return stack && { ...stack.present, points: (stroke ?? stack.present).points };
  }
  // Send the drawing to Python; `moving`: in the middle of a stroke.
  send({ moving = false } = {}) {
    const { channel } = this.stage;
    channel.change("drawing", () => toNumbers(this.current));
    channel.post({ moving });
  }
  // A new scene; `otherData`: it is not of a drawing on the same sheet.
  adopt(scene, otherData) {
    const received = scene.drawing ? fromParts(scene.drawing) : null;
    this.sheet = received?.sheet ?? null;
    if (!this.stage.channel.has("drawing")) {
      const { stack } = this;
      const continued = (drawing) => stack && same(stack.present.sheet, drawing.sheet) ? record(stack, drawing) : history(drawing);
      if (!received) this.setStack(null);
      else if (!stack || !sameDrawing(this.current, received))
        this.setStack(withPresent(saved, received, sameDrawing, continued));
    }
    if (!this.offered || otherData && !received && !this.stack) this.leave();
    else if (otherData && received && !this.current.points.length) this.open();
    if (this.on) this.enlargePanel();
  }
  setStack(stack) {
    this.stroke = null;
    this.stack = stack;
    if (stack) saved = stack;
    this.repaint("base");
  }
  // A change of the points that undo takes back in one step.
  change(points, action) {
    this.setStack(record(this.stack, { sheet: this.stack.present.sheet, points }));
    this.commit(action);
  }
  commit(action) {
    const { stage } = this;
    this.send();
    stage.board.announce(`${action}; ${counted(this.current.points.length, "point")}`);
    stage.board.schedule("drawing", "field");
  }
  // direction: "undo" or "redo".
  travel(direction) {
    if (this.stroke) return direction === "undo" && this.cancel();
    const stack = stepped(this.stack, direction);
    if (stack === this.stack) return false;
    this.setStack(stack);
    this.commit(`${direction}ne`);
    return true;
  }
  // ---- mode -------------------------------------------------------------------------------
  open() {
    if (this.on || !this.offered) return;
    this.on = true;
    this.stage.hand.forget();
    this.enlargePanel();
    this.modeChanged();
  }
  leave() {
    if (!this.on) return;
    this.finish();
    Object.assign(this, { on: false, pointer: null, cursor: null });
    if (this.grown) this.stage.display.enlarge(null);
    this.grown = false;
    this.modeChanged();
  }
  // Many pictures are too small to draw on: one of them is shown alone.
  enlargePanel() {
    const { panels, display } = this.stage;
    if (this.grown || display.enlarged !== null || panels.length <= 6 || !this.current) return;
    this.grown = display.enlarge(1);
  }
  modeChanged() {
    const { stage } = this;
    stage.board.root.toggleAttribute("data-drawing", this.on);
    for (const panel of stage.panels) this.unlock(panel);
    stage.display.follow();
    stage.board.describe();
    stage.board.schedule("drawing", "layout");
  }
  // A panel that shows a note instead of a picture can be drawn on, too.
  unlock(panel) {
    panel.editable = this.stage.scene.editable || this.on;
    panel.node.classList.toggle("open", panel.editable);
  }
  // Begin with an empty sheet, or with the points on screen.
  beginSheet({ withPoints }) {
    const { scene, labels, board } = this.stage;
    let drawing = { sheet: SHEET, points: [] };
    if (withPoints) {
      const [x0, x1, y0, y1] = scene.view;
      const sheet = checkedSheet([x0, y0, (x1 - x0) / CELLS, (y1 - y0) / CELLS]);
      drawing = { sheet, points: pointsFrom(scene.points, labels, sheet, MOST_IN_LINK) };
      const [total, count] = [scene.n_samples ?? scene.points.count, drawing.points.length];
      const all = counted(total, "point");
      if (count < total) board.remark(`This keeps ${count} of the ${all}: as many fit a link`);
    }
    this.setStack(history(drawing));
    this.commit(withPoints ? "drawing on these points" : "an empty sheet");
    this.modeChanged();
  }
  // An empty sheet, in one step of the undo history.
  clear() {
    if (this.current?.points.length) this.change([], "an empty sheet");
  }
  pick(code) {
    if (code >= CLASSES) return false;
    this.drop();
    this.stage.board.announce(code < 0 ? "Points without a class" : `Class ${code + 1}`);
    return this.set({ code, tool: "brush" });
  }
  choose(tool2) {
    this.drop();
    this.stage.board.announce({ brush: "Brush", eraser: "Eraser", move: "Move points" }[tool2]);
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
    return Boolean(this.stroke && !this.stroke.byKeys);
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
    this.stroke = { points, at, from: at, random, owed: this.density, grabbed: [] };
    if (this.tool === "move") {
      const inside2 = touchedBy(points, sheet, this.toPixel, at, at, this.radius);
      this.stroke.grabbed = inside2.length ? inside2 : nearestTo(points, sheet, this.toPixel, at, reach);
    } else this.extend(at, event);
  }
  extend(to, event = null) {
    const { stroke, tool: tool2 } = this;
    const pen = event?.pointerType === "pen" && event.pressure > 0;
    const radius = this.radius * (pen ? PEN.least + PEN.range * event.pressure : 1);
    const { sheet } = this.stack.present;
    const before = stroke.points;
    if (tool2 === "brush") {
      stroke.owed += this.density * Math.hypot(to[0] - stroke.at[0], to[1] - stroke.at[1]) / (2 * radius);
      const count = Math.floor(stroke.owed);
      stroke.owed -= count;
      const fine = this.density === 1 && radius <= 2 * WIDTH.least;
      const places = spray(stroke.at, to, fine ? 0 : radius, count, stroke.random);
      const planar = places.map(([px, py]) => this.toPlane(px, py));
      const [points, full] = painted(before, planar, sheet, this.code, this.labels && this.code >= 0);
      if (points.length > before.length) stroke.points = points;
      if (full) this.stage.board.remark(`A drawing has at most ${MOST} points`);
    } else if (tool2 === "eraser") {
      const erased = touchedBy(before, sheet, this.toPixel, stroke.at, to, radius);
      if (erased.length) stroke.points = without(before, erased);
    } else if (stroke.grabbed.length) {
      const [a, b2] = [this.toPlane(...stroke.from), this.toPlane(...to)];
      const shift = [b2[0] - a[0], b2[1] - a[1]];
      stroke.points = moved(this.stack.present.points, stroke.grabbed, sheet, shift);
    }
    stroke.at = to;
    if (stroke.points === before) return;
    this.send({ moving: true });
    this.repaint("base");
  }
  finish() {
    if (!this.stroke) return;
    const { points } = this.stroke;
    const { length } = this.stack.present.points;
    this.stroke = null;
    if (points === this.stack.present.points) return;
    const added = points.length - length;
    const action = added > 0 ? `${added} painted` : added < 0 ? `${-added} erased` : "moved";
    this.change(points, action);
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
  // Returns true if the key was used.
  key(event) {
    return handleKey(event, this, (key) => this.toolKey(key, event));
  }
  zoomBy(factor) {
    return this.stage.zoomBy(factor);
  }
  toolKey(key, { shiftKey, repeat }) {
    if (key === "Escape") return this.escape();
    if (!this.ready) return false;
    if (key in ARROWS) return this.step(...ARROWS[key], shiftKey ? FAST * STEP3 : STEP3);
    if (key === " " || key === "Enter") return repeat || this.press();
    if (key === "Delete" || key === "Backspace") return this.eraseAtCursor();
    if (key in TOOLS) return this.choose(TOOLS[key]);
    const { radius, density } = this;
    const wide = (v2) => Math.min(Math.max(v2, WIDTH.least), WIDTH.most);
    const dense = (v2) => Math.min(Math.max(Math.round(v2), DENSITY.least), DENSITY.most);
    if (key === "[") return this.set({ radius: wide(0.8 * radius) });
    if (key === "]") return this.set({ radius: wide(1.25 * radius) });
    if (key === ",") return this.set({ density: dense(0.7 * density - 0.5) });
    if (key === ".") return this.set({ density: dense(1.4 * density + 0.5) });
    return /^\d$/.test(key) ? Number(key) <= CLASSES && this.pick(Number(key) - 1) : void 0;
  }
  // End the stroke, or else drawing.
  escape() {
    if (!this.cancel()) this.leave();
    return true;
  }
  // Move the cursor, or the points that it has picked up, a step in the direction (dx, dy).
  step(dx, dy, share) {
    const [x0, x1, y0, y1] = this.stage.view.range;
    const [x, y] = this.cursor ?? [(x0 + x1) / 2, (y0 + y1) / 2];
    const size = share * Math.max(x1 - x0, y1 - y0);
    const to = [x + dx * size, y + dy * size];
    this.cursor = [Math.min(Math.max(to[0], x0), x1), Math.min(Math.max(to[1], y0), y1)];
    if (this.stroke?.byKeys) this.extend(this.toPixel(...this.cursor));
    this.stage.board.announce(this.cursor.map((v2) => short2(v2)).join(", "));
    return this.set({ pointer: null });
  }
  // Space: paint or erase at the cursor, pick up points or put them down.
  press() {
    if (!this.cursor) return this.step(0, 0, 0);
    if (this.drop()) return true;
    this.start(this.toPixel(...this.cursor));
    this.stroke.byKeys = this.stroke.grabbed.length > 0;
    if (this.stroke.byKeys) this.stage.board.announce("picked up; arrows move, Space puts down");
    else this.finish();
    return true;
  }
  eraseAtCursor() {
    const { tool: tool2 } = this;
    if (!this.cursor) return false;
    this.drop();
    this.tool = "eraser";
    this.start(this.toPixel(...this.cursor));
    this.finish();
    this.tool = tool2;
    return true;
  }
  // Put down the points that were picked up.
  drop() {
    if (!this.stroke?.grabbed.length) return false;
    this.finish();
    return true;
  }
  // ---- picture ----------------------------------------------------------------------------
  repaint(level = "over") {
    this.stage.board.schedule("", level);
  }
  // The pointer is at a place in pixels of `panel`, or nowhere (null).
  hover(panel, at) {
    this.set({ pointer: at && { panel, at } });
  }
  // The tool's circle at the pointer, or at the keyboard's cursor in all panels.
  paint(context, panel, theme) {
    if (!this.ready) return;
    const pointer = this.pointer?.panel === panel ? this.pointer.at : null;
    const at = pointer ?? (this.cursor && this.toPixel(...this.cursor));
    if (at) drawCursor(context, at, this, theme);
  }
  // Number of classes in the palette: those in use, and one more.
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
  // setLam(lam): called at every step; changed(): play has started or stopped.
  constructor(setLam, changed) {
    Object.assign(this, { setLam, changed, on: false, direction: 1 });
  }
  toggle(lam, lo, hi) {
    if (this.on) return this.stop();
    const [least, most] = [lo, hi].map(Math.log10);
    const log = Math.min(Math.max(Math.log10(lam || lo), least), most);
    this.start({ range: [least, most], log, direction: log >= most - 1e-9 ? -1 : this.direction, end: null });
  }
  // Once upwards, from lo to hi.
  once(lo, hi) {
    const range2 = [lo, hi].map(Math.log10);
    this.start({ range: range2, log: range2[0], direction: 1, end: hi });
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
    const step = (now, decades2) => {
      if (!this.on) return;
      this.advance(decades2);
      this.run(now);
    };
    if (isCalm()) this.timer = setTimeout(() => step(performance.now(), STEP4), EVERY);
    else
      this.next = requestAnimationFrame((now) => step(now, SPEED * Math.min(Math.max(now - before, 0), 100) / 1e3));
  }
  advance(decades2) {
    const [lo, hi] = this.range;
    this.log += this.direction * decades2;
    if (this.end !== null && this.log >= hi) {
      this.setLam(this.end);
      return this.stop();
    }
    if (this.log >= hi || this.log <= lo) {
      this.log = Math.min(Math.max(this.log, lo), hi);
      this.direction = -this.direction;
    }
    this.setLam(10 ** this.log);
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
var MOST_SWEEPS = 60;
function eigSymmetric(matrix, n) {
  const a = Float64Array.from(matrix);
  const rotations = a.map((_2, at) => Number(at % (n + 1) === 0));
  const small = EPSILON * a.reduce((most, entry) => Math.max(most, Math.abs(entry)), 0);
  let rotated = true;
  for (let sweep = 0; rotated && sweep < MOST_SWEEPS; sweep++) {
    rotated = false;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        if (Math.abs(a[p * n + q]) <= small) continue;
        const [c, s] = rotationFor(a[p * n + p], a[p * n + q], a[q * n + q]);
        rotate(a, p * n, q * n, 1, n, c, s);
        rotate(a, p, q, n, n, c, s);
        rotate(rotations, p * n, q * n, 1, n, c, s);
        a[p * n + q] = a[q * n + p] = 0;
        rotated = true;
      }
    }
  }
  const order = Array.from({ length: n }, (_2, i) => i).sort((i, j) => a[j * (n + 1)] - a[i * (n + 1)]);
  const vectors = new Float64Array(n * n);
  order.forEach((i, k) => vectors.set(rotations.subarray(i * n, i * n + n), k * n));
  return { values: Float64Array.from(order, (i) => a[i * (n + 1)]), vectors };
}
function rotationFor(app, apq, aqq) {
  const ratio = (aqq - app) / (2 * apq);
  const tangent = (ratio >= 0 ? 1 : -1) / (Math.abs(ratio) + Math.hypot(ratio, 1));
  const cosine = 1 / Math.hypot(tangent, 1);
  return [cosine, tangent * cosine];
}
function rotate(a, p, q, stride, n, c, s) {
  for (let k = 0; k < n * stride; k += stride) {
    const x = a[p + k];
    const y = a[q + k];
    a[p + k] = c * x - s * y;
    a[q + k] = s * x + c * y;
  }
}

// js/numbers/modes.js
var { most_labels: MOST_LABELS2, most_values: MOST_VALUES } = contract_default.modes;
function prepareModes(raw, grid, points) {
  const m = raw.gamma.length;
  const gamma = Float64Array.from(raw.gamma);
  const tiny = 1e-9 * Math.max(gamma[m >> 1], 1e-300);
  return {
    m,
    gamma,
    tiny,
    gamma1: raw.gamma1,
    // the first energy that is not a numerical zero
    complete: raw.complete,
    // the modes span the trial space
    rows: { grid: raw.grid ? rowsOf(raw.grid, m) : null, points: rowsOf(raw.points, m) },
    grid,
    points
  };
}
function columnsOf2(rotated, gram, rotation) {
  const rows = {};
  const rotateBack = (data) => rotation.map((weights) => mixed(rowsOf(data, rotation.length), Float64Array.from(weights)));
  return { gram, rows: (kind) => rotated[kind] && (rows[kind] ??= rotateBack(rotated[kind])) };
}
function mixed(rows, weights) {
  const out = new Float64Array(rows[0].length);
  mix(out, rows, weights, 1);
  return out;
}
var ModesModel = class {
  // modes: from prepareModes(); spec: the panel's model record, with columns for the scene's labels.
  constructor(modes, spec, { labels, classes, data_term: dataTerm }) {
    const nClasses = classes.length;
    Object.assign(this, { modes, spec, nClasses, dataTerm, intercept: spec.intercept });
    this.outputs = outputsOf(nClasses);
    this.observed = spec.known ? observedNumbers(spec.known) : null;
    const columnLabels = this.observed?.labels ?? labels;
    this.averaged = anyCandidates(columnLabels);
    this.columnIndex = new Map(columnLabels.map((label2, j) => [labelKey(label2), j]));
    const { columns_grid: grid, columns_points: points, columns_gram: gram } = spec;
    const complete = gram && columnLabels.length && (grid || !modes.rows.grid) && (grid || points);
    this.columns = complete ? columnsOf2({ grid, points }, gram, spec.columns_turn) : null;
    this.prepared = null;
  }
  // Write the field into out = {grid, points} (either may be null); returns false if only Python can.
  estimate({ labels: ofClasses, lam, filter }, out) {
    const { labels, offset } = this.observed ?? { labels: ofClasses, offset: 0 };
    if (!filter?.h || anyCandidates(labels) && !this.averaged) return false;
    Object.assign(this, { truncated: false, rough: false });
    if (labels.length) {
      const system = this.prepare(labels);
      if (!system || out.grid && !system.rows("grid")) return false;
      Object.assign(this, { truncated: system.truncated, rough: system.rough });
      const [weights, shift] = this.solve(system, lam, filter);
      mixEach(out, system.rows, weights, this.outputs, shift);
    } else mixEach(out, () => [], [], this.outputs);
    for (const values of offset ? [out.grid, out.points] : [])
      if (values) for (let p = 0; p < values.length; p++) values[p] += offset;
    return true;
  }
  // Weight of each label's value in the estimate at a drawn point, before classes are balanced: the estimate
  // from values that are 1 at this label and 0 at the others. null: unknown here.
  labelWeights(point, settings) {
    const { labels, lam, filter } = settings;
    if (this.observed || this.dataTerm === "poisson" || !filter?.h || !labels.length) return null;
    if (anyCandidates(labels) && !this.averaged) return null;
    const n = labels.length;
    if (this.dataTerm !== "all" && Math.min(n, this.modes.m) > MOST_LABELS2) return null;
    if (this.units?.outputs !== n) {
      const identity = (_2, at) => Number(at % (n + 1) === 0);
      const observed = { values: Float64Array.from({ length: n * n }, identity) };
      this.units = Object.assign(Object.create(this), { outputs: n, observed, prepared: null, last: null });
    }
    const { units } = this;
    const system = units.prepare(labels);
    if (!system) return null;
    if (units.last?.system !== system || units.last.lam !== lam || units.last.filter !== filter)
      units.last = { system, lam, filter, solution: units.solve(system, lam, filter) };
    const [weights, shift] = units.last.solution;
    const sums2 = product(system.rows("points").map((row) => row[point]), weights, 1, n);
    return shift ? sums2.map((sum, j) => sum + shift[j]) : sums2;
  }
  // Weights of the system's rows, and the constant to be added.
  solve(system, lam, filter) {
    const k = this.outputs;
    const { gamma, gamma1 } = this.modes;
    const h = (i) => filter.h(lam, gamma[i / k | 0], gamma1);
    if (system.load) return [system.load.map((b2, i) => b2 * h(i)), null];
    let a;
    if (this.dataTerm === "poisson") a = this.poisson(system);
    else {
      const { eig, right, top } = system;
      const psi = (s) => s > 1e-14 * top ? filter.h(lam, 1 / s, 1 / top) / s : 0;
      a = applySpectral(eig, psi, right, k);
      if (system.dual) a = system.sources(this.intercept ? centreRows(a, system.n, k).centred : a);
    }
    const weights = system.root ? a.map((v2, i) => v2 * system.root[i / k | 0]) : a;
    return [weights, this.constant(system, a)];
  }
  // Labels as sources: a Σ (y_j − ȳ) G(·, x_j), of which only the scale a is fitted to the labels.
  poisson({ n, y, values, sources }) {
    const k = this.outputs;
    const { centred } = centreRows(y, n, k);
    const direction = sources(centred.map((v2) => v2 / n));
    const fitted = product(values, direction, n, k);
    const levelled = this.intercept ? centreRows(fitted, n, k).centred : fitted;
    let [dot, norm] = [0, 0];
    levelled.forEach((v2, at) => (dot += v2 * centred[at], norm += v2 * v2));
    return direction.map((v2) => norm > 0 ? dot / norm * v2 : 0);
  }
  // The unpenalised constant of the bordered system: mean over the labels of y - g.
  constant({ n, y, values }, a) {
    if (!this.intercept) return null;
    const k = this.outputs;
    const fitted = product(values, a, n, k);
    return centreRows(y.map((v2, at) => v2 - fitted[at]), n, k).mean;
  }
  // The system, which depends on the labels only, cached until they change.
  prepare(labels) {
    if (this.prepared && sameLabels(this.prepared.labels, labels)) return this.prepared.system;
    const rows = labels.map((label2) => this.modesAt(label2));
    const system = rows.includes(null) ? null : this.decompose(labels, Float64Array.from(rows.flat()));
    this.prepared = { labels, system };
    return system;
  }
  // {rows(kind), truncated, rough} for the functions to be combined, and {load} for the data term over all
  // samples, else {values: of these functions at the labels, y, n, eig, top, right}. E: modes at labels (n, m).
  // null: only Python can.
  decompose(labels, E2) {
    const n = labels.length;
    const y = this.observed?.values ?? codesOf(labels, this.nClasses);
    const { m, complete, rows: modeRows } = this.modes;
    const modes = { rows: (kind) => modeRows[kind], truncated: !complete, rough: !complete };
    if (this.dataTerm === "all")
      return { ...modes, load: meanProduct(E2, y, n, m, this.outputs) };
    if (complete) {
      const most = this.observed ? MOST_VALUES : MOST_LABELS2;
      return Math.min(n, m) <= most ? { ...modes, ...this.byModes(E2, n, y) } : null;
    }
    const columns = labels.map((label2) => this.columnIndex.get(labelKey(label2)) ?? -1);
    const hasColumns = this.columns && columns.some((j) => j >= 0);
    if (hasColumns && n <= MOST_LABELS2) return this.byColumns(labels, E2, columns, y);
    return { ...modes, ...this.byModes(E2, n, y) };
  }
  // 1/gamma; for the constant 0 if it is unpenalised, else bounded.
  inverseGamma() {
    const { gamma, tiny } = this.modes;
    return gamma.map((g) => g > tiny ? 1 / g : this.intercept ? 0 : 1 / tiny);
  }
  // The estimate in coordinates of the scaled modes, B = E Gamma^(-1/2): by B^T B or, with fewer labels than
  // modes, by B B^T, which has the same eigenvalues. With an intercept B is made orthogonal to the constant.
  byModes(E2, n, y) {
    const [m, k] = [this.modes.m, this.outputs];
    const root = this.inverseGamma().map(Math.sqrt);
    const values = E2.map((e, at) => e * root[at % m]);
    const centred = this.intercept ? centreRows(values, n, m).centred : values;
    const sources = (a) => product(transposed(values, n), a, m, k);
    const common = { values, y, n, root, sources, dual: n < m };
    if (n < m) {
      const gram = product(centred, transposed(centred, n), n, n).map((g) => g / n);
      return { ...common, right: this.residual(y, n), ...spectrum(gram, n) };
    }
    const right = meanProduct(centred, y, n, m, k);
    return { ...common, right, ...spectrum(meanProduct(centred, centred, n, m, m), m) };
  }
  // y / n; with an intercept y is centred first.
  residual(y, n) {
    return (this.intercept ? centreRows(y, n, this.outputs).centred : y).map((v2) => v2 / n);
  }
  // Exact representers for the labels of Python's answer, truncated ones for newer labels. columns: the
  // position of each label's representer, or -1.
  byColumns(labels, E2, columns, y) {
    const [n, m] = [labels.length, this.modes.m];
    const inverse2 = this.inverseGamma();
    const exact = (i, j) => this.columns.gram[columns[i]][columns[j]];
    const weighted = E2.map((e, at) => e * inverse2[at % m]);
    const truncated = product(weighted, transposed(E2, n), n, n);
    const rough = (i, j) => truncated[i * n + j];
    const withColumn = labels.map((_2, i) => i).filter((i) => columns[i] >= 0);
    const missed = withColumn.reduce((sum, i) => sum + exact(i, i) - rough(i, i), 0);
    const tail = Math.max(missed / withColumn.length, 0);
    const entry = (i, j) => {
      if (columns[i] >= 0 && columns[j] >= 0) return exact(i, j);
      if (columns[i] >= 0) return this.columnAt(columns[i], labels[j]);
      if (columns[j] >= 0) return this.columnAt(columns[j], labels[i]);
      return rough(i, j) + (i === j ? tail : 0);
    };
    const gram = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) gram[i * n + j] = gram[j * n + i] = entry(i, j);
    const cache = {};
    const representers = (kind) => {
      const [exactRows, modeRows] = [this.columns.rows(kind), this.modes.rows[kind]];
      if (!modeRows) return null;
      const truncatedRow = (j) => mixed(modeRows, weighted.subarray(j * m, (j + 1) * m));
      const row = (_2, j) => columns[j] >= 0 && exactRows ? exactRows[columns[j]] : truncatedRow(j);
      return cache[kind] ??= labels.map(row);
    };
    const right = this.residual(y, n);
    const eigenpairs = spectrum((this.intercept ? centreBoth(gram, n) : gram).map((g) => g / n), n);
    const system = { values: gram, y, n, right, sources: (a) => a, dual: true, ...eigenpairs };
    return { rows: representers, truncated: false, rough: columns.includes(-1), ...system };
  }
  columnAt(j, label2) {
    const at = this.modes.points.position.get(label2.index);
    const [points, grid] = ["points", "grid"].map((kind) => this.columns.rows(kind));
    if (at !== void 0 && points) return points[j][at];
    return grid ? sample(grid[j], this.modes.grid, label2.x, label2.y) : 0;
  }
  // Value of every mode at a label: exact at a drawn point, else interpolated on the grid.
  modesAt(label2) {
    const { rows, grid, points } = this.modes;
    const at = points.position.get(label2.index);
    if (at === void 0 && !rows.grid) return null;
    if (at !== void 0) return rows.points.map((row) => row[at]);
    return rows.grid.map((row) => sample(row, grid, label2.x, label2.y));
  }
};
function observedNumbers({ xy, index, values, offset }) {
  const labels = Array.from(index, (row, j) => {
    return { x: xy[2 * j], y: xy[2 * j + 1], index: row, code: 0, others: [] };
  });
  return { labels, values: Float64Array.from(values), offset };
}
function spectrum(matrix, n) {
  const eig = eigSymmetric(matrix, n);
  return { eig, top: Math.max(eig.values[0], 1e-300) };
}
function meanProduct(a, x, n, m, k) {
  return product(transposed(a, n), x, m, k).map((v2) => v2 / n);
}

// js/numbers/adjusted.js
var NEGLIGIBLE = 1e-6;
var MOST_GROWTH = 1.5;
var VISIBLE = 0.02;
var UNKNOWN = 1e-3;
var AdjustedModel = class extends ModesModel {
  // anchor: {lam, filter (compiled), labels, grid, points} of Python's answer, or null.
  constructor(modes, spec, scene, anchor) {
    super(modes, spec, scene);
    Object.assign(this, { anchor, differences: {} });
  }
  // The leading modes lack the tail of the spectrum, which Python's answer includes. The difference is
  // known at the answered settings; adding it during a drag avoids jumps at the start and the end.
  evaluate(settings, out) {
    if (this.anchor && this.lacksTail(settings)) return false;
    if (!this.estimate(settings, out)) return false;
    const { rough } = this;
    if (rough && settings.alone) return false;
    const share = this.anchor && this.truncated ? this.differenceShare(settings) : 0;
    for (const kind of share ? ["grid", "points"] : []) {
      const values = out[kind];
      const difference = values && (this.differences[kind] ??= this.difference(kind, values.length));
      if (difference) for (let p = 0; p < values.length; p++) values[p] += share * difference[p];
    }
    this.rough = rough;
    return true;
  }
  // ---- class balance ------------------------------------------------------------------------------
  // The mean share of every class over the points becomes its share of the labels, as in
  // lapviz/estimates/codes.py. The points must be all samples. The panel's model record has the rule,
  // `balance` ("scale" or "shift", "" for none), the number of labels that are added to those of each
  // class to even out their shares, `pseudo`, and factors on the grid, `fade`, or null.
  estimate(settings, out) {
    const { outputs: k, spec } = this;
    if (!spec.balance) return super.estimate(settings, out);
    const { fade: fade2 } = spec;
    const points = out.points ?? (this.buffer ??= new Float64Array(k * this.modes.points.count));
    if (!super.estimate(settings, { grid: out.grid, points })) return false;
    if (!settings.labels.length) return true;
    const { factor, shift } = this.correction(points, settings.labels);
    for (const values of [out.grid, out.points].filter(Boolean)) {
      const stride = values.length / k;
      for (let o = 0, p = 0; o < k; o++)
        for (const end = p + stride; p < end; p++) values[p] = factor[o] * values[p] + shift[o];
    }
    if (fade2 && out.grid) for (let i = 0; i < out.grid.length; i++) out.grid[i] *= fade2[i % fade2.length];
    return true;
  }
  // Factor and shift of each output. The class proportions are those of the labels and of the added ones;
  // several candidates of a label have equal shares. A class's share is its score plus 1/K; the scores of two
  // classes, which have one signed output, are half of it and its negative.
  correction(points, labels) {
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
    const shift = prior.map((p, c) => rule === "shift" ? p - mass[c] : (factor[c] - 1) / classes);
    if (k > 1) return { factor, shift };
    return { factor: [(factor[0] + factor[1]) / 2], shift: [shift[1] - shift[0]] };
  }
  // ---- the difference to Python's answer ----------------------------------------------------------
  // Is the tail visible but unknown from the anchor? For example early in a heat flow, after an answer from
  // late in it. Then Python has to answer.
  lacksTail({ lam, filter }) {
    if (this.dataTerm !== "all" || !filter?.h || this.modes.complete) return false;
    const isVisible = this.tailWeight(filter, lam) > VISIBLE;
    return isVisible && this.tailWeight(this.anchor.filter, this.anchor.lam) < UNKNOWN;
  }
  tailWeight(filter, lam) {
    const { gamma, gamma1 } = this.modes;
    return filter?.h?.(lam, 2 * gamma[gamma.length - 1], gamma1) ?? 0;
  }
  // Share of the anchor's difference that still applies: from the filter's weight of the tail at both
  // settings, and from the labels that they have in common.
  differenceShare({ lam, filter, labels }) {
    const { anchor, dataTerm } = this;
    const common = anchor.labels.filter((label2) => labels.some((other) => sameLabel(other, label2)));
    const labelShare = this.observed ? 1 : common.length / Math.max(labels.length, 1);
    if (dataTerm === "poisson") return labelShare;
    const before = this.tailWeight(anchor.filter, anchor.lam);
    if (!(before > NEGLIGIBLE)) return 0;
    const most = dataTerm === "all" ? Infinity : MOST_GROWTH;
    return Math.min(this.tailWeight(filter, lam) / before, most) * labelShare;
  }
  // Python's values minus the model's at the anchor.
  difference(kind, length) {
    const exact = this.anchor[kind];
    if (exact?.length !== length) return null;
    const difference = new Float32Array(length);
    if (!this.estimate(this.anchor, { grid: null, points: null, [kind]: difference })) return null;
    return difference.map((estimate, p) => exact[p] - estimate);
  }
};

// js/numbers/space.js
var space_exports = {};
__export(space_exports, {
  Space: () => Space,
  SpaceView: () => SpaceView,
  ballAround: () => ballAround,
  rotationMatrix: () => rotationMatrix
});
var START3 = { azimuth: -0.44, elevation: 0.35 };
var STEEPEST = Math.PI / 2;
var EYE = 5;
var ROOM = 1.1;
var DIMMEST = 0.35;
function rotationMatrix({ azimuth, elevation }) {
  const [c, s] = [Math.cos(azimuth), Math.sin(azimuth)];
  const [e, f] = [Math.cos(elevation), Math.sin(elevation)];
  return [
    [c, -s, 0],
    [s * f, c * f, e],
    [-s * e, -c * e, f]
  ];
}
function ballAround(xyz) {
  const [x, y, z2] = [0, 1, 2].map((axis) => xyz.filter((_2, i) => i % 3 === axis));
  const centre = [x, y, z2].map((values) => (Math.min(...values) + Math.max(...values)) / 2);
  const [cx, cy, cz] = centre;
  const distances = Array.from(x, (_2, i) => Math.hypot(x[i] - cx, y[i] - cy, z2[i] - cz));
  return { centre, radius: Math.max(0, ...distances) || 1 };
}
var Space = class {
  // xy (flat, two each) receives the projection at every rotation, where everything else looks for points
  // in the plane of the picture.
  constructor(xyz, xy) {
    const count = xy.length / 2;
    Object.assign(this, { xyz, xy, count, ...ballAround(xyz), rotations: 0, angles: null });
    this.near = new Float32Array(count);
    this.order = Uint32Array.from({ length: count }, (_2, i) => i);
    this.look(START3);
    const half = ROOM * this.radius;
    this.view = [-half, half, -half, half];
  }
  // Project the points for these angles, unless they are already.
  look({ azimuth, elevation }) {
    if (this.angles?.azimuth === azimuth && this.angles.elevation === elevation) return;
    this.angles = { azimuth, elevation };
    this.matrix = rotationMatrix(this.angles);
    this.rotations += 1;
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
    this.order.sort((i, j) => near[i] - near[j]);
  }
  // Size of a mark at a depth, relative to one in the middle.
  scale(near) {
    return EYE / (EYE + 1 - 2 * near);
  }
  // The coordinates of a point in the data, as text.
  coordinates(i) {
    return [0, 1, 2].map((a) => short2(this.xyz[3 * i + a])).join(", ");
  }
  // Labels at the current places of their points, from the back to the front, with their opacity.
  placed(labels, position) {
    const place = (label2) => {
      const i = position.get(label2.index);
      const [near, x, y] = [this.near[i], this.xy[2 * i], this.xy[2 * i + 1]];
      return { ...label2, x, y, near, opacity: DIMMEST + (1 - DIMMEST) * Math.min(2 * near, 1) };
    };
    const drawn = labels.filter(({ index }) => position.has(index));
    return drawn.map(place).sort((a, b2) => a.near - b2.near);
  }
};
var SpaceView = class extends View {
  constructor(name, base) {
    super(name, base);
    const { azimuth, elevation } = savedViews.get(name) ?? START3;
    Object.assign(this, { azimuth, elevation });
  }
  // Rotate by angles, to the right and downwards.
  rotate(right, down) {
    this.azimuth = (this.azimuth + right) % (2 * Math.PI);
    this.elevation = Math.min(Math.max(this.elevation + down, -STEEPEST), STEEPEST);
    this.save();
  }
  // Rotate to the angles of a link.
  rotateTo(azimuth, elevation) {
    Object.assign(this, { azimuth, elevation });
    this.rotate(0, 0);
  }
  // Rotate by a drag in pixels: the visible side follows the pointer.
  rotateByDrag(dx, dy, box) {
    const angle = 2 * ROOM / (box.w * this.zoom);
    this.rotate(angle * dx, angle * dy);
  }
  // More of the same points may be drawn than before: the view stays.
  rebase(base) {
    this.base = base;
  }
  get zoomed() {
    const rotated = this.azimuth !== START3.azimuth || this.elevation !== START3.elevation;
    return super.zoomed || rotated;
  }
  reset() {
    Object.assign(this, START3);
    super.reset();
  }
};

// js/numbers/paths.js
var paths_exports = {};
__export(paths_exports, {
  ShortestPaths: () => ShortestPaths
});
var NEIGHBOURS = 8;
var ShortestPaths = class {
  // xy: coordinates of the points, two numbers each.
  constructor({ xy, count }) {
    Object.assign(this, { xy, count, edges: null, towards: /* @__PURE__ */ new Map() });
  }
  // The points on the path between two, both included; null if there is none.
  between(from, to) {
    this.edges ??= neighbourGraph(this.xy, this.count);
    if (!this.towards.has(to)) this.towards.set(to, shortest(this.edges, to, this.count));
    const next = this.towards.get(to);
    const path = [from];
    while (path.at(-1) !== to) {
      const step = next[path.at(-1)];
      if (step < 0) return null;
      path.push(step);
    }
    return path;
  }
  // The point nearest to a place.
  nearest(x, y) {
    const { xy, count } = this;
    const squareOf = (_2, i) => (xy[2 * i] - x) ** 2 + (xy[2 * i + 1] - y) ** 2;
    const squares = Array.from({ length: count }, squareOf);
    return squares.indexOf(Math.min(...squares));
  }
};
function neighbourGraph(xy, count) {
  const edges = Array.from({ length: count }, () => /* @__PURE__ */ new Map());
  const link = (i, j, cost) => {
    edges[i].set(j, cost);
    edges[j].set(i, cost);
  };
  const first = /* @__PURE__ */ new Map();
  for (let i = 0; i < count; i++) {
    const place = `${xy[2 * i]},${xy[2 * i + 1]}`;
    if (first.has(place)) link(i, first.get(place), 0);
    else first.set(place, i);
  }
  const order = [...first.values()].sort((i, j) => xy[2 * i] - xy[2 * j]);
  order.forEach((i, at) => {
    const near = [];
    const largest = () => near.length === NEIGHBOURS ? near.at(-1)[0] : Infinity;
    const tooFar = (j) => (xy[2 * j] - xy[2 * i]) ** 2 > largest();
    for (const step of [-1, 1]) {
      for (let k = at + step; k >= 0 && k < order.length && !tooFar(order[k]); k += step) {
        const j = order[k];
        const cost = (xy[2 * j] - xy[2 * i]) ** 2 + (xy[2 * j + 1] - xy[2 * i + 1]) ** 2;
        if (cost >= largest()) continue;
        near.push([cost, j]);
        near.sort(([a], [b2]) => a - b2).splice(NEIGHBOURS);
      }
    }
    for (const [cost, j] of near) link(i, j, cost);
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
function prepared(staticPart) {
  if (staticPart.prepared) return staticPart.prepared;
  const { grid, landmarks, points: sent } = staticPart;
  const count = sent.index.length;
  const xy = sent.xy ?? new Float32Array(2 * count);
  const position = new Map(Array.from(sent.index, (row, i) => [row, i]));
  const paths = grid ? new ShortestPaths({ xy, count }) : null;
  const points = { ...sent, xy, count, position, paths };
  const space = sent.xyz ? new Space(sent.xyz, xy) : null;
  const modes = staticPart.modes.map((raw) => prepareModes(raw, grid, points));
  return staticPart.prepared = { grid, points, modes, space, landmarks };
}
function makeScene(answer, staticPart) {
  const { grid, points, modes, space, landmarks } = prepared(staticPart);
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
  if (spec.is === "ridge") return new RidgeModel(spec, scene);
  const { labels, lam } = scene;
  const { grid, points } = panel;
  const anchor = { labels, lam, filter: scene.filters[scene.filter], grid, points };
  return new AdjustedModel(modes[spec.modes], spec, scene, panel.note || !points ? null : anchor);
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
var MOST7 = contract_default.changes.stage.labels.most;
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
    Object.assign(this, { kind: "point", radius: RADIUS.first, addCandidate: false });
    this.pen = element("canvas").getContext("2d");
    this.kinds = choices("div.set", "How labels are set", KINDS, (kind) => this.set({ kind }));
    this.slider = range(
      "input.slide.radius",
      "Radius of the brush in pixels",
      "Radius of the brush",
      [RADIUS.least, RADIUS.most],
      (radius) => this.set({ radius }),
      { value: RADIUS.first }
    );
    const title = "Candidates: add a class to a labelled point (or Shift + click)";
    const toggle2 = () => this.set({ addCandidate: !this.addCandidate });
    this.several = tool(icons_default.several, title, toggle2, "Candidates");
    this.remark = element("div.remark", { role: "note" });
    this.node = element("div.group.marking", {}, this.kinds.node, this.slider, this.several);
    for (const node of [this.node, this.remark]) show(node, false);
  }
  set(changes) {
    Object.assign(this, changes);
    this.repaint();
  }
  // Is a tool chosen whose strokes label the points inside?
  get ready() {
    return Boolean(this.stage.scene?.editable && this.kind !== "point");
  }
  // Follow the scene; the tools are hidden if labels cannot be set.
  follow() {
    const { scene, board } = this.stage;
    const shown = scene.editable && scene.kind === "classes" && scene.classes.length > 1;
    if (!shown) Object.assign(this, { kind: "point", addCandidate: false });
    show(this.node, shown);
    show(this.slider, this.kind === "brush");
    this.kinds.check(this.kind);
    setPressed(this.several, this.addCandidate);
    board.plots.classList.toggle("strokes", this.ready);
    setText(this.remark, scene.remark ?? "");
    show(this.remark, scene.remark);
  }
  begin(panel, at) {
    const { points } = this.stage.scene;
    const { view, board } = this.stage;
    Object.assign(this, { busy: true, panel, path: [at], inside: /* @__PURE__ */ new Set() });
    const pixel = (_2, i) => view.toPixel(points.xy[2 * i], points.xy[2 * i + 1], board.place.box);
    this.pixels = Array.from({ length: points.count }, pixel);
    this.extend(at);
  }
  extend([x, y]) {
    const { pixels, pen } = this;
    const last = this.path.at(-1);
    this.place = [x, y];
    if (this.kind === "brush") {
      const distance = distanceToSegment(last, [x, y]);
      pixels.forEach((at, i) => distance(...at) <= this.radius && this.inside.add(i));
      this.path = [[x, y]];
    } else if (Math.hypot(x - last[0], y - last[1]) >= STEP5) {
      this.path.push([x, y]);
      const loop = new Path2D();
      addLines(loop, this.path);
      const inside2 = pixels.flatMap((at, i) => pen.isPointInPath(loop, ...at, "evenodd") ? [i] : []);
      this.inside = new Set(inside2);
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
    const edit = labelMany(labels, targets, code, { addCandidate: this.addCandidate, most: MOST7 });
    const [points, all] = [counted(edit.count, "point"), counted(edit.labels.length, "label")];
    this.stage.commit(edit.labels, `${points} labelled as ${this.stage.className}; ${all}`);
    if (edit.full) this.stage.board.remark(`No more than ${MOST7} labels: the others were left out`);
  }
  hover(panel, at) {
    const place = this.kind === "brush" ? at : null;
    if (!this.busy && (place || this.place)) this.set({ place });
  }
  repaint() {
    this.stage.board.schedule("", "over");
  }
  // The points that the stroke would label, and its outline.
  draw(context, panel, theme, code) {
    if (!this.ready || !this.place || this.busy && panel !== this.panel && !this.inside.size) return;
    context.beginPath();
    for (const i of this.inside) addCircle(context, ...this.pixels[i], 3);
    fillAndStroke(context, classColour(theme, code), css(theme.outline, 0.8), 0.8);
    if (this.kind === "brush") return drawCursor(context, this.place, this, theme);
    if (!this.busy) return;
    context.beginPath();
    addLines(context, this.path);
    context.closePath();
    strokeWithHalo(context, theme, [3.5, 0.8], 1.5, css(theme.text));
  }
};

// js/bars/knob.js
var KEY_TIME = 350;
var SLACK = 0.1;
var KEY_STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 8, PageDown: -8 };
var Knob = class {
  // actions: set(name, value or "auto", { done }), complain(sentence).
  constructor(spec, actions) {
    Object.assign(this, { actions, held: false, typedOver: null, refused: false, changed: null });
    this.slider = element("input.slide", {
      type: "range",
      step: "any",
      onpointerdown: () => this.hold(),
      oninput: () => this.slide(),
      // "change" may not come if the value was rounded to a step meanwhile.
      onchange: () => this.slide({ done: true }),
      onpointerup: () => this.release(),
      onpointercancel: () => this.release(),
      onkeydown: (event) => this.key(event),
      onkeyup: () => this.keyed && this.release(),
      onblur: () => this.keyed && this.release()
    });
    this.number = element("input.number", {
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      spellcheck: "false",
      onfocus: () => this.startTyping(),
      onkeydown: (event) => this.fieldKey(event),
      onblur: () => this.submit()
    });
    const toggle2 = () => this.set(this.automatic ? this.spec.value : "auto", { done: true });
    this.auto = element("button.auto", { type: "button", onclick: toggle2 }, "auto");
    this.plain = element("span.plain");
    this.letter = element("i");
    this.name = element("span.name", { "aria-hidden": "true" }, this.plain, this.letter);
    this.node = element("div.knob", {}, this.name, this.slider, this.number, this.auto);
    this.update(spec);
  }
  // A new description from Python: range, value, help. `waits`: Python has not answered the user's change.
  update(spec, waits = false) {
    this.spec = spec;
    if (!waits && !this.held) this.changed = null;
    this.node.dataset.knob = spec.name;
    const { label: label2, symbol } = spec;
    const help = spec.help ? `${label2}. ${spec.help}` : label2;
    const words = symbol && label2.endsWith(` ${symbol}`) ? label2.slice(0, -symbol.length - 1) : label2;
    setText(this.plain, symbol ? `${words} ` : words);
    setText(this.letter, symbol);
    const [low2, high2] = [spec.low, spec.high].map((v2) => this.place(v2));
    const range2 = { min: spec.zero ? low2 - this.stride : low2, max: high2 };
    this.name.title = help;
    set(this.slider, { title: help, "aria-label": label2, ...range2 });
    set(this.number, { title: `Type a number and press Enter. ${help}`, "aria-label": label2 });
    const title = `Choose ${label2} from the data, by a documented rule.`;
    set(this.auto, { title, "aria-label": `auto: ${label2} from the data` });
    show(this.auto, (spec.auto ?? null) !== null);
    for (const tool2 of [this.slider, this.number, this.auto]) tool2.disabled = Boolean(spec.disabled);
    this.node.classList.toggle("asleep", Boolean(spec.disabled));
    this.draw();
  }
  get value() {
    return typeof this.changed === "number" ? this.changed : this.spec.value;
  }
  get automatic() {
    return this.changed === "auto" || this.changed === null && Boolean(this.spec.auto);
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
  // The value at a place of the scale, rounded to a step.
  at(place) {
    const { values, low: low2, high: high2, zero, whole, smooth: smooth2 } = this.spec;
    if (values?.length) {
      const distance = (value) => Math.abs(this.place(value) - place);
      return values.reduce((a, b2) => distance(a) <= distance(b2) ? a : b2);
    }
    const { log, stride } = this;
    if (log && zero && place < Math.log10(low2) - stride / 2) return 0;
    const step = smooth2 ? place : Math.round(place / stride) * stride;
    const exact = log ? 10 ** step : step;
    const rounded2 = smooth2 || whole && !log ? exact : Number(exact.toPrecision(3));
    return Math.min(Math.max(whole ? Math.round(rounded2) : rounded2, low2), high2);
  }
  // The value `count` steps further.
  stepped(count) {
    const { values } = this.spec;
    const current = this.value;
    if (values?.length) {
      const slack = 1e-9 * Math.abs(current);
      const above = values.findIndex((v2) => v2 > current + slack);
      const after = above < 0 ? values.length : above;
      const before = values.filter((v2) => v2 < current - slack).length - 1;
      const index = count > 0 ? after + count - 1 : before + count + 1;
      return values[Math.min(Math.max(index, 0), values.length - 1)];
    }
    const exact = this.place(current) / this.stride;
    const step = count > 0 ? Math.floor(exact + SLACK) : Math.ceil(exact - SLACK);
    return this.at((step + count) * this.stride);
  }
  // ---- the user's input -------------------------------------------------------------------
  hold() {
    this.held = true;
    lightTerm(this.spec.name);
  }
  // `done`: the user has let go, here and below.
  slide({ done = false } = {}) {
    if (done && !this.held) return;
    this.move(this.at(Number(this.slider.value)));
    if (done) this.release();
  }
  move(value) {
    this.hold();
    if (value !== this.value || this.automatic) this.set(value);
  }
  key(event) {
    const step = KEY_STEPS[event.key];
    const end = { Home: this.spec.zero ? 0 : this.spec.low, End: this.spec.high }[event.key];
    if (step === void 0 && end === void 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.keyed = true;
    this.move(end ?? this.stepped(step * (event.shiftKey ? 10 : 1)));
    clearTimeout(this.releaseTimer);
    this.releaseTimer = setTimeout(() => this.release(), KEY_TIME);
  }
  release() {
    if (!this.held) return;
    Object.assign(this, { held: false, keyed: false });
    clearTimeout(this.releaseTimer);
    lightTerm(null);
    if (this.changed !== null) this.actions.set(this.spec.name, this.changed, { done: true });
  }
  set(value, { done = false } = {}) {
    this.changed = value;
    this.draw();
    this.complain("");
    this.actions.set(this.spec.name, value, { done });
  }
  fieldKey(event) {
    event.stopPropagation();
    if (event.key === "Enter") {
      this.complain("");
      this.submit();
      this.startTyping();
    } else if (event.key === "Escape") {
      this.typedOver = null;
      this.draw();
      this.startTyping();
    }
  }
  // Keep the text that the user finds in the field: as long as it is unchanged, it follows the value.
  startTyping() {
    this.typedOver = this.number.value;
    this.number.select();
  }
  // Apply the typed number, or say why it cannot be used.
  submit() {
    const unchanged = this.typedOver === null || this.number.value === this.typedOver;
    this.typedOver = null;
    const text = this.number.value.trim();
    if (unchanged || text === this.shown) return this.draw();
    const { label: label2, auto, whole } = this.spec;
    const typed = text.toLowerCase() === "auto" && (auto ?? null) !== null ? "auto" : numberOf(text, whole);
    const [low2, high2] = this.spec.limits ?? [this.spec.low, this.spec.high];
    let problem = "";
    if (typed === null) problem = whole ? "must be a whole number" : "is not a valid number";
    else if (typed < low2 || typed > high2) {
      const kind = whole ? "must be a whole number from" : "must be from";
      problem = `${kind} ${numberText(low2, whole)} to ${numberText(high2, whole)}`;
    }
    this.draw();
    if (!problem) return this.set(typed, { done: true });
    const fault = text ? `“${text.slice(0, 40)}” for ${label2} ${problem}` : `${label2} needs a number`;
    this.complain(`${fault}; it stays at ${this.shown}.`);
  }
  // Say why a number was refused, or, with "", no longer.
  complain(sentence) {
    this.refused = Boolean(sentence);
    this.actions.complain(sentence, this);
  }
  draw() {
    const { value, automatic } = this;
    const place = this.place(value);
    if (Math.abs(Number(this.slider.value) - place) > 1e-9)
      this.slider.value = String(place);
    const shown = numberText(value, this.spec.whole);
    if (this.refused && shown !== this.shown) this.complain("");
    this.shown = shown;
    const isTyped = this.typedOver !== null && this.number.value !== this.typedOver;
    if (!isTyped && this.number.value !== this.shown) {
      this.number.value = this.shown;
      if (this.typedOver !== null) this.startTyping();
    }
    const spoken = `${this.spec.spoken ?? ""}${this.shown}`;
    if (this.slider.getAttribute("aria-valuetext") !== spoken) set(this.slider, { "aria-valuetext": spoken });
    this.auto.setAttribute("aria-pressed", String(automatic));
    this.node.classList.toggle("automatic", automatic);
  }
};
var KnobRow = class {
  // set(name, value or "auto", { done }): called with the user's changes. `complaint`: the node for sentences
  // about unusable numbers, which rows may share.
  constructor(set2, complaint = element("div.complaint", { role: "alert" })) {
    this.knobs = /* @__PURE__ */ new Map();
    this.complaint = complaint;
    const complain = (sentence, knob) => {
      setText(this.complaint, sentence);
      if (sentence && knob.node.closest(".sheet")) knob.node.after(this.complaint);
    };
    this.actions = { set: set2, complain };
    this.node = element("div.knobs");
  }
  // specs: from Python; waiting: has the names of the knobs whose changes Python has not answered.
  update(specs, waiting) {
    for (const [name, knob] of this.knobs) {
      if (specs.some((spec) => spec.name === name)) continue;
      if (knob.refused) knob.complain("");
      knob.node.remove();
      this.knobs.delete(name);
    }
    specs.forEach((spec, i) => {
      let knob = this.knobs.get(spec.name);
      if (!knob) this.knobs.set(spec.name, knob = new Knob(spec, this.actions));
      knob.update(spec, waiting.has(spec.name));
      const nodes = [...this.node.querySelectorAll(".knob")];
      if (nodes[i] !== knob.node) this.node.insertBefore(knob.node, nodes[i] ?? null);
    });
    show(this.node, specs.length);
  }
};
var KnobPanel = class extends Mounted {
  constructor(parent2) {
    super();
    this.row = new KnobRow((...change) => this.setKnob(...change));
    this.root = element("div.stage.sheet", {}, this.row.node, this.row.complaint);
    parent2.append(this.root);
  }
  open({ knobs, rev }) {
    this.channel.acknowledge(rev);
    this.row.update(knobs, this.channel);
  }
};
var GROUPED = /^[+-]?\d{1,3}(([,'’_ \u00a0\u2009\u202f])\d{3})(\2\d{3})*$/;
function numberOf(text, whole = false) {
  let plain = text.trim().replaceAll("−", "-");
  if (GROUPED.test(plain) && (whole || !/^[+-]?0/.test(plain))) plain = plain.replace(/[^\d+-]/g, "");
  else if (!whole && /^-?\d*,\d+(e-?\d+)?$/i.test(plain)) plain = plain.replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(plain)) return null;
  const value = Number(plain);
  if (!Number.isFinite(value)) return null;
  return whole && !Number.isInteger(value) ? null : value;
}
function numberText(value, whole = false) {
  if (whole && Math.abs(value) < 1e15) return Math.round(value).toLocaleString("en-US");
  return numeral(value, 3, 2);
}

// js/bars/toolbar.js
var { least: low, most: high, limit } = contract_default.lam;
var LAM = { ...contract_default.knobs.lam, low, high, limits: [0, limit], spoken: "λ = " };
var MODE = contract_default.knobs.mode;
var POWERS = ["10⁻⁶", "", "10⁻⁴", "", "10⁻²", "", "1", "", "10²", "", "10⁴"];
var Toolbar = class {
  constructor(stage) {
    this.stage = stage;
    this.replacement = null;
    this.play = tool(icons_default.play, "Play: sweep λ", () => stage.play());
    const setKnob = (...change) => stage.setKnob(...change);
    this.row = new KnobRow(setKnob);
    this.front = new KnobRow(setKnob, this.row.complaint);
    const { complain } = this.row.actions;
    this.lam = new Knob(LAM, { set: (_2, ...change) => stage.moveLam(...change), complain });
    this.mode = new Knob(MODE, { set: (_2, value) => stage.display.enlarge(value ? value - 1 : null), complain });
    this.mode.node.classList.add("mode");
    const { slider } = this.lam;
    slider.classList.add("lam");
    const scale = element("div.scaled");
    slider.replaceWith(scale);
    this.band = element("i.useful", { "aria-hidden": "true" });
    scale.append(this.band, slider, decades());
    const title = "Filter. How frequencies γ are damped by λ.";
    this.filter = menu("select.filter", "Filter", title, (name2) => stage.setFilter(name2));
    const name = element("span.name", { "aria-hidden": "true", title }, "Filter");
    this.filterBox = element("div.knob.menu", {}, name, this.filter);
    this.lamGroup = element("div.group.lead", {}, this.lam.node, this.play);
    this.front.node.classList.add("lead");
    this.palette = element("div.palette");
    this.edits = edits(stage, "remove all labels");
    this.labelGroup = element("div.group.labels", {}, this.palette);
    this.zooms = zooms(stage);
    const letters = "Letters: sliders named by their letters alone";
    this.letters = tool(icons_default.letters, letters, () => this.showLetters(!barSetting("letters")), "Letters");
    this.tools = element("div.tools", {}, this.zooms.node);
    this.formula = new Formula(stage.channel.abortController.signal);
    this.more = new More(() => stage.board.schedule("more", "layout"));
    this.settings = element("div.settings", {}, this.row.node, this.filterBox, this.mode.node);
    this.more.node.append(this.settings, this.tools, this.formula.node);
    this.leading = [this.lamGroup, this.front.node];
    this.bar = element("div.bar", {}, ...this.leading, this.labelGroup, this.edits.node, this.more.button);
    this.node = element(
      "div.toolbar",
      { role: "toolbar", "aria-label": "Stage controls" },
      this.bar,
      this.row.complaint,
      this.more.node
    );
    this.hint = element("div.hint");
  }
  // Show the groups that this scene needs, and fill its selects and palette.
  arrange({ scene, specs }, theme) {
    const { hide: hidden, editable, panels, filters } = scene;
    const anyDepends = (setting2, among = panels) => among.some((panel) => !panel.note && panel.depends.includes(setting2));
    const computed = panels.filter((_2, k) => scene.models[k]);
    this.playable = scene.light ? this.playable : anyDepends("lam", computed);
    this.movable = this.playable || !scene.alone && anyDepends("lam");
    const needsLabels = editable && panels.some((panel) => panel.note);
    if (!scene.light || this.needed === void 0) this.needed = this.movable || needsLabels;
    this.lastIndex = panels.length - 1;
    const names = Object.keys(filters);
    this.lamLeads = this.needed && !hidden.has("lam");
    show(this.lamGroup, this.lamLeads);
    const modes = scene.kind === "functions" && this.lastIndex >= contract_default.panels.many;
    const hasMode = modes && !hidden.has("zoom");
    const hasFilter = this.needed && names.length > 1 && !hidden.has("filter");
    show(this.mode.node, hasMode);
    show(this.filterBox, hasFilter);
    show(this.letters, specs.length > 0 || this.lamLeads);
    this.play.disabled = !this.playable;
    this.filter.disabled = !this.movable || !panels.some((panel) => panel.depends.includes("filter"));
    const tools = !hidden.has("tools");
    const classes = scene.kind === "classes" && scene.classes.length > 0;
    show(this.labelGroup, classes);
    show(this.edits.node, classes && editable && tools);
    show(this.zooms.node, !hidden.has("zoom"));
    show(this.tools, tools);
    this.more.offer(tools || hasMode || hasFilter || specs.length > (this.lamLeads ? 0 : 1));
    refill(this.filter, JSON.stringify([filters, scene.alone]), () => names.map(entry));
    function entry(name) {
      const { label: label2, h } = filters[name];
      const disabled = scene.alone && !h;
      return element("option", { value: name, disabled }, disabled ? `${label2} (Python)` : label2);
    }
    const keys = keysOf(scene.classes);
    const choose = editable ? (code) => this.stage.pick(code) : null;
    const classSwatch = (name, code) => swatch(code, name, { label: `Label as ${name}`, key: keys[code], theme, choose });
    const key = JSON.stringify([scene.classes, editable, theme.id]);
    refill(this.palette, key, () => scene.classes.map(classSwatch));
    setText(this.hint, hintFor(scene, keys));
    this.palette.setAttribute("role", editable ? "radiogroup" : "list");
    this.palette.setAttribute("aria-label", editable ? "Class of the next label" : "Classes");
  }
  // The sliders' descriptions from Python; waiting: has the names of those whose changes it has not answered.
  // Before the first scene it is not known which slider leads.
  update(specs, waiting) {
    if (this.needed === void 0) return;
    const first = this.lamLeads ? 0 : 1;
    this.front.update(specs.slice(0, first), waiting);
    this.row.update(specs.slice(first), waiting);
  }
  // Mark the useful range of λ; an empty one: everywhere.
  markUseful([from, to]) {
    show(this.band, from !== void 0);
    if (from === void 0) return;
    const share = (lam) => Math.log10(lam / low) / Math.log10(high / low);
    this.band.style.setProperty("--from", share(from));
    this.band.style.setProperty("--to", share(to));
    this.band.title = "Moving λ has the largest effect here";
  }
  // Replace this bar by another one, with the button “More” (null: by none); the leading sliders then move
  // to the other settings.
  replaceBar(bar) {
    if (this.replacement === bar) return;
    this.replacement = bar;
    show(this.bar, !bar);
    (bar ?? this.bar).append(this.more.button);
    (bar ? this.settings : this.bar).prepend(...this.leading);
  }
  // Show letters in place of names, if that is the setting; with `on` it is set first.
  showLetters(on2 = null) {
    const shown = barSetting("letters", on2);
    setPressed(this.letters, shown);
    this.stage.root.toggleAttribute("data-letters", shown);
    if (on2 !== null) this.stage.board.schedule("more", "layout");
  }
  // Update the controls by the settings.
  follow({ lam, lamIsAuto, filter, player, code, stack, view, display }) {
    const playing = player.on;
    this.mode.update({ ...MODE, high: this.lastIndex + 1, value: (display.enlarged ?? -1) + 1 });
    this.lam.update({ ...LAM, value: lam, auto: lamIsAuto, disabled: !this.movable });
    if (this.filter.value !== filter) this.filter.value = filter;
    const playIcon = () => [playing ? icon(icons_default.pause) : icon(icons_default.play, { fill: "currentColor" })];
    refill(this.play, String(playing), playIcon);
    setLabel(this.play, playing ? "Pause" : "Play: sweep λ");
    check(this.palette.querySelectorAll("button"), code);
    this.edits.follow(stack, stack.present.length);
    this.zooms.follow(view);
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
    const consecutive = digits.at(-1) - digits[0] === digits.length - 1;
    const hasTenth = keys[9] === "0";
    const range2 = hasTenth ? "1–9, 0" : consecutive ? `${digits[0]}–${digits.at(-1)}` : digits.join(", ");
    parts.push(`${classes.length === 2 ? digits.join(", ") : range2}: class`);
  }
  if (space) parts.push(touch ? "one finger sideways: turn" : "drag or Shift + arrows: turn");
  if (!hide.has("zoom")) {
    parts.push(touch ? "two fingers: zoom" : `${zoomKey()} + wheel: zoom`, resetHint());
  }
  return parts.join(" · ");
}

// js/panels/stage.js
var LAM2 = contract_default.lam;
var HIGHLIGHT_TIME = 2600;
var IN_BROWSER2 = contract_default.message.in_browser;
function samePictures(a, b2) {
  const titles = ({ panels }) => panels.map(({ title }) => title).join("\n");
  return a.about === b2.about && titles(a) === titles(b2);
}
function highlight(node, scroll) {
  node.classList.remove("pointed");
  void node.offsetWidth;
  node.classList.add("pointed");
  if (scroll) node.scrollIntoView({ block: "nearest" });
  setTimeout(() => node.classList.remove("pointed"), HIGHLIGHT_TIME);
}
var Stage = class extends Mounted {
  constructor(parent2) {
    super();
    Object.assign(this, { scene: null, panels: [], stack: history([]), view: null });
    Object.assign(this, { lam: 1, filter: "", code: 0, specs: [], behind: false, action: "" });
    this.player = new Player((lam) => this.setLam(lam, { reason: "play" }), () => this.playChanged());
    const toolbar = new Toolbar(this);
    this.board = new Board(this, toolbar);
    this.computing = this.board.computing;
    this.attach(parent2, this.board.root, () => this.board.resized());
    this.hand = new Hand(this);
    this.lamMoving = false;
    this.display = new Display(this);
    this.stroke = new Stroke(this);
    this.saver = new Saver(
      (...request) => pictureOf(this, ...request),
      () => this.board.schedule("", "layout")
    );
    toolbar.tools.prepend(this.stroke.node);
    toolbar.tools.append(this.display.node, this.saver.tool, toolbar.letters);
    toolbar.tools.after(this.saver.node);
    toolbar.hint.after(this.stroke.remark);
    this.draw = new Draw(this);
    toolbar.showLetters();
    const { plots } = this.board;
    const { signal } = this.channel.abortController;
    const onKey = (event) => this.scene && (this.draw.on ? this.draw : this.hand).key(event);
    listenKeys(this.root, plots, onKey, signal);
    plots.addEventListener("blur", () => this.hand.drop());
    const onDown = (event) => {
      if (event.pointerType === "touch" && !event.composedPath().includes(plots)) this.hand.leave();
    };
    const onUp = (event) => {
      if (!event.composedPath()[0].closest?.(".plot")) this.hand.showWhole(event, false);
    };
    document.addEventListener("pointerdown", onDown, { signal });
    document.addEventListener("pointerup", onUp, { signal });
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
  themeChanged() {
    this.board.schedule("theme", "base");
  }
  open(payload, staticPart) {
    const { answer, height, title, words, story = false, knobs = [], formula = "" } = payload;
    const { pending = null, failed = "", rev = null, point = null, useful = [] } = payload;
    Object.assign(this, { height: height ?? 0, useful });
    this.board.toolbar.markUseful(useful);
    this.specs = knobs.filter(({ name }) => name !== "lam");
    this.lamAuto = knobs.find(({ name }) => name === "lam")?.auto ?? null;
    this.display.present.setTexts(title ?? "", story, words ?? "");
    this.board.toolbar.formula.write(formula);
    const isFirst = this.pointCount === void 0;
    this.pointCount ??= point?.count ?? 0;
    Object.assign(this, { behind: !answer, failed });
    this.board.showFailure("python", failed);
    for (const { head } of this.panels) head.sayWhy(...failed ? OUTDATED2 : WAITING);
    const byButton = Boolean(point && point.count !== this.pointCount);
    if (byButton) {
      this.pointCount = point.count;
      if (!isFirst) this.point(point);
    }
    const { alone } = this;
    if (answer) return this.adopt(Object.assign(makeScene(answer, staticPart), { alone, rev, byButton }));
    this.acknowledge(rev ?? this.channel.rev);
    this.showPending(pending);
    this.board.schedule("", "field");
  }
  // Highlight the control that does what a button has just done; the effect of an earlier button ends.
  point({ name }) {
    const { toolbar, plots } = this.board;
    const knob = toolbar.node.querySelector(`[data-knob="${name}"]`);
    const node = knob ?? { filter: toolbar.filter, marks: plots }[name];
    if (node) {
      const { on: on2 } = this.display.present;
      if (!on2) toolbar.more.reveal(node);
      highlight(node, !on2);
    }
    this.endPlay();
  }
  // Stop play; the value that λ has reached is dropped.
  endPlay() {
    if (!this.player.on) return;
    this.channel.drop(["lam"]);
    this.player.stop();
  }
  acknowledge(rev) {
    this.channel.acknowledge(rev);
    this.board.toolbar.update(this.specs, this.channel);
    this.display.present.nextStep();
  }
  adopt(scene) {
    const { scene: previous, channel } = this;
    const newView = !previous || previous.view_key !== scene.view_key;
    const rev = scene.rev ?? (newView && !channel.unsent ? 0 : channel.rev);
    const isLatest = Math.max(rev, channel.answeredRev) >= channel.sentRev;
    const otherData = newView && !sameSheet(previous, scene);
    if (!newView && scene.light && samePictures(scene, previous)) scene.models = previous.models;
    this.scene = scene;
    if (newView) {
      const unanswered = channel.has("labels") ? this.labels : null;
      const relocatedLabels = !otherData && unanswered && relocated(unanswered, scene.points);
      const stay = unanswered && scene.rows && scene.rows === previous?.rows && !scene.byButton;
      if (!stay) this.announceEdit("");
      channel.drop(["labels"]);
      this.player.stop();
      if (!channel.unsent) channel.acknowledge(rev);
      if (stay) {
        const free = scene.labels.filter((label2) => !isOfRow(label2));
        this.updateStack([...labelsAt(unanswered.filter(isOfRow), scene.points), ...free], sameLabels);
        this.changeLabels();
      } else if (relocatedLabels) {
        this.storeStack(history(relocatedLabels));
        this.changeLabels();
      } else this.recallStack(scene.labels, sameLabels);
    }
    if (otherData) this.view = new (scene.space ? SpaceView : View)(this.name, scene.view);
    else this.view.rebase(scene.view);
    if (!scene.models.some(Boolean)) this.endPlay();
    if (previous?.points !== scene.points) this.replacePoints(scene);
    this.acknowledge(rev);
    if (!channel.has("lam")) this.lam = scene.lam;
    if (!channel.has("filter")) this.filter = scene.filter;
    if (!channel.has("labels")) this.updateStack(scene.labels, sameLabels);
    this.code = Math.min(this.code, Math.max(scene.classes.length - 1, 0));
    this.setPanels();
    this.display.adopt(otherData);
    this.draw.adopt(scene, otherData);
    if (otherData) applyLinkedView(this);
    this.board.describe();
    if (isLatest) this.computing.answered();
    this.board.schedule("scene", "layout");
    if (!previous) {
      const names = new Set(this.specs.map(({ name }) => name));
      for (const [name, value] of carriedChanges(this))
        if (names.has(name)) this.setKnob(name, value, { done: true });
    }
    if (channel.unsent && newView) channel.flush();
  }
  // Other points, or the same ones in another plane.
  replacePoints({ points, space }) {
    this.hand.forget();
    this.stroke.cancel();
    if (space) return;
    this.storeStack(historyAt(this.stack, points));
    this.display.pins.replacePoints(points);
  }
  setPanels() {
    const { panels, models } = this.scene;
    const { hand, board } = this;
    const options = { plots: board.plots, inside: (x, y) => hand.inBox(x, y), forget: () => hand.forget() };
    fit(this.panels, panels.length, () => {
      const panel = new PanelView((view) => this.display.toggle(view));
      for (const tool2 of [this.draw, this.stroke]) listenTool(panel.plot, panel, tool2, options);
      listen(panel.plot, panel, hand);
      board.plots.append(panel.node);
      return panel;
    });
    panels.forEach((panel, i) => this.panels[i].update(panel, this.scene, models[i]));
    this.panels.forEach((panel) => this.draw.unlock(panel));
  }
  // ---- to Python --------------------------------------------------------------------------
  // Is this a saved page, without Python?
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
  // Names of the settings that differ from those of Python's last answer.
  get changed() {
    const { scene, channel } = this;
    const names = ["lam", "filter"].filter((name) => this[name] !== scene[name]);
    if (!sameLabels(this.labels, scene.labels)) names.push("labels");
    const others = [...channel.changes.keys()].filter((name) => !IN_BROWSER2.includes(name));
    if (channel.value("lam") === "auto") others.push("lam");
    return [...names, ...others, ...this.behind ? ["python"] : []];
  }
  get exact() {
    return !this.changed.length;
  }
  // `done`: the user has let go, here and below.
  setLam(lam, { done = false, reason = "lam" } = {}) {
    if (!this.scene) return;
    this.lamMoving = !done;
    if (lam !== this.lam || this.lamIsAuto) {
      this.channel.change("lam", lam);
      this.lam = lam;
      this.board.markMoving();
      this.board.schedule(reason, "field");
    }
    if (done) {
      this.board.schedule("", "field");
      this.channel.post();
    } else if (this.panels.some(({ model, waiting }) => model && waiting)) {
      this.channel.post({ moving: true });
    }
  }
  // Is λ chosen from the data, as far as is known here? null: it cannot be.
  get lamIsAuto() {
    if (this.lamAuto === null) return null;
    return this.channel.value("lam") === "auto" || this.lamAuto && !this.channel.has("lam");
  }
  // A knob of the toolbar.
  setKnob(...change) {
    knobMoved(this);
    super.setKnob(...change);
    this.board.schedule("knob", "field");
  }
  setFilter(name) {
    if (name === this.filter) return;
    this.filter = name;
    super.setKnob("filter", name, { done: true });
    this.board.schedule("filter", "field");
  }
  // λ from its slider: a number, or "auto".
  moveLam(value, { done }) {
    this.player.stop();
    if (value === "auto") this.setKnob("lam", value, { done: true });
    else this.setLam(value, { done });
  }
  play() {
    const [from = LAM2.least, to = LAM2.most] = this.useful;
    this.player.toggle(this.lam, from, to);
  }
  // Show how a new label spreads: λ, here a time, runs from the start of its useful range to its value. A λ
  // chosen from the data stays so.
  spread() {
    const [from = Infinity] = this.useful;
    const to = this.player.on && this.player.end || this.lam;
    if (isCalm() || this.lamIsAuto || to <= from || !this.scene.models.some(Boolean)) return;
    this.player.once(from, to);
  }
  clear() {
    this.commit([], "all labels removed");
  }
  playChanged() {
    this.lamMoving = this.player.on;
    if (!this.player.on) this.channel.post();
    this.board.schedule("", "over");
  }
  pick(code) {
    if (!this.scene.editable || code >= this.scene.classes.length) return false;
    this.code = code;
    this.board.announce(`Class ${this.scene.classes[code]}`);
    this.board.schedule("", "over");
    return true;
  }
  viewChanged() {
    this.board.markMoving();
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
  // `addCandidate`: a labelled point gets one more candidate class instead of another class.
  toggleAt(target, addCandidate = false) {
    if (!this.canLabel(target)) return false;
    return this.edit(toggle(this.labels, target, this.code, addCandidate || this.stroke.addCandidate), target);
  }
  get className() {
    return `class ${this.scene.classes[this.code] ?? this.code}`;
  }
  // An edit of the label at a target.
  edit({ labels, action }, target) {
    const point = target.index >= 0 ? nameOf(target.index, this.scene.points) : "a point off the sample";
    const asClass = action === "removed" ? "" : ` as ${this.className}`;
    const words = `${action} ${point}${asClass}; ${counted(labels.length, "label")}`;
    const edited = this.commit(labels, words);
    if (edited && asClass) this.spread();
    return edited;
  }
  // Other labels, in one step of the undo history; returns false if they may not or do not change.
  commit(labels, action) {
    const same2 = sameLabels(labels, this.labels);
    return !same2 && this.commitStack(record(this.stack, labels), action);
  }
  // Announce an edit of the labels at once; the board repeats it with the new accuracy.
  announceEdit(action) {
    this.action = action;
    this.board.announce(action);
  }
  commitStack(stack, action) {
    if (!this.scene?.editable || stack === this.stack) return false;
    this.changeLabels();
    this.storeStack(stack);
    this.board.schedule("labels", "field");
    this.channel.post({ single: true });
    this.announceEdit(action);
    return true;
  }
  // direction: "undo" or "redo".
  travel(direction) {
    const stack = stepped(this.stack, direction);
    return this.commitStack(stack, `${direction}ne; ${counted(stack.present.length, "label")}`);
  }
};

// js/panels/alone.js
var KINDS2 = { plane: Stage, curves: CurveStage };
var MOST_LABELS3 = 400;
var UNSUPPORTED = "This page needs a browser of 2023 or later: its picture could not be unpacked.";
async function openPage() {
  const place = document.getElementById("lapviz-stage");
  if (!place) return;
  try {
    const [staticPart, data] = await Promise.all(["lapviz-static", "lapviz-answer"].map(unpacked2));
    keep(staticPart);
    const stage = new KINDS2[place.dataset.kind](place);
    stage.receive({ data, setStateValue: () => {
    } });
    offerThemes(stage);
    offerCopies();
    followLink(stage);
  } catch (error) {
    console.warn("lapviz page:", error);
    setText(place, UNSUPPORTED);
  }
}
function unpacked2(name) {
  const text = document.getElementById(name).textContent.trim();
  return inflated(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
}
function offerThemes(stage) {
  const button = document.getElementById("lapviz-theme");
  const { dataset } = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => dataset.theme ? dataset.theme === "dark" : system.matches;
  const follow = () => {
    setText(button, isDark() ? "Light" : "Dark");
    stage.themeChanged();
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
      setText(button, done ? "Copied" : "Selected: press Ctrl+C");
    });
  }
}
function followLink(stage) {
  const link = document.getElementById("lapviz-link");
  if (!link) return;
  const saved2 = link.href;
  const follow = () => {
    if (!stage.scene) return;
    const { lam, filter, labels, changed = [] } = stage;
    const url = new URL(saved2);
    if (stage instanceof CurveStage)
      for (const [key, value] of curveChanges(stage)) url.searchParams.set(key, value);
    else linkView(url, stage);
    if (changed.includes("lam")) url.searchParams.set("lam", String(roundedForLink(lam)));
    if (changed.includes("filter")) url.searchParams.set("filter", filter);
    if (changed.includes("labels") && labels.length <= MOST_LABELS3)
      url.searchParams.set("labels", labels.map(labelText).join("~"));
    link.href = url.href;
  };
  for (const event of ["pointerenter", "pointerdown", "focus"]) link.addEventListener(event, follow);
}
var ALONG = { galerkin: "p", lam: "lam" };
function curveChanges({ channel, handles, path, shown, step }) {
  const changes = [];
  if (channel.has("handles"))
    changes.push(["points", handles.map((point) => numbersOf(point).join(",")).join("~")]);
  if (!channel.has("step") && !channel.has("path")) return changes;
  if (ALONG[path]) return [...changes, [ALONG[path], roundedForLink(shown.positions[step])]];
  return [...changes, ["along", path], ["m", step]];
}
function numbersOf({ x, value, slope }) {
  return [x, value, slope].filter((number) => number !== null).map(roundedForLink);
}
function labelText(label2) {
  const place = label2.index >= 0 ? label2.index : `${rounded(label2.x)},${rounded(label2.y)}`;
  return `${place}c${candidatesOf(label2).join(".")}`;
}

// js/hands/picture_hand.js
var PictureHand = class {
  constructor(stage) {
    Object.assign(this, { stage, panning: null, down: false, exclusive: true, endsWhenMoved: true });
    this.isSecondTap = doubleClicks(12);
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
    listenPinch(canvas, { pan, zoomAt, begin: () => this.cancel() });
  }
  // ---- a tool for listenTool(): scribbles, or moves the picture -----------------------------
  get ready() {
    return Boolean(this.stage.image);
  }
  // Is a stroke of the pointer, not of the keyboard, under way?
  get busy() {
    return Boolean(this.panning ?? (this.stage.drawing && !this.down));
  }
  begin(view, at, event) {
    const { stage } = this;
    const touched = event.pointerType === "touch";
    if (this.down) stage.finish();
    Object.assign(this, { view, touched, down: false });
    if (touched && this.isSecondTap(event) && stage.frame.zoomed) {
      if (this.scribbled) stage.travel("undo");
      stage.zoomBy(0);
    } else if (stage.tool === "move" || event.button === 1) this.panning = at;
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
    this.scribbled = this.stage.finish();
    if (this.touched) this.stage.moveCursor(null);
  }
  hover(view, at) {
    if (this.down && this.stage.drawing) return;
    this.stage.moveCursor(at && this.stage.pixel(at, view));
  }
  cancel() {
    Object.assign(this, { down: false, panning: null, scribbled: false });
    this.stage.set({ drawing: null, tip: null });
  }
  // Arrows move the brush, Space puts it down and lifts it; returns true if the key was used.
  key(event) {
    const { stage } = this;
    return handleKey(event, stage, (key) => {
      if (key in ARROWS) return this.step(ARROWS[key], event.shiftKey);
      if (key === " " || key === "Enter") return this.toggle();
      if (key === "Escape") return stage.drawing && this.discard();
      if (key === "0") return stage.zoomBy(0);
      if (key === "[" || key === "]") return stage.setRadius(stage.radius + (key === "]" ? 1 : -1));
      if (key in TOOLS) return stage.set({ tool: TOOLS[key] });
      if (!/^[1-9]$/.test(key)) return void 0;
      return Number(key) <= stage.classes && stage.pick(Number(key) - 1);
    });
  }
  discard() {
    this.cancel();
    this.stage.announce("stroke discarded");
    return true;
  }
  step([dx, dy], far) {
    const { stage } = this;
    const reach = Math.max(1, Math.round((far ? 5 : 1) * Math.max(stage.radius, 3)));
    const from = stage.cursor ?? stage.frame.centre.map(Math.round);
    const to = stage.inside([from[0] + dx * reach, from[1] - dy * reach]);
    stage.moveCursor(to);
    if (stage.drawing) stage.extend(to);
    stage.announce(`column ${to[0]}, row ${to[1]}${stage.drawing ? ", brush down" : ""}`);
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
    if (stage.tool === "move") stage.set({ tool: "brush" });
    stage.moveCursor(at);
    stage.begin(at);
    this.down = stage.drawing;
    stage.announce("brush down");
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
var Frame = class extends View {
  static ZOOM = [1, 40];
  static LEAST_SHARE = 1;
  constructor(name, width, height) {
    super(name, [-0.5, width - 0.5, height - 0.5, -0.5]);
    Object.assign(this, { width, height });
  }
  // Pixels of the screen per pixel of the picture.
  scale(box) {
    return box.w / this.width * this.zoom;
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
    this.overlay = latest(overlayOf);
    this.box = { x: 0, y: 0, w: 1, h: 1 };
  }
  // panel: {title, note, step, shape, codes} with decompressed codes of the classes.
  adopt(panel, alone) {
    setText(this.title, panel?.title ?? "");
    setText(this.note, panel?.note ?? "");
    this.head.hidden = alone;
    this.panel = panel;
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
    if (this.panel) {
      const { step } = this.panel;
      const overlay = this.overlay(this.panel, theme, stage.opacity, stage.outline);
      context.imageSmoothingEnabled = step * s * ratio < 1.5;
      context.drawImage(overlay, left2, top, overlay.width * step * s, overlay.height * step * s);
    }
    this.drawScribbles(context, stage, ratio, s);
    if (!stage.cursor || stage.tool === "move") return;
    const { tool: tool2, code, radius } = stage;
    const at = frame.toPixel(...stage.cursor, this.box);
    drawCursor(context, at, { tool: tool2, code, radius: radius * s }, theme);
  }
  // Scribbles are drawn on their own canvas, since the eraser acts on them only.
  drawScribbles(context, stage, ratio, s) {
    const { w, h } = this.box;
    const ink2 = blank(this.scribbles, { width: w, height: h }, ratio);
    Object.assign(ink2, { lineCap: "round", lineJoin: "round" });
    for (const { code, radius, points } of stage.strokes.concat(stage.drawing ?? [])) {
      const erases = code === ERASER;
      ink2.globalCompositeOperation = erases ? "destination-out" : "source-over";
      const width = Math.max(2 * radius * s, 1.5);
      const [[x, y]] = points;
      const path = points.length > 1 ? points : [[x, y], [x + 0.01, y]];
      ink2.beginPath();
      addLines(ink2, path.map((point) => stage.frame.toPixel(...point, this.box)));
      strokePath(ink2, css(erases ? [0, 0, 0] : stage.theme.ring), width + (erases ? 4 : 2));
      if (!erases) strokePath(ink2, css(stage.theme.classes[code]), width);
    }
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = 0.85;
    context.drawImage(this.scribbles, 0, 0);
    context.restore();
  }
};
function overlayOf({ shape: [h, w], codes }, { classes }, opacity, outline) {
  const image = new ImageData(w, h);
  const words = new Uint32Array(image.data.buffer);
  const colours = Uint32Array.from({ length: 9 * LEVELS }, (_2, byte) => {
    const [r, g, b2] = classes[Math.floor(byte / LEVELS) % classes.length];
    const certainty = byte % LEVELS / (LEVELS - 1);
    const alpha = Math.round(255 * opacity * (FAINTEST + (1 - FAINTEST) * certainty));
    return (alpha << 24 | b2 << 16 | g << 8 | r) >>> 0;
  });
  for (let i = 0; i < codes.length; i++) words[i] = colours[codes[i]];
  if (outline) drawBoundary(words, codes, w, h);
  return canvasOf(image);
}
function drawBoundary(words, codes, w, h) {
  const code = (i) => codes[i] / LEVELS | 0;
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const i = y * w + x;
      const right = x + 1 < w && code(i) !== code(i + 1);
      const below = y + 1 < h && code(i) !== code(i + w);
      if (!right && !below) continue;
      words[i] = 4294967295;
      if (right) words[i + 1] = 4279768080;
      if (below) words[i + w] = 4279768080;
    }
  }
}

// js/bars/picture_tools.js
var TITLES2 = ["Brush (B)", "Eraser: removes scribbles (E)", "Move the picture (M)"];
var RADIUS2 = { least: 0, most: 60, first: 6 };
var PictureTools = class {
  constructor(stage) {
    this.row = new KnobRow((...change) => stage.setKnob(...change));
    this.palette = element("div.palette", { role: "radiogroup", "aria-label": "Class to scribble" });
    this.more = tool(icons_default.plus, "Add a class", () => stage.setClasses(stage.classes + 1));
    this.fewer = tool(icons_default.minus, "Remove the last class", () => stage.setClasses(stage.classes - 1));
    this.kinds = choices("div.set", "Tool", paintTools(...TITLES2), (tool2) => stage.set({ tool: tool2 }));
    const spec = "input.slide.short";
    this.radius = range(
      spec,
      "Radius of the brush",
      "Radius of the brush in pixels ([ and ])",
      [RADIUS2.least, RADIUS2.most],
      (radius) => stage.setRadius(radius),
      { step: 1 }
    );
    const opacity = "Opacity of the colours";
    this.opacity = range(
      spec,
      opacity,
      opacity,
      [0, 1],
      (value) => stage.set({ opacity: value }),
      { step: 0.05 }
    );
    const toggleOutline = () => stage.set({ outline: !stage.outline });
    this.outline = tool(icons_default.line, "Borders: show where classes meet", toggleOutline, "Borders");
    this.edits = edits(stage, "remove all scribbles");
    this.zooms = zooms(stage);
    this.moreBox = new More(() => stage.schedule());
    const labelled = (text, node) => element("label.labelled", {}, element("span", {}, text), node);
    const colours = element("div.group", {}, labelled("Colours", this.opacity), this.outline);
    const settings = element("div.settings", {}, this.row.node);
    this.moreBox.node.append(settings, element("div.tools", {}, colours, this.zooms.node));
    const bar = element(
      "div.bar",
      {},
      element("div.group.labels", {}, this.palette, this.fewer, this.more),
      element("div.group", {}, this.kinds.node, labelled("Width", this.radius)),
      this.edits.node,
      this.moreBox.button
    );
    this.node = element(
      "div.toolbar",
      { role: "toolbar", "aria-label": "Scribbling" },
      bar,
      this.row.complaint,
      this.moreBox.node
    );
    this.hint = element("div.hint");
  }
  follow(stage) {
    const { theme, classes, code, tool: kind, stack } = stage;
    const choose = (code2) => stage.pick(code2);
    const paint = (_2, i) => swatch(i, String(i + 1), { label: `Class ${i + 1}`, key: i + 1, theme, choose });
    refill(this.palette, `${theme.id} ${classes}`, () => Array.from({ length: classes }, paint));
    check(this.palette.children, kind === "eraser" ? -1 : code);
    this.kinds.check(kind);
    this.more.disabled = classes >= contract_default.changes.picture.classes.most;
    this.fewer.disabled = classes <= stage.fewestClasses;
    this.edits.follow(stack, stage.strokes.length);
    this.zooms.follow(stage.frame);
    setPressed(this.outline, stage.outline);
    if (Number(this.radius.value) !== stage.radius) this.radius.value = stage.radius;
    if (Number(this.opacity.value) !== stage.opacity) this.opacity.value = stage.opacity;
    const text = isTouched() ? "one finger: scribble · two fingers: zoom and move · double tap: whole picture" : `drag: scribble · 1–${classes}: class · ${zoomKey()} + wheel: zoom · arrows: move the brush, Space: put it down or lift it`;
    setText(this.hint, text);
  }
};

// js/panels/picture.js
var CLASSES2 = contract_default.changes.picture.classes;
var MOST_CORNERS = contract_default.changes.picture.strokes.most;
var [BELOW2, LOWEST] = [34, 240];
var LEAST_WIDTH = 240;
var nextFrame = () => new Promise(requestAnimationFrame);
var PictureStage = class extends Mounted {
  constructor(parent2) {
    super();
    Object.assign(this, { scene: null, failed: "", drawing: null });
    Object.assign(this, { classes: 2, code: 0, tool: "brush", answerCount: 0 });
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
    this.attach(parent2, root, () => this.schedule());
    this.board = { root, place: null, pending: false };
    const { signal } = this.channel.abortController;
    listenKeys(root, this.plots, (event) => this.hand.key(event), signal);
    this.plots.addEventListener("blur", () => this.drawing && this.hand.down && this.hand.toggle());
  }
  end() {
    clearTimeout(this.redrawTimer);
    super.end();
  }
  // ---- from Python ------------------------------------------------------------------------
  themeChanged() {
    this.schedule();
  }
  open(payload, staticPart) {
    const unchanged = this.scene?.view_key === payload.view_key && this.staticPart === staticPart;
    Object.assign(this, { staticPart, scene: payload });
    if (!unchanged) this.showPicture(staticPart, payload);
    this.applyAnswer(payload);
  }
  // Another picture.
  showPicture(staticPart, { strokes }) {
    this.frame = new Frame(this.name, staticPart.width, staticPart.height);
    this.channel.drop();
    Object.assign(this, { image: null, answer: null, drawing: null, cursor: null });
    this.answerCount += 1;
    this.recallStack(strokes.map(fromRow2));
    this.setPanels([]);
    createImageBitmap(new Blob([staticPart.image], { type: "image/jpeg" })).then((image) => {
      if (this.staticPart !== staticPart) return;
      this.image = image;
      this.markPainted();
      this.schedule();
    });
  }
  applyAnswer(payload) {
    const { answer, pending = null, failed = "", rev, knobs } = payload;
    const { channel } = this;
    clearTimeout(this.redrawTimer);
    channel.acknowledge(rev);
    this.tools.row.update(knobs, channel);
    if (!channel.has("classes")) this.classes = payload.classes;
    if (!channel.has("strokes")) this.updateStack(payload.strokes.map(fromRow2));
    this.code = Math.min(this.code, this.classes - 1);
    this.failed = failed;
    setText(this.message, failed);
    if (answer) this.adopt(answer);
    else this.showPending(pending);
    this.schedule();
    this.redrawTimer = setTimeout(() => this.schedule(), 400);
  }
  async adopt(answer) {
    const count = this.answerCount += 1;
    const unpack = async (panel) => ({ ...panel, codes: await inflated(panel.codes) });
    const panels = await Promise.all(answer.panels.map(unpack));
    if (!answer.fine) panels.push(...this.views.slice(panels.length).map(({ panel }) => panel));
    while (this.hand.busy && !this.gone && panels.length !== this.views.length) await nextFrame();
    if (count !== this.answerCount || this.gone) return;
    this.answer = answer;
    this.shownCount = count;
    this.setPanels(panels);
    if (this.channel.isAnswered) this.computing.answered();
    if (!answer.fine && !this.channel.unsent) this.channel.poll(0);
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
  // ---- the user's changes -----------------------------------------------------------------
  get fewestClasses() {
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
  moveCursor(at) {
    this.set({ cursor: at });
  }
  begin(at) {
    const code = this.tool === "eraser" ? ERASER : this.code;
    this.drawing = { code, radius: this.radius, points: [at] };
    this.moveCursor(at);
  }
  extend(at) {
    if (!this.drawing) return;
    const { points } = this.drawing;
    const [u, v2] = points.at(-1);
    if (Math.hypot(at[0] - u, at[1] - v2) >= Math.max(1, this.radius / 3)) points.push(at);
    this.tip = at;
    this.moveCursor(at);
  }
  // Returns whether a stroke was added.
  finish() {
    const { drawing, tip } = this;
    if (!drawing) return false;
    const last = drawing.points.at(-1);
    if (tip && (tip[0] !== last[0] || tip[1] !== last[1])) drawing.points.push(tip);
    Object.assign(this, { drawing: null, tip: null });
    const strokes = [...this.strokes, drawing];
    if (strokes.reduce((sum, { points }) => sum + points.length, 0) > MOST_CORNERS) {
      setText(this.message, `All strokes together have at most ${MOST_CORNERS} corners: take some away first.`);
      this.schedule();
      return false;
    }
    const action = drawing.code === ERASER ? "erased" : `scribbled class ${drawing.code + 1}`;
    return this.commitStack(record(this.stack, strokes), action);
  }
  clear() {
    this.commitStack(record(this.stack, []), "all scribbles removed");
  }
  commitStack(stack, action) {
    if (stack === this.stack) return false;
    this.storeStack(stack);
    this.channel.change("strokes", () => this.strokes.map(toRow2));
    this.channel.post();
    this.schedule();
    this.announce(`${action}; ${counted(this.strokes.length, "stroke")}`);
    return true;
  }
  // direction: "undo" or "redo".
  travel(direction) {
    return this.commitStack(stepped(this.stack, direction), `${direction}ne`);
  }
  pick(code) {
    return this.set({ code, tool: "brush" });
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
    const classes = Math.min(Math.max(count, this.fewestClasses), CLASSES2.most);
    if (classes === this.classes) return;
    this.code = classes > this.classes ? classes - 1 : Math.min(this.code, classes - 1);
    this.classes = classes;
    this.setKnob("classes", classes, { done: true });
  }
  setKnob(...change) {
    super.setKnob(...change);
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
  announce(text) {
    setText(this.live, text);
  }
  // ---- the picture ------------------------------------------------------------------------
  // Is everything shown Python's answer in full resolution, and nothing unanswered?
  get exact() {
    const current = this.shownCount === this.answerCount && this.answer?.fine && !this.drawing;
    return Boolean(current && this.channel.isAnswered && this.scene?.answer);
  }
  draw() {
    if (!this.root.isConnected) return;
    this.theme = makeTheme(this.root, 12, this.theme);
    const available = this.root.clientWidth;
    if (!available) return;
    markSize(this.root);
    const gap = 12;
    const count = this.views.length;
    const columns = available >= count * LEAST_WIDTH + (count - 1) * gap ? count : 1;
    const { frame } = this;
    const tallest = Math.max(window.innerHeight - this.top() - BELOW2, LOWEST);
    const room = (available - (columns - 1) * gap) / columns;
    const width = Math.max(120, Math.min(room, tallest * frame.width / frame.height));
    const height = width * frame.height / frame.width;
    this.plots.style.gridTemplateColumns = `repeat(${columns}, max-content)`;
    this.plots.style.gap = `${gap}px`;
    this.plots.classList.toggle("moves", this.tool === "move");
    this.tools.follow(this);
    this.plots.setAttribute("aria-label", this.description());
    if (!this.image) return;
    for (const view of this.views) view.draw(this, Math.floor(width), Math.floor(height));
    this.board.place = { width, height };
  }
  // Top of the canvases in the window when nothing is scrolled.
  top() {
    const key = `${window.innerWidth}x${window.innerHeight}`;
    if (!scrolled(this.root) || this.windowSize !== key)
      Object.assign(this, { windowSize: key, offset: this.pictures.getBoundingClientRect().top });
    return this.offset + Math.max(0, ...this.views.map((view) => view.head.offsetHeight));
  }
  // Describe the picture in words.
  description() {
    const { name, width, height } = this.staticPart;
    const shares = (this.answer?.shares ?? []).map(
      ([code, share]) => `class ${code + 1}: ${percentage(share)} %`
    );
    const result2 = shares.length ? shares.join(", ") : "scribble at least two classes";
    return `Picture ${name}, ${width} by ${height} pixels, ${counted(this.strokes.length, "stroke")}; ${result2}`;
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
  hover: () => hover_exports,
  labels: () => labels_exports,
  layout: () => layout_exports,
  linalg: () => linalg_exports,
  page: () => page_exports,
  paths: () => paths_exports,
  raster: () => raster_exports,
  scene: () => scene_exports,
  space: () => space_exports,
  view: () => view_exports
});

// js/channel/main.js
var KINDS3 = { stage: Stage, curve: CurveStage, picture: PictureStage, knobs: KnobPanel, share: Share };
var mounted = /* @__PURE__ */ new WeakMap();
var style = null;
function mount(component) {
  shared.runPage = () => component.setTriggerValue("run", Date.now());
  if (component.data && !style) (style = new CSSStyleSheet()).replaceSync(component.data);
  if (!globalThis.__lapvizMount) {
    oneEntryPerPage();
    watchLinks();
  }
  globalThis.__lapvizMount = mountKind;
  removeMainFromTabOrder();
  startWithoutSidebar();
  window.dispatchEvent(new Event("lapviz:ready"));
}
function mountKind(kind, component) {
  if (kind === "store") return store2(component);
  removeMainFromTabOrder();
  const { parentElement } = component;
  const { adoptedStyleSheets } = parentElement.getRootNode();
  if (style && !adoptedStyleSheets.includes(style)) adoptedStyleSheets.push(style);
  let view = mounted.get(parentElement);
  if (!view || view.gone) mounted.set(parentElement, view = new KINDS3[kind](parentElement));
  view.receive(component);
  return () => setTimeout(() => view.endIfDetached?.(), 0);
}
function store2({ data }) {
  try {
    keep(data);
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
