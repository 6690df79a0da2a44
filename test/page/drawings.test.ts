import { describe, expect, it } from 'vitest'
import {
  distanceToLine,
  drawingAt,
  far,
  linesOf,
  type PlacedDrawing,
} from '../../page/chart/drawing-shape.js'
import { placeOfTime, timeOfPlace } from '../../page/chart/time-places.js'
import { formatSpan } from '../../page/chart/times.js'
import { type ProfileRow, type VolumeProfile, volumeProfile } from '../../page/model/volume-profile.js'
import { type Drawing, type DrawingKind, DrawingStore, readDrawings } from '../../page/view/drawings.js'
import { readDefinitions, readMarket } from '../vectors/vector-file.js'

const btc = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h' } as const
const level = { kind: 'level', points: [{ time: 0, value: 57_200 }] } as const
const trend = {
  kind: 'trend',
  points: [
    { time: 3600, value: 5 },
    { time: 7200, value: 9 },
  ],
} as const

describe('drawings', () => {
  it('are added, changed and removed by market, whatever the timeframe', () => {
    const store = new DrawingStore(() => '')
    store.add(btc, level)
    store.add(btc, { ...trend, study: 'rsi' })
    expect(store.of({ ...btc, timeframe: '1d' })).toEqual([
      { ...level, id: '1' },
      { ...trend, study: 'rsi', id: '2' },
    ])
    expect(store.of({ ...btc, symbol: 'ETHUSDT' })).toEqual([])
    const restore = store.restorer(btc)
    store.change(btc, '2', { colour: 3, width: 2 })
    store.remove(btc, '1')
    expect(store.of(btc)).toEqual([{ ...trend, study: 'rsi', id: '2', colour: 3, width: 2 }])
    restore()
    expect(store.of(btc).map(({ id, colour }) => [id, colour])).toEqual([
      ['1', undefined],
      ['2', undefined],
    ])
  })

  it('belong to the layout that is open', () => {
    let layout = ''
    const store = new DrawingStore(() => layout)
    store.add(btc, level)
    const restore = store.restorer(btc)
    store.copy('', '7')
    layout = '7'
    store.add(btc, trend)
    expect(store.of(btc)).toHaveLength(2)
    // Undo restores the drawing of the other layout.
    restore()
    expect(store.of(btc)).toHaveLength(2)
    const back = store.drop('7')
    expect(store.of(btc)).toEqual([])
    layout = ''
    expect(store.of(btc)).toEqual([{ ...level, id: '1' }])
    back()
    layout = '7'
    expect(store.of(btc)).toHaveLength(2)
  })

  it('that cannot be read are left out, and there is a bound', () => {
    const good = { id: '1', ...level }
    const bad = [
      null,
      { ...good, id: 2 },
      { ...good, kind: 'toString' },
      { ...good, points: [] },
      { ...good, points: [{ time: 0, value: '5' }] },
      { ...good, study: 4 },
      { ...good, colour: 'red' },
      { ...good, width: 9 },
    ]
    expect(readDrawings({ a: [good, ...bad], b: 5 })).toEqual({ a: [good], b: [] })
    expect(readDrawings(null)).toEqual({})
    expect(readDrawings({ a: Array.from({ length: 60 }, () => good) }).a).toHaveLength(50)
  })

  it('are found where they are drawn: points before lines, newer ones before older ones', () => {
    expect(distanceToLine([5, 3], [0, 0], [10, 0])).toBe(3)
    expect(distanceToLine([13, 4], [0, 0], [10, 0])).toBe(5)
    const placed = (id: string, drawing: Omit<Drawing, 'id'>, points: PlacedDrawing['points']) => ({
      drawing: { ...drawing, id },
      points,
    })
    const all: readonly PlacedDrawing[] = [
      placed('line', level, [[0, 50]]),
      placed('trend', trend, [
        [100, 100],
        [200, 0],
      ]),
      placed('box', { ...trend, kind: 'measure' }, [
        [300, 300],
        [400, 200],
      ]),
      {
        ...placed('text', { ...level, kind: 'text' }, [[10, 400]]),
        label: { left: 10, top: 390, width: 50, height: 20 },
      },
    ]
    const at = (x: number, y: number) => {
      const hit = drawingAt([x, y], all)
      return hit && [hit.drawing.id, hit.handle]
    }
    expect(at(700, 54)).toEqual(['line', undefined])
    expect(at(150, 50)).toEqual(['trend', undefined])
    expect(at(202, 3)).toEqual(['trend', 1])
    expect(at(300, 250)).toEqual(['box', undefined])
    expect(at(350, 250), 'the chart can be moved inside of a measure').toBeUndefined()
    expect(at(55, 405)).toEqual(['text', undefined])
    expect(at(500, 500)).toBeUndefined()
  })
})

describe('the lines of a drawing', () => {
  const lines = (kind: DrawingKind, points: PlacedDrawing['points'], levels?: readonly number[]) =>
    linesOf({ drawing: { id: '1', kind, points: [] }, points, levels })
  it('are those of its kind', () => {
    expect(lines('vertical', [[5, 9]])).toEqual([
      [
        [5, -far],
        [5, far],
      ],
    ])
    const [ray] = lines('ray', [
      [0, 0],
      [3, 4],
    ])
    expect(ray?.[1]).toEqual([0.6 * far, 0.8 * far])
    expect(
      lines('channel', [
        [0, 0],
        [10, 10],
      ]),
    ).toEqual([
      [
        [0, 0],
        [10, 10],
      ],
    ])
    expect(
      lines('channel', [
        [0, 0],
        [10, 10],
        [5, 8],
      ]),
    ).toEqual([
      [
        [0, 0],
        [10, 10],
      ],
      [
        [0, 3],
        [10, 13],
      ],
    ])
    expect(
      lines('rectangle', [
        [9, 1],
        [2, 4],
      ]),
    ).toHaveLength(4)
    expect(
      lines(
        'fibonacci',
        [
          [9, 1],
          [2, 4],
        ],
        [1, 4],
      ),
    ).toEqual([
      [
        [2, 1],
        [9, 1],
      ],
      [
        [2, 4],
        [9, 4],
      ],
    ])
    expect(lines('visible', [], [7])).toEqual([
      [
        [-far, 7],
        [far, 7],
      ],
    ])
  })
})

describe('a volume profile', () => {
  const candle = (low: number, high: number, volume: number, isUp = true) => ({
    timestamp: 0,
    open: isUp ? low : high,
    high,
    low,
    close: isUp ? high : low,
    volume,
  })

  it('has the volume of each candle evenly over its range', () => {
    const profile = volumeProfile([candle(0, 24, 24), candle(10, 12, 6, false), candle(5, 5, 2)])
    const rows = profile?.rows.map(({ up, down }) => [up, down]) ?? []
    expect(rows).toHaveLength(24)
    expect(rows[0]).toEqual([1, 0])
    expect(rows[5]).toEqual([3, 0])
    expect([rows[10], rows[11], rows[12]]).toEqual([
      [1, 3],
      [1, 3],
      [1, 0],
    ])
    expect(profile?.control).toBe(10)
    expect(rows.flat().reduce((sum, each) => sum + each)).toBeCloseTo(32)
  })

  it('has a value area of 70 % of the volume around the point of control', () => {
    // Ten units in a row, one in each other one: 0.7 × 33 = 23.1.
    const even = candle(0, 24, 24)
    const { control, area } = volumeProfile([even, candle(4, 5, 9)]) ?? { control: -1, area: [0, 0] }
    const volume = (first: number, last: number) => last - first + 1 + 9
    expect(control).toBe(4)
    expect(volume(...(area as [number, number]))).toBe(24)
  })

  it('has the point of control and the value area of the indicator volumeprofile', async () => {
    const { open = [], high = [], low = [], close = [], volume = [] } = readMarket('volatile')
    const { volumeprofile } = await readDefinitions()
    const outputs = volumeprofile?.compute(readMarket('volatile'), {}) as Record<string, number[]>
    const candles = close.map((_, i) => ({
      timestamp: i,
      ...{ open: open[i], high: high[i], low: low[i], close: close[i], volume: volume[i] },
    })) as Parameters<typeof volumeProfile>[0]
    for (let end = 100; end <= candles.length; end += 50) {
      const { rows, control, area } = volumeProfile(candles.slice(end - 100, end)) as VolumeProfile
      const [row, first, last] = [control, ...area].map(at => rows[at] as ProfileRow)
      const expected = ['poc', 'vah', 'val'].map(name => outputs[name]?.[end - 1])
      const found = [((row?.low ?? 0) + (row?.high ?? 0)) / 2, last?.high, first?.low]
      for (const [at, value] of found.entries()) expect(value).toBeCloseTo(expected[at] ?? Number.NaN, 4)
    }
  })

  it('is one row for one price, and nothing without volume', () => {
    const profile = volumeProfile([candle(5, 5, 2)])
    expect(profile?.rows.filter(({ up, down }) => up + down > 0)).toHaveLength(1)
    expect(volumeProfile([candle(1, 2, 0)])).toBeUndefined()
    expect(volumeProfile([])).toBeUndefined()
  })
})

describe('times', () => {
  // Two hours, of which the market rests one.
  const rows = [0, 3600, 7200, 14_400].map(timestamp => ({ timestamp }))

  it('have places among the candles, before them and behind them', () => {
    expect([0, 3600, 5000, 10_000, 14_400, 17_999].map(time => placeOfTime(rows, time))).toEqual([
      0, 1, 1, 2, 3, 3,
    ])
    expect([-1, -3600, -3601, 18_000, 25_200].map(time => placeOfTime(rows, time))).toEqual([
      -1, -1, -2, 4, 6,
    ])
    for (const place of [-3, -1, 0, 2, 3, 4, 9])
      expect(placeOfTime(rows, timeOfPlace(rows, place))).toBe(place)
  })

  it('between two points are said in two units', () => {
    expect(formatSpan(33 * 3600, 3600)).toBe('1d 9h')
    expect(formatSpan(45 * 60, 60)).toBe('45m')
    expect(formatSpan(3 * 86_400 + 3600, 86_400)).toBe('3d')
    expect(formatSpan(0, 60)).toBe('0m')
  })
})
