// Built by esbuild (build.mjs) from js/, vendor/ and contract.json: edit those, not this.
// sources: sha256 26364a0f89d49c2da37b33c666e118c22ea3d994783979a8975f4311bf008a44
// Holds d3-contour and d3-array, ISC, see LICENSE-d3.txt.
var __defProp = Object.defineProperty;
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};

// js/numbers/accuracy.js
var accuracy_exports = {};
__export(accuracy_exports, {
  countRight: () => countRight,
  rightParts: () => rightParts,
  wrongPoints: () => wrongPoints
});

// ../../contract.json
var contract_default = {
  lam: { least: 1e-6, most: 1e4, limit: 1e12 },
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
      drawing: { is: "text", most: 1e5 },
      story: { is: "name" }
    },
    curve: {
      path: { is: "name", of_data: true },
      step: { is: "number", whole: true, least: 0, most: 200, of_data: true },
      handles: { is: "rows", most: 30, size: 100, of_data: true }
    },
    picture: {
      strokes: { is: "text", most: 2e5, of_data: true },
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
  dots: { many: 1200, alpha: 0.55, alpha_many: 0.42, enlarged: 1.7, ring: 2.6, few: 150 },
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

// js/numbers/codes.js
var codes_exports = {};
__export(codes_exports, {
  codesOf: () => codesOf,
  decodeAt: () => decodeAt,
  outputsOf: () => outputsOf,
  sharesOf: () => sharesOf,
  win: () => win
});
function outputsOf(nClasses) {
  return nClasses > 2 ? nClasses : 1;
}
function sharesOf({ code, others }, nClasses) {
  const shares = new Float64Array(nClasses);
  const candidates = [code, ...others ?? []];
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

// js/numbers/accuracy.js
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
function countRight(values, k, points, labels) {
  const { wrong, known } = wrongPoints(values, k, points, labels);
  return known ? (known - wrong.length) / known : null;
}
function rightParts(share, part) {
  if (share === null) return ["", ""];
  const [before, after] = RULE.words.split("{}");
  return [(part ? "≈ " : "") + before, (100 * share).toFixed(RULE.digits) + after];
}

// js/hands/aim.js
var aim_exports = {};
__export(aim_exports, {
  aimAt: () => aimAt,
  nextFrom: () => nextFrom,
  spaceTarget: () => spaceTarget
});

// js/paint/cloud.js
var cloud_exports = {};
__export(cloud_exports, {
  Cloud: () => Cloud,
  drawTriad: () => drawTriad,
  markRadius: () => markRadius
});

// js/paint/colour.js
var colour_exports = {};
__export(colour_exports, {
  SHAPES: () => SHAPES,
  STEPS: () => STEPS,
  blend: () => blend,
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
var STEPS = 512;
var SHAPES = contract_default.shapes;
var { fade: FADE, oklab: OKLAB, srgb: SRGB } = contract_default;
function parseColour(text, fallback = [255, 255, 255]) {
  const hex = /^#([\da-f]{3,8})$/i.exec(text?.trim() ?? "");
  if (hex) {
    const digits2 = hex[1].length < 6 ? [...hex[1]].map((d) => d + d).join("") : hex[1];
    return [0, 2, 4].map((i) => parseInt(digits2.slice(i, i + 2), 16));
  }
  const parts = /^rgba?\(([^)]+)\)/.exec(text?.trim() ?? "");
  if (!parts) return fallback;
  return parts[1].split(/[\s,/]+/).slice(0, 3).map(Number);
}
function css([r, g, b2], alpha = 1) {
  return `rgba(${Math.round(r)}, ${Math.round(g)}, ${Math.round(b2)}, ${alpha})`;
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
  return times(FROM_CONES, cones).map(
    (c) => Math.min(Math.max(fromLinear(Math.max(c, 0)), 0), 255)
  );
}
function blend(a, b2, t) {
  const [p, q] = [toLab(a), toLab(b2)];
  return fromLab(p.map((v2, i) => v2 + (q[i] - v2) * t));
}
function table(anchors, half = STEPS, bend = (t) => t) {
  const labs = anchors.map(toLab);
  const out = new Uint32Array(2 * half + 1);
  for (let i = -half; i <= half; i++) {
    const t = (1 + Math.sign(i) * bend(Math.abs(i) / half)) / 2;
    out[i + half] = packed(between(labs, t));
  }
  return out;
}
function between(labs, t) {
  const u = Math.min(Math.max(t, 0), 1) * (labs.length - 1);
  const k = Math.min(Math.floor(u), labs.length - 2);
  return fromLab(labs[k].map((v2, i) => v2 + (labs[k + 1][i] - v2) * (u - k)));
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
  const read3 = (name, fallback) => parseColour(style.getPropertyValue(name), fallback);
  const background = read3("--st-background-color", [255, 255, 255]);
  const text = read3("--st-text-color", [49, 51, 63]);
  const primary = read3("--st-primary-color", [255, 75, 75]);
  const dark = toLab(background)[0] < 0.5;
  const shared2 = contract_default.themes[dark ? "dark" : "light"];
  const colours = (list) => list.map((c) => parseColour(c));
  const classes = colours(shared2.classes);
  const middle = blend(background, dark ? [120, 130, 150] : [246, 247, 249], dark ? 0.12 : 0.5);
  const anchors = [...colours(shared2.cold), middle, ...colours(shared2.warm)];
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
    line: parseColour(shared2.line),
    halo: background,
    ring: parseColour(shared2.halo),
    // around labelled points, and their thin edge on it
    outline: parseColour(shared2.outline),
    font: style.getPropertyValue("--st-font") || "sans-serif",
    // Computed when first used: most stages need one of the three.
    functions: once(() => table(anchors)),
    pair: once(() => table(sided(classes[0], classes[1]), STEPS, fade)),
    wins: classes.map((c) => once(() => shades(middle, c)))
  };
}
function once(make) {
  let made = null;
  return () => made ??= make();
}
function shades(middle, colour) {
  const out = new Uint32Array(STEPS + 1);
  for (let i = 0; i <= STEPS; i++)
    out[i] = packed(blend(middle, colour, FADE.weakest + FADE.range * fade(i / STEPS)));
  return out;
}
function gradient(colours, stops = 16) {
  const parts = [];
  for (let i = 0; i <= stops; i++) {
    parts.push(css(unpacked(colours[Math.round(i / stops * (colours.length - 1))])));
  }
  return `linear-gradient(to right, ${parts.join(", ")})`;
}

// js/paint/marks.js
var DOTS = contract_default.dots;
var MANY = 1500;
var CROWD = 600;
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
  const corners = [
    [w, w],
    [w, r],
    [-w, r],
    [-w, w],
    [-r, w],
    [-r, -w],
    [-w, -w],
    [-w, -r],
    [w, -r],
    [w, -w],
    [r, -w],
    [r, w]
  ];
  const [c, s] = [Math.cos(turn2), Math.sin(turn2)];
  return corners.map(([x, y]) => [c * x - s * y, s * x + c * y]);
}
function disc(context, x, y, r) {
  context.moveTo(x + r, y);
  context.arc(x, y, r, 0, 2 * Math.PI);
}
function haloed(context, theme, [wide2, clear], width, style, dash = null) {
  context.lineWidth = wide2;
  context.strokeStyle = css(theme.halo, clear);
  context.stroke();
  context.lineWidth = width;
  context.strokeStyle = style;
  if (dash) context.setLineDash(dash);
  context.stroke();
  if (dash) context.setLineDash([]);
}
function trace(context, code, x, y, r) {
  const corners = CORNERS[SHAPES[code % SHAPES.length]];
  if (!corners) {
    disc(context, x, y, r);
    return;
  }
  corners.forEach(([u, v2], i) => {
    if (i) context.lineTo(x + r * u, y + r * v2);
    else context.moveTo(x + r * u, y + r * v2);
  });
  context.closePath();
}
function shapePath(code, r = 5) {
  const corners = CORNERS[SHAPES[code % SHAPES.length]];
  if (!corners) return `M${8 + r},8 A${r},${r} 0 1 1 ${8 - r},8 A${r},${r} 0 1 1 ${8 + r},8 Z`;
  return `M${corners.map(([u, v2]) => `${(8 + r * u).toFixed(2)},${(8 + r * v2).toFixed(2)}`).join(" L")} Z`;
}
function dotRadius(count, box) {
  return Math.min(
    Math.max(0.06 * Math.min(box.w, box.h) / Math.sqrt(Math.max(count, 9)), 0.9),
    2.6
  );
}
function drawDots(context, points, view, box, theme) {
  const r = dotRadius(points.count, box);
  context.fillStyle = css(theme.line, points.count > DOTS.many ? DOTS.alpha_many : DOTS.alpha);
  context.beginPath();
  eachVisible(points, view, box, r, (x, y) => disc(context, x, y, r));
  context.fill();
}
function drawLandmarks(context, xy, view, box, theme) {
  if (!xy?.length) return;
  const count = xy.length / 2;
  const r = count > CROWD ? 1.7 : box.w < 220 || count > 200 ? 2.4 : 3.2;
  context.beginPath();
  eachVisible({ xy, count }, view, box, r, (x, y) => disc(context, x, y, r));
  context.fillStyle = css(theme.halo);
  context.fill();
  context.lineWidth = r > 2 ? 1.2 : 0.9;
  context.strokeStyle = css(theme.line);
  context.stroke();
}
function drawColoured(context, points, words, view, box, theme, quick) {
  const r = Math.min(Math.max(dotRadius(points.count, box) * DOTS.enlarged, 2.2), 5);
  const squares = quick && points.count > MANY;
  const groups = /* @__PURE__ */ new Map();
  eachVisible(points, view, box, r, (x, y, i) => {
    const group = groups.get(words[i]);
    if (group) group.push(x, y);
    else groups.set(words[i], [x, y]);
  });
  context.lineWidth = 0.5;
  context.strokeStyle = css(theme.line, 0.35);
  for (const [word, places] of groups) {
    context.fillStyle = css(unpacked(word), 0.95);
    context.beginPath();
    for (let i = 0; i < places.length; i += 2) {
      const [x, y] = [places[i], places[i + 1]];
      if (squares) context.rect(x - 0.89 * r, y - 0.89 * r, 1.77 * r, 1.77 * r);
      else disc(context, x, y, r);
    }
    context.fill();
    if (points.count <= MANY) context.stroke();
  }
}
function eachVisible({ xy, count }, view, box, margin, visit) {
  const [x0, x1, y0, y1] = view.range;
  const sx = box.w / (x1 - x0);
  const sy = box.h / (y1 - y0);
  for (let i = 0; i < count; i++) {
    const x = box.x + (xy[2 * i] - x0) * sx;
    const y = box.y + (y1 - xy[2 * i + 1]) * sy;
    if (x < box.x - margin || y < box.y - margin) continue;
    if (x > box.x + box.w + margin || y > box.y + box.h + margin) continue;
    visit(x, y, i);
  }
}
function signedWords(values, top, colours, words) {
  for (let i = 0; i < words.length; i++) {
    const t = Math.round(Math.min(Math.max(values[i] / top, -1), 1) * 32) / 32;
    words[i] = colours[Math.round(STEPS * (1 + (t || 0)))];
  }
}
function winnerWords(values, k, top, shades2, words) {
  const n = words.length;
  for (let i = 0; i < n; i++) {
    const { code, margin } = decodeAt(values, i, n, k);
    const t = Math.ceil(Math.min(margin / top, 1) * 8) / 8;
    words[i] = shades2[code % shades2.length][Math.round(STEPS * (t || 0))];
  }
}
function drawErrors(context, { xy, count }, wrong, view, box, theme) {
  if (!wrong.length) return;
  const r = dotRadius(count, box) + DOTS.ring;
  context.beginPath();
  for (const i of wrong) {
    disc(context, ...view.toPixel(xy[2 * i], xy[2 * i + 1], box), r);
  }
  if (wrong.length <= DOTS.few) haloed(context, theme, [3.4, 0.75], 1.5, css(theme.line));
  else {
    context.lineWidth = 0.9;
    context.strokeStyle = css(theme.line, 0.8);
    context.stroke();
  }
}
function drawLabels(context, labels, view, box, theme) {
  const r = box.w < 220 || labels.length > 40 ? 4.2 : 6;
  context.lineJoin = "round";
  for (const { x, y, code, others, clear = 1 } of labels) {
    const [px, py] = view.toPixel(x, y, box);
    if (px < box.x - r || px > box.x + box.w + r || py < box.y - r || py > box.y + box.h + r)
      continue;
    context.globalAlpha = clear;
    context.beginPath();
    trace(context, code, px, py, r);
    context.lineWidth = 0.75 * r;
    context.strokeStyle = css(theme.ring, 0.95);
    context.stroke();
    context.lineWidth = r > 5 ? 1.4 : 1;
    context.strokeStyle = css(theme.outline);
    context.fillStyle = css(theme.classes[code % theme.classes.length]);
    context.fill();
    context.stroke();
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
    context.fillStyle = css(theme.classes[code % theme.classes.length]);
    context.fill();
    context.stroke();
  });
}
function drawCross(context, x, y, box, theme) {
  context.strokeStyle = css(theme.line, 0.45);
  context.lineWidth = 1;
  context.setLineDash([3, 3]);
  context.beginPath();
  context.moveTo(Math.round(x) + 0.5, box.y);
  context.lineTo(Math.round(x) + 0.5, box.y + box.h);
  context.moveTo(box.x, Math.round(y) + 0.5);
  context.lineTo(box.x + box.w, Math.round(y) + 0.5);
  context.stroke();
  context.setLineDash([]);
}
function drawRing(context, x, y, theme, strong) {
  context.beginPath();
  context.arc(x, y, strong ? 10 : 8.5, 0, 6.2832);
  if (strong) haloed(context, theme, [4.5, 0.85], 2.2, css(theme.primary));
  else haloed(context, theme, [3.5, 0.85], 1.4, css(theme.text, 0.85));
}
function drawNext(context, { marked, points }, view, box, theme) {
  const i = points.position.get(marked ?? -1) ?? -1;
  if (i < 0) return;
  const [x, y] = view.toPixel(points.xy[2 * i], points.xy[2 * i + 1], box);
  if (x < box.x || y < box.y || x > box.x + box.w || y > box.y + box.h) return;
  context.beginPath();
  context.arc(x, y, 9, 0, 6.2832);
  context.fillStyle = css(theme.background, 0.9);
  context.fill();
  haloed(context, theme, [4, 0.9], 2, css(theme.primary));
  context.font = `bold 13px ${theme.font}`;
  context.fillStyle = css(theme.text);
  centred(context, "?", x, y + 1);
}
function drawChip(context, text, x, y, box, theme) {
  context.font = `${theme.type}px ${theme.font}`;
  const w = context.measureText(text).width + 10;
  const h = theme.type + 6;
  const left2 = Math.min(x + 8, box.x + box.w - w - 2);
  const top = Math.max(y - h - 7, box.y + 2);
  context.fillStyle = css(theme.background, 0.88);
  context.beginPath();
  context.roundRect(left2, top, w, h, 4);
  context.fill();
  context.fillStyle = css(theme.text);
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(text, left2 + 5, top + h / 2 + 0.5);
}
function drawInvitation(context, { box, theme }, free) {
  const text = box.w < 180 ? "click to label" : free ? "click anywhere to label" : "click a point to label it";
  context.font = `${theme.type + 1}px ${theme.font}`;
  const w = context.measureText(text).width + 24;
  const h = theme.type + 16;
  const [x, y] = [box.x + box.w / 2, box.y + box.h / 2];
  context.fillStyle = css(theme.background, 0.82);
  context.beginPath();
  context.roundRect(x - w / 2, y - h / 2, w, h, h / 2);
  context.fill();
  context.fillStyle = css(theme.text, 0.75);
  centred(context, text, x, y + 1);
}
function centred(context, text, x, y) {
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, x, y);
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
  // Ready for the panels of this picture.
  aim({ scene, view, box, ratio, theme, count, moving }) {
    const { space, points } = scene;
    const radius = markRadius(points.count, box);
    const work = points.count * count * (2 * radius * ratio + 1) ** 2;
    const scale = moving && work > BUSY ? Math.min(ratio, 1) : ratio;
    const name = [space.turns, box.w, box.h, scale, theme.id, ...view.range].join();
    if (name === this.name && this.space === space) return;
    Object.assign(this, { name, space, scale, theme });
    this.width = Math.max(1, Math.round(box.w * scale));
    this.height = Math.max(1, Math.round(box.h * scale));
    this.discs = Array.from(
      { length: LAYERS },
      (_2, layer) => this.stamp(radius * scale * space.scale((layer + 0.5) / LAYERS))
    );
    this.fades = Array.from(
      { length: LAYERS },
      (_2, layer) => Math.round(256 * FADED * (1 - (layer + 0.5) / LAYERS) ** 1.3)
    );
    this.place(points, view);
  }
  // Corners of the stamps in the picture; a mark that is not wholly inside is left out.
  place({ xy, count }, view) {
    const [x0, x1, y0, y1] = view.range;
    const [sx, sy] = [this.width / (x1 - x0), this.height / (y1 - y0)];
    const { near: near2, order } = this.space;
    if (this.corner?.length !== count) {
      this.corner = new Int32Array(count);
      this.layer = new Uint8Array(count);
      this.shift = new Uint8Array(count);
      this.item = new Uint32Array(count);
    }
    let kept6 = 0;
    for (let k = 0; k < count; k++) {
      const i = order[k];
      const layer = Math.min(Math.max(near2[i] * LAYERS | 0, 0), LAYERS - 1);
      const { half } = this.discs[layer];
      const x = (xy[2 * i] - x0) * sx;
      const y = (y1 - xy[2 * i + 1]) * sy;
      const [left2, top] = [Math.floor(x), Math.floor(y)];
      if (left2 < half || top < half || left2 + half >= this.width || top + half >= this.height)
        continue;
      this.item[kept6] = i;
      this.layer[kept6] = layer;
      this.shift[kept6] = ((y - top) * SHIFTS | 0) * SHIFTS + ((x - left2) * SHIFTS | 0);
      this.corner[kept6++] = (top - half) * this.width + left2 - half;
    }
    this.kept = kept6;
  }
  // A disc's pixels for every place of its middle within a pixel: offset, cover and rim, 0 to 256.
  stamp(radius) {
    const r = Math.round(4 * radius) / 4;
    const strength = 256 * (this.theme.dark ? RIM.dark : RIM.light);
    const name = [r, this.width, strength].join();
    const known = this.stamps.get(name);
    if (known) return known;
    const half = Math.ceil(r + 1);
    const masks = [];
    for (let shift = 0; shift < SHIFTS * SHIFTS; shift++) {
      const u = half + (shift % SHIFTS + 0.5) / SHIFTS;
      const v2 = half + (Math.floor(shift / SHIFTS) + 0.5) / SHIFTS;
      const mask = [];
      for (let y = 0; y <= 2 * half; y++) {
        for (let x = 0; x <= 2 * half; x++) {
          const inside = r - Math.hypot(x + 0.5 - u, y + 0.5 - v2);
          const cover = Math.round(256 * Math.min(Math.max(inside + 0.5, 0), 1));
          const rim = Math.round(strength * Math.min(Math.max(1.2 - inside, 0), 1));
          if (cover) mask.push(y * this.width + x, cover, rim);
        }
      }
      masks.push(Int32Array.from(mask));
    }
    const made = { half, masks };
    if (this.stamps.size > 200) this.stamps.clear();
    this.stamps.set(name, made);
    return made;
  }
  // The same colour for all points.
  plain(count) {
    return new Uint32Array(count).fill(packed(this.theme.text));
  }
  // The marks in the colours `words` (packed RGBA, one for each point), as an image for a panel.
  paint(words) {
    const { width, height, theme, kept: kept6 } = this;
    if (this.image?.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    const { pixels } = this;
    const page = packed(theme.background);
    pixels.fill(page);
    const [pr, pg, pb] = theme.background;
    const [lr, lg, lb] = theme.line;
    for (let k = 0; k < kept6; k++) {
      const layer = this.layer[k];
      const word = words[this.item[k]];
      const fade2 = this.fades[layer];
      const r = mix(word & 255, pr, fade2);
      const g = mix(word >> 8 & 255, pg, fade2);
      const b2 = mix(word >> 16 & 255, pb, fade2);
      const mask = this.discs[layer].masks[this.shift[k]];
      const corner = this.corner[k];
      for (let m = 0; m < mask.length; m += 3) {
        const at = corner + mask[m];
        const cover = mask[m + 1];
        const rim = mask[m + 2];
        let [s, t, u] = [r, g, b2];
        if (rim) {
          s = mix(r, lr, rim);
          t = mix(g, lg, rim);
          u = mix(b2, lb, rim);
        }
        if (cover < 256) {
          const under = pixels[at];
          s = mix(under & 255, s, cover);
          t = mix(under >> 8 & 255, t, cover);
          u = mix(under >> 16 & 255, u, cover);
        }
        pixels[at] = 4278190080 | u << 16 | t << 8 | s;
      }
    }
    this.sheet ??= document.createElement("canvas");
    if (this.sheet.width !== width || this.sheet.height !== height)
      Object.assign(this.sheet, { width, height });
    this.sheet.getContext("2d").putImageData(this.image, 0, 0);
    return this.sheet;
  }
};
function mix(a, b2, share) {
  return a + ((b2 - a) * share >> 8) | 0;
}
function drawTriad(context, space, box, theme, names) {
  const small = box.w < 200;
  const length = small ? 13 : 24;
  const reach = length + (small ? 4 : 16);
  const [x, y] = [box.x + reach, box.y + box.h - reach];
  context.font = `12px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const [right, up, front] = space.matrix;
  const order = [0, 1, 2].sort((a, b2) => front[a] - front[b2]);
  for (const axis of order) {
    const [u, v2] = [right[axis] * length, -up[axis] * length];
    const clear = 0.85 + 0.15 * front[axis];
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + u, y + v2);
    context.lineCap = "round";
    haloed(context, theme, [4, 0.8], 1.5, css(theme.text, clear));
    if (small) continue;
    const away = 1 + 10 / Math.max(Math.hypot(u, v2), 9);
    const place2 = [names[axis], x + away * u, y + away * v2];
    context.lineWidth = 3.5;
    context.strokeStyle = css(theme.halo, 0.85);
    context.strokeText(...place2);
    context.fillStyle = css(theme.text, clear);
    context.fillText(...place2);
  }
}

// js/hands/aim.js
var BEHIND = 3;
function spaceTarget({ xy, index }, i) {
  return { x: xy[2 * i], y: xy[2 * i + 1], index: index[i], point: i, snapped: true };
}
function aimAt(px, py, { scene, view, box, labels }, reach) {
  const { space, points } = scene;
  const { near: near2 } = space;
  const labelled = new Set(labels.map((label2) => label2.index));
  const mark = markRadius(points.count, box);
  let best = Infinity;
  let found = -1;
  for (let i = 0; i < points.count; i++) {
    const [u, v2] = view.toPixel(points.xy[2 * i], points.xy[2 * i + 1], box);
    const d = Math.hypot(u - px, v2 - py);
    const ease = labelled.has(points.index[i]) ? 2 : 1;
    if (d > reach) continue;
    const covers2 = d <= mark * space.scale(near2[i]) * ease;
    const rank = covers2 ? -near2[i] : d * (1 + BEHIND * (1 - near2[i])) / ease;
    if (rank < best) [best, found] = [rank, i];
  }
  if (found >= 0) return spaceTarget(points, found);
  const [x, y] = view.toPlane(px, py, box);
  return { x, y, index: -1, point: -1, snapped: false };
}
function nextFrom(from, dx, dy, { space, points }) {
  const { near: near2, radius } = space;
  const depth = from.point >= 0 ? near2[from.point] : 1;
  let best = Infinity;
  let found = -1;
  for (let i = 0; i < points.count; i++) {
    const [x, y] = [points.xy[2 * i] - from.x, points.xy[2 * i + 1] - from.y];
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy - y * dx);
    if (ahead <= 1e-9 * radius || aside > ahead) continue;
    const way = ahead + 2 * aside + 2 * radius * Math.abs(near2[i] - depth);
    if (way < best) [best, found] = [way, i];
  }
  return found < 0 ? null : spaceTarget(points, found);
}

// js/panels/alone.js
var alone_exports = {};
__export(alone_exports, {
  openPage: () => openPage
});

// js/numbers/labels.js
var labels_exports = {};
__export(labels_exports, {
  anySeveral: () => anySeveral,
  candidatesOf: () => candidatesOf,
  findLabel: () => findLabel,
  fromRow: () => fromRow,
  history: () => history,
  historyAt: () => historyAt,
  keepHistory: () => keepHistory,
  labelKey: () => labelKey,
  labelMany: () => labelMany,
  labelsAt: () => labelsAt,
  recall: () => recall,
  record: () => record,
  redo: () => redo,
  remove: () => remove,
  rounded: () => rounded,
  sameClasses: () => sameClasses,
  sameLabels: () => sameLabels,
  samePlace: () => samePlace,
  toRow: () => toRow,
  toggle: () => toggle,
  toggleCandidate: () => toggleCandidate,
  undo: () => undo
});
var DEPTH = 200;
var DIGITS = contract_default.labels.digits;
var SAME = 1e-5;
function rounded(x) {
  return Number(x.toPrecision(DIGITS));
}
function toRow({ x, y, index, code, others }) {
  return [x, y, index, code, ...others ?? []];
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
  return near(a.x, b2.x) && near(a.y, b2.y);
}
function near(a, b2) {
  return Math.abs(a - b2) <= SAME * Math.max(Math.abs(a), Math.abs(b2));
}
function sameLabels(a, b2) {
  if (a === b2) return true;
  if (a.length !== b2.length) return false;
  return a.every((p, j) => sameClasses(p, b2[j]) && samePlace(p, b2[j]));
}
function sameClasses(a, b2) {
  return candidatesOf(a).join() === candidatesOf(b2).join();
}
function findLabel(labels, target) {
  return labels.findIndex((label2) => samePlace(label2, target));
}
function toggle(labels, target, code) {
  const at = findLabel(labels, target);
  if (at < 0) return { labels: [...labels, placed(target, code)], did: "labelled" };
  if (labels[at].code === code) return remove(labels, target);
  const changed = { ...labels[at], code, others: [] };
  return { labels: labels.map((p, j) => j === at ? changed : p), did: "changed" };
}
function toggleCandidate(labels, target, code) {
  const at = findLabel(labels, target);
  if (at < 0) return toggle(labels, target, code);
  const known = candidatesOf(labels[at]);
  if (known.length === 1 && known[0] === code) return remove(labels, target);
  const had = known.includes(code);
  const [first, ...others] = had ? known.filter((c) => c !== code) : [...known, code];
  const changed = { ...labels[at], code: first, others: others.sort((a, b2) => a - b2) };
  const did = had ? "took a candidate from" : "added a candidate to";
  return { labels: labels.map((p, j) => j === at ? changed : p), did };
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
  const place2 = index >= 0 ? { x, y, index } : { x: rounded(x), y: rounded(y), index: -1 };
  return { ...place2, code, others: [] };
}
function remove(labels, target) {
  const at = findLabel(labels, target);
  if (at < 0) return { labels, did: "nothing" };
  return { labels: labels.filter((_2, j) => j !== at), did: "removed" };
}
function history(labels) {
  return { past: [], present: labels, future: [] };
}
var kept = /* @__PURE__ */ new Map();
var MOST_KEPT = 20;
function keepHistory(name, stack) {
  kept.delete(name);
  kept.set(name, stack);
  while (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
}
function recall(name, labels) {
  const stack = kept.get(name);
  return stack && sameLabels(stack.present, labels) ? { ...stack, present: labels } : history(labels);
}
function record(stack, labels) {
  if (sameLabels(stack.present, labels)) return { ...stack, present: labels };
  return { past: [...stack.past, stack.present].slice(-DEPTH), present: labels, future: [] };
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
function undo(stack) {
  if (!stack.past.length) return stack;
  return {
    past: stack.past.slice(0, -1),
    present: stack.past.at(-1),
    future: [stack.present, ...stack.future]
  };
}
function redo(stack) {
  if (!stack.future.length) return stack;
  const [present, ...future] = stack.future;
  return { past: [...stack.past, stack.present], present, future };
}

// js/panels/curve.js
var curve_exports = {};
__export(curve_exports, {
  CurveStage: () => CurveStage
});

// js/channel/python.js
var STATE = "data-test-script-state";
var BUSY2 = ["running", "rerunRequested"];
function application() {
  return document.querySelector('[data-testid="stApp"]');
}
function isBusy(app = application()) {
  return BUSY2.includes(app?.getAttribute(STATE));
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
function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}
function icon(path, { fill: fill2 = "none", stroke = "currentColor" } = {}) {
  const line = { stroke, "stroke-width": 1.5, "stroke-linejoin": "round", "stroke-linecap": "round" };
  const shape = svg("path", { d: path, fill: fill2, ...line });
  return svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, shape);
}
function tool(path, label2, onclick, more = {}) {
  const names = { type: "button", title: label2, "aria-label": label2 };
  return element("button.tool", { ...names, onclick, ...more }, icon(path));
}
function show(node, visible) {
  node.style.display = visible ? "" : "none";
}
function check(nodes, chosen) {
  [...nodes].forEach((node, i) => node.setAttribute("aria-checked", String(i === chosen)));
}
function zoomKey() {
  return /Mac|iP(hone|ad)/.test(navigator.platform) ? "⌘" : "Ctrl";
}
function wayBack() {
  const twice = matchMedia("(pointer: coarse)").matches ? "double tap" : "double click";
  return `${twice}: whole picture`;
}
function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
function fit(canvas, width, height, ratio) {
  const w = Math.max(1, Math.round(width * ratio));
  const h = Math.max(1, Math.round(height * ratio));
  if (canvas.width === w && canvas.height === h) return false;
  canvas.width = w;
  canvas.height = h;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  return true;
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
  get busy() {
    return isBusy(this.app);
  }
  follow() {
    if (this.busy) this.start();
    else if (!this.task) this.stop();
  }
  // A question asked while Python is still busy with the last one: its state will not change.
  asked() {
    if (this.busy) this.start();
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
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const seconds = (performance.now() - this.since) / 1e3;
    const expected = this.task ? this.task.seconds : this.expected;
    const about = expected === null ? "" : ` of about ${rounded2(expected)} s`;
    const now = calm || seconds > 10 ? Math.floor(seconds) : seconds.toFixed(1);
    setText(this.said, `${this.task?.words || "computing"}… ${now} s${about}`);
    this.cancel.hidden = !(this.task && seconds > CANCEL);
    this.node.classList.add("on");
    this.plots.setAttribute("aria-busy", "true");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.count(), calm ? 1e3 : 100);
  }
};
function rounded2(seconds) {
  return seconds < 1 ? Math.max(seconds, 0.1).toFixed(1) : String(Math.round(seconds));
}

// js/numbers/view.js
var view_exports = {};
__export(view_exports, {
  View: () => View,
  short: () => short,
  snapped: () => snapped,
  ticks: () => ticks
});
var CLOSEST = 200;
var FARTHEST = 0.5;
var SEEN = 0.6;
var ZERO = contract_default.labels.zero;
var kept2 = /* @__PURE__ */ new Map();
var View = class {
  constructor(name, base) {
    Object.assign(this, { name, base, zoom: 1, centre: middleOf(base) });
    const saved = kept2.get(name);
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
    return this.snap(
      x0 + (px - box.x) / box.w * (x1 - x0),
      y1 - (py - box.y) / box.h * (y1 - y0)
    );
  }
  // A place whose coordinates are 0 where they are next to nothing beside the whole view.
  snap(x, y) {
    return [snapped(x, 2 * this.half[0]), snapped(y, 2 * this.half[1])];
  }
  // Zoom by a factor and keep the point of the plane (x, y) where it is on screen.
  zoomAt(factor, x = this.centre[0], y = this.centre[1]) {
    const zoom = Math.min(Math.max(this.zoom * factor, FARTHEST), CLOSEST);
    const keep2 = this.zoom / zoom;
    this.centre = [x + (this.centre[0] - x) * keep2, y + (this.centre[1] - y) * keep2];
    this.zoom = zoom;
    this.limit();
    this.save();
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
    this.zoom = Math.min(Math.max(zoom, FARTHEST), CLOSEST);
    this.centre = [x, y];
    this.limit();
    this.save();
  }
  reset() {
    this.centre = middleOf(this.base);
    this.zoom = 1;
    this.save();
  }
  save() {
    kept2.set(this.name, { base: this.base, centre: this.centre, zoom: this.zoom });
  }
};
function middleOf([x0, x1, y0, y1]) {
  return [(x0 + x1) / 2, (y0 + y1) / 2];
}
function same(a, b2) {
  return a.every((v2, i) => v2 === b2[i]);
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
function roundValues(lo, hi, step2) {
  const out = [];
  for (let k = Math.ceil(lo / step2); k * step2 <= hi + 1e-9 * step2; k++) out.push(k * step2);
  return { values: out, digits: Math.max(0, -Math.floor(Math.log10(step2) + 1e-9)) };
}
function short(value, digits2 = 3) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  let text;
  if (value === 0) text = "0";
  else if (size >= 1e-3 && size < 1e5) text = String(Number(value.toPrecision(digits2)));
  else {
    const power = Math.floor(Math.log10(size));
    text = `${Number((value / 10 ** power).toPrecision(Math.max(digits2 - 1, 1)))}e${power}`;
  }
  return text.replaceAll("-", "−");
}

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
  layout(width, height, range2, { log: log2 = [false, false], names = ["", ""], top = TOP } = {}) {
    Object.assign(this, { width, height, names });
    this.log = log2;
    this.range = [0, 1, 2, 3].map((i) => log2[i >> 1] ? Math.log10(range2[i]) : range2[i]);
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
      const { values, digits: digits2 } = ticks(lo, hi, count);
      return values.map((at) => ({ at, text: at.toFixed(digits2).replace("-", "−") }));
    }
    const stride = Math.max(1, Math.ceil((hi - lo) / count));
    const decades2 = [];
    for (let k = Math.ceil(lo); k <= hi; k += stride) decades2.push(k);
    if (decades2.length > 1) return decades2.map((at) => ({ at, text: short(10 ** at) }));
    return [lo, (lo + hi) / 2, hi].map((at) => ({ at, text: short(10 ** at, 2) }));
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
    const room2 = x + w - LETTER * this.names[0].length - 8;
    for (const { at, text } of this.marks(0, w / 76)) {
      const px = this.place(0, at);
      if (px < x - 1 || px > room2) continue;
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
  path(xs, ys, from = 0) {
    const { y, h } = this.box;
    let text = "";
    let pen = "M";
    for (let i = 0; i < xs.length; i++) {
      const [px, py] = this.toPixel(xs[i], ys[from + i]);
      if (!Number.isFinite(px) || Number.isNaN(py)) {
        pen = "M";
        continue;
      }
      const inside = Math.min(Math.max(py, y - 2e3), y + h + 2e3);
      text += `${pen}${px.toFixed(1)} ${inside.toFixed(1)}`;
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
var curve_handles_exports = {};
__export(curve_handles_exports, {
  HandlesView: () => HandlesView,
  movedTo: () => movedTo,
  numbers: () => numbers,
  respond: () => respond,
  turnedTo: () => turnedTo
});
var ARM = [30, 44];
var REACH = 18;
var MOST = contract_default.changes.curve.handles.size;
var KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
var clamp = (value, low, high) => Math.min(Math.max(value, low), high);
function numbers(handles) {
  return [...handles.map((h) => h.value), ...handles.map((h) => h.slope ?? 0)];
}
function respond({ shape, data }, given) {
  const [rows, columns] = shape;
  const out = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    let sum = 0;
    for (let j = 0; j < columns; j++) sum += data[i * columns + j] * given[j];
    out[i] = sum;
  }
  return out;
}
function movedTo(handle, x, value) {
  return { ...handle, x: clamp(x, 0, 1), value: clamp(value, -MOST, MOST) };
}
function turnedTo(handle, slope) {
  return { ...handle, slope: clamp(slope, -MOST, MOST) };
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
    while (this.nodes.length > handles.length) this.nodes.pop().group.remove();
    while (this.nodes.length < handles.length) this.add(this.nodes.length);
    handles.forEach((handle, i) => this.place(i, handle, i === selected));
  }
  add(i) {
    const knob = (cls) => svg(
      "g",
      { class: cls, role: "slider", tabindex: 0 },
      svg("circle", { r: REACH, class: "reach" }),
      svg("circle", { r: 8, class: "bead" })
    );
    const parts = { point: knob("point"), left: knob("turn"), right: knob("turn") };
    parts.arm = svg("line", { class: "arm" });
    parts.group = svg("g", { class: "handle" }, parts.arm, parts.left, parts.right, parts.point);
    parts.left.setAttribute("tabindex", -1);
    parts.left.setAttribute("aria-hidden", true);
    for (const [what, node] of Object.entries({ point: parts.point, turn: parts.left })) {
      this.listen(node, i, what);
    }
    this.listen(parts.right, i, "turn");
    this.nodes.push(parts);
    this.group.append(parts.group);
  }
  listen(node, i, what) {
    let grip = null;
    const local = (event) => {
      const frame = this.chart.node.getBoundingClientRect();
      return [event.clientX - frame.left, event.clientY - frame.top];
    };
    node.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      event.preventDefault();
      node.setPointerCapture(event.pointerId);
      node.focus({ preventScroll: true });
      const { x, value } = this.handles[i];
      const [px, py] = local(event);
      const [cx, cy] = this.chart.toPixel(x, value);
      grip = what === "point" ? [cx - px, cy - py, px] : [cx, cy, Math.sign(px - cx) || 1];
      this.acts.select(i);
    });
    const drag = (event, done) => {
      if (!grip) return;
      const [px, py] = local(event);
      if (what === "point") this.slide(i, px, py, grip, done);
      else this.turn(i, px, py, grip, done);
      if (done) grip = null;
    };
    node.addEventListener("pointermove", (event) => drag(event, false));
    node.addEventListener("pointerup", (event) => drag(event, true));
    node.addEventListener("pointercancel", () => {
      if (grip) this.acts.move(i, this.handles[i], true);
      grip = null;
    });
    node.addEventListener("focus", () => this.acts.select(i));
    node.addEventListener("keydown", (event) => this.press(event, i, what));
  }
  // Straight up and down keeps the input: a hand that wavers by a few pixels does not move it.
  slide(i, px, py, grip, done) {
    const sideways = Math.abs(px - grip[2]) > 6 || grip.free;
    grip.free = sideways;
    const [x, value] = this.chart.toPlane(px + grip[0], py + grip[1]);
    const handle = this.handles[i];
    this.acts.move(i, movedTo(handle, sideways ? x : handle.x, value), done);
  }
  turn(i, px, py, [cx, cy, side], done) {
    const dx = side * Math.max(side * (px - cx), 3);
    const [x0, y0] = this.chart.toPlane(cx, cy);
    const [x1, y1] = this.chart.toPlane(cx + dx, py);
    this.acts.move(i, turnedTo(this.handles[i], (y1 - y0) / (x1 - x0)), done);
  }
  press(event, i, what) {
    if (event.key === "Delete" || event.key === "Backspace") this.acts.remove(i);
    else if (KEYS[event.key]) {
      const [dx, dy] = KEYS[event.key];
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
    const { group, point, left: left2, right, arm } = this.nodes[i];
    const [cx, cy] = this.chart.toPixel(x, value);
    group.classList.toggle("selected", selected);
    set(point, {
      transform: `translate(${cx.toFixed(1)} ${cy.toFixed(1)})`,
      "aria-label": `Point ${i + 1}`,
      "aria-valuenow": value,
      "aria-valuemin": -MOST,
      "aria-valuemax": MOST,
      "aria-valuetext": `x ${short(x)}, value ${short(value)}`
    });
    const given = slope !== null && slope !== void 0;
    for (const node of [left2, right, arm]) node.style.display = given ? "" : "none";
    if (!given) return;
    const [ux, uy] = this.chart.toPixel(x + 1, value + slope);
    const length = Math.hypot(ux - cx, uy - cy) || 1;
    const reach = Math.min(Math.max(0.06 * this.chart.width, ARM[0]), ARM[1]);
    const [dx, dy] = [(ux - cx) / length * reach, (uy - cy) / length * reach];
    set(arm, { x1: cx - dx, y1: cy - dy, x2: cx + dx, y2: cy + dy });
    left2.setAttribute("transform", `translate(${(cx - dx).toFixed(1)} ${(cy - dy).toFixed(1)})`);
    set(right, {
      transform: `translate(${(cx + dx).toFixed(1)} ${(cy + dy).toFixed(1)})`,
      "aria-label": `Slope of point ${i + 1}`,
      "aria-valuenow": slope,
      "aria-valuemin": -MOST,
      "aria-valuemax": MOST,
      "aria-valuetext": `slope ${short(slope)}`
    });
  }
};

// js/panels/curve_path.js
var LINE = 15;
var LETTER2 = 6.9;
var ROWS = 3;
var PathView = class {
  // acts: {step(k, done), choose(name)}; head: where the numbers stand.
  constructor(acts, head) {
    this.acts = acts;
    this.chart = new Chart("Numbers along the path");
    this.menu = element("select.filter", {
      "aria-label": "Regularisation",
      title: "Whose path is shown",
      onchange: () => acts.choose(this.menu.value)
    });
    this.slider = element("input.slide.steps", {
      type: "range",
      min: 0,
      step: 1,
      title: "Move along the path; the browser holds all its curves",
      oninput: () => acts.step(Number(this.slider.value), false),
      onchange: () => acts.step(Number(this.slider.value), true)
    });
    this.chips = element("div.group.chips");
    this.tools = element("div.toolbar", {}, this.menu, this.slider, head, this.chips);
    this.legend = element("div.legend");
    this.node = element("div.along", {}, this.chart.node, this.legend);
    this.listen();
  }
  listen() {
    const { node } = this.chart;
    const at = (event, done) => this.pick(event.clientX - node.getBoundingClientRect().left, done);
    node.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      node.setPointerCapture(event.pointerId);
      this.held = true;
      at(event, false);
    });
    node.addEventListener("pointermove", (event) => this.held && at(event, false));
    node.addEventListener("pointerup", (event) => {
      if (this.held) at(event, true);
      this.held = false;
    });
    node.addEventListener("pointercancel", () => {
      if (this.held) this.acts.step(Number(this.slider.value), true);
      this.held = false;
    });
  }
  // The step nearest to a place in the chart.
  pick(px, done) {
    const places = this.at.map((x) => Math.abs(this.chart.toPixel(x, 1)[0] - px));
    this.acts.step(places.indexOf(Math.min(...places)), done);
  }
  adopt(paths) {
    this.menu.replaceChildren(
      ...paths.map(({ name, title }) => element("option", { value: name }, title))
    );
    this.menu.hidden = paths.length < 2;
  }
  show(path) {
    if (path === this.path) return;
    this.path = path;
    this.menu.value = path.name;
    this.slider.max = path.positions.length - 1;
    this.slider.setAttribute("aria-label", `Position on the path, ${path.symbol}`);
    const chip = ({ title, step: step2 }) => element(
      "button.swatch",
      {
        title: `Go to where “${title}” stops`,
        onclick: () => this.acts.step(step2, true)
      },
      `${title}: ${short(path.positions[step2])}`
    );
    this.chips.replaceChildren(...path.marks.map(chip));
    const key = ({ title, dashed }, i) => element("span.key", {}, sample(i, dashed), title);
    this.legend.replaceChildren(...path.series.map(key));
  }
  // Positions as the axis has them: a logarithmic axis has no 0.
  get at() {
    const { positions, log: log2 } = this.path;
    const least = Math.min(...positions.filter((v2) => v2 > 0));
    return log2 ? positions.map((v2) => Math.max(v2, least)) : positions;
  }
  layout(width, height) {
    const { path, at } = this;
    const values = path.series.flatMap(({ values: values2 }) => Array.from(values2.data));
    const positive = values.filter((v2) => v2 > 0 && Number.isFinite(v2));
    const high = Math.max(...positive, 1e-12);
    const low = Math.max(Math.min(...positive, high), high * 1e-8);
    const ends = [Math.min(...at), Math.max(...at)];
    if (ends[0] === ends[1]) ends[1] = path.log ? 10 * ends[0] : ends[0] + 1;
    const groups = grouped(path.marks);
    this.chart.layout(width, height, [...ends, low / 1.4, high * 1.4], {
      log: [path.log, true],
      names: [path.symbol, "size"],
      top: 8 + LINE * (groups.length ? Math.min(groups.length, ROWS) : 0)
    });
    const lines = path.series.map(
      ({ values: values2, dashed }, i) => svg("path", {
        d: this.chart.path(at, values2.data),
        class: look(i, dashed)
      })
    );
    this.chart.lines.replaceChildren(...lines, ...this.flags(groups));
  }
  // A line and a name for each place where a rule stops; names that would touch go a row lower.
  flags(groups) {
    const { box } = this.chart;
    const ends = Array(ROWS).fill(-Infinity);
    return groups.flatMap(({ step: step2, titles }) => {
      const px = this.chart.toPixel(this.at[step2], 1)[0];
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
  words(step2) {
    const { path } = this;
    const parts = path.series.filter(({ dashed }) => !dashed).map(({ title, values }) => `${title.toLowerCase()} ${short(values.data[step2])}`);
    return [`${path.symbol} = ${short(path.positions[step2])}`, ...parts].join(" · ");
  }
  draw(step2) {
    const { chart, path } = this;
    const { box } = chart;
    const x = this.at[step2];
    const px = chart.toPixel(x, 1)[0];
    const dots = path.series.map(({ values, dashed }, i) => {
      if (dashed) return "";
      const [cx, cy] = chart.toPixel(x, values.data[step2]);
      return Number.isFinite(cy) && cy >= box.y && cy <= box.y + box.h ? svg("circle", { cx, cy, r: 4, class: `dot s${i}` }) : "";
    });
    const line = svg("line", { x1: px, x2: px, y1: box.y, y2: box.y + box.h, class: "now" });
    chart.over.replaceChildren(line, ...dots);
    this.slider.value = step2;
    this.slider.setAttribute("aria-valuetext", this.words(step2));
    for (const [i, chip] of [...this.chips.children].entries()) {
      chip.classList.toggle("at", path.marks[i].step === step2);
    }
  }
};
function look(i, dashed) {
  return `series s${i}${dashed ? " dashed" : ""}`;
}
function sample(i, dashed) {
  const line = svg("path", { d: "M0 5h28", class: look(i, dashed) });
  return svg("svg", { width: 28, height: 10, class: "chart", "aria-hidden": true }, line);
}
function grouped(marks) {
  const groups = /* @__PURE__ */ new Map();
  for (const { step: step2, title } of marks) groups.set(step2, [...groups.get(step2) ?? [], title]);
  return [...groups].sort(([a], [b2]) => a - b2).map(([step2, titles]) => ({ step: step2, titles }));
}

// js/paint/snapshot.js
var snapshot_exports = {};
__export(snapshot_exports, {
  pictureOf: () => pictureOf,
  rasterised: () => rasterised
});

// js/panels/layout.js
var layout_exports = {};
__export(layout_exports, {
  AXIS: () => AXIS,
  GAP: () => GAP,
  NARROW: () => NARROW,
  arrange: () => arrange,
  detail: () => detail,
  framed: () => framed
});
var PANELS = contract_default.panels;
var GAP = 14;
var LEAST = { few: 150, many: 104, pinned: 200 };
var AXIS = 34;
var NARROW = 560;
function arrange(wishes) {
  const { width, wish, height, aspect, available, swiped = false, bare = false } = wishes;
  const { head = 44, room: room2 = AXIS, type = contract_default.type.least } = wishes;
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
  const most = (above) => height || Math.max(free - above, LEAST[kind]);
  const place2 = framed({ outer: outer2, most, aspect, axes: !bare && !many && outer2 >= 200, room: room2, type });
  return { columns, gap: GAP, ...place2 };
}
function framed({ outer: outer2, most, aspect, axes, room: room2, type }) {
  const margin = axes ? { left: room2, right: 8, top: 1, bottom: type + 10 } : { left: 1, right: 1, top: 1, bottom: 1 };
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
  const most = moving ? count > 3 ? 96 : 192 : still;
  const scale = Math.min(1, most / Math.max(box.w * ratio, box.h * ratio));
  return [
    Math.max(2, Math.round(box.w * ratio * scale)),
    Math.max(2, Math.round(box.h * ratio * scale))
  ];
}

// js/paint/axes.js
var [TURNED, MOST2, LINE2] = [1.25, 5.4, 1.5];
function axisRoom(context, view, box, theme, name) {
  const { type } = theme;
  context.font = `${type}px ${theme.font}`;
  const [, , y0, y1] = view.range;
  const { values, digits: digits2 } = ticks(y0, y1, box.h / (5 * type), box.h / (LINE2 * type));
  const widths = values.map((value) => context.measureText(tick(value, digits2)).width);
  const turned = turns(context, name) ? TURNED * type : 0;
  return Math.ceil(
    Math.min(Math.max(Math.max(0, ...widths) + 9, AXIS - turned / 2) + turned, MOST2 * type)
  );
}
function turns(context, name) {
  return context.measureText(name).width > AXIS - 8;
}
function drawAxes(context, view, box, theme, names) {
  context.strokeStyle = css(theme.text, 0.22);
  context.lineWidth = 1;
  context.strokeRect(box.x - 0.5, box.y - 0.5, box.w + 1, box.h + 1);
  if (!names) return;
  context.font = `${theme.type}px ${theme.font}`;
  context.fillStyle = css(theme.text, 0.7);
  context.beginPath();
  drawAcross(context, view, box, names[0], theme.type);
  drawUp(context, view, box, names[1], theme.type);
  context.stroke();
  context.fillStyle = css(theme.text, 0.8);
  nameAxes(context, box, names);
}
function drawAcross(context, view, box, name, type) {
  const [x0, x1] = view.range;
  const place2 = (value) => view.toPixel(value, 0, box)[0];
  const end = box.x + box.w - Math.min(context.measureText(name).width, 0.6 * box.w) - 10;
  const clear = (value) => place2(value) > box.x + 6 && place2(value) < end;
  const { values, digits: digits2 } = ticks(x0, x1, box.w / (4 * type), box.w / (3 * type), clear);
  context.textAlign = "center";
  context.textBaseline = "top";
  for (const value of values) {
    const x = place2(value);
    context.moveTo(x, box.y + box.h + 1);
    context.lineTo(x, box.y + box.h + 4);
    if (clear(value)) context.fillText(tick(value, digits2), x, box.y + box.h + 6);
  }
}
function drawUp(context, view, box, name, type) {
  const [, , y0, y1] = view.range;
  const turned = turns(context, name);
  const place2 = (value) => view.toPixel(0, value, box)[1];
  const top = box.y + (turned ? 4 : type + 5);
  const clear = (value) => place2(value) > top && place2(value) < box.y + box.h - 4;
  const { values, digits: digits2 } = ticks(y0, y1, box.h / (5 * type), box.h / (LINE2 * type), clear);
  context.textAlign = "right";
  context.textBaseline = "middle";
  const room2 = box.x - 8 - (turned ? TURNED * type : 0);
  for (const value of values) {
    const y = place2(value);
    context.moveTo(box.x - 4, y);
    context.lineTo(box.x - 1, y);
    if (clear(value)) context.fillText(tick(value, digits2), box.x - 6, y, room2);
  }
}
function nameAxes(context, box, [across, up]) {
  context.textAlign = "right";
  context.textBaseline = "top";
  context.fillText(across, box.x + box.w, box.y + box.h + 6, 0.6 * box.w);
  if (!turns(context, up)) {
    context.fillText(up, box.x - 6, box.y);
    return;
  }
  context.save();
  context.translate(2, box.y);
  context.rotate(-Math.PI / 2);
  context.fillText(up, 0, 0, box.h);
  context.restore();
}
function tick(value, digits2) {
  const text = Math.abs(value) >= 1e5 ? value.toExponential(0) : value.toFixed(digits2);
  return (Number(text) === 0 ? 0 .toFixed(digits2) : text).replaceAll("-", "−");
}

// js/numbers/near.js
var near_exports = {};
__export(near_exports, {
  drawCover: () => drawCover,
  farAt: () => farAt,
  insideOf: () => insideOf,
  within: () => within
});
var { cover: COVER } = contract_default.near;
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
  const node = ([low, high, n], v2) => Math.min(Math.max(Math.round((v2 - low) / (high - low) * (n - 1)), 0), n - 1);
  return grid.near.data[node(grid.y, y) * grid.x[2] + node(grid.x, x)] < FAR;
}
function within(field, k, inside) {
  if (!inside) return field;
  const n = field.length / k;
  const m = inside.length;
  const out = new field.constructor(k * m);
  for (let o = 0; o < k; o++)
    for (let i = 0; i < m; i++) out[o * m + i] = field[o * n + inside[i]];
  return out;
}
function drawCover(context, grid, region, theme) {
  if (!insideOf(grid)) return;
  const { x, y, near: near2 } = grid;
  const [nx, ny] = [x[2], y[2]];
  const picture = document.createElement("canvas");
  [picture.width, picture.height] = [nx, ny];
  const pen = picture.getContext("2d");
  const image = pen.createImageData(nx, ny);
  const [r, g, b2] = theme.middle.map(Math.round);
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const alpha = Math.round(COVER * (255 - near2.data[j * nx + i]));
      image.data.set([r, g, b2, alpha], 4 * ((ny - 1 - j) * nx + i));
    }
  }
  pen.putImageData(image, 0, 0);
  const [w, h] = [region.w / (nx - 1), region.h / (ny - 1)];
  context.imageSmoothingEnabled = true;
  context.drawImage(picture, region.x - w / 2, region.y - h / 2, nx * w, ny * h);
}

// js/paint/region.js
var STEP = 7;
function regionOf(grid, view, box) {
  const [left2, low] = view.toPixel(grid.x[0], grid.y[0], box);
  const [right, high] = view.toPixel(grid.x[1], grid.y[1], box);
  return { x: left2, y: high, w: right - left2, h: low - high };
}
function clipTo(context, { x, y, w, h }) {
  context.beginPath();
  context.rect(x, y, w, h);
  context.clip();
}
function drawBeyond(context, region, box, theme) {
  if (covers(region, box)) return;
  context.save();
  context.beginPath();
  context.rect(box.x, box.y, box.w, box.h);
  context.rect(region.x, region.y, region.w, region.h);
  context.clip("evenodd");
  context.beginPath();
  for (let t = -box.h; t < box.w; t += STEP) {
    context.moveTo(box.x + t, box.y + box.h);
    context.lineTo(box.x + t + box.h, box.y);
  }
  context.lineWidth = 1;
  context.strokeStyle = css(theme.text, 0.13);
  context.stroke();
  context.restore();
  context.lineWidth = 1;
  context.strokeStyle = css(theme.text, 0.4);
  context.strokeRect(region.x, region.y, region.w, region.h);
}
function covers(region, box) {
  return region.x <= box.x + 0.5 && region.y <= box.y + 0.5 && region.x + region.w >= box.x + box.w - 0.5 && region.y + region.h >= box.y + box.h - 0.5;
}

// js/paint/layers.js
var Layers = class {
  constructor() {
    this.made = /* @__PURE__ */ new Map();
  }
  dots(stage) {
    const { scene, view, box, theme } = stage;
    return this.layer(
      "dots",
      scene.points,
      stage,
      (context) => drawDots(context, scene.points, view, box, theme)
    );
  }
  cover(stage) {
    return this.layer("cover", stage.scene.grid, stage, (context) => paintCover(context, stage));
  }
  // A canvas as large as a panel's, drawn anew where its content, size, zoom or theme changed.
  layer(name, content, { theme, view, size, box, ratio }, draw3) {
    const tag = [theme.id, size.width, size.height, box.x, box.w, box.h, ratio, ...view.range];
    const key = tag.join();
    const known = this.made.get(name) ?? { canvas: document.createElement("canvas") };
    if (known.key === key && known.content === content) return known.canvas;
    this.made.set(name, Object.assign(known, { key, content }));
    fit(known.canvas, size.width, size.height, ratio);
    const context = known.canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    context.save();
    draw3(context);
    context.restore();
    return known.canvas;
  }
};
function paintCover(context, { scene, view, box, theme }) {
  const region = regionOf(scene.grid, view, box);
  context.save();
  clipTo(context, box);
  clipTo(context, region);
  drawCover(context, scene.grid, region, theme);
  context.restore();
}

// js/hands/interact.js
var NEAR = 12;
var FINGER = 20;
var STILL = 4;
var TWICE = 350;
function targetAt(px, py, lens, reach = NEAR) {
  const { scene, view, box, labels } = lens;
  if (scene.space) return aimAt(px, py, lens, reach);
  let best = reach * reach;
  let nearest = null;
  const consider = (x2, y2, make, bonus) => {
    const [u, v2] = view.toPixel(x2, y2, box);
    const d = (u - px) ** 2 + (v2 - py) ** 2;
    if (d * bonus < best) {
      best = d * bonus;
      nearest = make();
    }
  };
  const { xy, index, count } = scene.points;
  for (let i = 0; i < count; i++) {
    consider(xy[2 * i], xy[2 * i + 1], () => pointTarget(scene, i), 1);
  }
  for (const label2 of labels) {
    const point = scene.points.position.get(label2.index) ?? -1;
    consider(
      label2.x,
      label2.y,
      () => ({ x: label2.x, y: label2.y, index: label2.index, point, snapped: true }),
      0.5
    );
  }
  if (nearest) return nearest;
  const [x, y] = view.toPlane(px, py, box);
  return { x, y, index: -1, point: -1, snapped: false };
}
function pointTarget(scene, i) {
  const { xy, index } = scene.points;
  return { x: xy[2 * i], y: xy[2 * i + 1], index: index[i], point: i, snapped: true };
}
function neighbour(from, dx, dy, { scene, labels }) {
  if (scene.space) return nextFrom(from, dx, dy, scene);
  let best = Infinity;
  let nearest = null;
  const consider = (x, y, make) => {
    const ahead = (x - from.x) * dx + (y - from.y) * dy;
    const aside = Math.abs((x - from.x) * dy - (y - from.y) * dx);
    if (ahead <= 1e-12 || aside > ahead) return;
    if (ahead + 2 * aside < best) {
      best = ahead + 2 * aside;
      nearest = make();
    }
  };
  for (let i = 0; i < scene.points.count; i++) {
    consider(scene.points.xy[2 * i], scene.points.xy[2 * i + 1], () => pointTarget(scene, i));
  }
  for (const label2 of labels) {
    if (label2.index >= 0) continue;
    consider(label2.x, label2.y, () => ({
      x: label2.x,
      y: label2.y,
      index: -1,
      point: -1,
      snapped: true
    }));
  }
  return nearest;
}
function listen(plot, panel, hand) {
  const place2 = (event) => {
    const frame = plot.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  let down = null;
  let last = null;
  plot.addEventListener("pointermove", (event) => {
    const [x, y] = place2(event);
    if (down && (event.pointerType === "mouse" || hand.turns)) {
      if (!down.moved && Math.hypot(x - down.x, y - down.y) > STILL) {
        if (event.pointerType === "touch" && Math.abs(y - down.y) > Math.abs(x - down.x)) {
          down = null;
          return;
        }
        down.moved = true;
        plot.setPointerCapture(event.pointerId);
      }
      if (down.moved) {
        hand.drag(x - down.at[0], y - down.at[1]);
        down.at = [x, y];
        return;
      }
    }
    if (event.pointerType === "mouse" || event.pointerType === "pen") hand.hover(panel, x, y);
  });
  plot.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch") hand.leave();
  });
  plot.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    const [x, y] = place2(event);
    down = { x, y, at: [x, y], moved: false };
  });
  plot.addEventListener("pointercancel", () => down = null);
  plot.addEventListener("pointerup", (event) => {
    const press = down;
    down = null;
    if (!press || press.moved || event.button !== 0) return;
    const [x, y] = place2(event);
    if (Math.hypot(x - press.x, y - press.y) > 2 * STILL) return;
    const reach = event.pointerType === "touch" ? FINGER : NEAR;
    const soon = last && event.timeStamp - last.time < TWICE && Math.hypot(x - last.x, y - last.y) < 8;
    last = soon ? null : { x, y, time: event.timeStamp };
    hand.press(panel, x, y, reach, Boolean(soon), event.shiftKey);
  });
  plot.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) {
        hand.hint();
        return;
      }
      event.preventDefault();
      const step2 = event.deltaMode === 1 ? 16 * event.deltaY : event.deltaY;
      hand.zoomAt(Math.exp(-Math.min(Math.max(step2, -120), 120) * 4e-3), ...place2(event));
    },
    { passive: false }
  );
  listenTouch(plot, place2, hand, () => down = null);
}
function listenTouch(plot, place2, hand, cancel) {
  let pinch = null;
  const measure = (event) => {
    const [a, b2] = [place2(event.touches[0]), place2(event.touches[1])];
    return {
      x: (a[0] + b2[0]) / 2,
      y: (a[1] + b2[1]) / 2,
      span: Math.hypot(a[0] - b2[0], a[1] - b2[1])
    };
  };
  const start = (event) => {
    pinch = event.touches.length === 2 ? measure(event) : null;
    if (!pinch) return;
    cancel();
    event.preventDefault();
  };
  plot.addEventListener("touchstart", start, { passive: false });
  plot.addEventListener(
    "touchmove",
    (event) => {
      if (!pinch || event.touches.length !== 2) return;
      event.preventDefault();
      const now = measure(event);
      hand.pan(now.x - pinch.x, now.y - pinch.y);
      hand.zoomAt(now.span / Math.max(pinch.span, 1), now.x, now.y);
      pinch = now;
    },
    { passive: false }
  );
  plot.addEventListener("touchend", () => pinch = null);
  plot.addEventListener("touchcancel", () => pinch = null);
}
function classOfKey(key, classes) {
  const named = classes.indexOf(key);
  const place2 = key === "0" ? 9 : Number(key) - 1;
  return named >= 0 ? named : place2 < classes.length ? place2 : -1;
}
function keysOf(classes) {
  const keys = classes.map(() => "");
  for (const key of "1234567890") {
    const code = classOfKey(key, classes);
    if (code >= 0 && (!keys[code] || classes[code] === key)) keys[code] = key;
  }
  return keys;
}
var ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
function pressKey(event, stage) {
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (command) {
    if (key === "z") return event.shiftKey ? stage.redo() : stage.undo();
    return key === "y" ? stage.redo() : false;
  }
  if (event.altKey) return false;
  if (key in ARROWS && event.shiftKey && stage.hand.turns) return stage.hand.turn(...ARROWS[key]);
  if (key in ARROWS) return stage.hand.step(...ARROWS[key], event.shiftKey);
  if (key === "Enter" || key === " ") return stage.hand.label(event.shiftKey);
  if (key === "Delete" || key === "Backspace") return stage.hand.remove();
  if (key === "+" || key === "=") return stage.zoomBy(1.4);
  if (key === "-" || key === "_") return stage.zoomBy(1 / 1.4);
  if (key === "Home") return stage.zoomBy(0);
  if (key === "Escape") return stage.hand.drop();
  if (!/^\d$/.test(key)) return false;
  const code = classOfKey(key, stage.scene.classes);
  if (code >= 0) return stage.pick(code);
  return key === "0" && stage.zoomBy(0);
}

// js/paint/contours.js
var contours_exports = {};
__export(contours_exports, {
  boundaries: () => boundaries,
  cellsToPixels: () => cellsToPixels,
  signedLines: () => signedLines,
  winners: () => winners
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
var { faint_below: FAINT, nothing_below: NOTHING, least_rest: LEAST2 } = contract_default.lines;
var ALONG = 8;
var flattened = new Float32Array(0);
var canvasPath = () => new Path2D();
function signedLines(field, nx, ny, { top, size }, count, unbend, make = canvasPath) {
  maker.size([nx, ny]);
  const lines = { thin: make(), zero: make(), faint: make() };
  for (let i = 1; i <= count; i++) {
    const level = top * unbend(i / (count + 1));
    addLevel(field, nx, ny, level, () => lines.thin);
    addLevel(field, nx, ny, -level, () => lines.thin);
  }
  addZero(lines, field, nx, ny, size);
  return lines;
}
function boundaries(field, k, nx, ny, size, make = canvasPath) {
  maker.size([nx, ny]);
  const n = nx * ny;
  const first = new Float32Array(n);
  const second = new Float32Array(n);
  const winner = winners(field, k, n, first, second);
  const margin = new Float32Array(n);
  const lines = { thin: make(), zero: make(), faint: make() };
  const seen = new Uint8Array(k);
  for (let p = 0; p < n; p++) seen[winner[p]] = 1;
  for (let c = 0; c < k; c++) {
    if (!seen[c]) continue;
    const row = field.subarray(c * n, (c + 1) * n);
    for (let p = 0; p < n; p++) margin[p] = row[p] - (winner[p] === c ? second[p] : first[p]);
    addZero(lines, margin, nx, ny, size);
  }
  return lines;
}
function addZero({ zero, faint }, field, nx, ny, top) {
  const size = ([x, y]) => {
    const i = Math.min(Math.max(Math.floor(x - 0.5), 0), nx - 2);
    const at = Math.min(Math.max(Math.floor(y - 0.5), 0), ny - 2) * nx + i;
    const low = Math.max(Math.abs(field[at]), Math.abs(field[at + 1]));
    return Math.max(low, Math.abs(field[at + nx]), Math.abs(field[at + nx + 1]));
  };
  const choose2 = (ring) => {
    const sizes = smooth(ring.map((point) => Math.log(size(point) / top + 1e-300)));
    return (i) => sizes[i] > Math.log(FAINT) ? zero : sizes[i] > Math.log(NOTHING) ? faint : null;
  };
  addLevel(flatten(field, FAINT * top), nx, ny, 0, choose2, true);
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
      const rest = size > 0 ? Math.max(1 - Math.log(size / small) / lowest, LEAST2) : LEAST2;
      flattened[p] = field[p] < 0 ? -small * rest : small * rest;
    }
  }
  return flattened;
}
function winners(field, k, n, first, second) {
  const winner = new Uint8Array(n);
  for (let p = 0; p < n; p++) {
    const { code, score, other } = decodeAt(field, p, n, k);
    [winner[p], first[p], second[p]] = [code, score, other];
  }
  return winner;
}
function addLevel(field, nx, ny, level, choose2, each2 = false) {
  for (const polygon2 of maker.contour(field, level).coordinates) {
    for (const ring of polygon2) {
      const chosen = choose2(ring);
      addRing(ring, nx, ny, each2 ? chosen : () => chosen);
    }
  }
}
function addRing(ring, nx, ny, pathOf) {
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
function cellsToPixels(grid, view, box) {
  const [x0, x1, nx] = grid.x;
  const [y0, y1, ny] = grid.y;
  const [left2, low] = view.toPixel(x0, y0, box);
  const [right, high] = view.toPixel(x1, y1, box);
  const sx = (right - left2) / (nx - 1);
  const sy = (high - low) / (ny - 1);
  return new DOMMatrix([sx, 0, 0, sy, left2 - sx / 2, low - sy / 2]);
}

// js/panels/head.js
var GROW = "M9.5 3 H13 V6.5 M13 3 L9 7 M6.5 13 H3 V9.5 M3 13 L7 9";
var SHRINK = "M13 7 H9 V3 M9 7 L13.5 2.5 M3 9 H7 V13 M7 9 L2.5 13.5";
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
    const row = element("div.row", {}, this.score, this.subtitle, this.wait, this.scale);
    this.node = element("div.head", {}, element("div.row", {}, this.title, this.grow), row);
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
  // The line below the title; `part`: counted over `count` of the samples only.
  caption(subtitle, share, part, count) {
    const [what, number] = rightParts(share, part);
    setText(this.what, what);
    setText(this.share, number);
    this.score.title = part ? `Counted over the ${count} points that are drawn` : "";
    show(this.score, number);
    setText(this.subtitle, subtitle);
  }
  // The button, if there is anything to enlarge.
  follow(possible, enlarged) {
    const name = this.title.textContent;
    const label2 = enlarged ? "Show all panels (Esc)" : `Enlarge ${name || "this panel"}`;
    show(this.grow, possible || enlarged);
    if (this.grow.title === label2) return;
    set(this.grow, { title: label2, "aria-label": label2, "aria-pressed": enlarged });
    this.grow.replaceChildren(icon(enlarged ? SHRINK : GROW));
  }
  // top: end of the scale; colours: its table, known by `name`; null: no signed field is shown.
  showScale(top, name, colours) {
    show(this.scale, top !== null);
    if (top === null) return;
    setText(this.low, `−${short(top, 2)}`);
    setText(this.high, short(top, 2));
    if (this.barName === name) return;
    this.bar.style.background = gradient(colours);
    this.barName = name;
  }
};

// js/paint/raster.js
var raster_exports = {};
__export(raster_exports, {
  Raster: () => Raster,
  scaleEnd: () => scaleEnd,
  topOf: () => topOf
});
var SCALE = contract_default.scale;
var Raster = class {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.context = this.canvas.getContext("2d");
    this.image = null;
    this.line = new Float32Array(0);
  }
  resize(width, height, span) {
    if (this.image?.width !== width || this.image?.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
      this.image = this.context.createImageData(width, height);
      this.words = new Uint32Array(this.image.data.buffer);
      this.column = new Int32Array(width);
      this.share = new Float32Array(width);
    }
    if (this.line.length < span) this.line = new Float32Array(span);
  }
  // Paints the part of the grid within `range` ([x0, x1, y0, y1]) at width x height.
  // scales: {top, colours} of one signed field, or {tops, shades} of K scores.
  draw(field, k, grid, range2, width, height, scales) {
    const [x0, x1, nx] = grid.x;
    const [y0, y1, ny] = grid.y;
    this.resize(width, height, k * nx);
    const { words, column, share, line } = this;
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
      const target = words.subarray(j * width, (j + 1) * width);
      if (v2 < -0.5 || v2 > ny - 0.5) {
        target.fill(0);
        continue;
      }
      const r = Math.min(Math.max(Math.floor(v2), 0), ny - 2);
      const t = Math.min(Math.max(v2 - r, 0), 1);
      for (let c = 0; c < k; c++) {
        const low = (c * ny + r) * nx;
        for (let i = 0; i < nx; i++) {
          const a = field[low + i];
          line[c * nx + i] = a + (field[low + nx + i] - a) * t;
        }
      }
      row(target, line, column, share, width, nx, k, scales);
    }
    this.context.putImageData(this.image, 0, 0);
    return this.canvas;
  }
};
function signedRow(target, line, column, share, width, nx, k, { top, colours }) {
  const scale = STEPS / top;
  const most = 2 * STEPS;
  for (let i = 0; i < width; i++) {
    const at = column[i];
    if (at < 0) {
      target[i] = 0;
      continue;
    }
    const a = line[at];
    const value = (a + (line[at + 1] - a) * share[i]) * scale + STEPS + 0.5;
    target[i] = value >= 0 ? colours[value > most ? most : value | 0] : value < 0 ? colours[0] : 0;
  }
}
function winnerRow(target, line, column, share, width, nx, k, { top, shades: shades2 }) {
  const scores = new Float64Array(k);
  const scale = STEPS / top;
  for (let i = 0; i < width; i++) {
    const at = column[i];
    if (at < 0) {
      target[i] = 0;
      continue;
    }
    for (let c = 0, p = at; c < k; c++, p += nx) {
      scores[c] = line[p] + (line[p + 1] - line[p]) * share[i];
    }
    const { code, score, margin } = decodeAt(scores, 0, 1, k);
    const shade = margin * scale;
    target[i] = score > -Infinity ? shades2[code % shades2.length][shade > STEPS ? STEPS : shade | 0] : 0;
  }
}
function scaleEnd(whole, k, kind, inside = null) {
  const values = within(whole, k, inside);
  const top = topOf(values, k);
  const flat = kind === "functions" && k === 1 && spread(values) < SCALE.flat_below * top;
  return flat ? SCALE.flat_room * top : top;
}
function spread(values) {
  let [lo, hi] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    if (values[i] < lo && values[i] > -Infinity) lo = values[i];
    if (values[i] > hi && values[i] < Infinity) hi = values[i];
  }
  return hi - lo;
}
function topOf(field, k) {
  let top = 0;
  if (k === 1) {
    for (let p = 0; p < field.length; p++) {
      const size = Math.abs(field[p]);
      if (size > top && size < Infinity) top = size;
    }
    return top;
  }
  const n = field.length / k;
  for (let p = 0; p < n; p++) {
    const { margin } = decodeAt(field, p, n, k);
    if (margin > top && margin < Infinity) top = margin;
  }
  return top;
}

// js/numbers/linalg.js
var linalg_exports = {};
__export(linalg_exports, {
  applySpectral: () => applySpectral,
  median: () => median,
  mix: () => mix2,
  rowsOf: () => rowsOf,
  sample: () => sample2,
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
var wide = new Float64Array(0);
function mix2(out, rows, weights, k, width, shift = null) {
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
function rowsOf(data, m) {
  const width = data.length / m;
  return Array.from({ length: m }, (_2, i) => data.subarray(i * width, (i + 1) * width));
}
function sample2(field, grid, x, y) {
  const [x0, x1, nx] = grid.x;
  const [y0, y1, ny] = grid.y;
  const u = Math.min(Math.max((x - x0) / (x1 - x0) * (nx - 1), 0), nx - 1);
  const v2 = Math.min(Math.max((y - y0) / (y1 - y0) * (ny - 1), 0), ny - 1);
  const i = Math.min(Math.floor(u), nx - 2);
  const j = Math.min(Math.floor(v2), ny - 2);
  const at = j * nx + i;
  const low = field[at] + (field[at + 1] - field[at]) * (u - i);
  const high = field[at + nx] + (field[at + nx + 1] - field[at + nx]) * (u - i);
  return low + (high - low) * (v2 - j);
}
function median(values) {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

// js/panels/panel.js
var { lines: LINES, panels: PANELS2 } = contract_default;
var MOVES = contract_default.message.in_browser;
var identity = (t) => t;
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
    this.node = element("div.panel", {}, this.head.node, this.plot);
    Object.assign(this, { local: null, field: null, frozen: false, wrong: [] });
  }
  // New exact values from Python; `model` is null or has evaluate().
  update(panel, scene, model) {
    Object.assign(this, { panel, model, kind: panel.kind ?? scene.kind });
    this.grid = panel.grid ? scene.grid : null;
    this.points = scene.points;
    this.samples = scene.n_samples;
    this.exactOutputs = panel.grid?.shape[0] ?? panel.points?.shape[0] ?? 1;
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
    this.pick(settings, changed, marking);
    this.findErrors(settings.labels, marking);
  }
  pick(settings, changed, marking) {
    const panel = this.panel;
    const exact = !changed.some((name) => panel.depends.includes(name));
    const behind = changed.some((name) => !MOVES.includes(name));
    if (!exact && this.model && this.evaluate(settings, marking)) {
      this.setNoted(false);
      this.show(this.local.grid, this.local.points, this.model.outputs);
      this.setWaiting(behind);
      this.caption(this.countHere(settings.labels), false);
      return;
    }
    this.caption(panel.accuracy, true);
    this.setNoted(Boolean(panel.note));
    if (this.noted) {
      this.field = null;
      this.setWaiting(behind || !exact);
      return;
    }
    const shown = this.field && this.field.grid === (panel.grid?.data ?? null) && this.field.points === panel.points?.data;
    if (!shown) this.show(panel.grid?.data ?? null, panel.points?.data ?? null, this.exactOutputs);
    this.setWaiting(behind || !exact);
  }
  evaluate(settings, marking) {
    const k = this.model.outputs;
    const cells = this.grid ? this.grid.x[2] * this.grid.y[2] : 0;
    const n = this.points.count;
    if (this.local?.k !== k || this.local.grid?.length !== (cells ? k * cells : void 0)) {
      this.local = { k, grid: cells ? new Float32Array(k * cells) : null };
    }
    const wanted = this.counts || marking || !cells;
    if (wanted !== Boolean(this.local.points) || wanted && this.local.points.length !== k * n) {
      this.local.points = wanted ? new Float64Array(k * n) : null;
    }
    return this.model.evaluate(settings, this.local);
  }
  // Can the share right be counted here, while Python has not answered?
  get counts() {
    const { accuracy } = this.panel;
    return this.kind === "classes" && accuracy !== null && Boolean(this.points.truth);
  }
  countHere(labels) {
    return this.counts ? countRight(this.local.points, this.model.outputs, this.points, labels) : null;
  }
  // The line below the title; a count over some of the samples only is marked as such.
  caption(share, exact) {
    const { count } = this.points;
    const part = !exact && share !== null && count !== this.samples;
    this.captioned = [this.panel.subtitle, share, part, count];
    this.head.caption(...this.captioned);
  }
  // `size`: the scale's end that these values alone would have; `top`: its end, from scale.js.
  show(grid, points, outputs) {
    const inside = grid ? insideOf(this.grid) : null;
    const size = scaleEnd(grid ?? points ?? [], outputs, this.kind, inside);
    this.field = { grid, points, outputs, size, top: size, flat: !(size > 0), lines: null };
  }
  // Positions of the drawn points to be ringed.
  findErrors(labels, marking) {
    const { points, outputs } = this.field ?? {};
    const found = marking && points && wrongPoints(points, outputs, this.points, labels);
    this.wrong = found ? found.wrong : [];
  }
  setWaiting(waiting2) {
    this.node.classList.toggle("waiting", waiting2);
  }
  // Redraw the base canvas. `stage` gives theme, view, box, ratio, the layer of dots, `fast`.
  paint(stage) {
    const { theme, ratio, size } = stage;
    const context = this.base.getContext("2d");
    fit(this.base, size.width, size.height, ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    if (!this.closed) this.draw(context, stage);
    if (this.field) this.showScale(theme);
  }
  // The picture with its axes, from the origin on; also on the pen of a picture that is saved.
  draw(context, stage) {
    const { theme, view, box } = stage;
    context.save();
    clipTo(context, box);
    const scattered = this.field && !(this.field.grid && this.grid);
    if (stage.cloud) this.paintCloud(context, stage);
    else if (scattered) this.paintPoints(context, stage);
    else {
      if (this.field) this.paintField(context, stage);
      stage.putDots(context);
    }
    drawLandmarks(context, stage.scene.landmarks, view, box, theme);
    drawErrors(context, this.points, this.wrong, view, box, theme);
    context.restore();
    if (stage.cloud) drawTriad(context, stage.scene.space, box, theme, stage.scene.axes);
    else drawAxes(context, view, box, theme, stage.axes);
  }
  paintField(context, stage) {
    const { theme, view, box } = stage;
    const { grid: field, outputs, top } = this.field;
    const [width, height] = stage.pixels();
    const scales = outputs > 1 ? { top, shades: this.shades(theme) } : { top, colours: this.colours(theme) };
    const image = this.raster.draw(field, outputs, this.grid, view.range, width, height, scales);
    const region = regionOf(this.grid, view, box);
    context.save();
    clipTo(context, region);
    context.imageSmoothingEnabled = true;
    context.drawImage(image, box.x, box.y, box.w, box.h);
    if (!this.field.flat) this.paintLines(context, stage);
    context.restore();
    stage.putCover(context);
    drawBeyond(context, region, box, theme);
  }
  paintLines(context, stage) {
    const { theme, view, box } = stage;
    const { grid: field, outputs, size } = this.field;
    const [nx, ny] = [this.grid.x[2], this.grid.y[2]];
    const many = stage.count > PANELS2.many;
    const classes = this.kind === "classes";
    const count = LINES.count[many ? "many" : classes ? "classes" : "functions"];
    const find = (make) => outputs > 1 ? boundaries(field, outputs, nx, ny, size, make) : signedLines(field, nx, ny, this.field, count, classes ? unfade : identity, make);
    const matrix = cellsToPixels(this.grid, view, box);
    const vector = context.newPath && (() => context.newPath(matrix));
    const lines = vector ? find(vector) : this.field.lines ??= find();
    context.lineJoin = "round";
    const faint = many ? LINES.faint_width_many : LINES.faint_width;
    const draw3 = (name, alpha, width) => {
      context.strokeStyle = css(theme.line, alpha);
      context.lineWidth = width;
      context.stroke(vector ? lines[name] : placed2(lines[name], matrix));
    };
    draw3("thin", LINES.thin_alpha, LINES.thin_width);
    draw3("faint", LINES.faint_alpha, faint);
    draw3("zero", LINES.zero_alpha, many ? LINES.zero_width_many : LINES.zero_width);
  }
  paintPoints(context, stage) {
    const { theme, view, box } = stage;
    if (!this.field.points) return;
    drawColoured(context, this.points, this.colourWords(theme), view, box, theme, stage.moving);
  }
  // The points in space, in one neutral colour while there are no values.
  paintCloud(context, { cloud, theme, box }) {
    const words = this.field?.points ? this.colourWords(theme) : cloud.plain(this.points.count);
    context.imageSmoothingEnabled = true;
    context.drawImage(cloud.paint(words), box.x, box.y, box.w, box.h);
  }
  // The colours of the points (packed RGBA).
  colourWords(theme) {
    const { points: values, outputs, top } = this.field;
    this.words ??= new Uint32Array(0);
    if (this.words.length !== this.points.count) this.words = new Uint32Array(this.points.count);
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
    this.head.showScale(top, `${theme.id}|${this.kind}`, this.colours(theme));
  }
  // Redraw labels, then whatever `more` draws, on the upper canvas.
  paintOver(stage, labels, more) {
    const { ratio, size } = stage;
    const context = this.over.getContext("2d");
    fit(this.over, size.width, size.height, ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    if (!this.closed) this.drawOver(context, stage, labels, more);
  }
  drawOver(context, stage, labels, more) {
    const { theme, view, box } = stage;
    context.save();
    clipTo(context, { x: box.x - 1, y: box.y - 1, w: box.w + 2, h: box.h + 2 });
    drawLabels(context, labels, view, box, theme);
    more?.(context);
    context.restore();
  }
  // Values of all outputs at a place (and drawn point, or -1), or null.
  valuesAt(x, y, point) {
    const field = this.field;
    if (!field) return null;
    const k = field.outputs;
    if (point >= 0 && field.points) {
      return Array.from({ length: k }, (_2, o) => field.points[o * this.points.count + point]);
    }
    if (!field.grid) return null;
    const [x0, x1, nx] = this.grid.x;
    const [y0, y1, ny] = this.grid.y;
    if (x < x0 || x > x1 || y < y0 || y > y1) return null;
    const cells = nx * ny;
    return Array.from(
      { length: k },
      (_2, o) => sample2(field.grid.subarray(o * cells, (o + 1) * cells), this.grid, x, y)
    );
  }
};
function placed2(path, matrix) {
  const moved3 = new Path2D();
  moved3.addPath(path, matrix);
  return moved3;
}

// js/panels/pins.js
var CROSS = "M4 4 L12 12 M12 4 L4 12";
var Pins = class {
  constructor(stage) {
    Object.assign(this, { stage, panels: [] });
    this.words = element("span");
    const unpin = tool(CROSS, "Take the pinned picture away", () => this.toggle());
    this.caption = element("div.pincaption", {}, this.words, unpin);
  }
  get on() {
    return this.panels.length > 0;
  }
  toggle() {
    if (this.on) this.clear();
    else this.pin();
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
      const same3 = !panel.grid && points.count === index.length && index.every((row, i) => row === points.index[i]);
      if (same3) Object.assign(panel, { points, labels: labelsAt(panel.labels, points) });
    }
  }
  pin() {
    const { stage } = this;
    const { plots } = stage.board;
    this.panels = stage.panels.map((panel) => this.frozen(panel));
    setText(this.words, `Pinned: ${settingsLine(stage)}`);
    plots.append(this.caption, ...this.panels.map((panel) => panel.node));
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
    listen(copy2.plot, copy2, onlyLooks(stage.hand));
    return copy2;
  }
};
function onlyLooks(hand) {
  return {
    hover: (panel, x, y) => hand.hover(panel, x, y),
    leave: () => hand.leave(),
    drag: (dx, dy) => hand.drag(dx, dy),
    zoomAt: (factor, x, y) => hand.zoomAt(factor, x, y),
    hint: () => hand.hint(),
    press: () => {
    }
  };
}
function settingsLine({ scene, lam, filter, filters, labels }) {
  const parts = [scene.about];
  if (scene.models.some(Boolean) || !scene.hide.has("lam")) {
    const name = filters[filter]?.label;
    parts.push(`λ = ${short(lam, 2)}`, name && filter !== "tikhonov" ? name : "");
    parts.push(`${labels.length} label${labels.length === 1 ? "" : "s"}`);
  }
  return parts.filter(Boolean).join(" · ");
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
    Object.assign(this, { a, d, e, f, data: "" });
  }
  at(x, y) {
    return `${short2(this.a * x + this.e)} ${short2(this.d * y + this.f)}`;
  }
  moveTo(x, y) {
    this.data += `M${this.at(x, y)}`;
  }
  lineTo(x, y) {
    this.data += `L${this.at(x, y)}`;
  }
};
var SvgPen = class {
  constructor(width, height) {
    const size = { width, height, viewBox: `0 0 ${width} ${height}` };
    this.root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", ...size, role: "img" });
    Object.assign(this, START, { at: this.root, stack: [], ids: 0, path: new SvgPath() });
    this.ruler = document.createElement("canvas").getContext("2d");
  }
  text(title) {
    this.root.setAttribute("aria-label", title);
    this.root.prepend(svg("title", {}, title));
    return new XMLSerializer().serializeToString(this.root);
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
    this.at = this.add("g", { transform: `translate(${short2(x)} ${short2(y)})` });
  }
  rotate(angle) {
    this.at = this.add("g", { transform: `rotate(${short2(180 * angle / Math.PI)})` });
  }
  scale(x, y) {
    this.at = this.add("g", { transform: `scale(${x} ${y})` });
  }
  clip(rule = "nonzero") {
    const id = `c${++this.ids}`;
    this.add("clipPath", { id }, svg("path", { d: this.path.data, "clip-rule": rule }));
    this.at = this.add("g", { "clip-path": `url(#${id})` });
  }
  // ---- paths ------------------------------------------------------------------------------
  beginPath() {
    this.path = new SvgPath();
  }
  // For lines in other coordinates.
  newPath(matrix) {
    return new SvgPath(matrix);
  }
  moveTo(x, y) {
    this.path.moveTo(x, y);
  }
  lineTo(x, y) {
    this.path.lineTo(x, y);
  }
  closePath() {
    this.path.data += "Z";
  }
  rect(x, y, w, h) {
    this.moveTo(x, y);
    this.path.data += `h${short2(w)}v${short2(h)}h${short2(-w)}Z`;
  }
  // After moveTo or lineTo to its start, or alone.
  arc(x, y, r, start, end) {
    const to = (angle) => `${short2(x + r * Math.cos(angle))} ${short2(y + r * Math.sin(angle))}`;
    const round = `A${short2(r)} ${short2(r)} 0`;
    this.path.data += `${this.path.data && end - start < FULL ? "L" : "M"}${to(start)}`;
    if (end - start < FULL) this.path.data += `${round} ${end - start > Math.PI ? 1 : 0} 1 ${to(end)}`;
    else this.path.data += `${round} 1 1 ${to(start + Math.PI)}${round} 1 1 ${to(start)}Z`;
  }
  // ---- ink --------------------------------------------------------------------------------
  fill() {
    this.draw(this.path, ink("fill", this.fillStyle));
  }
  stroke(path = this.path) {
    const line = { "stroke-linejoin": this.lineJoin, "stroke-linecap": this.lineCap };
    const width = { "stroke-width": short2(this.lineWidth) };
    this.draw(path, { fill: "none", ...ink("stroke", this.strokeStyle), ...width, ...line });
  }
  draw({ data }, look2) {
    const clear = this.globalAlpha < 1 ? { opacity: short2(this.globalAlpha) } : {};
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
    const place2 = { x: short2(x), y: short2(y), width: short2(width), height: short2(height) };
    this.add("image", { ...place2, preserveAspectRatio: "none", href: image.toDataURL("image/png") });
  }
  measureText(text) {
    this.ruler.font = this.font;
    return this.ruler.measureText(text);
  }
  fillText(text, x, y, room2 = Infinity) {
    this.write(text, x, y, room2, ink("fill", this.fillStyle));
  }
  strokeText(text, x, y, room2 = Infinity) {
    const line = { "stroke-width": short2(this.lineWidth), "stroke-linejoin": "round" };
    this.write(text, x, y, room2, { fill: "none", ...ink("stroke", this.strokeStyle), ...line });
  }
  write(text, x, y, room2, look2) {
    const { width, fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = this.measureText(text);
    const lower2 = { top: up, middle: (up - down) / 2, bottom: -down }[this.textBaseline] ?? 0;
    const [, weight, size, family] = /^(bold |)([\d.]+)px (.*)$/.exec(this.font);
    const squeezed = { textLength: short2(room2), lengthAdjust: "spacingAndGlyphs" };
    this.add("text", {
      ...{ x: short2(x), y: short2(y + lower2), "text-anchor": ENDS[this.textAlign] },
      ...{ "font-family": family, "font-size": size, ...weight && { "font-weight": "bold" } },
      ...width > room2 && squeezed,
      ...look2
    }, text);
  }
};
function short2(value) {
  return Math.round(100 * value) / 100;
}
function ink(what, colour) {
  const [, r, g, b2, alpha] = /^rgba\((\d+), (\d+), (\d+), ([\d.e-]+)\)$/.exec(colour) ?? [];
  if (r === void 0) return { [what]: colour };
  const hex = [r, g, b2].map((v2) => Number(v2).toString(16).padStart(2, "0")).join("");
  return { [what]: `#${hex}`, ...Number(alpha) < 1 && { [`${what}-opacity`]: alpha } };
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
    const text = pen.text([title, names, settingsLine(stage)].filter(Boolean).join(": "));
    return new Blob([text], { type: "image/svg+xml" });
  }
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  draw(canvas.getContext("2d"), stage, width, height, scale, title);
  return new Promise((give) => canvas.toBlob(give, "image/png"));
}
async function rasterised(picture, width, height) {
  const href = URL.createObjectURL(picture);
  try {
    const image = new Image(width, height);
    image.src = href;
    await image.decode();
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width, height });
    canvas.getContext("2d").drawImage(image, 0, 0, width, height);
    return await new Promise((give) => canvas.toBlob(give, "image/png"));
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
  const top = PAD + (title ? drawTitle(pen, title, w, theme) : 0);
  const bottom = h - PAD - drawFoot(pen, stage, w, h - PAD, theme);
  drawPanels(pen, stage, { x: PAD, y: top, w: w - 2 * PAD, h: bottom - top }, scale);
  pen.restore();
}
function drawTitle(pen, title, w, theme) {
  write(pen, theme, title, PAD, PAD, { size: 22, bold: true, base: "top", room: w - 2 * PAD });
  return 36;
}
function write(pen, theme, words, x, y, look2 = {}) {
  const { size = theme.type, bold = false, clear = 1, align = "left", base = "alphabetic" } = look2;
  pen.font = `${bold ? "bold " : ""}${size}px ${theme.font}`;
  pen.textAlign = align;
  pen.textBaseline = base;
  pen.fillStyle = css(theme.text, clear);
  pen.fillText(words, x, y, look2.room);
  return pen.measureText(words).width;
}
function drawFoot(pen, stage, w, bottom, theme) {
  const { scene } = stage;
  const y = bottom - 8;
  const look2 = { size: 13, base: "middle" };
  pen.font = `13px ${theme.font}`;
  let x = PAD;
  for (const [code, name] of scene.kind === "classes" ? scene.classes.entries() : []) {
    const wide2 = 22 + pen.measureText(name).width;
    if (x + wide2 > 0.62 * w) break;
    pen.beginPath();
    trace(pen, code, x + 7, y, 5);
    pen.fillStyle = css(theme.classes[code % theme.classes.length]);
    pen.fill();
    write(pen, theme, name, x + 18, y, look2);
    x += wide2 + 12;
  }
  const words = settingsLine(stage);
  const rest = { clear: 0.8, align: "right", room: w - PAD - x };
  write(pen, theme, words, w - PAD, y, { ...look2, ...rest });
  return words || x > PAD ? 26 : 0;
}
function drawPanels(pen, stage, area, scale) {
  const { scene, view, display, labels: own } = stage;
  const { theme } = stage.board;
  const panels = display.visible;
  const place2 = layoutOf(pen, stage, area, panels.length);
  const { columns, box, size, gap, axes } = place2;
  const brush = {
    ...{ theme, view, scene, box, size, ratio: scale, moving: false },
    count: display.shape.count,
    cloud: null,
    axes: axes ? scene.axes : null,
    pixels: () => fitted(box, scale),
    putDots: (context) => drawDots(context, scene.points, view, box, theme),
    putCover: (context) => paintCover(context, brush)
  };
  if (scene.space) {
    brush.cloud = new Cloud();
    brush.cloud.aim(brush);
  }
  const rows = Math.ceil(panels.length / columns);
  const [pitchX, pitchY] = [size.width + gap, size.height + HEAD + gap];
  const left2 = area.x + (area.w - (columns * pitchX - gap)) / 2;
  const high = area.y + Math.max((area.h - (rows * pitchY - gap)) / 2, 0);
  panels.forEach((panel, i) => {
    pen.save();
    pen.translate(left2 + i % columns * pitchX, high + Math.floor(i / columns) * pitchY + HEAD);
    drawHead(pen, panel, box, theme);
    if (panel.noted) drawNote(pen, panel, box, theme);
    else {
      panel.draw(pen, brush);
      const labels = panel.labels ?? own;
      const placed4 = scene.space?.placed(labels, scene.points.position) ?? labels;
      panel.drawOver(pen, brush, placed4, (context) => drawNext(context, scene, view, box, theme));
    }
    pen.restore();
  });
}
function layoutOf(pen, stage, area, count) {
  const { scene, view, display } = stage;
  const { theme } = stage.board;
  const wishes = { columns: 1, aspect: view.aspect, bare: Boolean(scene.space), area, count };
  Object.assign(wishes, { many: display.shape.count > contract_default.panels.many, type: theme.type });
  const places = Array.from({ length: count }, (_2, i) => placed3({ ...wishes, columns: i + 1 }));
  const best = places.reduce((a, b2) => b2.box.w > 1.02 * a.box.w ? b2 : a);
  if (!best.axes) return best;
  const room2 = axisRoom(pen, view, best.box, theme, scene.axes[1]);
  return placed3({ ...wishes, columns: best.columns, room: room2 });
}
function placed3({ columns, aspect, bare, area, count, many, type, room: room2 = AXIS }) {
  const outer2 = Math.floor((area.w - GAP * (columns - 1)) / columns);
  const rows = Math.ceil(count / columns);
  const free = (area.h - GAP * (rows - 1)) / rows - HEAD;
  const most = (above) => Math.max(free - above, 20 / aspect);
  const place2 = framed({ outer: outer2, most, aspect, axes: !bare && !many && outer2 >= 200, room: room2, type });
  return { columns, gap: GAP, ...place2 };
}
function fitted(box, scale) {
  const share = Math.min(1, PIXELS / Math.max(box.w * scale, box.h * scale));
  return [box.w, box.h].map((side) => Math.max(2, Math.round(side * scale * share)));
}
function drawHead(pen, panel, box, theme) {
  const [subtitle, share, part] = panel.captioned ?? ["", null, false];
  const [what, number] = rightParts(share, part);
  write(pen, theme, panel.panel.title, box.x, -25, { size: 15, bold: true, room: box.w });
  const end = box.x + box.w - drawScale(pen, panel, box, theme, Boolean(number));
  let { x } = box;
  if (number) {
    x += write(pen, theme, what, x, -7, { clear: 0.8 });
    x += write(pen, theme, number, x, -7, { size: 17, bold: true }) + 10;
  }
  if (subtitle && end - x >= 40) write(pen, theme, subtitle, x, -7, { clear: 0.8, room: end - x });
}
function drawScale(pen, panel, box, theme, scored) {
  const right = box.x + box.w;
  const { field } = panel;
  if (!field || field.outputs !== 1 || field.flat || panel.noted) return 0;
  const colours = panel.colours(theme);
  const look2 = { clear: 0.85, align: "right" };
  const wide2 = write(pen, theme, short(field.top, 2), right, -7, look2);
  const bar = 44;
  const start = right - wide2 - 4 - bar;
  for (let i = 0; i < BANDS; i++) {
    const at = Math.round((i + 0.5) / BANDS * (colours.length - 1));
    pen.fillStyle = css(unpacked(colours[at]));
    pen.fillRect(start + i * bar / BANDS, -15, bar / BANDS + (i < BANDS - 1 ? 0.3 : 0), 8);
  }
  if (box.w < (scored ? 250 : 190)) return wide2 + bar + 12;
  return wide2 + bar + 16 + write(pen, theme, `−${short(field.top, 2)}`, start - 4, -7, look2);
}
function drawNote(pen, panel, box, theme) {
  pen.lineWidth = 1;
  pen.strokeStyle = css(theme.text, 0.4);
  pen.strokeRect(box.x, box.y, box.w, box.h);
  pen.font = `14px ${theme.font}`;
  const lines = broken(pen, panel.panel.note, 0.84 * box.w);
  const look2 = { size: 14, clear: 0.85, align: "center", base: "middle" };
  const [x, y] = [box.x + box.w / 2, box.y + box.h / 2 - 10 * (lines.length - 1)];
  lines.forEach((line, i) => write(pen, theme, line, x, y + 20 * i, look2));
}
function broken(pen, text, room2) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (pen.measureText(longer).width <= room2) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.filter(Boolean);
}

// js/paint/curve_snapshot.js
var PAD2 = 20;
var ROW = 26;
var STYLES = [
  ...["fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray"],
  ...["stroke-linecap", "font-size", "font-family", "font-weight", "opacity"]
];
async function curvesOf(stage, kind, width, height) {
  const text = new XMLSerializer().serializeToString(draw2(stage, width, height));
  const picture = new Blob([text], { type: "image/svg+xml" });
  return kind === "svg" ? picture : rasterised(picture, width, height);
}
function draw2(stage, width, height) {
  const theme = makeTheme(stage.root);
  const frame = stage.charts.getBoundingClientRect();
  const words = { x: PAD2, "font-family": theme.font, fill: css(theme.text) };
  const scale = Math.min(
    (width - 2 * PAD2) / frame.width,
    (height - 2 * PAD2 - 2 * ROW) / frame.height
  );
  const root = svg("svg", {
    ...{ xmlns: "http://www.w3.org/2000/svg", width, height, role: "img" },
    viewBox: `0 0 ${width} ${height}`
  });
  const left2 = (width - scale * frame.width) / 2;
  const rest = height - 2 * PAD2 - 2 * ROW - scale * frame.height;
  const top = PAD2 + 2 * ROW + Math.max(rest / 2, 0);
  const all = svg("g", { transform: `translate(${left2} ${top}) scale(${scale})` });
  for (const chart of stage.charts.querySelectorAll("svg.chart")) {
    const at = chart.getBoundingClientRect();
    if (!at.width) continue;
    const place2 = `translate(${at.left - frame.left} ${at.top - frame.top})`;
    all.append(svg("g", { transform: place2 }, ...styled(chart).childNodes));
  }
  for (const key of stage.charts.querySelectorAll(".key")) {
    const at = key.getBoundingClientRect();
    const place2 = { x: at.right - frame.left, y: at.bottom - frame.top - 4, "text-anchor": "end" };
    if (at.width) all.append(svg("text", { ...words, ...place2, "font-size": 13 }, key.textContent));
  }
  root.append(
    svg("rect", { width, height, fill: css(theme.background) }),
    svg(
      "text",
      { ...words, y: PAD2 + 14, "font-size": 18, "font-weight": "bold" },
      stage.head.textContent || stage.point.textContent
    ),
    legend(stage, words),
    all
  );
  return root;
}
function legend(stage, words) {
  const line = svg("text", { ...words, y: PAD2 + 14 + ROW, "font-size": 14 });
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
    for (const name of STYLES) to[i].setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "tabindex", "role", "aria-label"]) to[i].removeAttribute(name);
  });
  return copy2;
}

// js/channel/channel.js
var channel_exports = {};
__export(channel_exports, {
  Channel: () => Channel
});

// js/channel/view_link.js
var KEY = "stage";
var OURS = /-(stage|fields)$/;
var LATER = 400;
var MOST3 = 120;
var mine = null;
var timer = 0;
function viewText({ display, view, scene, panels }) {
  const parts = [];
  if (display.enlarged !== null) parts.push(`e${display.enlarged}`);
  if (display.all && panels.length > 1) parts.push("a");
  if (display.sameScale) parts.push("s");
  if (display.errors) parts.push("x");
  if (view.zoomed) parts.push(`z${[view.zoom, ...view.centre].map(short3).join("_")}`);
  if (scene.space && view.zoomed) parts.push(`t${[view.azimuth, view.elevation].map(short3).join("_")}`);
  return parts.join("~");
}
function lookAsLinked(stage) {
  const text = new URL(window.location.href).searchParams.get(KEY) ?? "";
  if (!OURS.test(stage.key) || stage.alone || text === (mine ?? "") || text.length > MOST3) return;
  const { display, view, scene } = stage;
  for (const part of text.split("~")) {
    const numbers2 = part.slice(1).split("_").map(Number);
    if (!numbers2.every(Number.isFinite)) continue;
    if (part[0] === "e" && Number.isInteger(numbers2[0])) display.enlarge(numbers2[0]);
    else if (part === "a") display.all = true;
    else if (part === "s") display.sameScale = true;
    else if (part === "x") display.errors = true;
    else if (part[0] === "z" && numbers2.length === 3) view.lookAt(...numbers2);
    else if (part[0] === "t" && numbers2.length === 2 && scene.space) view.turnTo?.(...numbers2);
  }
  display.follow();
  mine = text;
}
function rememberView(stage) {
  if (!OURS.test(stage.key) || stage.alone) return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (stage.gone || !stage.scene) return;
    const text = viewText(stage);
    if (text === (mine ?? "")) return;
    mine = text;
    window.history.replaceState(window.history.state, "", withView(new URL(window.location.href)));
  }, LATER);
}
function withView(url) {
  if (mine) url.searchParams.set(KEY, mine);
  else if (mine !== null) url.searchParams.delete(KEY);
  return url;
}
function short3(value) {
  return String(Number(value.toPrecision(4)));
}

// js/channel/address.js
function oneEntryPerPage() {
  const { history: history2 } = window;
  if (history2.lapviz) return;
  const push = history2.pushState.bind(history2);
  history2.lapviz = true;
  history2.pushState = (state, title, url) => {
    const to = new URL(url ?? "", window.location.href);
    const here2 = to.pathname === window.location.pathname;
    if (here2) history2.replaceState(state, title, withView(to));
    else push(state, title, url);
  };
}
var LEAVING = 4e3;
var left = -Infinity;
function leaving() {
  return performance.now() - left < LEAVING;
}
var SHARED = ["labels-stage", "eigen-stage"];
var moved = null;
function moves(stage) {
  moved = stage;
}
function carried(stage) {
  const from = moved;
  if (!from || from === stage || !leaving()) return [];
  if (![from, stage].every(({ key }) => SHARED.includes(key))) return [];
  moved = null;
  return [...from.channel.changes].map(([name, { value }]) => [name, value]);
}
function watchLinks() {
  if (globalThis.__lapvizLinks) return;
  globalThis.__lapvizLinks = true;
  const away = (event) => {
    if (event.target.closest?.('a[href]:not([target="_blank"]):not([href^="#"])'))
      left = performance.now();
  };
  document.addEventListener("click", away, true);
  window.addEventListener("popstate", () => left = performance.now());
}

// js/channel/decode.js
var decode_exports = {};
__export(decode_exports, {
  decode: () => decode,
  fingerprint: () => fingerprint
});
var START2 = contract_default.blob.start;
var halves = null;
function halfTable() {
  if (halves) return halves;
  halves = new Float32Array(65536);
  for (let h = 0; h < 65536; h++) {
    const sign = h & 32768 ? -1 : 1;
    const exponent = h >> 10 & 31;
    const fraction = h & 1023;
    if (exponent === 31) halves[h] = fraction ? NaN : sign * Infinity;
    else if (exponent === 0) halves[h] = sign * fraction * 2 ** -24;
    else halves[h] = sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  }
  return halves;
}
function fingerprint(bytes) {
  let text = "";
  for (let i = 4; i < START2; i++) text += bytes[i].toString(16).padStart(2, "0");
  return text;
}
function decode(bytes) {
  if (!(bytes instanceof Uint8Array) || bytes.length < START2) {
    throw new Error("The picture's data did not arrive.");
  }
  const buffer = bytes.slice().buffer;
  const size = new DataView(buffer).getUint32(0, true);
  if (START2 + size > buffer.byteLength) throw new Error("The picture's data is cut short.");
  const header = new TextDecoder().decode(new Uint8Array(buffer, START2, size));
  return lower(JSON.parse(header), buffer, START2 + size);
}
function lower(node, buffer, base) {
  if (Array.isArray(node)) {
    if (typeof node[0] === "number") return node;
    return node.map((value) => lower(value, buffer, base));
  }
  if (node === null || typeof node !== "object") return node;
  if ("at" in node && "type" in node) return readArray(node, buffer, base);
  const tree = {};
  for (const [name, value] of Object.entries(node)) tree[name] = lower(value, buffer, base);
  return tree;
}
function readArray(node, buffer, base) {
  const count = node.shape.reduce((a, b2) => a * b2, 1);
  const at = base + node.at;
  if (node.type === "f4") return { shape: node.shape, data: new Float32Array(buffer, at, count) };
  if (node.type === "i4") return { shape: node.shape, data: new Int32Array(buffer, at, count) };
  if (node.type === "u1") return { shape: node.shape, data: new Uint8Array(buffer, at, count) };
  const raw = new Uint16Array(buffer, at, count);
  const table2 = halfTable();
  const data = new Float32Array(count);
  const rows = node.scale.length;
  const width = rows ? count / rows : 0;
  for (let r = 0, p = 0; r < rows; r++) {
    const scale = node.scale[r];
    for (const end = p + width; p < end; p++) data[p] = table2[raw[p]] * scale;
  }
  return { shape: node.shape, data };
}

// js/channel/store.js
var MOST_STORED = 8;
var store = /* @__PURE__ */ new Map();
var waiting = /* @__PURE__ */ new Set();
function keep(tag, lasting) {
  store.delete(tag);
  store.set(tag, lasting);
  while (store.size > MOST_STORED) store.delete(store.keys().next().value);
  for (const wake of [...waiting]) wake();
}
function stored(tag) {
  return store.get(tag) ?? null;
}
function awaitStore(wake) {
  waiting.add(wake);
  return () => waiting.delete(wake);
}

// js/channel/channel.js
var GATHER = 60;
var PATIENCE = 2e3;
var LOOK = 300;
var Channel = class {
  // stage: {open(parcel, lasting), same(), guard(run), asked()}; see receive() and tell(). The key
  // of its data, `viewKey`, goes with every message.
  constructor(stage) {
    Object.assign(this, { stage, tag: "", parcel: null, lasting: null, alone: false });
    this.changes = /* @__PURE__ */ new Map();
    Object.assign(this, { rev: 0, sentRev: 0, answered: 0, unsent: false, moving: false });
    this.unhook = awaitStore(() => stage.guard(() => this.join()));
  }
  end() {
    this.gone = true;
    for (const timer2 of [this.timer, this.looking, this.retrying]) clearTimeout(timer2);
    this.unhook();
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
    for (const [name, change] of this.changes) if (change.rev <= rev) this.changes.delete(name);
    if (!this.unsent) this.rev = Math.max(this.rev, rev);
    else if (this.moving && this.isAnswered) this.flush();
  }
  // Has Python answered the last message?
  get isAnswered() {
    return this.answered >= this.sentRev;
  }
  // Ask whether a long computation is done.
  look(wait = LOOK) {
    clearTimeout(this.looking);
    this.looking = setTimeout(() => {
      if (leaving()) this.look();
      else if (!this.gone) this.send("tick", Date.now());
    }, wait);
  }
  // ---- to Python --------------------------------------------------------------------------
  // A hand has changed a setting; a value that takes time to write down may be a function.
  change(name, value) {
    if (!this.unsent) this.rev += 1;
    this.unsent = true;
    this.changes.set(name, { value, rev: this.rev });
  }
  has(name) {
    return this.changes.has(name);
  }
  value(name) {
    return this.changes.get(name)?.value;
  }
  // Forget changes that concern other data than those on screen now; all of them by default.
  drop(names = [...this.changes.keys()]) {
    clearTimeout(this.timer);
    for (const name of names) this.changes.delete(name);
    this.unsent &&= this.changes.size > 0;
  }
  // Tell Python; `moving`: the hand has not let go.
  post(moving = false) {
    this.moving = moving;
    clearTimeout(this.timer);
    if (moving) this.flush();
    else this.timer = setTimeout(() => this.flush(), GATHER);
  }
  flush() {
    clearTimeout(this.timer);
    if (!this.unsent || this.gone) return;
    const wait = this.moving && !this.isAnswered ? PATIENCE - (performance.now() - this.sentAt) : 0;
    if (wait > 0) this.timer = setTimeout(() => this.flush(), wait);
    else if (this.alone) this.unsent = false;
    else this.tell();
  }
  tell(more = {}) {
    const changes = {};
    for (const [name, { value }] of this.changes) {
      changes[name] = typeof value === "function" ? value() : value;
    }
    const { rev, moving } = this;
    Object.assign(this, { unsent: false, sentRev: rev, sentAt: performance.now() });
    clearTimeout(this.looking);
    this.stage.asked(moving);
    this.send("state", { rev, changes, hand: moving, view_key: this.stage.viewKey, ...more });
    this.retry();
  }
  retry() {
    clearTimeout(this.retrying);
    this.retrying = setTimeout(() => {
      if (this.gone || this.isAnswered) return;
      if (isBusy() || leaving()) this.retry();
      else this.tell({ again: Date.now() });
    }, 2 * PATIENCE);
  }
};

// js/bars/saver.js
var SAVE = "M3 10.5 V13 H13 V10.5 M8 2.5 V10 M5 7.2 L8 10.2 L11 7.2";
var SIZES = [
  [1280, 720],
  [1920, 1080],
  [3840, 2160],
  [1080, 1080]
];
var [LEAST3, MOST4] = [200, 7680];
var Saver = class {
  // make: called with format, width and height, promises a Blob; changed: the row came or went.
  constructor(make, changed) {
    Object.assign(this, { make, changed });
    this.tool = tool(SAVE, "Save a picture (PNG or SVG)", () => this.toggle());
    const option = (value, words) => element("option", { value }, words);
    this.kind = element("select.choice", { "aria-label": "Format" }, option("png", "PNG"), option("svg", "SVG"));
    this.size = element(
      "select.choice",
      { "aria-label": "Size in pixels", onchange: () => this.follow() },
      ...SIZES.map(([w, h]) => option(`${w}x${h}`, `${w} × ${h}`)),
      option("own", "own size")
    );
    this.size.value = "1920x1080";
    const number = (name, value) => element("input.number", { type: "number", min: LEAST3, max: MOST4, value, "aria-label": name });
    this.width = number("Width in pixels", 1600);
    this.height = number("Height in pixels", 900);
    this.own = element("span.pair", {}, this.width, "×", this.height);
    const save = element("button.words-tool", { type: "button", onclick: () => this.save() }, "Save");
    this.said = element("span", { role: "status" });
    this.node = element(
      "div.saver",
      { role: "group", "aria-label": "Save a picture" },
      this.kind,
      this.size,
      this.own,
      save,
      this.said
    );
    this.show(false);
    this.follow();
  }
  toggle() {
    this.show(!this.shown);
    if (this.shown) this.kind.focus();
  }
  show(on2) {
    this.shown = on2;
    show(this.node, on2);
    this.tool.setAttribute("aria-expanded", String(on2));
    setText(this.said, "");
    this.changed();
  }
  follow() {
    show(this.own, this.size.value === "own");
  }
  get chosen() {
    if (this.size.value !== "own") return this.size.value.split("x").map(Number);
    return [this.width, this.height].map((field) => {
      const side = Math.min(Math.max(Math.round(Number(field.value)) || LEAST3, LEAST3), MOST4);
      field.value = side;
      return side;
    });
  }
  async save() {
    const kind = this.kind.value;
    const [width, height] = this.chosen;
    let blob = null;
    try {
      blob = await this.make(kind, width, height);
    } catch (error) {
      console.warn("lapviz picture:", error);
    }
    if (!blob) {
      setText(this.said, "This browser makes no picture of that size: choose a smaller one.");
      return;
    }
    const href = URL.createObjectURL(blob);
    element("a", { href, download: `lapviz-${width}x${height}.${kind}` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1e4);
    setText(this.said, `Saved: ${width} × ${height}, ${kind.toUpperCase()}`);
    this.changed();
  }
};

// js/panels/curve.js
var MOST_HANDLES = contract_default.changes.curve.handles.most;
var NARROW2 = 560;
var BESIDE = 760;
var CurveStage = class {
  constructor(parent2) {
    Object.assign(this, { scene: null, handles: [], selected: 0, path: "", step: 0 });
    this.channel = new Channel(this);
    this.main = new Chart("Curves over the input");
    this.head = element("output.readout");
    this.point = element("output.readout");
    const acts = {
      step: (k, done) => this.setStep(k, done),
      choose: (name) => this.choose(name)
    };
    this.along = new PathView(acts, this.head);
    this.hand = new HandlesView(this.main, {
      move: (i, handle, done) => this.setHandle(i, handle, done),
      select: (i) => this.select(i),
      remove: (i) => this.remove(i)
    });
    this.note = element("div.message");
    this.saver = new Saver((...asked) => curvesOf(this, ...asked), () => {
    });
    this.edits = this.makeEdits();
    this.legend = element("div.legend");
    this.charts = element("div.charts", {}, this.main.node, this.along.node);
    this.computing = new Computing(this.charts, () => {
    });
    const keep2 = element("div.toolbar.keeping", {}, this.saver.tool, this.saver.node);
    this.root = element(
      "div.stage.curves",
      {},
      this.note,
      this.along.tools,
      this.edits,
      keep2,
      this.legend,
      this.charts,
      this.computing.node
    );
    parent2.append(this.root);
    this.board = { root: this.root, place: null, pending: false };
    this.main.node.addEventListener("dblclick", (event) => this.addAt(event));
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.root);
  }
  makeEdits() {
    const button = (text, title, act) => element("button.swatch", { title, onclick: () => act() }, text);
    this.tilt = button("Slope", "Give the selected point a slope, or take it away", () => this.toggleSlope());
    this.bin = button("Remove", "Remove the selected point", () => this.remove(this.selected));
    const add = button("Add a point", "Add a point in the widest gap", () => this.addInGap());
    return element("div.toolbar", {}, add, this.tilt, this.bin, this.point);
  }
  left() {
    if (!this.root.isConnected) this.destroy();
  }
  destroy() {
    if (this.gone) return;
    this.gone = true;
    this.channel.end();
    this.observer.disconnect();
    this.computing.destroy();
    this.root.remove();
  }
  // ---- from Python ------------------------------------------------------------------------
  receive(component) {
    this.channel.receive(component);
  }
  guard(run2) {
    run2();
  }
  same() {
    this.retheme();
  }
  open({ answer, key }, lasting) {
    this.key = key;
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
    if (!channel.has("path")) this.path = scene.path;
    if (!channel.has("step")) this.step = scene.step;
    if (!channel.has("handles"))
      this.handles = scene.handles.map(([x, value, slope]) => ({ x, value, slope }));
    if (!scene.paths.some(({ name }) => name === this.path)) this.path = scene.path;
    if (other) this.along.adopt(scene.paths);
    if (scene.paths.length) this.step = Math.min(this.step, this.shown.positions.length - 1);
    if (this.exact) this.computing.answered(null);
    this.describe();
    this.layout();
  }
  get shown() {
    return this.scene.paths.find(({ name }) => name === this.path);
  }
  // Whether all that is shown is Python's answer.
  get exact() {
    const { scene } = this;
    const same3 = ({ x, value, slope }, i) => {
      const [u, v2, s] = scene.handles[i];
      return x === u && value === v2 && slope === s;
    };
    const paths = !scene.paths.length || this.path === scene.path && this.step === scene.step;
    const handles = this.handles.length === scene.handles.length && this.handles.every(same3);
    return paths && handles;
  }
  get viewKey() {
    return this.scene.view_key;
  }
  // A message has left.
  asked() {
    this.computing.asked();
  }
  changeHandles() {
    const rows = this.handles.map(({ x, value, slope }) => [x, value, slope ?? null]);
    this.channel.change("handles", rows);
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
  choose(name) {
    if (name === this.path) return;
    this.path = name;
    this.step = this.shown.marks.at(-1)?.step ?? 0;
    this.channel.change("path", name);
    this.channel.change("step", this.step);
    this.layout();
    this.channel.post();
  }
  // Values and slopes act at once; an input that moves is Python's to answer, the newest first.
  setHandle(i, handle, done) {
    const rounded3 = { x: digits(handle.x), value: digits(handle.value), slope: handle.slope ?? null };
    if (rounded3.slope !== null) rounded3.slope = digits(rounded3.slope);
    const before = this.handles[i];
    if (this.channel.alone) rounded3.x = before.x;
    const moved3 = rounded3.x !== before.x;
    const other = moved3 || rounded3.value !== before.value || rounded3.slope !== before.slope;
    if (other || done && this.channel.moving) {
      this.handles = this.handles.with(i, rounded3);
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
    const slope = handle.slope === null ? digits(this.slopeAt(handle.x)) : null;
    this.edit(this.handles.with(this.selected, { ...handle, slope }), this.selected);
  }
  addAt(event) {
    if (!this.scene?.handles.length) return;
    const frame = this.main.node.getBoundingClientRect();
    const [x, y] = this.main.toPlane(event.clientX - frame.left, event.clientY - frame.top);
    this.add(x, y);
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
    const fresh = movedTo({ slope: null }, digits(x), digits(y));
    this.edit([...this.handles, fresh], this.handles.length);
  }
  nearest(x) {
    const { data } = this.scene.x;
    const t = (x - data[0]) / (data[data.length - 1] - data[0]);
    return Math.min(Math.max(Math.round(t * (data.length - 1)), 0), data.length - 1);
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
    const fixed = scene.curves.map(({ title, role, values }) => ({ title, role, values: values.data }));
    const fits = scene.responses.every(({ matrix }) => matrix.shape[1] === 2 * this.handles.length);
    const given = numbers(this.handles);
    const linear = fits ? scene.responses.map(({ title, role, matrix }) => ({ title, role, values: respond(matrix, given) })) : [];
    const path = scene.paths.length ? [this.pathCurve()] : [];
    return [...linear, ...path, ...fixed];
  }
  pathCurve() {
    const { curves, title } = this.shown;
    const g = curves.shape[1];
    return { title, role: "main", values: curves.data.subarray(this.step * g, (this.step + 1) * g) };
  }
  describe() {
    const { scene } = this;
    setText(this.note, scene.note);
    this.along.tools.hidden = this.along.node.hidden = !scene.paths.length;
    this.edits.hidden = this.channel.alone || !scene.responses.length;
    const theme = makeTheme(this.root);
    theme.classes.slice(0, 4).forEach((colour, i) => this.root.style.setProperty(`--c${i}`, css(colour)));
    const unknown = scene.known.data.some((known) => !known);
    const keys = [
      ...this.curves.map(({ title, role }) => element(`span.key.${role}`, {}, element("i"), title)),
      scene.points.shape[0] ? element("span.key.known", {}, element("i"), "Known value") : "",
      unknown ? element("span.key.unknown", {}, element("i"), "Unlabelled input") : ""
    ];
    this.legend.replaceChildren(...keys);
  }
  // Other colours than before.
  retheme() {
    if (!this.scene) return;
    this.describe();
    this.layout();
  }
  resized() {
    const width = this.root.clientWidth;
    if (this.scene && width && width !== this.wide) this.layout();
  }
  layout() {
    const { scene, root } = this;
    const width = root.clientWidth;
    if (!width) return;
    this.wide = width;
    root.dataset.size = width < NARROW2 ? "narrow" : "wide";
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
    const { box } = this.main;
    const pairs = Array.from({ length: points.shape[0] }, (_2, i) => [
      points.data[2 * i],
      points.data[2 * i + 1]
    ]);
    const rug = pairs.filter((_2, i) => !known.data[i]).map(([x]) => this.main.toPixel(x, 0)[0]);
    this.still = [
      svg("path", {
        class: "points",
        d: this.main.dots(pairs.filter((_2, i) => known.data[i]))
      }),
      svg("path", {
        class: "rug",
        d: rug.map((px) => `M${px.toFixed(1)} ${box.y + box.h}v-9`).join("")
      })
    ];
    this.main.lines.replaceChildren(...this.still);
  }
  schedule() {
    if (this.board.pending) return;
    this.board.pending = true;
    requestAnimationFrame(() => {
      this.board.pending = false;
      if (this.scene && !this.gone && this.wide) this.draw();
    });
  }
  draw() {
    const { scene, main } = this;
    const clip = `clip-${this.key}`;
    const { x, y, w, h } = main.box;
    const frame = svg("clipPath", { id: clip }, svg("rect", { x, y, width: w, height: h }));
    const lines = this.curves.map(({ role, values }) => svg("path", { class: `curve ${role}`, d: main.path(scene.x.data, values) }));
    main.over.replaceChildren(frame, svg("g", { "clip-path": `url(#${clip})` }, ...lines.reverse()));
    this.hand.draw(this.handles, this.selected);
    if (scene.paths.length) this.along.draw(this.step);
    this.say();
    this.board.place = main.box;
  }
  say() {
    const { scene } = this;
    if (scene.paths.length) {
      setText(this.head, this.along.words(this.step));
      return;
    }
    const handle = this.handles[this.selected];
    this.tilt.disabled = !handle;
    this.bin.disabled = this.handles.length < 2;
    if (!handle) return;
    const slope = handle.slope === null ? "no slope given" : `slope ${short(handle.slope)}`;
    setText(this.tilt, handle.slope === null ? "Give a slope" : "Take the slope away");
    setText(
      this.point,
      `Point ${this.selected + 1}: x = ${short(handle.x)} · value ${short(handle.value)} · ${slope}`
    );
  }
};
function digits(value) {
  return Number(value.toPrecision(4));
}

// js/paint/images.js
var images_exports = {};
__export(images_exports, {
  Pictures: () => Pictures,
  imagesOf: () => imagesOf,
  inked: () => inked
});
var LARGEST = 72;
function imagesOf(raw) {
  if (!raw) return null;
  const [count, height, width] = raw.shape;
  return { count, height, width, data: raw.data };
}
function inked(images, point, theme) {
  const { height, width, data } = images;
  const size = height * width;
  const rgba = new Uint8ClampedArray(4 * size);
  for (let p = 0; p < size; p++) {
    const share = data[point * size + p] / 255;
    for (let c = 0; c < 3; c++)
      rgba[4 * p + c] = theme.background[c] + (theme.text[c] - theme.background[c]) * share;
    rgba[4 * p + 3] = 255;
  }
  return rgba;
}
var Pictures = class {
  draw(images, point, theme) {
    if (!images || point < 0) return null;
    const { height, width } = images;
    this.canvas ??= document.createElement("canvas");
    const { canvas } = this;
    canvas.className = "portrait";
    const scale = LARGEST / Math.max(width, height);
    Object.assign(canvas, { width, height });
    canvas.style.width = `${Math.round(width * scale)}px`;
    canvas.style.height = `${Math.round(height * scale)}px`;
    const pixels = new ImageData(inked(images, point, theme), width, height);
    canvas.getContext("2d").putImageData(pixels, 0, 0);
    return canvas;
  }
};

// js/hands/hover.js
function verdict(values, scene, kind = scene.kind) {
  if (!values) return null;
  const { classes } = scene;
  const [v2] = values;
  const { code, next, margin } = decodeAt(values, 0, 1, values.length);
  if (values.length === 1) {
    if (kind !== "classes") return { text: short(v2), long: `value ${short(v2, 4)}` };
    const name2 = classes[code] ?? (code ? "+" : "−");
    return { text: `${short(v2, 2)} → ${name2}`, long: `score ${short(v2, 3)} → ${name2}` };
  }
  const name = classes[code] ?? String(code);
  return {
    text: name,
    long: `${name}, ahead of ${classes[next] ?? next} by ${short(margin, 2)}`
  };
}
function describe(target, panel, scene, labels) {
  const lines = [placeWords(target, scene)].filter(Boolean);
  const told = [];
  const seen = verdict(panel.valuesAt(target.x, target.y, target.point), scene, panel.kind);
  if (seen) lines.push(seen.long);
  if (target.point < 0 && farAt(scene.grid, target.x, target.y)) lines.push("far from the data");
  if (target.point >= 0) {
    const truth = scene.points.truth?.[target.point] ?? -1;
    const known = truth >= 0 ? `, true class ${scene.classes[truth] ?? truth}` : "";
    const [name, ...more] = aboutPoint(scene.points, target.point);
    lines.push(`${name}${known}`);
    told.push(...more);
  }
  const at = findLabel(labels, target);
  if (at >= 0) {
    const names = candidatesOf(labels[at]).map((code) => scene.classes[code] ?? code);
    lines.push(`labelled ${names.join(" or ")}`);
  }
  return [...lines, ...told];
}
function aboutPoint({ notes, index }, point) {
  return notes?.[point]?.split("\n") ?? [`row ${index[point] + 1}`];
}
function placeWords(target, scene) {
  if (scene.space) return target.point >= 0 ? scene.space.words(target.point) : "";
  const [x0, x1, y0, y1] = scene.view;
  const place2 = [snapped(target.x, x1 - x0), snapped(target.y, y1 - y0)];
  return place2.map((c) => short(c)).join(", ");
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
function placeTip(tip, lines, x, y, size, picture) {
  tip.replaceChildren(...picture ? [picture] : []);
  lines.forEach((line, i) => {
    if (i) tip.append(document.createElement("br"));
    tip.append(line);
  });
  tip.style.display = "block";
  const w = tip.offsetWidth;
  const h = tip.offsetHeight;
  const left2 = x + 14 + w <= size.width ? x + 14 : x - 14 - w;
  const top = y + 14 + h <= size.height ? y + 14 : y - 14 - h;
  tip.style.left = `${Math.max(2, Math.min(left2, size.width - w - 2))}px`;
  tip.style.top = `${Math.max(2, Math.min(top, size.height - h - 2))}px`;
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
  destroy() {
    this.timers?.forEach(clearTimeout);
  }
  // The layout that fits, as arrange() gives it, set on every visible panel.
  find() {
    const { stage, root, theme } = this.board;
    const { scene, view, display } = stage;
    const kind = root.clientWidth < NARROW ? "narrow" : "wide";
    if (root.dataset.size !== kind) this.board.toolbar.fold.open = kind === "wide";
    root.dataset.size = kind;
    display.follow();
    const panels = display.visible;
    this.swiped = this.board.swipe.arrange(root.clientWidth, panels);
    let place2 = null;
    for (let round = 0; round < ROUNDS; round++) {
      const wishes = { ...this.wishes(), head: headroom(panels) };
      if (place2 && Math.abs(wishes.head - place2.head) <= 1) break;
      place2 = arrange(wishes);
      const context = place2.axes && panels[0]?.base.getContext("2d");
      const room2 = context && axisRoom(context, view, place2.box, theme, scene.axes[1]);
      if (room2) place2 = arrange({ ...wishes, room: room2 });
      place2.head = wishes.head;
      this.put(place2, panels);
    }
    this.board.swipe.settle();
    this.lookAgain();
    return place2;
  }
  put({ columns, gap, size, box }, panels) {
    const { plots } = this.board;
    plots.style.gridTemplateColumns = `repeat(${columns}, ${size.width}px)`;
    plots.style.gap = `${gap}px`;
    plots.classList.toggle("turning", Boolean(this.board.stage.scene.space));
    plots.classList.toggle("small", size.width < contract_default.panels.least_width);
    plots.style.setProperty("--left", `${box.x}px`);
    plots.style.setProperty("--right", `${size.width - box.w - box.x}px`);
    for (const panel of panels) {
      panel.plot.style.width = `${size.width}px`;
      panel.plot.style.height = `${size.height}px`;
    }
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
      swiped: this.swiped,
      available: this.available(),
      type: theme.type
    };
  }
  // Pixels from the panels' top to the window's end, before anything is scrolled away: a picture
  // must not grow while one scrolls.
  available() {
    const { stage, root, plots } = this.board;
    const { present, pins, more } = stage.display;
    const { top } = root.getBoundingClientRect();
    const key = `${window.innerWidth}x${window.innerHeight}`;
    if (!scrolled(root) || this.key !== key) Object.assign(this, { top, key });
    const offset = this.offset = plots.getBoundingClientRect().top - root.getBoundingClientRect().top;
    const most = MOST_ABOVE * window.innerHeight;
    const above = present.on ? 0 : Math.min(Math.max(this.top, 0), most);
    const below = outer(more) + outer(pins.caption) + BELOW + (stage.alone && !present.on ? FOOT : 0);
    return window.innerHeight - above - offset - below;
  }
  // What stands above the pictures may come, go and change its height later than they.
  lookAgain() {
    this.destroy();
    this.timers = LATER2.map(
      (wait) => setTimeout(() => {
        const { root } = this.board;
        if (!root.isConnected || scrolled(root)) return;
        const { top } = root.getBoundingClientRect();
        const offset = this.board.plots.getBoundingClientRect().top - top;
        if (Math.abs(top - this.top) > 1 || Math.abs(offset - this.offset) > 1)
          this.board.schedule("resize", "layout");
      }, wait)
    );
  }
};
function headroom(panels) {
  return Math.max(0, ...panels.map((panel) => panel.head.node.offsetHeight)) + 4;
}
function outer(node) {
  return node.offsetHeight ? node.offsetHeight + 14 : 0;
}
function scrolled(node) {
  for (let at = node; at; at = at.parentElement ?? at.getRootNode().host)
    if (at.scrollTop > 0) return true;
  return false;
}

// js/numbers/scale.js
function settleScales(panels, same3) {
  const drawn = panels.filter((panel) => panel.field);
  const alike = drawn.filter((panel) => !panel.panel?.kind || panel.panel.kind === drawn[0].kind);
  const most = Math.max(0, ...alike.map((panel) => panel.field.size));
  for (const panel of drawn) {
    const { size } = panel.field;
    scaleTo(panel.field, (same3 && alike.includes(panel) ? most : size) || 1);
  }
}
function scaleTo(field, top) {
  if (field.top === top) return;
  field.top = top;
  field.lines = null;
}

// js/panels/swipe.js
var swipe_exports = {};
__export(swipe_exports, {
  Swipe: () => Swipe
});
var WIDEST = 640;
var MOST5 = 6;
var Swipe = class {
  // board: whose panels are swiped; see Board.
  constructor(board) {
    Object.assign(this, { board, on: false, at: null });
    this.node = element("nav.tabs", { "aria-label": "Panels" });
    this.node.hidden = true;
    board.plots.parentElement.before(this.node);
    board.plots.addEventListener("scroll", () => this.scrolled(), { passive: true });
  }
  // Decides for this width and these panels, and says so.
  arrange(width, panels) {
    const { plots } = this.board;
    this.on = width <= WIDEST && panels.length > 1 && panels.length <= MOST5;
    this.at = Math.min(this.at ?? this.board.stage.scene.first, panels.length - 1);
    plots.classList.toggle("swiped", this.on);
    this.node.hidden = !this.on;
    if (!this.on) {
      this.at = null;
      return false;
    }
    this.name(panels.map(({ panel }) => panel.title));
    return true;
  }
  name(titles) {
    const { node } = this;
    while (node.children.length > titles.length) node.lastChild.remove();
    while (node.children.length < titles.length) {
      const i = node.children.length;
      node.append(element("button.tab", { type: "button", onclick: () => this.go(i) }));
    }
    titles.forEach((title, i) => setText(node.children[i], title || `Panel ${i + 1}`));
    this.mark();
  }
  mark() {
    [...this.node.children].forEach((tab, i) => {
      if (i === this.at) tab.setAttribute("aria-current", "true");
      else tab.removeAttribute("aria-current");
    });
  }
  // After a layout the same panel stays in view.
  settle() {
    if (this.on) this.board.plots.scrollLeft = this.at * this.board.plots.clientWidth;
  }
  go(i) {
    const { plots } = this.board;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    plots.scrollTo({ left: i * plots.clientWidth, behavior: still ? "auto" : "smooth" });
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

// js/panels/board.js
var SETTLE = 160;
var AHEAD = "data-lapviz-ahead";
var THEME = ["--st-background-color", "--st-text-color", "--st-primary-color", "--st-font"];
var log = globalThis.__lapviz ??= { paints: 0, last: null, stages: {} };
var Board = class {
  // stage: the settings, scene, panels and view to paint; see Stage.
  constructor(stage, parent2, toolbar) {
    Object.assign(this, { stage, toolbar, moving: false, width: 0, place: null });
    this.dirty = { layout: true, field: true, base: true };
    this.layers = new Layers();
    this.placing = new Place(this);
    this.heading = element("div.heading");
    this.plots = element("div.plots", {
      tabindex: "0",
      role: "application",
      "aria-label": "Picture"
    });
    this.computing = new Computing(this.plots, () => stage.channel.send("cancel", Date.now()));
    this.cloud = new Cloud();
    this.pictures = new Pictures();
    this.broken = /* @__PURE__ */ new Map();
    this.message = element("div.message", { role: "alert" });
    this.flash = element("div.flash", { "aria-hidden": "true" });
    this.live = element("div.live", { "aria-live": "polite", role: "status" });
    this.root = element(
      "div.stage",
      {},
      this.heading,
      toolbar.node,
      this.message,
      element("div.pictures", {}, this.plots, this.computing.node),
      toolbar.hint,
      this.flash,
      this.live
    );
    this.swipe = new Swipe(this);
    parent2.append(this.root);
    this.resizer = new ResizeObserver(() => {
      if (!this.root.isConnected) setTimeout(() => stage.left(), 0);
      else if (Math.abs(this.root.clientWidth - this.width) > 0.5)
        this.schedule("resize", "layout");
    });
    this.resizer.observe(this.root);
    this.onResize = () => this.schedule("resize", "layout");
    window.addEventListener("resize", this.onResize);
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.onScheme = () => this.schedule("theme", "base");
    this.scheme.addEventListener("change", this.onScheme);
  }
  destroy() {
    this.gone = true;
    document.documentElement.removeAttribute(AHEAD);
    cancelAnimationFrame(this.pending);
    clearTimeout(this.settle);
    clearTimeout(this.flashing);
    this.computing.destroy();
    this.placing.destroy();
    this.resizer.disconnect();
    window.removeEventListener("resize", this.onResize);
    this.scheme.removeEventListener("change", this.onScheme);
    this.root.remove();
  }
  // Streamlit dims a component that waits for Python; the stage stays interactive and marks the
  // waiting panels itself.
  stayBright() {
    const { host } = this.root.getRootNode();
    host?.toggleAttribute("data-painted", true);
    host?.closest('[data-testid="stElementContainer"]')?.style.setProperty("opacity", "1", "important");
  }
  // level: "over" < "base" < "field" < "layout"; a reason of "" is no event of its own.
  schedule(reason, level) {
    if (this.gone) return;
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
    if (!stage.scene || this.gone || !this.root.isConnected) return false;
    const start = performance.now();
    const theme = this.readTheme();
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    if (ratio !== this.ratio) this.dirty.layout = true;
    this.ratio = ratio;
    this.toolbar.arrange(stage, theme);
    stage.draw.bar.follow(theme);
    if (this.dirty.layout) this.layout();
    if (!this.place) return false;
    const { changed, settings } = stage;
    const painted2 = this.dirty.base;
    if (this.dirty.field) this.toolbar.row.update(stage.specs, stage.channel);
    if (this.dirty.field) this.choose(settings, changed);
    const brush = this.brush(theme);
    if (painted2) for (const panel of stage.display.visible) panel.paint(brush);
    this.paintOver(brush);
    this.toolbar.follow(stage);
    stage.tools.follow(stage);
    this.dirty = { layout: false, field: false, base: false };
    document.documentElement.toggleAttribute(AHEAD, changed.length > 0);
    if (painted2) rememberView(stage);
    if (painted2 || this.why) this.report(performance.now() - start, !changed.length);
    return painted2;
  }
  // What every panel shows, the hidden ones at rest or where they share in a common scale.
  choose(settings, changed) {
    const { panels, display, holding, channel } = this.stage;
    const { marking, sameScale: same3, live, pins } = display;
    const chosen = same3 || !(holding || channel.moving) ? panels : live;
    for (const panel of chosen) panel.choose(settings, changed, marking);
    for (const panel of pins.panels) panel.findErrors(panel.labels, marking);
    settleScales([...chosen, ...pins.panels], same3);
  }
  readTheme() {
    const style = getComputedStyle(this.root);
    const { present, least } = contract_default.type;
    const type = this.stage.display.present.on ? present : least;
    const name = [type, ...THEME.map((v2) => style.getPropertyValue(v2))].join("|");
    if (name !== this.themeName) {
      this.themeName = name;
      this.theme = makeTheme(this.root, type);
      this.root.dataset.theme = this.theme.dark ? "dark" : "light";
      this.dirty.base = true;
    }
    return this.theme;
  }
  layout() {
    this.width = this.root.clientWidth;
    if (this.width < 40) return;
    this.stayBright();
    this.place = this.placing.find();
  }
  // What a panel needs to paint itself.
  brush(theme) {
    const { view, scene, display, draw: draw3 } = this.stage;
    const { ratio, layers } = this;
    const { box, size, axes } = this.place;
    const { count } = display.shape;
    const brush = {
      theme,
      view,
      scene,
      box,
      size,
      ratio,
      moving: this.moving,
      count,
      cloud: null,
      axes: axes ? scene.axes : null,
      pixels: () => detail(box, ratio, count, this.moving),
      putDots: (context) => {
        const dots = draw3.layer(brush) ?? layers.dots(brush);
        context.drawImage(dots, 0, 0, size.width, size.height);
      },
      putCover: (context) => context.drawImage(layers.cover(brush), 0, 0, size.width, size.height)
    };
    if (scene.space) {
      scene.space.look(view);
      this.cloud.aim(brush);
      brush.cloud = this.cloud;
    }
    return brush;
  }
  paintOver(brush) {
    const { scene, hand, view, display, stroke, code, draw: draw3 } = this.stage;
    const { space, points } = scene;
    const labels = space?.placed(this.stage.labels, points.position) ?? this.stage.labels;
    const { target, hovered, cursor } = hand;
    const invite = scene.editable && !labels.length && !target && !draw3.on;
    for (const panel of display.visible) {
      const chip = panel !== hovered;
      const more = (context) => {
        draw3.paint(context, panel, brush.theme);
        if (target) drawHover(context, brush, panel, target, Boolean(cursor), chip);
        drawNext(context, scene, view, brush.box, brush.theme);
        stroke.draw(context, panel, brush.theme, code);
        if (invite && !panel.noted && !panel.frozen) drawInvitation(context, brush, scene.free_labels);
      };
      panel.paintOver(brush, panel.labels ?? labels, more);
      if (panel !== hovered || !target) panel.tip.style.display = "none";
    }
    if (!target || !hovered || hovered.closed) return;
    const [x, y] = view.toPixel(target.x, target.y, this.place.box);
    const lines = describe(target, hovered, scene, labels);
    const picture = this.pictures.draw(points.images, target.point, brush.theme);
    if (lines.length) placeTip(hovered.tip, lines, x, y, this.place.size, picture);
    else hovered.tip.style.display = "none";
  }
  // What the pictures are, for those who do not see them.
  describe() {
    const { editable, free_labels: free, panels } = this.stage.scene;
    const names = panels.map((panel) => panel.title).filter(Boolean).join(", ");
    const how = editable ? `${free ? ", with Shift freely" : ""}; Enter labels, Delete removes, digits choose the class` : "";
    const turn2 = this.stage.hand.turns ? " Shift with arrow keys turns the points." : "";
    const move = `Arrow keys go from point to point${how}.${turn2}`;
    const { draw: draw3 } = this.stage;
    if (draw3.ready) {
      const keys = "Arrow keys move the brush, with Shift faster; Space paints";
      const more = "digits choose the class, 0 none; B brush, E eraser, M moves points; Escape ends";
      this.plots.setAttribute("aria-label", `A sheet to draw on. ${keys}; ${more}.`);
      return;
    }
    const text = `Picture of ${names || "the data"}. ${move} Plus and minus zoom.`;
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
    log.paints += 1;
    log.last = detail2;
    window.dispatchEvent(new CustomEvent("lapviz:painted", { detail: detail2 }));
  }
  // Nothing here may break the page: a sentence stands in for the picture instead, until the same
  // kind of work succeeds, which run() says by returning true.
  guard(kind, run2) {
    try {
      if (run2()) this.broken.delete(kind);
    } catch (error) {
      console.warn("lapviz stage:", error);
      this.broken.set(kind, error?.message ?? String(error));
    }
    this.complain();
  }
  complain() {
    const [[kind, why] = []] = this.broken;
    const drawing2 = `This picture could not be drawn: ${why} Change a setting or reload the page.`;
    setText(this.message, kind === void 0 ? "" : kind === "python" ? why : drawing2);
  }
};

// js/bars/present.js
var STORIES = { PageDown: 1, n: 1, N: 1, PageUp: -1, p: -1, P: -1 };
var NEXT_PAGE = 3e4;
var shared = globalThis.__lapviz ??= { paints: 0, last: null, stages: {} };
var Present = class {
  constructor(stage) {
    Object.assign(this, { stage, on: false });
    this.keys = (event) => this.keydown(event);
    this.left = () => {
      if (!document.fullscreenElement) this.leave();
    };
  }
  toggle() {
    if (this.on) this.leave();
    else this.enter();
  }
  // The page is asked to fill the screen; where it may not, the stage fills the window.
  async enter() {
    shared.presenting = true;
    try {
      if (!document.fullscreenElement) await document.documentElement.requestFullscreen?.();
    } catch {
    }
    if (shared.presenting && !this.stage.gone) this.cover();
  }
  // Over everything else: a popover is in the browser's top layer, whatever the page's own layers.
  cover() {
    if (this.on) return;
    this.on = true;
    const { root, plots } = this.stage.board;
    root.dataset.present = "";
    root.setAttribute("popover", "manual");
    root.showPopover?.();
    document.addEventListener("keydown", this.keys, true);
    document.addEventListener("fullscreenchange", this.left);
    plots.focus({ preventScroll: true });
    this.stage.board.schedule("present", "layout");
  }
  // Another story may be on another page, whose stage goes on presenting.
  resume() {
    if (shared.presenting && !this.on) this.cover();
  }
  leave() {
    shared.presenting = false;
    if (document.fullscreenElement) document.exitFullscreen?.();
    this.uncover();
  }
  uncover() {
    if (!this.on) return;
    this.on = false;
    const { root } = this.stage.board;
    document.removeEventListener("keydown", this.keys, true);
    document.removeEventListener("fullscreenchange", this.left);
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
      if (Object.values(shared.stages).some((stage) => stage.display.present.on)) return;
      this.leave();
    }, NEXT_PAGE);
  }
  name(title) {
    setText(this.stage.board.heading, title);
  }
  keydown(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step2 = STORIES[event.key];
    if (step2) {
      this.stage.channel.change("story", step2);
      this.stage.channel.post();
    } else if (event.key === "Escape" && this.stage.enlarged === null) this.leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
};

// js/bars/display.js
var { first: FIRST } = contract_default.panels;
var SCALE2 = "M2.5 6 H13.5 M2.5 10 H13.5 M5 3.5 L2.5 6 L5 8.5 M11 7.5 L13.5 10 L11 12.5";
var ERRORS = "M13 8 A5 5 0 1 1 3 8 A5 5 0 1 1 13 8 M6.2 6.2 L9.8 9.8 M9.8 6.2 L6.2 9.8";
var COMPARE = "M2.5 3.5 H7 V12.5 H2.5 Z M9 3.5 H13.5 V12.5 H9 Z";
var PRESENT = "M2.5 3 H13.5 V10.5 H2.5 Z M8 10.5 V13 M5 13.5 L8 11.5 L11 13.5";
var STEPS2 = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
var Display = class {
  constructor(stage) {
    Object.assign(this, { stage, enlarged: null, all: false, sameScale: false, errors: false });
    this.pins = new Pins(stage);
    this.present = new Present(stage);
    this.scaleTool = tool(SCALE2, "", () => this.share(!this.sameScale));
    this.errorTool = tool(ERRORS, "", () => this.mark(!this.errors));
    this.compareTool = tool(COMPARE, "", () => this.pins.toggle());
    this.presentTool = tool(PRESENT, "", () => this.present.toggle());
    this.node = element(
      "div.group.display",
      { role: "group", "aria-label": "Picture" },
      this.scaleTool,
      this.errorTool,
      this.compareTool,
      this.presentTool
    );
    this.more = element("button.more", { type: "button", onclick: () => this.showAll(!this.all) });
    stage.board.plots.after(this.more);
    stage.board.root.addEventListener("keydown", (event) => this.keydown(event), true);
  }
  destroy() {
    this.present.destroy();
  }
  // A new scene; `fresh`: of other data.
  adopted(fresh) {
    const { panels, key, scene } = this.stage;
    if (fresh) Object.assign(this, { all: false, enlarged: null, sameScale: read(key) });
    if (fresh) this.pins.clear();
    if (this.enlarged !== null && this.enlarged >= panels.length) this.enlarged = null;
    this.knows = scene.kind === "classes" && Boolean(scene.points.truth?.some((c) => c >= 0));
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
    const name = index === null ? "all panels" : panels[index].panel.title;
    board.say(`Showing ${name}`);
    board.schedule("enlarge", "layout");
    return true;
  }
  toggle(panel) {
    const index = this.stage.panels.indexOf(panel);
    return this.enlarge(this.enlarged === null ? index : null);
  }
  // A click on a picture where none sets a label.
  pressed(panel) {
    return !this.stage.scene.editable && this.toggle(panel);
  }
  showAll(all) {
    this.all = all;
    this.stage.board.schedule("more", "layout");
  }
  keydown(event) {
    if (this.stage.draw.on) return;
    if (this.enlarged === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const { board, panels, hand, scene } = this.stage;
    const { classList } = event.target;
    const ours = event.target === board.plots ? !scene.editable : classList.contains("grow");
    const step2 = ours ? STEPS2[event.key] : 0;
    const to = this.enlarged + step2;
    if (step2 && to >= 0 && to < panels.length) {
      const focused = classList.contains("grow");
      this.enlarge(to);
      board.layout();
      if (focused) panels[to].head.grow.focus();
    } else if (event.key === "Escape") {
      if (!hand.drop()) this.enlarge(null);
    } else if (!step2) return;
    event.preventDefault();
    event.stopPropagation();
  }
  // ---- how they are drawn -----------------------------------------------------------------
  // Are errors marked, as far as anything is known about them?
  get marking() {
    return this.errors && this.knows;
  }
  share(on2) {
    this.sameScale = on2;
    write2(this.stage.key, on2);
    this.follow();
    this.stage.board.schedule("scale", "field");
  }
  mark(on2) {
    this.errors = on2;
    this.follow();
    this.stage.board.schedule("errors", "field");
  }
  // Show and hide nodes and set the buttons by the settings.
  follow() {
    const { panels, scene, board } = this.stage;
    const shown = new Set(this.visible);
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
    offer(this.errorTool, this.knows, "Mark errors: ring points of the wrong class", this.errors);
    const pinned = this.pins.on;
    const words = pinned ? "Take the pinned picture away" : "Compare: pin this picture";
    offer(this.compareTool, true, words, pinned);
    this.compareTool.disabled = !pinned && scene.panels.every((panel) => panel.note);
    const { on: on2 } = this.present;
    offer(this.presentTool, true, on2 ? "End the presentation (Esc)" : "Present: large type", on2);
  }
};
function offer(node, visible, label2, pressed) {
  show(node, visible);
  set(node, { title: label2, "aria-label": label2, "aria-pressed": pressed });
}
var place = (key) => `lapviz.same-scale.${key}`;
function read(key) {
  try {
    return localStorage.getItem(place(key)) === "1";
  } catch {
    return false;
  }
}
function write2(key, on2) {
  try {
    localStorage.setItem(place(key), on2 ? "1" : "0");
  } catch {
  }
}

// js/hands/draw.js
var draw_exports = {};
__export(draw_exports, {
  DENSITY: () => DENSITY,
  Draw: () => Draw,
  WIDTH: () => WIDTH,
  relocated: () => relocated,
  sameSheet: () => sameSheet
});

// js/numbers/drawing.js
var drawing_exports = {};
__export(drawing_exports, {
  CELLS: () => CELLS,
  CLASSES: () => CLASSES,
  MOST: () => MOST6,
  MOST_IN_LINK: () => MOST_IN_LINK,
  SHEET: () => SHEET,
  cellAt: () => cellAt,
  cellOf: () => cellOf,
  checkedSheet: () => checkedSheet,
  classesIn: () => classesIn,
  codeOf: () => codeOf,
  decode: () => decode2,
  drawing: () => drawing,
  encode: () => encode,
  groupFor: () => groupFor,
  groupOf: () => groupOf,
  isLabel: () => isLabel,
  placeOf: () => placeOf,
  pointOf: () => pointOf
});
var RULES = contract_default.drawing;
var MOST6 = RULES.most;
var MOST_IN_LINK = RULES.most_in_link;
var CLASSES = RULES.classes;
var CELLS = 1 << RULES.bits;
var SHEET = RULES.sheet;
var OWN_SHEET = 16;
var FAR2 = 2 ** 30;
var BROKEN = "The code of the drawing is not complete, or was changed on its way.";
function drawing(points = [], sheet = SHEET) {
  return { sheet, points };
}
function pointOf(column, row, group) {
  return group * CELLS * CELLS + mortonOf(column, row);
}
var groupOf = (point) => Math.floor(point / (CELLS * CELLS));
var cellOf = (point) => {
  const number = point % (CELLS * CELLS);
  return [gathered(number), gathered(number >> 1)];
};
var groupFor = (code, labelled) => code < 0 ? 0 : 2 * code + (labelled ? 2 : 1);
var codeOf = (point) => Math.floor((groupOf(point) + 1) / 2) - 1;
var isLabel = (point) => groupOf(point) > 0 && groupOf(point) % 2 === 0;
function placeOf(point, [x0, y0, dx, dy]) {
  const [column, row] = cellOf(point);
  return [x0 + dx * column, y0 + dy * row];
}
function cellAt(x, y, [x0, y0, dx, dy]) {
  const near2 = (value) => Math.min(Math.max(Math.round(value), 0), CELLS - 1);
  return [near2((x - x0) / dx), near2((y - y0) / dy)];
}
function classesIn(points) {
  return points.reduce((most, point) => Math.max(most, codeOf(point) + 1), 2);
}
function encode({ sheet, points }) {
  const sorted = [...points].sort((a, b2) => a - b2);
  const own = sheet.some((value, i) => value !== SHEET[i]);
  const count = classesIn(sorted);
  const bytes = [RULES.version, count + (own ? OWN_SHEET : 0)];
  if (own) bytes.push(...new Uint8Array(floatsOf(sheet)));
  const groups = Array.from({ length: 1 + 2 * count }, () => []);
  for (const point of sorted) groups[groupOf(point)].push(point % (CELLS * CELLS));
  for (const { length } of groups) {
    if (length > 127) bytes.push(length % 128 + 128, length >> 7);
    else bytes.push(length);
  }
  const bits = new Bits();
  for (const numbers2 of groups) if (numbers2.length) writeRice(bits, numbers2);
  bytes.push(...bits.bytes);
  const all = [...bytes, ...checkOf(bytes)];
  const text = btoa(String.fromCharCode(...all));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
function decode2(code) {
  if (typeof code !== "string" || !/^[A-Za-z0-9_-]+$/.test(code)) throw new Error(BROKEN);
  if (code.length % 4 === 1) throw new Error(BROKEN);
  const text = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
  const raw = Array.from(text, (letter) => letter.charCodeAt(0));
  const body = raw.slice(0, -3);
  const sound = raw.length >= 5 && checkOf(body).every((byte, i) => byte === raw[raw.length - 3 + i]);
  if (!sound || body[0] !== RULES.version) throw new Error(BROKEN);
  const found = read2(body);
  if (encode(found) !== code) throw new Error(BROKEN);
  return found;
}
function read2(body) {
  const count = body[1] % OWN_SHEET;
  let [at, sheet] = [2, SHEET];
  if (count < 2 || count > CLASSES || body[1] >= 2 * OWN_SHEET) throw new Error(BROKEN);
  if (body[1] >= OWN_SHEET) {
    if (body.length < 18) throw new Error(BROKEN);
    const view = new DataView(Uint8Array.from(body.slice(2, 18)).buffer);
    sheet = checkedSheet([0, 4, 8, 12].map((place2) => view.getFloat32(place2, true)));
    at = 18;
  }
  const sizes = [];
  for (let group = 0; group < 1 + 2 * count; group++) {
    let size = body[at++];
    if (size > 127) size += 128 * (body[at] > 127 ? NaN : body[at++]) - 128;
    if (!(size >= 0)) throw new Error(BROKEN);
    sizes.push(size);
  }
  if (sizes.reduce((a, b2) => a + b2) > MOST6) throw new Error(BROKEN);
  const bits = new Bits(body.slice(at));
  const points = sizes.flatMap(
    (size, group) => size ? readRice(bits, size).map((number) => group * CELLS * CELLS + number) : []
  );
  return drawing(points, sheet);
}
function checkedSheet(sheet) {
  const [x0, y0, dx, dy] = sheet.map(Math.fround);
  const good = [dx, dy].every((step2) => step2 >= 1e-30 && step2 <= 1e30);
  if (!good || !(Math.abs(x0) <= FAR2 * dx && Math.abs(y0) <= FAR2 * dy)) throw new Error(BROKEN);
  return [x0, y0, dx, dy];
}
function floatsOf(sheet) {
  const view = new DataView(new ArrayBuffer(16));
  sheet.forEach((value, i) => view.setFloat32(4 * i, value, true));
  return view.buffer;
}
var Bits = class {
  constructor(bytes = []) {
    Object.assign(this, { bytes, at: 0 });
  }
  push(bit) {
    if (this.at % 8 === 0) this.bytes.push(0);
    if (bit) this.bytes[this.at >> 3] |= 128 >> (this.at & 7);
    this.at += 1;
  }
  pushNumber(value, width) {
    for (let i = width - 1; i >= 0; i--) this.push(value >> i & 1);
  }
  take() {
    if (this.at >= 8 * this.bytes.length) throw new Error(BROKEN);
    const bit = this.bytes[this.at >> 3] & 128 >> (this.at & 7);
    this.at += 1;
    return bit ? 1 : 0;
  }
  takeNumber(width) {
    let value = 0;
    for (let i = 0; i < width; i++) value = 2 * value + this.take();
    return value;
  }
};
function writeRice(bits, numbers2) {
  const gaps = numbers2.map((number, i) => number - (i ? numbers2[i - 1] : 0));
  let [k, least] = [0, Infinity];
  for (let tried = 0; tried < 2 * RULES.bits; tried++) {
    const length = gaps.reduce((sum, gap) => sum + (gap >> tried), tried * gaps.length);
    if (length < least) [k, least] = [tried, length];
  }
  bits.pushNumber(k, 5);
  for (const gap of gaps) {
    for (let i = gap >> k; i > 0; i--) bits.push(1);
    bits.push(0);
    bits.pushNumber(gap, k);
  }
}
function readRice(bits, size) {
  const k = bits.takeNumber(5);
  const numbers2 = [];
  let last = 0;
  for (let i = 0; i < size; i++) {
    let top = 0;
    while (bits.take()) top += 1;
    last += top * 2 ** k + bits.takeNumber(k);
    if (last >= CELLS * CELLS) throw new Error(BROKEN);
    numbers2.push(last);
  }
  return numbers2;
}
function mortonOf(column, row) {
  return spread2(column) | spread2(row) << 1;
}
function spread2(value) {
  let v2 = value;
  v2 = (v2 | v2 << 8) & 16711935;
  v2 = (v2 | v2 << 4) & 252645135;
  v2 = (v2 | v2 << 2) & 858993459;
  return (v2 | v2 << 1) & 1431655765;
}
function gathered(value) {
  let v2 = value & 1431655765;
  v2 = (v2 | v2 >> 1) & 858993459;
  v2 = (v2 | v2 >> 2) & 252645135;
  v2 = (v2 | v2 >> 4) & 16711935;
  return (v2 | v2 >> 8) & 65535;
}
function checkOf(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let i = 0; i < 8; i++) crc = crc >>> 1 ^ (crc & 1 ? 3988292384 : 0);
  }
  const value = ~crc >>> 0;
  return [value & 255, value >> 8 & 255, value >> 16 & 255];
}

// js/numbers/numbers.js
var numbers_exports = {};
__export(numbers_exports, {
  numberOf: () => numberOf,
  numberText: () => numberText
});
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

// js/bars/parts.js
var ICONS = {
  undo: "M3 6 H10 A3.5 3.5 0 0 1 10 13 H6 M3 6 L6 3 M3 6 L6 9",
  redo: "M13 6 H6 A3.5 3.5 0 0 0 6 13 H10 M13 6 L10 3 M13 6 L10 9",
  clear: "M3 4.5 H13 M6 4.5 V3 H10 V4.5 M4.5 4.5 L5.2 13 H10.8 L11.5 4.5",
  plus: "M8 3.5 V12.5 M3.5 8 H12.5",
  minus: "M3.5 8 H12.5",
  whole: "M3 6 V3 H6 M10 3 H13 V6 M13 10 V13 H10 M6 13 H3 V10"
};
function edits(act, label2) {
  const undo2 = tool(ICONS.undo, "Undo (Ctrl+Z)", () => act.undo());
  const redo2 = tool(ICONS.redo, "Redo (Ctrl+Shift+Z)", () => act.redo());
  const clear = tool(ICONS.clear, label2, () => act.clear());
  return { undo: undo2, redo: redo2, clear, nodes: [undo2, redo2, clear] };
}
function zooms(zoom) {
  const whole = tool(ICONS.whole, "Whole picture", () => zoom(0));
  const out = tool(ICONS.minus, "Zoom out (−)", () => zoom(1 / 1.4));
  const into = tool(ICONS.plus, "Zoom in (+)", () => zoom(1.4));
  return { whole, nodes: [out, into, whole] };
}
function swatch(code, name, { label: label2, key = "", theme, run: run2 = null }) {
  const known = code >= 0;
  const fill2 = known ? css(theme.classes[code % theme.classes.length]) : css(theme.line, 0.65);
  const shape = shapePath(Math.max(code, 0), known ? 5 : 3.5);
  const inside = [icon(shape, { fill: fill2, stroke: css(theme.text, 0.7) }), element("span", {}, name)];
  if (!run2) return element("span.swatch.fixed", { role: "listitem" }, ...inside);
  const title = key ? `${label2} (key ${key})` : label2;
  const choice = { type: "button", role: "radio", title, "aria-label": label2 };
  return element("button.swatch", { ...choice, onclick: () => run2(code) }, ...inside);
}
function range(spec, label2, title, [min, max], run2, more = {}) {
  const oninput = (event) => run2(Number(event.target.value));
  return element(spec, { type: "range", min, max, title, "aria-label": label2, ...more, oninput });
}
var Folded = class {
  constructor(node) {
    this.numbers = element("summary.numbers");
    this.node = element("details.fold", {}, this.numbers, node);
  }
  follow(specs) {
    const numbers2 = specs.map(({ symbol, value, whole }) => `${symbol} = ${numberText(value, whole)}`);
    setText(this.numbers, numbers2.join(", "));
  }
};

// js/bars/draw_bar.js
var PENCIL = "M3 13 L3.8 9.9 L10.8 2.9 L13.1 5.2 L6.1 12.2 Z M9.5 4.2 L11.8 6.5";
var BRUSH = "M13.5 2.5 L7.5 8.5 M7.5 8.5 C5.5 8 4 9.2 3.9 11 C3.8 12.3 3 13 2.3 13.2 C4.5 14.2 8.6 13.6 8.7 10.4 C8.7 9.6 8.2 8.9 7.5 8.5";
var ERASER = "M2.5 10 L9 3.5 L13 7.5 L7.5 13 H5.5 Z M5.7 6.8 L9.8 10.8 M7.5 13 H13.5";
var MOVE = "M8 2 V14 M2 8 H14 M8 2 L6.2 3.8 M8 2 L9.8 3.8 M8 14 L6.2 12.2 M8 14 L9.8 12.2 M2 8 L3.8 6.2 M2 8 L3.8 9.8 M14 8 L12.2 6.2 M14 8 L12.2 9.8";
var EMPTY = "M4 2.5 H9.5 L12.5 5.5 V13.5 H4 Z M9.5 2.5 V5.5 H12.5";
var SAVE2 = "M8 2.5 V10 M5 7 L8 10 L11 7 M3 12.5 H13";
var LABEL = "M2.5 7.5 L7.5 2.5 H13.5 V8.5 L8.5 13.5 Z M10.5 5.5 V5.6";
var TOOLS = {
  brush: [BRUSH, "Brush: paint points (B)"],
  eraser: [ERASER, "Eraser: take points away (E)"],
  move: [MOVE, "Move: drag points (M)"]
};
var DrawBar = class {
  constructor(draw3) {
    this.draw = draw3;
    const words = (text, title, onclick) => element("button.words-tool", { type: "button", title, onclick }, text);
    this.opener = element(
      "button.words-tool.opener",
      {
        type: "button",
        title: "Draw: paint your own data set, from an empty sheet or from these points",
        onclick: () => draw3.toggle()
      },
      icon(PENCIL),
      "Draw"
    );
    this.tools = Object.entries(TOOLS).map(
      ([name, [path, label3]]) => tool(path, label3, () => draw3.choose(name), { role: "radio" })
    );
    this.paints = element("div.paints", { role: "radiogroup", "aria-label": "Class to paint" });
    const wide2 = "Radius of the brush in pixels ([ and ])";
    this.width = setting("Width", WIDTH, wide2, (radius) => draw3.set({ radius }));
    const dense = "How many points a click paints; a stroke paints as many for each width (, and .)";
    this.density = setting("Density", DENSITY, dense, (density) => draw3.set({ density }));
    const label2 = "Labels: points painted now are labelled; without any, two of each class are";
    this.labels = tool(LABEL, label2, () => draw3.set({ labels: !draw3.labels }));
    this.undo = tool(ICONS.undo, "Undo (Ctrl+Z)", () => draw3.undo());
    this.redo = tool(ICONS.redo, "Redo (Ctrl+Shift+Z)", () => draw3.redo());
    this.wipe = tool(EMPTY, "Empty sheet", () => draw3.wipe());
    this.file = tool(SAVE2, "Save as a file: x, y, class, labelled (CSV)", () => draw3.save());
    this.count = element("span.count");
    const painting = [
      element("div.kit", { role: "radiogroup", "aria-label": "Tool" }, ...this.tools),
      this.paints,
      this.width.node,
      this.density.node,
      element("div.kit", {}, this.labels, this.undo, this.redo, this.wipe, this.file)
    ];
    const starting = [
      element("span", {}, "Draw on"),
      words("An empty sheet", "Paint all points yourself", () => draw3.begin(false)),
      words("These points", "Paint more points, erase and move these", () => draw3.begin(true))
    ];
    this.painting = element("div.painting", {}, ...painting);
    this.starting = element("div.starting", {}, ...starting);
    this.hint = element("span.how");
    this.foot = element("div.foot", {}, this.count, this.hint);
    this.node = element(
      "div.drawbar",
      { role: "toolbar", "aria-label": "Drawing" },
      this.starting,
      this.painting,
      this.foot
    );
    for (const node of [this.node, this.opener]) show(node, false);
  }
  follow(theme) {
    const { draw: draw3 } = this;
    const points = draw3.current?.points ?? [];
    show(this.opener, draw3.offered);
    this.opener.setAttribute("aria-pressed", String(draw3.on));
    show(this.node, draw3.on);
    if (!draw3.on) return;
    show(this.starting, !draw3.current);
    show(this.painting, Boolean(draw3.current));
    show(this.foot, Boolean(draw3.current));
    setText(this.hint, hint());
    this.arrange(theme);
    check(this.tools, Object.keys(TOOLS).indexOf(draw3.tool));
    const none = this.paints.children.length - 1;
    check(this.paints.children, draw3.tool !== "brush" ? -1 : draw3.code < 0 ? none : draw3.code);
    this.labels.setAttribute("aria-pressed", String(draw3.labels));
    this.width.set(draw3.radius);
    this.density.set(draw3.density);
    this.undo.disabled = !draw3.stack?.past.length && !draw3.stroke;
    this.redo.disabled = !draw3.stack?.future.length;
    this.wipe.disabled = this.file.disabled = !points.length;
    setText(this.count, countWords(points.length));
  }
  arrange(theme) {
    const same3 = `${this.draw.palette} ${theme.id}`;
    if (same3 === this.arranged) return;
    this.arranged = same3;
    const paint = (code, name, label2) => swatch(code, name, { label: label2, key: String((code + 1) % 10), theme, run: (one) => this.draw.pick(one) });
    const codes = Array.from({ length: this.draw.palette }, (_2, code) => code);
    this.paints.replaceChildren(
      ...codes.map((code) => paint(code, String(code + 1), `class ${code + 1}`)),
      paint(-1, "none", "Points without a class")
    );
  }
};
function setting(name, { least, most, first }, title, set2) {
  const input = range("input.radius", name, title, [least, most], set2, { value: first });
  const node = element("label.setting", { title }, name, input);
  return { node, set: (value) => Number(input.value) !== Math.round(value) && (input.value = value) };
}
function countWords(n) {
  const points = `${n.toLocaleString("en")} point${n === 1 ? "" : "s"}`;
  if (!n) return points;
  return n <= MOST_IN_LINK ? `${points}, in the link` : `${points}: too many for a link (${MOST_IN_LINK}), save them as a file`;
}
function hint() {
  const touch = matchMedia("(pointer: coarse)").matches;
  if (touch) return "one finger: paint · two fingers: zoom";
  return "drag: paint · arrows, then Space: paint by keys · 1–9: class, 0: none · B, E, M: tool · Esc: done";
}

// js/hands/draw_brush.js
var draw_brush_exports = {};
__export(draw_brush_exports, {
  asTable: () => asTable,
  moved: () => moved2,
  nearestTo: () => nearestTo,
  painted: () => painted,
  pointsFrom: () => pointsFrom,
  randomFrom: () => randomFrom,
  spray: () => spray,
  touchedBy: () => touchedBy,
  without: () => without
});
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
  const room2 = Math.max(MOST6 - points.length, 0);
  const group = groupFor(code, labelled);
  const fresh = on2.slice(0, room2).map(([x, y]) => pointOf(...cellAt(x, y, sheet), group));
  return [[...points, ...fresh], on2.length > room2];
}
function touchedBy(points, sheet, toPixel, [ax, ay], [bx, by], radius) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy || 1;
  const found = [];
  points.forEach((point, i) => {
    const [u, v2] = toPixel(...placeOf(point, sheet));
    const t = Math.min(Math.max(((u - ax) * dx + (v2 - ay) * dy) / length, 0), 1);
    if ((u - ax - t * dx) ** 2 + (v2 - ay - t * dy) ** 2 <= radius * radius) found.push(i);
  });
  return found;
}
function nearestTo(points, sheet, toPixel, [x, y], reach) {
  let [best, at] = [reach * reach, -1];
  points.forEach((point, i) => {
    const [u, v2] = toPixel(...placeOf(point, sheet));
    const d = (u - x) ** 2 + (v2 - y) ** 2;
    if (d <= best) [best, at] = [d, i];
  });
  return at < 0 ? [] : [at];
}
function without(points, positions) {
  const gone = new Set(positions);
  return points.filter((_2, i) => !gone.has(i));
}
function moved2(points, positions, sheet, [dx, dy]) {
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
  const room2 = Math.max(most - first.length, 0);
  const every = Math.max(rest.length / Math.max(room2, 1), 1);
  const count = Math.min(room2, rest.length);
  const thinned = Array.from({ length: count }, (_2, i) => rest[Math.floor(i * every)]);
  return [...first.slice(0, most), ...thinned];
}
function asTable({ points, sheet }) {
  const rows = [...points].sort((a, b2) => a - b2).map((point) => {
    const code = codeOf(point);
    const labelled = groupFor(code, true) === groupOf(point) && code >= 0 ? 1 : 0;
    return [...placeOf(point, sheet), code < 0 ? "" : `class ${code + 1}`, labelled].join(",");
  });
  return `x,y,class,labelled
${rows.map((row) => `${row}
`).join("")}`;
}

// js/paint/draw_marks.js
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
    context.fillStyle = code < 0 ? css(theme.line, 0.65) : css(theme.classes[code]);
    context.strokeStyle = code < 0 ? css(theme.halo, 0.8) : css(theme.outline, 0.75);
    context.lineWidth = 0.8;
    context.fill();
    if (few) context.stroke();
  }
}
function drawCursor(context, [x, y], { tool: tool2, radius, code }, theme) {
  const painting = tool2 === "brush";
  context.beginPath();
  context.arc(x, y, Math.max(radius, 3), 0, 6.2832);
  const style = painting && code >= 0 ? css(theme.classes[code]) : css(theme.text);
  haloed(context, theme, [3.5, 0.8], 1.5, style, tool2 === "eraser" ? [4, 3] : []);
}

// js/hands/draw.js
var DEPTH2 = 200;
var REACH2 = { mouse: 12, touch: 22 };
var WIDTH = { least: 2, most: 70, first: 18 };
var DENSITY = { least: 1, most: 40, first: 6 };
var kept3 = null;
var same2 = (a, b2) => a.every((value, i) => value === b2[i]);
var Draw = class {
  constructor(stage) {
    Object.assign(this, { stage, on: false, stack: null, version: 0, stroke: null, cursor: null });
    Object.assign(this, { tool: "brush", code: 0, labels: false, pointer: null, grabbed: false });
    Object.assign(this, { radius: WIDTH.first, density: DENSITY.first, grown: false });
    this.bar = new DrawBar(this);
    stage.board.toolbar.node.after(this.bar.node);
    stage.board.toolbar.tools.prepend(this.bar.opener);
  }
  // ---- what is drawn ----------------------------------------------------------------------
  // Whether points may be drawn here at all.
  get offered() {
    return typeof this.stage.scene?.drawing === "string";
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
    return Boolean(this.sheet && this.current && same2(this.sheet, this.current.sheet));
  }
  // The drawing as it stands, in the middle of a stroke, too.
  get current() {
    if (!this.stack) return null;
    return this.stroke ? drawing(this.stroke.points, this.stack.present.sheet) : this.stack.present;
  }
  get message() {
    return encode(this.current);
  }
  // Python hears of it; `moving`: in the middle of a stroke.
  tell(moving = false) {
    const { channel } = this.stage;
    channel.change("drawing", () => this.message);
    channel.post(moving);
  }
  // A new scene; `other`: of other data than a drawing on the same sheet.
  adopt(scene, other) {
    const code = scene.drawing;
    this.sheet = code ? decode2(code).sheet : null;
    if (!this.stage.channel.has("drawing")) {
      if (!code) this.put(null);
      else if (!this.stack || this.message !== code) this.put(recalled(code, this.stack));
    }
    if (!this.offered || other && !code && !this.stack) this.leave();
    else if (other && code && !this.current.points.length) this.open();
    if (this.on) this.grow();
  }
  put(stack) {
    this.stroke = null;
    this.stack = stack;
    if (stack) kept3 = stack;
    this.version += 1;
    this.repaint("base");
  }
  // A change of the points by one act of the hand.
  change(points, said) {
    const { present, past } = this.stack;
    this.put({
      past: [...past, present].slice(-DEPTH2),
      present: drawing(points, present.sheet),
      future: []
    });
    this.commit(said);
  }
  commit(said) {
    const { stage } = this;
    this.tell();
    const count = this.current.points.length;
    stage.board.say(`${said}; ${count} point${count === 1 ? "" : "s"}`);
    stage.board.schedule("drawing", "field");
  }
  travel(stack, word) {
    if (!this.stack || stack === this.stack) return false;
    this.put(stack);
    this.commit(word);
    return true;
  }
  undo() {
    if (this.stroke) return this.cancel();
    return this.stack ? this.travel(undo(this.stack), "undone") : false;
  }
  redo() {
    return this.stack && !this.stroke ? this.travel(redo(this.stack), "redone") : false;
  }
  // ---- mode -------------------------------------------------------------------------------
  toggle() {
    if (this.on) this.leave();
    else this.open();
  }
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
    if (this.grown) this.stage.enlarge(null);
    this.grown = false;
    this.moved();
  }
  // Sixteen pictures are too small to draw on: one of them is shown alone.
  grow() {
    const { panels, display } = this.stage;
    if (this.grown || display.enlarged !== null || panels.length <= 6 || !this.current) return;
    this.grown = this.stage.enlarge(1);
  }
  moved() {
    const { stage } = this;
    stage.board.root.toggleAttribute("data-drawing", this.on);
    for (const panel of stage.panels) this.unlock(panel);
    stage.board.describe();
    stage.board.schedule("drawing", "layout");
  }
  // A picture that has a sentence in its place can be drawn on.
  unlock(panel) {
    panel.open = this.stage.scene.editable || this.on;
    panel.node.classList.toggle("open", panel.open);
  }
  // Begin with an empty sheet, or with the points on screen.
  begin(from) {
    const { scene, labels, board } = this.stage;
    let made = drawing();
    if (from) {
      const [x0, x1, y0, y1] = scene.view;
      const sheet = checkedSheet([x0, y0, (x1 - x0) / CELLS, (y1 - y0) / CELLS]);
      made = drawing(pointsFrom(scene.points, labels, sheet, MOST_IN_LINK), sheet);
      const [of, kept6] = [scene.n_samples ?? scene.points.count, made.points.length];
      if (kept6 < of) board.remark(`This keeps ${kept6} of ${of} points, which fit a link`);
    }
    this.put(history(made));
    this.commit(from ? "drawing on these points" : "an empty sheet");
    this.moved();
  }
  // A new, empty sheet in one step that can be undone.
  wipe() {
    if (this.current?.points.length) this.change([], "an empty sheet");
  }
  pick(code) {
    if (code >= CLASSES) return false;
    Object.assign(this, { code, tool: "brush" });
    this.stage.board.say(code < 0 ? "Points without a class" : `Class ${code + 1}`);
    this.repaint();
    return true;
  }
  choose(tool2) {
    this.tool = tool2;
    this.stage.board.say({ brush: "Brush", eraser: "Eraser", move: "Move points" }[tool2]);
    this.repaint();
    return true;
  }
  set(changes) {
    Object.assign(this, changes);
    this.repaint();
  }
  save() {
    const blob = new Blob([asTable(this.current)], { type: "text/csv" });
    const link = document.createElement("a");
    Object.assign(link, { href: URL.createObjectURL(blob), download: "drawing.csv" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 0);
  }
  // ---- strokes ----------------------------------------------------------------------------
  toPixel(x, y) {
    return this.stage.view.toPixel(x, y, this.stage.board.place.box);
  }
  toPlane(px, py) {
    return this.stage.view.toPlane(px, py, this.stage.board.place.box);
  }
  // A hand comes down at (x, y), in pixels; `squeeze`: a pen's pressure as a share of the width.
  start([x, y], { squeeze = 1, touch = false } = {}) {
    const { points, sheet } = this.stack.present;
    const [random, at] = [randomFrom(points.length + 1), [x, y]];
    this.stroke = { points, at, from: at, random, debt: this.density, held: [] };
    if (this.tool === "move") {
      const toPixel = (...place2) => this.toPixel(...place2);
      const inside = touchedBy(points, sheet, toPixel, at, at, this.radius);
      const reach = touch ? REACH2.touch : REACH2.mouse;
      this.stroke.held = inside.length ? inside : nearestTo(points, sheet, toPixel, at, reach);
    } else this.extend(at, squeeze);
  }
  extend(to, squeeze = 1) {
    const { stroke, tool: tool2 } = this;
    const [radius, { sheet }] = [this.radius * squeeze, this.stack.present];
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
      if (full) this.stage.board.remark(`A drawing has at most ${MOST6} points`);
    } else if (tool2 === "eraser") {
      const toPixel = (...place2) => this.toPixel(...place2);
      const gone = touchedBy(before, sheet, toPixel, stroke.at, to, radius);
      if (gone.length) stroke.points = without(before, gone);
    } else if (stroke.held.length) {
      const [a, b2] = [this.toPlane(...stroke.from), this.toPlane(...to)];
      const by = [b2[0] - a[0], b2[1] - a[1]];
      stroke.points = moved2(this.stack.present.points, stroke.held, sheet, by);
    }
    stroke.at = to;
    if (stroke.points !== before) this.during();
  }
  // The picture follows the hand: the points at once, the fields as Python answers.
  during() {
    this.version += 1;
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
    this.version += 1;
    if (changed) this.commit("undone");
    this.repaint("base");
    return true;
  }
  // ---- by keys ----------------------------------------------------------------------------
  // The cursor, or what it has picked up, goes a step in the direction (dx, dy).
  step(dx, dy, share) {
    const [x0, x1, y0, y1] = this.stage.view.range;
    const [x, y] = this.cursor ?? [(x0 + x1) / 2, (y0 + y1) / 2];
    const size = share * Math.max(x1 - x0, y1 - y0);
    const to = [x + dx * size, y + dy * size];
    this.cursor = [Math.min(Math.max(to[0], x0), x1), Math.min(Math.max(to[1], y0), y1)];
    this.pointer = null;
    if (this.grabbed) this.extend(this.toPixel(...this.cursor));
    this.stage.board.say(this.cursor.map((v2) => short(v2)).join(", "));
    this.repaint();
    return true;
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
    this.pointer = at && { panel, at };
    this.repaint();
  }
  // The drawing's points as a canvas; null while those of the answer are shown.
  layer(brush) {
    if (!this.shown) return null;
    return this.stage.board.layers.layer(
      "drawing",
      this.version,
      brush,
      (context) => drawPoints(context, this.current, brush)
    );
  }
  // The tool's circle at the pointer, or at the keyboard's cursor in all panels.
  paint(context, panel, theme) {
    if (!this.ready) return;
    if (this.pointer?.panel === panel) drawCursor(context, this.pointer.at, this, theme);
    else if (this.cursor) drawCursor(context, this.toPixel(...this.cursor), this, theme);
  }
  // Classes that the palette offers: those in use, and one more.
  get palette() {
    return Math.min(Math.max(classesIn(this.current?.points ?? []), this.code + 1) + 1, CLASSES);
  }
};
function sameSheet(before, scene) {
  if (!before?.drawing || !scene.drawing) return false;
  return same2(decode2(before.drawing).sheet, decode2(scene.drawing).sheet);
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
function recalled(code, stack) {
  if (kept3 && encode(kept3.present) === code) return kept3;
  const present = decode2(code);
  if (!stack || !same2(stack.present.sheet, present.sheet)) return history(present);
  return { past: [...stack.past, stack.present].slice(-DEPTH2), present, future: [] };
}

// js/hands/draw_listen.js
var STEP2 = 0.02;
var FAST = 5;
var PEN = { least: 0.4, range: 1.2 };
var ARROWS2 = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
var TOOLS2 = { b: "brush", e: "eraser", m: "move" };
function listenDraw(plot, panel, stage) {
  const { draw: draw3, hand, board } = stage;
  const place2 = (event) => {
    const frame = plot.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  const squeeze = (event) => event.pointerType === "pen" && event.pressure > 0 ? PEN.least + PEN.range * event.pressure : 1;
  plot.addEventListener("pointerdown", (event) => {
    if (!draw3.ready || panel.frozen || event.button !== 0 || !event.isPrimary) return;
    const at = place2(event);
    if (!hand.inBox(...at)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    board.plots.focus({ preventScroll: true });
    hand.forget();
    draw3.drop();
    plot.setPointerCapture(event.pointerId);
    draw3.hover(panel, event.pointerType === "touch" ? null : at);
    draw3.start(at, { squeeze: squeeze(event), touch: event.pointerType === "touch" });
  });
  plot.addEventListener("pointermove", (event) => {
    if (!draw3.ready || panel.frozen) return;
    event.stopImmediatePropagation();
    if (!event.isPrimary) return;
    const at = place2(event);
    if (event.pointerType !== "touch") draw3.hover(panel, hand.inBox(...at) ? at : null);
    if (!draw3.stroke) return;
    const all = event.getCoalescedEvents?.() ?? [];
    for (const one of all.length ? all : [event]) draw3.extend(place2(one), squeeze(one));
  });
  plot.addEventListener("pointerup", (event) => {
    if (!draw3.stroke) return;
    event.stopImmediatePropagation();
    if (event.isPrimary) draw3.finish();
  });
  plot.addEventListener("pointercancel", () => draw3.finish());
  plot.addEventListener("pointerleave", () => draw3.hover(panel, null));
  plot.addEventListener(
    "touchstart",
    (event) => {
      if (event.touches.length > 1) draw3.cancel();
      else if (draw3.ready) event.preventDefault();
    },
    { passive: false }
  );
}
function pressDraw(event, draw3) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) {
    if (key === "z") return event.shiftKey ? draw3.redo() : draw3.undo();
    return key === "y" ? draw3.redo() : false;
  }
  if (event.altKey) return false;
  if (key === "Escape") {
    if (!draw3.cancel() && !draw3.drop()) draw3.leave();
    return true;
  }
  if (!draw3.ready) return false;
  if (key in ARROWS2) return draw3.step(...ARROWS2[key], event.shiftKey ? FAST * STEP2 : STEP2);
  if (key === " " || key === "Enter") return event.repeat || draw3.press();
  if (key === "Delete" || key === "Backspace") return draw3.rub();
  if (key in TOOLS2) return draw3.choose(TOOLS2[key]);
  if (key === "[" || key === "]") {
    const wider = draw3.radius * (key === "]" ? 1.25 : 0.8);
    draw3.set({ radius: Math.min(Math.max(wider, WIDTH.least), WIDTH.most) });
    return true;
  }
  if (key === "," || key === ".") {
    const denser = Math.round(draw3.density * (key === "." ? 1.4 : 0.7) + (key === "." ? 0.5 : -0.5));
    draw3.set({ density: Math.min(Math.max(denser, DENSITY.least), DENSITY.most) });
    return true;
  }
  if (/^\d$/.test(key)) return Number(key) <= CLASSES && draw3.pick(Number(key) - 1);
  if (key === "+" || key === "=") return draw3.stage.zoomBy(1.4);
  if (key === "-" || key === "_") return draw3.stage.zoomBy(1 / 1.4);
  return key === "Home" && draw3.stage.zoomBy(0);
}

// js/hands/hand.js
var STEP3 = Math.PI / 24;
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
    return box && x >= box.x && y >= box.y && x <= box.x + box.w && y <= box.y + box.h;
  }
  repaint() {
    this.stage.board.schedule("", "over");
  }
  // ---- pointer ----------------------------------------------------------------------------
  hover(panel, x, y) {
    if (!this.inBox(x, y) || panel.closed) return this.leave();
    this.hovered = panel;
    this.target = targetAt(x, y, this.lens);
    const clickable = this.stage.canLabel(this.target);
    const free = this.turns ? "grab" : "crosshair";
    panel.plot.style.cursor = clickable && this.target.snapped ? "pointer" : free;
    if (!this.turns && !this.stage.scene.editable && this.stage.panels.length > 1)
      panel.plot.style.cursor = this.stage.enlarged === null ? "zoom-in" : "zoom-out";
    this.repaint();
  }
  leave() {
    if (!this.target || this.cursor) return;
    this.forget();
    this.repaint();
  }
  // A click; `twice` when it is the second of two in the same place.
  press(panel, x, y, reach, twice, also = false) {
    if (!this.inBox(x, y) || panel.closed) return;
    const { stage } = this;
    stage.board.plots.focus({ preventScroll: true });
    this.cursor = null;
    if (twice && stage.view.zoomed) {
      if (this.pressed) stage.undo();
      this.pressed = false;
      stage.zoomBy(0);
      return;
    }
    if (stage.display.pressed(panel)) return;
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
    const [place2, ...rest] = describe(this.cursor, this.hovered, stage.scene, stage.labels);
    stage.board.say([...rest, place2].join(", "));
    this.repaint();
    return true;
  }
  // A step of the turn; the cursor stays on its point.
  turn(dx, dy) {
    const { stage } = this;
    stage.view.turn(dx * STEP3, -dy * STEP3);
    const { scene } = this.lens;
    if (this.cursor?.point >= 0) this.cursor = spaceTarget(scene.points, this.cursor.point);
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
    if (!this.cursor) return false;
    this.stage.toggleAt(this.cursor, also);
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

// js/hands/keys.js
var TYPED = "input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select, canvas, [contenteditable]:not([contenteditable=false]), [role=combobox], [role=listbox], [role=grid], [role=menu]";
function isFree({ key, ctrlKey, metaKey, altKey }) {
  if (altKey) return false;
  return ctrlKey || metaKey ? /^[zy]$/i.test(key) : /^[0-9bem[\],.]$/i.test(key);
}
function listenKeys(root, plots, press) {
  const heard = (event) => {
    const [at] = event.composedPath();
    if (at !== plots) {
      const others = Object.keys(globalThis.__lapviz?.stages ?? {}).length > 1;
      if (event.defaultPrevented || !isFree(event) || at.closest?.(TYPED)) return;
      if (others && !root.contains(at)) return;
    }
    if (!press(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("keydown", heard);
  return () => document.removeEventListener("keydown", heard);
}

// js/hands/player.js
var SPEED = 1.5;
var STEP4 = 0.5;
var EVERY = 800;
var Player = class {
  constructor(set2, changed) {
    Object.assign(this, { set: set2, changed, on: false, way: 1 });
  }
  toggle(lam, lo, hi) {
    if (this.on) {
      this.stop();
      return;
    }
    this.on = true;
    this.range = [Math.log10(lo), Math.log10(hi)];
    this.at = Math.min(Math.max(Math.log10(lam || lo), this.range[0]), this.range[1]);
    if (this.at >= this.range[1] - 1e-9) this.way = -1;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.walk();
    else this.run(performance.now());
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
    this.next = requestAnimationFrame((now) => {
      if (!this.on) return;
      this.advance(SPEED * Math.min(Math.max(now - before, 0), 100) / 1e3);
      this.run(now);
    });
  }
  walk() {
    this.timer = setTimeout(() => {
      if (!this.on) return;
      this.advance(STEP4);
      this.walk();
    }, EVERY);
  }
  advance(decades2) {
    const [lo, hi] = this.range;
    this.at += this.way * decades2;
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

// js/numbers/anchor.js
var anchor_exports = {};
__export(anchor_exports, {
  Anchored: () => Anchored
});
var NEGLIGIBLE = 1e-6;
var MOST_GROWTH = 1.5;
var Anchored = class {
  // model: a ModesModel; anchor: {lam, filter (compiled), labels, grid, points} of Python's answer.
  constructor(model, anchor) {
    Object.assign(this, { inner: model, outputs: model.outputs, anchor, rests: {} });
  }
  evaluate(settings, out) {
    if (!this.inner.evaluate(settings, out)) return false;
    if (this.inner.truncated) {
      const share = this.share(settings);
      for (const kind of ["grid", "points"]) {
        if (out[kind] && share) this.add(out[kind], kind, share);
      }
    }
    return true;
  }
  // Share of the anchor's difference that still applies: from the filter's weight of the tail at
  // both settings, and from the labels that both have.
  share({ lam, filter, labels }) {
    const { anchor, inner } = this;
    const { gamma, gamma1 } = inner.modes;
    const tail = 2 * gamma[gamma.length - 1];
    const given = Boolean(inner.given);
    if (!given && !labels.length) return 0;
    const kept6 = anchor.labels.filter((label2) => {
      const at = findLabel(labels, label2);
      return at >= 0 && sameClasses(labels[at], label2);
    });
    const stay = given ? 1 : kept6.length / labels.length;
    if (inner.dataTerm === "poisson") return stay;
    const before = anchor.filter?.h?.(anchor.lam, tail, gamma1) ?? 0;
    if (!(before > NEGLIGIBLE)) return 0;
    const most = inner.dataTerm === "all" ? Infinity : MOST_GROWTH;
    return Math.min(filter.h(lam, tail, gamma1) / before, most) * stay;
  }
  add(target, kind, share) {
    const rest = this.rests[kind] ??= this.rest(kind, target.length);
    if (!rest) return;
    for (let p = 0; p < target.length; p++) target[p] += share * rest[p];
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

// js/numbers/balance.js
var Balanced = class {
  // model: a ModesModel; spec: the panel's model record, with the rule ("scale" or "shift"), the
  // number of labels beside the given ones, and factors on the grid, or null; count: of the points.
  constructor(model, { balance, pseudo, fade: fade2 }, count) {
    Object.assign(this, { inner: model, outputs: model.outputs, rule: balance, pseudo, count });
    this.fade = fade2?.data ?? null;
  }
  get modes() {
    return this.inner.modes;
  }
  get dataTerm() {
    return this.inner.dataTerm;
  }
  get truncated() {
    return this.inner.truncated;
  }
  evaluate(settings, out) {
    const { outputs: k, count, inner } = this;
    const points = out.points ?? (this.own ??= new Float64Array(k * count));
    if (!inner.evaluate(settings, { grid: out.grid, points })) return false;
    if (!settings.labels.length) return true;
    const change = this.change(points, this.priorOf(settings.labels));
    for (const values of [out.grid, out.points]) if (values) apply(values, k, change);
    const { fade: fade2 } = this;
    if (fade2 && out.grid) for (let i = 0; i < out.grid.length; i++) out.grid[i] *= fade2[i % fade2.length];
    return true;
  }
  // The classes' proportions: those of the labels, and as many more of each as Python says; of
  // several candidates each has an equal share.
  priorOf(labels) {
    const { nClasses } = this.inner;
    const counts = new Float64Array(nClasses).fill(this.pseudo);
    for (const label2 of labels) sharesOf(label2, nClasses).forEach((share, c) => counts[c] += share);
    return counts.map((count) => count / (labels.length + this.pseudo * nClasses));
  }
  // Factor and shift of each class's share.
  change(points, prior) {
    const { outputs: k, count, rule } = this;
    const classes = prior.length;
    const mass = new Float64Array(classes);
    for (let i = 0; i < count; i++) {
      for (let c = 0; c < classes; c++) {
        const share = shareAt(points, i, count, k, c, classes);
        mass[c] += (rule === "scale" ? Math.max(share, 0) : share) / count;
      }
    }
    if (rule === "shift") return { factor: prior.map(() => 1), shift: prior.map((p, c) => p - mass[c]) };
    return { factor: prior.map((p, c) => mass[c] > 0 ? p / mass[c] : 1), shift: prior.map(() => 0) };
  }
};
function shareAt(values, at, stride, k, c, classes) {
  if (k === 1) return 0.5 * (1 + (c ? values[at] : -values[at]));
  return values[at + c * stride] + 1 / classes;
}
function apply(values, k, { factor, shift }) {
  const stride = values.length / k;
  const classes = factor.length;
  for (let i = 0; i < stride; i++) {
    if (k === 1) {
      const [no, yes] = [0, 1].map((c) => shareAt(values, i, 1, 1, c, 2) * factor[c] + shift[c]);
      values[i] = yes - no;
      continue;
    }
    for (let c = 0; c < k; c++) {
      const share = shareAt(values, i, stride, k, c, classes);
      values[i + c * stride] = share * factor[c] + shift[c] - 1 / classes;
    }
  }
}

// js/numbers/filters.js
var filters_exports = {};
__export(filters_exports, {
  compileFilters: () => compileFilters
});

// js/numbers/formulas.js
var formulas_exports = {};
__export(formulas_exports, {
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
  "<": (out, n, a, s, b2, t) => {
    for (let i = 0; i < n; i++) out[i] = a[i * s] < b2[i * t] ? 1 : 0;
  },
  "<=": (out, n, a, s, b2, t) => {
    for (let i = 0; i < n; i++) out[i] = a[i * s] <= b2[i * t] ? 1 : 0;
  },
  ">": (out, n, a, s, b2, t) => {
    for (let i = 0; i < n; i++) out[i] = a[i * s] > b2[i * t] ? 1 : 0;
  },
  ">=": (out, n, a, s, b2, t) => {
    for (let i = 0; i < n; i++) out[i] = a[i * s] >= b2[i * t] ? 1 : 0;
  },
  "==": (out, n, a, s, b2, t) => {
    for (let i = 0; i < n; i++) out[i] = a[i * s] === b2[i * t] ? 1 : 0;
  },
  minimum: (out, n, a, s, b2, t) => {
    for (let i = 0; i < n; i++) out[i] = Math.min(a[i * s], b2[i * t]);
  },
  maximum: (out, n, a, s, b2, t) => {
    for (let i = 0; i < n; i++) out[i] = Math.max(a[i * s], b2[i * t]);
  }
};
var ONE = {
  neg: (out, n, a, s) => {
    for (let i = 0; i < n; i++) out[i] = -a[i * s];
  },
  exp: (out, n, a, s) => {
    for (let i = 0; i < n; i++) out[i] = Math.exp(a[i * s]);
  },
  expm1: (out, n, a, s) => {
    for (let i = 0; i < n; i++) out[i] = Math.expm1(a[i * s]);
  },
  log: (out, n, a, s) => {
    for (let i = 0; i < n; i++) out[i] = Math.log(a[i * s]);
  },
  log1p: (out, n, a, s) => {
    for (let i = 0; i < n; i++) out[i] = Math.log1p(a[i * s]);
  },
  sqrt: (out, n, a, s) => {
    for (let i = 0; i < n; i++) out[i] = Math.sqrt(a[i * s]);
  },
  abs: (out, n, a, s) => {
    for (let i = 0; i < n; i++) out[i] = Math.abs(a[i * s]);
  },
  floor: (out, n, a, s) => {
    for (let i = 0; i < n; i++) out[i] = Math.floor(a[i * s]);
  }
};
function compileFormula(tree, names) {
  const steps = [];
  const known = /* @__PURE__ */ new Map();
  const add = (node) => {
    const key = JSON.stringify(node);
    if (!known.has(key)) {
      const step2 = makeStep(node, names, add);
      if (!step2) throw new Error(`unknown: ${key}`);
      known.set(key, steps.push(step2) - 1);
    }
    return known.get(key);
  };
  try {
    add(tree);
  } catch {
    return null;
  }
  return (values) => run(steps, values);
}
function makeStep(node, names, add) {
  if (typeof node === "number") return Number.isFinite(node) ? { fixed: single(node) } : null;
  if (typeof node === "string") return names.includes(node) ? { name: node } : null;
  if (!Array.isArray(node)) return null;
  const [operation, ...parts] = node;
  const count = operation === "if" ? 3 : hasOwn(TWO, operation) ? 2 : hasOwn(ONE, operation) ? 1 : 0;
  if (!count || parts.length !== count) return null;
  return { operation, count, args: parts.map(add) };
}
function hasOwn(table2, name) {
  return typeof name === "string" && Object.hasOwn(table2, name);
}
function single(number) {
  return Float64Array.of(number);
}
function run(steps, values) {
  const results = [];
  for (const step2 of steps) results.push(evaluate(step2, results, values));
  const last = results.at(-1);
  return last.length === 1 ? last[0] : last.slice();
}
function evaluate(step2, results, values) {
  if (step2.fixed) return step2.fixed;
  if (step2.name) {
    const value = values[step2.name];
    return typeof value === "number" ? single(value) : value;
  }
  const args = step2.args.map((place2) => results[place2]);
  const n = Math.max(...args.map((a) => a.length));
  const stride = args.map((a) => a.length === 1 ? 0 : 1);
  const out = room(step2, n);
  if (step2.count === 1) ONE[step2.operation](out, n, args[0], stride[0]);
  else if (step2.count === 2) TWO[step2.operation](out, n, args[0], stride[0], args[1], stride[1]);
  else choose(out, n, args, stride);
  return out;
}
function room(step2, n) {
  if (step2.buffer?.length !== n) step2.buffer = new Float64Array(n);
  return step2.buffer;
}
function choose(out, n, [test, yes, no], [s, t, u]) {
  for (let i = 0; i < n; i++) out[i] = test[i * s] !== 0 ? yes[i * t] : no[i * u];
}

// js/numbers/filters.js
var NAMES = ["lam", "gamma", "gamma1"];
var cache = /* @__PURE__ */ new Map();
function compileFilters(filters) {
  const compiled = {};
  for (const [name, { label: label2, formula }] of Object.entries(filters ?? {})) {
    const key = JSON.stringify(formula);
    if (!cache.has(key)) cache.set(key, compile(formula));
    compiled[name] = { label: label2 ?? name, h: cache.get(key) };
  }
  return compiled;
}
function compile(formula) {
  const evaluate2 = compileFormula(formula, NAMES);
  return evaluate2 && ((lam, gamma, gamma1) => evaluate2({ lam, gamma, gamma1 }));
}

// js/numbers/modes.js
var modes_exports = {};
__export(modes_exports, {
  ModesModel: () => ModesModel,
  prepareModes: () => prepareModes
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
    const length = Math.sqrt(dot(v2, v2, k + 1, n));
    const below = dot(v2, v2, k + 2, n);
    if (below <= 1e-300) {
      off[k] = v2[k + 1];
      reflectors.push(null);
      continue;
    }
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
  for (const reflector of reflectors.reverse()) {
    if (!reflector) continue;
    const { v: v2, beta, from } = reflector;
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
    gridRows: raw.grid ? rowsOf(raw.grid.data, m) : null,
    pointRows: rowsOf(raw.points.data, m),
    grid,
    points
  };
}
var Columns = class {
  constructor(grid, points, gram, turn2) {
    Object.assign(this, { turned: { grid, points }, gram, turn: turn2, rows: {} });
  }
  get grid() {
    return this.back("grid");
  }
  get points() {
    return this.back("points");
  }
  back(kind) {
    const turned = this.turned[kind];
    if (!turned) return null;
    return this.rows[kind] ??= turnedBack(rowsOf(turned.data, this.turn.length), this.turn);
  }
};
function turnedBack(rows, turn2) {
  return turn2.map((weights) => {
    const out = new Float64Array(rows[0].length);
    mix2(out, rows, Float64Array.from(weights), 1, out.length);
    return out;
  });
}
var ModesModel = class {
  // modes: prepareModes' record; spec: the panel's model record; labels: those of Python's columns;
  // nClasses, dataTerm: of the scene.
  constructor(modes, spec, labels, nClasses, dataTerm) {
    Object.assign(this, { modes, nClasses, dataTerm, intercept: spec.intercept });
    this.outputs = outputsOf(nClasses);
    this.given = spec.known ? numbersOf(spec.known) : null;
    const own = this.given?.labels ?? labels;
    const known = own.length;
    this.several = anySeveral(own);
    this.known = new Map(own.map((label2, j) => [labelKey(label2), j]));
    const { columns_grid: onGrid, columns_points: atPoints, columns_gram: gram } = spec;
    const turn2 = spec.columns_turn;
    const enough = gram && known && (onGrid || !modes.gridRows) && (onGrid || atPoints);
    this.columns = enough ? new Columns(onGrid, atPoints, gram, turn2) : null;
    this.prepared = null;
    this.truncated = false;
  }
  // Writes the field into out = {grid, points} (either may be null). False: only Python can.
  evaluate(settings, out) {
    const { given } = this;
    if (!given) return this.answer(settings, out);
    if (!this.answer({ ...settings, labels: given.labels }, out)) return false;
    for (const values of [out.grid, out.points])
      if (values) for (let p = 0; p < values.length; p++) values[p] += given.offset;
    return true;
  }
  answer({ labels, lam, filter }, out) {
    if (!filter?.h || anySeveral(labels) && !this.several) return false;
    this.truncated = false;
    if (!labels.length) return fill(out, 0);
    const work = this.prepare(labels);
    if (!work) return false;
    const k = this.outputs;
    this.truncated = work.route !== "columns";
    if (work.route === "all") {
      const { gamma, gamma1 } = this.modes;
      const weights = work.weights.map((b2, i) => b2 * filter.h(lam, gamma[i / k | 0], gamma1));
      return this.mixModes(out, weights, null);
    }
    if (this.dataTerm === "poisson") return this.poisson(work, out);
    const { eig, right, top } = work;
    const psi = (s) => s > 1e-14 * top ? filter.h(lam, 1 / s, 1 / top) / s : 0;
    const a = applySpectral(eig, psi, right, k);
    const shift = this.intercept ? this.constant(work, a) : null;
    if (work.route === "columns") return this.mixColumns(out, work, a, shift);
    return this.mixModes(out, this.modeWeights(work, a), shift);
  }
  // Labels as sources: a Σ (y_j − ȳ) G(·, x_j), only the scale a is fitted to the labels.
  poisson(work, out) {
    if (!work.gram) return false;
    const { n, y, gram } = work;
    const k = this.outputs;
    const { centred: centred2, mean } = centreRows(y, n, k);
    const a = centred2.map((v2) => v2 / n);
    const values = new Float64Array(n * k);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        for (let o = 0; o < k; o++) values[i * k + o] += gram[i * n + j] * a[j * k + o];
      }
    }
    const levelled = this.intercept ? centreRows(values, n, k) : { centred: values, mean: null };
    let [dot2, norm] = [0, 0];
    levelled.centred.forEach((v2, at) => (dot2 += v2 * centred2[at], norm += v2 * v2));
    const scale = norm > 0 ? dot2 / norm : 0;
    const weights = a.map((v2) => scale * v2);
    const shift = this.intercept ? mean.map((m, o) => m - scale * levelled.mean[o]) : null;
    if (work.route === "columns") return this.mixColumns(out, work, weights, shift);
    return this.mixModes(out, this.modeWeights(work, weights), shift);
  }
  // The part that depends on the labels only, cached until they change.
  prepare(labels) {
    if (this.prepared && sameLabels(this.prepared.labels, labels)) return this.prepared.work;
    const rows = labels.map((label2) => this.at(label2));
    const work = rows.includes(null) ? null : this.decompose(labels, rows);
    this.prepared = { labels, work };
    return work;
  }
  decompose(labels, rows) {
    const y = this.given?.values ?? codesOf(labels, this.nClasses);
    if (this.dataTerm === "all") return this.loadAll(rows, y);
    const known = labels.map((label2) => this.known.get(labelKey(label2)) ?? -1);
    const some = this.columns && known.some((j) => j >= 0);
    if (some && labels.length <= MOST_COLUMNS) return this.byColumns(labels, rows, known, y);
    const { m } = this.modes;
    const inverse2 = this.inverseGamma();
    const n = rows.length;
    if (n <= m) {
      const gram = new Float64Array(n * n);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j <= i; j++)
          gram[i * n + j] = gram[j * n + i] = dot3(rows[i], rows[j], inverse2);
      }
      return this.dual("dual", gram, y, { rows, inverse: inverse2 });
    }
    return this.primal(rows, inverse2, y);
  }
  // Load of the data term over all samples: mean over the labels of code * mode.
  loadAll(rows, y) {
    const k = this.outputs;
    const weights = new Float64Array(this.modes.m * k);
    rows.forEach((row, j) => {
      for (let i = 0; i < row.length; i++) {
        for (let o = 0; o < k; o++) weights[i * k + o] += row[i] * y[j * k + o] / rows.length;
      }
    });
    return { route: "all", weights };
  }
  // 1/gamma, the constant left out when it is free, else floored so that it stays finite.
  inverseGamma() {
    const { gamma, tiny } = this.modes;
    return gamma.map((g) => g > tiny ? 1 / g : this.intercept ? 0 : 1 / tiny);
  }
  // Eigenpairs of the labelled Gram over n; with an intercept, of its projection off the constant.
  dual(route, gram, y, more) {
    const n = Math.round(Math.sqrt(gram.length));
    const centred2 = this.intercept ? centreBoth(gram, n) : gram;
    const eig = eigSymmetric(
      centred2.map((g) => g / n),
      n
    );
    const right = (this.intercept ? centreRows(y, n, this.outputs).centred : y).map((v2) => v2 / n);
    return { route, eig, top: Math.max(eig.values[0], 1e-300), right, y, gram, n, ...more };
  }
  // More labels than modes: the same estimate in mode coordinates, B = E Gamma^(-1/2).
  primal(rows, inverse2, y) {
    const { m } = this.modes;
    const n = rows.length;
    const k = this.outputs;
    const root = inverse2.map(Math.sqrt);
    const b2 = new Float64Array(n * m);
    rows.forEach((row, j) => {
      for (let i = 0; i < m; i++) b2[j * m + i] = row[i] * root[i];
    });
    const { centred: centred2, mean } = this.intercept ? centreRows(b2, n, m) : { centred: b2, mean: null };
    const product = new Float64Array(m * m);
    const right = new Float64Array(m * k);
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < m; i++) {
        const x = centred2[j * m + i] / n;
        for (let l = 0; l <= i; l++) product[i * m + l] += x * centred2[j * m + l];
        for (let o = 0; o < k; o++) right[i * k + o] += x * y[j * k + o];
      }
    }
    for (let i = 0; i < m; i++) for (let l = 0; l < i; l++) product[l * m + i] = product[i * m + l];
    const eig = eigSymmetric(product, m);
    return { route: "primal", eig, top: Math.max(eig.values[0], 1e-300), right, y, n, root, mean };
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
    const gram = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        let g;
        if (known[i] >= 0 && known[j] >= 0) g = exact(i, j);
        else if (known[i] >= 0) g = this.columnAt(known[i], labels[j]);
        else if (known[j] >= 0) g = this.columnAt(known[j], labels[i]);
        else g = rough(i, j) + (i === j ? tail : 0);
        gram[i * n + j] = gram[j * n + i] = g;
      }
    }
    const columns = (kind) => {
      const modeRows = kind === "grid" ? this.modes.gridRows : this.modes.pointRows;
      const table2 = this.columns[kind];
      return labels.map((_2, j) => {
        if (known[j] >= 0 && table2) return table2[known[j]];
        const column2 = new Float32Array(modeRows[0].length);
        mix2(
          column2,
          modeRows,
          rows[j].map((e, i) => e * inverse2[i]),
          1,
          column2.length
        );
        return column2;
      });
    };
    const lazy = {};
    const column = (kind) => lazy[kind] ??= columns(kind);
    return this.dual("columns", gram, y, { column });
  }
  columnAt(j, label2) {
    const at = this.modes.points.position.get(label2.index);
    if (at !== void 0 && this.columns.points) return this.columns.points[j][at];
    if (this.columns.grid) return sample2(this.columns.grid[j], this.modes.grid, label2.x, label2.y);
    return 0;
  }
  // Mode weights of the functions sum_j a_j G(., x_j).
  modeWeights(work, a) {
    const { m } = this.modes;
    const k = this.outputs;
    const weights = new Float64Array(m * k);
    if (work.route === "primal") {
      for (let i = 0; i < m * k; i++) weights[i] = a[i] * work.root[i / k | 0];
      return weights;
    }
    work.rows.forEach((row, j) => {
      for (let i = 0; i < m; i++) {
        for (let o = 0; o < k; o++) weights[i * k + o] += a[j * k + o] * row[i] * work.inverse[i];
      }
    });
    return weights;
  }
  // The unpenalised constant of the bordered system: mean over the labels of y - g.
  constant(work, a) {
    const { n, y } = work;
    const k = this.outputs;
    const shift = new Float64Array(k);
    for (let j = 0; j < n; j++) for (let o = 0; o < k; o++) shift[o] += y[j * k + o] / n;
    if (work.route === "primal") {
      for (let i = 0; i < work.mean.length; i++) {
        for (let o = 0; o < k; o++) shift[o] -= work.mean[i] * a[i * k + o];
      }
      return shift;
    }
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        for (let o = 0; o < k; o++) shift[o] -= work.gram[i * n + j] * a[j * k + o] / n;
      }
    }
    return shift;
  }
  mixModes(out, weights, shift) {
    const { gridRows, pointRows } = this.modes;
    if (out.grid && !gridRows) return false;
    if (out.grid) mix2(out.grid, gridRows, weights, this.outputs, gridRows[0].length, shift);
    if (out.points) mix2(out.points, pointRows, weights, this.outputs, pointRows[0].length, shift);
    return true;
  }
  mixColumns(out, work, a, shift) {
    for (const kind of ["grid", "points"]) {
      if (!out[kind]) continue;
      const rows = work.column(kind);
      mix2(out[kind], rows, a, this.outputs, rows[0].length, shift);
    }
    return true;
  }
  // Every mode at a label's place: exact at a drawn point, else interpolated on the grid.
  at(label2) {
    const { pointRows, gridRows, grid, points, m } = this.modes;
    const row = new Float64Array(m);
    const at = points.position.get(label2.index);
    if (at !== void 0) for (let i = 0; i < m; i++) row[i] = pointRows[i][at];
    else if (gridRows)
      for (let i = 0; i < m; i++) row[i] = sample2(gridRows[i], grid, label2.x, label2.y);
    else return null;
    return row;
  }
};
function numbersOf({ xy, index, values, offset }) {
  const labels = Array.from(index.data, (row, j) => ({
    x: xy.data[2 * j],
    y: xy.data[2 * j + 1],
    index: row,
    code: 0,
    others: []
  }));
  return { labels, values: Float64Array.from(values.data), offset };
}
function fill(out, value) {
  out.grid?.fill(value);
  out.points?.fill(value);
  return true;
}
function dot3(a, b2, w) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b2[i] * w[i];
  return sum;
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

// js/numbers/ridge.js
var ridge_exports = {};
__export(ridge_exports, {
  RidgeModel: () => RidgeModel
});
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
    Object.assign(this, { argument, values, kernel, outputs: outputsOf(nClasses), floor });
    Object.assign(this, { grid, points, nClasses, mu, prepared: null, columns: /* @__PURE__ */ new Map() });
  }
  evaluate({ labels, lam }, out) {
    if (!this.kernel || anySeveral(labels)) return false;
    if (!labels.length) {
      out.grid?.fill(0);
      out.points?.fill(0);
      return true;
    }
    if (labels.length > MOST_LABELS) return false;
    const n = labels.length;
    const { gram, codes, floor } = this.prepare(labels);
    const system = gram.slice();
    for (let j = 0; j < n; j++) system[j * n + j] += n * Math.max(lam * this.mu, floor);
    const a = solvePositive(system, n, codes, this.outputs);
    for (const kind of ["grid", "points"]) {
      if (!out[kind]) continue;
      const rows = labels.map((label2) => this.column(kind, label2));
      mix2(out[kind], rows, a, this.outputs, rows[0].length);
    }
    return true;
  }
  prepare(labels) {
    if (this.prepared && sameLabels(this.prepared.labels, labels)) return this.prepared;
    const n = labels.length;
    const gram = new Float64Array(n * n);
    const [x, y] = [each(n, (i) => labels[i].x), each(n, (i) => labels[i].y)];
    labels.forEach((label2, j) => gram.set(this.k(x, y, label2), j * n));
    const size = gram.reduce((most, g) => Math.max(most, Math.abs(g)), 1);
    this.prepared = {
      labels,
      gram,
      codes: codesOf(labels, this.nClasses),
      floor: this.floor * size
    };
    const alive = new Set(labels.map(labelKey));
    for (const name of this.columns.keys()) {
      if (!alive.has(name.slice(1))) this.columns.delete(name);
    }
    return this.prepared;
  }
  // k(., label) at places given by the arrays x and y.
  k(x, y, label2) {
    const values = this.kernel({
      ...this.values,
      [this.argument]: ARGUMENTS[this.argument](x, y, label2)
    });
    return typeof values === "number" ? new Float64Array(x.length).fill(values) : values;
  }
  column(kind, label2) {
    const name = kind[0] + labelKey(label2);
    if (!this.columns.has(name)) this.columns.set(name, this.k(...this.sites(kind), label2));
    return this.columns.get(name);
  }
  // Coordinates of the grid's nodes or of the points, made once.
  sites(kind) {
    this.places ??= {};
    return this.places[kind] ??= kind === "grid" ? nodesOf(this.grid) : pointsOf(this.points);
  }
};
function nodesOf({ x: [x0, x1, nx], y: [y0, y1, ny] }) {
  const n = nx * ny;
  return [
    each(n, (p) => x0 + (x1 - x0) * (p % nx) / (nx - 1)),
    each(n, (p) => y0 + (y1 - y0) * Math.floor(p / nx) / (ny - 1))
  ];
}
function pointsOf({ xy, count }) {
  return [each(count, (i) => xy[2 * i]), each(count, (i) => xy[2 * i + 1])];
}

// js/numbers/space.js
var space_exports = {};
__export(space_exports, {
  Space: () => Space,
  SpaceView: () => SpaceView,
  ballAround: () => ballAround,
  turnMatrix: () => turnMatrix,
  viewOf: () => viewOf
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
  const low = [Infinity, Infinity, Infinity];
  const high = low.map((v2) => -v2);
  for (let i = 0; i < xyz.length; i++) {
    low[i % 3] = Math.min(low[i % 3], xyz[i]);
    high[i % 3] = Math.max(high[i % 3], xyz[i]);
  }
  const centre = low.map((v2, a) => xyz.length ? (v2 + high[a]) / 2 : 0);
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
    const { xyz, xy, near: near2, radius, count } = this;
    const eye = EYE * radius;
    for (let i = 0; i < count; i++) {
      const x = xyz[3 * i] - cx;
      const y = xyz[3 * i + 1] - cy;
      const z2 = xyz[3 * i + 2] - cz;
      const depth = front[0] * x + front[1] * y + front[2] * z2;
      const scale = eye / (eye - depth);
      xy[2 * i] = scale * (right[0] * x + right[1] * y + right[2] * z2);
      xy[2 * i + 1] = scale * (up[0] * x + up[1] * y + up[2] * z2);
      near2[i] = 0.5 * (1 + depth / radius);
    }
    this.sort();
  }
  // A counting sort of the depths.
  sort() {
    const { near: near2, order, count } = this;
    const starts = new Uint32Array(BUCKETS + 1);
    const bucket = (i) => Math.min(Math.max(near2[i] * BUCKETS | 0, 0), BUCKETS - 1);
    for (let i = 0; i < count; i++) starts[bucket(i) + 1] += 1;
    for (let b2 = 0; b2 < BUCKETS; b2++) starts[b2 + 1] += starts[b2];
    for (let i = 0; i < count; i++) order[starts[bucket(i)]++] = i;
  }
  // How large a mark at a depth is, of one in the middle.
  scale(near2) {
    return EYE / (EYE + 1 - 2 * near2);
  }
  // The coordinates of a point, as they are in the data.
  words(i) {
    return [0, 1, 2].map((a) => short(this.xyz[3 * i + a])).join(", ");
  }
  // Labels at the places where their points are now, from the back, with how clearly to draw them.
  placed(labels, position) {
    const found = [];
    for (const label2 of labels) {
      const i = position.get(label2.index) ?? -1;
      if (i < 0) continue;
      const [near2, x, y] = [this.near[i], this.xy[2 * i], this.xy[2 * i + 1]];
      found.push({ ...label2, x, y, near: near2, clear: DIMMEST + (1 - DIMMEST) * Math.min(2 * near2, 1) });
    }
    return found.sort((a, b2) => a.near - b2.near);
  }
};
var kept4 = /* @__PURE__ */ new Map();
var SpaceView = class extends View {
  constructor(name, base) {
    super(name, base);
    Object.assign(this, kept4.get(name) ?? START3);
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
  save() {
    kept4.set(this.name, { azimuth: this.azimuth, elevation: this.elevation });
    super.save();
  }
};
function viewOf(name, scene) {
  return scene.space ? new SpaceView(name, scene.view) : new View(name, scene.view);
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
    images: imagesOf(images),
    notes
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
  const plain = new ModesModel(modes[spec.modes], spec, scene.labels, nClasses, scene.data_term);
  const model = spec.balance ? new Balanced(plain, spec, scene.points.count) : plain;
  if (panel.note || !panel.points) return model;
  const { labels, lam } = scene;
  const filter = scene.filters[scene.filter];
  return new Anchored(model, {
    labels,
    lam,
    filter,
    grid: panel.grid?.data,
    points: panel.points.data
  });
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
var Stroke = class {
  constructor(stage) {
    Object.assign(this, { stage, on: false, place: null, panel: null, inside: /* @__PURE__ */ new Set() });
  }
  get ready() {
    const { scene, tools } = this.stage;
    return Boolean(scene?.editable && tools.strokes);
  }
  begin(panel, x, y) {
    const { points } = this.stage.scene;
    const { view, board } = this.stage;
    Object.assign(this, { on: true, panel, path: [[x, y]], inside: /* @__PURE__ */ new Set() });
    this.pixels = Float64Array.from({ length: 2 * points.count });
    for (let i = 0; i < points.count; i++) {
      const spot = view.toPixel(points.xy[2 * i], points.xy[2 * i + 1], board.place.box);
      this.pixels.set(spot, 2 * i);
    }
    this.extend(x, y);
  }
  extend(x, y) {
    const { tools } = this.stage;
    const last = this.path.at(-1);
    this.place = [x, y];
    if (tools.kind === "brush") {
      touched(this.pixels, last, [x, y], tools.radius, this.inside);
      this.path = [[x, y]];
    } else if (Math.hypot(x - last[0], y - last[1]) >= STEP5) {
      this.path.push([x, y]);
      this.inside = enclosed(this.pixels, this.path);
    }
    this.repaint();
  }
  cancel() {
    if (!this.on) return false;
    Object.assign(this, { on: false, place: null, inside: /* @__PURE__ */ new Set() });
    this.repaint();
    return true;
  }
  finish() {
    if (!this.on) return;
    const { scene, labels, code, tools } = this.stage;
    const { xy, index } = scene.points;
    const targets = [...this.inside].map((i) => ({
      x: xy[2 * i],
      y: xy[2 * i + 1],
      index: index[i]
    }));
    this.cancel();
    if (!targets.length) return;
    const done = labelMany(labels, targets, code, { also: tools.also, most: MOST7 });
    this.stage.editMany(done.labels, done.count);
    if (done.full) this.stage.board.remark(`No more than ${MOST7} labels: the others were left out`);
  }
  hover(x, y) {
    this.place = this.stage.tools.kind === "brush" && this.stage.hand.inBox(x, y) ? [x, y] : null;
    this.repaint();
  }
  repaint() {
    this.stage.board.schedule("", "over");
  }
  // What the stroke would label, and its outline.
  draw(context, panel, theme, code) {
    if (!this.ready || !this.place || this.on && panel !== this.panel && !this.inside.size) return;
    const { tools } = this.stage;
    context.fillStyle = css(theme.classes[code % theme.classes.length]);
    context.strokeStyle = css(theme.outline, 0.8);
    context.lineWidth = 0.8;
    context.beginPath();
    for (const i of this.inside) {
      const [x, y] = [this.pixels[2 * i], this.pixels[2 * i + 1]];
      context.moveTo(x + 3, y);
      context.arc(x, y, 3, 0, 6.2832);
    }
    context.fill();
    context.stroke();
    context.beginPath();
    if (tools.kind === "brush") context.arc(...this.place, tools.radius, 0, 6.2832);
    else if (this.on) this.path.forEach(([x, y], i) => context[i ? "lineTo" : "moveTo"](x, y));
    if (tools.kind === "lasso") context.closePath();
    outline(context, theme);
  }
};
function outline(context, theme) {
  context.lineWidth = 3.5;
  context.strokeStyle = css(theme.halo, 0.8);
  context.stroke();
  context.lineWidth = 1.5;
  context.strokeStyle = css(theme.text);
  context.stroke();
}
function touched(pixels, [ax, ay], [bx, by], radius, inside) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy || 1;
  for (let i = 0; i < pixels.length / 2; i++) {
    const [px, py] = [pixels[2 * i] - ax, pixels[2 * i + 1] - ay];
    const t = Math.min(Math.max((px * dx + py * dy) / length, 0), 1);
    if ((px - t * dx) ** 2 + (py - t * dy) ** 2 <= radius * radius) inside.add(i);
  }
}
function enclosed(pixels, path) {
  const inside = /* @__PURE__ */ new Set();
  for (let i = 0; i < pixels.length / 2; i++) {
    const [x, y] = [pixels[2 * i], pixels[2 * i + 1]];
    let odd = false;
    for (let j = 0, k = path.length - 1; j < path.length; k = j++) {
      const [[ax, ay], [bx, by]] = [path[j], path[k]];
      if (ay > y !== by > y && x < (bx - ax) * (y - ay) / (by - ay) + ax) odd = !odd;
    }
    if (odd) inside.add(i);
  }
  return inside;
}
function listenStroke(plot, panel, stage) {
  const { stroke, hand } = stage;
  const place2 = (event) => {
    const frame = plot.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  plot.addEventListener("pointerdown", (event) => {
    if (!stroke.ready || event.button !== 0 || !event.isPrimary || panel.closed) return;
    const [x, y] = place2(event);
    if (!hand.inBox(x, y)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    stage.board.plots.focus({ preventScroll: true });
    hand.forget();
    plot.setPointerCapture(event.pointerId);
    stroke.begin(panel, x, y);
  });
  plot.addEventListener("pointermove", (event) => {
    if (!stroke.ready) return;
    if (!stroke.on) {
      if (event.pointerType !== "touch") stroke.hover(...place2(event));
      return;
    }
    event.stopImmediatePropagation();
    if (!event.isPrimary) return;
    const all = event.getCoalescedEvents?.() ?? [];
    for (const one of all.length ? all : [event]) stroke.extend(...place2(one));
  });
  plot.addEventListener("pointerup", (event) => {
    if (!stroke.on) return;
    event.stopImmediatePropagation();
    if (event.isPrimary) stroke.finish();
  });
  plot.addEventListener("pointercancel", () => stroke.cancel());
  plot.addEventListener("pointerleave", () => {
    if (stroke.on || !stroke.place) return;
    stroke.place = null;
    stroke.repaint();
  });
  plot.addEventListener(
    "touchstart",
    (event) => {
      if (event.touches.length > 1) stroke.cancel();
      else if (stroke.ready) event.preventDefault();
    },
    { passive: false }
  );
}

// js/bars/knob.js
var knob_exports = {};
__export(knob_exports, {
  Knob: () => Knob
});
var REST = 350;
var SLACK = 0.1;
var PAGE = 8;
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
    this.auto = element(
      "button.auto",
      { type: "button", onclick: () => this.toggleAuto() },
      "auto"
    );
    this.name = element("span.name", { "aria-hidden": "true" });
    this.node = element("div.knob", {}, this.name, this.slider, this.number, this.auto);
    this.update(spec);
  }
  // A new description from Python: range, value, help.
  update(spec) {
    this.spec = spec;
    this.node.dataset.knob = spec.name;
    const help = spec.help ? `${spec.label}. ${spec.help}` : spec.label;
    setText(this.name, spec.symbol || spec.label);
    this.node.classList.toggle("worded", !spec.symbol);
    this.name.title = help;
    this.slider.title = help;
    this.slider.setAttribute("aria-label", spec.label);
    this.number.setAttribute("aria-label", spec.label);
    this.number.title = `Type a number and press Enter. ${help}`;
    const [low, high] = [spec.low, spec.high].map((v2) => this.place(v2));
    this.slider.min = String(spec.zero ? low - this.stride : low);
    this.slider.max = String(high);
    show(this.auto, (spec.auto ?? null) !== null);
    this.auto.title = `Choose ${spec.label} from the data, by a documented rule.`;
    this.auto.setAttribute("aria-label", `${spec.label}: from the data`);
    for (const tool2 of [this.slider, this.number, this.auto]) tool2.disabled = Boolean(spec.disabled);
    this.node.classList.toggle("asleep", Boolean(spec.disabled));
    if (spec.disabled) this.node.title = spec.disabled;
    else this.node.removeAttribute("title");
    this.draw();
  }
  // What Python knows, until it knows what the hand did here.
  settle() {
    if (!this.held) this.own = null;
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
  at(place2) {
    const { values, low, high, zero, whole, smooth: smooth2 } = this.spec;
    if (values?.length) {
      const near2 = (a, b2) => Math.abs(this.place(a) - place2) <= Math.abs(this.place(b2) - place2) ? a : b2;
      return values.reduce(near2);
    }
    if (this.log) {
      if (zero && place2 < Math.log10(low) - this.stride / 2) return 0;
      if (smooth2) return Math.min(Math.max(10 ** place2, low), high);
      const rung = Math.round(place2 * this.spec.step) / this.spec.step;
      const value2 = Number((10 ** rung).toPrecision(3));
      return Math.min(Math.max(whole ? Math.round(value2) : value2, low), high);
    }
    const value = Math.round(place2 / this.spec.step) * this.spec.step;
    const shown = whole ? Math.round(value) : Number(value.toPrecision(3));
    return Math.min(Math.max(shown, low), high);
  }
  // The value `count` steps further.
  beside(count) {
    const { values, low, high, zero } = this.spec;
    const now = this.value;
    if (values?.length) {
      const slack = 1e-9 * Math.abs(now);
      const above = values.findIndex((v2) => v2 > now + slack);
      const after = above < 0 ? values.length : above;
      const before = values.filter((v2) => v2 < now - slack).length - 1;
      const index = count > 0 ? after + count - 1 : before + count + 1;
      return values[Math.min(Math.max(index, 0), values.length - 1)];
    }
    const step2 = this.stride;
    const exact = this.place(now) / step2;
    const rung = count > 0 ? Math.floor(exact + SLACK) : Math.ceil(exact - SLACK);
    const place2 = (rung + count) * step2;
    if (this.log && this.spec.smooth) {
      const top = Math.log10(high);
      if (zero && place2 < Math.log10(low) - step2 / 2) return 0;
      return 10 ** Math.min(Math.max(place2, Math.log10(low)), top);
    }
    return this.at(place2);
  }
  // ---- the hand ---------------------------------------------------------------------------
  hold() {
    this.held = true;
    window.dispatchEvent(new CustomEvent("lapviz:hand", { detail: { term: this.spec.name } }));
  }
  release() {
    this.held = false;
    this.keyed = false;
    clearTimeout(this.resting);
    window.dispatchEvent(new CustomEvent("lapviz:hand", { detail: { term: null } }));
  }
  slid(done) {
    if (done && !this.held) return;
    this.hold();
    const value = this.at(Number(this.slider.value));
    if (value !== this.value || this.automatic) this.set(value, false);
    if (done) this.rest();
  }
  key(event) {
    const way = {
      ArrowRight: 1,
      ArrowUp: 1,
      ArrowLeft: -1,
      ArrowDown: -1,
      PageUp: PAGE,
      PageDown: -PAGE
    }[event.key];
    const end = { Home: this.spec.zero ? 0 : this.spec.low, End: this.spec.high }[event.key];
    if (way === void 0 && end === void 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.hold();
    this.keyed = true;
    const value = end ?? this.beside(way * (event.shiftKey ? 10 : 1));
    if (value !== this.value || this.automatic) this.set(value, false);
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rest(), REST);
  }
  rest() {
    if (!this.held) return;
    const moved3 = this.own !== null;
    this.release();
    if (moved3) this.act.set(this.spec.name, this.own, true);
  }
  set(value, done) {
    this.own = value;
    this.draw();
    this.act.set(this.spec.name, value, done);
  }
  toggleAuto() {
    this.set(this.automatic ? this.spec.value : "auto", true);
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
    if (text.toLowerCase() === "auto" && (auto ?? null) !== null) {
      this.set("auto", true);
      return;
    }
    const value = numberOf(text, whole);
    const [low, high] = this.spec.limits ?? [this.spec.low, this.spec.high];
    let why = "";
    if (value === null) why = whole ? "must be a whole number" : "is not a number it can take";
    else if (value < low || value > high) {
      const kind = whole ? "must be a whole number from" : "must be from";
      why = `${kind} ${numberText(low, whole)} to ${numberText(high, whole)}`;
    }
    if (why) {
      this.draw();
      const said = `“${text.slice(0, 40)}” for ${label2} ${why}; it stays at ${this.shown}.`;
      this.act.complain(said, this);
      return;
    }
    this.act.complain("");
    this.set(value, true);
  }
  draw() {
    const { value, automatic } = this;
    const place2 = this.place(value);
    if (Math.abs(Number(this.slider.value) - place2) > 1e-9)
      this.slider.value = String(place2);
    this.shown = numberText(value, this.spec.whole);
    if (!this.typing && this.number.value !== this.shown) this.number.value = this.shown;
    this.slider.setAttribute("aria-valuetext", this.shown);
    this.auto.setAttribute("aria-pressed", String(automatic));
    this.node.classList.toggle("automatic", automatic);
  }
};

// js/bars/knobs.js
var KnobRow = class {
  // set(name, value or "auto", done): what a hand did.
  constructor(set2) {
    this.knobs = /* @__PURE__ */ new Map();
    this.complaint = element("div.complaint", { role: "alert" });
    const complain = (sentence, knob) => {
      setText(this.complaint, sentence);
      if (knob?.node.closest(".sheet")) knob.node.after(this.complaint);
    };
    this.act = { set: (...said) => (complain(""), set2(...said)), complain };
    this.node = element("div.knobs");
  }
  // specs from Python; `waiting` names the knobs whose change Python has not answered yet.
  update(specs, waiting2) {
    const names = new Set(specs.map((spec) => spec.name));
    for (const [name, knob] of this.knobs) {
      if (names.has(name)) continue;
      knob.node.remove();
      this.knobs.delete(name);
    }
    specs.forEach((spec, i) => {
      let knob = this.knobs.get(spec.name);
      if (!knob) this.knobs.set(spec.name, knob = new Knob(spec, this.act));
      else knob.update(spec);
      if (!waiting2.has(spec.name)) knob.settle();
      const there = [...this.node.querySelectorAll(".knob")];
      if (there[i] !== knob.node) this.node.insertBefore(knob.node, there[i] ?? null);
    });
    show(this.node, specs.length);
  }
};
var KnobPanel = class {
  constructor(parent2) {
    this.row = new KnobRow((name, value, done) => this.set(name, value, done));
    this.root = element("div.stage.sheet", {}, this.row.node, this.row.complaint);
    parent2.append(this.root);
    this.channel = new Channel(this);
  }
  receive(component) {
    this.channel.receive(component);
  }
  left() {
    if (this.root.isConnected) return;
    this.gone = true;
    this.channel.end();
  }
  guard(run2) {
    run2();
  }
  same() {
  }
  asked() {
  }
  open({ knobs, rev }) {
    this.channel.acknowledge(rev);
    this.row.update(knobs, this.channel);
  }
  set(name, value, done) {
    if (this.channel.value(name) !== value) this.channel.change(name, value);
    this.channel.post(!done);
  }
};

// js/bars/toolbar.js
var { least: LAM_MIN, most: LAM_MAX, limit: LAM_LIMIT } = contract_default.lam;
var LAM = {
  name: "lam",
  symbol: "λ",
  label: "λ, weight of the Dirichlet energy",
  help: "",
  scale: "log",
  step: 20,
  // per decade, by keys
  smooth: true,
  low: LAM_MIN,
  high: LAM_MAX,
  limits: [0, LAM_LIMIT],
  value: 1,
  auto: null
};
var MODE = {
  name: "mode",
  symbol: "mode",
  label: "Mode shown large",
  help: "One panel on the whole stage; Escape shows all of them.",
  scale: "linear",
  step: 1,
  whole: true,
  low: 0,
  high: 15,
  value: 0,
  auto: null
};
var POWERS = ["10⁻⁶", "", "10⁻⁴", "", "10⁻²", "", "1", "", "10²", "", "10⁴"];
var PLAY = "M4.5 3 L13 8 L4.5 13 Z";
var PAUSE = "M5 3 V13 M11 3 V13";
var Toolbar = class {
  // act: callbacks lam(value, done), filter(name), play(), pick(code), undo(), redo(), clear(),
  // zoom(factor or 0), knob(name, value or "auto", done), enlarge(index of a panel).
  constructor(act) {
    this.act = act;
    this.play = tool(PLAY, "Play: sweep λ", () => act.play());
    this.row = new KnobRow((...moved3) => act.knob(...moved3));
    this.folded = new Folded(this.row.node);
    this.fold = this.folded.node;
    this.lam = new Knob(LAM, {
      set: (_2, value, done) => act.lam(value, done),
      complain: this.row.act.complain
    });
    this.slider = this.lam.slider;
    this.slider.classList.add("lam");
    this.mode = new Knob(MODE, {
      set: (_2, value) => act.enlarge(value),
      complain: this.row.act.complain
    });
    this.mode.node.classList.add("mode");
    const scaled = element("div.scaled");
    this.slider.replaceWith(scaled);
    scaled.append(this.slider, decades());
    this.filter = element("select.filter", {
      "aria-label": "Filter",
      title: "Low-pass filter of the spectrum",
      onchange: () => act.filter(this.filter.value)
    });
    this.lamGroup = element("div.group.lams", {}, this.play, this.lam.node);
    this.palette = element("div.palette", {
      role: "radiogroup",
      "aria-label": "Class of the next label"
    });
    this.edits = edits(act, "Remove all labels");
    this.editing = element("div.set", {}, ...this.edits.nodes);
    this.labelGroup = element("div.group.labels", {}, this.palette);
    const { whole, nodes } = zooms(act.zoom);
    this.whole = whole;
    this.zooms = element("div.group.zooms", {}, ...nodes);
    this.tools = element("div.tools", {}, this.editing, this.zooms);
    this.node = element(
      "div.toolbar",
      { role: "toolbar", "aria-label": "Stage controls" },
      this.lamGroup,
      this.fold,
      this.mode.node,
      this.row.complaint,
      this.filter,
      this.labelGroup,
      this.tools
    );
    this.hint = element("div.hint");
  }
  // Which groups this scene needs, and the entries of its selects and palette.
  arrange({ scene, filters, specs }, theme) {
    const hasModel = scene.light ? this.hadModel : scene.models.some(Boolean);
    this.hadModel = hasModel;
    const heeds = (what) => scene.panels.some((one) => !one.note && one.depends.includes(what));
    const moves2 = hasModel || !scene.alone && heeds("lam");
    const waits = scene.editable && scene.panels.some((panel) => panel.note);
    const wanted = scene.light && this.wanted !== void 0 ? this.wanted : moves2 || waits;
    this.wanted = wanted;
    const hidden = scene.hide;
    const names = Object.keys(filters);
    this.folded.follow(specs);
    show(this.fold, specs.length > 0);
    show(this.lamGroup, wanted && !hidden.has("lam"));
    const last = scene.panels.length - 1;
    const modes = scene.kind === "functions" && last >= contract_default.panels.many;
    show(this.mode.node, modes && !hidden.has("zoom"));
    if (this.mode.spec.high !== last) this.mode.update({ ...MODE, high: last });
    show(this.filter, wanted && names.length > 1 && !hidden.has("filter"));
    this.lamGroup.classList.toggle("asleep", !moves2);
    this.play.disabled = !hasModel;
    for (const tool2 of [this.slider, this.lam.number, this.lam.auto]) tool2.disabled = !moves2;
    this.filter.disabled = !moves2 || !scene.panels.some((p) => p.depends.includes("filter"));
    const classes = scene.kind === "classes" && scene.classes.length > 0;
    show(this.labelGroup, classes);
    show(this.editing, classes && scene.editable);
    show(this.zooms, !hidden.has("zoom"));
    show(this.tools, !hidden.has("tools"));
    const { editable, free_labels: free } = scene;
    const same3 = JSON.stringify([filters, scene.classes, editable, free, [...hidden], theme.id]);
    if (same3 === this.arranged) return;
    this.arranged = same3;
    const options = names.map((name) => {
      const { label: label2, h } = filters[name];
      const lost = scene.alone && !h;
      return element("option", { value: name, disabled: lost }, lost ? `${label2} (Python)` : label2);
    });
    this.filter.replaceChildren(...options);
    const keys = keysOf(scene.classes);
    const run2 = editable ? this.act.pick : null;
    const named = (name, code) => swatch(code, name, { label: `Label as ${name}`, key: keys[code], theme, run: run2 });
    this.palette.replaceChildren(...scene.classes.map(named));
    setText(this.hint, hintFor(scene, keys));
    this.palette.setAttribute("role", scene.editable ? "radiogroup" : "list");
    this.palette.setAttribute("aria-label", scene.editable ? "Class of the next label" : "Classes");
  }
  // Follow the settings.
  follow({ lam, lamFree, filter, player, code, stack, view, enlarged }) {
    const playing = player.on;
    if (!this.mode.held) this.mode.own = null;
    if (this.mode.spec.value !== (enlarged ?? 0))
      this.mode.spec = { ...this.mode.spec, value: enlarged ?? 0 };
    this.mode.draw();
    if (!this.lam.held) this.lam.own = null;
    const { spec } = this.lam;
    if ((spec.auto ?? null) !== lamFree) {
      const asleep = this.slider.disabled;
      this.lam.update({ ...LAM, value: lam, auto: lamFree });
      for (const tool2 of [this.slider, this.lam.number, this.lam.auto]) tool2.disabled = asleep;
    } else if (spec.value !== lam) this.lam.spec = { ...LAM, value: lam, auto: lamFree };
    this.lam.draw();
    this.slider.setAttribute("aria-valuetext", `λ = ${this.lam.shown}`);
    if (this.filter.value !== filter) this.filter.value = filter;
    if (this.playing !== playing) {
      this.playing = playing;
      const label2 = playing ? "Pause" : "Play: sweep λ";
      this.play.replaceChildren(
        icon(playing ? PAUSE : PLAY, playing ? {} : { fill: "currentColor" })
      );
      this.play.setAttribute("aria-label", label2);
      this.play.title = label2;
    }
    check(this.palette.querySelectorAll("button"), code);
    this.edits.undo.disabled = !stack.past.length;
    this.edits.redo.disabled = !stack.future.length;
    this.edits.clear.disabled = !stack.present.length;
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
  const touch = matchMedia("(pointer: coarse)").matches;
  const click = touch ? "tap" : "click";
  const parts = [];
  if (editable) parts.push(`${click}${free ? "" : " a point"}: label`, `${click} again: remove`);
  const digits2 = keys.filter(Boolean).sort();
  if (editable && !touch && digits2.length > 1) {
    const all = digits2.at(-1) - digits2[0] === digits2.length - 1;
    const tenth = keys[9] === "0";
    const range2 = tenth ? "1–9, 0" : all ? `${digits2[0]}–${digits2.at(-1)}` : digits2.join(", ");
    parts.push(`${classes.length === 2 ? digits2.join(", ") : range2}: class`);
  }
  if (space) parts.push(touch ? "one finger sideways: turn" : "drag or Shift + arrows: turn");
  if (!hide.has("zoom")) {
    parts.push(touch ? "two fingers: zoom" : `${zoomKey()} + wheel: zoom`, wayBack());
  }
  return parts.join(" · ");
}

// js/bars/tools.js
var POINT = "M4 2.5 L4 12 L6.6 9.6 L8.4 13.4 L10 12.7 L8.3 9 L11.8 8.8 Z";
var BRUSH2 = "M8 2.8 A5.2 5.2 0 1 1 8 13.2 A5.2 5.2 0 1 1 8 2.8 M8 7 V9 M7 8 H9";
var LASSO = "M3 7 C3 3.6 13 3.6 13 7 C13 10.2 6.4 10.6 5 9.2 C4 8.2 6 7.6 6 9.4 C6 11 5 12.6 3.4 13";
var SEVERAL = "M6.2 4.5 A3.5 3.5 0 1 0 6.2 11.5 A3.5 3.5 0 1 0 6.2 4.5 M12 5.5 V10.5 M9.5 8 H14.5";
var KINDS = {
  point: [POINT, "Label single points"],
  brush: [BRUSH2, "Brush: label all points under the circle"],
  lasso: [LASSO, "Lasso: label all points inside a loop"]
};
var RADIUS = { least: 6, most: 60, first: 18 };
var Tools = class {
  constructor(changed) {
    Object.assign(this, { kind: "point", radius: RADIUS.first, also: false, changed });
    this.buttons = Object.entries(KINDS).map(
      ([kind, [path, label2]]) => tool(path, label2, () => this.choose(kind), { role: "radio" })
    );
    this.group = element(
      "div.set",
      { role: "radiogroup", "aria-label": "How labels are set" },
      ...this.buttons
    );
    const radius = (pixels) => {
      this.radius = pixels;
      this.changed();
    };
    this.slider = range(
      "input.radius",
      "Radius of the brush in pixels",
      "Radius of the brush",
      [RADIUS.least, RADIUS.most],
      radius,
      { value: RADIUS.first }
    );
    const several = "Add a candidate class to a labelled point (or Shift + click)";
    this.several = tool(SEVERAL, several, () => {
      this.also = !this.also;
      this.changed();
    });
    this.remark = element("div.remark", { role: "note" });
    this.node = element("div.group.marking", {}, this.group, this.slider, this.several);
    for (const node of [this.node, this.remark]) show(node, false);
  }
  // Does a stroke label what is inside it?
  get strokes() {
    return this.kind !== "point";
  }
  choose(kind) {
    this.kind = kind;
    this.changed();
  }
  // Follow the scene: nothing to choose where labels cannot be set.
  follow({ scene, board }) {
    const classes = scene.kind === "classes" && scene.classes.length > 1;
    const shown = scene.editable && classes;
    if (!shown) Object.assign(this, { kind: "point", also: false });
    show(this.node, shown);
    show(this.slider, this.kind === "brush");
    check(this.buttons, Object.keys(KINDS).indexOf(this.kind));
    this.several.setAttribute("aria-pressed", String(this.also));
    board.plots.classList.toggle("strokes", this.strokes);
    setText(this.remark, scene.remark ?? "");
    show(this.remark, scene.remark);
  }
};

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
var Stage = class {
  constructor(parent2) {
    Object.assign(this, { scene: null, panels: [], stack: history([]), filters: {}, view: null });
    Object.assign(this, { lam: 1, filter: "", code: 0, specs: [], behind: false });
    this.channel = new Channel(this);
    this.player = new Player(
      (lam) => this.setLam(lam, false, "play"),
      () => this.played()
    );
    const toolbar = new Toolbar({
      lam: (value, done) => (this.player.stop(), value === "auto" ? this.setKnob("lam", value, true) : this.setLam(value, done)),
      filter: (name) => this.setFilter(name),
      play: () => this.player.toggle(this.lam, LAM2.least, LAM2.most),
      pick: (code) => this.pick(code),
      undo: () => this.undo(),
      redo: () => this.redo(),
      clear: () => this.edit({ labels: [], did: "cleared" }),
      zoom: (factor) => this.zoomBy(factor),
      enlarge: (index) => this.enlarge(index),
      knob: (name, value, done) => this.setKnob(name, value, done)
    });
    this.board = new Board(this, parent2, toolbar);
    this.hand = new Hand(this);
    this.holding = false;
    this.display = new Display(this);
    this.stroke = new Stroke(this);
    this.tools = new Tools(() => this.board.schedule("", "over"));
    this.saver = new Saver(
      (...asked) => pictureOf(this, ...asked),
      () => this.board.schedule("", "layout")
    );
    this.display.node.append(this.saver.tool);
    toolbar.tools.append(this.display.node, this.tools.node);
    toolbar.node.append(this.tools.remark, this.saver.node);
    this.draw = new Draw(this);
    this.deafen = listenKeys(this.board.root, this.board.plots, (event) => this.press(event));
    this.board.plots.addEventListener("blur", () => this.hand.drop());
  }
  press(event) {
    if (!this.scene) return false;
    return this.draw.on ? pressDraw(event, this.draw) : pressKey(event, this);
  }
  // Ends the stage if its page is gone.
  left() {
    if (!this.board.root?.isConnected) this.destroy();
  }
  destroy() {
    if (this.gone) return;
    this.gone = true;
    this.player.stop();
    this.channel.end();
    this.deafen();
    this.display.destroy();
    this.board.destroy();
  }
  // ---- from Python ------------------------------------------------------------------------
  receive(component) {
    this.channel.receive(component);
  }
  guard(run2) {
    this.board.guard("answer", run2);
  }
  same() {
    this.retheme();
  }
  open(parcel, lasting) {
    const { answer, key = "", height, title, knobs = [] } = parcel;
    const { pending = null, failed = "", rev = null, point = null } = parcel;
    Object.assign(this, { key, height: height ?? 0 });
    this.specs = knobs.filter(({ name }) => name !== "lam");
    this.lamAuto = knobs.find(({ name }) => name === "lam")?.auto ?? null;
    this.display.present.name(title ?? "");
    const first = this.pointed === void 0;
    this.pointed ??= point?.count ?? 0;
    Object.assign(this, { behind: !answer, failed });
    this.board.tell(failed);
    if (point && point.count !== this.pointed) {
      this.pointed = point.count;
      if (!first) this.point(point);
    }
    if (answer) {
      this.adopt(Object.assign(makeScene(answer, lasting), { alone: this.alone }));
      return;
    }
    this.acknowledge(rev ?? this.channel.rev);
    if (pending) {
      this.board.computing.pending(pending);
      this.channel.look();
    } else this.board.computing.answered(null);
    this.board.schedule("", "field");
  }
  // Show where the hand can do what a button has just done; what the button before did ends.
  point({ name, act }) {
    const { toolbar, plots } = this.board;
    const knob = name === "lam" ? toolbar.lam : toolbar.row.knobs.get(name);
    const node = knob?.node ?? (name === "filter" ? toolbar.filter : name === "marks" ? plots : null);
    if (node) flash(node);
    if (act !== "play") this.player.stop();
    else if (!this.player.on) this.player.toggle(this.lam, LAM2.least, LAM2.most);
  }
  acknowledge(rev) {
    this.channel.acknowledge(rev);
    this.board.toolbar.row.update(this.specs, this.channel);
  }
  adopt(scene) {
    const { scene: before, channel } = this;
    const fresh = !before || before.view_key !== scene.view_key;
    const rev = scene.rev ?? (fresh && !channel.unsent ? 0 : channel.rev);
    const other = fresh && !sameSheet(before, scene);
    this.scene = scene;
    this.filters = scene.filters;
    if (fresh) {
      this.player.stop();
      const moved3 = !other && channel.has("labels") && relocated(this.labels, scene.points);
      channel.drop(["labels"]);
      if (!channel.unsent) channel.acknowledge(rev);
      this.hold(moved3 ? history(moved3) : recall(this.name, scene.labels));
      if (moved3) this.changeLabels();
    }
    if (other) this.view = viewOf(this.name, scene);
    else this.view.rebase(scene.view);
    if (!scene.models.some(Boolean)) this.player.stop();
    if (before?.points !== scene.points) this.replace(scene);
    this.acknowledge(rev);
    if (!channel.has("lam")) this.lam = scene.lam;
    if (!channel.has("filter")) this.filter = scene.filter;
    if (!channel.has("labels")) this.hold(record(this.stack, scene.labels));
    this.code = Math.min(this.code, Math.max(scene.classes.length - 1, 0));
    this.setPanels();
    this.display.adopted(other);
    this.draw.adopt(scene, other);
    if (other) lookAsLinked(this);
    this.board.describe();
    if (channel.isAnswered) this.board.computing.answered(scene.seconds);
    this.board.schedule("scene", "layout");
    if (!before) {
      const known = new Set(this.specs.map(({ name }) => name));
      for (const [name, value] of carried(this)) if (known.has(name)) this.setKnob(name, value, true);
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
    while (this.panels.length > panels.length) this.panels.pop().node.remove();
    while (this.panels.length < panels.length) {
      const panel = new PanelView((one) => this.display.toggle(one));
      listenDraw(panel.plot, panel, this);
      listenStroke(panel.plot, panel, this);
      listen(panel.plot, panel, this.hand);
      this.panels.push(panel);
      this.board.plots.append(panel.node);
    }
    panels.forEach((panel, i) => this.panels[i].update(panel, this.scene, models[i]));
    this.panels.forEach((panel) => this.draw.unlock(panel));
  }
  // ---- to Python --------------------------------------------------------------------------
  get viewKey() {
    return this.scene?.view_key ?? "";
  }
  // No Python listens: this is a saved page.
  get alone() {
    return this.channel.alone;
  }
  // A message has left.
  asked(moving) {
    if (!moving) this.board.computing.asked();
  }
  changeLabels() {
    this.channel.change("labels", () => this.labels.map(toRow));
  }
  // ---- settings ---------------------------------------------------------------------------
  get labels() {
    return this.stack.present;
  }
  get settings() {
    return { lam: this.lam, labels: this.labels, filter: this.filters[this.filter] };
  }
  // Which settings moved on from those that Python last answered.
  get changed() {
    const { lam, filter, labels } = this.scene;
    const moved3 = { lam: this.lam !== lam, filter: this.filter !== filter };
    moved3.labels = !sameLabels(this.labels, labels);
    const names = Object.keys(moved3).filter((name) => moved3[name]);
    const { channel } = this;
    const others = [...channel.changes.keys()].filter((name) => !IN_BROWSER.includes(name));
    if (channel.value("lam") === "auto") others.push("lam");
    return [...names, ...others, ...this.behind ? ["python"] : []];
  }
  get exact() {
    return !this.changed.length;
  }
  // The one panel that is shown, by its index; null: all of them.
  get enlarged() {
    return this.display.enlarged;
  }
  enlarge(index) {
    return this.display.enlarge(index);
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
    if (!done) return;
    this.board.schedule("", "field");
    this.channel.post();
  }
  // Is λ chosen from the data, as far as is known here? null: it cannot be.
  get lamFree() {
    if (this.lamAuto === null) return null;
    return this.channel.value("lam") === "auto" || this.lamAuto && !this.channel.has("lam");
  }
  // A knob of the strip; `done`: the hand has let go of it.
  setKnob(name, value, done) {
    moves(this);
    if (done || this.channel.value(name) !== value) {
      this.channel.change(name, value);
      this.board.schedule("knob", "field");
    }
    this.channel.post(!done);
  }
  setFilter(name) {
    if (name === this.filter) return;
    this.channel.change("filter", name);
    this.filter = name;
    this.board.schedule("filter", "field");
    this.channel.post();
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
  // Other colours than before.
  retheme() {
    this.board.schedule("theme", "base");
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
    const change = also || this.tools.also ? toggleCandidate : toggle;
    return this.canLabel(target) && this.edit(change(this.labels, target, this.code), target);
  }
  // Many labels in one step that can be undone.
  editMany(labels, count) {
    if (!this.scene?.editable || sameLabels(labels, this.labels)) return;
    this.setStack(record(this.stack, labels));
    const name = this.scene.classes[this.code] ?? this.code;
    this.board.say(`${count} points labelled as class ${name}; ${labels.length} labels`);
  }
  edit({ labels, did }, target = null) {
    if (!this.scene?.editable || sameLabels(labels, this.labels)) return false;
    this.setStack(record(this.stack, labels));
    const what = target?.index >= 0 ? `point ${target.index}` : "a free point";
    const as = did === "removed" ? "" : ` as class ${this.scene.classes[this.code] ?? this.code}`;
    const count = `${labels.length} label${labels.length === 1 ? "" : "s"}`;
    this.board.say(did === "cleared" ? "all labels removed" : `${did} ${what}${as}; ${count}`);
    return true;
  }
  hold(stack) {
    this.stack = stack;
    keepHistory(this.name, stack);
  }
  setStack(stack) {
    this.changeLabels();
    this.hold(stack);
    this.board.schedule("labels", "field");
    this.channel.post();
  }
  undo() {
    return this.travel(undo(this.stack), "undone");
  }
  redo() {
    return this.travel(redo(this.stack), "redone");
  }
  travel(stack, word) {
    if (!this.scene?.editable || stack === this.stack) return false;
    this.setStack(stack);
    this.board.say(`${word}; ${this.labels.length} labels`);
    return true;
  }
};

// js/panels/alone.js
var KINDS2 = { plane: Stage, curves: CurveStage };
var MOST_LABELS2 = 400;
var SORRY = "This page needs a browser of 2023 or later: its picture could not be unpacked.";
async function openPage() {
  const place2 = document.getElementById("lapviz-stage");
  if (!place2) return;
  try {
    const [lasting, data] = await Promise.all(["lapviz-static", "lapviz-answer"].map(unpacked2));
    keep(fingerprint(lasting), decode(lasting).static);
    const stage = new KINDS2[place2.dataset.kind](place2);
    stage.receive({ data, setStateValue: () => {
    } });
    offerThemes(stage);
    offerCopies();
    followLink(stage);
  } catch (error) {
    console.warn("lapviz page:", error);
    setText(place2, SORRY);
  }
}
async function unpacked2(name) {
  const text = document.getElementById(name).textContent.trim();
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
function offerThemes(stage) {
  const button = document.getElementById("lapviz-theme");
  const { dataset } = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => dataset.theme ? dataset.theme === "dark" : system.matches;
  const follow = () => {
    setText(button, isDark() ? "Light" : "Dark");
    stage.retheme();
  };
  const choose2 = (theme) => {
    dataset.theme = theme;
    follow();
  };
  button.addEventListener("click", () => choose2(isDark() ? "light" : "dark"));
  addEventListener("message", ({ data }) => {
    if (["light", "dark"].includes(data?.lapvizTheme)) choose2(data.lapvizTheme);
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
      const done = await copied(source);
      setText(button, done ? "Copied" : "Marked: press Ctrl+C");
    });
  }
}
async function copied(source) {
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(source);
    return false;
  }
}
function followLink(stage) {
  const link = document.getElementById("lapviz-link");
  if (!link || !stage.board) return;
  const saved = link.href;
  const follow = () => {
    const { scene, lam, filter, labels } = stage;
    if (!scene || !stage.changed) return;
    const url = new URL(saved);
    const { changed } = stage;
    if (changed.includes("lam")) url.searchParams.set("lam", String(Number(lam.toPrecision(4))));
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

// js/bars/formula.js
var formula_exports = {};
__export(formula_exports, {
  HAND: () => HAND,
  followHands: () => followHands,
  light: () => light
});
var HAND = "lapviz:hand";
function light(term, root = document) {
  for (const node of root.querySelectorAll("[data-term]")) {
    node.classList.toggle("lit", term != null && node.dataset.term === term);
  }
}
function followHands(target = window) {
  if (target.__lapvizHands) return;
  target.__lapvizHands = true;
  target.addEventListener(HAND, (event) => light(event.detail?.term ?? null));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hush();
  });
}
function hush() {
  const opened = document.querySelectorAll(".lv-term:hover, .lv-term:focus, .lv-term:focus-within");
  for (const term of opened) {
    term.classList.add("hush");
    const again = () => term.classList.remove("hush");
    for (const left2 of ["mouseleave", "blur"]) term.addEventListener(left2, again, { once: true });
  }
}

// js/channel/main.js
var main_exports = {};
__export(main_exports, {
  mount: () => mount,
  mountKind: () => mountKind
});

// js/bars/share.js
var share_exports = {};
__export(share_exports, {
  Share: () => Share,
  embedCode: () => embedCode
});
var BACK = 1600;
var Share = class {
  constructor(parent2) {
    this.link = this.button("Copy link", "The address of exactly this view", () => here());
    this.embed = this.button("Copy embed code", "An iframe for slides or a course page", () => embedCode(here(), this.data));
    this.shown = this.button("QR code", "This view's address, for phones", null);
    this.shown.setAttribute("aria-expanded", "false");
    this.shown.addEventListener("click", () => this.toggle());
    this.said = element("span", { role: "status" });
    this.picture = element("img.qr", { width: 232, height: 232 });
    this.why = element("span");
    this.box = element("div.qrbox", {}, this.picture, this.why);
    this.box.hidden = true;
    const row = element("div.toolbar", {}, this.link, this.embed, this.shown, this.said);
    parent2.append(element("div.stage.sharing", { "data-size": "wide" }, row, this.box));
  }
  // `text`: what it copies.
  button(label2, title, text) {
    const node = element("button.swatch", { type: "button", title }, label2);
    if (!text) return node;
    node.addEventListener("click", async () => {
      const done = await copy(text(), node);
      setText(this.said, done ? "Copied" : "");
      clearTimeout(this.timer);
      this.timer = setTimeout(() => setText(this.said, ""), BACK);
    });
    return node;
  }
  toggle() {
    this.box.hidden = !this.box.hidden;
    this.shown.setAttribute("aria-expanded", String(!this.box.hidden));
  }
  // data: {title, height, qr (an image's address or ""), why (a sentence in its place), alt}
  receive({ data }) {
    this.data = data;
    const { qr, why, alt } = data;
    this.picture.hidden = !qr;
    if (qr) {
      this.picture.src = qr;
      this.picture.alt = alt;
    }
    setText(this.why, why);
  }
};
function here() {
  return window.location.href.replace("/~/+/", "/");
}
function embedCode(address, { title, height, hide }) {
  const url = new URL(address);
  url.searchParams.set("embed", "true");
  const hidden = [url.searchParams.get("hide"), hide].filter(Boolean);
  if (hidden.length) url.searchParams.set("hide", hidden.join());
  const safe = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<iframe src="${safe(url.href)}" title="${safe(title)}" width="100%" height="${height}" style="border: 0" loading="lazy" allow="fullscreen; clipboard-write"></iframe>`;
}
async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = element("input.copyfield", { value: text, readonly: true, "aria-label": "To copy" });
    button.parentNode.querySelector(".copyfield")?.remove();
    button.after(field);
    field.select();
    return false;
  }
}

// js/hands/picture_hand.js
var TWICE2 = 350;
var ARROWS3 = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
var PictureHand = class {
  constructor(stage) {
    Object.assign(this, { stage, fingers: /* @__PURE__ */ new Map(), pinch: null, panning: null, down: false });
  }
  listen(view) {
    const { canvas } = view;
    const place2 = (event) => {
      const frame = canvas.getBoundingClientRect();
      return [event.clientX - frame.left, event.clientY - frame.top];
    };
    canvas.addEventListener("pointerdown", (event) => this.press(event, view, place2(event)));
    canvas.addEventListener("pointermove", (event) => this.move(event, view, place2));
    canvas.addEventListener("pointerup", (event) => this.release(event));
    canvas.addEventListener("pointercancel", (event) => this.release(event, true));
    canvas.addEventListener("pointerleave", () => this.fingers.size || this.stage.point(null));
    canvas.addEventListener("dblclick", () => this.stage.tool === "move" && this.stage.zoomBy(0));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        const step2 = event.deltaMode === 1 ? 16 * event.deltaY : event.deltaY;
        this.stage.zoomAt(Math.exp(-Math.min(Math.max(step2, -120), 120) * 4e-3), place2(event), view);
      },
      { passive: false }
    );
  }
  press(event, view, at) {
    const { stage } = this;
    stage.plots.focus({ preventScroll: true });
    if (!stage.image) return;
    event.preventDefault();
    view.canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, at);
    if (this.fingers.size === 2) {
      this.abandon();
      this.pinch = this.measure();
      return;
    }
    if (this.fingers.size > 2) return;
    if (event.pointerType === "touch" && this.tappedTwice(event, at)) return;
    if (stage.tool === "move" || event.button === 1) this.panning = at;
    else if (event.button === 0) stage.begin(stage.pixel(at, view));
  }
  tappedTwice(event, [x, y]) {
    const { last } = this;
    this.last = { x, y, time: event.timeStamp };
    const soon = last && event.timeStamp - last.time < TWICE2 && Math.hypot(x - last.x, y - last.y) < 12;
    if (!soon || this.stage.frame.whole) return false;
    this.stage.zoomBy(0);
    this.last = null;
    return true;
  }
  move(event, view, place2) {
    const { stage } = this;
    const at = place2(event);
    if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, at);
    if (this.pinch) {
      const now = this.measure();
      stage.frame.pan(now.x - this.pinch.x, now.y - this.pinch.y, view.box);
      stage.zoomAt(now.span / Math.max(this.pinch.span, 1), [now.x, now.y], view);
      this.pinch = now;
    } else if (this.panning) {
      stage.frame.pan(at[0] - this.panning[0], at[1] - this.panning[1], view.box);
      this.panning = at;
      stage.schedule();
    } else if (stage.drawing && this.fingers.size === 1) {
      const all = event.getCoalescedEvents?.() ?? [];
      for (const one of all.length ? all : [event]) stage.extend(stage.pixel(place2(one), view));
    } else if (event.pointerType !== "touch") stage.point(stage.pixel(at, view));
  }
  release(event, lost = false) {
    this.fingers.delete(event.pointerId);
    this.panning = null;
    if (this.pinch) {
      if (this.fingers.size < 2) this.pinch = null;
      return;
    }
    if (lost) this.abandon();
    else if (this.stage.drawing && !this.down) this.stage.finish();
    if (event.pointerType === "touch") this.stage.point(null);
  }
  abandon() {
    this.down = false;
    this.stage.abandon();
  }
  measure() {
    const [[ax, ay], [bx, by]] = this.fingers.values();
    return { x: (ax + bx) / 2, y: (ay + by) / 2, span: Math.hypot(ax - bx, ay - by) };
  }
  // Arrows move the brush, Space puts it down and lifts it; true when the key was used.
  key(event) {
    const { stage } = this;
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (command) {
      if (key === "z") return event.shiftKey ? stage.redo() : stage.undo();
      return key === "y" && stage.redo();
    }
    if (event.altKey) return false;
    if (key in ARROWS3) return this.step(ARROWS3[key], event.shiftKey);
    if (key === " " || key === "Enter") return this.toggle();
    if (key === "Escape") return stage.drawing ? (this.abandon(), true) : false;
    if (key === "+" || key === "=") return stage.zoomBy(1.4);
    if (key === "-") return stage.zoomBy(1 / 1.4);
    if (key === "0" || key === "Home") return stage.zoomBy(0);
    if (key === "[" || key === "]") return stage.setRadius(stage.radius + (key === "]" ? 1 : -1));
    const tools = { b: "brush", e: "eraser", m: "move" };
    if (key in tools) return stage.choose(tools[key]);
    return /^[1-9]$/.test(key) && Number(key) <= stage.classes && stage.pick(Number(key) - 1);
  }
  step([dx, dy], far) {
    const { stage } = this;
    const { frame } = stage;
    const reach = Math.max(1, Math.round((far ? 5 : 1) * Math.max(stage.radius, 3)));
    const from = stage.cursor ?? [Math.round(frame.x), Math.round(frame.y)];
    const to = stage.inside([from[0] + dx * reach, from[1] + dy * reach]);
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
    const { frame } = stage;
    const at = stage.cursor ?? stage.inside([Math.round(frame.x), Math.round(frame.y)]);
    if (stage.tool === "move") stage.choose("brush");
    stage.point(at);
    stage.begin(at);
    this.down = stage.drawing;
    stage.say("brush down");
    return true;
  }
};

// js/numbers/picture_strokes.js
var picture_strokes_exports = {};
__export(picture_strokes_exports, {
  ERASER: () => ERASER2,
  History: () => History,
  MOST_CLASSES: () => MOST_CLASSES,
  extended: () => extended,
  readStrokes: () => readStrokes,
  writeStrokes: () => writeStrokes
});
var ERASER2 = -1;
var MOST_CLASSES = 9;
var STROKE = /^(\d|e)r(\d{1,3})((?:[pm]\d{1,5})+)$/;
function writeStrokes(strokes) {
  return strokes.map(written2).join(".");
}
function written2({ code, radius, points }) {
  let [x, y] = [0, 0];
  const steps = points.map(([px, py]) => {
    const text = step(px - x) + step(py - y);
    [x, y] = [px, py];
    return text;
  });
  return `${code === ERASER2 ? "e" : code}r${radius}${steps.join("")}`;
}
function step(value) {
  return `${value < 0 ? "m" : "p"}${Math.abs(value)}`;
}
function readStrokes(text) {
  return text.split(".").filter(Boolean).map(readStroke).filter(Boolean);
}
function readStroke(text) {
  const found = STROKE.exec(text);
  if (!found) return null;
  const steps = found[3].match(/[pm]\d+/g).map((s) => (s[0] === "m" ? -1 : 1) * Number(s.slice(1)));
  const points = [];
  let [x, y] = [0, 0];
  for (let i = 0; i + 1 < steps.length; i += 2) {
    x += steps[i];
    y += steps[i + 1];
    points.push([x, y]);
  }
  return { code: found[1] === "e" ? ERASER2 : Number(found[1]), radius: Number(found[2]), points };
}
function extended(points, [x, y], radius) {
  const [u, v2] = points.at(-1);
  const near2 = Math.hypot(x - u, y - v2) < Math.max(1, radius / 3);
  return near2 ? points : [...points, [x, y]];
}
var kept5 = /* @__PURE__ */ new Map();
var History = class {
  constructor(name, text) {
    const old = kept5.get(name);
    this.stack = old?.at(-1)?.now === text ? old : [{ now: text, past: [], future: [] }];
    this.name = name;
    kept5.set(name, this.stack);
  }
  get state() {
    return this.stack.at(-1);
  }
  set(state) {
    this.stack[0] = state;
  }
  record(text) {
    const { now, past } = this.state;
    if (text !== now) this.set({ now: text, past: [...past, now].slice(-200), future: [] });
  }
  undo() {
    const { now, past, future } = this.state;
    if (past.length) this.set({ now: past.at(-1), past: past.slice(0, -1), future: [now, ...future] });
    return past.length > 0;
  }
  redo() {
    const { now, past, future } = this.state;
    if (future.length) this.set({ now: future[0], past: [...past, now], future: future.slice(1) });
    return future.length > 0;
  }
};

// js/bars/picture_tools.js
var BRUSH3 = "M13 2.5 L7.2 8.6 L8.6 10 L13.5 4 Z M6.6 9.4 C4.6 9.4 4.6 12 2.8 12.8 C5.4 13.8 8.4 13 7.8 10.6 Z";
var RUBBER = "M6 13 L2.5 9.5 L9 3 L13 7 L7 13 H13 M5.5 6.5 L9.6 10.5";
var MOVE2 = "M8 2.5 V13.5 M2.5 8 H13.5 M6.5 4 L8 2.5 L9.5 4 M6.5 12 L8 13.5 L9.5 12 M4 6.5 L2.5 8 L4 9.5 M12 6.5 L13.5 8 L12 9.5";
var LINE3 = "M2.5 11 C5 3 10 13.5 13.5 5";
var TOOLS3 = {
  brush: [BRUSH3, "Brush (B)"],
  eraser: [RUBBER, "Eraser: removes scribbles (E)"],
  move: [MOVE2, "Move the picture (M)"]
};
var RADIUS2 = { least: 0, most: 60, first: 6 };
var PictureTools = class {
  // act: pick, classes, tool, radius, opacity, outline, undo, redo, clear, zoom, knob.
  constructor(act) {
    this.act = act;
    this.row = new KnobRow((...moved3) => act.knob(...moved3));
    this.folded = new Folded(this.row.node);
    this.fold = this.folded.node;
    this.palette = element("div.palette", { role: "radiogroup", "aria-label": "Class to scribble" });
    this.more = tool(ICONS.plus, "Add a class", () => act.classes(1));
    this.fewer = tool(ICONS.minus, "Remove the last class", () => act.classes(-1));
    this.kinds = Object.entries(TOOLS3).map(
      ([name, [path, label2]]) => tool(path, label2, () => act.tool(name), { role: "radio" })
    );
    const kinds = element("div.set", { role: "radiogroup", "aria-label": "Tool" }, ...this.kinds);
    const short4 = "input.slide.short";
    this.radius = range(
      short4,
      "Radius of the brush",
      "Radius of the brush in pixels ([ and ])",
      [RADIUS2.least, RADIUS2.most],
      act.radius,
      { step: 1 }
    );
    const opacity = "Opacity of the colours";
    this.opacity = range(short4, opacity, opacity, [0, 1], act.opacity, { step: 0.05 });
    this.outline = tool(LINE3, "Show where classes meet", () => act.outline());
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
      element("div.group.zooms", {}, ...this.edits.nodes, ...zoom.nodes)
    );
    this.hint = element("div.hint");
  }
  follow(stage) {
    const { theme, classes, code, tool: kind, history: history2 } = stage;
    const key = [theme.id, classes].join();
    if (this.arranged !== key) {
      this.arranged = key;
      const run2 = this.act.pick;
      this.palette.replaceChildren(
        ...Array.from({ length: classes }, (_2, i) => swatch(i, String(i + 1), { label: `Class ${i + 1}`, key: i + 1, theme, run: run2 }))
      );
    }
    check(this.palette.children, kind === "eraser" ? -1 : code);
    check(this.kinds, Object.keys(TOOLS3).indexOf(kind));
    this.folded.follow(stage.specs);
    this.more.disabled = classes >= MOST_CLASSES;
    this.fewer.disabled = classes <= stage.fewest;
    this.edits.undo.disabled = !history2.state.past.length;
    this.edits.redo.disabled = !history2.state.future.length;
    this.edits.clear.disabled = !stage.strokes.length;
    this.whole.disabled = stage.frame.whole;
    this.outline.setAttribute("aria-pressed", String(stage.outline));
    if (Number(this.radius.value) !== stage.radius) this.radius.value = stage.radius;
    if (Number(this.opacity.value) !== stage.opacity) this.opacity.value = stage.opacity;
    const touch = matchMedia("(pointer: coarse)").matches;
    const words = touch ? "one finger: scribble · two fingers: zoom and move · double tap: whole picture" : `drag: scribble · 1–${classes}: class · ${zoomKey()} + wheel: zoom · arrows: move the brush, Space: put it down or lift it`;
    setText(this.hint, words);
  }
};

// js/paint/picture_view.js
var LEVELS = 28;
var FAINTEST = 0.35;
var Frame = class {
  constructor(width, height) {
    Object.assign(this, { width, height });
    this.reset();
  }
  reset() {
    Object.assign(this, { zoom: 1, x: this.width / 2, y: this.height / 2 });
  }
  get whole() {
    return this.zoom === 1;
  }
  // Pixels of the screen for one of the picture.
  scale(box) {
    return box.w / this.width * this.zoom;
  }
  toScreen([x, y], box) {
    const s = this.scale(box);
    return [box.w / 2 + (x + 0.5 - this.x) * s, box.h / 2 + (y + 0.5 - this.y) * s];
  }
  toPicture([px, py], box) {
    const s = this.scale(box);
    return [this.x + (px - box.w / 2) / s - 0.5, this.y + (py - box.h / 2) / s - 0.5];
  }
  zoomAt(factor, [px, py], box) {
    const zoom = Math.min(Math.max(this.zoom * factor, 1), 40);
    const [x, y] = this.toPicture([px, py], box);
    this.zoom = zoom;
    const [u, v2] = this.toPicture([px, py], box);
    this.x += x - u;
    this.y += y - v2;
    this.limit();
  }
  pan(dx, dy, box) {
    const s = this.scale(box);
    this.x -= dx / s;
    this.y -= dy / s;
    this.limit();
  }
  limit() {
    const clamp2 = (value, size) => {
      const half = size / 2 / this.zoom;
      return Math.min(Math.max(value, half), size - half);
    };
    this.x = clamp2(this.x, this.width);
    this.y = clamp2(this.y, this.height);
  }
};
var PictureView = class {
  constructor() {
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.scribbles = document.createElement("canvas");
    this.title = element("div.title");
    this.note = element("div.subtitle");
    this.head = element("div.head", {}, element("div.row", {}, this.title), this.note);
    this.node = element("div.panel", {}, this.head, element("div.photo", {}, this.canvas));
    this.overlay = null;
    this.box = { w: 1, h: 1 };
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
  painted({ theme, opacity, outline: outline2 }) {
    const { panel } = this;
    if (!panel) return null;
    const key = [theme.id, opacity, outline2].join();
    if (this.overlay?.key === key) return this.overlay.canvas;
    const [h, w] = panel.shape;
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: w, height: h });
    const image = new ImageData(w, h);
    const words = new Uint32Array(image.data.buffer);
    const colours = Uint32Array.from({ length: 9 * LEVELS }, (_2, byte) => {
      const [r, g, b2] = theme.classes[Math.floor(byte / LEVELS) % theme.classes.length];
      const sure = byte % LEVELS / (LEVELS - 1);
      const alpha = Math.round(255 * opacity * (FAINTEST + (1 - FAINTEST) * sure));
      return (alpha << 24 | b2 << 16 | g << 8 | r) >>> 0;
    });
    const { codes } = panel;
    for (let i = 0; i < codes.length; i++) words[i] = colours[codes[i]];
    if (outline2) drawBoundary(words, codes, w, h);
    canvas.getContext("2d").putImageData(image, 0, 0);
    this.overlay = { key, canvas };
    return canvas;
  }
  draw(stage, width, height) {
    const { image, frame, theme } = stage;
    const ratio = window.devicePixelRatio || 1;
    this.box = { w: width, h: height };
    fit(this.canvas, width, height, ratio);
    const context = this.canvas.getContext("2d");
    const s = frame.scale(this.box);
    const [left2, top] = frame.toScreen([-0.5, -0.5], this.box);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.imageSmoothingEnabled = s < 4;
    context.drawImage(image, left2, top, frame.width * s, frame.height * s);
    const overlay = this.painted(stage);
    if (overlay) {
      const { step: step2 } = this.panel;
      context.imageSmoothingEnabled = step2 * s * ratio < 1.5;
      context.drawImage(overlay, left2, top, overlay.width * step2 * s, overlay.height * step2 * s);
    }
    this.drawScribbles(context, stage, ratio, s);
    this.drawBrush(context, stage, s, theme);
  }
  // Scribbles on a canvas of their own: an eraser takes away from them alone.
  drawScribbles(context, stage, ratio, s) {
    const { w, h } = this.box;
    fit(this.scribbles, w, h, ratio);
    const ink2 = this.scribbles.getContext("2d");
    ink2.setTransform(ratio, 0, 0, ratio, 0, 0);
    ink2.globalCompositeOperation = "source-over";
    ink2.clearRect(0, 0, w, h);
    for (const stroke of stage.shownStrokes) {
      const erases = stroke.code === ERASER2;
      ink2.globalCompositeOperation = erases ? "destination-out" : "source-over";
      const path = () => this.path(ink2, stroke, stage.frame);
      const wide2 = Math.max(2 * stroke.radius * s, 1.5);
      Object.assign(ink2, { lineCap: "round", lineJoin: "round" });
      if (!erases) {
        ink2.strokeStyle = css(stage.theme.ring);
        ink2.lineWidth = wide2 + 2;
        path();
      }
      ink2.strokeStyle = css(erases ? [0, 0, 0] : stage.theme.classes[stroke.code]);
      ink2.lineWidth = wide2;
      path();
    }
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = 0.85;
    context.drawImage(this.scribbles, 0, 0);
    context.restore();
  }
  path(ink2, { points }, frame) {
    ink2.beginPath();
    points.forEach((point, i) => {
      const [x, y] = frame.toScreen(point, this.box);
      if (i) ink2.lineTo(x, y);
      else ink2.moveTo(x, y);
    });
    if (points.length === 1) ink2.lineTo(...frame.toScreen([points[0][0] + 0.01, points[0][1]], this.box));
    ink2.stroke();
  }
  drawBrush(context, stage, s, theme) {
    if (!stage.cursor || stage.tool === "move") return;
    const [x, y] = stage.frame.toScreen(stage.cursor, this.box);
    const radius = Math.max(stage.radius * s, 3);
    for (const [width, colour] of [[4, theme.ring], [2, stage.brushColour]]) {
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.lineWidth = width;
      context.strokeStyle = css(colour);
      context.setLineDash(stage.tool === "eraser" && width === 2 ? [4, 3] : []);
      context.stroke();
    }
    context.setLineDash([]);
  }
};
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

// js/panels/picture.js
var CLASSES2 = contract_default.changes.picture.classes;
var [BELOW2, LOWEST] = [34, 240];
var NARROW3 = 560;
var LEAST_WIDTH = 240;
var frames = /* @__PURE__ */ new Map();
var PictureStage = class {
  constructor(parent2) {
    Object.assign(this, { scene: null, failed: "", specs: [], strokes: [], drawing: null });
    Object.assign(this, { classes: 2, code: 0, tool: "brush" });
    Object.assign(this, { radius: RADIUS2.first, opacity: 0.45, outline: true, cursor: null });
    this.frame = new Frame(1, 1);
    this.history = new History("", "");
    this.tools = new PictureTools({
      pick: (code) => this.pick(code),
      classes: (more) => this.setClasses(this.classes + more),
      tool: (name) => this.choose(name),
      radius: (radius) => this.setRadius(radius),
      opacity: (opacity) => (Object.assign(this, { opacity }), this.schedule()),
      outline: () => (this.outline = !this.outline, this.schedule()),
      undo: () => this.undo(),
      redo: () => this.redo(),
      clear: () => this.edit([], "all scribbles removed"),
      zoom: (factor) => this.zoomBy(factor),
      knob: (name, value, done) => this.setKnob(name, value, done)
    });
    this.hand = new PictureHand(this);
    this.message = element("div.message", { role: "alert" });
    this.live = element("div.live", { "aria-live": "polite", role: "status" });
    this.plots = element("div.plots.pictured", { tabindex: "0", role: "application" });
    this.computing = new Computing(this.plots, () => {
    });
    this.pictures = element("div.pictures", {}, this.plots, this.computing.node);
    this.root = element(
      "div.stage.picture",
      {},
      this.message,
      this.tools.node,
      this.pictures,
      this.tools.hint,
      this.live
    );
    parent2.append(this.root);
    this.views = [];
    this.board = { root: this.root, place: null, pending: false };
    this.deafen = listenKeys(this.root, this.plots, (event) => this.hand.key(event));
    this.plots.addEventListener("blur", () => this.drawing && this.hand.down && this.hand.toggle());
    this.observer = new ResizeObserver(() => this.schedule());
    this.observer.observe(this.root);
    this.channel = new Channel(this);
  }
  left() {
    if (!this.root.isConnected) this.destroy();
  }
  destroy() {
    if (this.gone) return;
    this.gone = true;
    clearTimeout(this.later);
    this.channel.end();
    this.deafen();
    this.observer.disconnect();
    this.computing.destroy();
    this.root.remove();
  }
  // ---- from Python ------------------------------------------------------------------------
  receive(component) {
    this.channel.receive(component);
  }
  guard(run2) {
    run2();
  }
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
    const name = `${this.key} ${view}`;
    this.frame = frames.get(name) ?? new Frame(lasting.width, lasting.height);
    frames.set(name, this.frame);
    this.channel.drop();
    Object.assign(this, { image: null, drawing: null, cursor: null, strokes: [] });
    this.history = new History(name, strokes);
    this.setPanels([]);
    createImageBitmap(new Blob([lasting.image.data], { type: "image/jpeg" })).then((image) => {
      if (this.lasting !== lasting) return;
      this.image = image;
      this.schedule();
    });
  }
  settle(parcel) {
    const { answer, pending = null, failed = "", rev, knobs } = parcel;
    const { channel } = this;
    clearTimeout(this.later);
    this.scene = parcel;
    channel.acknowledge(rev);
    this.specs = knobs;
    this.tools.row.update(knobs, channel);
    if (!channel.has("classes")) this.classes = parcel.classes;
    if (!channel.has("strokes")) {
      this.strokes = readStrokes(parcel.strokes);
      this.history.record(parcel.strokes);
    }
    this.code = Math.min(this.code, this.classes - 1);
    this.failed = failed;
    setText(this.message, failed);
    if (answer) this.adopt(answer);
    else if (pending) {
      this.computing.pending(pending);
      channel.look();
    } else this.computing.answered(null);
    this.schedule();
    this.later = setTimeout(() => this.schedule(), 400);
  }
  async adopt(answer) {
    const turn2 = this.turn = (this.turn ?? 0) + 1;
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
    while (this.views.length > count) this.views.pop().node.remove();
    while (this.views.length < count) {
      const view = new PictureView();
      this.hand.listen(view);
      this.views.push(view);
      this.plots.append(view.node);
    }
    this.views.forEach((view, i) => view.adopt(panels[i], count === 1));
  }
  get viewKey() {
    return this.scene.view_key;
  }
  // A message has left.
  asked(moving) {
    if (!moving) this.computing.asked();
  }
  changeStrokes() {
    this.channel.change("strokes", () => writeStrokes(this.strokes));
    this.channel.post();
    this.schedule();
  }
  // ---- what the hand does -----------------------------------------------------------------
  get fewest() {
    return Math.max(CLASSES2.least, ...this.strokes.map(({ code }) => code + 1));
  }
  // Strokes as seen: the one under the hand included.
  get shownStrokes() {
    return this.drawing ? [...this.strokes, this.drawing] : this.strokes;
  }
  get brushColour() {
    return this.tool === "eraser" ? this.theme.outline : this.theme.classes[this.code];
  }
  inside([x, y]) {
    const clamp2 = (v2, size) => Math.min(Math.max(Math.round(v2), 0), size - 1);
    return [clamp2(x, this.frame.width), clamp2(y, this.frame.height)];
  }
  pixel(at, view) {
    return this.inside(this.frame.toPicture(at, view.box));
  }
  point(at) {
    this.cursor = at;
    this.schedule();
  }
  begin(at) {
    const code = this.tool === "eraser" ? ERASER2 : this.code;
    this.drawing = { code, radius: this.radius, points: [at] };
    this.point(at);
  }
  extend(at) {
    if (!this.drawing) return;
    this.drawing.points = extended(this.drawing.points, at, this.radius);
    this.tip = at;
    this.point(at);
  }
  finish() {
    const { drawing: drawing2, tip } = this;
    if (!drawing2) return;
    const last = drawing2.points.at(-1);
    if (tip && (tip[0] !== last[0] || tip[1] !== last[1])) drawing2.points.push(tip);
    Object.assign(this, { drawing: null, tip: null });
    const as = drawing2.code === ERASER2 ? "erased" : `scribbled class ${drawing2.code + 1}`;
    this.edit([...this.strokes, drawing2], as);
  }
  abandon() {
    Object.assign(this, { drawing: null, tip: null });
    this.schedule();
  }
  edit(strokes, said) {
    this.strokes = strokes;
    this.history.record(writeStrokes(strokes));
    this.changeStrokes();
    this.say(`${said}; ${strokes.length} strokes`);
  }
  travel(moved3, said) {
    if (!moved3) return false;
    this.strokes = readStrokes(this.history.state.now);
    this.changeStrokes();
    this.say(`${said}; ${this.strokes.length} strokes`);
    return true;
  }
  undo() {
    return this.travel(this.history.undo(), "undone");
  }
  redo() {
    return this.travel(this.history.redo(), "redone");
  }
  pick(code) {
    this.code = code;
    return this.choose("brush");
  }
  choose(tool2) {
    this.tool = tool2;
    this.schedule();
    return true;
  }
  setRadius(radius) {
    this.radius = Math.min(Math.max(radius, RADIUS2.least), RADIUS2.most);
    this.schedule();
    return true;
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
  setKnob(name, value, done) {
    if (done || this.channel.value(name) !== value) this.channel.change(name, value);
    this.channel.post(!done);
    this.schedule();
  }
  zoomAt(factor, at, view) {
    this.frame.zoomAt(factor, at, view.box);
    this.schedule();
  }
  zoomBy(factor) {
    if (!factor) this.frame.reset();
    else {
      const view = this.views[0];
      const at = this.cursor ? this.frame.toScreen(this.cursor, view.box) : [view.box.w / 2, view.box.h / 2];
      this.frame.zoomAt(factor, at, view.box);
    }
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
  schedule() {
    this.board.pending = true;
    this.frameRequest ??= requestAnimationFrame(() => {
      this.frameRequest = null;
      if (!this.gone) this.draw();
    });
  }
  draw() {
    this.board.pending = false;
    if (!this.scene || !this.root.isConnected) return;
    this.theme = makeTheme(this.root, 12);
    const wide2 = this.root.clientWidth;
    if (!wide2) return;
    const size = wide2 < NARROW3 ? "narrow" : "wide";
    if (this.root.dataset.size !== size) this.tools.fold.open = size === "wide";
    this.root.dataset.size = size;
    const gap = 12;
    const many = this.views.length;
    const columns = wide2 >= many * LEAST_WIDTH + (many - 1) * gap ? many : 1;
    const { frame } = this;
    const tallest = Math.max(window.innerHeight - this.top() - BELOW2, LOWEST);
    const room2 = (wide2 - (columns - 1) * gap) / columns;
    const width = Math.max(120, Math.min(room2, tallest * frame.width / frame.height));
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
    const { name, width, height } = this.lasting;
    const shares = (this.answer?.shares ?? []).map(
      ([code, share]) => `class ${code + 1}: ${(100 * share).toFixed(1)} %`
    );
    const found = shares.length ? shares.join(", ") : "scribble at least two classes";
    return `Picture ${name}, ${width} by ${height} pixels, ${this.strokes.length} strokes; ${found}`;
  }
};
async function unpack(panel) {
  const stream = new Blob([panel.codes.data]).stream().pipeThrough(new DecompressionStream("deflate"));
  const codes = new Uint8Array(await new Response(stream).arrayBuffer());
  return { ...panel, codes };
}

// js/bars/sidebar.js
var WIDEST2 = 1e3;
var OPEN = '[data-testid="stSidebar"]:is([data-collapsed="false"], [aria-expanded="true"]) [data-testid="stSidebarCollapseButton"] button';
var HANDS = ["pointerdown", "keydown"];
function startWithoutSidebar(window2 = globalThis) {
  if (window2.__lapvizSidebar || window2.innerWidth > WIDEST2) return;
  window2.__lapvizSidebar = true;
  const { document: document2 } = window2;
  const close = () => document2.querySelector(OPEN)?.click();
  const watch = new MutationObserver(close);
  const end = () => {
    watch.disconnect();
    for (const hand of HANDS) document2.removeEventListener(hand, end, true);
  };
  for (const hand of HANDS) document2.addEventListener(hand, end, true);
  const attributeFilter = ["data-collapsed", "aria-expanded"];
  watch.observe(document2.body, { subtree: true, childList: true, attributes: true, attributeFilter });
  close();
}

// js/channel/main.js
var KINDS3 = {
  stage: Stage,
  curve: CurveStage,
  picture: PictureStage,
  knobs: KnobPanel,
  share: Share
};
var mounted = /* @__PURE__ */ new WeakMap();
function mount() {
  globalThis.__lapvizMount = mountKind;
  oneEntryPerPage();
  watchLinks();
  followHands();
  startWithoutSidebar();
  window.dispatchEvent(new Event("lapviz:ready"));
}
function mountKind(kind, component) {
  if (kind === "store") return store2(component);
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
    if (lasting) keep(tag, lasting);
  } catch (error) {
    console.warn("lapviz store:", error);
  }
}

// js/channel/bundle.js
var modules = {
  accuracy: accuracy_exports,
  aim: aim_exports,
  alone: alone_exports,
  anchor: anchor_exports,
  channel: channel_exports,
  cloud: cloud_exports,
  codes: codes_exports,
  colour: colour_exports,
  contours: contours_exports,
  curve: curve_exports,
  curveHandles: curve_handles_exports,
  decode: decode_exports,
  draw: draw_exports,
  drawBrush: draw_brush_exports,
  drawing: drawing_exports,
  eigen: eigen_exports,
  filters: filters_exports,
  formula: formula_exports,
  formulas: formulas_exports,
  images: images_exports,
  knob: knob_exports,
  labels: labels_exports,
  layout: layout_exports,
  linalg: linalg_exports,
  main: main_exports,
  modes: modes_exports,
  near: near_exports,
  numbers: numbers_exports,
  snapshot: snapshot_exports,
  pictureStrokes: picture_strokes_exports,
  raster: raster_exports,
  ridge: ridge_exports,
  scene: scene_exports,
  share: share_exports,
  space: space_exports,
  swipe: swipe_exports,
  view: view_exports
};
var bundle_default = mount;
openPage();
export {
  bundle_default as default,
  modules
};
