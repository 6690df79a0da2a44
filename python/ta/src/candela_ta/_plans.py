"""Plans of indicators and expressions, computed over columns of numbers (docs/kernels.md)."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy import ndarray

from ._kernels import (
    CALL,
    FLOAT,
    FRAME_NUMBERS,
    INPUTS,
    OUTPUTS,
    PARAMETERS,
    SCRATCH,
    STATE,
    Kernels,
    Numbers,
    column_length,
    scratch_length,
)
from ._script import CandelaError

#: Candles that a plan computes at a time: few enough that its columns stay in the processor's cache.
BLOCK = 16_384
#: Spare numbers behind a column, which kernels may write.
_SPARE = 4
_ADDRESSES = 1 << 32
#: Names whose bits are in one column.
NAMES_PER_COLUMN = 48


@dataclass(frozen=True)
class Node:
    """A part of a plan. Inputs are earlier nodes. The fields after `inputs` belong to some kinds."""

    kind: str
    #: Number of candles before the first value, and of earlier values that other nodes read.
    warmup: int
    history: int
    inputs: tuple[int, ...] = ()
    # column, constant, pointwise
    column: str = ""
    value: float = 0.0
    operation: str = ""
    # history: the number of candles, or its maximum if a node has the number
    candles: int = 0
    by: int | None = None
    # output: its column of the kernel
    place: int = 0
    # calculation, with the node of each output or -1
    kernel: str = ""
    parameters: tuple[float, ...] = ()
    outputs: tuple[int, ...] = ()
    lookback: int = 0
    state: int = 0
    scratch: int = 0


@dataclass(frozen=True)
class Output:
    """An output: its name, its kind, and the texts of a label or of a list of names."""

    name: str
    kind: str
    labels: Mapping[float, str]
    names: tuple[str, ...]

    @property
    def columns(self) -> int:
        """Number of columns of its values: the bits of names in each."""
        return max(1, -(-len(self.names) // NAMES_PER_COLUMN))

    @property
    def has_texts(self) -> bool:
        """Whether its values are texts."""
        return self.kind in ("label", "names")


@dataclass(frozen=True, eq=False)
class Plan:
    """The nodes of an indicator or an expression, each after its inputs, and the nodes with the results."""

    nodes: tuple[Node, ...]
    roots: tuple[int, ...]
    outputs: tuple[Output, ...]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns that it reads."""
        return tuple(node.column for node in self.nodes if node.kind == "column")

    @cached_property
    def names(self) -> Any:
        """A tuple with the names of the outputs."""
        return namedtuple("Outputs", [output.name for output in self.outputs], rename=True)

    @cached_property
    def kernel(self) -> Node | None:
        """The only kernel of a plan that has nothing but columns, this kernel and its outputs."""
        kinds = [node.kind for node in self.nodes if node.kind not in ("column", "output")]
        return next(node for node in self.nodes if node.kernel) if kinds == ["calculation"] else None


#: Means of columns that an indicator may read instead of a column.
_MEANS = {"hl2": ("high", "low"), "hlc3": ("high", "low", "close"), "ohlc4": ("open", "high", "low", "close")}


def plan_of_indicator(given: Mapping[str, Any]) -> Plan:
    """The plan of an indicator from its calculation in JSON."""
    nodes: list[Node] = []
    history = given["lookback"]

    def add(node: Node) -> int:
        if node not in nodes:
            nodes.append(node)
        return nodes.index(node)

    def add_input(name: str) -> int:
        first, *others = [add(Node("column", 0, history, column=each)) for each in _MEANS.get(name, (name,))]
        for other in others:
            first = add(Node("pointwise", 0, history, (first, other), operation="add"))
        if not others:
            return first
        count = add(Node("constant", 0, history, value=len(others) + 1.0))
        return add(Node("pointwise", 0, history, (first, count), operation="divide"))

    inputs = tuple(map(add_input, given["inputs"]))
    kernel = len(nodes)
    roots = tuple(range(kernel + 1, kernel + 1 + given["columns"]))
    nodes.append(_kernel_node(given, inputs, 0, roots))
    nodes += [Node("output", 0, 0, place=place) for place in range(len(roots))]
    return Plan(tuple(nodes), roots, tuple(map(_output, given["outputs"])))


def _kernel_node(given: Mapping[str, Any], inputs: tuple[int, ...], warmup: int, outputs: tuple[int, ...]) -> Node:
    return Node(
        "calculation",
        warmup,
        0,
        inputs,
        kernel=given["kernel"],
        parameters=tuple(map(float, given["params"])),
        outputs=outputs,
        lookback=given["lookback"],
        state=given["state"],
        scratch=given["scratch"],
    )


def _output(given: Mapping[str, Any]) -> Output:
    labels = {float(code): text for code, text in given.get("labels", {}).items()}
    return Output(given["name"], given["kind"], labels, tuple(given.get("names", ())))


def plan_of_expression(given: Mapping[str, Any]) -> Plan:
    """The plan of an expression from its JSON. Raises CandelaError for other markets and timeframes."""
    if given["markets"]:
        raise CandelaError(
            "candela_ta computes one market at a time: compute each over its own frame and combine the columns, or ask the "
            "service with candela_client"
        )
    if len(given["timelines"]) > 1:
        timeframe = given["timelines"][1]["timeframe"]
        raise CandelaError(
            f"candela_ta computes one timeframe at a time: resample the frame to {timeframe} and compute over it, or ask "
            "the service with candela_client"
        )
    nodes = [_node(node, at, given["nodes"]) for at, node in enumerate(given["nodes"])]
    outputs = [Output(each["name"], "flag" if each["type"] == "boolean" else "number", {}, ()) for each in given["outputs"]]
    return Plan(tuple(nodes), tuple(each["node"] for each in given["outputs"]), tuple(outputs))


def _node(given: Mapping[str, Any], at: int, nodes: Sequence[Mapping[str, Any]]) -> Node:
    kind, warmup = given["kind"], given["warmup"]
    if kind == "calculation":
        own = {node["column"]: k for k, node in enumerate(nodes) if node.get("calculation") == at}
        outputs = tuple(own.get(column, -1) for column in range(given["columns"]))
        return _kernel_node(given, tuple(given["inputs"]), warmup, outputs)
    is_output = kind == "output"
    return Node(
        kind,
        warmup,
        given["history"],
        tuple(given.get("inputs", (given["input"],) if "input" in given else ())),
        column="" if is_output else given.get("column", ""),
        place=given["column"] if is_output else 0,
        value=float(given.get("value", 0)),
        operation=given.get("operation", ""),
        candles=given.get("candles", 0),
        by=given.get("by"),
    )


def compute_plan(kernels: Kernels, plan: Plan, columns: Sequence[Numbers], count: int) -> list[Numbers]:
    """The results of a plan over whole columns of `count` numbers, in the order of `plan.columns`."""
    if plan.kernel is not None:
        call = whole_call(kernels, plan, plan.kernel, count)
        call.compute(columns)
        return list(call.outputs.copy())
    progress = Progress(plan)
    results = [np.empty(count) for _ in plan.roots]
    for frm in range(0, count, BLOCK):
        to = min(frm + BLOCK, count)
        block = progress.run(kernels, [each[frm:to] for each in columns], to - frm)
        for result, values in zip(results, block, strict=True):
            result[frm:to] = values
    return results


# ── One kernel ──


def whole_call(kernels: Kernels, plan: Plan, node: Node, count: int) -> WholeCall:
    """The call of the only kernel of a plan for whole columns, which a thread keeps."""
    found = kernels.calls.get((plan, count))
    if found is None:
        found = kernels.calls[plan, count] = WholeCall(kernels, plan, node, count)
    return found


class WholeCall:
    """The only kernel of a plan over whole columns of `count` numbers, with its places in the memory of a thread."""

    def __init__(self, kernels: Kernels, plan: Plan, node: Node, count: int) -> None:
        self._kernels, self._node, self._shape = kernels, node, (count,)
        stride, scratch_stride = column_length(count + 1), column_length(scratch_length(count, node.lookback))
        inputs = kernels.free
        # The first value of each output is at the beginning of a cache line.
        outputs = inputs + len(plan.columns) * stride + (-node.lookback & 7)
        scratch = (outputs + len(node.outputs) * stride + 7) // 8 * 8
        state = scratch + node.scratch * scratch_stride
        numbers = kernels.reserve(state + node.state + 2)

        place = kernels.new_frame()
        frame = numbers[place : place + FRAME_NUMBERS]
        frame[...] = 0
        words = frame.view(np.uint32)
        columns = [at for at, each in enumerate(plan.nodes) if each.kind == "column"]
        for part, first, length, places in (
            (INPUTS, inputs, stride, [columns.index(each) for each in node.inputs]),
            (OUTPUTS, outputs, stride, range(len(node.outputs))),
            (SCRATCH, scratch, scratch_stride, range(node.scratch)),
        ):
            for at, each in enumerate(places):
                words[part + at] = (first + each * length) * 8
        words[STATE] = state * 8
        frame[PARAMETERS : PARAMETERS + len(node.parameters)] = node.parameters
        self._place, self._addresses = place, words[:SCRATCH]

        def view(at: int) -> Numbers:
            return numbers[at : at + count]

        self._inputs = tuple((at, view(inputs + at * stride)) for at in range(len(columns)))
        places = [plan.nodes[root].place for root in plan.roots]
        rows = numbers[outputs : outputs + len(node.outputs) * stride].reshape(-1, stride)[:, :count]
        # An indicator has all columns of its kernel as results, an expression one.
        assert places == list(range(places[0], places[-1] + 1))
        #: The results in rows, until the next calculation.
        self.outputs = rows[places[0] : places[-1] + 1]
        warmups = [plan.nodes[root].warmup for root in plan.roots]
        self._warmups = [output[:warmup] for output, warmup in zip(self.outputs, warmups, strict=True) if warmup]
        self._arguments, self._result = kernels.whole_call(node.kernel, place, len(node.inputs), count)

    def compute(self, columns: Sequence[Any]) -> bool:
        """Computes the outputs; False if a column is no array of as many floats."""
        kernels, shape = self._kernels, self._shape
        for at, place in self._inputs:
            column = columns[at]
            if type(column) is not ndarray or column.dtype is not FLOAT or column.shape != shape:
                return False
            place[...] = column
        if CALL(*self._arguments) or kernels.trap:
            kernels.fail(self._node.kernel)
        if not self._result.value:
            self._compute_parts()
        for warmup in self._warmups:
            warmup[...] = np.nan
        return True

    def _compute_parts(self) -> None:
        """Restarts the kernel for each part of the candles in which all inputs have values."""
        self.outputs[...] = np.nan
        addresses = self._addresses.copy()
        for start, end in _parts(np.isfinite([place for _, place in self._inputs]).all(axis=0)):
            # Unused addresses are moved as well.
            self._addresses[...] = addresses + np.uint32(start * 8)
            self._kernels.call(self._node.kernel, self._place * 8, 0, end - start)
        self._addresses[...] = addresses


def _parts(is_known: Any) -> list[tuple[int, int]]:
    """The runs of True, each with its start and its end."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], is_known, [False])).astype(np.int8)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


# ── Plans that continue ──


class _Layout:
    """The places of the columns of a plan for a number of candles, counted from the first free number."""

    def __init__(self, plan: Plan, count: int) -> None:
        self.length = 0
        nodes = plan.nodes
        #: The value of each node at the first candle. Earlier values are before it.
        self.values = [-1 if node.kernel else self._column(node.history, count) for node in nodes]
        #: The outputs and the state of each kernel.
        self.outputs = [
            [self.values[each] if each >= 0 else self._column(0, count) for each in node.outputs] for node in nodes
        ]
        self.states = [self._take(node.state + 1) if node.kernel else -1 for node in nodes]

    def _column(self, history: int, count: int) -> int:
        return self._take(history + count + _SPARE) + history

    def _take(self, count: int) -> int:
        self.length += count + count % 2
        return self.length - count - count % 2


class Progress:
    """A plan after some candles: the values and states with which it continues."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        #: Number of candles so far.
        self.count = 0
        #: The newest values that other nodes read, or the state of a kernel, per node.
        self.kept = [np.full(node.state if node.kernel else node.history, np.nan) for node in plan.nodes]
        #: The candle since which all inputs of a kernel have values, or -1, per node.
        self.starts = [-1] * len(plan.nodes)
        self._layouts: dict[int, _Layout] = {}

    def run(self, kernels: Kernels, columns: Sequence[Any], count: int, keeps: bool = True) -> list[Numbers]:
        """The results for the next `count` candles. Without `keeps` the candles may follow again with other values."""
        run = _Run(kernels, self, count)
        results = run.compute(iter(columns))
        if keeps:
            run.keep()
        return results

    def layout(self, count: int) -> _Layout:
        found = self._layouts.get(count)
        if found is None:
            found = self._layouts[count] = _Layout(self.plan, count)
        return found


class _Run:
    """The computation of the candles [frm, to) of a plan."""

    def __init__(self, kernels: Kernels, progress: Progress, count: int) -> None:
        self.kernels = kernels
        self.progress = progress
        self.layout = progress.layout(count)
        self.count = count
        self.frm = progress.count
        self.to = self.frm + count
        self.starts = list(progress.starts)
        self.numbers = kernels.reserve(kernels.free + self.layout.length)

    def at(self, node: int) -> int:
        """The place of the value of a node at the first candle."""
        return self.kernels.free + self.layout.values[node]

    def values(self, node: int, back: int = 0) -> Numbers:
        """The values of a node at the candles, or as many candles ago."""
        at = self.at(node) - back
        return self.numbers[at : at + self.count]

    def compute(self, columns: Any) -> list[Numbers]:
        for k, node in enumerate(self.progress.plan.nodes):
            if node.kernel:
                self.calculate(k, node)
                continue
            if node.history:
                at = self.at(k)
                self.numbers[at - node.history : at] = self.progress.kept[k]
            if node.kind == "column":
                self.values(k)[:] = next(columns)
            elif node.kind == "constant":
                at = self.at(k)
                self.numbers[at - node.history : at + self.count] = node.value
            elif node.kind == "pointwise":
                self.kernels.pointwise(node.operation, self.at(k), [self.at(each) for each in node.inputs], self.count)
            elif node.kind == "history":
                self.look_back(k, node)
            elif node.kind == "held":
                self.hold(k, node)
            if self.frm < node.warmup:
                self.values(k)[: node.warmup - self.frm] = np.nan
        return [self.values(root).copy() for root in self.progress.plan.roots]

    def look_back(self, k: int, node: Node) -> None:
        (source,) = node.inputs
        if node.by is None:
            self.values(k)[:] = self.values(source, node.candles)
            return
        by = self.values(node.by)
        index = np.arange(self.count)
        most = np.minimum(node.candles, index + self.frm)
        with np.errstate(invalid="ignore"):
            is_known = (by >= 0) & (by <= most) & (by == np.floor(by))
        places = self.at(source) + index - np.where(is_known, by, 0).astype(np.int64)
        self.values(k)[:] = np.where(is_known, self.numbers[places], np.nan)

    def hold(self, k: int, node: Node) -> None:
        condition, value = (self.values(each) for each in node.inputs)
        before = self.numbers[self.at(k) - 1]
        newest = np.maximum.accumulate(np.where(condition == 1, np.arange(self.count), -1))
        self.values(k)[:] = np.where(newest >= 0, value[newest], before)

    def calculate(self, k: int, node: Node) -> None:
        """Runs a kernel. Restarts after candles without a value of an input, which have no result."""
        at = self.kernels.free + self.layout.states[k]
        self.numbers[at : at + node.state] = self.progress.kept[k]
        if all(self.kernels.count_finite(self.at(each), self.count) == self.count for each in node.inputs):
            if self.starts[k] < 0:
                self.starts[k] = self.frm
            self.run_kernel(k, node, self.frm, self.to)
            return
        is_known = np.all(np.isfinite([self.values(each) for each in node.inputs]), axis=0)
        for output in self.layout.outputs[k]:
            self.numbers[self.kernels.free + output :][: self.count][~is_known] = np.nan
        if not is_known[0]:
            self.starts[k] = -1
        for first, end in _parts(is_known):
            if first > 0 or self.starts[k] < 0:
                self.starts[k] = self.frm + first
            self.run_kernel(k, node, self.frm + first, self.frm + end)
            if end < self.count:
                self.starts[k] = -1

    def run_kernel(self, k: int, node: Node, frm: int, to: int) -> None:
        """Runs a kernel for the candles [frm, to), with addresses that count from the first candle of its inputs."""
        kernels, start = self.kernels, self.starts[k]
        scratch_at = kernels.free + self.layout.length
        each_scratch = scratch_length(to - start, node.lookback)
        self.numbers = kernels.reserve(scratch_at + node.scratch * each_scratch)
        before = self.frm - start
        words, frame = kernels.words, kernels.frame * 2
        # The first candle may lie before the memory. Addresses wrap, and kernels read only the candles in memory.
        for at, each in enumerate(node.inputs):
            words[frame + INPUTS + at] = (self.at(each) - before) * 8 % _ADDRESSES
        for at, output in enumerate(self.layout.outputs[k]):
            words[frame + OUTPUTS + at] = (kernels.free + output - before) * 8 % _ADDRESSES
        for at in range(node.scratch):
            words[frame + SCRATCH + at] = (scratch_at + at * each_scratch) * 8
        words[frame + STATE] = (kernels.free + self.layout.states[k]) * 8
        at = kernels.frame + PARAMETERS
        self.numbers[at : at + len(node.parameters)] = node.parameters
        kernels.run(node.kernel, frm - start, to - start)

    def keep(self) -> None:
        """Keeps the newest values and the states for the next candles."""
        progress = self.progress
        progress.count, progress.starts = self.to, self.starts
        for k, node in enumerate(progress.plan.nodes):
            if node.kernel:
                at = self.kernels.free + self.layout.states[k]
                progress.kept[k] = self.numbers[at : at + node.state].copy()
            elif node.history:
                end = self.at(k) + self.count
                progress.kept[k] = self.numbers[end - node.history : end].copy()
