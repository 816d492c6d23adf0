// A saved page: a stage without server or network. lapviz/figures/live_picture.py writes the page; the
// explorer's pages have none of its elements.

import { candidatesOf, rounded } from "../numbers/labels.js";
import { CurveStage } from "./curve.js";
import { keep } from "../channel/decode.js";
import { linkView } from "../channel/page.js";
import { copy, inflated, setText } from "../paint/dom.js";
import { roundedForLink } from "../numbers/view.js";
import { Stage } from "./stage.js";

const KINDS = { plane: Stage, curves: CurveStage };
const MOST_LABELS = 400; // in a link
const UNSUPPORTED = "This page needs a browser of 2023 or later: its picture could not be unpacked.";

// Open the stage of a saved page; does nothing on other pages.
export async function openPage() {
  const place = document.getElementById("lapviz-stage");
  if (!place) return;
  try {
    const [staticPart, data] = await Promise.all(["lapviz-static", "lapviz-answer"].map(unpacked));
    keep(staticPart);
    const stage = new KINDS[place.dataset.kind](place);
    stage.receive({ data, setStateValue: () => {} });
    offerThemes(stage);
    offerCopies();
    followLink(stage);
  } catch (error) {
    console.warn("lapviz page:", error);
    setText(place, UNSUPPORTED);
  }
}

// The bytes of an element: deflated, in base64.
function unpacked(name) {
  const text = document.getElementById(name).textContent.trim();
  return inflated(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
}

// The system's theme, until light or dark is chosen here or by a message { lapvizTheme } from the page
// that embeds this one.
function offerThemes(stage) {
  const button = document.getElementById("lapviz-theme");
  const { dataset } = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (dataset.theme ? dataset.theme === "dark" : system.matches);
  const follow = () => {
    setText(button, isDark() ? "Light" : "Dark");
    stage.themeChanged();
  };
  const choose = (theme) => {
    dataset.theme = theme;
    follow();
  };
  button.addEventListener("click", () => choose(isDark() ? "light" : "dark"));
  addEventListener("message", ({ data }) => {
    if (["light", "dark"].includes(data?.lapvizTheme)) choose(data.lapvizTheme);
  });
  if (parent !== window) parent.postMessage({ lapvizTheme: "?" }, "*"); // ask for its theme
  system.addEventListener("change", follow);
  button.hidden = false;
  follow();
}

// Buttons that copy the text of another element.
function offerCopies() {
  for (const button of document.querySelectorAll("button[data-copies]")) {
    const source = document.getElementById(button.dataset.copies);
    button.hidden = false;
    button.addEventListener("click", async () => {
      const done = await copy(source.textContent);
      if (!done) getSelection().selectAllChildren(source);
      setText(button, done ? "Copied" : "Selected: press Ctrl+C");
    });
  }
}

// Keep the link to the explorer at what is on screen.
function followLink(stage) {
  const link = document.getElementById("lapviz-link");
  if (!link) return;
  const saved = link.href;
  const follow = () => {
    if (!stage.scene) return;
    const { lam, filter, labels, changed = [] } = stage;
    const url = new URL(saved);
    if (stage instanceof CurveStage)
      for (const [key, value] of curveChanges(stage)) url.searchParams.set(key, value);
    else linkView(url, stage);
    if (changed.includes("lam")) url.searchParams.set("lam", String(roundedForLink(lam)));
    if (changed.includes("filter")) url.searchParams.set("filter", filter);
    if (changed.includes("labels") && labels.length <= MOST_LABELS)
      url.searchParams.set("labels", labels.map(labelText).join("~"));
    link.href = url.href;
  };
  for (const event of ["pointerenter", "pointerdown", "focus"]) link.addEventListener(event, follow);
}

const ALONG = { galerkin: "p", lam: "lam" }; // paths whose positions are a setting; others have steps

// What was moved on a stage of curves, as in links.
function curveChanges({ channel, handles, path, shown, step }) {
  const changes = [];
  if (channel.has("handles"))
    changes.push(["points", handles.map((point) => numbersOf(point).join(",")).join("~")]);
  if (!channel.has("step") && !channel.has("path")) return changes;
  if (ALONG[path]) return [...changes, [ALONG[path], roundedForLink(shown.positions[step])]];
  return [...changes, ["along", path], ["m", step]];
}

function numbersOf({ x, value, slope }) {
  return [x, value, slope].filter((number) => number !== null).map(roundedForLink);
}

// A label as written in links (lapviz/labels.py).
function labelText(label) {
  const place = label.index >= 0 ? label.index : `${rounded(label.x)},${rounded(label.y)}`;
  return `${place}c${candidatesOf(label).join(".")}`;
}
