// Play: sweeps lambda up and down on a log scale, or up once; in steps if the system asks for reduced
// motion.

import { isCalm } from "../paint/dom.js";

const SPEED = 1.5; // decades per second
const STEP = 0.5; // decades
const EVERY = 800; // milliseconds between steps

export class Player {
  constructor(set, changed) {
    Object.assign(this, { set, changed, on: false, way: 1 });
  }

  toggle(lam, lo, hi) {
    if (this.on) return this.stop();
    this.range = [Math.log10(lo), Math.log10(hi)];
    this.at = Math.min(Math.max(Math.log10(lam || lo), this.range[0]), this.range[1]);
    if (this.at >= this.range[1] - 1e-9) this.way = -1;
    this.start(null);
  }

  // Upwards from lo to hi, and there it ends.
  once(lo, hi) {
    this.range = [Math.log10(lo), Math.log10(hi)];
    this.at = this.range[0];
    this.way = 1;
    this.start(hi);
  }

  start(end) {
    this.end = end;
    const running = this.on;
    this.on = true;
    if (!running) this.run(performance.now());
    this.changed();
  }

  stop() {
    if (!this.on) return;
    this.on = false;
    cancelAnimationFrame(this.next);
    clearTimeout(this.timer);
    this.changed();
  }

  run(before) {
    const go = (now, decades) => {
      if (!this.on) return;
      this.advance(decades);
      this.run(now);
    };
    if (isCalm()) this.timer = setTimeout(() => go(performance.now(), STEP), EVERY);
    else
      this.next = requestAnimationFrame((now) =>
        go(now, (SPEED * Math.min(Math.max(now - before, 0), 100)) / 1000));
  }

  advance(decades) {
    const [lo, hi] = this.range;
    this.at += this.way * decades;
    if (this.end !== null && this.at >= hi) {
      this.set(this.end);
      this.stop();
      return;
    }
    if (this.at >= hi || this.at <= lo) {
      this.at = Math.min(Math.max(this.at, lo), hi);
      this.way = -this.way;
    }
    this.set(10 ** this.at);
  }
}
