"""next_label: the parameters of the fitted classifier, and errors."""

import numpy as np
import pytest

from lapviz import LaplacianClassifier, datasets, next_label

pytestmark = pytest.mark.slow


def circles(n=300):
    data = datasets.load("four_circles", n_samples=n, random_state=0)
    names = np.array(["even", "odd"])
    return data.X, np.where(data.labelled, names[data.y], "-1")


def test_an_automatic_lam_is_the_one_that_was_used():
    X, y = circles()
    automatic = LaplacianClassifier(n_passes=0, random_state=0).fit(X, y)
    named = LaplacianClassifier(n_passes=0, lam=automatic.lam_, random_state=0).fit(X, y)
    actual, expected = (next_label(model, X, y) for model in (automatic, named))
    np.testing.assert_allclose(actual.score, expected.score, rtol=1e-9)


def test_other_settings_and_other_labels_are_refused():
    X, y = circles()
    model = LaplacianClassifier(random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="filter='tikhonov'"):
        next_label(LaplacianClassifier(filter="heat").fit(X, y), X, y)
    with pytest.raises(ValueError, match="data_term='labelled'"):
        next_label(LaplacianClassifier(data_term="all").fit(X, y), X, y)
    with pytest.raises(ValueError, match=r"other classes .* whose weight was 0 as -1"):
        next_label(model, X, np.where(y == "odd", "strange", y))
    with pytest.raises(ValueError, match=r"shape \(304,\)"):
        next_label(model, X, y[:5])
    with pytest.raises(ValueError, match=r"shape \(304,\), got \(\)"):
        next_label(model, X, None)
    one_class = np.where(y == "odd", "-1", y)
    with (
        pytest.warns(UserWarning, match="one class, even"),
        pytest.raises(ValueError, match="of one class"),
    ):
        next_label(LaplacianClassifier().fit(X, one_class), X, one_class)
