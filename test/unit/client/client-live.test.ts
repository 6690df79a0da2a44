import { describe, expect, it, vi } from 'vitest'
import {
  type AlertMessage,
  Candela,
  type CandelaError,
  type ScreenUpdate,
} from '../../../src/client/index.js'
import { FakeSocket, loseConnection, useFakeSockets } from '../../support/fake-socket.js'

const { last } = FakeSocket
const client = () => new Candela({ url: 'http://candela', key: 'cnd_1', WebSocket: FakeSocket })

/** Reads all that an iterator gives. */
function readAll<Item>(items: AsyncGenerator<Item, void>) {
  const read: Item[] = []
  const result = { read, error: undefined as CandelaError | undefined, isOver: false }
  void (async () => {
    try {
      for await (const item of items) read.push(item)
    } catch (error) {
      result.error = error as CandelaError
    }
    result.isOver = true
  })()
  return result
}

/** Breaks the connection and accepts the next one. */
async function reconnect(): Promise<void> {
  await loseConnection()
  await last().accept()
}

useFakeSockets()

describe('a live screen', () => {
  const request = {
    exchange: 'demo',
    timeframe: '1m',
    where: 'close > open',
    select: { c: 'close' },
  } as const
  const match = (symbol: string, c: number) => ({ symbol, timestamp: 60, c })
  const begun = (...matches: readonly object[]) => ({
    ...{ type: 'screen_ok', id: 'screen', matches, screened: 3, failed: [{ symbol: 'D', error: 'none' }] },
  })
  const changed = (given: object) => ({
    ...{ type: 'screen_update', id: 'screen', entered: [], changed: [], left: [], ...given },
  })
  /** What differs, by symbol, and all symbols that match. */
  const rowOf = ({ entered, changed, left, matches }: ScreenUpdate<typeof request>) => [
    ...[...entered, ...changed].map(({ symbol, c }) => `${symbol}=${c}`),
    ...left.map(symbol => `-${symbol}`),
    matches
      .map(({ symbol }) => symbol)
      .sort()
      .join(''),
  ]

  it('gives its whole state, then what has changed', async () => {
    const progress: object[] = []
    const { read } = readAll(client().streamScreen(request, { onProgress: each => progress.push(each) }))
    await last().accept()
    expect(last().sent.slice(1)).toEqual([{ type: 'screen', id: 'screen', ...request }])
    await last().say({ type: 'screen_pending', id: 'screen', done: 1, total: 3 })
    await last().say(begun())
    await last().say(changed({ entered: [match('A', 1), match('B', 1)] }))
    await last().say(changed({ entered: [match('C', 3)], changed: [match('A', 2)], left: ['B'] }))
    expect(progress).toEqual([{ done: 1, total: 3 }])
    const counted = { screened: 3, failed: [{ symbol: 'D', error: 'none' }] }
    expect(read).toEqual([
      { ...counted, matches: [], entered: [], changed: [], left: [] },
      {
        ...counted,
        matches: [match('A', 1), match('B', 1)],
        entered: [match('A', 1), match('B', 1)],
        changed: [],
        left: [],
      },
      {
        ...counted,
        matches: [match('A', 2), match('C', 3)],
        entered: [match('C', 3)],
        changed: [match('A', 2)],
        left: ['B'],
      },
    ])
  })

  it('gives after a lost connection only what differs', async () => {
    const states: string[] = []
    const { read } = readAll(client().streamScreen(request, { onState: state => states.push(state) }))
    await last().accept()
    await last().say(begun(match('A', 1), match('B', 1), match('C', 1)))
    await reconnect()
    await last().say(begun(match('C', 1), match('B', 1), match('A', 1)))
    expect(read, 'the same matches').toHaveLength(1)
    await reconnect()
    await last().say(begun(match('B', 2), match('C', 1), match('D', 1)))
    expect(read.map(rowOf)).toEqual([
      ['A=1', 'B=1', 'C=1', 'ABC'],
      ['D=1', 'B=2', '-A', 'BCD'],
    ])
    expect(states).toEqual(['open', 'reconnecting', 'open', 'reconnecting', 'open'])
  })

  it('that is read slowly gives what several changes come to, and nothing where that is nothing', async () => {
    const screen = client().streamScreen(request)
    const first = screen.next()
    await last().accept()
    await last().say(begun(match('A', 1)))
    expect(rowOf((await first).value as ScreenUpdate<typeof request>)).toEqual(['A=1', 'A'])
    await last().say(changed({ entered: [match('B', 1)], changed: [match('A', 2)] }))
    await last().say(changed({ entered: [match('C', 1)], left: ['B'] }))
    expect(rowOf((await screen.next()).value as ScreenUpdate<typeof request>)).toEqual(['C=1', 'A=2', 'AC'])
    const next = screen.next()
    last().emit('message', { data: JSON.stringify(changed({ left: ['C'] })) })
    await last().say(changed({ entered: [match('C', 1)] }))
    await last().say(changed({ left: ['A'] }))
    expect(rowOf((await next).value as ScreenUpdate<typeof request>)).toEqual(['-A', 'C'])
    await screen.return()
    expect(last().isClosed).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('throws what the service refuses, but not where it had a state before', async () => {
    const error = { type: 'error', id: 'screen', error: 'Too many live screens.' }
    const refused = readAll(client().streamScreen(request))
    await last().accept()
    await last().say(error)
    expect(refused.error).toMatchObject({ message: 'Too many live screens.', status: 400 })

    const reasons: (string | undefined)[] = []
    const followed = readAll(
      client().streamScreen(request, { onState: (_, reason) => reasons.push(reason?.message) }),
    )
    await last().accept()
    await last().say(begun(match('A', 1)))
    await reconnect()
    await last().say(error)
    expect(reasons).toEqual([undefined, undefined, undefined, 'Too many live screens.'])
    await vi.advanceTimersByTimeAsync(500)
    await last().accept()
    await last().say(begun())
    expect(followed.read.map(rowOf)).toEqual([
      ['A=1', 'A'],
      ['-A', ''],
    ])
    await loseConnection(4401)
    last().emit('open')
    await last().say({ type: 'auth_error', error: 'Invalid or missing API key.' })
    expect(followed.error).toMatchObject({ status: 401 })
  })
})

describe('the alerts of a stream', () => {
  const alert = (at: number): AlertMessage => ({ type: 'alert', id: `alert_1:${at}` }) as AlertMessage
  const idsOf = (read: readonly AlertMessage[]) => read.map(({ id }) => Number(id.split(':')[1]))
  async function listen(): Promise<void> {
    await last().accept()
    await last().say({ type: 'alerts_ok' })
  }

  it('are given once each, although the service sends one again', async () => {
    const { read } = readAll(client().streamAlerts())
    await listen()
    expect(last().sent.slice(1)).toEqual([{ type: 'alerts' }])
    for (const at of [1, 2, 2]) await last().say(alert(at))
    await reconnect()
    for (const at of [2, 1, 3]) await last().say(alert(at))
    expect(idsOf(read)).toEqual([1, 2, 3])
  })

  it('that arrived before the connection was lost are given', async () => {
    const alerts = client().streamAlerts()
    const first = alerts.next()
    await listen()
    for (const at of [1, 2, 3]) await last().say(alert(at))
    await last().lose()
    expect(idsOf([(await first).value as AlertMessage])).toEqual([1])
    const { read } = readAll(alerts)
    await vi.advanceTimersByTimeAsync(250)
    // The service does not answer, then it is there again.
    await last().lose()
    await vi.advanceTimersByTimeAsync(500)
    await listen()
    await last().say(alert(4))
    expect(idsOf(read)).toEqual([2, 3, 4])
  })

  it('close the connection where 10,000 are unread, and 20,000 ids are remembered', async () => {
    const alerts = client().streamAlerts()
    const first = alerts.next()
    await listen()
    await last().say(alert(0))
    await first
    const push = (at: number) => last().emit('message', { data: JSON.stringify(alert(at)) })
    for (let at = 1; at <= 10_000; at++) push(at)
    expect(last().isClosed).toBe(false)
    push(10_001)
    expect(last().isClosed).toBe(true)
    const { read } = readAll(alerts)
    await vi.advanceTimersByTimeAsync(250)
    await listen()
    for (let at = 10_002; at < 20_000; at++) push(at)
    await last().say(alert(0))
    expect(idsOf(read)).toEqual(Array.from({ length: 19_999 }, (_, at) => at + 1))
    await last().say(alert(20_000))
    for (const at of [1, 0]) await last().say(alert(at))
    expect(idsOf(read).slice(-2), 'the oldest id is forgotten').toEqual([20_000, 0])
  })

  it('end with the signal, and with a key that is refused', async () => {
    const controller = new AbortController()
    const aborted = readAll(client().streamAlerts({ signal: controller.signal }))
    await listen()
    controller.abort()
    await vi.advanceTimersByTimeAsync(0)
    expect([aborted.isOver, aborted.error, last().isClosed]).toEqual([true, undefined, true])
    const refused = readAll(client().streamAlerts())
    last().emit('open')
    await last().say({ type: 'auth_error', error: 'Invalid or missing API key.' })
    expect(refused.error).toMatchObject({ status: 401 })
    expect(vi.getTimerCount()).toBe(0)
  })
})
