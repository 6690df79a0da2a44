import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../../../src/catalogue/index.js'
import { type PlainColumns, run } from '../../support/kernel.js'

interface Call {
  readonly function: string
  readonly indicator: string
  readonly names: Readonly<Record<string, number>>
  readonly candles: readonly number[]
  readonly outputs: readonly (readonly (number | null)[])[]
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

/** Written by bench/oracles/talib_calls.py. */
const { calls } = JSON.parse(read('../../vectors/oracles/talib-calls.json')) as { calls: readonly Call[] }

const [header = '', ...rows] = read('../../vectors/markets/shapes.csv').trim().split('\n')
const market = Object.fromEntries(
  header.split(',').map((name, k) => [name, rows.map(row => Number(row.split(',')[k]))]),
) as unknown as PlainColumns

/** Names that mean something else here, with the difference. */
const others: Readonly<Record<string, string>> = {
  ALMA: 'the centre of the weights is rounded down there',
  FRACTAL: 'flags there, prices here',
  KC: 'around the typical price there, around the close here',
  VIDYA: 'by the Chande momentum there, by the ratio of two deviations here',
  VWAP: 'over all candles there, anchored here',
  ZIGZAG: 'the running extreme there, confirmed turning points here',
}
/** Number of compared outputs of names whose outputs are not all compared, with the reason. */
const firstOutputs: Readonly<Record<string, { readonly count: number; readonly reason: string }>> = {
  KVO: { count: 1, reason: 'no signal line here' },
  SQZMOM: { count: 1, reason: 'other codes of the squeeze' },
}
/** In percent there, a share here. */
const inPercent: readonly string[] = ['BBW']
/** Averages that start with another value there; the difference fades. */
const otherSeeds: readonly string[] = ['SMI', 'ZLEMA']

describe('the names of TA-Lib mean the parameters of TA-Lib', () => {
  test('for the functions of the library that was called', () => {
    expect(calls.length).toBeGreaterThanOrEqual(230)
    const ours = calls.filter(call => !(call.function in others))
    expect(ours.filter(({ indicator }) => !catalogue.has(indicator))).toEqual([])
  })

  test.each(calls.filter(call => !(call.function in others)))('$function', call => {
    const outputs = run(call.indicator, market, call.names)
    const tolerance = otherSeeds.includes(call.function) ? 1e-6 : 1e-9
    const count = firstOutputs[call.function]?.count ?? call.outputs.length
    const unit = inPercent.includes(call.function) ? 100 : 1
    call.outputs.slice(0, count).forEach((wanted, k) => {
      const scale = Math.max(...wanted.map(value => Math.abs(value ?? 0)))
      call.candles.forEach((i, at) => {
        const expected = wanted[at] ?? Number.NaN
        const value = unit * (outputs[k]?.[i] as number)
        const isSame = Number.isNaN(expected)
          ? Number.isNaN(value)
          : Math.abs(value - expected) <= tolerance * Math.max(Math.abs(expected), 1e-3 * scale)
        expect(isSame, `output ${k} of candle ${i} is ${value}; TA-Lib gives ${expected}`).toBe(true)
      })
    })
  })
})
