// Control of a number: a slider on a fixed scale, a field to type in, and a button "auto".

import { element, set, setText, show } from "../paint/dom.js";
import { Mounted } from "../channel/channel.js";
import { lightTerm } from "./formula.js";
import { numeral } from "../numbers/view.js";

const KEY_TIME = 350; // milliseconds after the last key until the value counts as final
const SLACK = 0.1; // of a step: values are rounded to three digits
// Steps by keys.
const KEY_STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 8, PageDown: -8 };

export class Knob {
  // actions: set(name, value or "auto", { done }), complain(sentence).
  constructor(spec, actions) {
    Object.assign(this, { actions, held: false, typedOver: null, refused: false, changed: null });
    this.slider = element("input.slide", {
      type: "range",
      step: "any",
      onpointerdown: () => this.hold(),
      oninput: () => this.slide(),
      // "change" may not come if the value was rounded to a step meanwhile.
      onchange: () => this.slide({ done: true }),
      onpointerup: () => this.release(),
      onpointercancel: () => this.release(),
      onkeydown: (event) => this.key(event),
      onkeyup: () => this.keyed && this.release(),
      onblur: () => this.keyed && this.release(),
    });
    this.number = element("input.number", {
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      spellcheck: "false",
      onfocus: () => this.startTyping(),
      onkeydown: (event) => this.fieldKey(event),
      onblur: () => this.submit(),
    });
    const toggle = () => this.set(this.automatic ? this.spec.value : "auto", { done: true });
    this.auto = element("button.auto", { type: "button", onclick: toggle }, "auto");
    this.plain = element("span.plain");
    this.letter = element("i");
    this.name = element("span.name", { "aria-hidden": "true" }, this.plain, this.letter);
    this.node = element("div.knob", {}, this.name, this.slider, this.number, this.auto);
    this.update(spec);
  }

  // A new description from Python: range, value, help. `waits`: Python has not answered the user's change.
  update(spec, waits = false) {
    this.spec = spec;
    if (!waits && !this.held) this.changed = null;
    this.node.dataset.knob = spec.name;
    const { label, symbol } = spec;
    const help = spec.help ? `${label}. ${spec.help}` : label;
    // Its name, then its letter, which can also stand alone.
    const words = symbol && label.endsWith(` ${symbol}`) ? label.slice(0, -symbol.length - 1) : label;
    setText(this.plain, symbol ? `${words} ` : words);
    setText(this.letter, symbol);
    const [low, high] = [spec.low, spec.high].map((v) => this.place(v));
    const range = { min: spec.zero ? low - this.stride : low, max: high };
    this.name.title = help;
    set(this.slider, { title: help, "aria-label": label, ...range });
    set(this.number, { title: `Type a number and press Enter. ${help}`, "aria-label": label });
    const title = `Choose ${label} from the data, by a documented rule.`;
    set(this.auto, { title, "aria-label": `auto: ${label} from the data` });
    show(this.auto, (spec.auto ?? null) !== null);
    for (const tool of [this.slider, this.number, this.auto]) tool.disabled = Boolean(spec.disabled);
    this.node.classList.toggle("asleep", Boolean(spec.disabled));
    this.draw();
  }

  get value() {
    return typeof this.changed === "number" ? this.changed : this.spec.value;
  }

  get automatic() {
    return this.changed === "auto" || (this.changed === null && Boolean(this.spec.auto));
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

  // The value at a place of the scale, rounded to a step.
  at(place) {
    const { values, low, high, zero, whole, smooth } = this.spec;
    if (values?.length) {
      const distance = (value) => Math.abs(this.place(value) - place);
      return values.reduce((a, b) => (distance(a) <= distance(b) ? a : b));
    }
    const { log, stride } = this;
    if (log && zero && place < Math.log10(low) - stride / 2) return 0;
    const step = smooth ? place : Math.round(place / stride) * stride;
    const exact = log ? 10 ** step : step;
    const rounded = smooth || (whole && !log) ? exact : Number(exact.toPrecision(3)); // as in the field
    return Math.min(Math.max(whole ? Math.round(rounded) : rounded, low), high);
  }

  // The value `count` steps further.
  stepped(count) {
    const { values } = this.spec;
    const current = this.value;
    if (values?.length) {
      const slack = 1e-9 * Math.abs(current);
      const above = values.findIndex((v) => v > current + slack);
      const after = above < 0 ? values.length : above;
      const before = values.filter((v) => v < current - slack).length - 1;
      const index = count > 0 ? after + count - 1 : before + count + 1;
      return values[Math.min(Math.max(index, 0), values.length - 1)];
    }
    const exact = this.place(current) / this.stride;
    const step = count > 0 ? Math.floor(exact + SLACK) : Math.ceil(exact - SLACK);
    return this.at((step + count) * this.stride);
  }

  // ---- the user's input -------------------------------------------------------------------

  hold() {
    this.held = true;
    lightTerm(this.spec.name);
  }

  // `done`: the user has let go, here and below.
  slide({ done = false } = {}) {
    if (done && !this.held) return;
    this.move(this.at(Number(this.slider.value)));
    if (done) this.release();
  }

  move(value) {
    this.hold();
    if (value !== this.value || this.automatic) this.set(value);
  }

  key(event) {
    const step = KEY_STEPS[event.key];
    const end = { Home: this.spec.zero ? 0 : this.spec.low, End: this.spec.high }[event.key];
    if (step === undefined && end === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.keyed = true;
    this.move(end ?? this.stepped(step * (event.shiftKey ? 10 : 1)));
    clearTimeout(this.releaseTimer);
    this.releaseTimer = setTimeout(() => this.release(), KEY_TIME);
  }

  release() {
    if (!this.held) return;
    Object.assign(this, { held: false, keyed: false });
    clearTimeout(this.releaseTimer);
    lightTerm(null);
    if (this.changed !== null) this.actions.set(this.spec.name, this.changed, { done: true });
  }

  set(value, { done = false } = {}) {
    this.changed = value;
    this.draw();
    this.complain("");
    this.actions.set(this.spec.name, value, { done });
  }

  fieldKey(event) {
    event.stopPropagation();
    if (event.key === "Enter") {
      this.complain("");
      this.submit();
      this.startTyping();
    } else if (event.key === "Escape") {
      this.typedOver = null;
      this.draw();
      this.startTyping();
    }
  }

  // Keep the text that the user finds in the field: as long as it is unchanged, it follows the value.
  startTyping() {
    this.typedOver = this.number.value;
    this.number.select();
  }

  // Apply the typed number, or say why it cannot be used.
  submit() {
    const unchanged = this.typedOver === null || this.number.value === this.typedOver;
    this.typedOver = null;
    const text = this.number.value.trim();
    if (unchanged || text === this.shown) return this.draw();
    const { label, auto, whole } = this.spec;
    const typed = text.toLowerCase() === "auto" && (auto ?? null) !== null ? "auto" : numberOf(text, whole);
    const [low, high] = this.spec.limits ?? [this.spec.low, this.spec.high];
    let problem = "";
    if (typed === null) problem = whole ? "must be a whole number" : "is not a valid number";
    else if (typed < low || typed > high) {
      const kind = whole ? "must be a whole number from" : "must be from";
      problem = `${kind} ${numberText(low, whole)} to ${numberText(high, whole)}`;
    }
    this.draw();
    if (!problem) return this.set(typed, { done: true });
    const fault = text ? `“${text.slice(0, 40)}” for ${label} ${problem}` : `${label} needs a number`;
    this.complain(`${fault}; it stays at ${this.shown}.`);
  }

  // Say why a number was refused, or, with "", no longer.
  complain(sentence) {
    this.refused = Boolean(sentence);
    this.actions.complain(sentence, this);
  }

  draw() {
    const { value, automatic } = this;
    const place = this.place(value);
    if (Math.abs(Number(this.slider.value) - place) > 1e-9)
      this.slider.value = String(place);
    const shown = numberText(value, this.spec.whole);
    if (this.refused && shown !== this.shown) this.complain(""); // it no longer stays at the value named
    this.shown = shown;
    const isTyped = this.typedOver !== null && this.number.value !== this.typedOver;
    if (!isTyped && this.number.value !== this.shown) {
      this.number.value = this.shown;
      if (this.typedOver !== null) this.startTyping();
    }
    const spoken = `${this.spec.spoken ?? ""}${this.shown}`;
    if (this.slider.getAttribute("aria-valuetext") !== spoken) set(this.slider, { "aria-valuetext": spoken });
    this.auto.setAttribute("aria-pressed", String(automatic));
    this.node.classList.toggle("automatic", automatic);
  }
}

// A row of knobs.
export class KnobRow {
  // set(name, value or "auto", { done }): called with the user's changes. `complaint`: the node for sentences
  // about unusable numbers, which rows may share.
  constructor(set, complaint = element("div.complaint", { role: "alert" })) {
    this.knobs = new Map();
    this.complaint = complaint;
    const complain = (sentence, knob) => {
      setText(this.complaint, sentence);
      if (sentence && knob.node.closest(".sheet")) knob.node.after(this.complaint); // where the user looks
    };
    this.actions = { set, complain };
    this.node = element("div.knobs");
  }

  // specs: from Python; waiting: has the names of the knobs whose changes Python has not answered.
  update(specs, waiting) {
    for (const [name, knob] of this.knobs) {
      if (specs.some((spec) => spec.name === name)) continue;
      if (knob.refused) knob.complain("");
      knob.node.remove();
      this.knobs.delete(name);
    }
    specs.forEach((spec, i) => {
      let knob = this.knobs.get(spec.name);
      if (!knob) this.knobs.set(spec.name, (knob = new Knob(spec, this.actions)));
      knob.update(spec, waiting.has(spec.name));
      const nodes = [...this.node.querySelectorAll(".knob")];
      if (nodes[i] !== knob.node) this.node.insertBefore(knob.node, nodes[i] ?? null);
    });
    show(this.node, specs.length);
  }
}

// Knobs in a page's sidebar.
export class KnobPanel extends Mounted {
  constructor(parent) {
    super();
    this.row = new KnobRow((...change) => this.setKnob(...change));
    this.root = element("div.stage.sheet", {}, this.row.node, this.row.complaint);
    parent.append(this.root);
  }

  open({ knobs, rev }) {
    this.channel.acknowledge(rev);
    this.row.update(knobs, this.channel);
  }
}

// ---- numbers as users type them, and as fields show them ---------------------------------------

const GROUPED = /^[+-]?\d{1,3}(([,'’_ \u00a0\u2009\u202f])\d{3})(\2\d{3})*$/;

// The number written in a text, or null: 2000, 2 000, 2,000, 2e3, .5, 0,5, −1.
function numberOf(text, whole = false) {
  let plain = text.trim().replaceAll("−", "-");
  if (GROUPED.test(plain) && (whole || !/^[+-]?0/.test(plain))) plain = plain.replace(/[^\d+-]/g, "");
  else if (!whole && /^-?\d*,\d+(e-?\d+)?$/i.test(plain)) plain = plain.replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(plain)) return null;
  const value = Number(plain);
  if (!Number.isFinite(value)) return null;
  return whole && !Number.isInteger(value) ? null : value;
}

// A number for a field: integers with thousands separators, others with three digits.
function numberText(value, whole = false) {
  if (whole && Math.abs(value) < 1e15) return Math.round(value).toLocaleString("en-US");
  return numeral(value, 3, 2);
}
