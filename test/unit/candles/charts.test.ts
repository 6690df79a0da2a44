import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Candle } from '../../../src/candles/candle.js'
import { maxBars } from '../../../src/candles/charts/bar-series.js'
import { barSteps, barsOf } from '../../../src/candles/charts/bars.js'
import { type Chart, readChart } from '../../../src/candles/charts/chart.js'
import { Columns, candleAt, type Inputs, type Snapshot } from '../../../src/candles/columns.js'
import { Series } from '../../../src/candles/series.js'
import { catalogue, type Entry } from '../../../src/catalogue/index.js'
import { barsInSlices } from '../../../src/compute/executor.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import stocktrends from '../../vectors/charts/stocktrends.json' with { type: 'json' }

const chart = (name: string) => readChart(name) as Chart
const charts = ['heikinashi', 'renko:25', 'renko:atr14', 'range:40', 'linebreak:3'].map(chart)

type Row = readonly [time: number, open: number, high: number, low: number, close: number, volume?: number]
const toCandle = ([timestamp, open, high, low, close, volume = 1]: Row): Candle => ({
  ...{ timestamp, open, high, low, close, volume },
})

/** Candles of a request. With `isForming`, the last one is forming. */
function snapshotOf(candles: readonly Candle[], isForming = false): Snapshot {
  const columns = Columns.unshared(candles.length)
  for (const [i, candle] of candles.entries()) columns.write(i, candle)
  const closed = candles.length - (isForming ? 1 : 0)
  return { columns, closed, forming: isForming ? candles.at(-1) : undefined, count: candles.length }
}

const barsIn = (bars: Snapshot): Candle[] => Array.from({ length: bars.count }, (_, i) => candleAt(bars, i))
const make = (name: string, candles: readonly Candle[]) =>
  barsIn(barsOf(chart(name), [snapshotOf(candles)])[0])
/** Candles of one price each, a minute apart. */
const atCloses = (...closes: number[]) =>
  closes.map((close, i) => toCandle([i * 60, close, close, close, close, 10]))
const bodies = (bars: readonly Candle[]) => bars.map(({ open, close }) => [open, close])

const walk = fc
  .array(fc.tuple(fc.integer({ min: -60, max: 60 }), fc.nat(20), fc.nat(20), fc.nat(100)), {
    minLength: 1,
    maxLength: 120,
  })
  .map(moves => {
    let price = 2000
    return moves.map(([move, above, below, volume], i) => {
      const open = price
      price += move
      return toCandle([
        i * 60,
        open,
        Math.max(open, price) + above,
        Math.min(open, price) - below,
        price,
        volume,
      ])
    })
  })

describe('the name of a chart', () => {
  it('is read in any case, and has one spelling', () => {
    const names = ['HeikinAshi', 'renko:50.0', 'RENKO:ATR14', 'range:1e2', 'linebreak', 'linebreak:5']
    expect(names.map(name => chart(name).text)).toEqual([
      'heikinashi',
      'renko:50',
      'renko:atr14',
      'range:100',
      'linebreak:3',
      'linebreak:5',
    ])
    expect(readChart('candles')).toBe('candles')
  })

  it.each([
    ...['', 'renko', 'renko:', 'renko:0', 'renko:-5', 'renko:atr', 'renko:atr0', 'renko:atr1.5', 'renko:1:2'],
    ...[
      'range',
      'range:atr14',
      'range:Infinity',
      'linebreak:0',
      'linebreak:2.5',
      'linebreak:21',
      'heikinashi:1',
    ],
  ])('%j is none', name => expect(readChart(name)).toBeUndefined())
})

describe('Heikin-Ashi candles', () => {
  const candles = (stocktrends.candles as unknown as Row[]).map(toCandle)

  it('are those of the indicator heikinashi, the forming one too', () => {
    const source = snapshotOf(candles, true)
    const [bars] = barsOf(chart('heikinashi'), [source])
    expect(bars).toMatchObject({ closed: source.closed, count: source.count })
    const indicator = catalogue.get('heikinashi') as Entry
    const { columns } = new Calculator().calculate({ indicator, params: {} }, [source])
    for (const [k, name] of (['open', 'high', 'low', 'close'] as const).entries())
      expect(barsIn(bars).map(bar => bar[name])).toEqual([
        ...(columns[k] as Float64Array).slice(0, source.count),
      ])
    expect(barsIn(bars).map(({ volume }) => volume)).toEqual(candles.map(({ volume }) => volume))
  })
})

describe('renko bricks', () => {
  it('are those of stocktrends, after the first one that it makes up', () => {
    const candles = (stocktrends.candles as unknown as Row[]).map(toCandle)
    const bricks = make('renko:25', candles).map(({ timestamp, open, close }) => [timestamp, open, close])
    const known = stocktrends.renko as unknown as number[][]
    expect(bricks.length).toBeGreaterThan(90)
    expect(bricks).toEqual(known.slice(-bricks.length))
  })

  it('begin at the levels around the first close, go on after one size and turn after two', () => {
    expect(bodies(make('renko:10', atCloses(104, 109, 111)))).toEqual([[100, 110]])
    expect(bodies(make('renko:10', atCloses(104, 101, 100)))).toEqual([[110, 100]])
    expect(bodies(make('renko:10', atCloses(100, 95, 90)))).toEqual([[100, 90]])
    const turned = make('renko:10', atCloses(100, 125, 101, 100, 89, 109, 110))
    expect(bodies(turned)).toEqual([
      [100, 110],
      [110, 120],
      [110, 100],
      [100, 90],
      [100, 110],
    ])
  })

  it('have a level where the decimals say so', () => {
    expect(bodies(make('renko:0.1', atCloses(0.25, 0.3, 0.4, 0.7)))).toEqual([
      [0.2, 0.3],
      [0.3, 0.4],
      [0.4, 0.5],
      [0.5, 0.6],
      [0.6, 0.7],
    ])
  })

  it('of one candle have its time, and share the volume since the last brick', () => {
    const bricks = make('renko:10', atCloses(100, 105, 131, 132, 145))
    expect(bricks.map(({ timestamp, volume }) => [timestamp, volume])).toEqual([
      [120, 10],
      [120, 10],
      [120, 10],
      [240, 20],
    ])
  })

  it('of an average range have the size that it had when the brick before was completed', () => {
    // True ranges of 10 and 12; the mean is 11. At 133 the average is (11 + 23) / 2 = 17, and at 167 it is 25.5.
    const candles = [
      ...[
        [0, 95, 100, 95, 100] as const,
        [60, 100, 110, 100, 110] as const,
        [120, 110, 110, 98, 110] as const,
      ],
      ...[
        [180, 110, 133, 110, 133] as const,
        [240, 133, 167, 133, 167] as const,
        [300, 167, 182, 167, 182] as const,
      ],
    ].map(toCandle)
    expect(bodies(make('renko:atr2', candles))).toEqual([
      [110, 121],
      [121, 132],
      [119, 136],
      [136, 153],
      [156, 182],
    ])
  })

  it('forget where the history begins once a level was crossed twice', () => {
    fc.assert(
      fc.property(walk, fc.nat(40), (candles, skipped) => {
        const all = make('renko:25', candles)
        const late = make('renko:25', candles.slice(Math.min(skipped, candles.length - 1)))
        // The first two may differ.
        const ofCandle = ({ timestamp, open, close }: Candle) => [timestamp, open, close]
        const common = late.slice(2).map(ofCandle)
        const same = all.map(ofCandle)
        if (common.length > 0) expect(common).toEqual(same.slice(-common.length))
      }),
    )
  })
})

describe('range bars', () => {
  it('follow the path of a candle by the nearer extreme', () => {
    // 100, 103, 92, 98: down from the high by 10 at 93, then up from 92.
    const bars = make('range:10', [toCandle([0, 100, 103, 92, 98]), toCandle([60, 98, 102, 97, 101])])
    expect(bars.map(({ open, high, low, close }) => [open, high, low, close])).toEqual([
      [100, 103, 93, 93],
      [93, 102, 92, 102],
    ])
  })

  it('go through a jump in bars of one size', () => {
    expect(
      make('range:10', atCloses(100, 135)).map(({ open, high, low, close }) => [open, high, low, close]),
    ).toEqual([
      [100, 110, 100, 110],
      [110, 120, 110, 120],
      [120, 130, 120, 130],
    ])
  })

  it('go against the direction of the candle first where both extremes are as near', () => {
    const up = make('range:10', [toCandle([0, 100, 105, 95, 101])])
    const down = make('range:10', [toCandle([0, 100, 105, 95, 99])])
    expect([bodies(up), bodies(down)]).toEqual([[[100, 105]], [[100, 95]]])
  })

  it('forget where the history begins once the price has turned by the size', () => {
    fc.assert(
      fc.property(walk, fc.nat(40), (candles, skipped) => {
        const all = make('range:40', candles)
        const late = make('range:40', candles.slice(Math.min(skipped, candles.length - 1)))
        const isUp = ({ open, close }: Candle) => close > open
        const turn = late.findIndex((bar, i) => i > 0 && isUp(bar) !== isUp(late[i - 1] as Candle))
        if (turn < 0) return
        expect(late[turn]?.close).toBe(all[all.length - (late.length - turn)]?.close)
        const common = late.slice(turn + 1)
        if (common.length === 0) return
        const same = all.slice(-common.length)
        const priced = ({ volume: _, ...bar }: Candle) => bar
        expect(same.map(priced)).toEqual(common.map(priced))
        // The bars of the candle of the turn share its volume, and their number may be another one.
        const later = common.findIndex(({ timestamp }) => timestamp > (late[turn] as Candle).timestamp)
        if (later >= 0) expect(same.slice(later)).toEqual(common.slice(later))
      }),
    )
  })

  it('have a range of the size each, and open where the last one closed', () => {
    fc.assert(
      fc.property(walk, fc.constantFrom(0.5, 7, 40), (candles, size) => {
        const bars = make(`range:${size}`, candles)
        for (const [i, { open, high, low, close }] of bars.entries()) {
          expect(high - low).toBe(size)
          expect([high, low]).toContain(close)
          if (i > 0) expect(open).toBe(bars[i - 1]?.close)
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe('lines of a line break', () => {
  it('are those of stocktrends, after the lines that it begins with', () => {
    const candles = (stocktrends.candles as unknown as Row[]).map(toCandle)
    const lines = make('linebreak:3', candles).map(({ timestamp, open, close }) => [timestamp, open, close])
    const known = (stocktrends.linebreak as unknown as number[][]).slice(-60)
    expect(lines.slice(-60)).toEqual(known)
  })

  it('turn beyond the newest lines', () => {
    const lines = make('linebreak:3', atCloses(100, 100, 101, 103, 104, 106, 102, 101, 100, 102, 105))
    expect(bodies(lines)).toEqual([
      [100, 101],
      [101, 103],
      [103, 104],
      [104, 106],
      [104, 100],
      // Beyond the highest of the last three lines, 106, it would be up.
    ])
    expect(bodies(make('linebreak:1', atCloses(100, 101, 103, 100.5, 104)))).toEqual([
      [100, 101],
      [101, 103],
      [101, 100.5],
      [101, 104],
    ])
  })
})

describe.each(charts)('the bars of $text', each => {
  it('never change when candles are added, and have times that do not go back', () => {
    fc.assert(
      fc.property(walk, fc.nat(120), (candles, cut) => {
        const whole = barsIn(barsOf(each, [snapshotOf(candles)])[0])
        const part = barsIn(barsOf(each, [snapshotOf(candles.slice(0, cut))])[0])
        expect(whole.slice(0, part.length)).toEqual(part)
        expect(
          whole.every(({ timestamp }, i) => i === 0 || timestamp >= (whole[i - 1]?.timestamp as number)),
        ).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  it('are the same when they are made in steps', async () => {
    const rows = stocktrends.candles as unknown as Row[]
    // So long that one step does not make them all.
    const candles = Array.from({ length: 2600 }, (_, i) => {
      const [, open, high, low, close] = rows[i % rows.length] as Row
      return toCandle([i * 60, open, high, low, close])
    })
    const series = () => {
      const made = new Series('1m', 5000)
      made.merge(candles, 1e9)
      return made.snapshot()
    }
    const atOnce = barsIn(barsOf(each, [series()])[0])
    const steps = barSteps(each, [series()])
    expect([steps.next().done, steps.next().done]).toEqual([false, false])
    expect(barsIn((steps.next() as IteratorReturnResult<Inputs>).value[0])).toEqual(atOnce)
    const source = series()
    const later = barsInSlices(each, [source])
    expect(later).toBeInstanceOf(Promise)
    expect(barsIn((await later)[0])).toEqual(atOnce)
    expect((await barsInSlices(each, [source]))[0]).toBe((await later)[0])
  })

  it('are the same when a series grows candle by candle', () => {
    fc.assert(
      fc.property(walk, candles => {
        const series = new Series('1m', 1000)
        for (const [i, candle] of candles.entries()) {
          series.merge([candle], candle.timestamp)
          const all = barsOf(each, [series.snapshot()])
          if (i % 7 === 0 || i === candles.length - 1)
            expect(barsIn(all[0])).toEqual(
              barsIn(barsOf(each, [snapshotOf(candles.slice(0, i + 1), true)])[0]),
            )
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe('bars of a series in memory', () => {
  const candles = (stocktrends.candles as unknown as Row[]).map(toCandle)
  const seriesOf = (count: number) => {
    const series = new Series('1h', 1000)
    series.merge(candles.slice(0, count), (candles[count - 1] as Candle).timestamp + 3600)
    return series
  }

  it('are the same object until something changes, and grow in the same columns', () => {
    const series = seriesOf(100)
    const renko = chart('renko:25')
    const [bars] = barsOf(renko, [series.snapshot()])
    expect(barsOf(chart('RENKO:25.0'), [series.snapshot()])[0]).toBe(bars)
    series.amend(candles[100] as Candle)
    expect(barsOf(renko, [series.snapshot()])[0].columns).toBe(bars.columns)
    series.merge(candles.slice(100), (candles.at(-1) as Candle).timestamp)
    const grown = barsOf(renko, [series.snapshot()])
    expect(grown[0].columns).toBe(bars.columns)
    expect(grown[0].count).toBeGreaterThan(bars.count)
  })

  it('are those of an older snapshot, too', () => {
    const series = seriesOf(100)
    series.amend(candles[100] as Candle)
    const before = series.snapshot()
    for (const each of charts) {
      const bars = barsOf(each, [before])
      const seen = barsIn(bars[0])
      series.merge(candles.slice(100), (candles.at(-1) as Candle).timestamp)
      barsOf(each, [series.snapshot()])
      expect(barsIn(barsOf(each, [before])[0])).toEqual(seen)
      expect(barsOf(each, [before])[0].columns).toBe(bars[0].columns)
    }
  })

  it('continue in other columns where candles were corrected', () => {
    const series = seriesOf(100)
    const old = barsOf(chart('renko:25'), [series.snapshot()])
    const corrected = { ...(candles[50] as Candle), close: 2500 }
    series.merge([corrected, candles[51] as Candle], (candles[99] as Candle).timestamp + 3600)
    const bars = barsOf(chart('renko:25'), [series.snapshot()])
    expect(bars[0].columns).not.toBe(old[0].columns)
    expect(bars[0].columns.lineage).toBe(old[0].columns.lineage)
    const fresh = candles.slice(0, 100).map((candle, i) => (i === 50 ? corrected : candle))
    expect(barsIn(bars[0])).toEqual(barsIn(barsOf(chart('renko:25'), [snapshotOf(fresh)])[0]))
  })
})

describe('a small size', () => {
  it('gives the newest bars only, which do not depend on how many came before', () => {
    const jumps = atCloses(100, 5000, 100, 9000, 8000)
    const bars = make('renko:1', jumps)
    expect(bars.length).toBeGreaterThan(maxBars.unshared * 0.75)
    expect(bars.length).toBeLessThanOrEqual(maxBars.unshared)
    expect(bars.at(-1)).toMatchObject({ open: 8001, close: 8000 })
    const seriesOf = (candles: readonly Candle[]) => {
      const series = new Series('1m', 1000)
      let grown: Candle[] = []
      for (const [i, candle] of candles.entries()) {
        series.append(candle)
        if (candles === jumps || i === candles.length - 1)
          grown = barsIn(barsOf(chart('renko:1'), [series.snapshot()])[0])
      }
      return grown
    }
    const grown = seriesOf(jumps)
    expect(grown.length).toBeGreaterThan(maxBars.shared * 0.75)
    expect(grown).toEqual(seriesOf([...jumps]))
  })

  it.each(['renko:1e-12', 'range:1e-12', 'renko:atr1'])('of %s makes no endless work', name => {
    const bars = make(name, atCloses(1e300, 1e-9, 60_000, 60_000.5, -1e12, 5))
    expect(bars.length).toBeLessThanOrEqual(maxBars.unshared)
    for (const { open, close } of bars) expect(Number.isFinite(open + close)).toBe(true)
  })
})
