import { beforeEach, describe, expect, it } from 'vitest'
import { Expressions } from '../../../src/compute/expressions/expressions.js'
import type { Account } from '../../../src/contract/account.js'
import type { Connection } from '../../../src/contract/connection.js'
import {
  missingKey,
  notAuthenticated,
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
let connection: Connection
let host: { -readonly [Name in keyof SessionHost]: SessionHost[Name] }
/** The codes with which the connection was closed. */
let closed: number[]
/** Settle the calls of the hub, in their order. */
let answers: ((answer: SessionTopic | Refusal | Error) => void)[]

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
  ;[sent, released, bugs, answers, reserved, closed] = [[], [], [], [], 0, []]
  channels = new Set()
  connection = {
    send: text => sent.push(JSON.parse(text)) > 0,
    subscribe: name => channels.add(name),
    unsubscribe: name => channels.delete(name),
    close: code => void closed.push(code),
    cut: () => {},
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
    clock: () => 0,
    slow: new Set(),
    onBug: error => bugs.push(error),
    authenticate: () => account,
    reserveSubscription: ({ subscriptions }) =>
      reserved < subscriptions ? void reserved++ : tooManySubscriptionsForPlan(subscriptions),
    acknowledge() {},
    listen() {},
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
  it('is listed, counts, and cannot be made twice', () => {
    send(request)
    send({ ...request, id: 'a' })
    send({ type: 'list' })
    expect(reserved).toBe(1)
    expect(sent).toMatchObject([
      { type: 'error', id: 'a', error: 'Duplicate subscription id: demo_btcusdt_1m_a' },
      { type: 'subscriptions', data: [{ id: 'demo_btcusdt_1m_a' }] },
    ])
  })

  it('begins when they have arrived', async () => {
    send(request)
    const arrived = topic('t')
    await settle(arrived)
    expect(sent).toEqual([{ type: 'update', data: 't' }])
    expect([...channels]).toEqual(['t A'])
    session.ended()
    expect([reserved, released]).toEqual([0, [arrived]])
  })

  it('sends nothing when it is ended before', async () => {
    send(request)
    send({ type: 'unsubscribe', id: 'demo_btcusdt_1m_a' })
    expect(reserved).toBe(0)
    const arrived = topic('t')
    await settle(arrived)
    expect([sent, [...channels], released]).toEqual([[], [], [arrived]])
  })

  it('may be ended and made anew', async () => {
    send(request)
    send({ type: 'unsubscribe', id: 'demo_btcusdt_1m_a' })
    send(request)
    const [old, fresh] = [topic('old'), topic('fresh')]
    await settle(old)
    expect(sent).toEqual([])
    await settle(fresh)
    expect(sent).toEqual([{ type: 'update', data: 'fresh' }])
    expect([released, reserved, session.subscriptions]).toEqual([[old], 1, 1])
  })

  it('leaves nothing behind when the client disconnects', async () => {
    send(request)
    session.ended()
    const arrived = topic('t')
    await settle(arrived)
    expect([sent, released, reserved]).toEqual([[], [arrived], 0])
  })

  it('is refused when they cannot be fetched, and may be tried again', async () => {
    send(request)
    await settle(symbolNotFound('BTCUSDT', 'demo'))
    expect(sent).toEqual([{ type: 'error', id: 'A', error: 'Symbol not found: BTCUSDT on demo' }])
    expect([reserved, session.subscriptions]).toEqual([0, 0])
    send(request)
    await settle(topic('t'))
    expect(sent.at(-1)).toEqual({ type: 'update', data: 't' })
  })

  it('is refused when a bug prevents it', async () => {
    send(request)
    await settle(new Error('a bug'))
    expect(sent).toEqual([{ type: 'error', id: 'A', error: 'Internal error' }])
    expect([bugs, reserved]).toEqual([[new Error('a bug')], 0])
  })
})

describe('a subscription whose topic cannot be computed', () => {
  it('is refused when the computation throws at once', () => {
    hub.acquire = () => {
      throw new Error('a bug')
    }
    send(request)
    expect(sent).toEqual([{ type: 'error', id: 'A', error: 'Internal error' }])
    expect([bugs, reserved, session.subscriptions]).toEqual([[new Error('a bug')], 0, 0])
  })

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

describe('with a store that answers later', () => {
  let lookups: ((found: Account | Refusal | Error) => void)[]
  let decisions: ((refusal?: Refusal) => void)[]
  const tick = () => new Promise(setImmediate)
  const types = () => sent.map(({ type, error }) => error ?? type)

  beforeEach(() => {
    ;[lookups, decisions] = [[], []]
    host.authenticate = () =>
      new Promise((resolve, reject) => {
        lookups.push(found => (found instanceof Error ? reject(found) : resolve(found)))
      })
    host.reserveSubscription = () =>
      new Promise(resolve => {
        decisions.push(refusal => {
          if (refusal === undefined) reserved++
          resolve(refusal)
        })
      })
    session = new Session(connection, host)
  })

  it('a client may send everything at once: what follows its key waits for the account', async () => {
    send({ type: 'auth', token: 'Bearer x' })
    for (const id of ['A', 'B']) send({ ...request, id })
    send({ type: 'list' })
    expect([sent, decisions]).toEqual([[], []])
    lookups[0]?.(account)
    await tick()
    expect(types()).toEqual(['auth_ok', 'subscriptions'])
    expect(decisions).toHaveLength(2)
  })

  it('a key that is refused is followed by another one, in their order', async () => {
    send({ type: 'auth', token: 'Bearer x' })
    send({ type: 'list' })
    send({ type: 'auth', token: 'Bearer y' })
    send({ type: 'list' })
    lookups[0]?.(missingKey())
    await tick()
    expect(types()).toEqual([missingKey().error, notAuthenticated().error])
    lookups[1]?.(account)
    await tick()
    expect(types().slice(2)).toEqual(['auth_ok', 'subscriptions'])
  })

  it('a client that floods while its key is looked up is disconnected', () => {
    send({ type: 'auth', token: 'Bearer x' })
    const text = Buffer.alloc(16 * 1024)
    for (let at = 0; at < 255; at++) session.receive(text, false)
    expect(closed).toEqual([])
    session.receive(text, false)
    expect(closed).toEqual([1008])
  })

  it('a failure of the lookup closes the connection, and one that has ended is sent nothing', async () => {
    send({ type: 'auth', token: 'Bearer x' })
    lookups[0]?.(new Error('a bug'))
    await tick()
    expect([bugs, closed]).toEqual([[new Error('a bug')], [1011]])
    session = new Session(connection, host)
    send({ type: 'auth', token: 'Bearer x' })
    session.ended()
    lookups[1]?.(account)
    await tick()
    expect(sent).toEqual([])
  })

  it('a subscription that is refused, ended or cut off before it counts leaves nothing behind', async () => {
    send({ type: 'auth', token: 'Bearer x' })
    lookups[0]?.(account)
    await tick()
    send(request)
    decisions[0]?.(tooManySubscriptionsForPlan(2))
    await tick()
    expect([types().at(-1), session.subscriptions, reserved]).toEqual([
      tooManySubscriptionsForPlan(2).error,
      0,
      0,
    ])
    send(request)
    send({ type: 'unsubscribe', id: 'demo_btcusdt_1m_a' })
    decisions[1]?.()
    send(request)
    session.ended()
    decisions[2]?.()
    await tick()
    expect([reserved, answers, released]).toEqual([0, [], []])
  })

  it('a subscription that counts begins as ever', async () => {
    send({ type: 'auth', token: 'Bearer x' })
    lookups[0]?.(account)
    await tick()
    send(request)
    decisions[0]?.()
    await tick()
    await settle(topic('t'))
    expect(sent.at(-1)).toEqual({ type: 'update', data: 't' })
    session.ended()
    expect(reserved).toBe(0)
  })
})

it('a session that has ended neither sends nor does anything', () => {
  session.ended()
  send(request)
  session.ended()
  expect([sent, answers, reserved]).toEqual([[], [], 0])
})
