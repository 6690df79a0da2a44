import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../bench/random.js'
import { namesPerColumn } from '../../../src/catalogue/define.js'
import { entryOf, type PlainColumns, run } from '../../support/kernel.js'

const lookback = 14
const [, , list] = entryOf('candlepatterns').outputs
const names = list?.kind === 'names' ? list.names : []

/**
 * Candles with few body lengths, shadows and gaps, in any order. Among `count` of them every pattern occurs, and
 * prices often meet exactly.
 */
function candlesOfAllShapes(seed: number, count: number): PlainColumns {
  const random = createRandom(seed)
  const oneOf = (values: readonly number[]) => values[Math.floor(random() * values.length)] as number
  const candles = { timestamp: [], open: [], high: [], low: [], close: [], volume: [] } as Record<
    keyof PlainColumns,
    number[]
  >
  let before = 100
  let colour = 1
  for (let i = 0; i < count; i++) {
    if (random() < 0.45) colour = -colour
    const body = oneOf([0, 0.1, 0.5, 1, 1.25, 3, 3])
    const open = before + oneOf([0, 0, 0.1, -0.1, 0.5, -0.5, 1, -1, 2, -2, 0.25, -0.25])
    const end = open + colour * body
    const close = Math.abs(end - 100) > 30 ? 100 : end
    candles.timestamp.push(i * 3600)
    candles.open.push(open)
    candles.high.push(Math.max(open, close) + oneOf([0, 0, 0.1, 0.5, 1, 3]))
    candles.low.push(Math.min(open, close) - oneOf([0, 0, 0.1, 0.5, 1, 3]))
    candles.close.push(close)
    candles.volume.push(1)
    before = close
  }
  return candles
}

describe('candlepatterns', () => {
  const candles = candlesOfAllShapes(18, 60_000)
  const count = candles.close.length
  const [bullish, bearish, ...masks] = run('candlepatterns', candles)
  const ups = new Float64Array(count)
  const downs = new Float64Array(count)

  it('names 68 patterns', () => expect(names).toHaveLength(68))

  it.each(names)('has the signals of %s where its own kernel has them', name => {
    const [signals] = run(name, candles) as [Float64Array]
    const column = masks[Math.floor(names.indexOf(name) / namesPerColumn)] as Float64Array
    const bit = 2 ** (names.indexOf(name) % namesPerColumn)
    const different: number[] = []
    let named = 0
    for (let i = lookback; i < count; i++) {
      const isNamed = Math.floor((column[i] as number) / bit) % 2 === 1
      const signal = signals[i] as number
      if (isNamed) named++
      if (isNamed !== (signal !== 0)) different.push(i)
      ups[i] = (ups[i] as number) + Number(signal > 0)
      downs[i] = (downs[i] as number) + Number(signal < 0)
    }
    expect(different).toEqual([])
    expect(named, 'it occurs').toBeGreaterThan(0)
  })

  // The patterns before have counted them.
  it('counts them by their sign', () => {
    const different: number[] = []
    for (let i = lookback; i < count; i++)
      if (bullish?.[i] !== ups[i] || bearish?.[i] !== downs[i]) different.push(i)
    expect(different).toEqual([])
  })
})
