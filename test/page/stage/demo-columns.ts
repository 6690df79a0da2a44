import { createDemoSource } from '../../../src/markets/exchanges/demo/demo-source.js'
import { type PlainColumns, plainColumns } from '../../support/kernel.js'

/** Candles of the demo exchange that are always the same. */
export function demoColumns(count: number): PlainColumns {
  const candles = createDemoSource(() => Date.UTC(2026, 0, 5, 18) / 1000).candles('ETHUSDT', '1h', count)
  return plainColumns(name => candles.map(candle => candle[name]))
}
