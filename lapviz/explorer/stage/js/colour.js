// Colours: the theme as Streamlit gives it, diverging maps mixed in OKLab, and class colours.

export const STEPS = 512;

// Ten colours after Okabe and Ito, for light and dark backgrounds, and a shape for each.
const CLASSES_LIGHT = [
  "#0072b2",
  "#e07b00",
  "#009e73",
  "#c65a97",
  "#56b4e9",
  "#d23a00",
  "#d9c400",
  "#7a2f8f",
  "#8a5a2b",
  "#7f8790",
];
const CLASSES_DARK = [
  "#4aa8ff",
  "#ffa53d",
  "#22c793",
  "#f08cc4",
  "#9bdcff",
  "#ff6b3d",
  "#f5e663",
  "#b98af0",
  "#c99a63",
  "#a6adb8",
];
export const SHAPES = [
  "circle",
  "square",
  "triangle",
  "diamond",
  "plus",
  "wedge",
  "star",
  "cross",
  "pentagon",
  "hexagon",
];

export function parseColour(text, fallback = [255, 255, 255]) {
  const hex = /^#([\da-f]{3,8})$/i.exec(text?.trim() ?? "");
  if (hex) {
    const digits = hex[1].length < 6 ? [...hex[1]].map((d) => d + d).join("") : hex[1];
    return [0, 2, 4].map((i) => parseInt(digits.slice(i, i + 2), 16));
  }
  const parts = /^rgba?\(([^)]+)\)/.exec(text?.trim() ?? "");
  if (!parts) return fallback;
  return parts[1]
    .split(/[\s,/]+/)
    .slice(0, 3)
    .map(Number);
}

export function css([r, g, b], alpha = 1) {
  return `rgba(${Math.round(r)}, ${Math.round(g)}, ${Math.round(b)}, ${alpha})`;
}

const toLinear = (c) => (c <= 10.31475 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4);
const fromLinear = (c) => 255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);

// sRGB to OKLab (B. Ottosson's matrices) and back.
export function toLab(rgb) {
  const [r, g, b] = rgb.map(toLinear);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

export function fromLab([L, a, b]) {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((c) => Math.min(Math.max(fromLinear(Math.max(c, 0)), 0), 255));
}

export function blend(a, b, t) {
  const [p, q] = [toLab(a), toLab(b)];
  return fromLab(p.map((v, i) => v + (q[i] - v) * t));
}

// Table of 2 * half + 1 packed RGBA colours through equally spaced anchors; `bend` maps the
// distance from the middle (0..1) to the distance along the anchors.
export function table(anchors, half = STEPS, bend = (t) => t) {
  const labs = anchors.map(toLab);
  const out = new Uint32Array(2 * half + 1); // entry i + half: colour at i / half
  for (let i = -half; i <= half; i++) {
    const t = (1 + Math.sign(i) * bend(Math.abs(i) / half)) / 2;
    out[i + half] = packed(between(labs, t));
  }
  return out;
}

function between(labs, t) {
  const u = Math.min(Math.max(t, 0), 1) * (labs.length - 1);
  const k = Math.min(Math.floor(u), labs.length - 2);
  return fromLab(labs[k].map((v, i) => v + (labs[k + 1][i] - v) * (u - k)));
}

function packed([r, g, b]) {
  return ((255 << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;
}

export function unpacked(word) {
  return [word & 255, (word >> 8) & 255, (word >> 16) & 255];
}

// Estimates fade by orders of magnitude away from the labels: a root keeps their sign visible.
export const fade = (t) => Math.sqrt(t);

// All colours of a stage for the theme that `element` stands in.
export function makeTheme(element) {
  const style = getComputedStyle(element);
  const read = (name, fallback) => parseColour(style.getPropertyValue(name), fallback);
  const background = read("--st-background-color", [255, 255, 255]);
  const text = read("--st-text-color", [49, 51, 63]);
  const primary = read("--st-primary-color", [255, 75, 75]);
  const dark = toLab(background)[0] < 0.5;
  const classes = (dark ? CLASSES_DARK : CLASSES_LIGHT).map((c) => parseColour(c));
  const middle = blend(background, dark ? [120, 130, 150] : [246, 247, 249], dark ? 0.12 : 0.5);
  const cold = dark ? ["#a8dcff", "#2f86cc"] : ["#0b3c78", "#5aa2d6"];
  const warm = dark ? ["#d07a20", "#ffd9a0"] : ["#f0a04a", "#9c3b00"];
  const anchors = [...cold.map((c) => parseColour(c)), middle, ...warm.map((c) => parseColour(c))];
  const sided = (a, b) => [a, blend(middle, a, 0.62), middle, blend(middle, b, 0.62), b];
  return {
    id: [background, text, primary].join("|"),
    dark,
    background,
    text,
    primary,
    middle,
    classes,
    line: dark ? [255, 255, 255] : [20, 24, 32],
    halo: background,
    font: style.getPropertyValue("--st-font") || "sans-serif",
    // Made when first used: most stages need one of the three.
    functions: once(() => table(anchors)),
    pair: once(() => table(sided(classes[0], classes[1]), STEPS, fade)),
    wins: classes.map((c) => once(() => shades(middle, c))),
  };
}

function once(make) {
  let made = null;
  return () => (made ??= make());
}

// Shades of one class from the weakest win to the clearest.
function shades(middle, colour) {
  const out = new Uint32Array(STEPS + 1);
  for (let i = 0; i <= STEPS; i++)
    out[i] = packed(blend(middle, colour, 0.14 + 0.76 * fade(i / STEPS)));
  return out;
}

// CSS gradient through a colour table, for colour bars.
export function gradient(colours, stops = 16) {
  const parts = [];
  for (let i = 0; i <= stops; i++) {
    parts.push(css(unpacked(colours[Math.round((i / stops) * (colours.length - 1))])));
  }
  return `linear-gradient(to right, ${parts.join(", ")})`;
}
