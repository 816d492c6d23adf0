// The ends of the panels' colour scales: fixed under a moving hand, chosen anew at rest.

// panels: with `field`; `rest`: the picture is Python's answer and no hand moves it; `same`: all
// panels share the largest scale. A panel keeps the scale of the last rest as `top`.
export function settleScales(panels, { rest, same }) {
  const drawn = panels.filter((panel) => panel.field);
  for (const panel of drawn) {
    const { size, outputs } = panel.field;
    const unknown = !panel.top || panel.topOf !== outputs;
    if (panel.frozen || !(size > 0) || !(rest || unknown)) continue;
    Object.assign(panel, { top: size, topOf: outputs });
  }
  // A panel of another kind (scores) has a scale of its own.
  const alike = drawn.filter((panel) => !panel.panel?.kind || panel.panel.kind === drawn[0].kind);
  const most = Math.max(0, ...alike.map((panel) => panel.top ?? 0));
  for (const panel of drawn)
    scaleTo(panel.field, (same && alike.includes(panel) ? most : panel.top) || 1);
}

function scaleTo(field, top) {
  if (field.top === top) return;
  field.top = top;
  field.lines = null; // levels are shares of the scale
}
