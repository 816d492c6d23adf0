// As loader.js, for the store.
export default async function (component) {
  while (!globalThis.__lapvizStore) {
    await new Promise((wake) => window.addEventListener("lapviz:ready", wake, { once: true }));
  }
  return globalThis.__lapvizStore(component);
}
