import { Frame } from '../../frame'

/**
 * Nick Rypock Trailing Reverse: a line `percent` percent below the highest value since the last turn. A fall to the
 * line is a turn: the line is then `percent` percent above the lowest value since, until a rise above it turns back.
 * `trend` is 1 or −1. Starts up, from the first value.
 * Source: Rypock, NRTR; OoplesFinance.StockIndicators NickRypockTrailingReverse, without its slip.
 */
export function nrtr(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const state = frame.state
  const share = frame.number(0) / 100
  let extreme = from === 0 ? x[0] : state[0]
  let isUp = from === 0 || state[1] > 0
  for (let i = from; i < to; i++) {
    const now = x[i]
    extreme = isUp ? max(extreme, now) : min(extreme, now)
    const isTurning = isUp ? now <= extreme * (1 - share) : now > extreme * (1 + share)
    if (isTurning) {
      isUp = !isUp
      extreme = now
    }
    frame.output(0)[i] = extreme * (isUp ? 1 - share : 1 + share)
    frame.output(1)[i] = isUp ? 1 : -1
  }
  state[0] = extreme
  state[1] = isUp ? 1 : -1
}
