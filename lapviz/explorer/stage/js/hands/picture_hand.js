// Mouse, pen, fingers and keys on a picture's canvases.

const TWICE = 350; // milliseconds between the taps of a double tap
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class PictureHand {
  constructor(stage) {
    Object.assign(this, { stage, fingers: new Map(), pinch: null, panning: null, down: false });
  }

  listen(view) {
    const { canvas } = view;
    const place = (event) => {
      const frame = canvas.getBoundingClientRect();
      return [event.clientX - frame.left, event.clientY - frame.top];
    };
    canvas.addEventListener("pointerdown", (event) => this.press(event, view, place(event)));
    canvas.addEventListener("pointermove", (event) => this.move(event, view, place));
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
        const step = event.deltaMode === 1 ? 16 * event.deltaY : event.deltaY;
        this.stage.zoomAt(Math.exp(-Math.min(Math.max(step, -120), 120) * 0.004), place(event), view);
      },
      { passive: false },
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
    const soon = last && event.timeStamp - last.time < TWICE && Math.hypot(x - last.x, y - last.y) < 12;
    if (!soon || this.stage.frame.whole) return false;
    this.stage.zoomBy(0);
    this.last = null;
    return true;
  }

  move(event, view, place) {
    const { stage } = this;
    const at = place(event);
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
      for (const one of all.length ? all : [event]) stage.extend(stage.pixel(place(one), view));
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
    if (key in ARROWS) return this.step(ARROWS[key], event.shiftKey);
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
}

