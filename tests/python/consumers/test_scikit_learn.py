# SPDX-License-Identifier: Apache-2.0
"""scikit-learn estimators with array_api_dispatch, unchanged, on every device, its own data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from sklearn import config_context, metrics
from sklearn.datasets import load_diabetes, load_iris
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Ridge, RidgeClassifier, RidgeCV
from sklearn.model_selection import cross_val_predict, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    KernelCenterer,
    LabelBinarizer,
    LabelEncoder,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    PolynomialFeatures,
    StandardScaler,
)

import device_api as xp

FLOWERS, SPECIES = load_iris(return_X_y=True)
PATIENTS, PROGRESS = load_diabetes(return_X_y=True)


@pytest.fixture(autouse=True)
def dispatch() -> Iterator[None]:
    """The library's switch for arrays of other libraries."""
    with config_context(array_api_dispatch=True):
        yield


TRANSFORMERS: dict[str, Callable[[], Any]] = {
    "PCA full": lambda: PCA(2, svd_solver="full"),
    "PCA covariance": lambda: PCA(3, svd_solver="covariance_eigh", whiten=True),
    "PCA randomized": lambda: PCA(
        2, svd_solver="randomized", random_state=0, power_iteration_normalizer="QR"
    ),
    "Binarizer": lambda: Binarizer(threshold=2.0),
    "MaxAbsScaler": MaxAbsScaler,
    "MinMaxScaler": MinMaxScaler,
    "Normalizer": Normalizer,
    "PolynomialFeatures": lambda: PolynomialFeatures(2),
    "StandardScaler": StandardScaler,
    "pipeline": lambda: make_pipeline(StandardScaler(), PCA(2, svd_solver="full")),
}


@pytest.mark.parametrize("name", TRANSFORMERS)
def test_transformers(device: str, same: Any, name: str) -> None:
    got = TRANSFORMERS[name]().fit_transform(xp.asarray(FLOWERS))
    expected = TRANSFORMERS[name]().fit_transform(FLOWERS)
    same(got, expected, rtol=1e-7, atol=1e-8)


CLASSIFIERS: dict[str, Callable[[], Any]] = {
    "LinearDiscriminantAnalysis": LinearDiscriminantAnalysis,
    "GaussianNB": GaussianNB,
    "RidgeClassifier": lambda: RidgeClassifier(solver="svd"),
}


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers(device: str, same: Any, name: str) -> None:
    ours = CLASSIFIERS[name]().fit(xp.asarray(FLOWERS), xp.asarray(SPECIES))
    theirs = CLASSIFIERS[name]().fit(FLOWERS, SPECIES)
    same(ours.predict(xp.asarray(FLOWERS)), theirs.predict(FLOWERS))
    score = ours.score(xp.asarray(FLOWERS), xp.asarray(SPECIES))
    assert score == pytest.approx(theirs.score(FLOWERS, SPECIES), rel=1e-6)


REGRESSORS: dict[str, Callable[[], Any]] = {
    "Ridge": lambda: Ridge(alpha=0.5, solver="svd"),
    "RidgeCV": lambda: RidgeCV(alphas=(0.1, 1.0)),
}


@pytest.mark.parametrize("name", REGRESSORS)
def test_regressors(device: str, same: Any, name: str) -> None:
    ours = REGRESSORS[name]().fit(xp.asarray(PATIENTS), xp.asarray(PROGRESS))
    theirs = REGRESSORS[name]().fit(PATIENTS, PROGRESS)
    same(ours.coef_, theirs.coef_, rtol=1e-7)
    same(ours.predict(xp.asarray(PATIENTS)), theirs.predict(PATIENTS), rtol=1e-7)


def test_labels(device: str, same: Any) -> None:
    y = np.array([7, 3, 7, 9, 3])
    same(LabelEncoder().fit_transform(xp.asarray(y)), LabelEncoder().fit_transform(y))
    same(LabelBinarizer().fit_transform(xp.asarray(y)), LabelBinarizer().fit_transform(y))
    kernel = FLOWERS[:9] @ FLOWERS[:9].T
    same(
        KernelCenterer().fit_transform(xp.asarray(kernel)),
        KernelCenterer().fit_transform(kernel),
        rtol=1e-7,
        atol=1e-9,
    )


SCORES: dict[str, tuple[Callable[..., Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]] = {
    "accuracy": (metrics.accuracy_score, SPECIES, SPECIES[::-1].copy()),
    "f1": (lambda a, b: metrics.f1_score(a, b, average="macro"), SPECIES, np.roll(SPECIES, 9)),
    "confusion": (metrics.confusion_matrix, SPECIES, np.roll(SPECIES, 9)),
    "zero_one": (metrics.zero_one_loss, SPECIES, np.roll(SPECIES, 9)),
    "mean_squared_error": (metrics.mean_squared_error, PROGRESS, PROGRESS + 1.5),
    "mean_absolute_error": (metrics.mean_absolute_error, PROGRESS, PROGRESS[::-1].copy()),
    "r2": (metrics.r2_score, PROGRESS, PROGRESS * 1.1),
    "max_error": (metrics.max_error, PROGRESS, PROGRESS * 1.1),
    "cosine": (metrics.pairwise.cosine_similarity, FLOWERS[:5], FLOWERS[5:9]),
    "euclidean": (metrics.pairwise.euclidean_distances, FLOWERS[:5], FLOWERS[5:9]),
    "rbf": (metrics.pairwise.rbf_kernel, FLOWERS[:5], FLOWERS[5:9]),
}


@pytest.mark.parametrize("name", SCORES)
def test_metrics(device: str, name: str) -> None:
    function, a, b = SCORES[name]
    got, expected = function(xp.asarray(a), xp.asarray(b)), function(a, b)
    np.testing.assert_allclose(np.asarray(got), np.asarray(expected), rtol=1e-7)


def test_model_selection(device: str, same: Any) -> None:
    x, y = xp.asarray(FLOWERS), xp.asarray(SPECIES)
    parts = train_test_split(x, y, test_size=30, random_state=3)
    for got, expected in zip(
        parts, train_test_split(FLOWERS, SPECIES, test_size=30, random_state=3), strict=True
    ):
        same(got, expected)
    same(
        cross_val_predict(LinearDiscriminantAnalysis(), x, y, cv=3),
        cross_val_predict(LinearDiscriminantAnalysis(), FLOWERS, SPECIES, cv=3),
    )
