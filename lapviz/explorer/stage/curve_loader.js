// As loader.js, for the curve stage.
export default async function (component) {
  while (!globalThis.__lapvizCurve) {
    await new Promise((wake) => window.addEventListener("lapviz:ready", wake, { once: true }));
  }
  return globalThis.__lapvizCurve(component);
}
