// What Streamlit calls when a component is mounted, and whenever its data or the theme change.

// One Kind for each place of the page; `gone`: its page has ended.
export function mounting(Kind) {
  const mounted = new WeakMap();
  return (component) => {
    const { parentElement } = component;
    let stage = mounted.get(parentElement);
    if (!stage || stage.gone) mounted.set(parentElement, (stage = new Kind(parentElement)));
    stage.receive(component);
    // Streamlit also cleans up after calls that a newer one has replaced; a stage ends only with its
    // page, which is known at the next turn of the event loop.
    return () => setTimeout(() => stage.left?.(), 0);
  };
}
