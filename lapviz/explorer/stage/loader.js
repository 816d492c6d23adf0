// All the code that the stage component carries itself: wait for the rest, then hand over.
export default async function (component) {
  while (!globalThis.__lapvizStage) {
    await new Promise((wake) => window.addEventListener("lapviz:ready", wake, { once: true }));
  }
  return globalThis.__lapvizStage(component);
}
