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
    const [least, most] = [lo, hi].map(Math.log10);
    const at = Math.min(Math.max(Math.log10(lam || lo), least), most);
    this.start({ range: [least, most], at, way: at >= most - 1e-9 ? -1 : this.way, end: null });
  }

  // Upwards from lo to hi, and there it ends.
  once(lo, hi) {
    const range = [lo, hi].map(Math.log10);
    this.start({ range, at: range[0], way: 1, end: hi });
  }

  start(sweep) {
    Object.assign(this, sweep);
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
      return this.stop();
    }
    if (this.at >= hi || this.at <= lo) {
      this.at = Math.min(Math.max(this.at, lo), hi);
      this.way = -this.way;
    }
    this.set(10 ** this.at);
  }
}
