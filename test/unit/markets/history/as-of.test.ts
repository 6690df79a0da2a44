import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../bench/random.js'
import type { Candle } from '../../../../src/candles/candle.js'
import { Columns, type Snapshot } from '../../../../src/candles/columns.js'
import { isRefusal } from '../../../../src/contract/refusals.js'
import { type Journal, noJournal } from '../../../../src/contract/storage/stores.js'
import { Archive } from '../../../../src/markets/archive/archive.js'
import type { Source } from '../../../../src/markets/exchanges/source.js'
import { blocksAsOf, snapshotAsOf } from '../../../../src/markets/history/as-of.js'
import { History } from '../../../../src/markets/history/history.js'
import { memoryKeyValues } from '../../../support/memory-key-values.js'

const market = { exchange: 'x', symbol: 'BTCUSDT', timeframe: '1m' } as const
const start = 100_000 * 60

/** The closed candles of a snapshot, bit for bit. */
function closedOf({ columns, closed }: Snapshot): string {
  const candles = Array.from({ length: closed }, (_, at) => columns.read(at))
  return JSON.stringify(candles)
}

describe('candles as they were known', () => {
  it.each([noJournal, undefined])(
    'are those that a run has seen, whatever was corrected since',
    async journal => {
      const random = createRandom(3)
      let now = start
      /** Volumes that the exchange has corrected, per minute. */
      const volumes = new Map<number, number>()
      const candle = (minute: number): Candle => ({
        timestamp: minute * 60,
        ...{ open: minute, high: minute + 1, low: minute - 1, close: minute },
        volume: volumes.get(minute) ?? Math.min(60, now - minute * 60),
      })
      const shown = (from: number) => {
        const last = Math.floor(now / 60)
        return Array.from({ length: last - from + 1 }, (_, k) => candle(from + k))
      }
      const source: Source = {
        symbols: () => [],
        candles: async (_symbol: string, _timeframe: string, count: number) =>
          shown(Math.floor(now / 60) - count + 1),
      } as unknown as Source
      const archive = new Archive(memoryKeyValues().keyValues, {
        depth: 1000,
        correctionsDays: 1,
        clock: () => now,
        ...(journal && { journal: journal as Journal }),
      })
      const history = new History({ depth: 500, bytes: 1e9, refreshSeconds: 5, clock: () => now, archive })
      const series = await history.pin(market, source)
      const seen: { time: number; text: string }[] = []
      for (let step = 0; step < 300; step++) {
        now += 20
        const newest = Math.floor(now / 60)
        if (step % 7 === 3) volumes.set(newest - 1 - Math.floor(random() * 20), 100 + step)
        const from = newest - (step % 11 === 5 ? 20 : 0)
        const snapshot = series.merge(shown(from), newest * 60)
        seen.push({ time: now, text: closedOf(snapshot) })
        if (step % 4 === 0) archive.flush()
      }
      archive.flush()
      const current = series.snapshot()
      const currentText = closedOf(current)
      let corrected = 0
      for (const { time, text } of seen) {
        const known = history.asOf(market, current, time, false)
        if (isRefusal(known)) expect.fail(known.error)
        expect(closedOf(known), `${time - start}`).toBe(text)
        const key = 'x:BTCUSDT:1m'
        const blocks = blocksAsOf(archive.blocks(key), '1m', time, archive.asOf(key, time))
        if (isRefusal(blocks)) expect.fail(blocks.error)
        const stored = [...blocks].flatMap(({ columns, to }) =>
          Array.from({ length: to }, (_, at) => columns.read(at)),
        )
        expect(JSON.stringify(stored)).toBe(text)
        if (!currentText.startsWith(text.slice(0, -1))) corrected++
      }
      expect(corrected, 'later corrections have changed what was seen').toBeGreaterThan(100)
      const before = history.asOf(market, current, start - 60, false)
      expect(before).toMatchObject({ status: 400, error: expect.stringContaining('1970-03-11 10:40:00') })
      series.release()
    },
  )

  it('are the closed ones of a month by its own end, and are not known without corrections', () => {
    const columns = new Columns(3)
    const months = [0, 31, 59].map(days => days * 86_400)
    for (const [at, timestamp] of months.entries())
      columns.write(at, { timestamp, open: 1, high: 1, low: 1, close: 1, volume: at })
    const snapshot = { columns, closed: 3, count: 3, forming: undefined }
    const countAt = (time: number) => {
      const known = snapshotAsOf(snapshot, '1M', time, new Map())
      return isRefusal(known) ? known : known.count
    }
    expect([59, 58.9, 31, 30.9, 90].map(days => countAt(days * 86_400))).toEqual([2, 1, 1, 0, 3])
    expect(snapshotAsOf(snapshot, '1M', 0, Number.POSITIVE_INFINITY)).toMatchObject({
      error: expect.stringContaining('CORRECTIONS_DAYS'),
    })
    expect(snapshotAsOf(snapshot, '1M', 0, 60)).toMatchObject({
      error: expect.stringContaining('since 1970-01-01 00:01:00'),
    })
  })
})
