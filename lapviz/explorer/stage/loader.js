// All the code that a component carries itself: wait for the rest, then hand over to ENTRY.
export default async function (component) {
  while (!globalThis.ENTRY) {
    await new Promise((wake) => window.addEventListener("lapviz:ready", wake, { once: true }));
  }
  return globalThis.ENTRY(component);
}
