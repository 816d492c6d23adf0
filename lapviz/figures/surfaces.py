"""Functions on points in three dimensions, in particular on a sphere."""

from __future__ import annotations

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from lapviz.figures import colours, fields
from lapviz.figures._plotly import go
from lapviz.figures.style import colour_bar, layout, plain

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
) -> go.Figure:
    """Points in three dimensions coloured by a function; on a sphere with a coloured surface.

    Parameters
    ----------
    X : array (n, 3)
        Any points; for points on a sphere about the origin their convex hull is drawn as well.
    values : array (n,)
        Values of the function; the colour scale is symmetric about 0.
    name : str
        Name of the values, for the colour bar.
    title : str, optional
        Above the figure.
    points : bool
        Whether to draw the points on a surface as well.
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
    sound = np.isfinite(X).all(axis=1)
    X, z = X[sound], fields.finite(values[sound])
    top = fields.top_of(z[None]) or 1.0
    bar = colour_bar(look, top, name) | {"len": 0.6}
    place = {"x": X[:, 0], "y": X[:, 1], "z": X[:, 2]}
    tip = "%{x:.2f}, %{y:.2f}, %{z:.2f}<br>" + plain(name)
    scale = {"colorscale": look.functions, "cmin": -top, "cmax": top}

    bare = scale | {"colorscale": look.dots}
    traces = []
    triangles = _triangles(X)
    if triangles is not None:
        light = {"ambient": 0.85, "diffuse": 0.25, "specular": 0.05}
        sides = dict(zip("ijk", triangles.T, strict=True))
        mesh = {"type": "mesh3d", **place, **sides, **scale, "intensity": z, "lighting": light}
        traces.append(
            mesh | {"colorbar": bar, "hovertemplate": tip + " %{intensity:.3g}<extra></extra>"}
        )
    if triangles is None or points:
        dots = {"size": 3.5, "color": z, "showscale": triangles is None, "colorbar": bar, **bare}
        dots["line"] = {"width": 0.5, "color": look.faint}  # values near 0 vanish on the page
        if triangles is not None:
            dots = {"size": 1.6, "color": f"rgba({look.line}, 0.45)"}
        hover = {"customdata": z, "hovertemplate": tip + " %{customdata:.3g}<extra></extra>"}
        if triangles is not None:
            hover = {"hoverinfo": "skip"}
            place = {axis: 1.004 * nodes for axis, nodes in place.items()}  # above the surface
        traces.append({"type": "scatter3d", **place, "mode": "markers", "marker": dots, **hover})

    hidden = {"visible": False}
    eye = {"x": 1.25, "y": 1.1, "z": 0.75}
    space = {"xaxis": hidden, "yaxis": hidden, "zaxis": hidden, "aspectmode": "data"}
    style = layout(
        look,
        height=520,
        title=title,
        name=theme,
        margin={"pad": 0, "l": 0, "r": 0, "t": 48 if title else 8, "b": 8},
        scene=space | {"camera": {"eye": eye}, "dragmode": "orbit"},
        showlegend=False,
    )
    return go.Figure(data=traces, layout=style)


def _triangles(X: Array) -> Array | None:
    """Triangles (m, 3) over points on a sphere about the origin, None if they are not."""
    radii = np.linalg.norm(X, axis=1)
    if len(X) < 4 or radii.mean() == 0 or radii.std() > ROUND * radii.mean():
        return None
    try:
        hull = ConvexHull(X / radii[:, None])
    except QhullError:  # all on one circle: no surface
        return None
    triangles = hull.simplices
    inward = np.einsum("md,md->m", hull.equations[:, :3], np.cross(*_edges(X, triangles))) < 0
    triangles[inward] = triangles[inward][:, ::-1]  # the same orientation for all, for the lighting
    return triangles


def _edges(X: Array, triangles: Array) -> tuple[Array, Array]:
    a, b, c = (X[triangles[:, k]] for k in range(3))
    return b - a, c - a
