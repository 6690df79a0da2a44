import { Frame } from '../../frame'
import { balanceVolume } from '../../parts/shared/balance-volume'

/**
 * On Balance Volume: the running sum of the volume, added when the close rose and subtracted when it fell.
 * Begins with the first candle's volume (others, such as TradingView's ta.obv, begin with 0; the difference is
 * constant).
 * Source: Granville, New Key to Stock Market Profits (1963); TA-Lib 0.6 OBV.
 */
export function obv(frame: Frame, from: i32, to: i32): void {
  balanceVolume(frame.input(0), frame.input(1), frame.output(0), from, to, frame.state)
}
