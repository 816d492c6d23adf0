// The address bar: one entry in the browser's history for each visit of a page.

// Streamlit adds an entry whenever the query changes, which is at every λ that is let go; then Back
// would go through these one by one. Within a page, an entry is replaced instead.
export function oneEntryPerPage() {
  const { history } = window;
  if (history.lapviz) return;
  const push = history.pushState.bind(history);
  history.lapviz = true;
  history.pushState = (state, title, url) => {
    const to = new URL(url ?? "", window.location.href);
    if (to.pathname === window.location.pathname) history.replaceState(state, title, url);
    else push(state, title, url);
  };
}
