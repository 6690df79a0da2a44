import { Column, Frame } from '../../frame'
import { isAbove } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Volume Profile: the volume of the last `period` candles in `rows` of equal height between their lowest and highest
 * price. The point of control is the middle of the row with the largest volume, the lowest one of several. The value
 * area begins with this row and grows by the row below or above with the larger volume, above if both are equal, until
 * it has `valueArea` percent of the volume.
 * The volume of a candle is distributed evenly over its range, because candles do not have the prices of their trades.
 * LEAN assigns all of it to the close. The handbook of CBOT grows the area by two prices at a time.
 * Source: J. Peter Steidlmayer, CBOT Market Profile (1984), with volumes instead of TPOs.
 */
export function volumeprofile(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const volume = frame.input(2)
  const poc = frame.output(0)
  const areaHigh = frame.output(1)
  const areaLow = frame.output(2)
  const period = frame.integer(0)
  const rows = frame.integer(1)
  const share = frame.number(2) / 100
  const profile = frame.state
  if (from === 0) for (let row = 0; row < rows; row++) profile[row] = 0

  warmup(poc, from, to, period - 1)
  warmup(areaHigh, from, to, period - 1)
  for (let i = warmup(areaLow, from, to, period - 1); i < to; i++) {
    const first = i - period + 1
    let bottom: f64 = Infinity
    let top: f64 = -Infinity
    for (let k = first; k <= i; k++) {
      if (volume[k] > 0) {
        bottom = min(bottom, low[k])
        top = max(top, high[k])
      }
    }
    // Without volume, and with numbers that are too large.
    const height = (top - bottom) / <f64>rows
    if (!(height >= 0 && height < Infinity)) {
      poc[i] = NaN
      areaHigh[i] = NaN
      areaLow[i] = NaN
      continue
    }
    for (let row = 0; row < rows; row++) profile[row] = 0
    for (let k = first; k <= i; k++) if (volume[k] > 0) distribute(frame, k, bottom, height)

    const control = largestRow(profile, rows)
    const area = valueArea(profile, rows, control, share)
    poc[i] = bottom + (<f64>control + 0.5) * height
    areaLow[i] = bottom + <f64>(area & 0xffff) * height
    areaHigh[i] = bottom + <f64>((area >> 16) + 1) * height
  }
}

/** Adds the volume of candle `k` to the rows of its range, by their shares of the range. */
function distribute(frame: Frame, k: i32, bottom: f64, height: f64): void {
  const high = frame.input(0)[k]
  const low = frame.input(1)[k]
  const volume = frame.input(2)[k]
  const rows = frame.integer(1)
  const profile = frame.state
  const first = rowOf(low - bottom, height, rows)
  const last = rowOf(high - bottom, height, rows)
  if (first >= last) {
    profile[first] += volume
    return
  }
  const range = high - low
  for (let row = first; row <= last; row++) {
    const lower = max(low, bottom + <f64>row * height)
    const upper = min(high, bottom + <f64>(row + 1) * height)
    profile[row] += volume * (max(0, upper - lower) / range)
  }
}

/** The row of a price, by its distance from the lowest price. */
function rowOf(distance: f64, height: f64, rows: i32): i32 {
  const row = height > 0 ? Math.floor(distance / height) : 0
  return <i32>min(<f64>(rows - 1), max(0, row))
}

function largestRow(profile: Column, rows: i32): i32 {
  let largest = 0
  for (let row = 1; row < rows; row++) if (isAbove(profile[row], profile[largest])) largest = row
  return largest
}

/** The first row of the value area in the low 16 bits, the last one above. */
function valueArea(profile: Column, rows: i32, control: i32, share: f64): i32 {
  let total: f64 = 0
  for (let row = 0; row < rows; row++) total += profile[row]
  let first = control
  let last = control
  let volume = profile[control]
  while (isAbove(share * total, volume) && (first > 0 || last < rows - 1)) {
    const below = first > 0 ? profile[first - 1] : -1
    const above = last < rows - 1 ? profile[last + 1] : -1
    if (isAbove(below, above)) {
      first--
      volume += below
    } else {
      last++
      volume += above
    }
  }
  return first | (last << 16)
}
