import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean, movingSum } from '../../parts/windows/sums'

/**
 * Time Segmented Volume: the sum over `period` candles of the volume times the change of the close; `signal` is its
 * mean.
 * Source: Worden; ta4j TimeSegmentedVolumeIndicator.
 */
export function tsv(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const value = frame.output(0)
  const signal = frame.output(1)
  const period = frame.integer(0)
  const tail = frame.integer(1) - 1
  const first = warmup(value, from, to, period)
  const signalFrom = warmup(signal, from, to, period + tail)
  if (first >= to) return
  // The signal reads sums before the first one of this call.
  const sumsFrom = max(period, from - tail)
  const oldest = sumsFrom - period + 1
  const flows = frame.scratch(0).from(-oldest)
  const sums = frame.scratch(1).from(-sumsFrom)
  for (let i = oldest; i < to; i += 2) {
    flows.setPair(i, f64x2.mul(volume.pair(i), f64x2.sub(close.pair(i), close.pair(i - 1))))
  }
  movingSum(flows, 1, sums, sumsFrom, to, period, frame.scratch(2))
  for (let i = first; i < to; i++) value[i] = sums[i]
  movingMean(sums, period, signal, signalFrom, to, tail + 1, frame.scratch(2))
}
