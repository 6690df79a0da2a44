import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { backoffMs } from '../../page/service/backoff.js'
import {
  type LiveScreen,
  type Socket,
  Streaming,
  type StreamState,
  type Subscription,
} from '../../page/service/streaming.js'

/** A WebSocket of which the test is the other end. */
class FakeSocket implements Socket {
  onopen: Socket['onopen'] = null
  onmessage: Socket['onmessage'] = null
  onclose: Socket['onclose'] = null
  readonly sent: { readonly type: string; readonly id?: string }[] = []
  isClosed = false

  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }

  close(): void {
    this.isClosed = true
  }

  /** Accepts the connection, as the service does. */
  accept(): void {
    this.onopen?.call(this as never, {} as Event)
    this.say({ type: 'auth_ok' })
  }

  say(message: object): void {
    this.onmessage?.call(this as never, { data: JSON.stringify(message) } as MessageEvent)
  }

  lose(code = 1006): void {
    this.onclose?.call(this as never, { code } as CloseEvent)
  }

  get conversation(): readonly string[] {
    return this.sent.map(({ type, id }) => (id === undefined ? type : `${type} ${id}`))
  }
}

const market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m' } as const
const subscription = (id: string): Subscription => ({ id, market, indicator: 'rsi', params: {} })

function start({ key }: { readonly key: string | undefined } = { key: 'cnd_1' }) {
  const sockets: FakeSocket[] = []
  const states: StreamState[] = []
  const updates: unknown[] = []
  const refused: unknown[] = []
  const fired: unknown[] = []
  const streaming = new Streaming({
    url: 'ws://x/streaming',
    key: () => key,
    onState: state => states.push(state),
    onUpdate: update => updates.push(update),
    onRefused: (id, error) => refused.push([id, error]),
    onAlert: firing => fired.push(firing),
    connect: () => {
      const socket = new FakeSocket()
      sockets.push(socket)
      return socket
    },
    now: () => 0,
    random: () => 1,
  })
  return { streaming, sockets, states, updates, refused, fired, last: () => sockets.at(-1) as FakeSocket }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the streaming connection', () => {
  it('authenticates first, then subscribes, and afterwards only to what is new', () => {
    const { streaming, last, states } = start()
    streaming.follow([subscription('s1'), subscription('s2')])
    streaming.open()
    expect(last().conversation).toEqual([])
    last().accept()
    expect(last().conversation).toEqual(['auth', 'subscribe s1', 'subscribe s2'])
    streaming.follow([subscription('s2'), subscription('s3')])
    expect(last().conversation.slice(3)).toEqual(['unsubscribe demo_btcusdt_1m_s1', 'subscribe s3'])
    expect(states.map(({ kind }) => kind)).toEqual(['connecting', 'open'])
  })

  it('asks for what alerts fire once that is wanted, also after a loss', () => {
    const { streaming, last, fired } = start()
    streaming.open()
    last().accept()
    streaming.alerts()
    streaming.alerts()
    expect(last().conversation.slice(1)).toEqual(['alerts'])
    last().say({ type: 'alert', id: 'alert_x:60' })
    expect(fired).toEqual([{ type: 'alert', id: 'alert_x:60' }])
    last().lose()
    streaming.open()
    last().accept()
    expect(last().conversation).toEqual(['auth', 'alerts'])
  })

  it('opens again after a loss, ever later, and subscribes to everything again', () => {
    const { streaming, sockets, last, states } = start()
    streaming.follow([subscription('s1')])
    streaming.open()
    last().accept()
    for (const ms of [500, 1000, 2000, 4000]) {
      last().lose()
      expect(states.at(-1)).toMatchObject({ kind: 'waiting', retryAt: ms })
      const count = sockets.length
      vi.advanceTimersByTime(ms - 1)
      expect(sockets).toHaveLength(count)
      vi.advanceTimersByTime(1)
      expect(sockets).toHaveLength(count + 1)
    }
    last().accept()
    expect(last().conversation).toEqual(['auth', 'subscribe s1'])
    last().lose()
    expect(states.at(-1), 'a connection that worked counts the failures anew').toMatchObject({ retryAt: 500 })
  })

  it('says that the service is stopped when it says so itself, or does not come back', () => {
    const { streaming, last, states } = start()
    streaming.open()
    last().accept()
    last().lose(1001)
    expect(states.at(-1)).toMatchObject({ kind: 'waiting', isStopped: true })
    streaming.open()
    last().accept()
    for (const isStopped of [false, false, false, true]) {
      last().lose()
      expect(states.at(-1)).toMatchObject({ isStopped })
      streaming.open()
    }
  })

  it('does not try again with a key that is refused', () => {
    const { streaming, sockets, last, states } = start()
    streaming.open()
    last().say({ type: 'auth_error', error: 'Invalid or missing API key.' })
    expect(states.at(-1)).toEqual({ kind: 'refused', error: 'Invalid or missing API key.' })
    last().lose()
    vi.advanceTimersByTime(100_000)
    expect(sockets).toHaveLength(1)
    streaming.open()
    last().accept()
    last().lose(4401)
    expect(states.at(-1)?.kind).toBe('refused')
    vi.advanceTimersByTime(100_000)
    expect(sockets).toHaveLength(2)
  })

  it('has no connection without a key', () => {
    const { streaming, sockets } = start({ key: undefined })
    streaming.open()
    expect(sockets).toHaveLength(0)
  })

  it('gives up a connection on which nothing arrives, not even an answer', () => {
    const { streaming, sockets, last } = start()
    streaming.open()
    last().accept()
    vi.advanceTimersByTime(45_000)
    expect(last().conversation.at(-1)).toBe('list')
    last().say({ type: 'subscriptions', data: [] })
    vi.advanceTimersByTime(44_999)
    expect(sockets).toHaveLength(1)
    vi.advanceTimersByTime(1 + 10_000)
    expect(sockets[0]?.isClosed).toBe(true)
    vi.advanceTimersByTime(500)
    expect(sockets).toHaveLength(2)
  })

  it('passes on updates and refusals of what is still followed', () => {
    const { streaming, last, updates, refused } = start()
    streaming.follow([subscription('s1')])
    streaming.open()
    last().accept()
    last().say({ type: 'update', data: { timestamp: 1 } })
    last().say({ type: 'error', id: 's1', error: 'no' })
    last().say({ type: 'error', id: 's0', error: 'old' })
    expect(updates).toEqual([{ type: 'update', data: { timestamp: 1 } }])
    expect(refused).toEqual([['s1', 'no']])
  })
})

it('the backoff is bounded and spread', () => {
  expect(backoffMs(0, () => 0)).toBe(250)
  expect(backoffMs(0, () => 1)).toBe(500)
  expect(backoffMs(50, () => 1)).toBe(30_000)
})

describe('a live screen', () => {
  const screenOf = (id: string, messages: unknown[] = []): LiveScreen => ({
    id,
    request: { exchange: 'demo', where: 'true' },
    onMessage: message => messages.push(message),
  })

  it('begins when the connection is there, once more after a loss, and ends before another one', () => {
    const { streaming, last } = start()
    streaming.screen(screenOf('a'))
    streaming.open()
    expect(last().conversation).toEqual([])
    last().accept()
    expect(last().sent.at(-1)).toEqual({ type: 'screen', id: 'a', exchange: 'demo', where: 'true' })
    last().lose()
    vi.advanceTimersByTime(500)
    last().accept()
    expect(last().conversation).toEqual(['auth', 'screen a'])
    streaming.screen(screenOf('b'))
    streaming.screen(undefined)
    expect(last().conversation.slice(2)).toEqual(['screen_stop a', 'screen b', 'screen_stop b'])
    last().lose()
    vi.advanceTimersByTime(500)
    last().accept()
    expect(last().conversation, 'none is wanted any more').toEqual(['auth'])
  })

  it('goes on beside a breadth, which is the only other one', () => {
    const { streaming, last } = start()
    const messages: { readonly type: string }[] = []
    const breadth = {
      ...screenOf('b'),
      onMessage: (message: { readonly type: string }) => messages.push(message),
    }
    streaming.screen(screenOf('a'))
    streaming.breadth(breadth)
    streaming.open()
    last().accept()
    expect(last().conversation).toEqual(['auth', 'screen a', 'breadth b'])
    last().say({ type: 'breadth_ok', id: 'b', timestamp: [], measures: {} })
    last().say({ type: 'breadth_update', id: 'other', timestamp: [], measures: {} })
    last().say({ type: 'error', id: 'b', error: 'Invalid' })
    expect(messages.map(({ type }) => type)).toEqual(['breadth_ok', 'error'])
    streaming.breadth({ ...breadth, id: 'c' })
    streaming.breadth(undefined)
    streaming.screen(undefined)
    expect(last().conversation.slice(3)).toEqual(['breadth c', 'breadth_stop c', 'screen_stop a'])
  })

  it('learns what is said of it alone, and is over once it is refused', () => {
    const { streaming, last, refused } = start()
    const messages: { readonly type: string }[] = []
    streaming.follow([subscription('s1')])
    streaming.screen(screenOf('a', messages))
    streaming.open()
    last().accept()
    last().say({ type: 'screen_pending', id: 'a', done: 1, total: 2 })
    last().say({ type: 'screen_ok', id: 'old', matches: [] })
    last().say({ type: 'screen_update', id: 'a', entered: [], changed: [], left: [] })
    last().say({ type: 'error', id: 's1', error: 'no' })
    last().say({ type: 'error', id: 'a', error: 'Invalid' })
    last().say({ type: 'screen_update', id: 'a', entered: [], changed: [], left: [] })
    expect(messages.map(({ type }) => type)).toEqual(['screen_pending', 'screen_update', 'error'])
    expect(refused).toEqual([['s1', 'no']])
    streaming.screen(screenOf('b'))
    expect(last().conversation.slice(3), 'what was refused is not stopped').toEqual(['screen b'])
  })
})
