"""The stories of the start page: presets with what to look for, what to try, and the source."""

from __future__ import annotations

from dataclasses import dataclass

from lapviz.explorer.settings.texts import read_labels
from lapviz.labels import Label


@dataclass(frozen=True)
class Story:
    """A preset with a title, what to look for, what to try next, and its source."""

    name: str
    title: str
    page: str  # "labels", "eigenfunctions", "regression" or "data"
    look: str
    next: str
    source: str
    changes: tuple[tuple[str, object], ...]


# Sixty images of digits, the true digit and another one at random.
_TWO_DIGITS = (
    "35c5.1~48c0.6~60c3.9~110c4.2~150c0.3~164c6.9~208c0.1~218c1.8~219c3.4~237c5.7~251c9.5~"
    "288c5.7~361c9.8~435c0.1~450c4.3~466c1.8~478c9.7~496c4.2~499c2.4~524c8.4~535c9.8~"
    "544c8.7~579c3.8~581c6.7~679c5.8~714c4.5~717c5.0~740c7.9~798c2.6~802c6.8~822c5.7~"
    "865c3.5~887c4.1~890c8.6~892c2.8~947c1.5~964c3.6~969c6.2~1129c5.1~1296c9.4~1302c5.0~"
    "1313c6.8~1325c8.3~1334c1.0~1337c2.9~1391c6.4~1435c0.2~1440c5.7~1449c6.9~1474c3.9~"
    "1519c6.2~1521c6.8~1603c3.9~1654c2.1~1655c2.5~1657c7.5~1718c2.3~1729c3.6~1742c2.8~"
    "1750c3.7"
)


def _story(name, title, page, look, next, source, **changes) -> Story:
    return Story(name, title, page, look, next, source, tuple(changes.items()))


STORIES = (
    _story(
        "circles",
        "Four labels colour four circles",
        "labels",
        "Kernel ridge gives four bumps, one around each label. The kernel Laplacian spreads each "
        "label over its whole circle.",
        "Press play to sweep λ. Remove a label (choose its class, then click it): its circle "
        "changes class. Under “Estimate”, tick “Unpenalised constant”: a whole circle gets "
        "the wrong class.",
        "SSL21, Figures 1 and 6",
        data="four_circles",
    ),
    _story(
        "noisy-circles",
        "Noisy circles need learnt tangents",
        "labels",
        "With noise, the ambient gradient also penalises change across the circles, and the "
        "estimate is wrong. With derivatives along learnt tangents only, it is right.",
        "Switch “Gradient” between the ambient gradient and learnt tangents; the labels stay.",
        "This project; TangentProp, GAL23 eq. 19",
        data="four_circles",
        noise=0.1,
        sigma=0.5,
        mu=1e-6,
        operator="tangent",
    ),
    _story(
        "moons",
        "100 000 half-moon points",
        "eigenfunctions",
        "Two eigenvalues near 0 (one for each moon), then cosines along the arcs: γ = 1, 4, 9, … "
        "in pairs.",
        "Lower p until the pairs split, or increase σ until the moons merge.",
        "GAL23, Figure 1",
        data="half_moons",
        n=100_000,
        noise=0.05,
        sigma=0.2,
    ),
    _story(
        "hermite",
        "Hermite polynomials from samples",
        "eigenfunctions",
        "For Gaussian data the eigenfunctions are products of Hermite polynomials, and the "
        "eigenvalues their degrees: γ = 0, 1, 1, 2, 2, 2, 3, ….",
        "Lower n to 300: no degree is right any more, γ₁ is 0.66 on this draw. Or try the "
        "polynomial kernel of degree 3, which finds the degrees up to 3 as well.",
        "GAL23, Section 3",
        data="gaussian",
        n=20_000,
    ),
    _story(
        "digits",
        "Handwritten digits, two labels per class",
        "labels",
        "1797 images in 64 dimensions, twenty labels. With tangents learnt from the images, the "
        "kernel Laplacian is much more accurate than kernel ridge. The graph beside it is more "
        "accurate still; it has values at its own points, elsewhere means of the nearest ones. "
        "This is one smooth function of any image.",
        "Click a point that looks misplaced and give it its digit (keys 0–9 choose the class).",
        "The README's digits table",
        data="digits",
    ),
    _story(
        "sources",
        "One label per digit: labels as sources",
        "labels",
        "Ten labels for 1797 images. Fitted by least squares, the estimate has a narrow peak at "
        "each label and is nearly constant in between. With labels as sources (Poisson) more of "
        "the points are right, with the same energy.",
        "Under “Estimate”, choose the data term “Labelled points”, then the class balance “Scale "
        "to class masses”: on this draw it helps as much.",
        "Calder, Cook, Thorpe and Slepčev (2020)",
        data="digits",
        per_class=1,
        term="poisson",
    ),
    _story(
        "candidates",
        "Each label names two digits, one of them wrong",
        "labels",
        "Sixty images have two candidate digits each. The first panel averages the candidates; the "
        "infimum loss looks for the smoothest function that agrees with one of the two, and gets "
        "more of the points right.",
        "Shift + click a labelled point to add or take a candidate. Change the seed: of ten draws "
        "of the landmarks six gained 3 to 6 points in a hundred, and four lost up to 2.",
        "SSL21, Section A.2; Cabannes, Rudi and Bach (2020)",
        data="digits",
        seed=2,
        marks=read_labels(_TWO_DIGITS),
    ),
    _story(
        "next-label",
        "Which point to label next?",
        "labels",
        "From one label, “change” asks for the point whose likeliest class would change the "
        "estimate most: each question finds another circle, and four labels are enough. Random "
        "choice needs seven in the median.",
        "Press “Ask the truth” three times. Then start again with “Energy of the likeliest "
        "class”: it needs six labels.",
        "SSL21, Section 5; Karzand and Nowak (2019)",
        data="four_circles",
        marks=(Label(0, 0),),
        ask="change",
    ),
    _story(
        "gaussians",
        "Two Gaussians in ten dimensions",
        "labels",
        "A tenth of the points is labelled; σ and μ are the paper's for n = 300. On this draw "
        "the kernel Laplacian is much more accurate than the dense graph of the same width, and "
        "slightly more accurate than kernel ridge.",
        "Try other seeds and other n: the gap varies. Then choose the k-NN graph, under “Graph "
        "to compare”: it is about as accurate.",
        "SSL21, Figures 3 and 5",
        data="two_gaussians",
        n=300,
        sigma=3.79,
        mu=3.33e-3,
        graph="dense",
    ),
    _story(
        "sphere",
        "Spherical harmonics",
        "eigenfunctions",
        "The tangential energy on S² has the eigenvalues γ = s(s + 1): 0 once, 2 three times, "
        "6 five times.",
        "Switch “Gradient” to ambient: all eigenvalues change, because the derivative normal to "
        "the sphere is counted too.",
        "GAL23, Figure 3",
        data="sphere",
        n=10_000,
    ),
    _story(
        "roll",
        "Unrolling the Swiss roll",
        "eigenfunctions",
        "Eigenfunctions vary along the sheet; they do not connect neighbouring turns of the roll.",
        "Switch “Gradient” to ambient: derivatives normal to the sheet are counted too, and the "
        "first eigenvalue is eight times too large.",
        "A classic of manifold learning",
        data="swiss_roll",
        n=4000,
    ),
    _story(
        "square",
        "Cosines on a square",
        "eigenfunctions",
        "For uniform data on a square the eigenfunctions are products of cosines, with no slope "
        "across the border: γ = π²(k² + l²).",
        "Choose the graph Laplacian under “Eigenfunctions of” and compare.",
        "Closed form (Neumann boundary condition)",
        data="square",
        n=10_000,
    ),
    _story(
        "stop",
        "When to stop conjugate gradient",
        "regression",
        "The residual falls at every iteration m, the error falls and rises again. Hold-out stops "
        "near the least error. Rules (8) and (9) stop at 0: their thresholds lie far above the "
        "noise at n = 200.",
        "Move m with the slider. Then lower the constant τ to .01: the rules "
        "stop later. Choose another regularisation and compare the least errors.",
        "KCG10, Algorithm 1, eqs. 7–9",
        data="waves",
    ),
    _story(
        "unlabelled",
        "50 values, 750 inputs without one",
        "regression",
        "Conjugate gradient on all inputs, with the response (ñ/n)(Y, 0, …, 0). The theorem is "
        "about rates; on this draw the error is larger than that of the 50 values alone.",
        "Choose “Leave them out” under “Unlabelled samples”, and compare the least errors of both.",
        "KCG10, Theorem 2.3",
        data="waves",
        n=800,
        known=50,
        unlabelled="response",
    ),
    _story(
        "slopes",
        "Five points with slopes",
        "regression",
        "Hermite regression follows the values and the slopes. The plain estimate passes through "
        "the same points and ignores the slopes.",
        "Drag a point, or turn its slope by one of its ends; with the keyboard, Tab and the arrow "
        "keys. Set the weight of the slopes to 0: the two curves become equal.",
        "GAL23, Section 7.2, Algorithms 4 and 5",
        data="waves",
        topic="slopes",
        kernel="gaussian",
        sigma=0.2,
    ),
    _story(
        "exact",
        "How many test functions are enough",
        "regression",
        "The exact estimate has n(d + 1) = 400 functions. Galerkin with p = 20 of them is as "
        "close to the truth, and its matrices are more than 100 times smaller.",
        "Move p with the slider. Then set n to 2000: the exact estimate would take more memory "
        "than this page allows, and a message says how much.",
        "SSL21, Section 3.2; KRR20, Theorem 3",
        data="waves",
        topic="exact",
        kernel="gaussian",
        sigma=0.2,
        p=5,
    ),
    _story(
        "roll-values",
        "Twenty values on a noisy roll",
        "regression",
        "The position along the rolled sheet, from 20 known values. With learnt tangents the error "
        "is less than half of that with the ambient gradient, whose first eigenvalue is several "
        "times too large.",
        "Set the noise to 0: the ambient γ₁ is then seven times too large, the learnt one right. "
        "With noise 1 all methods fail.",
        "This project; TangentProp, GAL23 eq. 19",
        data="swiss_roll",
        plane="features",
        noise=0.5,
        sigma=4.0,
        p=500,
    ),
    _story(
        "methods",
        "Five methods, one truth",
        "eigenfunctions",
        "Learnt eigenfunctions beside those of diffusion maps, matched in order and sign. The "
        "table below has the errors of all methods: the learnt eigenvalues are the most accurate, "
        "and diffusion maps, with their wide kernel, have good functions but poor eigenvalues.",
        "Choose another method under “Eigenfunctions of”. Lower n to 300: errors and angles grow "
        "for all, and the learnt eigenvalues stay ahead.",
        "GAL23, Section 7; eq. 21 for the error",
        data="square",
        show="diffusion",
        beside=True,
        angles=True,
    ),
    _story(
        "landmarks",
        "Landmarks without gaps",
        "eigenfunctions",
        "The ringed dots are the centres of the test functions, drawn uniformly at random: some "
        "crowd, and some stretches of the moons have none. There the functions are flat, and the "
        "eigenvalues are too large.",
        "Switch “Landmarks” to stratified, k-means++ or leverage scores: the gaps close, and γ₁ "
        "and γ₃ to γ₅ fall; γ₂ rises a little. Random waves have no places.",
        "SSL21, Remark 25",
        data="half_moons",
        noise=0.02,
        p=40,
        landmarks="uniform",
        centres=True,
    ),
    _story(
        "rotation",
        "Singular functions of d/dθ",
        "eigenfunctions",
        "The derivative along the circle is not symmetric: it maps each right singular function g "
        "to s times a left one f. They are cosines and sines, a quarter wave apart, and s counts "
        "the waves: 0, 1, 1, 2, 2, ….",
        "Lower n to 300: the pairs split. Raise the noise to 0.2: functions of the radius appear, "
        "with s near 0, as they do not change with θ.",
        "GAL23, Algorithm 1",
        data="circle",
        n=5000,
        sigma=0.5,
        form="rotation",
    ),
    _story(
        "ornstein",
        "The Ornstein–Uhlenbeck generator",
        "eigenfunctions",
        "ℒg = −Δg + ⟨x, ∇g⟩ over normal data: eigenfunctions are Hermite polynomials, eigenvalues "
        "their degrees. Polynomials of degree 4 as test functions hold them exactly; what is left "
        "is the error of sampling, larger for higher degrees.",
        "Lower n to 1,000: errors grow, most for the highest degree. Choose the Gaussian kernel.",
        "GAL23, Section 2 and Algorithm 1",
        data="gaussian",
        n=20_000,
        kernel="polynomial",
        kernel_params=(("degree", 4),),
        form="ornstein",
    ),
    _story(
        "invariances",
        "Digits that may shift and turn",
        "labels",
        "The energy counts how much the estimate differs between altered copies of an image, moved "
        "by up to half a pixel and turned by up to ten degrees. With two labels per class it is "
        "more accurate than kernel ridge, which does not know of such changes, and much less than "
        "the graph beside it; but it is one smooth function of any image, and needs no neighbours.",
        "Switch “Gradient” to learnt tangents and μ to 1e-4: they are more accurate still. Raise "
        "the largest turn to 30: too much is made alike.",
        "GAL23, Section 6.3 (eq. 20)",
        data="digits",
        operator="invariance",
        lam=1.0,
        mu=1e-3,
    ),
    _story(
        "single-points",
        "Eigenfunctions that live on two points",
        "eigenfunctions",
        "178 wines in 13 dimensions. Several eigenfunctions are almost 0 except on one to three "
        "wines that lie far from all others: they say nothing about the rest.",
        "Raise μ to 0.01: all of them spread over the whole sample. Or raise σ to 16.",
        "This project",
        data="wine",
    ),
    _story(
        "neural",
        "A network learns the harmonics",
        "eigenfunctions",
        "A small network is trained by gradient descent on the energy; its eigenfunctions appear "
        "beside the learnt ones, up to a rotation within each eigenspace.",
        "Lower the learning rate. With JAX installed, press “Stop” early and see how far it has "
        "come.",
        "GAL23, Section 6.2 and Figure 5; other trainings need the extra “neural”",
        data="square",
        show="neural",
        beside=True,
    ),
    _story(
        "flower",
        "Cut a flower out of a photograph",
        "data",
        "Three strokes of the brush on 273,280 pixels. Each pixel is a point of colour and "
        "position; the kernel Laplacian gives all of them a class, and the flower comes out whole.",
        "Scribble with class 1 on the small flower below: it leaves, and takes some petals of the "
        "large one with it. A stroke of class 2 along these brings them back. Drag w to 1, "
        "position alone: the flower becomes a blob.",
        "This project; photograph by vultilion, CC BY 2.0",
    ),
)
BY_NAME = {story.name: story for story in STORIES}
