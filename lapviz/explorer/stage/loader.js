// The whole code of a component: wait until the bundle is loaded, then mount one of the kinds in
// main.js.
export default async function (component) {
  while (!globalThis.__lapvizMount) {
    await new Promise((resolve) => window.addEventListener("lapviz:ready", resolve, { once: true }));
  }
  return globalThis.__lapvizMount("KIND", component);
}
