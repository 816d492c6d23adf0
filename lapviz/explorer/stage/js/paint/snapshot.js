// A stage as one picture of any size: the same panels, zoom, labels and colours, drawn by the same code,
// with titles, classes and settings around them; or its charts.

import contract from "../../../../contract.json";
import { rightParts } from "../numbers/codes.js";
import { axisRoom } from "./axes.js";
import { Cloud } from "./cloud.js";
import { classColour, css, unpacked, makeTheme } from "./colour.js";
import { AXIS, inGrid, pixelsOf } from "../panels/layout.js";
import { addShape, drawNext } from "./marks.js";
import { paintOptionsOf } from "../panels/board.js";
import { drawText, fillPath } from "./pen.js";
import { settingsLine } from "../bars/display.js";
import { SvgPen } from "./svg_pen.js";
import { short } from "../numbers/view.js";
import { svg, svgBlob } from "./dom.js";

const BASE_SIZE = [1280, 720]; // at this size letters are as large as on the stage
const PAD = 20;
const HEAD = 42; // pixels above a panel
const PIXELS = 1200; // most pixels of a heat map along a side
const BANDS = 40; // bands of a colour bar
const SCALE = 80; // pixels of a colour bar with its upper end

// The picture as a Blob, "png" or "svg", of width x height pixels.
export async function pictureOf(stage, kind, width, height) {
  const scale = Math.sqrt((width * height) / (BASE_SIZE[0] * BASE_SIZE[1]));
  const title = stage.display.present.title.textContent;
  if (kind === "svg") {
    const pen = new SvgPen(width, height);
    draw(pen, stage, width, height, scale, title);
    const names = stage.display.visible.map((panel) => panel.title).join(", ");
    return pen.picture([title, names, settingsLine(stage), pinnedLine(stage)].filter(Boolean).join(": "));
  }
  return toPng(width, height, (pen) => draw(pen, stage, width, height, scale, title));
}

// The settings of the pinned panels, if these are shown.
function pinnedLine({ display: { shape, pins } }) {
  return shape.times > 1 ? pins.text.textContent : "";
}

// A PNG of what paint(pen) draws on a canvas.
function toPng(width, height, paint) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  paint(canvas.getContext("2d"));
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

// An SVG picture as PNG.
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
  const style = { size: 22, bold: true, baseline: "top", room: w - 2 * PAD };
  if (title) drawText(pen, theme, title, PAD, PAD, style);
  const top = PAD + (title ? 36 : 0);
  const bottom = h - PAD - drawFoot(pen, stage, w, h - PAD, theme);
  drawPanels(pen, stage, { x: PAD, y: top, w: w - 2 * PAD, h: bottom - top }, scale);
  pen.restore();
}

// Draw a text; returns its width.
function drawMeasured(pen, theme, text, ...options) {
  drawText(pen, theme, text, ...options);
  return pen.measureText(text).width;
}

// The classes, in as many lines as they need, and in the last one the settings, those of pinned
// panels above; returns their height.
function drawFoot(pen, stage, w, bottom, theme) {
  const { scene } = stage;
  const style = { size: 13, baseline: "middle" };
  pen.font = `13px ${theme.font}`;
  const lines = legendLines(pen, scene.kind === "classes" ? scene.classes : [], w);
  const y = bottom - 8;
  lines.forEach((line, i) => {
    const middle = y - 18 * (lines.length - 1 - i);
    for (const { code, name, x, room } of line) {
      pen.beginPath();
      addShape(pen, code, x + 7, middle, 5);
      fillPath(pen, classColour(theme, code));
      drawText(pen, theme, name, x + 18, middle, { ...style, room });
    }
  });
  const settings = settingsLine(stage);
  const last = lines.at(-1)?.at(-1);
  const right = { opacity: 0.8, align: "right", room: w - PAD - (last?.end ?? PAD) };
  drawText(pen, theme, settings, w - PAD, y, { ...style, ...right });
  const pinned = pinnedLine(stage);
  const above = y - 18 * Math.max(lines.length, 1);
  drawText(pen, theme, pinned, w - PAD, above, { ...style, ...right, room: w - 2 * PAD });
  const height = settings || lines.length ? 8 + 18 * Math.max(lines.length, 1) : 0;
  return height + (pinned ? 18 : 0);
}

// The classes' names in lines that leave the settings a part of the width: [[{code, name, x, room, end}]].
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
  const left = area.x + (area.w - (columns * pitchX - gap)) / 2;
  const high = area.y + Math.max((area.h - (rows * pitchY - gap)) / 2, 0);
  panels.forEach((panel, i) => {
    pen.save();
    pen.translate(left + (i % columns) * pitchX, high + Math.floor(i / columns) * pitchY + HEAD);
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

// The number of columns with the largest panels; all rows share the height.
function layoutOf(pen, { scene, view, display, board }, area, count) {
  const { aspect } = view;
  const { theme } = board;
  const axes = !scene.space && display.shape.count <= contract.panels.many;
  const room = { width: area.w, available: area.h, head: HEAD, least: 20 / aspect, aspect };
  const placed = (columns, beside = AXIS) => {
    const rows = Math.ceil(count / columns);
    return inGrid({ ...room, columns, rows, axes, room: beside, type: theme.type });
  };
  const places = Array.from({ length: count }, (_, i) => placed(i + 1));
  const best = places.reduce((a, b) => (b.box.w > 1.02 * a.box.w ? b : a));
  if (!best.axes) return best;
  return placed(best.columns, axisRoom(pen, view, best.box, theme, scene.axes[1]));
}

// Title; then accuracy, subtitle and colour scale.
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
  const end = right - x < SCALE ? right : right - drawScale(pen, panel, box, theme, Boolean(number));
  const words = [panel.waiting && panel.head.wait.textContent, subtitle].filter(Boolean).join(" · ");
  if (words && end - x >= 40) drawText(pen, theme, words, x, -7, { opacity: 0.8, room: end - x });
}

// A colour bar with its ends, the lower one if there is room; returns its width.
function drawScale(pen, panel, box, theme, hasAccuracy) {
  const right = box.x + box.w;
  const { field } = panel;
  if (!field || field.outputs !== 1 || field.flat || panel.hasNote) return 0;
  const colours = panel.colours(theme);
  const style = { opacity: 0.85, align: "right" };
  if (field.constant) return drawMeasured(pen, theme, "constant", right, -7, style) + 12;
  const width = drawMeasured(pen, theme, short(field.top, 2), right, -7, style);
  const bar = 44;
  const start = right - width - 4 - bar;
  for (let i = 0; i < BANDS; i++) {
    const at = Math.round(((i + 0.5) / BANDS) * (colours.length - 1));
    pen.fillStyle = css(unpacked(colours[at]));
    pen.fillRect(start + (i * bar) / BANDS, -15, bar / BANDS + (i < BANDS - 1 ? 0.3 : 0), 8);
  }
  if (box.w < (hasAccuracy ? 250 : 190)) return width + bar + 12;
  return width + bar + 16 + drawMeasured(pen, theme, `−${short(field.top, 2)}`, start - 4, -7, style);
}

function drawNote(pen, panel, box, theme) {
  Object.assign(pen, { strokeStyle: css(theme.text, 0.4), lineWidth: 1 });
  pen.strokeRect(box.x, box.y, box.w, box.h);
  pen.font = `14px ${theme.font}`;
  const lines = wrapped(pen, panel.panel.note, 0.84 * box.w);
  const style = { size: 14, opacity: 0.85, align: "center", baseline: "middle" };
  const [x, y] = [box.x + box.w / 2, box.y + box.h / 2 - 10 * (lines.length - 1)];
  lines.forEach((line, i) => drawText(pen, theme, line, x, y + 20 * i, style));
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

// ---- the curve stage: its charts, with their styles as attributes ---------------------------------

const ROW = 26; // pixels of a line of text
const STYLES = [
  ...["fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray"],
  ...["stroke-linecap", "font-size", "font-family", "font-weight", "opacity", "paint-order"],
];

// The charts as a Blob, "png" or "svg", of width x height pixels.
export async function curvesOf(stage, kind, width, height) {
  const picture = svgBlob(chartsOf(stage, width, height));
  return kind === "svg" ? picture : rasterised(picture, width, height);
}

function chartsOf(stage, width, height) {
  const theme = makeTheme(stage.root);
  const ratio = Math.sqrt((width * height) / (BASE_SIZE[0] * BASE_SIZE[1]));
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
  // The charts as in a window of the picture's shape.
  stage.root.style.width = `${across / ratio}px`;
  stage.layout(up / ratio);
  stage.draw();
  const frame = stage.charts.getBoundingClientRect();
  const scale = Math.min(across / frame.width, up / frame.height);
  pen.translate((width - scale * frame.width) / 2, pad + 2 * row + Math.max((up - scale * frame.height) / 2, 0));
  pen.scale(scale, scale);
  for (const chart of stage.charts.querySelectorAll("svg.chart")) {
    const { left, top, width } = chart.getBoundingClientRect();
    const place = { transform: `translate(${left - frame.left} ${top - frame.top})` };
    if (width) pen.add("g", place, ...styled(chart).childNodes);
  }
  for (const key of stage.charts.querySelectorAll(".key")) {
    const { width, right, bottom } = key.getBoundingClientRect();
    const place = [right - frame.left, bottom - frame.top - 4];
    if (width) drawText(pen, theme, key.textContent, ...place, { size: 13, align: "right" });
  }
  stage.root.style.width = "";
  stage.layout();
  return pen.root;
}

// The names of the curves, each after its mark, in one line.
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

// The mark before a name: of a curve, a known value or an unlabelled input.
function markOf(key, x, y) {
  const style = getComputedStyle(key.firstElementChild);
  const { opacity } = style;
  if (key.classList.contains("known"))
    return svg("circle", { cx: x + 11, cy: y, r: 3.5, fill: style.backgroundColor, opacity });
  const isInput = key.classList.contains("unknown");
  const stroke = isInput ? style.borderLeftColor : style.borderTopColor;
  const dash = { dotted: "2 2", dashed: "6 4" }[style.borderTopStyle] ?? "none";
  const shape = isInput ? `M${x + 11} ${y - 6}v11` : `M${x} ${y}h22`;
  const width = Number.parseFloat(isInput ? style.borderLeftWidth : style.borderTopWidth);
  return svg("path", { d: shape, stroke, opacity, "stroke-width": width, "stroke-dasharray": dash });
}

// A copy of a node with the computed styles as attributes.
function styled(node) {
  const copy = node.cloneNode(true);
  const [from, to] = [node, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((source, i) => {
    const style = getComputedStyle(source);
    for (const name of STYLES) to[i].setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "tabindex", "role", "aria-label"]) to[i].removeAttribute(name);
  });
  return copy;
}
