import { isLonger } from '../numbers/tie'
import { Candles } from './candle-shape'

// Conditions that several patterns share, evaluated at the last candle of each.

/** Three white candles that close higher and higher. */
export function advances(candles: Candles, i: i32): bool {
  return (
    candles.isWhite(i - 2) &&
    candles.isWhite(i - 1) &&
    candles.isWhite(i) &&
    candles.close(i - 1) > candles.close(i - 2) &&
    candles.close(i) > candles.close(i - 1)
  )
}

/** Three black candles that close lower and lower, with very short lower shadows. */
export function collapses(candles: Candles, i: i32): bool {
  return (
    candles.isBlack(i - 2) &&
    candles.isBlack(i - 1) &&
    candles.isBlack(i) &&
    candles.close(i - 1) < candles.close(i - 2) &&
    candles.close(i) < candles.close(i - 1) &&
    candles.hasShavenBottom(i - 2) &&
    candles.hasShavenBottom(i - 1) &&
    candles.hasShavenBottom(i)
  )
}

/** A long black candle, and a white one that opens below its low. */
export function recovers(candles: Candles, i: i32): bool {
  return (
    candles.isBlack(i - 1) &&
    candles.isWhite(i) &&
    candles.open(i) < candles.low(i - 1) &&
    candles.isLong(i - 1)
  )
}

/** Two long candles without shadows, of different colours, with a gap between them against the direction of the first. */
export function kicks(candles: Candles, i: i32): bool {
  const turns = candles.isBlack(i - 1)
    ? candles.isWhite(i) && candles.gapsUp(i - 1, i)
    : candles.isBlack(i) && candles.gapsDown(i - 1, i)
  return turns && candles.isMarubozu(i - 1) && candles.isMarubozu(i)
}

/** A small body over a long lower shadow, with a very short upper one. */
export function isHammer(candles: Candles, i: i32): bool {
  return (
    isLonger(candles.lowerShadow(i), candles.longShadow(i)) && candles.isSmall(i) && candles.hasShavenHead(i)
  )
}

/** A small body under a long upper shadow, with a very short lower one. */
export function isInvertedHammer(candles: Candles, i: i32): bool {
  return (
    isLonger(candles.upperShadow(i), candles.longShadow(i)) &&
    candles.isSmall(i) &&
    candles.hasShavenBottom(i)
  )
}
