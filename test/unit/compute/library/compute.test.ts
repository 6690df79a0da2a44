import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { catalogue } from '../../../../src/catalogue/index.js'
import { compute, expression, indicators } from '../../../../src/compute/library/compute.js'
import { load, setKernels } from '../../../../src/compute/library/engine.js'
import { live, restore } from '../../../../src/compute/library/live.js'
import { buildFile } from '../../../support/built-kernels.js'
import { run, snapshotOf } from '../../../support/kernel.js'
import { realShaped } from '../../../support/real-shaped-market.js'

const kernels = () => readFileSync(buildFile('release'))
beforeAll(() => setKernels(kernels, '1.0.0'))

const market = realShaped(700, 54)
const { columns, count } = snapshotOf(market)
const candles = Array.from({ length: count }, (_, i) => columns.read(i))
const { close } = columns

describe('computing over own candles', () => {
  it('gives columns named as in the interface, as long as the candles', () => {
    const macd = compute('macd', { close }, { slowPeriod: 30 })
    const [line, signal, histogram] = run('macd', market, { slowPeriod: 30 })
    expect(macd).toEqual({ valueMACD: line, valueMACDSignal: signal, valueMACDHist: histogram })
    const { value, valueAdvice } = compute('supertrend', candles)
    expect(value).toBeInstanceOf(Float64Array)
    expect([valueAdvice[0], new Set(valueAdvice)]).toEqual([null, new Set([null, 'long', 'short'])])
  })

  it('reads objects, columns, typed arrays and lists of numbers alike', () => {
    const { rsi } = indicators
    const [expected] = run('rsi', market, { period: 9 })
    for (const given of [close, [...close], { close: [...close] }, columns, candles])
      expect(rsi?.(given, { period: 9 })).toEqual(expected)
    expect(rsi?.([])).toEqual(new Float64Array())
    expect(compute('rsi', candles, { source: 'hl2' }).value).toEqual(run('rsi', market, { source: 'hl2' })[0])
  })

  it('restarts after a missing value, and keeps what the caller gave unchanged', () => {
    const gap = close.slice()
    gap[400] = Number.NaN
    const { value } = compute('ema', { close: gap }, { period: 20 })
    expect(value.subarray(0, 400)).toEqual(run('ema', market, { period: 20 })[0]?.subarray(0, 400))
    expect(value.subarray(400, 420).every(Number.isNaN)).toBe(true)
    expect(value.subarray(401)).toEqual(compute('ema', close.slice(401), { period: 20 }).value)
    expect(compute('ema', [null, undefined, ...close], { period: 20 }).value.subarray(2)).toEqual(
      compute('ema', close, { period: 20 }).value,
    )
    expect(Number.isNaN(gap[400])).toBe(true)
  })

  it('refuses in the words of the service', () => {
    const refused = (compute: () => unknown, error: string) => expect(compute, error).toThrow(error)
    refused(() => compute('rsii' as 'rsi', close), 'Unknown indicator: rsii. Did you mean rsi?')
    refused(() => compute('rsi', close, { perod: 9 } as object), 'Did you mean period?')
    refused(() => compute('rsi', close, { period: 1 }), 'Invalid period: 1. Expected integer, 2 to 500')
    refused(() => compute('rsi', close, { period: '9' } as object), 'Invalid period: "9"')
    refused(
      () => indicators.rsi?.(close, 9 as never),
      'params must be an object such as { period: 9 }, got 9',
    )
    refused(() => compute('rsi', close, null as never), 'params must be an object')
    refused(() => compute('rsi', null as never), 'candles must be an array of candles')
    refused(() => compute('atr', { close }), 'Missing required: high, low')
    refused(() => compute('atr', close), 'Missing required: high, low, close')
    refused(() => compute('rsi', ['1'] as never), 'candles[0].close must be a number, got "1"')
    refused(
      () => compute('rsi', [{ ...candles[0], high: 0 }] as never),
      'candles[0].high is below candles[0].low',
    )
    refused(() => compute('sub', { high: [1, 2], low: [1] }), 'high has 2 values, others 1')
    refused(() => compute('vwap', { ...columns, timestamp: close }), 'must be a whole number of Unix seconds')
    refused(() => expression('rsi(0)', candles), 'Nearest valid form: rsi(2)')
    refused(() => expression('close{ETH}', candles), 'Missing required: the candles of {ETH}')
  })

  it('computes expressions over longer timeframes and other markets', () => {
    expect(expression('close * 2', { close })).toEqual(close.map(each => each * 2))
    expect(expression('close / close{ETH}', candles, { ETH: columns })).toEqual(close.map(() => 1))
    const hourly = candles.map((candle, i) => ({ ...candle, timestamp: 3600 * i }))
    // 700 hours are 29 days and 4 hours.
    expect((expression('close@1d', hourly) as Float64Array).at(-1)).toBe(close[29 * 24 - 1])
  })

  it('needs the kernels, from a file, an address or bytes', async () => {
    setKernels(new URL('data:application/wasm;base64,'), '1.0.0')
    await load(new Response(new Uint8Array(kernels())))
    expect(compute('sma', [1, 2, 3], { period: 3 }).value[2]).toBe(2)
    await load(`data:application/wasm;base64,${kernels().toString('base64')}`)
    expect(compute('sma', [1, 2, 3], { period: 3 }).value[2]).toBe(2)
    await expect(load(new Response('', { status: 404 }))).rejects.toThrow('404')
    setKernels(kernels, '1.0.0')
  })
})

describe('a live calculation', () => {
  it('equals the batch at each closed and each forming candle, bit for bit', () => {
    for (const name of ['rsi', 'macd', 'supertrend', 'vwap', 'ichimoku'] as const) {
      const all = compute(name, candles) as Readonly<Record<string, ArrayLike<unknown>>>
      const following = live(name, {}, candles.slice(0, 300))
      for (let i = 300; i < 400; i++) {
        const candle = candles[i] as (typeof candles)[number]
        const forming = { ...candle, close: candle.low }
        const last = compute(name, [...candles.slice(0, i), forming])
        expect(following.update(forming)).toEqual(newest(last, i))
        expect(following.close(candle)).toEqual(newest(all, i))
        expect(following.values).toEqual(newest(all, i))
      }
    }
  })

  it('continues from what it has saved', () => {
    const params = { expression: 'ema(20)@4h - close' }
    const all = expression(params.expression, candles)
    let following = live('expression', params, candles.slice(0, 100))
    for (let i = 100; i < 200; i++) {
      following = restore(JSON.parse(JSON.stringify(following.save()))) as typeof following
      expect(following.close(candles[i] as object).value, String(i)).toBe(all[i])
    }
    expect(() => restore({ ...following.save(), version: '0.9.0' })).toThrow('saved by version 0.9.0')
  })

  it('takes numbers for an indicator with one input', () => {
    const following = live('rsi', { period: 14 }, close.slice(0, 500))
    expect(following.close(close[500] as number).value).toBe(compute('rsi', close).value[500])
    expect(() => live('atr').close(5)).toThrow('Missing required: high, low, close')
    expect(() => live('atr').close({ close: 5 })).toThrow('Missing required: high')
  })

  it('restarts after a missing value like the batch, and keeps its state while the last candle is forming', () => {
    const gaps = close.slice()
    for (const i of [100, 101, 350]) gaps[i] = Number.NaN
    const { value } = compute('ema', { close: gaps }, { period: 20 })
    for (const history of [0, 50, 101, 102, 300, 351, 400]) {
      const following = live('ema', { period: 20 }, gaps.slice(0, history))
      for (let i = history; i < count; i++) {
        expect(following.update(Number.NaN).value).toBeNaN()
        following.update(1)
        expect(following.close(gaps[i] as number).value, `candle ${i} after ${history}`).toBe(value[i])
      }
    }
  })

  it('refuses what is no candle, no parameter or no saved state', () => {
    const following = live('atr', {}, candles)
    const { values } = following
    for (const [given, error] of [
      [null, 'candles[0] must be an object'],
      [undefined, 'candles[0] must be an object'],
      [{ ...candles[0], timestamp: undefined, low: null }, 'candles[0].low must be a number, got null'],
      [{ ...candles[0], timestamp: undefined, high: '7' }, 'candles[0].high must be a number, got "7"'],
    ] as const) {
      expect(() => following.update(given as never)).toThrow(error)
      expect(() => following.close(given as never)).toThrow(error)
    }
    expect(following.values).toEqual(values)
    expect(() => live('rsi', null as never)).toThrow('params must be an object')
    expect(() => live('rsi', {}, null as never)).toThrow('candles must be an array of candles')
    expect(() => restore(null as never)).toThrow('the saved state must be what save() returned, got null')
  })
})

it('the script of browsers is at most 60 KB with gzip, without imports and the texts of the catalogue', () => {
  const read = (name: string) =>
    readFileSync(new URL(`../../../../dist/library/${name}`, import.meta.url), 'utf8')
  const script = read('core.js') + read('browser.js')
  expect(gzipSync(script).byteLength).toBeLessThanOrEqual(60_000)
  expect([...script.matchAll(/(?:from|import)\s*["']([^"']+)["']/g)].map(([, name]) => name)).toEqual([
    ...['./core.js', './core.js'],
  ])
  for (const { title, description } of catalogue.values()) {
    expect(script, title).toContain(JSON.stringify(title).slice(1, -1))
    expect(script, title).not.toContain(description.slice(0, 40))
  }
})

const newest = (columns: object, i: number) =>
  Object.fromEntries(
    Object.entries(columns as Record<string, ArrayLike<unknown>>).map(([name, each]) => [name, each[i]]),
  )
