"""Functions on points in three dimensions, in particular on a sphere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from lapviz.figures import colours, fields
from lapviz.figures.style import colour_bar, layout, plain, plotly_figure

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Array = np.ndarray

ROUND = 0.02  # relative spread of the radii up to which points count as lying on a sphere


def sphere(
    X: Array,
    values: Array,
    *,
    name: str = "value",
    title: str | None = None,
    points: bool = True,
    theme: str = "auto",
) -> Figure:
    """Draw a function on points in three dimensions; on a sphere, also on a surface.

    Parameters
    ----------
    X : array (n, 3)
        Points; if they lie on a sphere about the origin, their convex hull is drawn as well.
    values : array (n,)
        Values of the function; the colour scale is symmetric about 0.
    name : str
        Name of the values, written at the colour bar.
    title : str, optional
        Above the figure.
    points : bool
        Whether to draw the points on top of a surface as well.
    theme : {"auto", "light", "dark"}
        The page that the figure is for; "auto" reads on both.

    Returns
    -------
    plotly Figure
        The figure.

    Raises
    ------
    ValueError
        If the shapes do not agree.
    """
    look = colours.theme(theme)
    X, values = np.asarray(X, dtype=float), np.asarray(values, dtype=float)
    if X.ndim != 2 or X.shape[1] != 3:
        raise ValueError(f"X must have shape (n, 3), points in space; got {X.shape}.")
    if values.shape != (len(X),):
        raise ValueError(f"values must have shape ({len(X)},), one per point; got {values.shape}.")
    is_finite = np.isfinite(X).all(axis=1)
    X, z = X[is_finite], fields.finite(values[is_finite])
    top = fields.largest(z[None]) or 1.0
    coordinates = dict(zip("xyz", X.T, strict=True))
    triangles = _triangles(X)
    tip = "%{x:.2f}, %{y:.2f}, %{z:.2f}<br>" + plain(name)
    scale = {"cmin": -top, "cmax": top, "colorbar": colour_bar(look, top, name) | {"len": 0.6}}
    scatter = {"type": "scatter3d", "mode": "markers"}
    if triangles is None:
        marker = {"size": 3.5, "color": z, "showscale": True, "colorscale": look.dots, **scale}
        marker["line"] = {"width": 0.5, "color": look.faint}  # values near 0 vanish on the page
        tip += " %{marker.color:.3g}<extra></extra>"
        traces = [scatter | coordinates | {"marker": marker, "hovertemplate": tip}]
    else:
        lighting = {"ambient": 0.85, "diffuse": 0.25, "specular": 0.05}
        corners = dict(zip("ijk", triangles.T, strict=True))
        traces = [{"type": "mesh3d", "intensity": z, "colorscale": look.functions,
                   "lighting": lighting, **coordinates, **corners, **scale,
                   "hovertemplate": tip + " %{intensity:.3g}<extra></extra>"}]  # fmt: skip
        if points:  # above the surface
            lifted = {axis: 1.004 * nodes for axis, nodes in coordinates.items()}
            marker = {"size": 1.6, "color": colours.clear(look.line, 0.45)}
            traces.append(scatter | lifted | {"marker": marker, "hoverinfo": "skip"})
    invisible = {"visible": False}
    axes = {f"{axis}axis": invisible for axis in "xyz"}
    eye = {"x": 1.25, "y": 1.1, "z": 0.75}
    style = layout(
        look,
        height=520,
        title=title,
        margin={"l": 0, "r": 0, "t": 48 if title else 8, "b": 8},
        scene=axes | {"camera": {"eye": eye}, "aspectmode": "data", "dragmode": "orbit"},
        showlegend=False,
    )
    return plotly_figure(traces, style)


def _triangles(X: Array) -> Array | None:
    """Triangles (m, 3) over points on a sphere about the origin; None for other points."""
    radii = np.linalg.norm(X, axis=1)
    if len(X) < 4 or radii.mean() == 0 or radii.std() > ROUND * radii.mean():
        return None
    try:
        hull = ConvexHull(X / radii[:, None])
    except QhullError:  # all points on one circle: no surface
        return None
    triangles = hull.simplices
    a, b, c = (X[triangles[:, k]] for k in range(3))
    inward = np.einsum("md,md->m", hull.equations[:, :3], np.cross(b - a, c - a)) < 0
    triangles[inward] = triangles[inward][:, ::-1]  # one orientation for all, for the lighting
    return triangles
