import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import { type Timeframe, timeframes } from '../../../../src/candles/timeframe.js'
import { createDemoSource } from '../../../../src/markets/exchanges/demo/demo-source.js'

/** A Thursday afternoon in 2025, in the middle of a candle of every timeframe. */
const noon = 1_750_250_077.25
let now = noon

/** Advances the clock by `seconds`: by `speed` seconds for each quarter of a second of the timers. */
async function pass(seconds: number, speed: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += speed) {
    now += speed
    await vi.advanceTimersByTimeAsync(250)
  }
}

/** Watches a market and stores the last state of every candle that was emitted. */
function watch(demo: ReturnType<typeof createDemoSource>, symbol: string, timeframe: Timeframe) {
  const ending = new AbortController()
  const emitted = new Map<number, Candle>()
  const watched = { emitted, events: 0, isEnded: false, end: () => ending.abort() }
  const stream = demo.watch(symbol, timeframe, ending.signal)
  void (async () => {
    for await (const candles of stream) {
      watched.events++
      for (const candle of candles) emitted.set(candle.timestamp, candle)
    }
    watched.isEnded = true
  })()
  return watched
}

beforeEach(() => {
  vi.useFakeTimers()
  now = noon
})

afterEach(() => {
  vi.useRealTimers()
})

describe('watching the demo exchange', () => {
  it.each(Object.keys(timeframes) as Timeframe[])(
    'emits %s candles that are the same as the fetched ones',
    async timeframe => {
      const demo = createDemoSource(() => now)
      const length = timeframes[timeframe]
      const watched = ['BTCUSDT', 'DCRUSDT'].map(symbol => ({ symbol, ...watch(demo, symbol, timeframe) }))
      await pass(length * 12, length / 7)
      for (const { symbol, emitted } of watched) {
        const truth = demo.candles(symbol, timeframe, emitted.size)
        expect(emitted.size).toBeGreaterThanOrEqual(12)
        expect([...emitted.values()], symbol).toEqual(truth)
      }
      await demo.close()
    },
  )

  it('emits every candle when its clock jumps over several', async () => {
    const demo = createDemoSource(() => now)
    const { emitted } = watch(demo, 'ETHUSDT', '1m')
    await pass(2, 1)
    await pass(600, 600)
    await pass(3, 1)
    expect([...emitted.values()]).toEqual(demo.candles('ETHUSDT', '1m', emitted.size))
    expect(emitted.size).toBeGreaterThanOrEqual(10)
    await demo.close()
  })

  it('uses one timer for all watched series, and none afterwards', async () => {
    const demo = createDemoSource(() => now)
    const watched = demo
      .symbols()
      .flatMap(symbol =>
        (Object.keys(timeframes) as Timeframe[]).map(timeframe => watch(demo, symbol, timeframe)),
      )
    expect(vi.getTimerCount()).toBe(1)
    await pass(3, 0.25)
    expect(vi.getTimerCount()).toBe(1)
    expect(watched.every(({ events }) => events > 0)).toBe(true)
    for (const { end } of watched) end()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('emits nothing after the end', async () => {
    const demo = createDemoSource(() => now)
    const one = watch(demo, 'BTCUSDT', '1m')
    const other = watch(demo, 'BTCUSDT', '1m')
    await pass(3, 0.25)
    const { events } = one
    one.end()
    await pass(30, 0.25)
    expect(one).toMatchObject({ events, isEnded: true })
    expect(other.events).toBeGreaterThan(events)
    await demo.close()
    await pass(0.25, 0.25)
    expect(other.isEnded).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves no timer after 300 watches', async () => {
    const demo = createDemoSource(() => now)
    for (let round = 0; round < 300; round++) {
      const watched = watch(demo, 'BTCUSDT', '1m')
      if (round % 2 === 0) await pass(1, 1)
      watched.end()
      await pass(0, 1)
    }
    expect(vi.getTimerCount()).toBe(0)
    await demo.close()
  })
})
