import { afterEach, describe, expect, it, vi } from 'vitest'
import { packCandles } from '../../../../src/candles/candle.js'
import { CandleChannel } from '../../../../src/markets/exchanges/channel.js'
import { ExchangeRegistry } from '../../../../src/markets/exchanges/registry.js'
import { listedSymbol, type Source, SourceFailure } from '../../../../src/markets/exchanges/source.js'
import type { SourcePorts } from '../../../../src/markets/exchanges/source-factory.js'
import { ExchangeThread, RemoteSource } from '../../../../src/markets/exchanges/worker/exchange-thread.js'
import type { FromThread, ToThread } from '../../../../src/markets/exchanges/worker/messages.js'
import { LocalThread } from '../../../support/exchange-thread.js'
import { candleAt } from '../../../support/scripted-source.js'

const never = new Promise<never>(() => {})
const candles = [60, 120, 180].map(timestamp => candleAt(timestamp))

let open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const each of open) await each.close()
  open = []
})

/** A thread whose exchanges are all `source`, and its reports. */
function setUp(source: Partial<Source>, ports: SourcePorts = {}) {
  const threads: LocalThread[] = []
  const sent: FromThread[] = []
  const faults: Error[] = []
  let created: SourcePorts = {}
  const thread = new ExchangeThread({
    start: () => {
      const local = new LocalThread((_, given) => {
        created = given
        return { symbols: () => [], candles: () => candles, ...source }
      })
      local.on('message', message => sent.push(message))
      threads.push(local)
      return local
    },
    onFault: error => faults.push(error),
    ...ports,
  })
  open.push(thread)
  return {
    thread,
    threads,
    sent,
    faults,
    source: new RemoteSource(thread, 'kraken'),
    /** Ports that the source in the thread reports to. */
    inThread: () => created,
  }
}

const failureOf = (answer: unknown): Promise<SourceFailure> =>
  Promise.resolve(answer).then(
    () => expect.fail('the call succeeded'),
    error => error,
  )

describe('a question', () => {
  it('starts the thread, which is one for all exchanges', async () => {
    const { thread, threads, source } = setUp({})
    expect(threads).toHaveLength(0)
    await source.candles('BTCUSD', '1m', 3)
    await new RemoteSource(thread, 'binance').candles('BTCUSDT', '1m', 3)
    expect(threads).toHaveLength(1)
  })

  it('for candles is answered with those of the source', async () => {
    const asked = vi.fn(async () => candles)
    const { source } = setUp({ candles: asked })
    expect(await source.candles('BTCUSD', '1m', 3, { until: 240, isBackground: true })).toEqual(candles)
    expect(await source.candles('BTCUSD', '1h', 1)).toEqual(candles)
    expect(asked.mock.calls).toEqual([
      ['BTCUSD', '1m', 3, { until: 240, isBackground: true }],
      ['BTCUSD', '1h', 1, {}],
    ])
  })

  it('fails with the failure of the source, and with what caused it', async () => {
    const cause = Object.assign(new Error('no way'), { name: 'RequestTimeout', code: 'ECONNREFUSED' })
    const details = { retryAfter: 47, near: ['BTCUSD'], cause }
    const { source } = setUp({
      candles: async () => {
        throw new SourceFailure('unknown-symbol', 'Symbol not found: BTCUSX on kraken', details)
      },
    })
    const failure = await failureOf(source.candles('BTCUSX', '1m', 3))
    expect(failure).toBeInstanceOf(SourceFailure)
    expect(failure).toMatchObject({
      name: 'SourceFailure',
      kind: 'unknown-symbol',
      message: 'Symbol not found: BTCUSX on kraken',
      retryAfter: 47,
      near: ['BTCUSD'],
      cause: { name: 'RequestTimeout', message: 'no way', code: 'ECONNREFUSED', stack: cause.stack },
    })
  })

  it('fails without a cause where the source gives none', async () => {
    const { source } = setUp({
      candles: () => {
        throw new SourceFailure('unavailable', 'Timeframe 1w is not offered by kraken')
      },
    })
    const failure = await failureOf(source.candles('BTCUSD', '1w', 3))
    expect(failure).toBeInstanceOf(SourceFailure)
    expect([failure.cause, failure.retryAfter]).toEqual([undefined, undefined])
  })

  it('fails with a bug of the source as it is, whose text is not longer than a page', async () => {
    const { source } = setUp({
      candles: () => {
        throw new RangeError('x'.repeat(10_000_000))
      },
    })
    const bug = await failureOf(source.candles('BTCUSD', '1m', 3))
    expect(bug).not.toBeInstanceOf(SourceFailure)
    expect(bug.name).toBe('RangeError')
    expect(bug.message).toMatch(/^x{4000}… \(10000000 characters\)$/)
    expect(bug.stack?.length).toBeLessThan(5000)
  })

  it('for symbols gets the list through the thread only when it has changed', async () => {
    let list: readonly string[] = Object.freeze(['BTCUSD', 'ETHUSD'])
    const { source, sent } = setUp({ symbols: async () => list })
    const lists = () => sent.filter(each => each.kind === 'answer' && Array.isArray(each.answer)).length
    expect(await source.symbols()).toEqual(['BTCUSD', 'ETHUSD'])
    expect(await source.symbols()).toEqual(['BTCUSD', 'ETHUSD'])
    expect(lists()).toBe(1)
    list = Object.freeze([...list, 'XRPUSD'])
    expect(await source.symbols()).toEqual(['BTCUSD', 'ETHUSD', 'XRPUSD'])
    expect(lists()).toBe(2)
    expect(Object.isFrozen(await source.symbols())).toBe(true)
  })

  it('shows spellings after whatever has made the source fetch them', async () => {
    const { thread, inThread } = setUp({
      candles: async symbol => {
        if (symbol !== 'BRKB') return candles
        inThread().onSpellings?.(new Map([['BRKB', 'BRK.B']]))
        throw new SourceFailure('unknown-symbol', 'Symbol not found')
      },
    })
    const source = new RemoteSource(thread, 'stocks', { freshSeconds: 15 })
    await source.candles('AAPL', '1d', 3)
    expect(listedSymbol(source, 'BRKB')).toBe('BRKB')
    await failureOf(source.candles('BRKB', '1d', 3))
    expect(listedSymbol(source, 'BRKB')).toBe('BRK.B')
    expect(listedSymbol(source, 'AAPL')).toBe('AAPL')
  })
})

describe('what a source reports', () => {
  it('is counted: anomalies, each as often as it occurred', async () => {
    const onAnomaly = vi.fn()
    const { source, inThread, sent } = setUp(
      {
        candles: async () => {
          for (let k = 0; k < 3; k++) inThread().onAnomaly?.('gap', 'kraken')
          inThread().onAnomaly?.('duplicate', 'kraken')
          return candles
        },
      },
      { onAnomaly },
    )
    await source.candles('BTCUSD', '1m', 3)
    expect(onAnomaly.mock.calls).toEqual([
      ['gap', 'kraken'],
      ['gap', 'kraken'],
      ['gap', 'kraken'],
      ['duplicate', 'kraken'],
    ])
    expect(sent.filter(({ kind }) => kind === 'anomalies')).toHaveLength(2)
  })

  it('is stored: its list of symbols, which it gets from the store at first', async () => {
    const stored = { listed: 1_700_000_000, symbols: ['OLDUSD'] }
    const list = { listed: 1_700_000_060, symbols: ['NEWUSD'] }
    const symbolCache = { get: vi.fn(() => stored), set: vi.fn() }
    const { source, inThread } = setUp(
      {
        symbols: async () => {
          const { symbols = [] } = inThread().symbolCache?.get('kraken') ?? {}
          inThread().symbolCache?.set('kraken', list)
          return symbols
        },
      },
      { symbolCache },
    )
    expect(await source.symbols()).toEqual(['OLDUSD'])
    await source.symbols()
    expect(symbolCache.get.mock.calls).toEqual([['kraken']])
    expect(symbolCache.set.mock.calls).toEqual(Array(2).fill(['kraken', list]))
  })
})

describe('a stream', () => {
  /** A source with a stream, and that stream. */
  function setUpStream() {
    const channel = new CandleChannel()
    const opened: { signal?: AbortSignal } = {}
    const set = setUp({
      watch: async (_symbol, _timeframe, signal) => {
        opened.signal = signal
        signal.addEventListener('abort', () => channel.end())
        return channel
      },
    })
    return { ...set, channel, opened }
  }

  it('emits the candles of the source, until its signal aborts', async () => {
    const { source, channel, opened } = setUpStream()
    const controller = new AbortController()
    const stream = (await source.watch('BTCUSD', '1m', controller.signal)) as CandleChannel
    const iterator = stream[Symbol.asyncIterator]()
    channel.push(candles.slice(0, 1))
    expect((await iterator.next()).value).toEqual(candles.slice(0, 1))
    channel.push(candles.slice(1))
    expect((await iterator.next()).value).toEqual(candles.slice(1))
    controller.abort()
    expect((await iterator.next()).done).toBe(true)
    await expect.poll(() => opened.signal?.aborted).toBe(true)
    expect(opened.signal?.reason).not.toBeInstanceOf(SourceFailure)
  })

  it('passes on as many messages as a turn of the event loop has time for, in their order', async () => {
    const { source, threads } = setUpStream()
    const stream = await source.watch('BTCUSD', '1m', new AbortController().signal)
    const iterator = (stream as CandleChannel)[Symbol.asyncIterator]()
    const [local] = threads
    const question = local?.received.find(({ kind }) => kind === 'question')
    const { id } = question as ToThread & { kind: 'question' }
    await new Promise(resolve => setImmediate(resolve))
    const minutes: number[] = []
    /** Number of arrived candles at the end of each turn. */
    const counts: number[] = []
    const count = () => {
      counts.push(minutes.length)
      if (minutes.length < 250) setImmediate(count)
    }
    setImmediate(count)
    // Each takes 40 microseconds, and so a hundred all of a turn.
    let time = performance.now()
    const now = vi.spyOn(performance, 'now').mockImplementation(() => (time += 0.04))
    for (let minute = 1; minute <= 250; minute++)
      local?.emit('message', { kind: 'streamed', id, candles: packCandles([candleAt(minute * 60)]) })
    while (minutes.length < 250)
      for (const { timestamp } of (await iterator.next()).value ?? []) minutes.push(timestamp / 60)
    await new Promise(resolve => setImmediate(resolve))
    now.mockRestore()
    expect(minutes).toEqual(Array.from({ length: 250 }, (_, i) => i + 1))
    for (const [at, total] of counts.slice(0, 2).entries())
      expect(Math.abs(total - 100 * (at + 1))).toBeLessThan(5)
  })

  it('that is silent tells the source so', async () => {
    const { source, opened } = setUpStream()
    const controller = new AbortController()
    await source.watch('BTCUSD', '1m', controller.signal)
    controller.abort(new SourceFailure('unavailable', 'the stream of BTCUSD went silent'))
    await expect.poll(() => opened.signal?.reason).toBeInstanceOf(SourceFailure)
  })

  it('that is given up before it is open is ended in the source', async () => {
    const { source, opened } = setUpStream()
    const controller = new AbortController()
    const stream = source.watch('BTCUSD', '1m', controller.signal)
    controller.abort()
    for await (const _ of (await stream) ?? []) expect.fail('candles of a stream that was given up')
    expect(opened.signal?.aborted).toBe(true)
    const late = await source.watch('BTCUSD', '1m', controller.signal)
    for await (const _ of late ?? []) expect.fail('candles of a stream that was given up before')
  })

  it('fails as that of the source', async () => {
    const { source, channel } = setUpStream()
    const stream = await source.watch('BTCUSD', '1m', new AbortController().signal)
    channel.push(candles)
    channel.end(new SourceFailure('unavailable', 'the stream broke off', { cause: new Error('1006') }))
    const seen: unknown[] = []
    const failure = await failureOf(
      (async () => {
        for await (const some of stream ?? []) seen.push(some)
      })(),
    )
    expect(seen).toEqual([candles])
    expect(failure).toBeInstanceOf(SourceFailure)
    expect(failure).toMatchObject({ message: 'the stream broke off', cause: { message: '1006' } })
  })

  it('is none where the source has none, or cannot open it', async () => {
    const { signal } = new AbortController()
    expect(await setUp({}).source.watch('BTCUSD', '1m', signal)).toBeUndefined()
    const { source } = setUp({
      watch: () => {
        throw new SourceFailure('unknown-symbol', 'Symbol not found')
      },
    })
    expect((await failureOf(source.watch('BTCUSD', '1m', signal))).kind).toBe('unknown-symbol')
  })
})

describe('a thread that ends by itself', () => {
  it('fails what it was asked as unavailable; the next question starts another one', async () => {
    let answer: Promise<typeof candles> = never
    const { source, threads, faults } = setUp({
      candles: () => answer,
      symbols: async () => ['BTCUSD'],
      watch: async () => new CandleChannel(),
    })
    const stream = await source.watch('BTCUSD', '1m', new AbortController().signal)
    const failures = [
      failureOf(source.candles('BTCUSD', '1m', 3)),
      failureOf((stream as CandleChannel)[Symbol.asyncIterator]().next()),
    ]
    threads[0]?.crash(new Error('out of memory'))
    for (const failure of await Promise.all(failures)) {
      expect(failure).toBeInstanceOf(SourceFailure)
      expect(failure).toMatchObject({
        kind: 'unavailable',
        message: 'kraken could not be asked: the thread of the exchanges ended',
        retryAfter: 1,
        cause: { message: 'out of memory' },
      })
    }
    expect(faults).toMatchObject([{ cause: { message: 'out of memory' } }])
    answer = Promise.resolve(candles)
    expect(await source.candles('BTCUSD', '1m', 3)).toEqual(candles)
    expect(await source.symbols()).toEqual(['BTCUSD'])
    expect(threads).toHaveLength(2)
  })

  it('again and again is started after a wait that grows; one that ran for long is started at once', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const { source, threads } = setUp({})
    const crash = async () => {
      await source.candles('BTCUSD', '1m', 3)
      threads.at(-1)?.crash(new Error('broken'))
    }
    await crash()
    await crash()
    for (const seconds of [1, 2, 4]) {
      const failure = await failureOf(source.candles('BTCUSD', '1m', 3))
      expect([failure.kind, failure.retryAfter]).toEqual(['unavailable', seconds])
      expect(failure.cause, 'the exchange counts as down').toBeInstanceOf(Error)
      vi.advanceTimersByTime(seconds * 1000 - 1)
      await failureOf(source.candles('BTCUSD', '1m', 3))
      vi.advanceTimersByTime(1)
      await crash()
    }
    expect(threads).toHaveLength(5)
    vi.advanceTimersByTime(8000)
    await source.candles('BTCUSD', '1m', 3)
    vi.advanceTimersByTime(60_001)
    threads.at(-1)?.crash(new Error('broken'))
    await source.candles('BTCUSD', '1m', 3)
    expect(threads).toHaveLength(7)
  })

  it('and cannot be started fails the question', async () => {
    const thread = new ExchangeThread({
      start: () => {
        throw new Error('too many threads')
      },
    })
    const failure = await failureOf(new RemoteSource(thread, 'kraken').symbols())
    expect(failure).toBeInstanceOf(SourceFailure)
    expect(failure.cause).toEqual(new Error('too many threads'))
  })
})

describe('a thread that is stuck', () => {
  it('is ended after a minute without an answer to a ping', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { source, threads, sent, faults } = setUp({ candles: () => never })
    const failure = failureOf(source.candles('BTCUSD', '1m', 3))
    const [local] = threads
    for (let pings = 1; pings <= 8; pings++) {
      vi.advanceTimersByTime(10_000)
      await vi.waitFor(() => expect(sent.filter(({ kind }) => kind === 'pong')).toHaveLength(pings), {
        timeout: 10_000,
      })
    }
    expect(faults, 'while it answers').toEqual([])
    if (local) local.isStuck = true
    vi.advanceTimersByTime(60_000)
    expect(faults).toEqual([])
    vi.advanceTimersByTime(10_000)
    expect((await failure).cause).toMatchObject({ message: 'the thread did not answer for 60 s' })
    expect(faults).toHaveLength(1)
  })

  it('is ended by close all the same', async () => {
    const { thread, threads, source, faults } = setUp({ candles: () => never })
    const failure = failureOf(source.candles('BTCUSD', '1m', 3))
    for (const local of threads) local.isStuck = true
    await thread.close()
    expect((await failure).message).toBe('kraken was closed')
    expect(faults).toEqual([])
  })
})

describe('close', () => {
  it('closes the sources, then ends the thread; questions fail from then on', async () => {
    const close = vi.fn(async () => {})
    const { thread, threads, source } = setUp({ close })
    await source.candles('BTCUSD', '1m', 3)
    const exit = vi.fn()
    threads[0]?.on('exit', exit)
    await Promise.all([thread.close(), thread.close()])
    expect([close.mock.calls.length, exit.mock.calls.length]).toEqual([1, 1])
    expect((await failureOf(source.candles('BTCUSD', '1m', 3))).message).toBe('kraken was closed')
    expect((await failureOf(source.watch('BTCUSD', '1m', new AbortController().signal))).kind).toBe(
      'unavailable',
    )
    expect(threads).toHaveLength(1)
  })

  it('does not start a thread', async () => {
    const { thread, threads } = setUp({})
    await thread.close()
    expect(threads).toHaveLength(0)
  })
})

describe('a worker', () => {
  /** A registry whose thread answers with one candle, unless the symbol names another behaviour. */
  function connect(fixture = 'exchange-worker') {
    const faults: Error[] = []
    const registry = new ExchangeRegistry({
      exchanges: {},
      stocks: {},
      fetchTimeoutMs: 1000,
      onFault: error => faults.push(error),
      worker: new URL(`../../fixtures/${fixture}.mjs`, import.meta.url),
    })
    open.push(registry)
    const find = (id: string) => registry.find(id)?.source as RemoteSource
    return { faults, source: find('kraken'), stocks: find('stocks') }
  }

  it.each(['EXIT', 'THROW'])('that ends by %s is replaced', async symbol => {
    const { faults, source } = connect()
    const failure = await failureOf(source.candles(symbol, '1m', 1))
    expect(failure).toMatchObject({ kind: 'unavailable', cause: expect.any(Error) })
    expect(faults).toHaveLength(1)
    expect(await source.candles('BTCUSD', '1m', 1)).toEqual([candleAt(60)])
  })

  it('that never ends a question is ended by close', async () => {
    const { source } = connect()
    const failure = failureOf(source.candles('LOOP', '1m', 1))
    await Promise.all(open.splice(0).map(each => each.close()))
    expect((await failure).message).toBe('kraken was closed')
  })

  it('in which a promise is rejected that nobody waits for reports it and goes on', async () => {
    const { faults, stocks } = connect('rejecting-worker')
    for (let count = 1; count <= 2; count++) {
      expect(await stocks.candles('AAPL', '1d', 0)).toEqual([])
      await vi.waitFor(() => expect(faults).toHaveLength(count), { timeout: 10_000 })
    }
    expect(faults[0]).toMatchObject({
      message: 'a promise was rejected without a handler',
      cause: { message: 'left alone' },
    })
  })
})
