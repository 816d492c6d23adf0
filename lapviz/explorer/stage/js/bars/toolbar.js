// Controls above the picture: lambda, filter, play; classes, undo, redo, clear; zoom.

import contract from "../../../../contract.json";
import { check, element, icon, setText, show, tool, wayBack, zoomKey } from "../paint/dom.js";
import { keysOf } from "../hands/interact.js";
import { Knob } from "./knob.js";
import { KnobRow } from "./knobs.js";
import { Folded, edits, swatch, zooms } from "./parts.js";

const { least: LAM_MIN, most: LAM_MAX, limit: LAM_LIMIT } = contract.lam;
const LAM = {
  name: "lam",
  symbol: "λ",
  label: "λ, weight of the Dirichlet energy",
  help: "",
  scale: "log",
  step: 20, // per decade, by keys
  smooth: true,
  low: LAM_MIN,
  high: LAM_MAX,
  limits: [0, LAM_LIMIT],
  value: 1,
  auto: null,
};
const MODE = {
  name: "mode",
  symbol: "mode",
  label: "Mode shown large",
  help: "One panel on the whole stage; Escape shows all of them.",
  scale: "linear",
  step: 1,
  whole: true,
  low: 0,
  high: 15,
  value: 0,
  auto: null,
};
const POWERS = ["10⁻⁶", "", "10⁻⁴", "", "10⁻²", "", "1", "", "10²", "", "10⁴"];

const PLAY = "M4.5 3 L13 8 L4.5 13 Z";
const PAUSE = "M5 3 V13 M11 3 V13";

export class Toolbar {
  // act: callbacks lam(value, done), filter(name), play(), pick(code), undo(), redo(), clear(),
  // zoom(factor or 0), knob(name, value or "auto", done), enlarge(index of a panel).
  constructor(act) {
    this.act = act;
    this.play = tool(PLAY, "Play: sweep λ", () => act.play());
    this.row = new KnobRow((...moved) => act.knob(...moved));
    this.folded = new Folded(this.row.node); // the other sliders
    this.fold = this.folded.node;
    this.lam = new Knob(LAM, {
      set: (_, value, done) => act.lam(value, done),
      complain: this.row.act.complain,
    });
    this.slider = this.lam.slider;
    this.slider.classList.add("lam");
    this.mode = new Knob(MODE, {
      set: (_, value) => act.enlarge(value),
      complain: this.row.act.complain,
    });
    this.mode.node.classList.add("mode");
    const scaled = element("div.scaled");
    this.slider.replaceWith(scaled);
    scaled.append(this.slider, decades());
    this.filter = element("select.filter", {
      "aria-label": "Filter",
      title: "Low-pass filter of the spectrum",
      onchange: () => act.filter(this.filter.value),
    });
    this.lamGroup = element("div.group.lams", {}, this.play, this.lam.node);
    this.palette = element("div.palette", {
      role: "radiogroup",
      "aria-label": "Class of the next label",
    });
    this.edits = edits(act, "Remove all labels");
    this.editing = element("div.set", {}, ...this.edits.nodes);
    this.labelGroup = element("div.group.labels", {}, this.palette);
    const { whole, nodes } = zooms(act.zoom);
    this.whole = whole;
    this.zooms = element("div.group.zooms", {}, ...nodes);
    // On a phone these stand in one row, which scrolls sideways.
    this.tools = element("div.tools", {}, this.editing, this.zooms);
    this.node = element(
      "div.toolbar",
      { role: "toolbar", "aria-label": "Stage controls" },
      this.lamGroup,
      this.fold,
      this.mode.node,
      this.row.complaint,
      this.filter,
      this.labelGroup,
      this.tools,
    );
    this.hint = element("div.hint");
  }

  // Which groups this scene needs, and the entries of its selects and palette.
  arrange({ scene, filters, specs }, theme) {
    // While a hand moves, the pictures come without models, and the tools stay as they were.
    const hasModel = scene.light ? this.hadModel : scene.models.some(Boolean);
    this.hadModel = hasModel;
    // Without a model Python alone answers: λ can be moved, not played; nor moved without Python.
    const heeds = (what) => scene.panels.some((one) => !one.note && one.depends.includes(what));
    const moves = hasModel || (!scene.alone && heeds("lam"));
    // A scene that waits for labels has no model yet: the tools stay visible but disabled.
    const waits = scene.editable && scene.panels.some((panel) => panel.note);
    const wanted = scene.light && this.wanted !== undefined ? this.wanted : moves || waits;
    this.wanted = wanted;
    const hidden = scene.hide;
    const names = Object.keys(filters);
    this.folded.follow(specs);
    show(this.fold, specs.length > 0);
    show(this.lamGroup, wanted && !hidden.has("lam"));
    const last = scene.panels.length - 1;
    const modes = scene.kind === "functions" && last >= contract.panels.many;
    show(this.mode.node, modes && !hidden.has("zoom"));
    if (this.mode.spec.high !== last) this.mode.update({ ...MODE, high: last });
    show(this.filter, wanted && names.length > 1 && !hidden.has("filter"));
    this.lamGroup.classList.toggle("asleep", !moves);
    this.play.disabled = !hasModel;
    for (const tool of [this.slider, this.lam.number, this.lam.auto]) tool.disabled = !moves;
    this.filter.disabled = !moves || !scene.panels.some((p) => p.depends.includes("filter"));
    // Where labels cannot be set, the palette stays as a legend.
    const classes = scene.kind === "classes" && scene.classes.length > 0;
    show(this.labelGroup, classes);
    show(this.editing, classes && scene.editable);
    show(this.zooms, !hidden.has("zoom"));
    show(this.tools, !hidden.has("tools"));
    const { editable, free_labels: free } = scene;
    const same = JSON.stringify([filters, scene.classes, editable, free, [...hidden], theme.id]);
    if (same === this.arranged) return;
    this.arranged = same;
    const options = names.map((name) => {
      const { label, h } = filters[name];
      const lost = scene.alone && !h; // only Python has its formula
      return element("option", { value: name, disabled: lost }, lost ? `${label} (Python)` : label);
    });
    this.filter.replaceChildren(...options);
    const keys = keysOf(scene.classes);
    const run = editable ? this.act.pick : null;
    const named = (name, code) =>
      swatch(code, name, { label: `Label as ${name}`, key: keys[code], theme, run });
    this.palette.replaceChildren(...scene.classes.map(named));
    setText(this.hint, hintFor(scene, keys));
    this.palette.setAttribute("role", scene.editable ? "radiogroup" : "list");
    this.palette.setAttribute("aria-label", scene.editable ? "Class of the next label" : "Classes");
  }

  // Follow the settings.
  follow({ lam, lamFree, filter, player, code, stack, view, enlarged }) {
    const playing = player.on;
    if (!this.mode.held) this.mode.own = null;
    if (this.mode.spec.value !== (enlarged ?? 0))
      this.mode.spec = { ...this.mode.spec, value: enlarged ?? 0 };
    this.mode.draw();
    if (!this.lam.held) this.lam.own = null;
    const { spec } = this.lam;
    if ((spec.auto ?? null) !== lamFree) {
      const asleep = this.slider.disabled; // an update wakes its tools
      this.lam.update({ ...LAM, value: lam, auto: lamFree });
      for (const tool of [this.slider, this.lam.number, this.lam.auto]) tool.disabled = asleep;
    } else if (spec.value !== lam) this.lam.spec = { ...LAM, value: lam, auto: lamFree };
    this.lam.draw();
    this.slider.setAttribute("aria-valuetext", `λ = ${this.lam.shown}`);
    if (this.filter.value !== filter) this.filter.value = filter;
    if (this.playing !== playing) {
      this.playing = playing;
      const label = playing ? "Pause" : "Play: sweep λ";
      this.play.replaceChildren(
        icon(playing ? PAUSE : PLAY, playing ? {} : { fill: "currentColor" }),
      );
      this.play.setAttribute("aria-label", label);
      this.play.title = label;
    }
    check(this.palette.querySelectorAll("button"), code);
    this.edits.undo.disabled = !stack.past.length;
    this.edits.redo.disabled = !stack.future.length;
    this.edits.clear.disabled = !stack.present.length;
    this.whole.disabled = !view.zoomed;
  }
}

// Marks of the decades under the slider of λ.
function decades() {
  const marks = POWERS.map((text, i) => {
    const mark = element("span", {}, text);
    mark.style.left = `${(100 * i) / (POWERS.length - 1)}%`;
    return mark;
  });
  return element("div.decades", { "aria-hidden": "true" }, ...marks);
}

// One line that explains mouse and keys.
function hintFor({ editable, free_labels: free, classes, hide, space }, keys) {
  if (hide.has("tools")) return "";
  const touch = matchMedia("(pointer: coarse)").matches;
  const click = touch ? "tap" : "click";
  const parts = [];
  if (editable) parts.push(`${click}${free ? "" : " a point"}: label`, `${click} again: remove`);
  const digits = keys.filter(Boolean).sort();
  if (editable && !touch && digits.length > 1) {
    const all = digits.at(-1) - digits[0] === digits.length - 1;
    const tenth = keys[9] === "0"; // by place, the tenth class comes after 9
    const range = tenth ? "1–9, 0" : all ? `${digits[0]}–${digits.at(-1)}` : digits.join(", ");
    parts.push(`${classes.length === 2 ? digits.join(", ") : range}: class`);
  }
  if (space) parts.push(touch ? "one finger sideways: turn" : "drag or Shift + arrows: turn");
  if (!hide.has("zoom")) {
    parts.push(touch ? "two fingers: zoom" : `${zoomKey()} + wheel: zoom`, wayBack());
  }
  return parts.join(" · ");
}
