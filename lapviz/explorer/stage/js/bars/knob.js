// A number that a hand can move: a slider on a fixed scale, the number to type, and "auto".

import { element, setText, show } from "../paint/dom.js";
import { numberOf, numberText } from "../numbers/numbers.js";

const REST = 350; // milliseconds after the last key at which the hand is at rest
const SLACK = 0.1; // of a step: values are rounded to three digits
const PAGE = 8; // steps per page key

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
    this.auto = element(
      "button.auto",
      { type: "button", onclick: () => this.toggleAuto() },
      "auto",
    );
    this.name = element("span.name", { "aria-hidden": "true" });
    this.node = element("div.knob", {}, this.name, this.slider, this.number, this.auto);
    this.update(spec);
  }

  // A new description from Python: range, value, help.
  update(spec) {
    this.spec = spec;
    this.node.dataset.knob = spec.name;
    const help = spec.help ? `${spec.label}. ${spec.help}` : spec.label;
    setText(this.name, spec.symbol || spec.label);
    this.node.classList.toggle("worded", !spec.symbol);
    this.name.title = help;
    this.slider.title = help;
    this.slider.setAttribute("aria-label", spec.label);
    this.number.setAttribute("aria-label", spec.label);
    this.number.title = `Type a number and press Enter. ${help}`;
    const [low, high] = [spec.low, spec.high].map((v) => this.place(v));
    this.slider.min = String(spec.zero ? low - this.stride : low);
    this.slider.max = String(high);
    show(this.auto, (spec.auto ?? null) !== null);
    this.auto.title = `Choose ${spec.label} from the data, by a documented rule.`;
    this.auto.setAttribute("aria-label", `${spec.label}: from the data`);
    for (const tool of [this.slider, this.number, this.auto]) tool.disabled = Boolean(spec.disabled);
    this.node.classList.toggle("asleep", Boolean(spec.disabled));
    if (spec.disabled) this.node.title = spec.disabled;
    else this.node.removeAttribute("title");
    this.draw();
  }

  // What Python knows, until it knows what the hand did here.
  settle() {
    if (!this.held) this.own = null;
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
      const near = (a, b) =>
        Math.abs(this.place(a) - place) <= Math.abs(this.place(b) - place) ? a : b;
      return values.reduce(near);
    }
    if (this.log) {
      if (zero && place < Math.log10(low) - this.stride / 2) return 0;
      if (smooth) return Math.min(Math.max(10 ** place, low), high);
      const rung = Math.round(place * this.spec.step) / this.spec.step;
      const value = Number((10 ** rung).toPrecision(3));
      return Math.min(Math.max(whole ? Math.round(value) : value, low), high);
    }
    const value = Math.round(place / this.spec.step) * this.spec.step;
    const shown = whole ? Math.round(value) : Number(value.toPrecision(3)); // what the field says
    return Math.min(Math.max(shown, low), high);
  }

  // The value `count` steps further.
  beside(count) {
    const { values, low, high, zero } = this.spec;
    const now = this.value;
    if (values?.length) {
      const slack = 1e-9 * Math.abs(now);
      const above = values.findIndex((v) => v > now + slack);
      const after = above < 0 ? values.length : above;
      const before = values.filter((v) => v < now - slack).length - 1;
      const index = count > 0 ? after + count - 1 : before + count + 1;
      return values[Math.min(Math.max(index, 0), values.length - 1)];
    }
    const step = this.stride;
    const exact = this.place(now) / step;
    const rung = count > 0 ? Math.floor(exact + SLACK) : Math.ceil(exact - SLACK);
    const place = (rung + count) * step;
    if (this.log && this.spec.smooth) {
      const top = Math.log10(high);
      if (zero && place < Math.log10(low) - step / 2) return 0;
      return 10 ** Math.min(Math.max(place, Math.log10(low)), top);
    }
    return this.at(place);
  }

  // ---- the hand ---------------------------------------------------------------------------

  hold() {
    this.held = true;
    window.dispatchEvent(new CustomEvent("lapviz:hand", { detail: { term: this.spec.name } }));
  }

  release() {
    this.held = false;
    this.keyed = false;
    clearTimeout(this.resting);
    window.dispatchEvent(new CustomEvent("lapviz:hand", { detail: { term: null } }));
  }

  slid(done) {
    if (done && !this.held) return;
    this.hold();
    const value = this.at(Number(this.slider.value));
    if (value !== this.value || this.automatic) this.set(value, false);
    if (done) this.rest();
  }

  key(event) {
    const way = {
      ArrowRight: 1,
      ArrowUp: 1,
      ArrowLeft: -1,
      ArrowDown: -1,
      PageUp: PAGE,
      PageDown: -PAGE,
    }[event.key];
    const end = { Home: this.spec.zero ? 0 : this.spec.low, End: this.spec.high }[event.key];
    if (way === undefined && end === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.hold();
    this.keyed = true;
    const value = end ?? this.beside(way * (event.shiftKey ? 10 : 1));
    if (value !== this.value || this.automatic) this.set(value, false);
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rest(), REST);
  }

  rest() {
    if (!this.held) return;
    const moved = this.own !== null;
    this.release();
    if (moved) this.act.set(this.spec.name, this.own, true);
  }

  set(value, done) {
    this.own = value;
    this.draw();
    this.act.set(this.spec.name, value, done);
  }

  toggleAuto() {
    this.set(this.automatic ? this.spec.value : "auto", true);
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
    if (text.toLowerCase() === "auto" && (auto ?? null) !== null) {
      this.set("auto", true);
      return;
    }
    const value = numberOf(text, whole);
    const [low, high] = this.spec.limits ?? [this.spec.low, this.spec.high];
    let why = "";
    if (value === null) why = whole ? "must be a whole number" : "is not a number it can take";
    else if (value < low || value > high) {
      const kind = whole ? "must be a whole number from" : "must be from";
      why = `${kind} ${numberText(low, whole)} to ${numberText(high, whole)}`;
    }
    if (why) {
      this.draw();
      const said = `“${text.slice(0, 40)}” for ${label} ${why}; it stays at ${this.shown}.`;
      this.act.complain(said, this);
      return;
    }
    this.act.complain("");
    this.set(value, true);
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
