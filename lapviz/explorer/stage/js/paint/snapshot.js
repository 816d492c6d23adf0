// What the stage shows as one picture of any size: the same panels, zoom, labels and colours, drawn
// by the same code, with titles, classes and settings around them.

import contract from "../../../../contract.json";
import { rightParts } from "../numbers/accuracy.js";
import { axisRoom } from "./axes.js";
import { Cloud } from "./cloud.js";
import { css, unpacked } from "./colour.js";
import { AXIS, GAP, framed } from "../panels/layout.js";
import { paintCover } from "./layers.js";
import { drawDots, drawNext, trace } from "./marks.js";
import { settingsLine } from "../panels/pins.js";
import { SvgPen } from "./svg_pen.js";
import { short } from "../numbers/view.js";

const USUAL = [1280, 720]; // at this size letters are as large as on the stage
const PAD = 20;
const HEAD = 42; // pixels above a panel
const PIXELS = 1200; // of a heat map at most, along a side
const BANDS = 40; // of a colour bar

// The picture as a Blob, "png" or "svg", of width x height pixels.
export async function pictureOf(stage, kind, width, height) {
  const scale = Math.sqrt((width * height) / (USUAL[0] * USUAL[1]));
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

// An SVG picture as PNG.
export async function rasterised(picture, width, height) {
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

// Words at a place, as wide as there is room; returns their width.
function write(pen, theme, words, x, y, look = {}) {
  const { size = theme.type, bold = false, clear = 1, align = "left", base = "alphabetic" } = look;
  pen.font = `${bold ? "bold " : ""}${size}px ${theme.font}`;
  pen.textAlign = align;
  pen.textBaseline = base;
  pen.fillStyle = css(theme.text, clear);
  pen.fillText(words, x, y, look.room);
  return pen.measureText(words).width;
}

// The classes and the settings in one line; returns its height.
function drawFoot(pen, stage, w, bottom, theme) {
  const { scene } = stage;
  const y = bottom - 8;
  const look = { size: 13, base: "middle" };
  pen.font = `13px ${theme.font}`;
  let x = PAD;
  for (const [code, name] of scene.kind === "classes" ? scene.classes.entries() : []) {
    const wide = 22 + pen.measureText(name).width;
    if (x + wide > 0.62 * w) break;
    pen.beginPath();
    trace(pen, code, x + 7, y, 5);
    pen.fillStyle = css(theme.classes[code % theme.classes.length]);
    pen.fill();
    write(pen, theme, name, x + 18, y, look);
    x += wide + 12;
  }
  const words = settingsLine(stage);
  const rest = { clear: 0.8, align: "right", room: w - PAD - x };
  write(pen, theme, words, w - PAD, y, { ...look, ...rest });
  return words || x > PAD ? 26 : 0;
}

function drawPanels(pen, stage, area, scale) {
  const { scene, view, display, labels: own } = stage;
  const { theme } = stage.board;
  const panels = display.visible;
  const place = layoutOf(pen, stage, area, panels.length);
  const { columns, box, size, gap, axes } = place;
  const brush = {
    ...{ theme, view, scene, box, size, ratio: scale, moving: false },
    count: display.shape.count,
    cloud: null,
    axes: axes ? scene.axes : null,
    pixels: () => fitted(box, scale),
    putDots: (context) => drawDots(context, scene.points, view, box, theme),
    putCover: (context) => paintCover(context, brush),
  };
  if (scene.space) {
    brush.cloud = new Cloud();
    brush.cloud.aim(brush);
  }
  const rows = Math.ceil(panels.length / columns);
  const [pitchX, pitchY] = [size.width + gap, size.height + HEAD + gap];
  const left = area.x + (area.w - (columns * pitchX - gap)) / 2;
  const high = area.y + Math.max((area.h - (rows * pitchY - gap)) / 2, 0);
  panels.forEach((panel, i) => {
    pen.save();
    pen.translate(left + (i % columns) * pitchX, high + Math.floor(i / columns) * pitchY + HEAD);
    drawHead(pen, panel, box, theme);
    if (panel.noted) drawNote(pen, panel, box, theme);
    else {
      panel.draw(pen, brush);
      const labels = panel.labels ?? own;
      const placed = scene.space?.placed(labels, scene.points.position) ?? labels;
      panel.drawOver(pen, brush, placed, (context) => drawNext(context, scene, view, box, theme));
    }
    pen.restore();
  });
}

// As many columns as make the panels largest; the height is shared by all rows.
function layoutOf(pen, stage, area, count) {
  const { scene, view, display } = stage;
  const { theme } = stage.board;
  const wishes = { columns: 1, aspect: view.aspect, bare: Boolean(scene.space), area, count };
  Object.assign(wishes, { many: display.shape.count > contract.panels.many, type: theme.type });
  const places = Array.from({ length: count }, (_, i) => placed({ ...wishes, columns: i + 1 }));
  const best = places.reduce((a, b) => (b.box.w > 1.02 * a.box.w ? b : a));
  if (!best.axes) return best;
  const room = axisRoom(pen, view, best.box, theme, scene.axes[1]);
  return placed({ ...wishes, columns: best.columns, room });
}

function placed({ columns, aspect, bare, area, count, many, type, room = AXIS }) {
  const outer = Math.floor((area.w - GAP * (columns - 1)) / columns);
  const rows = Math.ceil(count / columns);
  const free = (area.h - GAP * (rows - 1)) / rows - HEAD;
  const most = (above) => Math.max(free - above, 20 / aspect);
  const place = framed({ outer, most, aspect, axes: !bare && !many && outer >= 200, room, type });
  return { columns, gap: GAP, ...place };
}

function fitted(box, scale) {
  const share = Math.min(1, PIXELS / Math.max(box.w * scale, box.h * scale));
  return [box.w, box.h].map((side) => Math.max(2, Math.round(side * scale * share)));
}

// Title; then what is right, the subtitle and the colour scale.
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

// A colour bar with its ends, the lower one where there is room; returns its width.
function drawScale(pen, panel, box, theme, scored) {
  const right = box.x + box.w;
  const { field } = panel;
  if (!field || field.outputs !== 1 || field.flat || panel.noted) return 0;
  const colours = panel.colours(theme);
  const look = { clear: 0.85, align: "right" };
  const wide = write(pen, theme, short(field.top, 2), right, -7, look);
  const bar = 44;
  const start = right - wide - 4 - bar;
  for (let i = 0; i < BANDS; i++) {
    const at = Math.round(((i + 0.5) / BANDS) * (colours.length - 1));
    pen.fillStyle = css(unpacked(colours[at]));
    pen.fillRect(start + (i * bar) / BANDS, -15, bar / BANDS + (i < BANDS - 1 ? 0.3 : 0), 8);
  }
  if (box.w < (scored ? 250 : 190)) return wide + bar + 12;
  return wide + bar + 16 + write(pen, theme, `−${short(field.top, 2)}`, start - 4, -7, look);
}

function drawNote(pen, panel, box, theme) {
  pen.lineWidth = 1;
  pen.strokeStyle = css(theme.text, 0.4);
  pen.strokeRect(box.x, box.y, box.w, box.h);
  pen.font = `14px ${theme.font}`;
  const lines = broken(pen, panel.panel.note, 0.84 * box.w);
  const look = { size: 14, clear: 0.85, align: "center", base: "middle" };
  const [x, y] = [box.x + box.w / 2, box.y + box.h / 2 - 10 * (lines.length - 1)];
  lines.forEach((line, i) => write(pen, theme, line, x, y + 20 * i, look));
}

function broken(pen, text, room) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (pen.measureText(longer).width <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.filter(Boolean);
}
