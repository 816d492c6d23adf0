// Gestures on any node: drags, strokes of a tool, wheel, pinch, double taps, and keys.

import { NEAR } from "./hand.js";

const MOST_SHIFT = 2; // pixels by which a plot may move in the page during a stroke
const DOUBLE_CLICK = 350; // largest time in milliseconds between two clicks of a double click

// A function for the place of an event, in pixels from the node's upper left corner.
export function placeOn(node) {
  return (event) => {
    const frame = node.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
}

// A function that tells if a click is the second of a double click, at most `distance` pixels away. With
// `canBeFirst` false no click after it is.
export function doubleClicks(distance) {
  let last = null;
  return ({ timeStamp: time, clientX: x, clientY: y }, canBeFirst = true) => {
    const isSecond = last && time - last.time < DOUBLE_CLICK && Math.hypot(x - last.x, y - last.y) < distance;
    last = isSecond || !canBeFirst ? null : { x, y, time };
    return Boolean(isSecond);
  };
}

// Drags with a pointer: begin(at), drag(at, { done }), and cancelled() if the browser cancels it, which has
// no place.
export function listenDrag(node, place, { begin, drag, cancelled }) {
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.preventDefault();
    node.setPointerCapture(event.pointerId);
    begin(place(event));
  });
  const whileHeld = (kind, run) =>
    node.addEventListener(kind, (event) => node.hasPointerCapture(event.pointerId) && run(event));
  whileHeld("pointermove", (event) => drag(place(event), { done: false }));
  whileHeld("pointerup", (event) => drag(place(event), { done: true }));
  whileHeld("pointercancel", cancelled);
}

// The wheel zooms with Ctrl or ⌘: zoomAt(factor, x, y); without them it calls onScroll().
export function listenWheel(node, zoomAt, onScroll) {
  const place = placeOn(node);
  const onWheel = (event) => {
    if (!event.ctrlKey && !event.metaKey) return onScroll?.();
    event.preventDefault();
    const step = event.deltaMode === 1 ? 16 * event.deltaY : event.deltaY;
    zoomAt(Math.exp(-Math.min(Math.max(step, -120), 120) * 0.004), ...place(event));
  };
  node.addEventListener("wheel", onWheel, { passive: false });
}

// Two fingers: begin() when the second one touches, then pan(dx, dy) and zoomAt(factor, x, y).
export function listenPinch(node, { pan, zoomAt, begin }) {
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
  for (const end of ["touchend", "touchcancel"]) node.addEventListener(end, () => (pinch = null));
}

// Strokes of a tool on one panel's plot, which receives events before all other listeners there. tool:
// ready, busy (in a stroke), exclusive (other listeners get no pointer events while it is ready),
// keepsCancelled (a stroke that the browser cancels is finished, not discarded), endsWhenMoved (a stroke ends
// where the page moves its plot, as when a message above goes), begin(panel, at, event),
// extend(at, event), finish(), cancel(), hover(panel, at or null). plots: the node that gets the focus;
// buttons: mouse buttons that draw strokes; forget(): called before a stroke.
export function listenTool(plot, panel, tool, { plots, buttons = [0], inside = () => true, forget }) {
  const place = placeOn(plot);
  let frame = null; // where the plot was when the stroke began
  const hasMoved = () => {
    const now = plot.getBoundingClientRect();
    return ["left", "top", "width", "height"].some((side) => Math.abs(now[side] - frame[side]) > MOST_SHIFT);
  };
  plot.addEventListener("pointerdown", (event) => {
    if (!tool.ready || !buttons.includes(event.button) || !event.isPrimary || panel.closed) return;
    const at = place(event);
    if (!inside(...at)) return;
    event.stopImmediatePropagation();
    if (tool.busy && event.pointerType !== tool.pointerType) return; // the palm beside a pen
    event.preventDefault();
    plots.focus({ preventScroll: true });
    forget?.();
    plot.setPointerCapture(event.pointerId);
    Object.assign(tool, { pointerId: event.pointerId, pointerType: event.pointerType });
    frame = plot.getBoundingClientRect();
    tool.begin(panel, at, event);
  });
  plot.addEventListener("pointermove", (event) => {
    if (!tool.ready) return;
    if (tool.exclusive || tool.busy) event.stopImmediatePropagation();
    if (!event.isPrimary) return;
    const at = place(event);
    if (event.pointerType !== "touch") tool.hover(panel, inside(...at) ? at : null);
    if (!tool.busy || event.pointerId !== tool.pointerId) return;
    if (tool.endsWhenMoved && frame && hasMoved()) return tool.finish(); // the stroke would jump
    const combined = event.getCoalescedEvents?.() ?? [];
    for (const step of combined.length ? combined : [event]) tool.extend(place(step), step);
  });
  plot.addEventListener("pointerup", (event) => {
    if (!tool.busy) return;
    event.stopImmediatePropagation();
    if (event.pointerId === tool.pointerId) tool.finish();
  });
  plot.addEventListener("pointercancel", (event) => {
    if (tool.busy && event.pointerId === tool.pointerId) tool.keepsCancelled ? tool.finish() : tool.cancel();
  });
  plot.addEventListener("pointerleave", () => tool.hover(panel, null));
  const onTouch = (event) => {
    const isPen = tool.busy && tool.pointerType === "pen"; // and its palm
    if (event.touches.length > 1 && !isPen) tool.cancel(); // two fingers zoom
    else if (tool.ready) event.preventDefault();
  };
  plot.addEventListener("touchstart", onTouch, { passive: false });
}

// ---- on the pictures ----------------------------------------------------------------------------

const FINGER = 20; // pixels within which a finger selects a point
export const CLICK_DISTANCE = 4; // pixels that the pointer may move during a click

// Listen on one panel's plot; `hand` has hover, leave, showWhole, press, drag, pan, zoomAt and hint.
export function listen(plot, panel, hand) {
  const place = placeOn(plot);
  let down = null;
  plot.addEventListener("pointermove", (event) => {
    const [x, y] = place(event);
    const touch = event.pointerType === "touch";
    const drags = down && (event.pointerType === "mouse" || hand.rotates);
    if (drags && !down.moved && Math.hypot(x - down.x, y - down.y) > CLICK_DISTANCE) {
      // A finger that starts vertically scrolls the page.
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
  plot.addEventListener("pointercancel", () => (down = null));
  plot.addEventListener("pointerup", (event) => {
    const press = down;
    down = null;
    if (!press || press.moved || event.button !== 0) return;
    const [x, y] = place(event);
    if (Math.hypot(x - press.x, y - press.y) > 2 * CLICK_DISTANCE) return;
    const reach = event.pointerType === "touch" ? FINGER : NEAR;
    if (!hand.showWhole(event)) hand.press(panel, x, y, { reach, addCandidate: event.shiftKey });
  });
  // Two fingers pinch and pan; one finger scrolls the page, or rotates points in space.
  const zoomAt = (...args) => hand.zoomAt(...args);
  listenWheel(plot, zoomAt, () => hand.hint());
  listenPinch(plot, { pan: (dx, dy) => hand.pan(dx, dy), zoomAt, begin: () => (down = null) });
}

// The class for a digit key: the class of that name, else the class at that position (0: the tenth);
// -1 if there is none.
export function classOfKey(key, classes) {
  const named = classes.indexOf(key);
  const position = key === "0" ? 9 : Number(key) - 1;
  return named >= 0 ? named : position < classes.length ? position : -1;
}

// The digit key of every class, "" for those that have none.
export function keysOf(classes) {
  const keys = classes.map(() => "");
  for (const key of "1234567890") {
    const code = classOfKey(key, classes);
    if (code >= 0 && (!keys[code] || classes[code] === key)) keys[code] = key;
  }
  return keys;
}

// ---- keys, wherever the focus is in the page ---------------------------------------------------

// Controls that use keys themselves: to type, or to choose among cells and entries.
const USES_KEYS =
  "input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select, canvas, " +
  "[contenteditable]:not([contenteditable=false]), [role=combobox], [role=listbox], [role=grid], [role=menu]";
const TYPING = "input:not([type=range]), select, textarea, .lv-term";
const ZOOMS = { "+": 1.4, "=": 1.4, "-": 1 / 1.4, _: 1 / 1.4, Home: 0 };

// Directions with y upwards.
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
export const TOOLS = { b: "brush", e: "eraser", m: "move" };

// Is the key for a control in which the user types or chooses, or whose tip Escape closes?
export function isTyping(event) {
  return Boolean(event.composedPath()[0].closest?.(TYPING));
}

// Is it a key that neither scrolls a page nor presses its buttons: class, tool, width, undo or redo?
function isSafeAnywhere({ key, ctrlKey, metaKey, altKey }) {
  if (altKey) return false;
  return ctrlKey || metaKey ? /^[zy]$/i.test(key) : /^[0-9bem[\],.]$/i.test(key);
}

// Call `onKey` for every key while `plots` has the focus, and for safe ones while the focus is on anything
// that does not use keys: also on nothing, as after a click that has disabled its own button. If the page
// has several stages, each gets only the keys within it. `signal` ends the listening.
export function listenKeys(root, plots, onKey, signal) {
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

// Handle a key; returns true if it was used. Undo, redo and zoom are the same everywhere: `actions` has
// travel("undo" or "redo") and zoomBy(factor, 0 for the whole picture). onKey(key) precedes the zoom: it
// returns true or false, or undefined for an unknown key.
export function handleKey(event, actions, onKey) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) {
    const direction = { z: event.shiftKey ? "redo" : "undo", y: "redo" }[key];
    return Boolean(direction) && actions.travel(direction);
  }
  if (event.altKey) return false;
  return onKey(key) ?? (key in ZOOMS && actions.zoomBy(ZOOMS[key]));
}
