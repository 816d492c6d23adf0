// Entry points for Streamlit: of the component that brings this code, and of those that wait for it.

import { oneEntryPerPage, watchLinks } from "./address.js";
import { mountCurve } from "../panels/curve.js";
import { mountKnobs } from "../bars/knobs.js";
import { decode, fingerprint } from "./decode.js";
import { followHands } from "../bars/formula.js";
import { keep, stored } from "./scene.js";
import { mountShare } from "../bars/share.js";
import { mounting } from "../panels/mount.js";
import { mountPicture } from "../panels/picture.js";
import { startWithoutSidebar } from "../bars/sidebar.js";
import { Stage } from "../panels/stage.js";

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

// The stage component.
const mountStage = mounting(Stage);
