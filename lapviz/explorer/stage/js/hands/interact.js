// Pointer, wheel, touch and keyboard events on the pictures, translated into actions of the stage.

import { aimAt, nextFrom } from "./aim.js";

const NEAR = 12; // pixels within which a click selects a point
const FINGER = 20;
const STILL = 4; // pixels that the pointer may move during a click
const TWICE = 350; // milliseconds between the two clicks of a double click

// The label or drawn point nearest to (px, py), within reach; else the place itself.
export function targetAt(px, py, lens, reach = NEAR) {
  const { scene, view, box, labels } = lens;
  if (scene.space) return aimAt(px, py, lens, reach);
  let best = reach * reach;
  let nearest = null;
  const consider = (x, y, make, bonus) => {
    const [u, v] = view.toPixel(x, y, box);
    const d = (u - px) ** 2 + (v - py) ** 2;
    if (d * bonus < best) {
      best = d * bonus;
      nearest = make();
    }
  };
  const { xy, index, count } = scene.points;
  for (let i = 0; i < count; i++) {
    consider(xy[2 * i], xy[2 * i + 1], () => pointTarget(scene, i), 1);
  }
  // A labelled point is drawn larger, so it is selected from further away.
  for (const label of labels) {
    const point = scene.points.position.get(label.index) ?? -1;
    consider(
      label.x,
      label.y,
      () => ({ x: label.x, y: label.y, index: label.index, point, snapped: true }),
      0.5,
    );
  }
  if (nearest) return nearest;
  const [x, y] = view.toPlane(px, py, box);
  return { x, y, index: -1, point: -1, snapped: false };
}

export function pointTarget(scene, i) {
  const { xy, index } = scene.points;
  return { x: xy[2 * i], y: xy[2 * i + 1], index: index[i], point: i, snapped: true };
}

// The nearest target from `from` in the direction (dx, dy); targets off it count as further away.
export function neighbour(from, dx, dy, { scene, labels }) {
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
  for (const label of labels) {
    if (label.index >= 0) continue;
    consider(label.x, label.y, () => ({
      x: label.x,
      y: label.y,
      index: -1,
      point: -1,
      snapped: true,
    }));
  }
  return nearest;
}

// Listens on one panel's plot; `hand` takes hover, leave, press, drag, zoomAt and hint.
export function listen(plot, panel, hand) {
  const place = (event) => {
    const frame = plot.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  let down = null;
  let last = null;
  plot.addEventListener("pointermove", (event) => {
    const [x, y] = place(event);
    if (down && (event.pointerType === "mouse" || hand.turns)) {
      if (!down.moved && Math.hypot(x - down.x, y - down.y) > STILL) {
        // A finger that starts upright scrolls the page.
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
    const soon =
      last && event.timeStamp - last.time < TWICE && Math.hypot(x - last.x, y - last.y) < 8;
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
      const step = event.deltaMode === 1 ? 16 * event.deltaY : event.deltaY;
      hand.zoomAt(Math.exp(-Math.min(Math.max(step, -120), 120) * 0.004), ...place(event));
    },
    { passive: false },
  );
  listenTouch(plot, place, hand, () => (down = null));
}

// Two fingers pinch and pan; one finger scrolls the page, or turns points in space.
function listenTouch(plot, place, hand, cancel) {
  let pinch = null;
  const measure = (event) => {
    const [a, b] = [place(event.touches[0]), place(event.touches[1])];
    return {
      x: (a[0] + b[0]) / 2,
      y: (a[1] + b[1]) / 2,
      span: Math.hypot(a[0] - b[0], a[1] - b[1]),
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
    { passive: false },
  );
  plot.addEventListener("touchend", () => (pinch = null));
  plot.addEventListener("touchcancel", () => (pinch = null));
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

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// Keys while the pictures have the focus; true when the key was used.
export function pressKey(event, stage) {
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
