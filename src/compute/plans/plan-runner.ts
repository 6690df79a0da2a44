import { type ColumnName, columnNames } from '../../candles/columns.js'
import type { Entry } from '../../catalogue/index.js'
import {
  beginOf,
  hasStart,
  isGiven,
  operationCodes,
  type Plan,
  type PlanNode,
  type Timeline,
} from '../expressions/plan.js'
import type { OutputValues } from '../json/text-column.js'
import {
  alignAddress,
  encode,
  firstFreeAddress,
  frameAt,
  growMemory,
  runKernel,
  scratchLengthOf,
  type WasmModule,
} from '../wasm/module.js'
import {
  blockSize,
  type OtherInput,
  type PlanInputs,
  TimelineCandles,
  type WriteCandle,
} from './timeline-candles.js'

/**
 * Runs plans of expressions in its own instance of the kernels. A plan runs in blocks of candles, and each kernel keeps
 * its state. So any split of a history into calls has the same results, bit for bit. A kernel receives the address that
 * candle 0 of its inputs would have. The address may be before the memory: addresses wrap at 4 GiB, and a kernel reads
 * only candles in memory.
 */
export class PlanRunner {
  readonly #module: WasmModule
  readonly #mayLackValues: boolean
  readonly #frame: number
  /** Index of the first number of the plan's memory. */
  readonly #base: number
  #numbers = new Float64Array()
  #words = new Uint32Array()
  #loaded = new WeakMap<Plan, Loaded>()
  #current: Loaded | undefined
  /** Candle up to which each input of a calculation is known to have values. A kernel has up to 8 inputs. */
  readonly #definedUntil = new Int32Array(8)
  #inputs: PlanInputs | undefined
  /** Values per root of the candles since `resume`, valid until the next call. */
  outputs: OutputValues = { numbers: new Float64Array(), at: 0, stride: 0 }

  /** With `mayLackValues`, columns of candles may have NaN: an indicator restarts after such a candle. */
  constructor(module: WasmModule, mayLackValues = false) {
    this.#module = module
    this.#mayLackValues = mayLackValues
    this.#frame = firstFreeAddress(module)
    this.#base = alignAddress(this.#frame + frameAt.size) >> 3
  }

  /**
   * Continues a plan at candle `from` with its previous state; at candle 0 the state is not read. Reserves results for
   * `count` candles, so that the columns stay valid.
   */
  resume(plan: Plan, from: number, state?: Float64Array, count = 1): void {
    let loaded = this.#loaded.get(plan)
    if (!loaded) {
      loaded = load(plan)
      this.#loaded.set(plan, loaded)
    }
    this.#current = loaded
    this.#reserve((this.#base + loaded.layout.length) * 8)
    const stride = strideFor(count)
    const length = plan.roots.length * stride
    const { numbers } = this.outputs
    this.outputs = {
      numbers: numbers.length < length ? new Float64Array(length) : numbers,
      at: -from,
      stride,
    }
    if (from === 0 || !state) this.#reset(loaded)
    else this.#restore(loaded, state)
  }

  /** Computes the candles [from, to) after `resume`, or after the preceding candles. */
  run(inputs: PlanInputs, from: number, to: number): void {
    this.#inputs = inputs
    const loaded = this.#current as Loaded
    this.#growOutputs(loaded.plan.roots.length, to)
    for (let start = from; start < to; )
      start = this.#runBlock(loaded, start, Math.min(start + blockSize, to))
  }

  /** Copies the state after the last computed candle. */
  save(target: Float64Array): void {
    const loaded = this.#current as Loaded
    const { plan, candles, starts } = loaded
    candles.save(target)
    this.#visitState(loaded, (k, place, at, length) => {
      if (hasStart(plan.nodes[k] as PlanNode)) target[place - 1] = starts[k] as number
      for (let j = 0; j < length; j++) target[place + j] = this.#numbers[at + j] as number
    })
  }

  /** The values of root `k` of the first `count` candles since `resume`, valid until the next call. */
  column(k: number, count: number): Float64Array {
    const { numbers, stride } = this.outputs
    return numbers.subarray(k * stride, k * stride + count)
  }

  /** First candle at which all parts of root `k` have left their warm-up, after a run; Infinity if not yet reached. */
  beginOf(k: number): number {
    const { plan, begins } = this.#current as Loaded
    const root = plan.roots[k] as number
    return (plan.timelines.length > 1 ? begins[root] : plan.nodes[root]?.warmup) as number
  }

  #reset({ candles, starts }: Loaded): void {
    candles.reset()
    starts.fill(-1)
  }

  #restore(loaded: Loaded, source: Float64Array): void {
    const { plan, candles, starts } = loaded
    candles.restore(source)
    this.#visitState(loaded, (k, place, at, length) => {
      if (hasStart(plan.nodes[k] as PlanNode)) starts[k] = source[place - 1] as number
      for (let j = 0; j < length; j++) this.#numbers[at + j] = source[place + j] as number
    })
  }

  /**
   * Visits the nodes with a state, with the place of their numbers in the saved state and in memory, and their count.
   * In the saved state the start of a node, if any, is the number before `place`.
   */
  #visitState(
    { plan, layout }: Loaded,
    visit: (k: number, place: number, at: number, length: number) => void,
  ): void {
    for (let k = 0; k < plan.nodes.length; k++) {
      const place = plan.state.places[k] as number
      if (place < 0) continue
      const calculation = layout.calculations[k]
      if (calculation) visit(k, place, this.#base + calculation.state, calculation.stateLength)
      else visit(k, place, this.#base + (layout.columns[k] as number), plan.state.histories[k] as number)
    }
  }

  /** Computes a block of the candles [start, most). Returns the candle before which the block ends. */
  #runBlock(loaded: Loaded, start: number, most: number): number {
    const { plan, layout, candles } = loaded
    const write: WriteCandle = (timeline, k, i, value) => {
      const node = (layout.candles[timeline] as readonly number[])[k] as number
      if (node >= 0) this.#numbers[this.#candleAt(loaded, node, i)] = value
    }
    candles.fill(this.#inputs as PlanInputs, start, most, write)
    const [from, to] = [candles.from[0] as number, candles.to[0] as number]
    for (let k = 0; k < plan.nodes.length; k++) {
      const node = plan.nodes[k] as PlanNode
      const first = candles.from[node.timeline] as number
      const end = candles.to[node.timeline] as number
      // A given node is computed even without new candles in its timeline, because other nodes look back at it.
      if (first >= end && !isGiven(node, plan.timelines)) continue
      this.#compute(loaded, k, first, end)
      this.#hideWarmup(loaded, k, first, end)
    }
    const { numbers, at: outputsAt, stride } = this.outputs
    for (const [k, root] of plan.roots.entries()) {
      const at = this.#candleAt(loaded, root, from)
      numbers.set(this.#numbers.subarray(at, at + to - from), outputsAt + k * stride + from)
    }
    // Keep the newest values as the history of the next block.
    for (let k = 0; k < plan.nodes.length; k++) {
      const history = plan.state.histories[k] as number
      const node = plan.nodes[k] as PlanNode
      if (history === 0 || isGiven(node, plan.timelines)) continue
      const count = (candles.to[node.timeline] as number) - (candles.from[node.timeline] as number)
      const at = this.#base + (layout.columns[k] as number)
      if (count > 0) this.#numbers.copyWithin(at, at + count, at + count + history)
    }
    return to
  }

  /** Clears the values of a node among the candles [from, to) before all its parts have left their warm-up. */
  #hideWarmup(loaded: Loaded, k: number, from: number, to: number): void {
    const node = loaded.plan.nodes[k] as PlanNode
    let begin = node.warmup
    if (loaded.plan.timelines.length > 1) {
      const start = loaded.starts[k] as number
      if (node.kind !== 'closed') begin = beginOf(node, loaded.begins)
      else begin = start < 0 ? Number.POSITIVE_INFINITY : start
      loaded.begins[k] = begin
    }
    if (from >= begin || node.kind === 'calculation') return
    const first = this.#candleAt(loaded, k, from)
    this.#numbers.fill(Number.NaN, first, first + Math.min(to, begin) - from)
  }

  /** Index of a node's value at candle `i` of its timeline. */
  #candleAt({ plan, layout, candles }: Loaded, k: number, i: number): number {
    const { timeline } = plan.nodes[k] as PlanNode
    return (
      this.#base +
      (layout.columns[k] as number) +
      (plan.state.histories[k] as number) +
      i -
      (candles.from[timeline] as number)
    )
  }

  /** Computes the values of a node for the candles [from, to) of its timeline. */
  #compute(loaded: Loaded, k: number, from: number, to: number): void {
    const numbers = this.#numbers
    const node = loaded.plan.nodes[k] as PlanNode
    switch (node.kind) {
      case 'column':
        this.#loadColumn(loaded, node.column, k, from, to)
        return
      case 'constant': {
        const first = this.#base + (loaded.layout.columns[k] as number)
        numbers.fill(node.value, first, this.#candleAt(loaded, k, to))
        return
      }
      case 'pointwise':
        this.#computePointwise(loaded, k, node, from, to)
        return
      case 'history': {
        const input = this.#candleAt(loaded, node.input, 0)
        const out = this.#candleAt(loaded, k, 0)
        const by = node.by === undefined ? undefined : this.#candleAt(loaded, node.by, 0)
        for (let i = from; i < to; i++) {
          const candles = by === undefined ? node.candles : (numbers[by + i] as number)
          const isKnown = candles >= 0 && candles <= Math.min(node.candles, i) && Number.isInteger(candles)
          numbers[out + i] = isKnown ? (numbers[input + i - candles] as number) : Number.NaN
        }
        return
      }
      case 'held':
        this.#hold(loaded, k, from, to)
        return
      case 'calculation':
        this.#calculate(loaded, k, from, to)
        return
      case 'closed': {
        const { timeline, warmup } = loaded.plan.nodes[node.input] as PlanNode
        const closedAt = loaded.candles.closedAt[timeline] as Int32Array
        const { market } = loaded.plan.timelines[timeline] as Timeline
        const input = this.#candleAt(loaded, node.input, 0)
        const out = this.#candleAt(loaded, k, from)
        for (let i = 0; i < to - from; i++) {
          const closed = closedAt[i] as number
          const isMissing = closed === 0 || (node.isStrict && !loaded.candles.isWithin(market as number, i))
          numbers[out + i] = isMissing ? Number.NaN : (numbers[input + closed - 1] as number)
          if ((loaded.starts[k] as number) < 0 && closed > warmup) loaded.starts[k] = from + i
        }
      }
    }
  }

  /** Computes a value that stays until its condition holds again, for the candles [from, to). */
  #hold(loaded: Loaded, k: number, from: number, to: number): void {
    const numbers = this.#numbers
    const { inputs } = loaded.plan.nodes[k] as Extract<PlanNode, { readonly kind: 'held' }>
    const [condition, value] = inputs.map(input => this.#candleAt(loaded, input, 0)) as [number, number]
    const out = this.#candleAt(loaded, k, 0)
    let held = from === 0 ? Number.NaN : (numbers[out + from - 1] as number)
    for (let i = from; i < to; i++) {
      if (numbers[condition + i] === 1) held = numbers[value + i] as number
      numbers[out + i] = held
    }
  }

  /**
   * Copies a column of a market's candles, with the earlier candles that other nodes look back at. Columns of longer
   * candles are already in memory.
   */
  #loadColumn(loaded: Loaded, name: ColumnName, k: number, from: number, to: number): void {
    const { plan } = loaded
    const { isMade, market } = plan.timelines[(plan.nodes[k] as PlanNode).timeline] as Timeline
    if (isMade) return
    const { snapshot, first: ownFirst, others } = this.#inputs as PlanInputs
    const other = market === undefined ? undefined : (others[market] as OtherInput)
    const { columns, closed, forming } = other ?? snapshot
    /** Index of the first candle in the columns. */
    const base = other ? (other.first ?? 0) : ownFirst
    const first = Math.max(0, from - (plan.state.histories[k] as number))
    const end = Math.min(to, closed)
    const at = this.#candleAt(loaded, k, first)
    if (first < end) this.#numbers.set(columns[name].subarray(first - base, end - base), at)
    if (end < to && forming) this.#numbers[at + closed - first] = forming[name]
  }

  /**
   * Runs the kernel of a calculation. A candle without a value in some input has no result, and the indicator restarts
   * at the next candle at which all inputs have one.
   */
  #calculate(loaded: Loaded, k: number, from: number, to: number): void {
    const calculation = loaded.layout.calculations[k] as PlacedCalculation
    if (calculation.isDense && !this.#mayLackValues) {
      this.#runKernel(loaded, k, 0, from, to)
      return
    }
    this.#definedUntil.fill(from)
    let start = loaded.starts[k] as number
    for (let i = from; i < to; ) {
      const end = this.#firstUndefined(loaded, calculation, i, to)
      if (end > i) {
        if (start < 0) start = i
        this.#runKernel(loaded, k, start, i, end)
        i = end
        continue
      }
      start = -1
      for (const [j, output] of calculation.outputs.entries()) {
        const history = calculation.outputHistories[j] as number
        this.#numbers[this.#base + output + history + i - from] = Number.NaN
      }
      i++
    }
    loaded.starts[k] = start
  }

  /**
   * First of the candles [from, to) at which an input of a calculation has no value; `to` if all have one. Each candle
   * of an input is checked once as `from` advances.
   */
  #firstUndefined(loaded: Loaded, { inputs }: PlacedCalculation, from: number, to: number): number {
    const until = this.#definedUntil
    let first = to
    for (let j = 0; j < inputs.length; j++) {
      if ((until[j] as number) <= from) {
        const at = this.#candleAt(loaded, inputs[j] as number, from)
        until[j] = from + this.#module.countFinite(at * 8, to - from)
      }
      first = Math.min(first, until[j] as number)
    }
    return first
  }

  /** Runs a kernel for the candles [from, to), with inputs that begin at candle `start`. */
  #runKernel(loaded: Loaded, k: number, start: number, from: number, to: number): void {
    const calculation = loaded.layout.calculations[k] as PlacedCalculation
    const { indicator, inputs, outputs, outputHistories, state, scratch, lookback, params } = calculation
    const scratchAt = (this.#base + loaded.layout.length) * 8
    const scratchBytes = scratchLengthOf(to - start, lookback) * 8
    this.#reserve(scratchAt + scratch * scratchBytes)
    const words = this.#words
    const frame = this.#frame >> 2
    for (let j = 0; j < inputs.length; j++)
      words[frame + (frameAt.inputs >> 2) + j] = this.#candleAt(loaded, inputs[j] as number, start) * 8
    const { timeline } = loaded.plan.nodes[k] as PlanNode
    const candles = start - (loaded.candles.from[timeline] as number)
    for (let j = 0; j < outputs.length; j++)
      words[frame + (frameAt.outputs >> 2) + j] =
        (this.#base + (outputs[j] as number) + (outputHistories[j] as number) + candles) * 8
    for (let j = 0; j < scratch; j++) words[frame + (frameAt.scratch >> 2) + j] = scratchAt + j * scratchBytes
    words[frame + (frameAt.state >> 2)] = (this.#base + state) * 8
    const at = (this.#frame + frameAt.params) >> 3
    for (let j = 0; j < params.length; j++) this.#numbers[at + j] = params[j] as number
    runKernel(this.#module, indicator, this.#frame, from - start, to - start)
  }

  /** Computes an operation for the candles [from, to). Also writes the number after the last value. */
  #computePointwise(
    loaded: Loaded,
    k: number,
    { operation, inputs }: Extract<PlanNode, { readonly kind: 'pointwise' }>,
    from: number,
    to: number,
  ): void {
    const at = (node: number | undefined) => (node === undefined ? 0 : this.#candleAt(loaded, node, from) * 8)
    const [a, b, c] = inputs
    this.#module.computePointwise(operationCodes[operation], at(k), at(a), at(b), at(c), to - from)
  }

  #reserve(bytes: number): void {
    const { memory } = this.#module
    if (this.#numbers.byteLength >= bytes) return
    growMemory(memory, bytes)
    this.#numbers = new Float64Array(memory.buffer)
    this.#words = new Uint32Array(memory.buffer)
  }

  /** Makes room for the values of the candles before `to`, and keeps existing values. */
  #growOutputs(roots: number, to: number): void {
    const { numbers, at, stride } = this.outputs
    if (at + to <= stride) return
    const grown = { numbers: new Float64Array(roots * strideFor(at + to)), at, stride: strideFor(at + to) }
    for (let k = 0; k < roots; k++)
      grown.numbers.set(numbers.subarray(k * stride, (k + 1) * stride), k * grown.stride)
    this.outputs = grown
  }
}

/** Distance between the values of two roots, in numbers. */
const strideFor = (count: number): number => Math.max(64, 2 ** Math.ceil(Math.log2(count)))

/** Spare numbers after a column: kernels may write there, and a block may have extra longer candles. */
const spare = 4

/** A calculation with its place in memory. Places are indices of numbers, relative to the plan's memory. */
interface PlacedCalculation {
  readonly indicator: Entry
  readonly lookback: number
  readonly scratch: number
  readonly params: readonly number[]
  /** Node per input. */
  readonly inputs: readonly number[]
  /** Place of the values per output column, and the number of earlier values before them. */
  readonly outputs: readonly number[]
  readonly outputHistories: readonly number[]
  readonly state: number
  readonly stateLength: number
  /** Whether all inputs are columns of candles or constants, which always have a value. */
  readonly isDense: boolean
}

/** Memory places of the values of a plan's nodes. */
interface PlanLayout {
  /** Column per node. It begins with the values that other nodes look back at; -1 for calculations. */
  readonly columns: readonly number[]
  /** Calculation per node; undefined for other kinds of nodes. */
  readonly calculations: readonly (PlacedCalculation | undefined)[]
  /** Node per timeline and candle column, or -1. */
  readonly candles: readonly (readonly number[])[]
  readonly length: number
}

function layOutPlan({ nodes, timelines, state: { histories } }: Plan): PlanLayout {
  let length = 0
  const take = (count: number) => {
    length += count + (count % 2)
    return length - count - (count % 2)
  }
  const takeColumn = (history: number) => take(history + blockSize + spare)
  const columns = nodes.map((node, k) =>
    node.kind === 'calculation' ? -1 : takeColumn(histories[k] as number),
  )
  const calculations = nodes.map((node, k) => {
    if (node.kind !== 'calculation') return undefined
    const { indicator, params, inputs } = node
    const outputs: number[] = []
    const outputHistories: number[] = []
    for (let column = 0; column < indicator.columns; column++) {
      const output = nodes.findIndex(
        each => each.kind === 'output' && each.calculation === k && each.column === column,
      )
      outputs.push(output < 0 ? takeColumn(0) : (columns[output] as number))
      outputHistories.push(output < 0 ? 0 : (histories[output] as number))
    }
    const stateLength = indicator.state(params)
    return {
      indicator,
      lookback: indicator.lookback(params),
      scratch: indicator.scratch,
      params: Object.keys(indicator.params).map(name => encode(indicator, name, params)),
      inputs,
      outputs,
      outputHistories,
      state: take(stateLength + 1),
      stateLength,
      isDense: inputs.every(input => isDense(nodes[input] as PlanNode)),
    }
  })
  const candles = timelines.map((_, timeline) =>
    columnNames.map((name: ColumnName) =>
      nodes.findIndex(node => node.kind === 'column' && node.timeline === timeline && node.column === name),
    ),
  )
  return { columns, calculations, candles, length }
}

const isDense = (node: PlanNode): boolean =>
  node.kind === 'column' || (node.kind === 'constant' && Number.isFinite(node.value))

/** A plan with its data during a run. */
interface Loaded {
  readonly plan: Plan
  readonly layout: PlanLayout
  readonly candles: TimelineCandles
  /**
   * Start candle per node; -1 without one. For a calculation: the candle since which all its inputs have values. For a
   * `closed` node: the candle at which enough longer candles have closed.
   */
  readonly starts: Int32Array
  /** Per node, the first candle at which all its parts have left their warm-up; Infinity if not yet known. */
  readonly begins: Float64Array
}

/** Lays out a plan to run from the first candle. */
function load(plan: Plan): Loaded {
  const { nodes } = plan
  return {
    plan,
    layout: layOutPlan(plan),
    candles: new TimelineCandles(plan),
    starts: new Int32Array(nodes.length).fill(-1),
    begins: new Float64Array(nodes.length),
  }
}
