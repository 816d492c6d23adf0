// A number that a hand can move: a slider on a fixed scale, the number to type, and "auto".

import { element, set, setText, show } from "../paint/dom.js";
import { Mounted } from "../channel/channel.js";
import { lightUp } from "./formula.js";

const REST = 350; // milliseconds after the last key at which the hand is at rest
const SLACK = 0.1; // of a step: values are rounded to three digits
// Steps that keys move by.
const WAYS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 8, PageDown: -8 };

export class Knob {
  // act: set(name, value or "auto", done), complain(sentence).
  constructor(spec, act) {
    Object.assign(this, { act, held: false, typing: false, own: null });
    this.slider = element("input.slide", {
      type: "range",
      step: "any",
      onpointerdown: () => this.hold(),
      oninput: () => this.slid(false),
      // "change" does not come where the value was put on a rung meanwhile.
      onchange: () => this.slid(true),
      onpointerup: () => this.rest(),
      onpointercancel: () => this.rest(),
      onkeydown: (event) => this.key(event),
      onkeyup: () => this.keyed && this.rest(),
      onblur: () => this.keyed && this.rest(),
    });
    this.number = element("input.number", {
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      spellcheck: "false",
      onfocus: () => ((this.typing = true), this.number.select()),
      onkeydown: (event) => this.typed(event),
      onblur: () => this.finish(),
    });
    const toggle = () => this.set(this.automatic ? this.spec.value : "auto", true);
    this.auto = element("button.auto", { type: "button", onclick: toggle }, "auto");
    this.plain = element("span.plain");
    this.letter = element("i");
    this.name = element("span.name", { "aria-hidden": "true" }, this.plain, this.letter);
    this.node = element("div.knob", {}, this.name, this.slider, this.number, this.auto);
    this.update(spec);
  }

  // A new description from Python: range, value, help. `waits`: Python does not yet know what the
  // hand did here.
  update(spec, waits = false) {
    this.spec = spec;
    if (!waits && !this.held) this.own = null;
    this.node.dataset.knob = spec.name;
    const { label, symbol } = spec;
    const help = spec.help ? `${label}. ${spec.help}` : label;
    // Its name, then its letter, which can stand alone.
    const word = symbol && label.endsWith(` ${symbol}`) ? label.slice(0, -symbol.length - 1) : label;
    setText(this.plain, symbol ? `${word} ` : word);
    setText(this.letter, symbol);
    const [low, high] = [spec.low, spec.high].map((v) => this.place(v));
    const range = { min: spec.zero ? low - this.stride : low, max: high };
    this.name.title = help;
    set(this.slider, { title: help, "aria-label": label, ...range });
    set(this.number, { title: `Type a number and press Enter. ${help}`, "aria-label": label });
    const title = `Choose ${label} from the data, by a documented rule.`;
    set(this.auto, { title, "aria-label": `${label}: from the data` });
    show(this.auto, (spec.auto ?? null) !== null);
    for (const tool of [this.slider, this.number, this.auto]) tool.disabled = Boolean(spec.disabled);
    this.node.classList.toggle("asleep", Boolean(spec.disabled));
    this.node.title = typeof spec.disabled === "string" ? spec.disabled : "";
    this.draw();
  }

  get value() {
    return typeof this.own === "number" ? this.own : this.spec.value;
  }

  get automatic() {
    return this.own === "auto" || (this.own === null && Boolean(this.spec.auto));
  }

  // ---- the scale --------------------------------------------------------------------------

  get log() {
    return this.spec.scale === "log";
  }

  // Distance of two values on the scale.
  get stride() {
    return this.log ? 1 / this.spec.step : this.spec.step;
  }

  place(value) {
    if (!this.log) return value;
    return value > 0 ? Math.log10(value) : Math.log10(this.spec.low) - this.stride;
  }

  // The value at a place of the scale, on a rung.
  at(place) {
    const { values, low, high, zero, whole, smooth } = this.spec;
    if (values?.length) {
      const off = (value) => Math.abs(this.place(value) - place);
      return values.reduce((a, b) => (off(a) <= off(b) ? a : b));
    }
    const { log, stride } = this;
    if (log && zero && place < Math.log10(low) - stride / 2) return 0;
    const rung = smooth ? place : Math.round(place / stride) * stride;
    const exact = log ? 10 ** rung : rung;
    const short = smooth || (whole && !log) ? exact : Number(exact.toPrecision(3)); // what the field says
    return Math.min(Math.max(whole ? Math.round(short) : short, low), high);
  }

  // The value `count` steps further.
  beside(count) {
    const { values } = this.spec;
    const now = this.value;
    if (values?.length) {
      const slack = 1e-9 * Math.abs(now);
      const above = values.findIndex((v) => v > now + slack);
      const after = above < 0 ? values.length : above;
      const before = values.filter((v) => v < now - slack).length - 1;
      const index = count > 0 ? after + count - 1 : before + count + 1;
      return values[Math.min(Math.max(index, 0), values.length - 1)];
    }
    const exact = this.place(now) / this.stride;
    const rung = count > 0 ? Math.floor(exact + SLACK) : Math.ceil(exact - SLACK);
    return this.at((rung + count) * this.stride);
  }

  // ---- the hand ---------------------------------------------------------------------------

  hold() {
    this.held = true;
    lightUp(this.spec.name);
  }

  slid(done) {
    if (done && !this.held) return;
    this.move(this.at(Number(this.slider.value)));
    if (done) this.rest();
  }

  move(value) {
    this.hold();
    if (value !== this.value || this.automatic) this.set(value, false);
  }

  key(event) {
    const way = WAYS[event.key];
    const end = { Home: this.spec.zero ? 0 : this.spec.low, End: this.spec.high }[event.key];
    if (way === undefined && end === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.keyed = true;
    this.move(end ?? this.beside(way * (event.shiftKey ? 10 : 1)));
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rest(), REST);
  }

  rest() {
    if (!this.held) return;
    Object.assign(this, { held: false, keyed: false });
    clearTimeout(this.resting);
    lightUp(null);
    if (this.own !== null) this.act.set(this.spec.name, this.own, true);
  }

  set(value, done) {
    this.own = value;
    this.draw();
    this.act.set(this.spec.name, value, done);
  }

  typed(event) {
    event.stopPropagation();
    if (event.key === "Enter") {
      this.finish();
      this.number.select();
      this.typing = true;
    } else if (event.key === "Escape") {
      this.typing = false;
      this.draw();
      this.number.select();
    }
  }

  // Take what was typed, or say why not.
  finish() {
    if (!this.typing) return;
    this.typing = false;
    const text = this.number.value.trim();
    if (text === this.shown) return;
    const { label, auto, whole } = this.spec;
    const typed = text.toLowerCase() === "auto" && (auto ?? null) !== null ? "auto" : numberOf(text, whole);
    const [low, high] = this.spec.limits ?? [this.spec.low, this.spec.high];
    let why = "";
    if (typed === null) why = whole ? "must be a whole number" : "is not a number it can take";
    else if (typed < low || typed > high) {
      const kind = whole ? "must be a whole number from" : "must be from";
      why = `${kind} ${numberText(low, whole)} to ${numberText(high, whole)}`;
    }
    this.draw();
    const said = `“${text.slice(0, 40)}” for ${label} ${why}; it stays at ${this.shown}.`;
    this.act.complain(why && said, this);
    if (!why) this.set(typed, true);
  }

  draw() {
    const { value, automatic } = this;
    const place = this.place(value);
    if (Math.abs(Number(this.slider.value) - place) > 1e-9)
      this.slider.value = String(place);
    this.shown = numberText(value, this.spec.whole);
    if (!this.typing && this.number.value !== this.shown) this.number.value = this.shown;
    this.slider.setAttribute("aria-valuetext", this.shown);
    this.auto.setAttribute("aria-pressed", String(automatic));
    this.node.classList.toggle("automatic", automatic);
  }
}

// Knobs beside each other.
export class KnobRow {
  // set(name, value or "auto", done): what a hand did. `complaint`: where it is said why a number
  // cannot be, if rows share that.
  constructor(set, complaint = element("div.complaint", { role: "alert" })) {
    this.knobs = new Map();
    this.complaint = complaint;
    const complain = (sentence, knob) => {
      setText(this.complaint, sentence);
      if (knob?.node.closest(".sheet")) knob.node.after(this.complaint); // where the eye is
    };
    this.act = { set: (...said) => (complain(""), set(...said)), complain };
    this.node = element("div.knobs");
  }

  // specs from Python; `waiting` names the knobs whose change Python has not answered yet.
  update(specs, waiting) {
    for (const [name, knob] of this.knobs) {
      if (specs.some((spec) => spec.name === name)) continue;
      knob.node.remove();
      this.knobs.delete(name);
    }
    specs.forEach((spec, i) => {
      let knob = this.knobs.get(spec.name);
      if (!knob) this.knobs.set(spec.name, (knob = new Knob(spec, this.act)));
      knob.update(spec, waiting.has(spec.name));
      const there = [...this.node.querySelectorAll(".knob")];
      if (there[i] !== knob.node) this.node.insertBefore(knob.node, there[i] ?? null);
    });
    show(this.node, specs.length);
  }
}

// Knobs in a page's sidebar.
export class KnobPanel extends Mounted {
  constructor(parent) {
    super();
    this.row = new KnobRow((...moved) => this.setKnob(...moved));
    this.root = element("div.stage.sheet", {}, this.row.node, this.row.complaint);
    parent.append(this.root);
  }

  open({ knobs, rev }) {
    this.channel.acknowledge(rev);
    this.row.update(knobs, this.channel);
  }
}

// ---- numbers as people write them, and as fields show them -------------------------------------

const GROUPED = /^\d{1,3}(([,'’_ \u00a0\u2009\u202f])\d{3})(\2\d{3})*$/;

// The number that a text means, or null: 2000, 2 000, 2,000, 2e3, .5, 0,5, −1.
function numberOf(text, whole = false) {
  let plain = text.trim().replaceAll("−", "-");
  if (GROUPED.test(plain) && (whole || !/^0/.test(plain))) plain = plain.replace(/\D/g, "");
  else if (!whole && /^-?\d*,\d+(e-?\d+)?$/i.test(plain)) plain = plain.replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(plain)) return null;
  const value = Number(plain);
  if (!Number.isFinite(value)) return null;
  return whole && !Number.isInteger(value) ? null : value;
}

// A number for a field: whole ones with their thousands apart, others with three digits.
function numberText(value, whole = false) {
  if (whole && Math.abs(value) < 1e15) return Math.round(value).toLocaleString("en-US");
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e5) return String(Number(value.toPrecision(3)));
  return value.toExponential(2).replace(/\.?0+e/, "e").replace("e+", "e");
}
