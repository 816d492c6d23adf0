// Entry points for Streamlit: of the component that brings this code, and of those that wait for it.

import { oneEntryPerPage, watchLinks } from "./address.js";
import { mountCurve } from "../panels/curve.js";
import { mountKnobs } from "../bars/knobs.js";
import { decode, fingerprint } from "./decode.js";
import { followHands } from "../bars/formula.js";
import { keep, stored } from "./scene.js";
import { mountShare } from "../bars/share.js";
import { mountPicture } from "../panels/picture.js";
import { startWithoutSidebar } from "../bars/sidebar.js";
import { Stage } from "../panels/stage.js";

const stages = new WeakMap();

// Comes once for a page, so that small messages (loader.js) are all that the others need.
export function mount() {
  globalThis.__lapvizStore = mountStore;
  globalThis.__lapvizStage = mountStage;
  globalThis.__lapvizKnobs = mountKnobs;
  globalThis.__lapvizCurve = mountCurve;
  globalThis.__lapvizShare = mountShare;
  globalThis.__lapvizPicture = mountPicture;
  oneEntryPerPage();
  watchLinks();
  followHands();
  startWithoutSidebar();
  window.dispatchEvent(new Event("lapviz:ready"));
}

// The store component: keeps grid, points and modes.
function mountStore({ data }) {
  try {
    const tag = fingerprint(data);
    const lasting = stored(tag) ?? decode(data).static;
    if (lasting) keep(tag, lasting);
  } catch (error) {
    console.warn("lapviz store:", error);
  }
}

// The stage component, called when it is mounted and whenever its data or the theme change.
export function mountStage(component) {
  const { parentElement } = component;
  let stage = stages.get(parentElement);
  if (!stage || stage.gone) {
    stage = new Stage(parentElement);
    stages.set(parentElement, stage);
  }
  stage.receive(component);
  // Streamlit also cleans up after calls that a newer one has replaced; a stage ends only with its
  // page, which is known at the next turn of the event loop.
  return () => setTimeout(() => stage.left(), 0);
}
