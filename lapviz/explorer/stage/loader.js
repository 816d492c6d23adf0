// All the code that a component carries itself: wait for the rest, then hand over, as one of the
// kinds of main.js.
export default async function (component) {
  while (!globalThis.__lapvizMount) {
    await new Promise((wake) => window.addEventListener("lapviz:ready", wake, { once: true }));
  }
  return globalThis.__lapvizMount("KIND", component);
}
