// What hands do on a node in general: drags, strokes of a tool, wheel, pinch, double taps, and keys.

import { NEAR } from "./hand.js";

const TWICE = 350; // milliseconds between the two clicks of a double click

// Where events are, in pixels from the node's upper left corner.
export function placeOn(node) {
  return (event) => {
    const frame = node.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
}

// Whether clicks are the second of two within so many pixels; such a pair is over.
export function pairs(within) {
  let last = null;
  return ({ timeStamp: time }, [x, y]) => {
    const soon = last && time - last.time < TWICE && Math.hypot(x - last.x, y - last.y) < within;
    last = soon ? null : { x, y, time };
    return Boolean(soon);
  };
}

// A pointer that is held down: begin(at), drag(at, done), and lost() where it was cancelled: then it
// has no place.
export function listenDrag(node, place, { begin, drag, lost }) {
  let held = false;
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.preventDefault();
    node.setPointerCapture(event.pointerId);
    held = true;
    begin(place(event));
  });
  node.addEventListener("pointermove", (event) => held && drag(place(event), false));
  node.addEventListener("pointerup", (event) => {
    if (held) drag(place(event), true);
    held = false;
  });
  node.addEventListener("pointercancel", () => {
    if (held) lost();
    held = false;
  });
}

// With Ctrl or ⌘ the wheel zooms: zoomAt(factor, x, y); without, plain().
export function listenWheel(node, zoomAt, plain) {
  const place = placeOn(node);
  const turned = (event) => {
    if (!event.ctrlKey && !event.metaKey) return plain?.();
    event.preventDefault();
    const step = event.deltaMode === 1 ? 16 * event.deltaY : event.deltaY;
    zoomAt(Math.exp(-Math.min(Math.max(step, -120), 120) * 0.004), ...place(event));
  };
  node.addEventListener("wheel", turned, { passive: false });
}

// Two fingers: pan(dx, dy) and zoomAt(factor, x, y); begun() before, when the second comes down.
export function listenPinch(node, { pan, zoomAt, begun }) {
  const place = placeOn(node);
  let pinch = null;
  const measure = ({ touches }) => {
    const [[ax, ay], [bx, by]] = [place(touches[0]), place(touches[1])];
    return { x: (ax + bx) / 2, y: (ay + by) / 2, span: Math.hypot(ax - bx, ay - by) };
  };
  const start = (event) => {
    pinch = event.touches.length === 2 ? measure(event) : null;
    if (!pinch) return;
    begun();
    event.preventDefault();
  };
  const move = (event) => {
    if (!pinch || event.touches.length !== 2) return;
    event.preventDefault();
    const now = measure(event);
    pan(now.x - pinch.x, now.y - pinch.y);
    zoomAt(now.span / Math.max(pinch.span, 1), now.x, now.y);
    pinch = now;
  };
  node.addEventListener("touchstart", start, { passive: false });
  node.addEventListener("touchmove", move, { passive: false });
  for (const end of ["touchend", "touchcancel"]) node.addEventListener(end, () => (pinch = null));
}

// Strokes of a tool on one panel's plot, which it has before everything else that listens there. tool:
// ready, busy (in a stroke), alone (nothing else hears the pointer meanwhile), keeps (what is done so far
// stays where the browser takes the pointer away), begin(panel, at, event), extend(at, event), finish(),
// cancel(), hover(panel, at or null). plots: what gets the focus;
// buttons: those of the mouse that make strokes; forget(): before a stroke.
export function listenTool(plot, panel, tool, { plots, buttons = [0], inside = () => true, forget }) {
  const place = placeOn(plot);
  plot.addEventListener("pointerdown", (event) => {
    if (!tool.ready || !buttons.includes(event.button) || !event.isPrimary || panel.closed) return;
    const at = place(event);
    if (!inside(...at)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    plots.focus({ preventScroll: true });
    forget?.();
    plot.setPointerCapture(event.pointerId);
    tool.begin(panel, at, event);
  });
  plot.addEventListener("pointermove", (event) => {
    if (!tool.ready) return;
    if (tool.alone || tool.busy) event.stopImmediatePropagation();
    if (!event.isPrimary) return;
    const at = place(event);
    if (event.pointerType !== "touch") tool.hover(panel, inside(...at) ? at : null);
    if (!tool.busy) return;
    const combined = event.getCoalescedEvents?.() ?? [];
    for (const one of combined.length ? combined : [event]) tool.extend(place(one), one);
  });
  plot.addEventListener("pointerup", (event) => {
    if (!tool.busy) return;
    event.stopImmediatePropagation();
    if (event.isPrimary) tool.finish();
  });
  plot.addEventListener("pointercancel", () => (tool.keeps ? tool.finish() : tool.cancel()));
  plot.addEventListener("pointerleave", () => tool.hover(panel, null));
  const touched = (event) => {
    if (event.touches.length > 1) tool.cancel(); // two fingers zoom
    else if (tool.ready) event.preventDefault();
  };
  plot.addEventListener("touchstart", touched, { passive: false });
}

// ---- on the pictures, as actions of a hand ------------------------------------------------------

const FINGER = 20; // pixels within which a finger selects a point
const STILL = 4; // pixels that the pointer may move during a click

// Listens on one panel's plot; `hand` takes hover, leave, press, drag, pan, zoomAt and hint.
export function listen(plot, panel, hand) {
  const place = placeOn(plot);
  const second = pairs(8);
  let down = null;
  plot.addEventListener("pointermove", (event) => {
    const [x, y] = place(event);
    const touch = event.pointerType === "touch";
    const drags = down && (event.pointerType === "mouse" || hand.turns);
    if (drags && !down.moved && Math.hypot(x - down.x, y - down.y) > STILL) {
      // A finger that starts upright scrolls the page.
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
    if (Math.hypot(x - press.x, y - press.y) > 2 * STILL) return;
    const reach = event.pointerType === "touch" ? FINGER : NEAR;
    hand.press(panel, x, y, reach, second(event, [x, y]), event.shiftKey);
  });
  // Two fingers pinch and pan; one finger scrolls the page, or turns points in space.
  const zoomAt = (...how) => hand.zoomAt(...how);
  listenWheel(plot, zoomAt, () => hand.hint());
  listenPinch(plot, { pan: (dx, dy) => hand.pan(dx, dy), zoomAt, begun: () => (down = null) });
}

// The class that a digit key chooses: the class of that name, else the class at that position (0:
// the tenth); -1 if there is none.
export function classOfKey(key, classes) {
  const named = classes.indexOf(key);
  const place = key === "0" ? 9 : Number(key) - 1;
  return named >= 0 ? named : place < classes.length ? place : -1;
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

// Where keys are typed, or choose among cells and entries.
const TYPED =
  "input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select, canvas, " +
  "[contenteditable]:not([contenteditable=false]), [role=combobox], [role=listbox], [role=grid], [role=menu]";
const ZOOMS = { "+": 1.4, "=": 1.4, "-": 1 / 1.4, _: 1 / 1.4, Home: 0 };

// Directions with y upwards.
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
export const TOOLS = { b: "brush", e: "eraser", m: "move" };

// Keys that neither scroll a page nor press its buttons: classes, tools, widths, undo and redo.
function isFree({ key, ctrlKey, metaKey, altKey }) {
  if (altKey) return false;
  return ctrlKey || metaKey ? /^[zy]$/i.test(key) : /^[0-9bem[\],.]$/i.test(key);
}

// Gives `press` every key while `plots` has the focus, and the free ones while anything else has
// that is no place to type: also nothing, as after a button that its own click has disabled. With
// several stages, one hears its own keys alone. `signal` ends it.
export function listenKeys(root, plots, press, signal) {
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
  document.addEventListener("keydown", heard, { signal });
}

// What a key does; true when it was used. Undo, redo and zoom are alike everywhere: acts has
// travel("undo" or "redo") and zoomBy(factor, 0 for the whole). own(key) comes before the zoom: true
// or false, undefined where it does not know the key.
export function pressKey(event, acts, own) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) {
    const way = { z: event.shiftKey ? "redo" : "undo", y: "redo" }[key];
    return Boolean(way) && acts.travel(way);
  }
  if (event.altKey) return false;
  return own(key) ?? (key in ZOOMS && acts.zoomBy(ZOOMS[key]));
}
