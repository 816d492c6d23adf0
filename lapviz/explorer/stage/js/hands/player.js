// Play: sweeps lambda up and down on a log scale, or up once; in steps if the system asks for reduced
// motion.

import { isCalm } from "../paint/dom.js";

const SPEED = 1.5; // decades per second
const STEP = 0.5; // decades
const EVERY = 800; // milliseconds between steps

export class Player {
  // setLam(lam): called at every step; changed(): play has started or stopped.
  constructor(setLam, changed) {
    Object.assign(this, { setLam, changed, on: false, direction: 1 });
  }

  toggle(lam, lo, hi) {
    if (this.on) return this.stop();
    const [least, most] = [lo, hi].map(Math.log10);
    const log = Math.min(Math.max(Math.log10(lam || lo), least), most);
    this.start({ range: [least, most], log, direction: log >= most - 1e-9 ? -1 : this.direction, end: null });
  }

  // Once upwards, from lo to hi.
  once(lo, hi) {
    const range = [lo, hi].map(Math.log10);
    this.start({ range, log: range[0], direction: 1, end: hi });
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
    const step = (now, decades) => {
      if (!this.on) return;
      this.advance(decades);
      this.run(now);
    };
    if (isCalm()) this.timer = setTimeout(() => step(performance.now(), STEP), EVERY);
    else
      this.next = requestAnimationFrame((now) =>
        step(now, (SPEED * Math.min(Math.max(now - before, 0), 100)) / 1000));
  }

  advance(decades) {
    const [lo, hi] = this.range;
    this.log += this.direction * decades;
    if (this.end !== null && this.log >= hi) {
      this.setLam(this.end);
      return this.stop();
    }
    if (this.log >= hi || this.log <= lo) {
      this.log = Math.min(Math.max(this.log, lo), hi);
      this.direction = -this.direction;
    }
    this.setLam(10 ** this.log);
  }
}
