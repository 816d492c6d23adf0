// Decodes payload.py's blobs into objects with typed arrays, and keeps what lasts of the pictures (grid,
// points, modes; curves; an image) under its content hash.

import contract from "../../../../contract.json";
import { Kept } from "../numbers/history.js";

const START = contract.blob.start;
let halves = null;

// All 65536 half floats, so that decoding is a look-up.
function halfTable() {
  if (halves) return halves;
  halves = new Float32Array(65536);
  for (let h = 0; h < 65536; h++) {
    const sign = h & 0x8000 ? -1 : 1;
    const exponent = (h >> 10) & 31;
    const fraction = h & 1023;
    if (exponent === 31) halves[h] = fraction ? NaN : sign * Infinity;
    else if (exponent === 0) halves[h] = sign * fraction * 2 ** -24;
    else halves[h] = sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  }
  return halves;
}

// The content hash that a blob carries.
export function fingerprint(bytes) {
  const hex = (byte) => byte.toString(16).padStart(2, "0");
  return Array.from(bytes.subarray(4, START), hex).join("");
}

// Bytes (Uint8Array) to the tree that was packed; arrays become {shape, data}.
export function decode(bytes) {
  // A view into a message may start at any byte; typed arrays need aligned memory.
  const buffer = bytes.slice().buffer;
  const size = new DataView(buffer).getUint32(0, true);
  const header = new TextDecoder().decode(new Uint8Array(buffer, START, size));
  return lower(JSON.parse(header), buffer, START + size);
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
  const count = node.shape.reduce((a, b) => a * b, 1);
  const at = base + node.at;
  const Values = { f4: Float32Array, f8: Float64Array, i4: Int32Array, u1: Uint8Array }[node.type];
  if (Values) return { shape: node.shape, data: new Values(buffer, at, count) };
  const raw = new Uint16Array(buffer, at, count);
  const table = halfTable();
  const data = new Float32Array(count);
  const width = count / node.scale.length;
  node.scale.forEach((scale, row) => {
    for (let p = row * width; p < (row + 1) * width; p++) data[p] = table[raw[p]] * scale;
  });
  return { shape: node.shape, data };
}

// ---- what lasts ---------------------------------------------------------------------------------

const store = new Kept(8);
export const STORED = "lapviz:stored"; // dispatched on the window

// Store a part and notify who waits for it.
export function keep(tag, lasting) {
  store.set(tag, lasting);
  window.dispatchEvent(new Event(STORED));
}

export function stored(tag) {
  return store.get(tag) ?? null;
}
