import { beforeEach, describe, expect, it } from 'vitest'
import { type Refusal, symbolNotFound, tooManySubscriptionsForPlan } from '../../src/contract/refusals.js'
import type { Account } from '../../src/store/store.js'
import type { Hub, Topic } from '../../src/stream/hub.js'
import { type Connection, Session, type SessionHost } from '../../src/stream/session.js'

const account = { id: 'a', subscriptions: 2 } as Account
const wish = {
  type: 'subscribe',
  id: 'A',
  exchange: 'demo',
  symbol: 'BTCUSDT',
  interval: '1m',
  indicator: 'rsi',
}

let said: { type: string; [field: string]: unknown }[]
let joined: Set<string>
let closed: Topic[]
let taken: number
let bugs: unknown[]
let session: Session
/** Settles what the hub was asked for, in the order of asking. */
let answers: ((answer: Topic | Refusal | Error) => void)[]

const topic = (name: string): Topic =>
  ({ all: name, closes: `${name}c`, current: () => `{"type":"update","data":"${name}"}` }) as unknown as Topic
const say = (message: unknown) => session.receive(Buffer.from(JSON.stringify(message)), false)
/** Settles the oldest question to the hub that is open. */
async function settle(answer: Topic | Refusal | Error): Promise<void> {
  answers.shift()?.(answer)
  await new Promise(setImmediate)
}

beforeEach(() => {
  ;[said, closed, bugs, answers, taken] = [[], [], [], [], 0]
  joined = new Set()
  const wire: Connection = {
    send: text => said.push(JSON.parse(text)),
    subscribe: name => joined.add(name),
    unsubscribe: name => joined.delete(name),
    close: () => {},
    cut: () => {},
  }
  const hub = {
    open: () =>
      new Promise((resolve, reject) => {
        answers.push(answer => (answer instanceof Error ? reject(answer) : resolve(answer)))
      }),
    close: (topic: Topic) => closed.push(topic),
  } as unknown as Hub
  const house: SessionHost = {
    hub,
    messagesPerSecond: 50,
    clock: () => 0,
    slow: new Set(),
    onBug: error => bugs.push(error),
    authenticate: () => account,
    reserveSubscription: ({ subscriptions }) =>
      taken < subscriptions ? void taken++ : tooManySubscriptionsForPlan(subscriptions),
    releaseSubscription: () => {
      taken--
    },
  }
  session = new Session(wire, house)
  say({ type: 'auth', token: 'Bearer x' })
  said.length = 0
})

describe('a subscription whose candles are being fetched', () => {
  it('is listed, counts, and cannot be made twice', () => {
    say(wish)
    say({ ...wish, id: 'a' })
    say({ type: 'list' })
    expect(taken).toBe(1)
    expect(said).toMatchObject([
      { type: 'error', id: 'a', error: 'Duplicate subscription id: demo_btcusdt_1m_a' },
      { type: 'subscriptions', data: [{ id: 'demo_btcusdt_1m_a' }] },
    ])
  })

  it('begins when they are there', async () => {
    say(wish)
    const arrived = topic('t')
    await settle(arrived)
    expect(said).toEqual([{ type: 'update', data: 't' }])
    expect([...joined]).toEqual(['t'])
    session.ended()
    expect([taken, closed]).toEqual([0, [arrived]])
  })

  it('is over without a word when it is ended before', async () => {
    say(wish)
    say({ type: 'unsubscribe', id: 'demo_btcusdt_1m_a' })
    expect(taken).toBe(0)
    const arrived = topic('t')
    await settle(arrived)
    expect([said, [...joined], closed]).toEqual([[], [], [arrived]])
  })

  it('may be ended and made anew', async () => {
    say(wish)
    say({ type: 'unsubscribe', id: 'demo_btcusdt_1m_a' })
    say(wish)
    const [old, fresh] = [topic('old'), topic('fresh')]
    await settle(old)
    expect(said).toEqual([])
    await settle(fresh)
    expect(said).toEqual([{ type: 'update', data: 'fresh' }])
    expect([closed, taken, session.subscriptions]).toEqual([[old], 1, 1])
  })

  it('leaves nothing behind when the client goes', async () => {
    say(wish)
    session.ended()
    const arrived = topic('t')
    await settle(arrived)
    expect([said, closed, taken]).toEqual([[], [arrived], 0])
  })

  it('is refused when they cannot be had, and may be tried again', async () => {
    say(wish)
    await settle(symbolNotFound('BTCUSDT', 'demo'))
    expect(said).toEqual([{ type: 'error', id: 'A', error: 'Symbol not found: BTCUSDT on demo' }])
    expect([taken, session.subscriptions]).toEqual([0, 0])
    say(wish)
    await settle(topic('t'))
    expect(said.at(-1)).toEqual({ type: 'update', data: 't' })
  })

  it('is refused when a bug comes between', async () => {
    say(wish)
    await settle(new Error('a bug'))
    expect(said).toEqual([{ type: 'error', id: 'A', error: 'Internal error' }])
    expect([bugs, taken]).toEqual([[new Error('a bug')], 0])
  })
})

it('a session that is over hears and does nothing any more', () => {
  session.ended()
  say(wish)
  session.ended()
  expect([said, answers, taken]).toEqual([[], [], 0])
})
