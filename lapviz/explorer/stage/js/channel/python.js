// Whether Python is at work, which Streamlit's app says in an attribute.

export const STATE = "data-test-script-state"; // also while only a fragment runs
const BUSY = ["running", "rerunRequested"];

// Streamlit's app; null in a page without Python.
export function application() {
  return document.querySelector('[data-testid="stApp"]');
}

export function isBusy(app = application()) {
  return BUSY.includes(app?.getAttribute(STATE));
}
