// Drawings and their compact code, as lapviz/datasets/drawings.py has them: see there for the bytes.

import contract from "../../../../contract.json";

const RULES = contract.drawing;
export const MOST = RULES.most;
export const MOST_IN_LINK = RULES.most_in_link;
export const CLASSES = RULES.classes;
export const CELLS = 1 << RULES.bits;
export const SHEET = RULES.sheet;
const OWN_SHEET = 16; // added to the number of classes
const FAR = 2 ** 30; // steps that a sheet's corner may lie from the origin
const BROKEN = "The code of the drawing is not complete, or was changed on its way.";

// A drawing: {sheet: [x0, y0, dx, dy], points}, where a point is one number, its cell and its group:
// 0 without a class, else 2c + 1, and 2c + 2 where it was painted as a label. Drawings are not changed.
export function drawing(points = [], sheet = SHEET) {
  return { sheet, points };
}

export function pointOf(column, row, group) {
  return group * CELLS * CELLS + mortonOf(column, row);
}

export const groupOf = (point) => Math.floor(point / (CELLS * CELLS));
export const cellOf = (point) => {
  const number = point % (CELLS * CELLS);
  return [gathered(number), gathered(number >> 1)];
};
export const groupFor = (code, labelled) => (code < 0 ? 0 : 2 * code + (labelled ? 2 : 1));
export const codeOf = (point) => Math.floor((groupOf(point) + 1) / 2) - 1;
export const isLabel = (point) => groupOf(point) > 0 && groupOf(point) % 2 === 0;

export function placeOf(point, [x0, y0, dx, dy]) {
  const [column, row] = cellOf(point);
  return [x0 + dx * column, y0 + dy * row];
}

// The cell nearest to a place, on the sheet's edge for places beyond it.
export function cellAt(x, y, [x0, y0, dx, dy]) {
  const near = (value) => Math.min(Math.max(Math.round(value), 0), CELLS - 1);
  return [near((x - x0) / dx), near((y - y0) / dy)];
}

// Number of classes, at least two.
export function classesIn(points) {
  return points.reduce((most, point) => Math.max(most, codeOf(point) + 1), 2);
}

export function encode({ sheet, points }) {
  const sorted = [...points].sort((a, b) => a - b);
  const own = sheet.some((value, i) => value !== SHEET[i]);
  const count = classesIn(sorted);
  const bytes = [RULES.version, count + (own ? OWN_SHEET : 0)];
  if (own) bytes.push(...new Uint8Array(floatsOf(sheet)));
  const groups = Array.from({ length: 1 + 2 * count }, () => []);
  for (const point of sorted) groups[groupOf(point)].push(point % (CELLS * CELLS));
  for (const { length } of groups) {
    if (length > 127) bytes.push((length % 128) + 128, length >> 7);
    else bytes.push(length);
  }
  const bits = new Bits();
  for (const numbers of groups) if (numbers.length) writeRice(bits, numbers);
  bytes.push(...bits.bytes);
  const all = [...bytes, ...checkOf(bytes)];
  const text = btoa(String.fromCharCode(...all));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// The drawing of a code; throws an error with a sentence where it is none.
export function decode(code) {
  if (typeof code !== "string" || !/^[A-Za-z0-9_-]+$/.test(code)) throw new Error(BROKEN);
  if (code.length % 4 === 1) throw new Error(BROKEN);
  const text = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
  const raw = Array.from(text, (letter) => letter.charCodeAt(0));
  const body = raw.slice(0, -3);
  const sound = raw.length >= 5 && checkOf(body).every((byte, i) => byte === raw[raw.length - 3 + i]);
  if (!sound || body[0] !== RULES.version) throw new Error(BROKEN);
  const found = read(body);
  if (encode(found) !== code) throw new Error(BROKEN);
  return found;
}

function read(body) {
  const count = body[1] % OWN_SHEET;
  let [at, sheet] = [2, SHEET];
  if (count < 2 || count > CLASSES || body[1] >= 2 * OWN_SHEET) throw new Error(BROKEN);
  if (body[1] >= OWN_SHEET) {
    if (body.length < 18) throw new Error(BROKEN);
    const view = new DataView(Uint8Array.from(body.slice(2, 18)).buffer);
    sheet = checkedSheet([0, 4, 8, 12].map((place) => view.getFloat32(place, true)));
    at = 18;
  }
  const sizes = [];
  for (let group = 0; group < 1 + 2 * count; group++) {
    let size = body[at++];
    if (size > 127) size += 128 * (body[at] > 127 ? NaN : body[at++]) - 128;
    if (!(size >= 0)) throw new Error(BROKEN);
    sizes.push(size);
  }
  if (sizes.reduce((a, b) => a + b) > MOST) throw new Error(BROKEN);
  const bits = new Bits(body.slice(at));
  const points = sizes.flatMap((size, group) =>
    size ? readRice(bits, size).map((number) => group * CELLS * CELLS + number) : [],
  );
  return drawing(points, sheet);
}

// The sheet in 32-bit floats.
export function checkedSheet(sheet) {
  const [x0, y0, dx, dy] = sheet.map(Math.fround);
  const good = [dx, dy].every((step) => step >= 1e-30 && step <= 1e30);
  if (!good || !(Math.abs(x0) <= FAR * dx && Math.abs(y0) <= FAR * dy)) throw new Error(BROKEN);
  return [x0, y0, dx, dy];
}

function floatsOf(sheet) {
  const view = new DataView(new ArrayBuffer(16));
  sheet.forEach((value, i) => view.setFloat32(4 * i, value, true));
  return view.buffer;
}

// ---- bits -------------------------------------------------------------------------------------

class Bits {
  constructor(bytes = []) {
    Object.assign(this, { bytes, at: 0 });
  }

  push(bit) {
    if (this.at % 8 === 0) this.bytes.push(0);
    if (bit) this.bytes[this.at >> 3] |= 128 >> (this.at & 7);
    this.at += 1;
  }

  pushNumber(value, width) {
    for (let i = width - 1; i >= 0; i--) this.push((value >> i) & 1);
  }

  take() {
    if (this.at >= 8 * this.bytes.length) throw new Error(BROKEN);
    const bit = this.bytes[this.at >> 3] & (128 >> (this.at & 7));
    this.at += 1;
    return bit ? 1 : 0;
  }

  takeNumber(width) {
    let value = 0;
    for (let i = 0; i < width; i++) value = 2 * value + this.take();
    return value;
  }
}

function writeRice(bits, numbers) {
  const gaps = numbers.map((number, i) => number - (i ? numbers[i - 1] : 0));
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
  const numbers = [];
  let last = 0;
  for (let i = 0; i < size; i++) {
    let top = 0;
    while (bits.take()) top += 1;
    last += top * 2 ** k + bits.takeNumber(k);
    if (last >= CELLS * CELLS) throw new Error(BROKEN);
    numbers.push(last);
  }
  return numbers;
}

// The bits of column and row in turn.
function mortonOf(column, row) {
  return spread(column) | (spread(row) << 1);
}

function spread(value) {
  let v = value;
  v = (v | (v << 8)) & 0x00ff00ff;
  v = (v | (v << 4)) & 0x0f0f0f0f;
  v = (v | (v << 2)) & 0x33333333;
  return (v | (v << 1)) & 0x55555555;
}

function gathered(value) {
  let v = value & 0x55555555;
  v = (v | (v >> 1)) & 0x33333333;
  v = (v | (v >> 2)) & 0x0f0f0f0f;
  v = (v | (v >> 4)) & 0x00ff00ff;
  return (v | (v >> 8)) & 0x0000ffff;
}

// The three lowest bytes of the CRC-32.
function checkOf(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let i = 0; i < 8; i++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  const value = ~crc >>> 0;
  return [value & 255, (value >> 8) & 255, (value >> 16) & 255];
}
