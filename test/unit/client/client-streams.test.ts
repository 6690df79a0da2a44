import { describe, expect, it, vi } from 'vitest'
import { Candela, type CandelaError, type Subscription, type Update } from '../../../src/client/index.js'
import { FakeSocket, loseConnection, useFakeSockets } from '../../support/fake-socket.js'

const { last } = FakeSocket
const market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m' } as const
const rsi: Subscription = { ...market, id: 'a', indicator: 'rsi' }

/** What the service answers to a bulk request: the values of so many minutes, by minute. */
interface History {
  readonly from: number
  readonly to: number
  /** The bars of a chart: their minutes and values. */
  readonly bars?: readonly (readonly [minute: number, value: number])[]
}

interface Question {
  readonly constructs: readonly {
    readonly id: string
    readonly symbol: string
    readonly indicators: readonly { readonly id: string; readonly results: number; readonly from?: number }[]
  }[]
}

function start(subscriptions: readonly Subscription[] = [rsi], history?: History) {
  const states: [string, string?][] = []
  const questions: Question[] = []
  const controller = new AbortController()
  const client = new Candela({
    url: 'http://candela',
    key: 'cnd_1',
    WebSocket: FakeSocket,
    fetch: async (_, init) => {
      if (!history) throw new Error('unreachable')
      const question: Question = JSON.parse(String(init?.body))
      questions.push(question)
      const answer = ({ results, from: first }: { readonly results: number; readonly from?: number }) => {
        if (first !== undefined) {
          const bars = (history.bars ?? []).filter(([minute]) => minute * 60 >= first)
          return { value: bars.map(([, value]) => value), timestamp: bars.map(([minute]) => minute * 60) }
        }
        const from = Math.max(history.from, history.to - results + 1)
        const minutes = Array.from({ length: history.to - from + 1 }, (_, at) => from + at)
        return { value: minutes, timestamp: minutes.map(minute => minute * 60) }
      }
      const constructs = question.constructs.map(({ id, indicators }) => [
        id,
        Object.fromEntries(indicators.map(each => [each.id, answer(each)])),
      ])
      return new Response(JSON.stringify(Object.fromEntries(constructs)))
    },
  })
  const stream = client.stream(subscriptions, {
    signal: controller.signal,
    onState: (state, reason) => states.push(reason ? [state, reason.message] : [state]),
  })
  const read: Update[] = []
  let error: CandelaError | undefined
  let isOver = false
  /** Reads everything that comes. */
  const follow = async () => {
    try {
      for await (const update of stream) read.push(update)
    } catch (caught) {
      error = caught as CandelaError
    }
    isOver = true
  }
  return {
    stream,
    states,
    questions,
    read,
    follow,
    abort: () => controller.abort(),
    get error() {
      return error
    },
    get isOver() {
      return isOver
    },
    /** Minute, value, and whether the candle was closed and whether some before it are missing, of all updates. */
    get rows() {
      return read.map(({ data, closed, gap }) => [
        data.timestamp / 60,
        data.rsi,
        ...(closed ? ['closed'] : []),
        ...(gap ? ['gap'] : []),
      ])
    },
  }
}

useFakeSockets(15 * 60_000)

describe('the closed candles of a stream', () => {
  it('that came while there was no connection are requested and given first', async () => {
    const following = start([rsi, { ...rsi, id: 'b', candleClose: true }], { from: 0, to: 14 })
    void following.follow()
    await last().accept()
    await last().update(10, 10, true)
    await last().update(11, 0.5, false)
    await loseConnection()
    await last().accept()
    await last().update(14, 0.6, false)
    await last().update(14, 14, true)
    expect(
      following.read.filter(({ id }) => id === 'a'),
      'nothing before the answer',
    ).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(100)
    const rowsOf = (id: string) =>
      following.read.filter(each => each.id === id).map(each => [each.data.timestamp / 60, each.data.rsi])
    expect(rowsOf('a')).toEqual([
      [10, 10],
      [11, 0.5],
      [11, 11],
      [12, 12],
      [13, 13],
      [14, 14],
    ])
    expect(rowsOf('b')).toEqual([
      [10, 10],
      [11, 11],
      [12, 12],
      [13, 13],
      [14, 14],
    ])
    expect(following.read.some(({ gap }) => gap)).toBe(false)
    expect(following.questions, 'one request for both').toHaveLength(1)
    expect(following.questions[0]?.constructs[0]?.indicators).toHaveLength(2)
    expect(following.states).toEqual([['open'], ['reconnecting'], ['open']])
    following.abort()
  })

  it('that the service skipped for a slow client are requested as well', async () => {
    // What was sent long ago is read now.
    vi.setSystemTime(20.5 * 60_000)
    const following = start([rsi], { from: 0, to: 20 })
    void following.follow()
    await last().accept()
    await last().update(10, 10, true)
    await last().update(13, 13, true)
    await vi.advanceTimersByTimeAsync(100)
    expect(following.rows).toEqual([10, 11, 12, 13].map(minute => [minute, minute, 'closed']))
    following.abort()
  })

  it('are missed, which the next update says, where the history does not reach back', async () => {
    const following = start([rsi], { from: 12, to: 14 })
    void following.follow()
    await last().accept()
    await last().update(10, 10, true)
    await last().update(14, 14, true)
    await vi.advanceTimersByTimeAsync(100)
    await last().update(15, 15, true)
    expect(following.rows).toEqual([
      [10, 10, 'closed'],
      [12, 12, 'closed', 'gap'],
      [13, 13, 'closed'],
      [14, 14, 'closed'],
      [15, 15, 'closed'],
    ])
    following.abort()
  })

  it('are missed, which the next update says, where the request fails', async () => {
    const following = start()
    void following.follow()
    await last().accept()
    await last().update(10, 10, false)
    await last().update(14, 14, false)
    await vi.advanceTimersByTimeAsync(100)
    await last().update(14, 15, true)
    expect(following.rows).toEqual([
      [10, 10],
      [14, 14, 'gap'],
      [14, 15, 'closed'],
    ])
    following.abort()
  })

  it('of a chart of prices are bars at any time, of which several may have one', async () => {
    const bars = [
      ...[[10, 1] as const, [10, 2] as const, [10, 3] as const, [14, 4] as const],
      ...[[14, 5] as const, [31, 6] as const, [31, 7] as const],
    ]
    const following = start([{ ...rsi, chart: 'renko:5' }], { from: 0, to: 14, bars })
    const send = (minute: number, value: number) =>
      last().say({
        type: 'update',
        subscription: 'demo:btcusdt:1m',
        ...{ indicator: 'rsi', params: { period: 14 }, chart: 'renko:5', closed: true },
        data: { rsi: value, timestamp: minute * 60 },
      })
    void following.follow()
    await last().accept()
    // The newest of three bars of one candle.
    await send(10, 3)
    await send(14, 4)
    await loseConnection()
    await last().accept()
    await send(31, 7)
    await vi.advanceTimersByTimeAsync(100)
    await send(31, 7)
    await send(45, 8)
    await send(45, 9)
    expect(following.read.map(({ data }) => data.rsi)).toEqual([3, 4, 5, 6, 7, 8, 9])
    expect(following.read.some(({ gap }) => gap)).toBe(false)
    expect(following.questions).toHaveLength(1)
    expect(following.questions[0]?.constructs[0]?.indicators[0]).toMatchObject({
      chart: 'renko:5',
      from: 14 * 60,
    })
    following.abort()
  })

  it('are requested once where the market itself lacks candles', async () => {
    const following = start([rsi], { from: 0, to: 10 })
    void following.follow()
    await last().accept()
    await last().update(10, 10, true)
    for (const minute of [20, 30, 40]) {
      await last().update(minute, minute, true)
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(following.rows).toEqual([10, 20, 30, 40].map(minute => [minute, minute, 'closed']))
    expect(following.questions).toHaveLength(1)
    following.abort()
  })

  it('are given once, although a new connection begins with the newest one', async () => {
    const following = start([{ ...rsi, candleClose: true }])
    void following.follow()
    await last().accept()
    await last().update(10, 10, true)
    await loseConnection()
    await last().accept()
    await last().update(10, 10, true)
    await last().update(11, 11, true)
    expect(following.rows).toEqual([10, 11].map(minute => [minute, minute, 'closed']))
    following.abort()
  })
})

describe('a stream that is read slowly', () => {
  it('has the newest forming state of each candle, and all closed candles', async () => {
    const { stream, abort } = start()
    const first = stream.next()
    await last().accept()
    await last().update(10, 1, false)
    expect((await first).value).toMatchObject({ data: { rsi: 1 }, closed: false })
    for (const value of [2, 3]) await last().update(10, value, false)
    await last().update(10, 4, true)
    for (const value of [5, 6]) await last().update(11, value, false)
    expect((await stream.next()).value).toMatchObject({ data: { rsi: 4 }, closed: true })
    expect((await stream.next()).value).toMatchObject({ data: { rsi: 6 }, closed: false })
    abort()
  })

  it('closes its connection with 10,000 updates unread, and goes on from there when they were read', async () => {
    const following = start([rsi], { from: 0, to: 10_005 })
    const first = following.stream.next()
    await last().accept()
    await last().update(0, 0, true)
    await first
    const update = (minute: number) => ({
      type: 'update',
      subscription: 'demo:btcusdt:1m',
      indicator: 'rsi',
      params: { period: 14 },
      closed: true,
      data: { rsi: minute, timestamp: minute * 60 },
    })
    const push = (minute: number) => last().emit('message', { data: JSON.stringify(update(minute)) })
    for (let minute = 1; minute <= 10_000; minute++) push(minute)
    expect(last().isClosed).toBe(false)
    push(10_001)
    await vi.advanceTimersByTimeAsync(0)
    expect(last().isClosed).toBe(true)
    expect(following.states).toEqual([['open']])
    void following.follow()
    await vi.advanceTimersByTimeAsync(250)
    expect(FakeSocket.all).toHaveLength(2)
    await last().accept()
    await last().update(10_005, 10_005, true)
    await vi.advanceTimersByTimeAsync(100)
    expect(following.read.map(({ data }) => data.rsi)).toEqual(
      Array.from({ length: 10_005 }, (_, at) => at + 1),
    )
    following.abort()
  })
})

describe('a connection of a stream', () => {
  it('is opened again after ever longer pauses, until updates come', async () => {
    const following = start()
    void following.follow()
    await last().accept()
    await last().update(10, 10, true)
    for (const ms of [250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000]) {
      const count = FakeSocket.all.length
      await last().lose()
      await vi.advanceTimersByTimeAsync(ms - 1)
      expect(FakeSocket.all).toHaveLength(count)
      await vi.advanceTimersByTimeAsync(1)
      expect(FakeSocket.all).toHaveLength(count + 1)
    }
    await last().accept()
    await last().update(10, 1, false)
    await last().lose()
    const count = FakeSocket.all.length
    await vi.advanceTimersByTimeAsync(250)
    expect(FakeSocket.all).toHaveLength(count + 1)
    following.abort()
  })

  it('is asked for a reply after 30 s of silence, and given up after 15 s more', async () => {
    const following = start()
    void following.follow()
    await last().accept()
    await last().update(10, 10, true)
    const count = last().sent.length
    await vi.advanceTimersByTimeAsync(30_000)
    expect(last().sent.slice(count)).toEqual([{ type: 'list' }])
    await last().say({ type: 'subscriptions', data: [] })
    await last().update(11, 11, true)
    expect(following.rows, 'the later list changes nothing').toHaveLength(2)
    await vi.advanceTimersByTimeAsync(30_000 + 14_999)
    expect(last().isClosed).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(last().isClosed).toBe(true)
    expect(following.states.at(-1)).toEqual(['reconnecting'])
    following.abort()
  })

  it('that says nothing to the key is given up after 30 s', async () => {
    const following = start()
    void following.follow()
    last().emit('open')
    await vi.advanceTimersByTimeAsync(29_999)
    expect(last().isClosed).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(last().isClosed).toBe(true)
    following.abort()
  })

  it('leaves nothing behind for the next one, neither its list nor what came before the list', async () => {
    const following = start()
    void following.follow()
    await last().accept()
    await loseConnection()
    last().emit('open')
    await last().say({ type: 'auth_ok' })
    await last().update(10, 10, true)
    await loseConnection()
    await last().accept()
    await last().update(11, 11, true)
    expect(following.rows).toEqual([[11, 11, 'closed']])
    following.abort()
  })

  it('ends at once with the signal, although its other side is silent', async () => {
    const following = start()
    void following.follow()
    await last().accept()
    await last().update(10, 10, true)
    following.abort()
    await vi.advanceTimersByTimeAsync(0)
    expect(following.isOver).toBe(true)
    expect(following.error).toBeUndefined()
    expect(last().isClosed).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is closed where the loop is left', async () => {
    const following = start()
    const first = following.stream.next()
    await last().accept()
    await last().update(10, 10, true)
    await first
    // For this one the candles before it are about to be requested.
    await last().update(14, 14, true)
    await following.stream.return()
    expect(last().isClosed).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('that the service never accepted is an error', async () => {
    const following = start()
    void following.follow()
    last().emit('error')
    await last().lose()
    expect(following.error).toMatchObject({ message: 'Candela does not answer at http://candela', status: 0 })
  })

  it('to something else is an error', async () => {
    const following = start()
    void following.follow()
    last().emit('open')
    await last().say('<html>')
    expect(following.error?.message).toMatch(/^A message of http:\/\/candela is not as expected/)
  })
})

describe('what the service refuses', () => {
  it('is thrown where there was no update of the subscription', async () => {
    const following = start([rsi, { ...rsi, id: 'b', symbol: 'NONE' }])
    void following.follow()
    await last().accept()
    await last().update(10, 10, true)
    await last().say({ type: 'error', id: 'b', error: 'Symbol not found: NONE on demo' })
    expect(following.error).toMatchObject({ message: 'b: Symbol not found: NONE on demo', status: 400 })
  })

  it('is the reason for another attempt where the subscription had updates', async () => {
    const following = start()
    void following.follow()
    await last().accept()
    await last().update(10, 10, true)
    await loseConnection()
    await last().accept()
    await last().say({ type: 'error', id: 'a', error: 'Too many subscriptions.' })
    expect(following.states.at(-1)).toEqual(['reconnecting', 'a: Too many subscriptions.'])
    await vi.advanceTimersByTimeAsync(500)
    await last().accept()
    await last().update(11, 11, true)
    expect(following.rows.at(-1)).toEqual([11, 11, 'closed'])
    following.abort()
  })

  it('is thrown where it is the key, also later', async () => {
    const following = start()
    void following.follow()
    await last().accept()
    await last().update(10, 10, true)
    await loseConnection(4401)
    last().emit('open')
    await last().say({ type: 'auth_error', error: 'Invalid or inactive token' })
    expect(following.error).toMatchObject({ message: 'Invalid or inactive token', status: 401 })
  })

  it.each([
    ['Too many streaming connections. At most 5 are allowed for one key.', 429],
    ['The service is stopping', 503],
  ])('is thrown where the service does not take the first connection: %s', async (error, status) => {
    const following = start()
    void following.follow()
    last().emit('open')
    await last().say({ type: 'auth_error', error })
    expect(following.error).toMatchObject({ message: error, status })
  })

  it('is the reason for another attempt where the service does not take a later connection', async () => {
    const following = start()
    void following.follow()
    await last().accept()
    await last().update(10, 10, true)
    await loseConnection()
    last().emit('open')
    // The service has not noticed yet that the one before is gone.
    const error = 'Too many streaming connections. At most 1 are allowed for one key.'
    await last().say({ type: 'auth_error', error })
    expect(following.states.at(-1)).toEqual(['reconnecting', error])
    await vi.advanceTimersByTimeAsync(500)
    await last().accept()
    await last().update(11, 11, true)
    expect(following.rows.at(-1)).toEqual([11, 11, 'closed'])
    following.abort()
  })

  it('is refused before where two subscriptions have one id', async () => {
    await expect(start([rsi, { ...rsi, id: 'A' }]).stream.next()).rejects.toMatchObject({
      message: 'Duplicate subscription id "A"',
      status: 400,
    })
    expect(FakeSocket.all).toHaveLength(0)
  })

  it('is that the platform has no WebSocket', async () => {
    vi.stubGlobal('WebSocket', undefined)
    try {
      const client = new Candela({ url: 'http://candela', key: 'cnd_1' })
      await expect(client.stream([rsi]).next()).rejects.toThrow(/pass that of the package ws/)
    } finally {
      vi.unstubAllGlobals()
    }
  })
})
