"""Forms of random Fourier features: ∇φ_j = t_j ω_j, so S = (ΩΩᵀ) ∘ E[ttᵀ], whatever d."""

from __future__ import annotations

from lapviz.forms.base import Accumulator, Array, accumulator, weighed
from lapviz.spaces.fourier import FourierSpace


@accumulator.register(FourierSpace)
class FourierAccumulator(Accumulator):
    """Running sums over waves; parameters as in :class:`lapviz.forms.Accumulator`."""

    space: FourierSpace

    def _default_block(self, single: bool = False) -> int:
        return max(64, min(2048, (1 << 20) // self.space.n_functions))

    def _add_slopes(self, X: Array, directions: Array | None, root: Array | None) -> None:
        if directions is None:
            self._add_squares("stiffness", weighed(self.space.slope_profile(X), root))
            return
        for l in range(directions.shape[1]):
            self._add_squares("stiffness", weighed(self.space.slope(X, directions[:, l]), root))

    def _mass_and_stiffness(self) -> tuple[Array, Array]:
        M, S = super()._mass_and_stiffness()
        return M, S * self.space.wave_gram if self.energy == "ambient" else S
