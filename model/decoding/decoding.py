"""A decoding that goes as far as it is asked to, one step after the other."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from ..catalogue import card
from ..errors import FinishedError
from ..library import Library, configure
from ..running import run
from ..trace import Trace
from .beam import Hypothesis, expand, keep
from .choosing import Choice, choose
from .passes import CachedPasses, FullPasses, Passes
from .recipe import DecodingRecipe
from .steps import DecodingStep, Fate, Node, Reason, Row
from .strategy import Beam

ROOT_ROW = -1
ROW_BYTES = 4500
NODE_BYTES = 300
"""About what a row of a step weighs, with the candidates it shows, and a hypothesis; measured."""


@dataclass(frozen=True)
class Live:
    """A row of the next pass: the hypothesis `node` of a sentence, in row `parent` of the pass before."""

    sentence: int
    node: int
    prefix: tuple[int, ...]
    total: float
    parent: int
    done: bool = False

    @property
    def length(self) -> int:
        """Tokens written so far; the start is none."""
        return len(self.prefix) - 1


class Decoding:
    """A decoding by any strategy. Safe to use from many threads: a step is computed once.

    The encoder runs once, in the first step; later steps take over its memory.
    """

    def __init__(self, recipe: DecodingRecipe, library: Library) -> None:
        self.recipe = recipe
        self._run = partial(run, library=library)
        self._card = card(recipe.model)
        self._token = cache(self._card.tokenizer.token)
        self._limit = min(recipe.max_steps, configure(recipe.model, recipe.options)[1].max_length)
        self._passes: Passes = CachedPasses(recipe, library) if recipe.cache else FullPasses(recipe, library)
        self._steps: list[DecodingStep] = []
        self._row_bytes = 0
        self._lock = threading.Lock()
        start = self._card.tokenizer.token(self._card.tokenizer.start_id)
        self._nodes = [Node(i, None, i, -1, ROOT_ROW, start, 0.0, 0.0, 0.0, 0, "live") for i in range(len(recipe.src))]
        self._live = [Live(i, i, (start.id,), 0.0, i) for i in range(len(recipe.src))]
        self._ended: list[list[Hypothesis]] = [[] for _ in recipe.src]

    def step(self, index: int) -> tuple[DecodingStep, Trace | None]:
        """Return a step, and its trace if it was computed just now and is not cached.

        Raises:
            FinishedError: the decoding ended before that step.
        """
        with self._lock:
            trace = None
            while len(self._steps) <= index:
                if self._steps and self._steps[-1].finished:
                    raise FinishedError(
                        f"the decoding ended with step {len(self._steps) - 1}; there is no step {index}", where="step"
                    )
                trace = self._advance()
            return self._steps[index], trace if index == len(self._steps) - 1 else None

    def __iter__(self) -> Iterator[DecodingStep]:
        """Go through the steps to the end, computing each when it is asked for."""
        index, finished = 0, False
        while not finished:
            step, _ = self.step(index)
            yield step
            index, finished = index + 1, step.finished

    def known(self, index: int) -> DecodingStep | None:
        """Return a step if it has been computed."""
        return self._steps[index] if index < len(self._steps) else None

    @property
    def steps(self) -> tuple[DecodingStep, ...]:
        """The steps computed so far."""
        return tuple(self._steps)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All hypotheses so far, with what has become of them; a node's id is its place."""
        return tuple(self._nodes)

    @property
    def unit(self) -> str:
        """What a token of this model is, "word" or "letter"."""
        return self._card.tokenizer.unit

    @property
    def held_bytes(self) -> int:
        """Bytes of the steps so far, and of what is kept between them."""
        return self._passes.held_bytes + self._row_bytes + NODE_BYTES * len(self._nodes)

    def best(self, sentence: int) -> Node:
        """Return the best hypothesis of a sentence so far: the highest score; of equals, the one that stood first."""
        standing = [node for node in self._nodes if node.sentence == sentence and node.fate in ("live", "end", "length")]
        return max(standing, key=lambda node: (node.score, -node.id))

    def path(self, node: Node) -> tuple[Node, ...]:
        """Return the hypotheses that lead to one, the start first, itself last."""
        found = [node]
        while node.parent is not None:
            node = self._nodes[node.parent]
            found.append(node)
        return tuple(reversed(found))

    def text(self, node: Node) -> str:
        """Return what a hypothesis has written."""
        return self._card.tokenizer.decode([each.token.id for each in self.path(node)])

    def _advance(self) -> Trace | None:
        index, live = len(self._steps), self._live
        recipe = self.recipe.at([row.prefix for row in live], [row.sentence for row in live])
        scores = self._passes.score(recipe, [row.parent for row in live])
        tokenizer, strategy = self._card.tokenizer, self.recipe.strategy
        choices = [
            choose(scores.logits[i], scores.log_probs[i], tokenizer, strategy, row=i, step=index) for i in range(len(live))
        ]
        first = len(self._nodes)
        self._live = []
        if isinstance(strategy, Beam):
            rows = self._widen(index, live, choices, strategy)
        else:
            rows = [self._go_on(index, i, row, choices[i]) for i, row in enumerate(live)]
        finished = not self._live or all(row.done for row in self._live)
        self._steps.append(DecodingStep(index, recipe, tuple(rows), tuple(self._nodes[first:]), finished, self._run))
        self._row_bytes += len(rows) * (ROW_BYTES + 8 * index)
        return scores.trace

    def _go_on(self, index: int, place: int, live: Live, choice: Choice) -> Row:
        """Go on with the one token that was chosen, or with padding behind an end."""
        tokenizer = self._card.tokenizer
        id = tokenizer.pad_id if live.done else choice.id
        log_prob = 0.0 if live.done else float(choice.log_probs[id])
        reason = None if live.done else self._reason(index, id)
        node = live.node
        if not live.done:
            node = self._add(index, place, live, id, log_prob, live.total + log_prob, reason or "live")
            self._mark(live.node, "passed")
        self._live.append(
            Live(live.sentence, node, (*live.prefix, id), live.total + log_prob, place, live.done or reason is not None)
        )
        return self._row(live, choice, id, log_prob, reason, text_ids=(*live.prefix, id))

    def _widen(self, index: int, live: Sequence[Live], choices: Sequence[Choice], strategy: Beam) -> list[Row]:
        """Keep the best continuations of each sentence's hypotheses."""
        rows: dict[int, Row] = {}
        for sentence in range(len(self.recipe.src)):
            mine = [place for place, row in enumerate(live) if row.sentence == sentence]
            if not mine:
                continue
            grown = [hypothesis for place in mine for hypothesis in self._grow(place, live[place], choices[place], strategy)]
            kept, dropped = keep(self._ended[sentence], grown, strategy.width)
            best: dict[int, tuple[Hypothesis, Reason | None]] = {}
            self._ended[sentence] = []
            for hypothesis in kept:
                found = self._settle(index, hypothesis, live)
                if hypothesis.row is not None:
                    best.setdefault(hypothesis.row, (hypothesis, found))
            for hypothesis in dropped:
                self._drop(index, hypothesis, live)
            for place in mine:
                self._mark(live[place].node, "passed" if place in best else "died")
                rows[place] = self._beam_row(live[place], choices[place], best.get(place))
        return [rows[place] for place in range(len(live))]

    def _grow(self, place: int, live: Live, choice: Choice, strategy: Beam) -> list[Hypothesis]:
        end = self._card.tokenizer.end_id
        return expand(place, live.node, live.total, live.length, choice.order, choice.log_probs, strategy, end=end)

    def _settle(self, index: int, kept: Hypothesis, live: Sequence[Live]) -> Reason | None:
        """Keep a hypothesis: as a row of the next pass, or among those that have ended."""
        if kept.row is None:
            self._ended[self._nodes[kept.node].sentence].append(kept)
            return None
        before = live[kept.row]
        reason = self._reason(index, kept.id)
        node = self._add(index, kept.row, before, kept.id, kept.log_prob, kept.total, reason or "live", kept.score)
        if reason is None:
            self._live.append(Live(before.sentence, node, (*before.prefix, kept.id), kept.total, kept.row))
        else:
            self._ended[before.sentence].append(replace(kept, row=None, node=node))
        return reason

    def _drop(self, index: int, dropped: Hypothesis, live: Sequence[Live]) -> None:
        if dropped.row is None:
            self._mark(dropped.node, "dropped")
        else:
            before = live[dropped.row]
            self._add(index, dropped.row, before, dropped.id, dropped.log_prob, dropped.total, "dropped", dropped.score)

    def _beam_row(self, live: Live, choice: Choice, best: tuple[Hypothesis, Reason | None] | None) -> Row:
        if best is None:
            return self._row(live, choice, None, 0.0, None, text_ids=live.prefix)
        hypothesis, reason = best
        return self._row(live, choice, hypothesis.id, hypothesis.log_prob, reason, text_ids=(*live.prefix, hypothesis.id))

    def _row(
        self, live: Live, choice: Choice, id: int | None, log_prob: float, reason: Reason | None, *, text_ids: Sequence[int]
    ) -> Row:
        tokenizer = self._card.tokenizer
        return Row(
            sentence=live.sentence,
            node=live.node,
            prefix=tuple(map(self._token, live.prefix)),
            chosen=None if id is None else self._token(id),
            chosen_log_prob=log_prob,
            total=live.total + log_prob,
            top=choice.top,
            margin=choice.margin,
            tied=choice.tied,
            text=tokenizer.decode(list(text_ids)),
            done=live.done,
            reason=reason,
            draw=None if live.done else choice.draw,
        )

    def _reason(self, index: int, id: int) -> Reason | None:
        return "end" if id == self._card.tokenizer.end_id else "length" if index + 1 >= self._limit else None

    def _add(
        self, index: int, row: int, live: Live, id: int, log_prob: float, total: float, fate: Fate, score: float | None = None
    ) -> int:
        token = self._token(id)
        score = total if score is None else score
        node = Node(len(self._nodes), live.node, live.sentence, index, row, token, log_prob, total, score, live.length + 1, fate)
        self._nodes.append(node)
        return node.id

    def _mark(self, node: int, fate: Fate) -> None:
        self._nodes[node] = replace(self._nodes[node], fate=fate)
