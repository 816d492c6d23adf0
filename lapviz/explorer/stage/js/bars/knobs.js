// Knobs beside each other; and those that stand in a page's sidebar.

import { Channel } from "../channel/channel.js";
import { element, setText, show } from "../paint/dom.js";
import { Knob } from "./knob.js";

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

// Knobs in a page's sidebar.
export class KnobPanel {
  constructor(parent) {
    this.row = new KnobRow((name, value, done) => this.set(name, value, done));
    this.root = element("div.stage.sheet", {}, this.row.node, this.row.complaint);
    parent.append(this.root);
    this.channel = new Channel(this);
  }

  receive(component) {
    this.channel.receive(component);
  }

  left() {
    if (this.root.isConnected) return;
    this.gone = true;
    this.channel.end();
  }

  guard(run) {
    run();
  }

  same() {}

  asked() {}

  open({ knobs, rev }) {
    this.channel.acknowledge(rev);
    this.row.update(knobs, this.channel);
  }

  set(name, value, done) {
    if (this.channel.value(name) !== value) this.channel.change(name, value);
    this.channel.post(!done);
  }
}
