import { beforeEach, describe, expect, it } from 'vitest'
import { Expressions } from '../../../src/compute/expressions/expressions.js'
import type { Account } from '../../../src/contract/account.js'
import type { Connection } from '../../../src/contract/connection.js'
import {
  closeCodes,
  inactiveKey,
  type Refusal,
  symbolNotFound,
  tooManySubscriptionsForPlan,
} from '../../../src/contract/refusals.js'
import { Session, type SessionHost } from '../../../src/live/session.js'
import type { SessionHub, SessionTopic } from '../../../src/live/session-subscriptions.js'
import { endlessScheduler } from '../../support/scheduler.js'

const account = { id: 'a', subscriptions: 2 } as Account
const request = {
  type: 'subscribe',
  id: 'A',
  exchange: 'demo',
  symbol: 'BTCUSDT',
  interval: '1m',
  indicator: 'rsi',
}

let sent: { type: string; [field: string]: unknown }[]
let channels: Set<string>
let released: SessionTopic[]
let reserved: number
let bugs: unknown[]
let session: Session
let hub: SessionHub
/** Settle the calls of the hub, in their order. */
let answers: ((answer: SessionTopic | Refusal | Error) => void)[]
/** Arguments with which the connection was closed, or 'cut'. */
let closed: unknown[]
let tokens: string[]
/** Result of the accounts for a token. */
let known: Account | Refusal
let milliseconds: number
let host: SessionHost
let connection: Connection

const topic = (name: string): SessionTopic => ({
  join: (id, candleClose) => `${name}${candleClose ? 'c' : ''} ${id}`,
  leave: () => {},
  current: () => `{"type":"update","data":"${name}"}`,
})
const send = (message: unknown) => session.receive(Buffer.from(JSON.stringify(message)), false)
/** Settles the oldest open call of the hub. */
async function settle(answer: SessionTopic | Refusal | Error): Promise<void> {
  answers.shift()?.(answer)
  await new Promise(setImmediate)
}

beforeEach(() => {
  ;[sent, released, bugs, answers, closed, tokens, reserved] = [[], [], [], [], [], [], 0]
  ;[known, milliseconds] = [account, 0]
  channels = new Set()
  connection = {
    send: text => sent.push(JSON.parse(text)) > 0,
    subscribe: name => channels.add(name),
    unsubscribe: name => channels.delete(name),
    close: (code, reason) => closed.push({ code, reason }),
    cut: () => closed.push('cut'),
  }
  hub = {
    acquire: () =>
      new Promise((resolve, reject) => {
        answers.push(answer => (answer instanceof Error ? reject(answer) : resolve(answer)))
      }),
    release: (topic: SessionTopic) => void released.push(topic),
  }
  host = {
    hub,
    screens: {
      follow: () => expect.fail('no screen was asked for'),
    },
    expressions: new Expressions(),
    messagesPerSecond: 50,
    scheduler: endlessScheduler(),
    clock: () => milliseconds,
    slow: new Set(),
    onBug: error => bugs.push(error),
    authenticate: (_, token) => {
      tokens.push(token)
      return known
    },
    reserveSubscription: ({ subscriptions }) =>
      reserved < subscriptions ? void reserved++ : tooManySubscriptionsForPlan(subscriptions),
    listen() {},
    acknowledge() {},
    caughtUp() {},
    releaseSubscription: () => {
      reserved--
    },
  }
  session = new Session(connection, host)
  send({ type: 'auth', token: 'Bearer x' })
  sent.length = 0
})

describe('a subscription whose candles are being fetched', () => {
  it('is not refused by the failed fetch of one that was ended before', async () => {
    send(request)
    send({ type: 'unsubscribe', id: 'demo_btcusdt_1m_a' })
    send(request)
    await settle(symbolNotFound('BTCUSDT', 'demo'))
    expect([sent, reserved, session.subscriptions]).toEqual([[], 1, 1])
    await settle(topic('t'))
    expect(sent).toEqual([{ type: 'update', data: 't' }])
  })
})

describe('a subscription whose topic cannot be computed', () => {
  it.each(['at once', 'after a fetch'])('releases its topic when its first update throws %s', async when => {
    const broken = topic('t')
    broken.current = () => {
      throw new Error('a bug')
    }
    if (when === 'at once') hub.acquire = () => broken
    send(request)
    await settle(broken)
    expect(sent).toEqual([{ type: 'error', id: 'A', error: 'Internal error' }])
    expect([bugs, reserved, released]).toEqual([[new Error('a bug')], 0, [broken]])
    expect([[...channels], session.subscriptions]).toEqual([[], 0])
  })
})

it('a session that has ended neither sends nor does anything', () => {
  session.ended()
  send(request)
  session.ended()
  expect([sent, answers, reserved]).toEqual([[], [], 0])
})

describe('a client without an account', () => {
  const required = { type: 'auth_error', error: expect.stringMatching(/^Not authenticated/) }
  beforeEach(() => {
    session = new Session(connection, host)
  })

  it.each([request, { type: 'list' }, { type: 'unsubscribe', id: 'a' }, { type: 'nonsense' }])(
    'is told to authenticate when it sends %j',
    message => {
      send(message)
      expect(sent).toEqual([required])
      expect([answers, reserved]).toEqual([[], 0])
    },
  )

  it('may try again after a token that is refused', () => {
    known = inactiveKey()
    send({ type: 'auth', token: 'Bearer old' })
    send({ type: 'list' })
    known = account
    send({ type: 'auth', token: 'Bearer new' })
    send({ type: 'list' })
    expect(tokens.slice(-2)).toEqual(['Bearer old', 'Bearer new'])
    expect(sent).toEqual([
      { type: 'auth_error', error: inactiveKey().error },
      required,
      { type: 'auth_ok' },
      { type: 'subscriptions', data: [] },
    ])
  })
})

it('a client with an account is not authenticated again', () => {
  send({ type: 'auth', token: 'Bearer y' })
  expect(tokens).toEqual(['Bearer x'])
  expect(sent).toEqual([{ type: 'error', id: null, error: 'Already authenticated' }])
})

describe('a message', () => {
  it('that is invalid is refused with the id that it gives', () => {
    send({ type: 'nonsense', id: 'x' })
    session.receive(Buffer.from('{'), false)
    expect(sent).toMatchObject([
      { type: 'error', id: 'x' },
      { type: 'error', id: null },
    ])
  })

  it('is read from its own part of a larger buffer', () => {
    const text = JSON.stringify({ type: 'list' })
    const whole = Buffer.from(`xxxx${text}yyyy`)
    session.receive(new Uint8Array(whole.buffer, whole.byteOffset + 4, text.length), false)
    expect(sent).toEqual([{ type: 'subscriptions', data: [] }])
  })

  it('that is binary closes the connection', () => {
    session.receive(Buffer.from('{"type":"list"}'), true)
    expect([sent, closed]).toEqual([[], [closeCodes().binary]])
  })

  it('of 16 KiB is read, one of more closes the connection', () => {
    const ofSize = (bytes: number) => Buffer.from('{"type":"list"}'.padEnd(bytes))
    session.receive(ofSize(16 * 1024), false)
    expect([sent.length, closed]).toEqual([1, []])
    session.receive(ofSize(16 * 1024 + 1), false)
    expect([sent.length, closed]).toEqual([1, [closeCodes().tooLarge]])
  })
})

describe('a subscription', () => {
  const ofTopic = (shared: SessionTopic) => {
    hub.acquire = () => shared
  }
  const ids = () => {
    sent.length = 0
    send({ type: 'list' })
    return (sent.pop() as unknown as { data: { id: string }[] }).data.map(({ id }) => id)
  }

  it('over the plan is refused with its id and leaves the others alone', () => {
    ofTopic(topic('t'))
    for (const id of ['a', 'b', 'c']) send({ ...request, id })
    expect(sent.at(-1)).toEqual({ type: 'error', id: 'c', error: tooManySubscriptionsForPlan(2).error })
    expect([reserved, session.subscriptions, released]).toEqual([2, 2, []])
  })

  it('is ended by its listed id in any case, once', () => {
    ofTopic(topic('t'))
    send(request)
    sent.length = 0
    send({ type: 'unsubscribe', id: 'DEMO_BTCUSDT_1M_A' })
    expect([sent, [...channels], released.length, reserved, session.subscriptions]).toEqual([[], [], 1, 0, 0])
    send({ type: 'unsubscribe', id: 'DEMO_BTCUSDT_1M_A' })
    expect(sent).toMatchObject([{ type: 'error', id: 'DEMO_BTCUSDT_1M_A' }])
    expect([released.length, reserved]).toEqual([1, 0])
  })

  it('is ended by the id that its client chose, unless several have that id', () => {
    ofTopic(topic('t'))
    for (const interval of ['1m', '1h']) send({ ...request, interval, id: 'Mine' })
    sent.length = 0
    send({ type: 'unsubscribe', id: 'mine' })
    expect(sent).toEqual([
      {
        type: 'error',
        id: 'mine',
        error: 'Subscription not found: mine. Did you mean demo_btcusdt_1m_mine or demo_btcusdt_1h_mine?',
      },
    ])
    send({ type: 'unsubscribe', id: 'demo_btcusdt_1m_mine' })
    send({ type: 'unsubscribe', id: 'mine' })
    expect([sent.length, session.subscriptions]).toEqual([1, 0])
  })

  it('to months is another one than that to minutes', () => {
    ofTopic(topic('t'))
    for (const interval of ['1m', '1M']) send({ ...request, interval, id: 'a' })
    sent.length = 0
    send({ type: 'list' })
    const ids = () => (sent.at(-1)?.data as { id: string }[] | undefined)?.map(({ id }) => id)
    expect(ids()).toEqual(['demo_btcusdt_1m_a', 'demo_btcusdt_1M_a'])
    send({ type: 'unsubscribe', id: 'demo_btcusdt_1M_A' })
    send({ type: 'list' })
    expect(ids()).toEqual(['demo_btcusdt_1m_a'])
  })

  it('has a channel of its own, which it joins and leaves once', () => {
    const joined: string[] = []
    ofTopic({
      ...topic('t'),
      join: (id, candleClose) => {
        joined.push(`+${id} ${candleClose}`)
        return id
      },
      leave: (id, candleClose) => void joined.push(`-${id} ${candleClose}`),
    })
    send({ ...request, id: 'Closed', candleClose: true })
    send({ ...request, id: 'all' })
    expect([...channels]).toEqual(['Closed', 'all'])
    expect(ids()).toEqual(['demo_btcusdt_1m_closed', 'demo_btcusdt_1m_all'])
    send({ type: 'unsubscribe', id: 'closed' })
    expect([...channels]).toEqual(['all'])
    expect([reserved, released.length]).toEqual([1, 1])
    session.ended()
    expect(joined).toEqual(['+Closed true', '+all false', '-Closed true', '-all false'])
    expect([reserved, released.length]).toEqual([0, 2])
  })

  it('begins with a forming candle or a closed one, as it asks', () => {
    const wanted: boolean[] = []
    ofTopic({
      ...topic('t'),
      current: (_, candleClose) => {
        wanted.push(candleClose)
        return '{"type":"update"}'
      },
    })
    send({ ...request, id: 'a', candleClose: true })
    send({ ...request, id: 'b' })
    expect(wanted).toEqual([true, false])
  })

  it('is refused when its topic has no value', () => {
    ofTopic({ ...topic('t'), current: () => symbolNotFound('BTCUSDT', 'demo') })
    send(request)
    expect(sent).toEqual([{ type: 'error', id: 'A', error: 'Symbol not found: BTCUSDT on demo' }])
    expect([[...channels], released.length, reserved, session.subscriptions]).toEqual([[], 1, 0, 0])
  })

  it('of an ended session is released once', () => {
    ofTopic(topic('t'))
    send({ ...request, id: 'a' })
    send({ ...request, id: 'b' })
    session.end(closeCodes().binary)
    session.ended()
    expect([released.length, reserved, session.subscriptions]).toEqual([2, 0, 0])
    expect(closed).toEqual([closeCodes().binary])
  })
})

describe('the messages of a client', () => {
  const list = (count: number) => {
    for (let i = 0; i < count; i++) send({ type: 'list' })
  }
  const types = () => sent.splice(0).map(({ type }) => type)
  const error = { type: 'error', id: null, error: expect.stringContaining('50') }

  it('may be as many at once as go in a second and as it may have subscriptions', () => {
    // The account has 2 subscriptions; the message that authenticated it counts.
    list(51)
    expect(new Set(types())).toEqual(new Set(['subscriptions']))
    list(1)
    expect(sent).toEqual([error])
  })

  it('are answered again as time passes, up to the same number', () => {
    list(52)
    types()
    milliseconds += 39
    list(1)
    expect(types(), 'a bit less than two messages, of which one is owed').toEqual(['error'])
    milliseconds += 1000
    list(49)
    expect(new Set(types())).toEqual(new Set(['subscriptions']))
    milliseconds += 3_600_000
    list(52)
    expect(new Set(types())).toEqual(new Set(['subscriptions']))
    list(1)
    expect(types()).toEqual(['error'])
  })

  it('are counted with pings and pongs, which have no answer', () => {
    for (let sent = 0; sent < 51; sent++) session.receiveControl()
    expect([sent, closed]).toEqual([[], []])
    list(1)
    expect(types()).toEqual(['error'])
    for (let sent = 0; sent < 48; sent++) session.receiveControl()
    expect(closed).toEqual([])
    for (let sent = 0; sent < 3; sent++) session.receiveControl()
    expect(closed).toEqual([closeCodes().tooManyMessages])
  })

  it('close the connection when twice as many are sent', () => {
    list(51 + 50)
    expect(closed).toEqual([])
    list(1)
    expect(closed).toEqual([closeCodes().tooManyMessages])
    types()
    list(1)
    expect([sent, closed.length]).toEqual([[], 1])
  })

  it('without an account may be as many as go in a second', () => {
    session = new Session(connection, host)
    list(50)
    expect(new Set(types())).toEqual(new Set(['auth_error']))
    list(1)
    expect(sent).toEqual([error])
  })
})

describe('a client that reads slowly', () => {
  const skipAt = (at: number) => {
    milliseconds = at
    session.skipped()
  }

  it('is noted until it has caught up', () => {
    skipAt(1000)
    expect([...host.slow]).toEqual([session])
    session.drained(false)
    expect(host.slow.size).toBe(1)
    session.drained(true)
    expect([host.slow.size, closed]).toEqual([0, []])
    milliseconds += 60_000
    session.drained(false)
    session.cutIfUnresponsive()
    expect(closed).toEqual([])
  })

  it('may take 15 seconds since the first update that it missed', () => {
    skipAt(1000)
    skipAt(15_000)
    milliseconds = 16_000
    session.drained(false)
    expect(closed).toEqual([])
    milliseconds = 16_001
    session.drained(true)
    expect([closed, host.slow.size]).toEqual([[closeCodes().tooSlow], 0])
  })

  it('is cut off after 30 seconds in which it read nothing', () => {
    hub.acquire = () => topic('t')
    send(request)
    skipAt(1000)
    milliseconds = 31_000
    session.cutIfUnresponsive()
    expect(closed).toEqual([])
    milliseconds = 31_001
    session.cutIfUnresponsive()
    expect([closed, host.slow.size, reserved]).toEqual([['cut'], 0, 0])
    session.cutIfUnresponsive()
    expect(closed).toEqual(['cut'])
  })

  it('starts anew after it has caught up', () => {
    skipAt(1000)
    session.drained(true)
    skipAt(15_000)
    milliseconds = 20_000
    session.drained(false)
    expect(closed).toEqual([])
  })
})
