import type { Inputs } from '../candles/columns.js'
import type { IndicatorSpec } from '../contract/query.js'
import { isRefusal, type Refusal } from '../contract/refusals.js'
import { candlesPerSlice, type Scheduler, sliceNs } from '../runtime/scheduler.js'
import { otherCandles } from './answer.js'
import { shapeOf } from './kernels/shape.js'
import type { LiveCalculation } from './results/live-calculation.js'
import type { PackedResults } from './results/result-series.js'
import type { Caller } from './task.js'

/** Estimated cost of a live step with its text, without the kernel, in nanoseconds. */
const stepNs = 1_000

/** Work that `advance` of a live calculation would do. */
interface LiveWork {
  /** Number of candles over which the kernel must run. */
  readonly candles: number
  /** Whether the kernel must run from the first candle on. */
  readonly isAnew: boolean
  /** Estimated maximum cost of a step, in nanoseconds. */
  readonly nsPerCandle: number
  /** Estimated maximum cost of the work, the forming candle included, in nanoseconds. */
  readonly ns: number
  /** Whether the work fits into one time slice. */
  readonly isShort: boolean
}

/** Estimates the work that `advance` of a live calculation would do. */
export function liveWork(live: Pick<LiveCalculation, 'spec' | 'candlesToRun'>, inputs: Inputs): LiveWork {
  const { spec } = live
  const candles = live.candlesToRun(inputs)
  // The forming candle alone is one step, whose duration the scheduler measures.
  if (candles === 0) return { candles, isAnew: false, nsPerCandle: stepNs, ns: stepNs, isShort: true }
  const kernelNs = shapeOf(spec).mostNsPerCandle
  const nsPerCandle = stepNs + kernelNs
  const isAnew = candles === inputs[0].closed
  // A run from the first candle writes only the newest values.
  const runNs = isAnew ? (candles + otherCandles(inputs)) * kernelNs : candles * nsPerCandle
  const ns = nsPerCandle + runNs
  return { candles, isAnew, nsPerCandle, ns, isShort: ns <= sliceNs }
}

/** Threads that run kernels over whole histories. */
export interface LiveThreads {
  build(spec: IndicatorSpec, inputs: Inputs, values: number, caller: Caller): Promise<PackedResults | Refusal>
}

/** Places where the work of live calculations runs. Without threads, all of it runs in time slices. */
interface LivePlaces {
  readonly scheduler: Scheduler
  readonly threads?: LiveThreads | undefined
}

/** A request to bring a live calculation to the current candles. */
interface CatchUp {
  readonly live: LiveCalculation
  /** Returns the current candles, or undefined to stop, because the calculation is no longer used. */
  readonly inputs: () => Inputs | undefined
  /** Called with the updates of closed candles, oldest first. */
  readonly visit: (updates: readonly string[]) => void
  readonly caller: Caller
}

/**
 * Does the work of a live calculation that does not fit into one time slice, and resolves in a time slice in which its
 * `advance` is short. A thread computes a long history from its start; time slices compute other missing candles. The
 * work restarts if the history gets other columns. Resolves with the refusal of a full queue. Rejects if the
 * computation throws, or if the caller leaves.
 */
export async function catchUp(
  { scheduler, threads }: LivePlaces,
  { live, inputs, visit, caller }: CatchUp,
): Promise<Refusal | undefined> {
  for (let now = inputs(); now; now = inputs()) {
    const { candles, isAnew, nsPerCandle, ns, isShort } = liveWork(live, now)
    if (isShort) {
      await scheduler.slice('topics', ns)
      return undefined
    }
    if (isAnew && threads) {
      const packed = await threads.build(live.spec, now, live.valuesToBuild(now), caller)
      if (isRefusal(packed)) return packed
      if (inputs()?.[0].columns === now[0].columns) live.adopt(now, packed)
      continue
    }
    const part = Math.min(candles, candlesPerSlice(nsPerCandle))
    await scheduler.slice('topics', part * nsPerCandle)
    caller.signal?.throwIfAborted()
    const later = inputs()
    if (later) visit(live.advancePart(later, part))
  }
  return undefined
}
