// Colours: Streamlit's theme, diverging maps mixed in OKLab, and class colours.

import contract from "../../../../contract.json";
import { latest } from "../numbers/memo.js";

export const STEPS = 512;
export const SHAPES = contract.shapes;
const { fade: FADE, oklab: OKLAB, srgb: SRGB } = contract;

export function parseColour(text, fallback = [255, 255, 255]) {
  const hex = /^#([\da-f]{3,8})$/i.exec(text?.trim() ?? "");
  if (hex) {
    const digits = hex[1].length < 6 ? [...hex[1]].map((d) => d + d).join("") : hex[1];
    return [0, 2, 4].map((i) => parseInt(digits.slice(i, i + 2), 16));
  }
  const parts = /^rgba?\(([^)]+)\)/.exec(text?.trim() ?? "");
  if (!parts) return fallback;
  return parts[1].split(/[\s,/]+/, 3).map(Number);
}

export function css([r, g, b], alpha = 1) {
  return `rgba(${Math.round(r)}, ${Math.round(g)}, ${Math.round(b)}, ${alpha})`;
}

// Colour of the class `code`, -1 for points without one; colours repeat if there are too few.
export function classColour({ classes, line }, code, alpha = 1) {
  return code < 0 ? css(line, 0.65) : css(classes[code % classes.length], alpha);
}

// sRGB in 0..255 to linear light and back.
function toLinear(value) {
  const c = value / 255;
  if (c <= SRGB.bend) return c / SRGB.slope;
  return ((c + SRGB.offset) / (1 + SRGB.offset)) ** SRGB.power;
}

function fromLinear(c) {
  if (c <= SRGB.linear_bend) return 255 * SRGB.slope * c;
  return 255 * ((1 + SRGB.offset) * c ** (1 / SRGB.power) - SRGB.offset);
}

function times(matrix, [a, b, c]) {
  return matrix.map((row) => row[0] * a + row[1] * b + row[2] * c);
}

// Inverse of a 3 x 3 matrix: cross products of its rows over their triple product.
function inverse([a, b, c]) {
  const cross = (p, q) => [
    p[1] * q[2] - p[2] * q[1],
    p[2] * q[0] - p[0] * q[2],
    p[0] * q[1] - p[1] * q[0],
  ];
  const columns = [cross(b, c), cross(c, a), cross(a, b)];
  const volume = a[0] * columns[0][0] + a[1] * columns[0][1] + a[2] * columns[0][2];
  return [0, 1, 2].map((i) => columns.map((column) => column[i] / volume));
}

const FROM_CONES = inverse(OKLAB.to_cones);
const FROM_LAB = inverse(OKLAB.to_lab);

// sRGB to OKLab (B. Ottosson's matrices) and back.
export function toLab(rgb) {
  return times(OKLAB.to_lab, times(OKLAB.to_cones, rgb.map(toLinear)).map(Math.cbrt));
}

export function fromLab(lab) {
  const cones = times(FROM_LAB, lab).map((v) => v ** 3);
  return times(FROM_CONES, cones).map((c) => Math.min(Math.max(fromLinear(Math.max(c, 0)), 0), 255));
}

export function blend(a, b, t) {
  const [p, q] = [toLab(a), toLab(b)];
  return fromLab(p.map((v, i) => v + (q[i] - v) * t));
}

// Table of 2 * STEPS + 1 packed RGBA colours through equally spaced anchors; `bend` maps the distance
// from the middle (0..1) to the distance along the anchors.
export function table(anchors, bend = (t) => t) {
  const labs = anchors.map(toLab);
  // Entry i + STEPS: colour at i / STEPS.
  return Uint32Array.from({ length: 2 * STEPS + 1 }, (_, entry) => {
    const i = entry - STEPS;
    const u = ((1 + Math.sign(i) * bend(Math.abs(i) / STEPS)) / 2) * (labs.length - 1);
    const k = Math.min(Math.floor(u), labs.length - 2);
    return packed(fromLab(labs[k].map((v, c) => v + (labs[k + 1][c] - v) * (u - k))));
  });
}

export function packed([r, g, b]) {
  return ((255 << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;
}

export function unpacked(word) {
  return [word & 255, (word >> 8) & 255, (word >> 16) & 255];
}

// Estimates decay by orders of magnitude away from the labels: a root keeps their sign visible.
export const fade = (t) => t ** FADE.power;
export const unfade = (strength) => strength ** (1 / FADE.power);

// All colours of a stage for the theme of `element`, and the size of its letters; `previous` if it is the same.
export function makeTheme(element, type, previous = null) {
  const style = getComputedStyle(element);
  const font = style.getPropertyValue("--st-font") || "sans-serif";
  const read = (name, fallback) => parseColour(style.getPropertyValue(name), fallback);
  const background = read("--st-background-color", [255, 255, 255]);
  const text = read("--st-text-color", [49, 51, 63]);
  const primary = read("--st-primary-color", [255, 75, 75]);
  const id = [background, text, primary, font, type].join("|");
  if (previous?.id === id) return previous;
  const dark = toLab(background)[0] < 0.5;
  const shared = contract.themes[dark ? "dark" : "light"];
  const colours = (list) => list.map((c) => parseColour(c));
  const classes = colours(shared.classes);
  const middle = blend(background, dark ? [120, 130, 150] : [246, 247, 249], dark ? 0.12 : 0.5);
  const anchors = [...colours(shared.cold), middle, ...colours(shared.warm)];
  const faint = (colour) => blend(middle, colour, FADE.knee);
  const anchorsOf = (a, b) => [a, faint(a), middle, faint(b), b];
  return {
    id,
    type, // pixels of the smallest letters
    dark,
    background,
    text,
    primary,
    middle,
    classes,
    line: parseColour(shared.line),
    halo: background,
    ring: parseColour(shared.halo), // around labelled points; `outline` is their thin edge on it
    outline: parseColour(shared.outline),
    font,
    // Computed on first use: most stages need only one of the three.
    functions: latest(() => table(anchors)),
    pair: latest(() => table(anchorsOf(classes[0], classes[1]), fade)),
    shades: classes.map((c) => latest(() => shades(middle, c))),
  };
}

// Shades of one class, from the smallest margin to the largest.
function shades(middle, colour) {
  const shade = (i) => blend(middle, colour, FADE.weakest + FADE.range * fade(i / STEPS));
  return Uint32Array.from({ length: STEPS + 1 }, (_, i) => packed(shade(i)));
}

// CSS gradient through a colour table, for colour bars.
export function gradient(colours, stops = 16) {
  const colourAt = (_, i) => css(unpacked(colours[Math.round((i / stops) * (colours.length - 1))]));
  const parts = Array.from({ length: stops + 1 }, colourAt);
  return `linear-gradient(to right, ${parts.join(", ")})`;
}
