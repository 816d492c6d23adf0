// As loader.js, for the sidebar's knobs.
export default async function (component) {
  while (!globalThis.__lapvizKnobs) {
    await new Promise((wake) => window.addEventListener("lapviz:ready", wake, { once: true }));
  }
  return globalThis.__lapvizKnobs(component);
}
