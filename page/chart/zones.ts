import { type Candle, indexAt, type StudyRow } from '../model/rows.js'
import type { Side } from './shape.js'

/** A span of candles in which two prices were a zone. */
export interface Zone {
  readonly from: number
  readonly to: number
  readonly top: number
  readonly bottom: number
  readonly side: Side
  /** Whether the newest candle still has it. */
  readonly isActive: boolean
}

interface Places {
  readonly top: number
  readonly bottom: number
  /** The side of a row, or 0. */
  readonly sideAt?: (row: StudyRow) => Side
}

/**
 * The boxes of an indicator that prints the top and the bottom of the newest valid zone at each candle. A zone that is
 * printed again, after a newer one has ended, is the same box.
 */
export function zonesOf(rows: readonly StudyRow[], { top, bottom, sideAt }: Places): Zone[] {
  const zones = new Map<string, Zone>()
  let side: Side = 0
  let newest: string | undefined
  for (const row of rows) {
    side = sideAt?.(row) || side
    const [high, low] = [row.values[top], row.values[bottom]]
    newest = undefined
    if (typeof high !== 'number' || typeof low !== 'number') continue
    newest = `${high}/${low}`
    const known = zones.get(newest)
    const { timestamp } = row
    const from = known?.from ?? timestamp
    zones.set(newest, {
      from,
      to: timestamp,
      top: high,
      bottom: low,
      side: known?.side ?? side,
      isActive: false,
    })
  }
  return [...zones].map(([key, zone]) => (key === newest ? { ...zone, isActive: true } : zone))
}

/** Starts each zone at the last earlier candle with its high and low, if there is one. */
export function fromTheirCandles(zones: readonly Zone[], candles: readonly Candle[]): Zone[] {
  return zones.map(zone => {
    const at = indexAt(candles, zone.from)
    const origin = candles.findLast(({ high, low }, k) => k <= at && high === zone.top && low === zone.bottom)
    return origin ? { ...zone, from: origin.timestamp } : zone
  })
}
