import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Entry } from '../../../src/catalogue/index.js'
import { compileExpression, planBytesOf } from '../../../src/compute/expressions/compile.js'
import type { Account } from '../../../src/contract/account.js'
import { tooManyExpressions } from '../../../src/contract/expression-refusals.js'
import { authenticationSeconds, maxExpressionBytes } from '../../../src/contract/limits.js'
import type { IndicatorSpec } from '../../../src/contract/query.js'
import {
  accountsUnavailable,
  inactiveKey,
  isRefusal,
  missingKey,
  type Refusal,
} from '../../../src/contract/refusals.js'
import type { SubscriptionLimit } from '../../../src/contract/storage/stores.js'
import { type SubscribeRequest, subscriptionKey } from '../../../src/live/protocol.js'
import type { Session } from '../../../src/live/session.js'
import { SessionRegistry } from '../../../src/live/session-registry.js'
import { endlessScheduler } from '../../support/scheduler.js'

const sweepMs = 500
const authenticationMs = authenticationSeconds * 1000
const request = {
  markets: [{ exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m' }],
  query: { indicator: { name: 'rsi' }, params: {} },
} as unknown as SubscribeRequest

let now: number
let accounts: Map<string, Account | Refusal | Promise<Account | Refusal>>
let bugs: unknown[]
let asked: string[]
let limit: SubscriptionLimit | Promise<SubscriptionLimit>
let reserved: string[]
let registry: SessionRegistry

const accountOf = (id: string) => ({ id, subscriptions: 5 }) as Account

const create = (options: Partial<ConstructorParameters<typeof SessionRegistry>[0]> = {}) => {
  registry = new SessionRegistry({
    hub: { publishTo() {} } as never,
    screens: {
      follow: () => expect.fail('no screen was asked for'),
    },
    access: {
      authenticate: token => {
        asked.push(token)
        return accounts.get(token) ?? missingKey()
      },
    },
    bounds: {
      reserve: (account, topic) => {
        reserved.push(`${account.id} ${topic}`)
        return limit
      },
      release: account => void reserved.push(`-${account.id}`),
    },
    ...{ maxConnections: 100, maxConnectionsPerKey: 100 },
    ...{ maxUnauthenticated: 100, maxUnauthenticatedPerAddress: 100 },
    messagesPerSecond: 50,
    scheduler: endlessScheduler(),
    clock: () => now,
    onBug: error => bugs.push(error),
    ...options,
  })
}
/** A session with the codes that its connection was closed with. The connection tells the registry when it ends. */
const open = (address = '192.0.2.1', send: (text: string) => boolean = () => true) => {
  const closed: number[] = []
  const session: Session = registry.open(
    {
      send,
      subscribe() {},
      unsubscribe() {},
      close(code) {
        closed.push(code)
        registry.ended(session)
      },
      cut() {},
    },
    address,
  )
  const authenticate = (token: string) =>
    session.receive(Buffer.from(JSON.stringify({ type: 'auth', token })), false)
  return { session, closed, authenticate }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  now = 1_000_000
  accounts = new Map([
    ['a', accountOf('A')],
    ['b', accountOf('B')],
  ])
  ;[bugs, asked, reserved, limit] = [[], [], [], undefined]
  create()
})
afterEach(() => {
  registry.close()
  vi.useRealTimers()
  expect(bugs).toEqual([])
})

describe('connections', () => {
  it('are counted from their beginning to their end, with a key and without', () => {
    const [one, two, three] = [open(), open(), open()]
    one.authenticate('a')
    two.authenticate('nonsense')
    expect(registry.connections).toBe(3)
    registry.ended(one.session)
    registry.ended(one.session)
    expect(registry.connections).toBe(2)
    registry.ended(two.session)
    registry.ended(three.session)
    expect(registry.connections).toBe(0)
  })

  it('are refused where as many have a key as there may be, and when the service stops', () => {
    create({ maxConnections: 2 })
    const [one, two] = [open(), open()]
    one.authenticate('a')
    expect(registry.refuse()).toBe(undefined)
    two.authenticate('b')
    expect(registry.refuse()).toMatchObject({ status: 503, error: expect.stringContaining('connections') })
    registry.ended(one.session)
    expect(registry.refuse()).toBe(undefined)
    registry.close()
    expect(registry.refuse()).toMatchObject({ status: 503, error: expect.stringContaining('stopping') })
  })

  it('without a key make room for others: the oldest of the same address, or of all', () => {
    create({ maxUnauthenticated: 3, maxUnauthenticatedPerAddress: 2 })
    const [other, one, two] = [open('y'), open('x'), open('x')]
    const third = open('x')
    expect([other.closed, one.closed, two.closed], 'of its address').toEqual([[], [1013], []])
    const fourth = open('x')
    expect([other.closed, two.closed, third.closed], 'of its address again').toEqual([[], [1013], []])
    const fifth = open('z')
    expect([other.closed, third.closed, fourth.closed], 'of all').toEqual([[1013], [], []])
    expect([third.closed, fourth.closed, fifth.closed, registry.connections]).toEqual([[], [], [], 3])
  })

  it('without a key make room where all connections are taken', () => {
    create({ maxConnections: 2 })
    const [one, two] = [open(), open()]
    one.authenticate('a')
    open()
    expect([one.closed, two.closed]).toEqual([[], [1013]])
  })

  it('that were closed leave their place to others of their address', () => {
    create({ maxUnauthenticatedPerAddress: 1 })
    registry.ended(open('x').session)
    const kept = open('x')
    const known = open('y')
    known.authenticate('a')
    open('y')
    expect([kept.closed, known.closed]).toEqual([[], []])
    open('x')
    expect(kept.closed).toEqual([1013])
  })

  it('of one address are bounded as before when one of them was closed', () => {
    create({ maxUnauthenticatedPerAddress: 2 })
    const [gone, one] = [open('x'), open('x')]
    registry.ended(gone.session)
    const two = open('x')
    open('x')
    expect([one.closed, two.closed]).toEqual([[1013], []])
  })

  it('have to send their key in time', () => {
    const [late, early] = [open(), open()]
    early.authenticate('a')
    now += authenticationMs - 1
    const young = open()
    vi.advanceTimersByTime(sweepMs)
    expect(late.closed).toEqual([])
    now += 1
    vi.advanceTimersByTime(sweepMs)
    expect([late.closed, early.closed, young.closed]).toEqual([[4408], [], []])
    expect(registry.connections).toBe(2)
  })
})

describe('a key', () => {
  it('has a number of connections, and one more when one of them has ended', () => {
    create({ maxConnectionsPerKey: 2 })
    const [one, two, three] = [open(), open(), open()]
    for (const { authenticate } of [one, two, three]) authenticate('a')
    expect([one, two, three].map(({ session }) => session.accountId)).toEqual(['A', 'A', undefined])
    registry.ended(one.session)
    three.authenticate('a')
    expect(three.session.accountId).toBe('A')
    expect(registry.authenticate(open().session, 'a')).toMatchObject({
      status: 429,
      error: expect.stringContaining('streaming connections'),
    })
  })

  it('is not checked any more once its last connection has ended', () => {
    const [one, two] = [open(), open()]
    for (const { authenticate } of [one, two]) authenticate('a')
    asked = []
    registry.ended(one.session)
    vi.advanceTimersByTime(sweepMs)
    expect(asked).toEqual(['a'])
    registry.ended(two.session)
    vi.advanceTimersByTime(4 * sweepMs)
    expect(asked).toEqual(['a'])
  })

  it('that is looked up elsewhere is not taken for a connection that has ended meanwhile', async () => {
    create({ maxConnectionsPerKey: 1 })
    accounts.set('a', Promise.resolve(accountOf('A')))
    const gone = open()
    gone.authenticate('a')
    registry.ended(gone.session)
    await new Promise(setImmediate)
    expect(registry.connections).toBe(0)
    const next = open()
    next.authenticate('a')
    await new Promise(setImmediate)
    expect(next.session.accountId).toBe('A')
  })

  it.each([
    ['revoked', inactiveKey(), [4401]],
    ['not to be checked at present', accountsUnavailable(1), []],
  ])('that is %s is noticed within four sweeps, on all of its connections', async (_, refusal, codes) => {
    const sessions = [open(), open(), open()]
    for (const [k, { authenticate }] of sessions.entries()) authenticate(k === 2 ? 'b' : 'a')
    accounts.set('a', Promise.resolve(refusal))
    // A sweep that finds no further key restarts.
    for (let sweep = 0; sweep < 4; sweep++) {
      vi.advanceTimersByTime(sweepMs)
      await new Promise(setImmediate)
    }
    expect(sessions.map(({ closed }) => closed)).toEqual([codes, codes, []])
  })

  it('is checked by a part of the sweep only, each key in its turn', () => {
    for (let k = 0; k < 8; k++) {
      accounts.set(`key ${k}`, accountOf(`${k}`))
      open().authenticate(`key ${k}`)
    }
    asked = []
    vi.advanceTimersByTime(sweepMs)
    expect(asked).toEqual(['key 0', 'key 1'])
    vi.advanceTimersByTime(3 * sweepMs)
    expect(new Set(asked).size).toBe(8)
  })

  it('ends its connections where it loses a scope, and lets them do what it gains', async () => {
    const sent: string[] = []
    const { session, closed, authenticate } = open('192.0.2.1', text => sent.push(text) > 0)
    const recheck = async () => {
      vi.advanceTimersByTime(4 * sweepMs)
      await new Promise(setImmediate)
    }
    const listen = () => session.receive(Buffer.from('{"type":"alerts"}'), false)
    accounts.set('a', { ...accountOf('A'), scopes: ['read'] })
    authenticate('a')
    listen()
    expect(JSON.parse(sent.at(-1) ?? '')).toMatchObject({
      type: 'error',
      error: expect.stringContaining('The key has no scope alerts'),
    })
    accounts.set('a', { ...accountOf('A'), scopes: ['read', 'alerts'] })
    await recheck()
    listen()
    expect([sent.at(-1), closed]).toEqual(['{"type":"alerts_ok"}', []])
    accounts.set('a', { ...accountOf('A'), scopes: ['alerts'] })
    await recheck()
    expect(closed).toEqual([4403])
  })

  it('whose check throws is reported, and its connections stay', async () => {
    const one = open()
    one.authenticate('a')
    accounts.set('a', Promise.reject(new TypeError('a bug')))
    vi.advanceTimersByTime(sweepMs)
    await new Promise(setImmediate)
    expect(bugs.splice(0)).toEqual([new TypeError('a bug')])
    expect(one.closed).toEqual([])
  })
})

describe('subscriptions', () => {
  it('are counted, under the market and the specification as their topic', () => {
    expect(
      registry.reserveSubscription(accountOf('A'), subscriptionKey(request), request.query.indicator),
    ).toBe(undefined)
    expect(reserved).toEqual([expect.stringMatching(/^A demo:BTCUSDT:1m .*rsi/)])
    expect(registry.subscriptions).toBe(1)
    registry.releaseSubscription(accountOf('A'), request.query.indicator)
    expect([registry.subscriptions, reserved.at(-1)]).toEqual([0, '-A'])
  })

  it.each([
    ['plan' as const, /5/, undefined],
    [{ seconds: 7 }, /new/, 7],
  ])('are refused by the bound %j, and not counted', async (reached, text, seconds) => {
    limit = reached
    const refusal = registry.reserveSubscription(
      accountOf('A'),
      subscriptionKey(request),
      request.query.indicator,
    )
    expect(refusal).toMatchObject({ status: 429, error: expect.stringMatching(text) })
    expect((refusal as Refusal).headers?.['Retry-After']).toBe(
      seconds === undefined ? undefined : String(seconds),
    )
    limit = Promise.resolve(reached)
    expect(
      await registry.reserveSubscription(accountOf('A'), subscriptionKey(request), request.query.indicator),
    ).toEqual(refusal)
    expect(registry.subscriptions).toBe(0)
  })
})

describe('the expressions of the subscriptions of a key', () => {
  const specOf = (text: string): IndicatorSpec => {
    const compiled = compileExpression(text, { timeframe: '1m' })
    if (isRefusal(compiled)) throw new Error(compiled.error)
    return compiled.spec
  }
  /** About 90 KiB, another one for each number. */
  const long = (n: number) =>
    specOf(`${n}${Array.from({ length: 64 }, (_, i) => `+close/${i + 2}`).join('')}`).indicator
  const reserve = (indicator: Entry, account = 'A') =>
    registry.reserveSubscription(accountOf(account), 'key', indicator)

  it('take bounded memory, equal ones once, until they end', () => {
    const first = long(0)
    const count = Math.floor(maxExpressionBytes / planBytesOf(first))
    expect(count).toBeLessThan(2_000)
    const indicators = [first, ...Array.from({ length: count }, (_, i) => long(i + 1))]
    const refused = indicators.map(indicator => reserve(indicator)).filter(refusal => refusal !== undefined)
    expect(refused).toEqual([tooManyExpressions(maxExpressionBytes, 'subscriptions')])
    expect(reserve(first), 'the same again').toBeUndefined()
    expect(reserve(specOf('close').indicator, 'B'), 'of another key').toBeUndefined()
    for (let i = 0; i < 2; i++) registry.releaseSubscription(accountOf('A'), first)
    expect(reserve(long(-1)), 'in the place of one that has ended').toBeUndefined()
  })
})

describe('alerts', () => {
  /** An alert whose id is its text. */
  const send = (body: string, onAcknowledged: (isAcknowledged: boolean) => void = () => {}) =>
    registry.sendAlert('A', { id: body, body }, onAcknowledged)
  /** A client that listens to the alerts of its account. */
  const listen = (token: string, ack = false) => {
    const sent: string[] = []
    const client = { isFull: false, sent }
    const { session } = open('192.0.2.1', text => {
      if (client.isFull) session.skipped()
      // Alerts are no JSON here, unlike replies.
      else if (!text.startsWith('{')) sent.push(text)
      return !client.isFull
    })
    session.receive(Buffer.from(JSON.stringify({ type: 'auth', token })), false)
    session.receive(Buffer.from(JSON.stringify({ type: 'alerts', ...(ack && { ack }) })), false)
    return Object.assign(client, { session })
  }

  it('are sent to the connections of their account that have asked for them', () => {
    const begun: string[] = []
    registry.watchListeners(id => begun.push(id))
    open().authenticate('a')
    expect([send('none'), begun], 'it has asked for none').toEqual(['none', []])
    const [one, two, other] = [listen('a'), listen('a'), listen('b')]
    expect(begun).toEqual(['A', 'A', 'B'])
    expect(send('first')).toBe('received')
    registry.ended(one.session)
    expect(send('second')).toBe('received')
    expect([one.sent, two.sent, other.sent]).toEqual([['first'], ['first', 'second'], []])
  })

  it('are not sent to a client that reads too slowly, or whose connection is being closed', () => {
    const [slow, closing] = [listen('a'), listen('a')]
    slow.session.skipped()
    closing.session.ended()
    expect(send('lost')).toBe('none')
    slow.session.drained(true)
    expect(send('read')).toBe('received')
    expect([slow.sent, closing.sent]).toEqual([['read'], []])
  })

  it('are not sent where they are skipped, because too much waits to be read, until that is read', () => {
    const begun: string[] = []
    const [full, other] = [listen('a'), listen('a')]
    registry.watchListeners(id => begun.push(id))
    full.isFull = true
    expect(send('one'), 'another connection takes it').toBe('received')
    registry.ended(other.session)
    full.session.drained(true)
    begun.length = 0
    expect(send('two')).toBe('none')
    full.isFull = false
    expect(begun).toEqual([])
    full.session.drained(false)
    expect(begun).toEqual([])
    full.session.drained(true)
    full.session.drained(true)
    expect(begun, 'it can be sent alerts again').toEqual(['A'])
    expect(send('three')).toBe('received')
    expect([full.sent, other.sent]).toEqual([['three'], ['one']])
  })

  it('keep no connection that has ended', () => {
    const { session, sent } = listen('a')
    registry.ended(session)
    vi.spyOn(session, 'isEnded', 'get').mockReturnValue(false)
    expect([send('late'), sent]).toEqual(['none', []])
  })

  describe('that are acknowledged', () => {
    const acknowledge = ({ session }: ReturnType<typeof listen>, id: string) =>
      session.receive(Buffer.from(JSON.stringify({ type: 'alert_ack', id })), false)
    const ends: string[] = []
    const sendKept = (body: string) => send(body, isAcknowledged => ends.push(`${body} ${isAcknowledged}`))
    beforeEach(() => {
      ends.length = 0
    })

    it('are awaited until one of the connections that do it has acknowledged them, once', () => {
      const [one, two, plain] = [listen('a', true), listen('a', true), listen('a')]
      expect(sendKept('first')).toBe('awaited')
      expect([one.sent, two.sent, plain.sent]).toEqual([['first'], ['first'], ['first']])
      acknowledge(one, 'another')
      acknowledge(plain, 'first')
      expect(ends).toEqual([])
      acknowledge(two, 'first')
      acknowledge(one, 'first')
      expect(ends).toEqual(['first true'])
    })

    it('are lost when the last of these connections has ended', () => {
      const [one, two, other] = [listen('a', true), listen('a', true), listen('b', true)]
      sendKept('first')
      registry.ended(one.session)
      acknowledge(other, 'first')
      expect(ends).toEqual([])
      registry.ended(two.session)
      registry.ended(two.session)
      expect(ends).toEqual(['first false'])
    })

    it('are lost no more once they were acknowledged, and a later one is awaited by itself', () => {
      const one = listen('a', true)
      sendKept('first')
      acknowledge(one, 'first')
      expect(sendKept('second')).toBe('awaited')
      registry.ended(one.session)
      expect(ends).toEqual(['first true', 'second false'])
      expect(sendKept('third')).toBe('none')
    })
  })
})
