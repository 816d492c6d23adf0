// The ends of the panels' colour scales: those of the values shown, whether a hand moves them or not.

// panels: with `field`; `same`: all panels share the largest scale.
export function settleScales(panels, same) {
  const drawn = panels.filter((panel) => panel.field);
  // A panel of another kind (scores) has a scale of its own.
  const alike = drawn.filter((panel) => !panel.panel?.kind || panel.panel.kind === drawn[0].kind);
  const most = Math.max(0, ...alike.map((panel) => panel.field.size));
  for (const panel of drawn) {
    const { size } = panel.field;
    scaleTo(panel.field, (same && alike.includes(panel) ? most : size) || 1);
  }
}

function scaleTo(field, top) {
  if (field.top === top) return;
  field.top = top;
  field.lines = null; // levels are shares of the scale
}
