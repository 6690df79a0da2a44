import type { Coordinate, PaneRendererCustomData, Time, UTCTimestamp } from 'lightweight-charts'
import { expect, describe as group, it } from 'vitest'
import { allMarks } from '../../page/chart/marks.js'
import {
  formatChange,
  formatValue,
  priceDecimals,
  shortNumber,
  valueDecimals,
} from '../../page/chart/numbers.js'
import {
  hasOwnPane,
  legendName,
  legendOutputs,
  levelLabel,
  picturedPrices,
  shiftOf,
  sideOfRow,
  wordsOf,
} from '../../page/chart/shape.js'
import { freeSlots, SlotTable } from '../../page/chart/slots.js'
import { breaksOf, retracementOf, segmentsOf, spansOf } from '../../page/chart/strokes.js'
import { type DrawingTarget, StudyLine, type StudyPoint } from '../../page/chart/study-line.js'
import { formatCountdown, formatTableTime, formatTick, formatTime, zoneText } from '../../page/chart/times.js'
import { fromTheirCandles, zonesOf } from '../../page/chart/zones.js'
import {
  allParameters,
  calculationKey,
  parameterSummary,
  readCatalogue,
  readResult,
  readUpdate,
  shortTitle,
} from '../../page/model/catalogue.js'
import type { Candle, StudyRow, Value } from '../../page/model/rows.js'
import { describe } from '../../src/catalogue/description.js'
import { catalogue } from '../../src/catalogue/index.js'

const descriptions = readCatalogue({ indicators: [...catalogue.values()].map(describe) })
const of = (id: string) => {
  const found = descriptions.get(id)
  if (!found) throw new Error(`there is no ${id}`)
  return found
}
const rows = (...values: readonly (readonly Value[])[]): StudyRow[] =>
  values.map((each, timestamp) => ({ timestamp, values: each }))
/** Candles by their highs and lows; each opens at its low and closes at its high. */
const candles = (...prices: readonly (readonly [high: number, low: number])[]): Candle[] =>
  prices.map(([high, low], timestamp) => ({ timestamp, open: low, high, low, close: high, volume: 1 }))
const shapeOf = (id: string, kind: string) => {
  const shape = of(id).drawing.find(each => each.kind === kind)
  if (!shape) throw new Error(`${id} has no ${kind}`)
  return shape
}

group('how indicators are drawn', () => {
  it('is over the candles, or in a pane of their own', () => {
    expect(['rsi', 'bbands', 'engulfing', 'tdsequential', 'candlez'].map(id => hasOwnPane(of(id)))).toEqual([
      true,
      false,
      false,
      false,
      true,
    ])
  })

  it('is moved by as many candles as a parameter says', () => {
    const cloud = shapeOf('ichimoku', 'cloud')
    expect(shiftOf(cloud, of('ichimoku'), {})).toBe(26)
    expect(shiftOf(cloud, of('ichimoku'), { displacement: 10 })).toBe(10)
    expect(shiftOf(shapeOf('swings', 'mark'), of('swings'), {})).toBe(-5)
    expect(shiftOf(shapeOf('tdrangeprojection', 'level'), of('tdrangeprojection'), {})).toBe(1)
  })

  it('takes one of two colours by a sign, a text, a change, or the side of the price', () => {
    const side = (id: string, value: number, more: readonly Value[] = [], before?: number, close = 0) => {
      const [shape] = of(id).drawing.filter(each => each.colouring ?? each.colouredBy)
      if (!shape) throw new Error(`${id} has one colour`)
      const [candle] = candles([close, close])
      return sideOfRow(shape, of(id), value, { timestamp: 0, values: [value, ...more] }, before, candle)
    }
    expect([side('supertrend', 5, ['long']), side('supertrend', 5, ['short'])]).toEqual([1, -1])
    expect([side('nrtr', 5, [1]), side('nrtr', 5, [-1])]).toEqual([1, -1])
    expect([side('ao', 2, [], 1), side('ao', 2, [], 3), side('ao', -2, [], -3)]).toEqual([1, -1, 1])
    expect([side('sarext', 5), side('sarext', -5)]).toEqual([1, -1])
    expect([side('psar', 5, [], undefined, 6), side('psar', 5, [], undefined, 4)]).toEqual([1, -1])
    expect(side('qqemod', 5, [1, 'none'])).toBe(0)
  })

  it('tells values with names that people read', () => {
    const told = (id: string) => legendOutputs(of(id)).map(at => legendName(of(id), at))
    expect(told('rsi')).toEqual([''])
    expect(told('bbands')).toEqual(['upper band', 'middle band', 'lower band'])
    expect(told('macd')).toEqual(['MACD', 'MACD signal', 'MACD hist'])
    expect(told('supertrend')).toEqual(['', 'advice'])
    expect(told('pivotpoints')).toEqual(['R3', 'R2', 'R1', 'P', 'S1', 'S2', 'S3'])
    // Many numbers at once are not told.
    expect([told('gmma'), told('hurstbands')]).toEqual([[], []])
    expect(told('fibonacciretracement')).toEqual(['', 'trend'])
    const priced = (close: number, timestamp: number) => ({
      timestamp,
      open: close,
      high: close,
      low: close,
      close,
      volume: 1,
    })
    const pictured = (id: string, values: readonly number[], isNewest = false) =>
      picturedPrices(of(id), {}).map(({ name, at }) => [
        name,
        at({ timestamp: 3600, values }, [priced(10, 3600), priced(20, 7200)], isNewest)?.toFixed(1),
      ])
    expect(pictured('fibonacciretracement', [0, 0, 100, 200])).toEqual([
      ['0', '200.0'],
      ['0.236', '176.4'],
      ['0.382', '161.8'],
      ['0.5', '150.0'],
      ['0.618', '138.2'],
      ['0.786', '121.4'],
      ['1', '100.0'],
    ])
    expect(pictured('ichimoku', [], true)).toEqual([['lagging span', '20.0']])
    expect(pictured('ichimoku', [])).toEqual([['lagging span', undefined]])
    expect(['plus_di', 'spanA', 'valueRealUpperBand', 'TDSTBuy'].map(wordsOf)).toEqual([
      'plus di',
      'span a',
      'upper band',
      'TDST buy',
    ])
    expect(
      ['r1', 'lastHigh', 'level'].map(name => levelLabel(shapeOf('pivotpoints', 'level'), name)),
    ).toEqual(['R1', 'last high', ''])
  })

  it('takes no colour twice in a pane before all are taken', () => {
    const eight = [0, 1, 2, 3, 4, 5, 6, 7]
    expect(freeSlots([], 2, 'price')).toEqual([0, 1])
    expect(freeSlots([{ pane: 'price', slots: [0, 1] }], 2, 'rsi')).toEqual([2, 3])
    expect(freeSlots([{ pane: 'price', slots: eight }], 2, 'rsi')).toEqual([0, 1])
    // The ninth line of a pane has the first colour again, and is dashed.
    expect(freeSlots([{ pane: 'price', slots: eight }], 1, 'price')).toEqual([8])
  })

  it('gives a study the colours that were chosen, for which others of its pane give way', () => {
    const table = new SlotTable()
    expect(table.take('sma', 'price', 1)).toEqual([])
    table.take('bbands', 'price', 2)
    table.take('rsi', 'rsi', 1)
    expect(['sma', 'bbands', 'rsi'].map(id => table.of(id))).toEqual([[0], [1, 2], [3]])
    // An indicator keeps its slots when it is drawn again.
    table.take('bbands', 'price', 2)
    expect(table.of('bbands')).toEqual([1, 2])
    expect(table.take('bbands', 'price', 2, [-1, 0])).toEqual(['sma'])
    expect(table.of('bbands')).toEqual([1, 0])
    expect(table.of('sma'), 'no colour of its pane').toEqual([2])
    expect(table.take('rsi', 'rsi', 1, [0]), 'another pane').toEqual([])
    // Two that a person has chosen may be equal.
    expect(table.take('sma', 'price', 1, [0])).toEqual([])
    expect(table.of('sma')).toEqual([0])
    table.take('sma', 'price', 1)
    expect(table.of('sma')).not.toEqual([0])
    table.free('bbands')
    expect(table.of('bbands')).toEqual([])
  })
})

group('marks', () => {
  const marks = (id: string, ...values: readonly (readonly Value[])[]) => {
    const shapes = of(id)
      .drawing.filter(({ kind }) => kind === 'mark' || kind === 'count')
      .map(shape => ({ shape, shift: shiftOf(shape, of(id), {}) }))
    const all = allMarks(
      of(id),
      shapes,
      candles(...Array.from({ length: 9 }, () => [1, 0] as const)),
      rows(...values),
    )
    return all.map(
      ({ timestamp, side, isAbove, label, text }) =>
        `${timestamp} ${side} ${isAbove ? 'above' : 'below'} ${label}|${text}`,
    )
  }

  it('are where a signal is, with its direction and name', () => {
    expect(marks('engulfing', [0], [100], [-200], [null])).toEqual([
      '1 1 below |Engulfing Pattern: bullish',
      '2 -1 above |Engulfing Pattern: bearish',
    ])
    expect(marks('doji', [100]), 'without a direction').toEqual(['0 0 above |Doji'])
  })

  it('are where a text changes, not where it stays, in the colour of another one', () => {
    expect(
      marks('marketstructure', ['up', 1, 1, 'none'], ['down', 1, 1, 'choch'], ['down', 1, 1, 'choch']),
    ).toEqual(['1 -1 above choch|Market Structure Trend, event: choch'])
  })

  it('are at the candle that they are about: a high above it, a low below it', () => {
    const nothing = [0, null]
    expect(marks('swings', ...Array(6).fill(nothing), [100, 5], [-100, 3])).toEqual([
      '1 -1 above |Swing Highs and Lows: high',
      '2 1 below |Swing Highs and Lows: low',
    ])
  })

  it('name what is not found everywhere', () => {
    expect(marks('candlepatterns', [1, 1, 'doji,hangingman'], [0, 0, 'doji'], [0, 0, ''])).toEqual([
      '0 0 above |Hanging Man',
    ])
  })

  it('are numbers, from the least that is of interest', () => {
    expect(marks('tdsequential', [6, 0], [7, 0], [0, 9])).toEqual([
      '1 1 below 7|Sequential Countdown (DeMark style): buy setup index 7',
      '2 -1 above 9|Sequential Countdown (DeMark style): sell setup index 9',
    ])
  })
})

group('zones', () => {
  const zone = (from: number, to: number, top: number, isActive: boolean, side = 0) => ({
    from,
    to,
    top,
    bottom: 1,
    side,
    isActive,
  })
  const at = { top: 0, bottom: 1 }

  it('are boxes from the first to the last candle that has them; one that comes back is the same', () => {
    expect(zonesOf(rows([5, 1], [5, 1], [null, null], [6, 1], [5, 1]), at)).toEqual([
      zone(0, 4, 5, true),
      zone(3, 3, 6, false),
    ])
    expect(zonesOf(rows([5, 1], [null, null]), at)).toEqual([zone(0, 0, 5, false)])
  })

  it('have the side that was given last when they began', () => {
    const sideAt = ({ values }: StudyRow) => Math.sign(Number(values[2])) as 1 | -1 | 0
    const found = zonesOf(rows([5, 1, 100], [5, 1, 0], [6, 1, -100], [6, 1, 100]), { ...at, sideAt })
    expect(found).toEqual([zone(0, 1, 5, false, 1), zone(2, 3, 6, true, -1)])
  })

  it('begin at the candle that they are', () => {
    const market = candles([5, 1], [7, 2], [8, 3])
    expect(fromTheirCandles([{ ...zone(2, 2, 5, true), side: 0 }], market)).toEqual([zone(0, 2, 5, true)])
  })
})

group('straight lines', () => {
  const market = candles([5, 4], [9, 6], [8, 5], [6, 2], [4, 3], [5, 3])
  const line = (from: number, price: number, to: number, end: number) => ({
    from: { timestamp: from, price },
    to: { timestamp: to, price: end },
  })

  it('lead from pivot to pivot, and dashed to the extreme since', () => {
    const found = segmentsOf(rows([null], [null], [9], [null], [2], [null]), 0, market)
    expect(found).toMatchObject([line(1, 9, 3, 2), { ...line(3, 2, 5, 5), isDashed: true }])
    expect(found).toHaveLength(2)
  })

  it('lead from a swing to the candle that breaks it', () => {
    const found = breaksOf(rows([null], [null], [null], [5]), 0, market, () => -1, 'BOS')
    expect(found).toEqual([{ ...line(2, 5, 3, 5), side: -1, label: 'BOS' }])
  })

  it('join the candles of a divergence', () => {
    const found = spansOf(
      rows([0, null], [0, null], [0, null], [0, null], [100, 2], [-100, 3]),
      { mark: 0, span: 1, shift: -1 },
      market,
    )
    expect(found).toEqual([
      { ...line(1, 6, 3, 2), side: 1 },
      { ...line(1, 9, 4, 4), side: -1 },
    ])
  })

  it('are the levels of a retracement with their prices', () => {
    const found = retracementOf(rows([10, 20, 0, 2]), [0, 1, 2, 3], [0, 0.382], price => price.toFixed(1))
    expect(found).toMatchObject([
      { from: { timestamp: 0, price: 20 }, to: undefined, label: '0  20.0' },
      { from: { timestamp: 0, price: 16.18 }, to: undefined, label: '0.382  16.2' },
      { ...line(0, 10, 2, 20), isDashed: true },
    ])
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

  it('that are changes have a sign, unless they round to zero', () => {
    expect([1.234, -0.4, 0, -0.004, 0.004].map(percent => formatChange(percent))).toEqual([
      '+1.23 %',
      '−0.40 %',
      '0.00 %',
      '0.00 %',
      '0.00 %',
    ])
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
    expect(formatValue(2.345e-10, 10)).toBe('2.35e-10')
    expect([shortNumber(0.1234567), shortNumber(999), shortNumber(-2_500)]).toEqual([
      '0.1235',
      '999',
      '-2.5K',
    ])
  })
})

group('times', () => {
  const noon = Date.UTC(2026, 10, 21, 12, 5) / 1000
  const midnight = Date.UTC(2026, 10, 21) / 1000

  it('are those of UTC, if they are wanted', () => {
    expect(formatTime(noon, 'utc', true)).toBe('Sat, 21 Nov 2026 12:05')
    expect(formatTime(noon, 'America/New_York', true)).toBe('Sat, 21 Nov 2026 07:05')
    expect(formatTime(midnight, 'America/New_York', true)).toBe('Fri, 20 Nov 2026 19:00')
    expect(formatTime(midnight, 'America/New_York', false), 'the day of a daily candle').toBe(
      'Sat, 21 Nov 2026',
    )
    expect(formatTime(noon, 'utc', false)).toBe('Sat, 21 Nov 2026')
    expect(formatTableTime(noon, 'utc')).toBe('2026-11-21 12:05')
    expect([0, 1, 2, 3].map(kind => formatTick(noon, kind, 'utc'))).toEqual([
      '2026',
      'Nov',
      '21 Nov',
      '12:05',
    ])
  })

  it('have the offset of their zone', () => {
    const now = new Date('2026-11-21T12:00Z')
    const zones = ['utc', 'Europe/London', 'America/New_York', 'Asia/Kolkata']
    expect(zones.map(zone => zoneText(zone, now))).toEqual(['UTC', 'UTC', 'UTC−5', 'UTC+5:30'])
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
    expect(
      ['rsi', 'bbands', 'stochrsi', 'cybercycle', 'most', 'rangefilter'].map(id => shortTitle(of(id))),
    ).toEqual(['RSI', 'Bollinger Bands', 'StochRSI', 'Cyber Cycle (Ehlers)', 'MOST', 'Range Filter (DW)'])
    expect(parameterSummary(of('macd'), { fastPeriod: 10, source: 'hl2' })).toBe('10 26 9 hl2')
    expect(parameterSummary(of('bbands'), {})).toBe('20 2')
  })
})

/** Draws a line over four candles, of which the middle two are on the screen. */
function draw(context: object, toY = (price: number) => price, label = ''): void {
  const line = new StudyLine()
  const bar = (index: number, x: number) => {
    const originalData: StudyPoint = { time: index as UTCTimestamp, value: 10 * index }
    return { time: index, x, barColor: '', originalData }
  }
  const bars = [bar(4, 333), bar(5, 20), bar(6, 30), bar(7, 444)]
  const data = { bars, visibleRange: { from: 1, to: 3 }, barSpacing: 10 }
  const options = { ...line.defaultOptions(), label }
  line.update(data as unknown as PaneRendererCustomData<Time, StudyPoint>, options)
  const scope = { context, mediaSize: { width: 50, height: 100 } }
  const target = { useMediaCoordinateSpace: (use: (one: unknown) => void) => use(scope) }
  line.renderer().draw(target as DrawingTarget, price => toY(price) as Coordinate, false)
}

it('a line goes on beyond the edges of the screen, where the library leaves places of before', () => {
  const points: (readonly [x: number, y: number])[] = []
  const put = (x: number, y: number) => points.push([x, y])
  draw({ beginPath() {}, setLineDash() {}, stroke() {}, moveTo: put, lineTo: put })
  expect(points).toEqual([
    [10, 40],
    [20, 50],
    [30, 60],
    [40, 70],
  ])
})

it('the label of a line is inside the pane, or away with the line', () => {
  const places = [-5, 5, 50, 95, 105].map(y => {
    const texts: (readonly [text: string, y: number, baseline: string])[] = []
    const nothing = () => {}
    const context = {
      textBaseline: '',
      ...{ beginPath: nothing, setLineDash: nothing, stroke: nothing, moveTo: nothing, lineTo: nothing },
      strokeText: nothing,
      fillText: (text: string, _: number, at: number) => texts.push([text, at, context.textBaseline]),
    }
    draw(context, price => price - 70 + y, 'R1')
    return texts
  })
  expect(places).toEqual([[], [['R1', 8, 'top']], [['R1', 48, 'bottom']], [['R1', 93, 'bottom']], []])
})
