// The address bar: one entry in the browser's history for each visit of a page.

import { withView } from "./view_link.js";

// Streamlit adds an entry whenever the query changes, which is at every λ that is let go; then Back
// would go through these one by one. Within a page, an entry is replaced instead.
export function oneEntryPerPage() {
  const { history } = window;
  if (history.lapviz) return;
  const push = history.pushState.bind(history);
  history.lapviz = true;
  history.pushState = (state, title, url) => {
    const to = new URL(url ?? "", window.location.href);
    const here = to.pathname === window.location.pathname;
    if (here) history.replaceState(state, title, withView(to));
    else push(state, title, url);
  };
}

const LEAVING = 4000; // milliseconds that another page may take to open
let left = -Infinity;

// Has a link to another page just been followed?
export function leaving() {
  return performance.now() - left < LEAVING;
}

// Pages with the same settings: what is typed on one while another opens reaches nobody there.
const SHARED = ["labels-stage", "eigen-stage"];
let moved = null; // the stage of the knob that was moved last

export function moves(stage) {
  moved = stage;
}

// What was moved on the page just left and Python has not answered: names and values, once.
export function carried(stage) {
  const from = moved;
  if (!from || from === stage || !leaving()) return [];
  if (![from, stage].every(({ key }) => SHARED.includes(key))) return [];
  moved = null;
  return [...from.channel.changes].map(([name, { value }]) => [name, value]);
}

export function watchLinks() {
  if (globalThis.__lapvizLinks) return;
  globalThis.__lapvizLinks = true;
  const away = (event) => {
    if (event.target.closest?.('a[href]:not([target="_blank"]):not([href^="#"])'))
      left = performance.now();
  };
  document.addEventListener("click", away, true);
  window.addEventListener("popstate", () => (left = performance.now()));
}
