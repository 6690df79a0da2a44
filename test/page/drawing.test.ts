import { expect, describe as group, it } from 'vitest'
import { drawingOf } from '../../page/chart/drawing.js'
import { allMarks, zonesOf } from '../../page/chart/marks.js'
import { formatValue, priceDecimals, shortNumber, valueDecimals } from '../../page/chart/numbers.js'
import { formatCountdown, formatTableTime, formatTick, formatTime } from '../../page/chart/times.js'
import {
  allParameters,
  calculationKey,
  parameterSummary,
  readResult,
  readUpdate,
  shortTitle,
} from '../../page/model/catalogue.js'
import type { StudyRow, Value } from '../../page/model/rows.js'
import { describe } from '../../src/catalogue/description.js'
import { catalogue } from '../../src/catalogue/index.js'

const descriptions = [...catalogue.values()].map(describe)
const of = (id: string) => {
  const found = descriptions.find(each => each.id === id)
  if (!found) throw new Error(`there is no ${id}`)
  return found
}
/** Which outputs are drawn, and how. */
const lines = (id: string) =>
  Object.fromEntries(
    drawingOf(of(id)).lines.map(({ output, style }) => [of(id).outputs[output]?.name, style]),
  )

group('how indicators are drawn', () => {
  it('follows from the catalogue', () => {
    expect([lines('rsi'), drawingOf(of('rsi')).isOverCandles]).toEqual([{ value: 'line' }, false])
    expect(lines('macd')).toEqual({ valueMACD: 'line', valueMACDSignal: 'line', valueMACDHist: 'histogram' })
    expect(drawingOf(of('bbands'))).toMatchObject({ isOverCandles: true, fill: { upper: 0, lower: 2 } })
    expect(lines('pivotpoints')).toMatchObject({ r1: 'level', p: 'level', s1: 'level' })
    expect(lines('triangleascending')).toEqual({ upper: 'broken', lower: 'broken' })
    expect(lines('gartley')).toEqual({ entry: 'level', stop: 'level', target: 'level' })
    expect(drawingOf(of('engulfing'))).toMatchObject({ isOverCandles: true, lines: [], marks: [0] })
    expect(drawingOf(of('fvg'))).toMatchObject({ lines: [], zone: { top: 1, bottom: 2 }, marks: [0] })
    expect(drawingOf(of('zigzag')).marks, 'a state is no event').toEqual([0])
    expect(['rsi', 'cci', 'adr', 'bbands'].map(id => drawingOf(of(id)).levels)).toEqual([
      [30, 70],
      [-100, 0, 100],
      [],
      [],
    ])
  })

  it('gives the bounds of a band one colour', () => {
    const [above, middle, below] = drawingOf(of('bbands')).lines
    expect(above?.colour).toBe(below?.colour)
    expect(middle?.colour).not.toBe(above?.colour)
  })

  it('shows something of every indicator', () => {
    const invisible = descriptions.filter(each => {
      const { lines: drawn, marks, zone } = drawingOf(each)
      return drawn.length + marks.length === 0 && !zone
    })
    expect(invisible.map(({ id }) => id)).toEqual([])
  })

  it('draws nothing but prices over the candles', () => {
    const drawn = descriptions
      .filter(({ overlay }) => overlay)
      .flatMap(each => drawingOf(each).lines.map(({ output }) => each.outputs[output]?.name ?? ''))
    expect(drawn.filter(name => /time|count|volume|touches|gaps|width|position/i.test(name))).toEqual([])
  })
})

const rows = (...values: readonly (readonly Value[])[]): StudyRow[] =>
  values.map((each, timestamp) => ({ timestamp, values: each }))

group('marks', () => {
  const marks = (id: string, ...values: readonly (readonly Value[])[]) =>
    allMarks(of(id), drawingOf(of(id)), rows(...values)).map(
      ({ timestamp, direction, text }) => `${timestamp} ${direction} ${text}`,
    )

  it('are where a signal is, with its direction and name', () => {
    expect(marks('engulfing', [0], [100], [-200], [null])).toEqual([
      '1 1 Engulfing Pattern: bullish',
      '2 -1 Engulfing Pattern: bearish',
    ])
  })

  it('are where a text changes, not where it stays', () => {
    expect(marks('supertrend', [1, 'long'], [1, 'long'], [1, 'short'])).toEqual([
      '0 1 Supertrend, value advice: long',
      '2 -1 Supertrend, value advice: short',
    ])
  })

  it('name everything that was found at a candle', () => {
    expect(marks('candlepatterns', [1, 1, 'doji,hammer'], [0, 0, ''])).toEqual(['0 0 doji, hammer'])
  })
})

group('zones', () => {
  it('are boxes from the first to the last candle that has them; the newest one is active', () => {
    const zone = (from: number, to: number, top: number, isActive: boolean) => ({
      from,
      to,
      top,
      bottom: 1,
      isActive,
    })
    const at = { top: 0, bottom: 1 }
    expect(zonesOf(rows([5, 1], [5, 1], [null, null], [5, 1], [6, 1]), at)).toEqual([
      zone(0, 1, 5, false),
      zone(3, 3, 5, false),
      zone(4, 4, 6, true),
    ])
    expect(zonesOf(rows([5, 1], [null, null]), at)).toEqual([zone(0, 0, 5, false)])
  })
})

group('numbers', () => {
  it('have the decimals of the market', () => {
    expect(priceDecimals([60_000.12, 60_001])).toBe(2)
    expect(priceDecimals([101, 102])).toBe(0)
    expect(priceDecimals([1.5])).toBe(2)
    expect(priceDecimals([0.000_015_12, 1.5e-5])).toBe(8)
    expect(priceDecimals([])).toBe(0)
  })

  it('of indicators have as many as their size deserves', () => {
    expect([
      valueDecimals([37.123]),
      valueDecimals([0.0123]),
      valueDecimals([123_456]),
      valueDecimals([]),
    ]).toEqual([2, 5, 0, 2])
    expect(formatValue(1_234_567, 0)).toBe('1.235M')
    expect(formatValue(-0.5, 3)).toBe('-0.500')
    expect([shortNumber(0.1234567), shortNumber(999), shortNumber(-2_500)]).toEqual([
      '0.1235',
      '999',
      '-2.5K',
    ])
  })
})

group('times', () => {
  const noon = Date.UTC(2026, 10, 21, 12, 5) / 1000

  it('are those of UTC, if they are wanted', () => {
    expect(formatTime(noon, 'utc', true)).toBe('Sat, 21 Nov 26 12:05')
    expect(formatTime(noon, 'utc', false)).toBe('Sat, 21 Nov 26')
    expect(formatTableTime(noon, 'utc')).toBe('2026-11-21 12:05')
    expect([0, 1, 2, 3].map(kind => formatTick(noon, kind, 'utc'))).toEqual([
      '2026',
      'Nov',
      '21 Nov',
      '12:05',
    ])
  })

  it('until a candle closes are short', () => {
    expect([9, 249, 7449, 266_400].map(formatCountdown)).toEqual(['00:09', '04:09', '2:04:09', '3d 02h'])
  })
})

group('values of the service', () => {
  it('are read from results and from updates alike', () => {
    expect(readResult(of('rsi'), { value: [1, null], timestamp: [60, 120] })).toEqual([
      { timestamp: 60, values: [1] },
      { timestamp: 120, values: [null] },
    ])
    expect(readResult(of('abs'), { abs: [3], timestamp: [60] })).toEqual([{ timestamp: 60, values: [3] }])
    expect(readUpdate(of('rsi'), { rsi: 1, timestamp: 60 })).toEqual({ timestamp: 60, values: [1] })
    expect(readUpdate(of('stoch'), { valueD: 2, valueK: 1, timestamp: 60 }).values).toEqual([1, 2])
  })

  it('belong to the study with the same parameters, however they were given', () => {
    const key = (given: Readonly<Record<string, number | string>>) =>
      calculationKey('bbands', allParameters(of('bbands'), given))
    expect(key({ period: 20 })).toBe(key({}))
    expect(key({ period: 21 })).not.toBe(key({}))
    expect(key({ source: 'hl2' })).toBe(
      calculationKey('bbands', { source: 'hl2', maType: 0, stddev: 2, period: 20 }),
    )
  })

  it('have headings that people know', () => {
    expect(['rsi', 'bbands', 'stochrsi'].map(id => shortTitle(of(id)))).toEqual([
      'RSI',
      'Bollinger Bands',
      'StochRSI',
    ])
    expect(parameterSummary(of('macd'), { fastPeriod: 10, source: 'hl2' })).toBe('10 26 9 hl2')
  })
})
