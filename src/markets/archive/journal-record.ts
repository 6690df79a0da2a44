import type { Candle } from '../../candles/candle.js'
import { columnNames } from '../../candles/columns.js'
import { candleBytes } from './chunk-codec.js'

/** Closed candles of one series, as they are written to the journal. */
export interface JournalRecord {
  /** At most 65,535 bytes of UTF-8. */
  readonly key: string
  readonly candles: readonly Candle[]
}

/**
 * A record of the journal, little-endian:
 *
 *   ├─ bytes of the key u16 ─┼─ key ─┼─ timestamp f64 ─┼─ open … volume, five f64 ─┼─ timestamp f64 ─┤ …
 */
export function encodeRecord({ key, candles }: JournalRecord): Uint8Array {
  const name = Buffer.from(key)
  const bytes = Buffer.alloc(2 + name.byteLength + candles.length * candleBytes)
  bytes.writeUInt16LE(name.byteLength)
  bytes.set(name, 2)
  let at = 2 + name.byteLength
  for (const candle of candles) for (const column of columnNames) at = bytes.writeDoubleLE(candle[column], at)
  return bytes
}

export function decodeRecord(record: Uint8Array): JournalRecord {
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength)
  const begin = 2 + bytes.readUInt16LE()
  const count = (bytes.byteLength - begin) / candleBytes
  const candles = Array.from({ length: count }, (_, i) => {
    const value = (column: number) => bytes.readDoubleLE(begin + i * candleBytes + column * 8)
    return {
      timestamp: value(0),
      open: value(1),
      high: value(2),
      low: value(3),
      close: value(4),
      volume: value(5),
    }
  })
  return { key: bytes.toString('utf8', 2, begin), candles }
}
