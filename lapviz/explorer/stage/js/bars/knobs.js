// Knobs beside each other; and the component of Streamlit that shows some in a page's sidebar.

import { element, setText, show } from "../paint/dom.js";
import { Knob } from "./knob.js";
import { mounting } from "../panels/mount.js";

const GATHER = 60; // milliseconds over which quick changes are combined into one message
const PATIENCE = 2000; // milliseconds after which an unanswered message is no reason to wait

export class KnobRow {
  // set(name, value or "auto", done): what a hand did.
  constructor(set) {
    this.knobs = new Map();
    this.complaint = element("div.complaint", { role: "alert" });
    const complain = (sentence, knob) => {
      setText(this.complaint, sentence);
      if (knob?.node.closest(".sheet")) knob.node.after(this.complaint); // where the eye is
    };
    this.act = { set: (...said) => (complain(""), set(...said)), complain };
    this.node = element("div.knobs");
  }

  // specs from Python; `waiting` names the knobs whose change Python has not answered yet.
  update(specs, waiting) {
    const names = new Set(specs.map((spec) => spec.name));
    for (const [name, knob] of this.knobs) {
      if (names.has(name)) continue;
      knob.node.remove();
      this.knobs.delete(name);
    }
    specs.forEach((spec, i) => {
      let knob = this.knobs.get(spec.name);
      if (!knob) this.knobs.set(spec.name, (knob = new Knob(spec, this.act)));
      else knob.update(spec);
      if (!waiting.has(spec.name)) knob.settle();
      const there = [...this.node.querySelectorAll(".knob")];
      if (there[i] !== knob.node) this.node.insertBefore(knob.node, there[i] ?? null);
    });
    show(this.node, specs.length);
  }
}

// The messages of a row of knobs: one on its way at a time, the newest values next.
class Panel {
  constructor(parent) {
    this.row = new KnobRow((name, value, done) => this.set(name, value, done));
    this.root = element("div.stage.sheet", {}, this.row.node, this.row.complaint);
    parent.append(this.root);
    this.touched = new Map(); // name: [value, the count of changes at that change]
    this.count = 0;
    this.sent = 0;
  }

  receive({ data, setStateValue }) {
    this.send = setStateValue;
    const { knobs, seen } = data;
    for (const [name, [, at]] of this.touched) if (at <= seen) this.touched.delete(name);
    this.count = Math.max(this.count, seen);
    this.row.update(knobs, new Set(this.touched.keys()));
    if (seen >= this.sent) this.onItsWay = false;
    if (!this.touched.size) clearTimeout(this.timer);
    else this.commit(this.done);
  }

  set(name, value, done) {
    const old = this.touched.get(name);
    if (!old || old[0] !== value) this.touched.set(name, [value, ++this.count]);
    this.done = done;
    this.commit(done);
  }

  commit(done) {
    clearTimeout(this.timer);
    const since = performance.now() - (this.at ?? -Infinity);
    const wait = this.onItsWay && since < PATIENCE ? PATIENCE - since : done ? GATHER : 0;
    this.timer = setTimeout(() => this.post(), wait);
  }

  post() {
    if (!this.touched.size || !this.root.isConnected) return;
    const values = {};
    for (const [name, [value]] of this.touched) values[name] = value;
    this.onItsWay = true;
    this.at = performance.now();
    this.sent = this.count;
    this.send("moved", { values, count: this.count, at: Date.now() });
    this.timer = setTimeout(() => this.post(), 2 * PATIENCE); // again, unless it is answered
  }
}

export const mountKnobs = mounting(Panel);
