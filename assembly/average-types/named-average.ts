import { Column, Frame } from '../frame'
import { kernels, lookbacks, states } from './named-kernels'

/** The number of the first average that is chosen by name: TA-Lib's have those below. */
const firstNumber = 9

/** Values that the average `type` needs before its first one, as its entry says. */
export function namedLookback(type: i32, period: i32): i32 {
  const lookback = unchecked(lookbacks[type - firstNumber])
  return <i32>lookback(<f64>period)
}

/** Size of the state of the average `type` in numbers, from its entry. */
export function namedState(type: i32, period: i32): i32 {
  const state = unchecked(states[type - firstNumber])
  return <i32>state(<f64>period)
}

/**
 * The moving average of the kernel `type` over `period` values of `x`, which has values from `start` on, with the
 * defaults of its other parameters: the kernel is called as if candle `start` were the first one. Three scratch columns
 * of `frame` from `scratch` on are used. The kernel gets the same frame with other arguments; the caller's arguments
 * are restored.
 */
export function namedAverage(
  type: i32,
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  state: Column,
  frame: Frame,
  scratch: i32,
): void {
  for (let i = from, end = min(to, start); i < end; i++) out[i] = NaN
  if (to <= start) return
  const ownInput = frame.input(0)
  const ownOutput = frame.output(0)
  const ownState = frame.state
  const scratch0 = frame.scratch(0)
  const scratch1 = frame.scratch(1)
  const scratch2 = frame.scratch(2)
  const ownPeriod = frame.number(0)
  const ownSecond = frame.number(1)
  const ownThird = frame.number(2)

  frame.setInput(0, x.from(start))
  frame.setOutput(0, out.from(start))
  frame.setState(state)
  // In ascending order, so that none is overwritten before it is read.
  for (let k = 0; k < 3; k++) frame.setScratch(k, frame.scratch(scratch + k))
  frame.setNumber(0, <f64>period)
  const kernel = unchecked(kernels[type - firstNumber])
  kernel(frame, max(from - start, 0), to - start)

  frame.setInput(0, ownInput)
  frame.setOutput(0, ownOutput)
  frame.setState(ownState)
  frame.setScratch(0, scratch0)
  frame.setScratch(1, scratch1)
  frame.setScratch(2, scratch2)
  frame.setNumber(0, ownPeriod)
  frame.setNumber(1, ownSecond)
  frame.setNumber(2, ownThird)
}
