"""Reported faults of training: shift, label smoothing and its three conventions, floors, means of means, a softmax too many."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from glassformer.model.batch import make_batch
from glassformer.model.catalogue import card
from glassformer.model.config import ModelConfig
from glassformer.model.errors import ConfigError
from glassformer.model.loss import Loss, smooth
from glassformer.model.recipe import Recipe
from torch import Tensor

LOGITS = torch.tensor([[[2, 1, 0, -1, 0.5], [0, 3, 0, 0, 0], [1, 1, 1, 1, 1]]])
TARGETS = torch.tensor([[1, 1, 0]])


def loss_of(logits: Tensor = LOGITS, labels: Tensor = TARGETS, **options: Any) -> dict[str, Tensor]:
    """Return everything that the loss of the network shows."""
    block = Loss(ModelConfig(vocab_size=logits.shape[-1], d_model=2, n_heads=1, d_ff=2, n_layers=1, **options), {})
    shown: dict[str, Tensor] = {}
    for name, tap in block.named_modules():
        if hasattr(tap, "step"):
            tap.register_forward_hook(
                lambda tap, args, value, name=name: shown.__setitem__(name.removeprefix("smoothed."), value)
            )
    block(logits.log_softmax(-1), labels)
    return shown


def close(value: Tensor, expected: list[float]) -> bool:
    return value.flatten().tolist() == pytest.approx(expected, abs=1e-6)


def test_plain_cross_entropy_leaves_padding_out() -> None:
    shown = loss_of()
    assert close(shown["terms"], [1.574438, 0.181612, 0])
    assert close(shown["mean"], [0.878025])
    assert int(shown["count"]) == 2


@pytest.mark.parametrize(
    ("over", "row", "terms", "mean"),
    [
        ("all", [0.02, 0.92, 0.02, 0.02, 0.02], [1.624438, 0.421612, 0], 1.023025),
        ("real", [0, 0.9, 0.033333, 0.033333, 0.033333], [1.691105, 0.481612, 0], (1.691105 + 0.481612) / 2),
        ("others", [0.025, 0.9, 0.025, 0.025, 0.025], None, 1.059275),
    ],
)
def test_three_meanings_of_smoothing_have_three_numbers(
    over: str, row: list[float], terms: list[float] | None, mean: float
) -> None:
    shown = loss_of(smoothing=0.1, smoothing_over=over)
    assert close(shown["targets"][0, 0], row)
    assert shown["targets"][0, 2].tolist() == [0] * 5, "a row of padding is 0"
    assert terms is None or close(shown["terms"], terms)
    assert close(shown["mean"], [mean])
    assert close(shown["targets"][0, :2].sum(-1), [1, 1])


def test_divergence_is_cross_entropy_less_the_targets_entropy() -> None:
    shown = loss_of(smoothing=0.1, smoothing_over="real")
    assert close(shown["divergence"], [1.256160, 0.046667, 0])
    assert close(shown["divergence"][0, :2].mean(), [0.651414])
    assert close(shown["entropy"][0, :2], [0.434944, 0.434944])
    theirs = torch.nn.functional.kl_div(LOGITS.log_softmax(-1), shown["targets"], reduction="none").sum(-1)
    assert close(shown["divergence"], theirs.flatten().tolist())


@pytest.mark.parametrize(
    ("vocab", "over", "floor"),
    [
        (5, "all", 0.389673),
        (5, "real", 0.434944),
        (5, "others", 0.463712),
        (11, "all", 0.513962),
        (11, "real", 0.544805),
        (11, "others", 0.555341),
        (10, "others", 0.544805),
    ],
)
def test_a_smoothed_loss_has_a_floor_above_zero(vocab: int, over: str, floor: float) -> None:
    entropy = loss_of(torch.zeros(1, 1, vocab), torch.tensor([[1]]), smoothing=0.1, smoothing_over=over)["entropy"]
    assert close(entropy, [floor])


def test_an_untrained_model_stands_at_the_logarithm_of_the_vocabulary() -> None:
    for vocab, level in ((5, 1.609438), (11, 2.397895)):
        assert close(loss_of(torch.zeros(1, 1, vocab), torch.tensor([[1]]))["mean"], [level])
        assert level == pytest.approx(math.log(vocab), abs=1e-6)


def test_a_smoothed_loss_is_finite_and_padding_adds_exactly_nothing() -> None:
    shown = loss_of(torch.tensor([[[-80, 0.0, 80, 1, -80]] * 3]), torch.tensor([[2, 1, 0]]), smoothing=0.4, smoothing_over="real")
    assert close(shown["targets"][0, 0], [0, 0.133333, 0.6, 0.133333, 0.133333])
    assert close(shown["targets"][0, 1], [0, 0.6, 0.133333, 0.133333, 0.133333])
    assert bool(shown["cross_entropy"].isfinite().all())
    assert shown["terms"][0, 2] == 0


def test_smoothed_targets_agree_with_the_library() -> None:
    logits = torch.randn(2, 3, 7, generator=torch.Generator().manual_seed(3))
    labels = torch.tensor([[1, 2, 3], [4, 5, 6]])
    for over in ("all",):
        theirs = torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), label_smoothing=0.1)
        assert close(loss_of(logits, labels, smoothing=0.1, smoothing_over=over)["mean"], [float(theirs)])
    for over in ("all", "others", "real"):
        assert close(smooth(labels, logits, eps=0.3, over=over, pad_id=0).sum(-1), [1.0] * 6)


def test_the_mean_of_means_is_another_number() -> None:
    """Two sentences with means 2 and 1 over 11 and 101 tokens: 1.098214, and not 1.5."""
    lengths, means = (11, 101), (2.0, 1.0)
    labels = torch.zeros(2, 101, dtype=torch.int64)
    logits = torch.zeros(2, 101, 3)
    for row, (length, mean) in enumerate(zip(lengths, means, strict=True)):
        labels[row, :length] = 1
        logits[row, :, 1] = math.log(2) - math.log(math.exp(mean) - 1)
    shown = loss_of(logits, labels)
    assert close(shown["sentence_means"], [2, 1])
    assert close(shown["mean"], [1.098214])
    assert close(shown["mean_of_means"], [1.5])


def test_logits_go_through_one_softmax() -> None:
    logits = torch.tensor([[[0.0, 10, 0, 0, 0]]])
    once = loss_of(logits, torch.tensor([[1]]))["mean"]
    assert close(once, [0.000182])
    assert close(loss_of(logits.log_softmax(-1), torch.tensor([[1]]))["mean"], [0.000182]), "a log-softmax twice does no harm"
    assert close(loss_of(logits.softmax(-1), torch.tensor([[1]]))["mean"], [0.904968]), "what the fault looks like"


def test_a_target_is_shifted_against_its_labels() -> None:
    batch = make_batch(card("copy"), Recipe("copy", ("5 6 7",), tgt=("5 6 7",)), max_length=16)
    assert [token.text for token in batch.tgt[0]] == ["<start>", "5", "6", "7"]
    assert batch.labels is not None
    assert [token.text for token in batch.labels[0]] == ["5", "6", "7", "<end>"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"smoothing": 1.0}, "smoothing is 1.0; it must be at least 0 and below 1"),
        ({"smoothing": -0.1}, "smoothing is -0.1"),
        ({"smoothing_over": "none"}, "smoothing_over is 'none'; it must be 'all' or 'others' or 'real'"),
    ],
)
def test_smoothing_that_does_not_exist_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        ModelConfig(vocab_size=5, d_model=2, n_heads=1, d_ff=2, n_layers=1, **options)
    assert message in caught.value.message
