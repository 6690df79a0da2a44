import { Frame } from '../../frame'

/**
 * Wilder's swing index of candle `i ≥ 1`. Inputs: open, high, low, close. Parameters: the limit move, and whether it is in
 * per cent of the close before.
 */
export function swingIndex(frame: Frame, i: i32): f64 {
  const open = frame.input(0)[i]
  const close = frame.input(3)[i]
  const openBefore = frame.input(0)[i - 1]
  const before = frame.input(3)[i - 1]
  const up = abs(frame.input(1)[i] - before)
  const down = abs(frame.input(2)[i] - before)
  const range = frame.input(1)[i] - frame.input(2)[i]
  const body = abs(before - openBefore)
  let unit = range + body / 4
  if (up >= down && up >= range) unit = up - down / 2 + body / 4
  else if (down >= range) unit = down - up / 2 + body / 4
  const move = close - before + (close - open) / 2 + (before - openBefore) / 4
  const limit = frame.integer(1) === 1 ? (frame.number(0) * abs(before)) / 100 : frame.number(0)
  return unit !== 0 && limit > 0 ? (((50 * move) / unit) * max(up, down)) / limit : 0
}
