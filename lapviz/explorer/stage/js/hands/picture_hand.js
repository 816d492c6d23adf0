// Mouse, pen, fingers and keys on a picture's canvases.

import { listenPinch, listenWheel, pairs, parts, placeOn } from "./gestures.js";
import { ARROWS, TOOLS, pressKey } from "./keys.js";

export class PictureHand {
  constructor(stage) {
    Object.assign(this, { stage, panning: null, down: false });
  }

  listen(view) {
    const { canvas } = view;
    const { stage } = this;
    const place = placeOn(canvas);
    const second = pairs(12);
    let held = false;
    const release = (lost) => (event) => {
      if (!event.isPrimary || !held) return;
      held = false;
      this.release(event, lost);
    };
    canvas.addEventListener("pointerdown", (event) => {
      stage.plots.focus({ preventScroll: true });
      if (!stage.image) return;
      event.preventDefault();
      if (!event.isPrimary) return;
      canvas.setPointerCapture(event.pointerId);
      held = true;
      const at = place(event);
      if (event.pointerType === "touch" && second(event, at) && stage.frame.zoomed) stage.zoomBy(0);
      else if (stage.tool === "move" || event.button === 1) this.panning = at;
      else if (event.button === 0) stage.begin(stage.pixel(at, view));
    });
    canvas.addEventListener("pointermove", (event) => event.isPrimary && this.move(event, view, place, held));
    canvas.addEventListener("pointerup", release(false));
    canvas.addEventListener("pointercancel", release(true));
    canvas.addEventListener("pointerleave", () => held || stage.point(null));
    canvas.addEventListener("dblclick", () => stage.tool === "move" && stage.zoomBy(0));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    const zoomAt = (factor, ...at) => stage.zoomAt(factor, at, view);
    const pan = (dx, dy) => stage.pan(dx, dy, view);
    listenWheel(canvas, zoomAt);
    listenPinch(canvas, { pan, zoomAt, begun: () => this.abandon() });
  }

  move(event, view, place, held) {
    const { stage } = this;
    const at = place(event);
    if (this.panning) {
      stage.pan(at[0] - this.panning[0], at[1] - this.panning[1], view);
      this.panning = at;
    } else if (stage.drawing && held) {
      for (const one of parts(event)) stage.extend(stage.pixel(place(one), view));
    } else if (event.pointerType !== "touch") stage.point(stage.pixel(at, view));
  }

  release(event, lost) {
    this.panning = null;
    if (lost) this.abandon();
    else if (this.stage.drawing && !this.down) this.stage.finish();
    if (event.pointerType === "touch") this.stage.point(null);
  }

  abandon() {
    Object.assign(this, { down: false, panning: null });
    this.stage.abandon();
  }

  // Arrows move the brush, Space puts it down and lifts it; true when the key was used.
  key(event) {
    const { stage } = this;
    return pressKey(event, stage, (key) => {
      if (key in ARROWS) return this.step(ARROWS[key], event.shiftKey);
      if (key === " " || key === "Enter") return this.toggle();
      if (key === "Escape") return stage.drawing ? (this.abandon(), true) : false;
      if (key === "0") return stage.zoomBy(0);
      if (key === "[" || key === "]") return stage.setRadius(stage.radius + (key === "]" ? 1 : -1));
      if (key in TOOLS) return stage.choose(TOOLS[key]);
      if (!/^[1-9]$/.test(key)) return undefined;
      return Number(key) <= stage.classes && stage.pick(Number(key) - 1);
    });
  }

  step([dx, dy], far) {
    const { stage } = this;
    const reach = Math.max(1, Math.round((far ? 5 : 1) * Math.max(stage.radius, 3)));
    const from = stage.cursor ?? stage.frame.centre.map(Math.round);
    const to = stage.inside([from[0] + dx * reach, from[1] - dy * reach]);
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
    const at = stage.cursor ?? stage.inside(stage.frame.centre);
    if (stage.tool === "move") stage.choose("brush");
    stage.point(at);
    stage.begin(at);
    this.down = stage.drawing;
    stage.say("brush down");
    return true;
  }
}
