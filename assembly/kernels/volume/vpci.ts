import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Volume Price Confirmation Indicator: (V − M)·r·q. V and M are the volume-weighted and the plain mean of the close
 * over `longPeriod` candles, r is the ratio of these means over `shortPeriod`, q the ratio of the short to the long
 * mean volume. `signal` is the volume-weighted mean of the value.
 * No value where nothing was traded.
 * Source: Dormeier, Volume Price Confirmation (2007); jesse vpci.
 */
export function vpci(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const value = frame.output(0)
  const signal = frame.output(1)
  const short = frame.integer(0)
  const long = frame.integer(1)
  const suffixes = frame.scratch(6)
  const first = warmup(value, from, to, long - 1)
  const signalFrom = warmup(signal, from, to, long + short - 2)
  if (first >= to) return
  // The signal reads values before the first one of this call.
  const start = max(long - 1, from - short + 1)
  const oldest = start - long + 1
  const turnovers = frame.scratch(0).from(-oldest)
  const values = frame.scratch(1).from(-oldest)
  const volumes = frame.scratch(2).from(-oldest)
  const prices = frame.scratch(3).from(-oldest)
  const shortVolumes = frame.scratch(4).from(-oldest)
  const sums = frame.scratch(5).from(-oldest)
  for (let i = oldest; i < to; i++) turnovers[i] = close[i] * volume[i]
  movingSum(turnovers, 0, values, start, to, long, suffixes)
  movingSum(volume, 0, volumes, start, to, long, suffixes)
  movingSum(close, 0, prices, start, to, long, suffixes)
  movingSum(volume, 0, shortVolumes, start, to, short, suffixes)
  movingSum(turnovers, 0, sums, start, to, short, suffixes)
  for (let i = start; i < to; i++) values[i] = values[i] / volumes[i] - prices[i] / <f64>long
  movingSum(close, 0, prices, start, to, short, suffixes)
  for (let i = start; i < to; i++) {
    const ratio = sums[i] / shortVolumes[i] / (prices[i] / <f64>short)
    const share = shortVolumes[i] / <f64>short / (volumes[i] / <f64>long)
    const isKnown = volumes[i] !== 0 && shortVolumes[i] !== 0 && prices[i] !== 0
    values[i] = isKnown ? values[i] * ratio * share : NaN
    turnovers[i] = values[i] * volume[i]
  }
  for (let i = first; i < to; i++) value[i] = values[i]
  movingSum(turnovers, long - 1, signal, signalFrom, to, short, suffixes)
  for (let i = signalFrom; i < to; i++) signal[i] = shortVolumes[i] !== 0 ? signal[i] / shortVolumes[i] : NaN
}
