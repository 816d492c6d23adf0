// Decodes payload.py's blobs into objects with typed arrays, and stores the static parts of pictures (grid,
// points, modes; curves; an image) under their content hashes.

import contract from "../../../../contract.json";
import { NewestMap } from "../numbers/history.js";
import { latest } from "../numbers/memo.js";

const START = contract.blob.start;

// All 65536 half floats, to decode by look-up.
const halfTable = latest(() =>
  Float32Array.from({ length: 65536 }, (_, half) => {
    const [sign, exponent, fraction] = [half & 0x8000 ? -1 : 1, (half >> 10) & 31, half & 1023];
    if (exponent === 31) return fraction ? NaN : sign * Infinity;
    if (exponent === 0) return sign * fraction * 2 ** -24;
    return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  }),
);

// The content hash that a blob carries.
export function fingerprint(bytes) {
  const hex = (byte) => byte.toString(16).padStart(2, "0");
  return Array.from(bytes.subarray(4, START), hex).join("");
}

// The packed tree from its bytes (Uint8Array); arrays become typed arrays with a `shape`.
export function decode(bytes) {
  if (!(bytes instanceof Uint8Array) || bytes.length < START)
    throw new Error("The picture's data did not arrive.");
  // A view into a message may start at any byte; typed arrays need aligned memory.
  const buffer = bytes.slice().buffer;
  const size = new DataView(buffer).getUint32(0, true);
  if (START + size > buffer.byteLength) throw new Error("The picture's data is cut short.");
  const header = new TextDecoder().decode(new Uint8Array(buffer, START, size));
  const isArray = (value) => value instanceof Object && "at" in value && "type" in value;
  return JSON.parse(header, (_, value) => (isArray(value) ? readArray(value, buffer, START + size) : value));
}

function readArray(node, buffer, base) {
  const count = node.shape.reduce((a, b) => a * b, 1);
  const at = base + node.at;
  const Values = { f4: Float32Array, f8: Float64Array, i4: Int32Array, u1: Uint8Array }[node.type];
  if (Values) return Object.assign(new Values(buffer, at, count), { shape: node.shape });
  const raw = new Uint16Array(buffer, at, count);
  const table = halfTable();
  const data = new Float32Array(count);
  const width = count / node.scale.length;
  node.scale.forEach((scale, row) => {
    for (let p = row * width; p < (row + 1) * width; p++) data[p] = table[raw[p]] * scale;
  });
  return Object.assign(data, { shape: node.shape });
}

// ---- static parts -------------------------------------------------------------------------------

export const store = new NewestMap(8);
export const STORED = "lapviz:stored"; // dispatched on the window

// Store the static part in these bytes, if any, and notify the stages that wait for it.
export function keep(bytes) {
  const tag = fingerprint(bytes);
  const staticPart = store.get(tag) ?? decode(bytes).static;
  if (staticPart) store.set(tag, staticPart);
  window.dispatchEvent(new Event(STORED));
}
