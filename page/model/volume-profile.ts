import type { Candle } from './rows.js'

/** The volume of a range of prices. */
export interface ProfileRow {
  readonly low: number
  readonly high: number
  /** Volumes of rising and of falling candles. */
  readonly up: number
  readonly down: number
}

/** The traded volume of some candles by price. */
export interface VolumeProfile {
  /** Rows of equal height, the lowest prices first. */
  readonly rows: readonly ProfileRow[]
  /** The row with the largest volume: the point of control. */
  readonly control: number
  /** The first and the last row of the value area. */
  readonly area: readonly [first: number, last: number]
}

/** Number of rows, and the share of the volume in the value area: TradingView's defaults. */
const rowCount = 24
const areaShare = 0.7

const volumeOf = (row: ProfileRow | undefined) => (row ? row.up + row.down : -1)

/**
 * Distributes the volume of each candle evenly over its range; undefined without volume. The value area grows from the point
 * of control by the larger neighbour until it has 70 % of the volume.
 */
export function volumeProfile(candles: readonly Candle[]): VolumeProfile | undefined {
  const traded = candles.filter(({ volume }) => volume > 0)
  const low = Math.min(...traded.map(candle => candle.low))
  const high = Math.max(...traded.map(candle => candle.high))
  if (traded.length === 0) return undefined
  const height = (high - low) / rowCount || Math.abs(high) / 1e6 || 1
  const up = new Float64Array(rowCount)
  const down = new Float64Array(rowCount)
  const rowAt = (price: number) => Math.min(rowCount - 1, Math.max(0, Math.floor((price - low) / height)))
  for (const candle of traded) {
    const side = candle.close >= candle.open ? up : down
    const [first, last] = [rowAt(candle.low), rowAt(candle.high)]
    const range = candle.high - candle.low
    for (let row = first; row <= last; row++) {
      const [bottom, top] = [low + row * height, low + (row + 1) * height]
      const overlap = Math.min(candle.high, top) - Math.max(candle.low, bottom)
      side[row] = (side[row] as number) + candle.volume * (range > 0 ? Math.max(0, overlap) / range : 1)
    }
  }
  const rows = Array.from({ length: rowCount }, (_, row) => ({
    low: low + row * height,
    high: low + (row + 1) * height,
    up: up[row] as number,
    down: down[row] as number,
  }))
  const control = rows.reduce((best, row, at) => (volumeOf(row) > volumeOf(rows[best]) ? at : best), 0)
  return { rows, control, area: valueArea(rows, control) }
}

function valueArea(rows: readonly ProfileRow[], control: number): readonly [number, number] {
  const wanted = areaShare * rows.reduce((sum, row) => sum + volumeOf(row), 0)
  let [first, last, volume] = [control, control, volumeOf(rows[control])]
  while (volume < wanted && (first > 0 || last < rows.length - 1)) {
    const [below, above] = [volumeOf(rows[first - 1]), volumeOf(rows[last + 1])]
    if (above >= below) last++
    else first--
    volume += Math.max(above, below)
  }
  return [first, last]
}
