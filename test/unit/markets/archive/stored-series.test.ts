import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../bench/random.js'
import type { Candle } from '../../../../src/candles/candle.js'
import { type CandleBlock, columnNames } from '../../../../src/candles/columns.js'
import { endOf, openOf } from '../../../../src/candles/timeframe.js'
import type { KeyValueStore } from '../../../../src/contract/storage/stores.js'
import { Archive } from '../../../../src/markets/archive/archive.js'
import { copySeries, headsOf } from '../../../../src/markets/archive/archive-copy.js'
import { chunkKey, chunkRange, headKey } from '../../../../src/markets/archive/archive-keys.js'
import {
  CorruptChunk,
  checkChunk,
  chunkSize,
  countOf,
  cutInSteps,
  cutIntoChunks,
  decodeChunk,
  encodeChunk,
  lastTimeOf,
  packedSize,
  readChunk,
} from '../../../../src/markets/archive/chunk-codec.js'
import { type Findings, type StoredEntry, salvage } from '../../../../src/markets/archive/salvage.js'
import {
  decodeHead,
  emptyHead,
  encodeHead,
  writtenHourOf,
} from '../../../../src/markets/archive/series-head.js'
import { OpenTimes, spansToFetch } from '../../../../src/markets/history/backfill.js'
import { finish } from '../../../../src/runtime/scheduler.js'
import { memoryKeyValues } from '../../../support/memory-key-values.js'

const key = 'x:币/%:1m'
const candle = (minute: number): Candle => ({
  timestamp: minute * 60,
  open: minute,
  high: minute + 1,
  low: minute - 1,
  close: minute + 0.5,
  volume: minute * 2,
})
const span = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => candle(from + k))

const candlesIn = (blocks: Iterable<CandleBlock>) =>
  [...blocks].flatMap(({ columns, from, to }) =>
    Array.from({ length: to - from }, (_, k) => columns.read(from + k)),
  )

/** Stored bytes in a form that is compared at once. */
const textOf = (entries: Iterable<readonly [string, Uint8Array]>) =>
  Array.from(entries, ([name, bytes]) => `${name} ${Buffer.from(bytes).toString('base64')}`).sort()

/** Bytes with a changed part and a checksum that is right again: that of all but the last four bytes of a header. */
function changed(bytes: Uint8Array, checksumAt: number, change: (view: DataView) => void): Uint8Array {
  const copy = Uint8Array.from(bytes)
  const view = new DataView(copy.buffer)
  change(view)
  view.setUint32(checksumAt, crc32(copy.subarray(checksumAt + 4), crc32(copy.subarray(0, checksumAt))), true)
  return copy
}

describe('a chunk', () => {
  const stored = chunkKey(key, 600)
  const bytes = encodeChunk(span(10, 30))

  it('has its candles, in bytes at any place', () => {
    const elsewhere = new Uint8Array(bytes.byteLength + 3)
    elsewhere.set(bytes, 3)
    expect(checkChunk(stored, elsewhere.subarray(3))).toBe(20)
    expect(decodeChunk(stored, elsewhere.subarray(3))).toEqual(span(10, 30))
    expect(lastTimeOf(bytes)).toBe(29 * 60)
  })

  it.each([
    ['cut within its head', bytes.subarray(0, 31), 'it is cut short'],
    ['cut by a candle', bytes.subarray(0, -48), 'it is cut short'],
    ['longer than it says', Uint8Array.from([...bytes, 0]), 'it is cut short'],
    ['without its mark', changed(bytes, 28, view => view.setUint32(0, 1, true)), 'it is no chunk of candles'],
    [
      'of another version',
      changed(bytes, 28, view => view.setUint16(4, 3, true)),
      'its version 3 is not known',
    ],
    [
      'with another value',
      Uint8Array.from(bytes, (byte, at) => (at === 200 ? byte + 1 : byte)),
      'its checksum is wrong',
    ],
    [
      'without candles',
      changed(bytes, 28, view => view.setUint16(6, 0, true)).subarray(0, 32),
      'its checksum is wrong',
    ],
    [
      'with another first time',
      changed(bytes, 28, view => view.setFloat64(8, 660, true)),
      'it is not where it belongs',
    ],
    [
      'with another last time',
      changed(bytes, 28, view => view.setFloat64(16, 660, true)),
      'its times are not ascending',
    ],
    [
      'with a time twice',
      changed(bytes, 28, view => view.setFloat64(40, 600, true)),
      'its times are not ascending',
    ],
    [
      'whose first candle opens before it',
      changed(bytes, 28, view => view.setFloat64(32, 540, true)),
      'its times are not ascending',
    ],
  ])('that is %s is refused', (_, damaged, reason) => {
    expect(() => readChunk(stored, damaged)).toThrow(reason)
  })

  it('that holds nothing is refused, and is never made', () => {
    const empty = changed(bytes.subarray(0, 32), 28, view => view.setUint16(6, 0, true))
    expect(() => readChunk(stored, empty)).toThrow('it is not where it belongs')
    expect(() => encodeChunk([candle(2), candle(2)])).toThrow('not ascending')
  })

  it('has as many candles as go into one, and the last one the rest', () => {
    const candles = span(0, 2 * packedSize + chunkSize + 7)
    const cut = cutIntoChunks(key, candles)
    const starts = [0, packedSize, 2 * packedSize, 2 * packedSize + chunkSize]
    expect(cut.map(([name]) => name)).toEqual(starts.map(at => chunkKey(key, at * 60)))
    expect(cut.flatMap(([name, part]) => decodeChunk(name, part))).toEqual(candles)
  })

  it('is the same where many are cut in steps', () => {
    const candles = span(0, 12_000)
    const steps = cutInSteps(key, candles)
    let count = 0
    let step = steps.next()
    for (; !step.done; step = steps.next()) count++
    expect(count, 'between three steps of twenty chunks').toBe(2)
    expect(textOf(step.value as [string, Uint8Array][])).toEqual(textOf(cutIntoChunks(key, candles)))
  })
})

describe('a packed chunk', () => {
  const stored = chunkKey(key, 600)
  const bytes = encodeChunk(span(10, 30), true)
  const bitsOf = (candles: readonly Candle[]) =>
    Buffer.from(
      Float64Array.from(candles.flatMap(one => columnNames.map(name => one[name]))).buffer,
    ).toString('hex')

  /** Prices of a market with `digits` digits, also below 0, and volumes. */
  const decimal = fc
    .tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: -1e9, max: 1e9 }))
    .map(([digits, whole]) => whole / 10 ** digits)
  const unusual = fc.constantFrom(
    -0,
    0,
    1 / 3,
    0.1 + 0.2,
    5e-324,
    2 ** -1022,
    1.7976931348623157e308,
    -(2 ** 53),
    2 ** 50 + 1,
    1e15 / 3,
    Number.NaN,
    Number.NEGATIVE_INFINITY,
  )
  const markets = fc.record({
    times: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 300 }),
    numbers: fc.infiniteStream(
      fc.oneof({ weight: 50, arbitrary: decimal }, { weight: 1, arbitrary: unusual }),
    ),
    step: fc.constantFrom(1, 60, 86_400),
    mix: fc.boolean(),
  })

  const pick = ({ timestamp, close }: Candle) => ({ timestamp, close })

  it('has every number bit for bit, whatever it is', () => {
    fc.assert(
      fc.property(markets, fc.infiniteStream(decimal), ({ times, numbers, step, mix }, decimals) => {
        let timestamp = -7
        const next = () => (mix ? numbers : decimals).next().value as number
        const candles = times.map(steps => {
          timestamp += steps * step
          return { timestamp, open: next(), high: next(), low: next(), close: next(), volume: next() }
        })
        const name = chunkKey(key, (candles[0] as Candle).timestamp)
        const chunk = encodeChunk(candles, true)
        expect(bitsOf(decodeChunk(name, chunk))).toBe(bitsOf(candles))
        const read = readChunk(name, chunk, true)
        const closes = candles.map((_, at) => ({ ...candle(0), ...pick(read.read(at)) }))
        expect(bitsOf(closes), 'times and closes alone').toBe(
          bitsOf(candles.map(one => ({ ...candle(0), ...pick(one) }))),
        )
      }),
      { numRuns: 200 },
    )
    for (const number of [...'0123456'].map(digit => Number(digit) * 2 ** 51))
      for (const volume of [number, -number, number / 1e15]) {
        const candles = [
          { ...candle(10), volume },
          { ...candle(11), open: -volume, volume: -0 },
        ]
        expect(bitsOf(decodeChunk(stored, encodeChunk(candles, true)))).toBe(bitsOf(candles))
      }
  })

  it('of a market with decimal numbers takes less than twelve bytes a candle', () => {
    const next = createRandom(7)
    const random = (from: number, to: number) => from + Math.floor(next() * (to - from))
    let close = 6_000_000
    const candles = Array.from({ length: packedSize }, (_, i): Candle => {
      const open = close + random(-3, 3)
      close = open + random(-4000, 4000)
      const [high, low] = [Math.max(open, close) + random(0, 2000), Math.min(open, close) - random(0, 2000)]
      const [o, h, l, c] = [open, high, low, close].map(cents => cents / 100) as [
        number,
        number,
        number,
        number,
      ]
      return { timestamp: i * 60, open: o, high: h, low: l, close: c, volume: random(0, 2 ** 31) / 1e8 }
    })
    const packed = encodeChunk(candles, true)
    expect(decodeChunk(chunkKey(key, 0), packed)).toEqual(candles)
    expect(packed.byteLength / packedSize).toBeLessThan(12)
  })

  it.each([
    ['cut by a byte', bytes.subarray(0, -1), 'its checksum is wrong'],
    ['without a part', changed(bytes.subarray(0, -4), 28, () => {}), 'it cannot be unpacked'],
    ['with fewer candles', changed(bytes, 28, view => view.setUint16(6, 19, true)), 'it cannot be unpacked'],
    ['with more candles', changed(bytes, 28, view => view.setUint16(6, 21, true)), 'it cannot be unpacked'],
    [
      'with another last time',
      changed(bytes, 28, view => view.setFloat64(16, 660, true)),
      'its times are not',
    ],
  ])('that is %s is refused', (_, damaged, reason) => {
    expect(() => readChunk(stored, damaged)).toThrow(reason)
  })

  it('has all candles but those to which others will be appended', () => {
    const cut = (count: number, isNewest: boolean) =>
      cutIntoChunks(key, span(0, count), isNewest).map(([, part]) => countOf(part))
    expect(cut(255, true)).toEqual([255])
    expect(cut(256, true)).toEqual([255, 1])
    expect(cut(9000, true)).toEqual([4080, 4080, 765, 75])
    expect(cut(9000, false)).toEqual([4080, 4080, 840])
    for (const count of [4080, 4081, 9000])
      expect(textOf(finish(cutInSteps(key, span(0, count))) as [string, Uint8Array][])).toEqual(
        textOf(cutIntoChunks(key, span(0, count))),
      )
  })
})

describe('a head', () => {
  const numbers = { count: 5, first: 60, last: 300, depth: 7, requestedDepth: 9, revision: 11, bytes: 4096 }
  const times = { wholeFrom: 13, scaledFrom: 17, priceScale: 0.5, volumeScale: 2, knownSince: 19 }
  const head = { ...numbers, ...times, isIncomplete: true, isDerived: true }
  const bytes = encodeHead(head, 4711)
  const checksumAt = bytes.byteLength - 4

  it('has its fields', () => {
    expect(decodeHead(bytes)).toEqual(head)
  })

  it('has the hour of its last change', () => {
    expect(writtenHourOf(bytes)).toBe(4711)
  })

  it.each([
    ['that is missing', undefined],
    ['that is cut short', bytes.subarray(0, -1)],
    ['without its mark', changed(bytes, checksumAt, view => view.setUint32(0, 1, true))],
    ['of another version', changed(bytes, checksumAt, view => view.setUint16(4, 3, true))],
    ['with another value', Uint8Array.from(bytes, (byte, at) => (at === 8 ? byte + 1 : byte))],
  ])('%s is not read', (_, damaged) => {
    expect(decodeHead(damaged)).toBe(undefined)
  })
})

describe('a series is copied', () => {
  const head = headKey(key)
  const filled = (candles: readonly Candle[], revision = 1) => {
    const store = memoryKeyValues()
    const stored = encodeHead({ ...emptyHead, revision }, 0)
    store.keyValues.write(() => [
      [head, stored],
      ...cutIntoChunks(key, candles),
      ...['a:A:1m', 'y:A:1m'].flatMap(other => [
        [headKey(other), stored] as const,
        ...cutIntoChunks(other, span(0, 5)),
      ]),
      ['symbols/x', stored],
    ])
    return store
  }
  const ofSeries = ({ bytes }: ReturnType<typeof memoryKeyValues>) =>
    textOf([...bytes].filter(([name]) => name.includes(head.slice('head'.length))))

  it('as it is, alone, once', async () => {
    const source = filled(span(0, 510))
    const target = memoryKeyValues()
    expect(await headsOf(source.keyValues)).toEqual([headKey('a:A:1m'), head, headKey('y:A:1m')])
    expect(await copySeries(source.keyValues, target.keyValues, head, false)).toBe('copied')
    expect(textOf(target.bytes)).toEqual(ofSeries(source))
    expect(await copySeries(source.keyValues, target.keyValues, head, false)).toBe('same')
  })

  it.each([
    ['other candles', filled(span(1000, 1510))],
    ['other bytes under the same keys', filled(span(0, 510).map(one => ({ ...one, volume: 1 })))],
    ['another head', filled(span(0, 510), 2)],
    ['fewer candles', filled(span(0, 255))],
    ['more candles', filled(span(0, 765))],
  ])('over one with %s only where that is wanted', async (_, target) => {
    const source = filled(span(0, 510))
    const before = textOf(target.bytes)
    expect(await copySeries(source.keyValues, target.keyValues, head, false)).toBe('different')
    expect(textOf(target.bytes)).toEqual(before)
    expect(await copySeries(source.keyValues, target.keyValues, head, true)).toBe('copied')
    expect(ofSeries(target)).toEqual(ofSeries(source))
  })

  it('packed as it is, with corrections, to a store that nodes share', async () => {
    const source = memoryKeyValues()
    const archive = new Archive(source.keyValues, { depth: 2000, correctionsDays: 1 })
    archive.write(key, span(0, 1500))
    archive.write(key, [{ ...candle(7), volume: 1 }])
    const target = memoryKeyValues()
    const shared = { ...target.keyValues, prepare: () => undefined }
    expect(await copySeries(source.keyValues, shared, head, false)).toBe('copied')
    expect(textOf(target.bytes)).toEqual(textOf(source.bytes))
    const expected = span(0, 1500).with(7, { ...candle(7), volume: 1 })
    expect(candlesIn(new Archive(shared, { depth: 2000 }).blocks(key))).toEqual(expected)
    expect(await copySeries(source.keyValues, shared, head, false)).toBe('same')
  })

  it('or the copy fails in words where it cannot be read back', async () => {
    const target = memoryKeyValues()
    await expect(
      copySeries(filled(span(0, 5)).keyValues, { ...target.keyValues, write() {} }, head, false),
    ).rejects.toThrow(`${head} could not be read back`)
  })

  it('between stores whose bytes are elsewhere', async () => {
    const done: string[] = []
    const remote = (
      name: string,
      { keyValues: chunks }: ReturnType<typeof memoryKeyValues>,
    ): KeyValueStore => ({
      ...chunks,
      prepare: async stored => void done.push(`${name} ${stored}`),
      prepareHeads: async () => void done.push(`${name} heads`),
      flush: async () => void done.push(`${name} flush`),
    })
    const source = remote('source', filled(span(0, 5)))
    await headsOf(source)
    await copySeries(source, remote('target', memoryKeyValues()), head, false)
    expect(done).toEqual([
      'source heads',
      `source ${head}`,
      `target ${head}`,
      'target flush',
      `target ${head}`,
    ])
  })
})

describe('the blocks of a series', () => {
  const { bytes, keyValues } = memoryKeyValues()
  const archive = new Archive(keyValues, { depth: 100_000 })
  // A week with a day without trades, and another series on each side.
  const stored = [...span(0, 4000), ...span(5440, 10_080)]
  archive.write(key, stored)
  for (const other of ['x:币/$:1m', 'x:币/&:1m']) archive.write(other, span(0, 20_000))
  it('have the candles of a time, each once, in their order', () => {
    expect(candlesIn(archive.blocks(key))).toEqual(stored)
    const time = fc.integer({ min: -600, max: 700_000 })
    fc.assert(
      fc.property(time, fc.integer({ min: 0, max: 60_000 }), (from, length) => {
        const expected = stored.filter(one => one.timestamp >= from && one.timestamp <= from + length)
        expect(candlesIn(archive.blocks(key, from, from + length))).toEqual(expected)
      }),
      { numRuns: 50 },
    )
    expect(candlesIn(archive.blocks('x:B:1m'))).toEqual([])
  })

  it('are as many as requested, from the oldest of them on', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), count => {
        expect(archive.oldestOf(key, count)).toBe(stored.slice(-count)[0]?.timestamp)
      }),
      { numRuns: 50 },
    )
    expect(archive.oldestOf('x:B:1m', 1)).toBeUndefined()
  })

  it('go on where they were when the series changes between two of them', () => {
    const blocks = archive.blocks(key)
    const first = blocks.next().value as CandleBlock
    archive.write(key, [{ ...candle(9000), volume: 7 }, ...span(10_080, 10_400)])
    const all = [...candlesIn([first]), ...candlesIn(blocks)]
    const expected = [...stored, ...span(10_080, 10_400)].map(one =>
      one.timestamp === 540_000 ? { ...one, volume: 7 } : one,
    )
    expect(all).toEqual(expected)
    archive.replace(key, stored)
    expect(archive.info(key)).toMatchObject({ count: stored.length, first: 0, last: 10_079 * 60 })
  })

  it('end with an error where candles cannot be read, which stay as they are', () => {
    const damaged = [...bytes.keys()].filter(name => name.startsWith(chunkRange(key)[0])).at(-2) as string
    const sound = bytes.get(damaged) as Uint8Array
    const spoiled = Uint8Array.from(sound, (byte, at) => (at === 100 ? byte + 1 : byte))
    bytes.set(damaged, spoiled)
    expect(() => candlesIn(archive.blocks(key))).toThrow(CorruptChunk)
    expect(candlesIn(archive.blocks(key, 0, 60_000))).toEqual(span(0, 1001))
    expect(bytes.get(damaged)).toBe(spoiled)
    bytes.set(damaged, sound)
  })
})

describe('a damaged archive', () => {
  const [a1, a2, a3] = [0, 300, 600].map(from => cutIntoChunks('A', span(from, from + 5))[0]) as [
    string,
    Uint8Array,
  ][]
  const [b1] = cutIntoChunks('B', span(0, 5)) as [[string, Uint8Array]]
  type Pair = readonly [string, Uint8Array | undefined]
  const entry = ([stored, bytes]: Pair): StoredEntry => ({ key: stored, bytes })
  /** Kept series with the numbers of their chunks, and the findings. */
  const kept = (...entries: (Pair | 'lost' | undefined)[]) => {
    const findings: Findings = { kept: 0, dropped: 0, holes: 0, depths: new Map() }
    const series = [
      ...salvage(
        entries.map(one => (one === 'lost' ? one : entry(one as Pair))),
        findings,
      ),
    ].map(
      ({ series, chunks }) =>
        `${series} ${chunks.map(([stored]) => Number.parseInt(stored.slice(-11), 16) - 2 ** 40).join()}`,
    )
    const { depths, ...counts } = findings
    return { series, ...counts, depths: [...depths] }
  }

  it('is kept as it is where nothing is damaged', () => {
    const head = [headKey('A'), encodeHead({ ...emptyHead, depth: 7 }, 0)] as const
    expect(kept(a1, a2, b1, head, ['symbols/x', undefined])).toEqual({
      ...{ series: ['A 0,18000', 'B 0'], kept: 3, dropped: 0, holes: 0 },
      depths: [['A', 7]],
    })
    expect(kept([headKey('A'), undefined]).depths).toEqual([['A', 0]])
  })

  it('is kept from the newest hole of a series on', () => {
    expect(kept(a1, 'lost', a2, a3, b1)).toMatchObject({
      series: ['A 18000,36000', 'B 0'],
      kept: 3,
      dropped: 1,
      holes: 1,
    })
    expect(kept(a1, [a2?.[0] as string, undefined], a3)).toMatchObject({
      series: ['A 36000'],
      kept: 1,
      dropped: 2,
    })
    expect(kept(a1, [a2?.[0] as string, (a1 as Pair)[1]], a3)).toMatchObject({
      series: ['A 36000'],
      dropped: 2,
      holes: 0,
    })
    expect(kept(a1, ['candles/A', undefined], a2)).toMatchObject({ series: ['A 18000'], dropped: 1 })
    expect(kept(a1, ['symbols/A', undefined], a2)).toMatchObject({ series: ['A 0,18000'], dropped: 0 })
  })

  it('has nothing of a series whose end is damaged', () => {
    expect(kept(a1, [a2?.[0] as string, undefined], b1)).toMatchObject({
      series: ['B 0'],
      kept: 1,
      dropped: 2,
    })
  })

  it.each(['candles/A/0123', `x${chunkKey('A', 0)}`, `${chunkKey('A', 0)}0`, 'candles//10000000000'])(
    'has a hole where the key %s stands',
    damaged => {
      expect(kept(a1, [damaged, (a1 as Pair)[1]], a2)).toMatchObject({ series: ['A 18000'], dropped: 1 })
    },
  )
})

describe('the spans that a backfill asks for', () => {
  const spans = (
    times: readonly number[],
    now: number,
    options: { requested?: number; depth?: number } = {},
  ) => {
    const opens = new OpenTimes('1m')
    for (const time of times) opens.push(time * 60)
    return spansToFetch({
      times: opens,
      now: now * 60,
      timeframe: '1m',
      requestedDepth: options.requested ?? 0,
      depth: options.depth ?? 1000,
      batchSize: 10,
    }).map(({ from, to }) => [from / 60, to / 60])
  }
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => from + k)

  it('count the candles of all timeframes, which are taken from the newest on', () => {
    for (const timeframe of ['1m', '1d', '1w', '1M'] as const) {
      let open = openOf(timeframe, 1_600_000_000)
      const all: number[] = []
      for (let k = 0; k < 200; k++, open = endOf(timeframe, open)) if (k % 37 > 1) all.push(open)
      // One that opens within another one.
      all.push((all.at(-1) as number) + 7)
      const times = new OpenTimes(timeframe)
      for (const time of all) times.push(time)
      for (const [from, most] of [
        [all.at(-3), 2],
        [Number.NEGATIVE_INFINITY, 50],
        [all[90], 500],
        [all[80], 3],
        [Number.NEGATIVE_INFINITY, 500],
      ] as const) {
        const wanted = all.filter(time => time >= (from as number)).slice(-most)
        expect(times.take(from as number, most)).toEqual({ count: wanted.length, oldest: wanted[0] })
        all.splice(all.length - wanted.length)
        expect([times.length, times.newest]).toEqual([all.length, all.at(-1)])
      }
    }
  })

  it('are none without candles, and where none is missing', () => {
    expect(spans([], 100)).toEqual([])
    expect(spans(range(90, 100), 100)).toEqual([])
  })

  it('begin with the newest candle again, where others have closed since', () => {
    expect(spans(range(90, 100), 101)).toEqual([[99, 101]])
  })

  it('are the gaps, the newest first, together where one request holds them', () => {
    expect(spans([...range(0, 5), ...range(20, 25), ...range(60, 65)], 65)).toEqual([
      [25, 60],
      [5, 20],
    ])
    expect(spans([1, 3, 5, 30, 50], 51)).toEqual([
      [31, 50],
      [6, 30],
      [2, 5],
    ])
    expect(spans([1, 5, 12], 13), 'ten from 2 to 12').toEqual([[2, 12]])
    expect(spans([0, 5, 12], 13)).toEqual([
      [6, 12],
      [1, 5],
    ])
  })

  it('are no gaps among what was asked for before, unless they are as long as a request', () => {
    const times = [...range(0, 5), ...range(7, 10), ...range(19, 25), ...range(34, 40)]
    expect(spans(times, 40)).toEqual([
      [25, 34],
      [10, 19],
      [5, 7],
    ])
    expect(spans(times, 40, { requested: 9 }), 'from 22 on').toEqual([
      [10, 19],
      [5, 7],
    ])
    expect(spans(times, 40, { requested: 1000 })).toEqual([])
    expect(spans([0, 11], 12, { requested: 1000 })).toEqual([[1, 11]])
    expect(spans([0, 10], 11, { requested: 1000 })).toEqual([])
  })

  it('are not those of candles beyond the depth', () => {
    expect(spans([0, 20, 21, 22], 23, { depth: 3 })).toEqual([])
    expect(spans([0, 20, 21, 22], 23, { depth: 4 })).toEqual([[1, 20]])
  })
})
