import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  type Alert,
  type AlertRequest,
  describeAlert,
  fromAscii,
  hasSettled,
  toAscii,
  type WholeAlert,
} from '../../../src/alerts/alert.js'
import { type AlertOptions, Alerts } from '../../../src/alerts/alerts.js'
import { readDeadLetter } from '../../../src/alerts/deliveries.js'
import { Plans } from '../../../src/alerts/market-watch.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import type { Account } from '../../../src/contract/account.js'
import { revokeKey } from '../../../src/contract/accounts.js'
import { tooManyExpressions } from '../../../src/contract/expression-refusals.js'
import { maxExpressionBytes } from '../../../src/contract/limits.js'
import { canonicalSymbol } from '../../../src/contract/market.js'
import { isRefusal, type Refusal } from '../../../src/contract/refusals.js'
import type { StoredAlert } from '../../../src/contract/storage/alerts.js'
import type { Store } from '../../../src/contract/storage/stores.js'
import type { ExchangeLookup } from '../../../src/markets/exchanges/registry.js'
import { openEmbedded } from '../../../src/store/embedded/embedded.js'
import { ScriptedFeeds } from '../../support/alert-market.js'
import { createExecutor } from '../../support/executor.js'
import { startReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js'

const begin = 1_700_006_400
const account = { id: 'one', subscriptions: 5000 } as Account
const market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m' } as const

const executor = createExecutor({ calculator: new Calculator() })
let directory: string
let store: Store
let feeds: ScriptedFeeds
let receiver: WebhookReceiver
let alerts: Alerts
let now: number
let faults: unknown[]
/** Messages sent to streaming connections; undefined while no connection is open. */
let streamed: string[] | undefined
let outcomes: string[]
/** The symbols that the exchange lists. */
let listed: string[]
const source = { symbols: async () => listed }

const create = (changes: Partial<AlertOptions> = {}) =>
  new Alerts({
    store: store.alerts,
    accounts: store.accounts,
    feeds,
    executor,
    exchanges: { ids: () => ['demo'], find: () => ({ id: 'demo', source }) } as unknown as ExchangeLookup,
    clock: () => now,
    ages: { now: () => now },
    maxAlerts: 10_000,
    maxPerAccount: undefined,
    privateTargets: true,
    backoffMs: 5,
    giveUpSeconds: 3600,
    maxPending: 1000,
    catchUpSeconds: 86_400,
    sendToAccount: (_, { body }) => {
      streamed?.push(JSON.parse(body).timestamp)
      return streamed === undefined ? 'none' : 'received'
    },
    onFired() {},
    onOutcome: outcome => outcomes.push(outcome),
    onFault: error => faults.push(error),
    ...changes,
  })

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'candela-test-'))
  store = openEmbedded(directory)
  feeds = new ScriptedFeeds(begin)
  feeds.close(1, 2, 3)
  receiver = await startReceiver()
  now = feeds.timeOf(3)
  faults = []
  outcomes = []
  listed = ['BTCUSDT', 'ETHBTC', 'ETHUSDT']
  streamed = undefined
  alerts = create()
  await alerts.start()
})
afterEach(async () => {
  await alerts.close()
  await receiver.close()
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

async function add(request: Partial<AlertRequest> = {}, of = account): Promise<Alert> {
  return (await addWhole(request, of))[0]
}

const ask = (request: Partial<AlertRequest>, of = account): Promise<WholeAlert | Refusal> =>
  alerts.create(of, {
    markets: [market],
    screen: undefined,
    expression: 'close > 10',
    on: 'close',
    trigger: 'edge',
    webhook: { url: receiver.url },
    name: undefined,
    ...request,
  })

async function addWhole(request: Partial<AlertRequest>, of = account): Promise<WholeAlert> {
  const alert = await ask(request, of)
  if (isRefusal(alert)) return expect.fail(alert.error)
  await settled()
  return alert
}

/**
 * Resolves when all emitted candles are evaluated and the fired messages are stored. Transactions run one after the
 * other.
 */
async function settled(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    await store.alerts.forget([])
  }
}

async function until(isMet: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isMet()); tries++) {
    if (tries > 500) throw new Error(`nothing has happened: ${isMet}`)
    await sleep(10)
  }
}

/** Closes candles one by one, as time passes. If an alert needs it, each candle is evaluated before the next one closes. */
async function close(...prices: readonly number[]): Promise<void> {
  for (const price of prices) {
    const closing = feeds.snapshot.closed
    now += 60
    feeds.close(price)
    for (const key of feeds.followed)
      await until(async () => (await store.alerts.state()).checkpoints.get(key) === feeds.timeOf(closing))
  }
}

/** Changes the forming candle; it is evaluated. */
async function form(price: number): Promise<void> {
  feeds.form(price)
  await settled()
}

/** Closes the alerts of this process and starts new ones, as after a restart. */
async function restart(changes: Partial<AlertOptions> = {}): Promise<void> {
  await alerts.close()
  alerts = create(changes)
  await alerts.start()
}

/** The indices of the candles that were delivered, in their order. */
const candles = () => receiver.delivered.map(key => (Number(key.split(':').at(-1)) - begin) / 60)

describe('an alert', () => {
  test('on an edge fires where its condition becomes true at a closed candle', async () => {
    await add()
    await close(5, 11, 12, 9, 13)
    await receiver.whenDelivered(2)
    expect(candles()).toEqual([4, 7])
  })

  test('over the bars of a chart fires once for the bars of a candle, and not again after a restart', async () => {
    await add({ trigger: 'level', chart: 'renko:2', expression: 'close > open' })
    // The levels are even: 4 and 6 and 8 are completed by one candle, then none, then two downwards, then one.
    await close(8, 9, 5, 2, 6)
    await restart()
    await close(7, 8)
    await receiver.whenDelivered(3)
    expect(candles()).toEqual([3, 7, 9])
  })

  test('on a level fires at each closed candle where its condition is true', async () => {
    await add({ trigger: 'level' })
    await close(11, 12, 9, 13)
    await receiver.whenDelivered(3)
    expect(candles()).toEqual([3, 4, 6])
  })

  test('does not fire for what was true when it was made, nor for the first value', async () => {
    feeds.close(11)
    now += 60
    await add()
    // Its first value is at the fifth candle, and true.
    await add({ expression: 'sma(close, 6) > 1' })
    await close(12, 13, 9, 14)
    await receiver.whenDelivered(1)
    await sleep(50)
    expect(candles()).toEqual([7])
  })

  test('that requires settled values fires from the first one on, with an edge after the second one', async () => {
    await add({ name: 'edge', settled: 4, settledAfter: 5 })
    await close(11, 9, 11, 9, 11)
    await receiver.whenDelivered(1)
    expect(candles(), 'candle 3 has not settled, 5 has, and 4 before it has not').toEqual([7])
    await add({ name: 'level', trigger: 'level', settled: 4, settledAfter: 9 })
    await close(12, 12)
    await receiver.whenDelivered(2)
    expect(candles()).toEqual([7, 9])
  })

  test('shows the symbols at which it has not settled', async () => {
    const whole = await addWhole({ settled: 4, settledAfter: 5 })
    const [alert] = whole
    expect([4, 5, 6].map(at => hasSettled(alert, at))).toEqual([false, false, true])
    expect([4, 5].map(at => hasSettled({ ...alert, trigger: 'level' }, at))).toEqual([false, true])
    expect(hasSettled({ ...alert, settledAfter: undefined }, 0), 'an alert of before').toBe(true)
    expect(describeAlert(whole, undefined, ['BTCUSDT'])).toMatchObject({
      settledAfter: 5,
      unsettled: ['BTCUSDT'],
    })
    expect(describeAlert(whole)).not.toHaveProperty('unsettled')
  })

  test('tells what has fired', async () => {
    const { id } = await add({ name: 'mine' })
    await close(11)
    await receiver.whenDelivered(1)
    expect(JSON.parse(receiver.attempts[0]?.body ?? '')).toEqual({
      type: 'alert',
      id: `${id}:${feeds.timeOf(3)}`,
      alert: id,
      name: 'mine',
      ...market,
      expression: 'close > 10',
      on: 'close',
      trigger: 'edge',
      timestamp: feeds.timeOf(3),
      timestampHuman: '2023-11-15 00:03:00',
      closed: true,
      price: 11,
    })
  })

  test('on update fires at once, once per candle, and not again when the candle closes', async () => {
    await add({ on: 'update' })
    for (const price of [9, 11, 9, 12]) await form(price)
    await receiver.whenDelivered(1)
    expect(JSON.parse(receiver.attempts[0]?.body ?? '')).toMatchObject({ closed: false, price: 11 })
    await close(12, 9)
    await form(13)
    await receiver.whenDelivered(2)
    expect(candles()).toEqual([3, 5])
  })

  test('on close ignores the forming candle', async () => {
    await add()
    await form(11)
    await close(9)
    await close(11)
    await receiver.whenDelivered(1)
    expect(candles()).toEqual([4])
  })

  test('looks at no candle that ended while it was paused', async () => {
    const { id } = await add()
    await alerts.setPaused('one', id, true)
    expect(feeds.followed).toEqual([])
    await close(11, 9, 12, 9)
    await alerts.setPaused('one', id, false)
    await settled()
    await close(13)
    await receiver.whenDelivered(1)
    await sleep(30)
    expect(candles()).toEqual([7])
  })

  test('that is deleted fires nothing, and what waits is dropped', async () => {
    receiver.status = 500
    const { id } = await add()
    await close(11)
    await until(() => receiver.attempts.length > 0)
    expect(alerts.pending).toBe(1)
    expect(isRefusal(await alerts.remove('two', id))).toBe(true)
    await alerts.remove('one', id)
    await until(async () => alerts.pending === 0 && (await store.alerts.state()).due.length === 0)
    expect(feeds.followed).toEqual([])
    await close(9, 12)
    // A later alert shows when the candles have been evaluated and messages are sent.
    const later = await add({ expression: 'close > 100' })
    await close(99, 101)
    const keys = () => receiver.attempts.map(({ headers }) => String(headers['idempotency-key']))
    await until(() => keys().some(key => key.startsWith(later.id)))
    expect(new Set(keys().filter(key => key.startsWith(id)))).toEqual(new Set([`${id}:${feeds.timeOf(3)}`]))
  })

  test('of a revoked key fires nothing', async () => {
    const revoked = { ...account, name: 'x', plan: 'pro', created: 0, requests: 1, constructs: 1 } as Account
    await store.accounts.add('10000000'.padEnd(64, '0'), { ...revoked, id: '10000000' })
    await revokeKey(store.accounts, '10000000', now)
    await add({}, { ...revoked, id: '10000000' })
    await add()
    await restart()
    await close(11)
    await receiver.whenDelivered(1)
    await sleep(30)
    expect(receiver.delivered).toHaveLength(1)
  })
})

describe('what waits for its delivery', () => {
  const owner = {
    ...account,
    ...{ id: 'aaaa0000', name: 'x', plan: 'pro', created: 0, requests: 1, constructs: 1 },
  } as Account

  /** An alert with three waiting messages. The first of them is in the pause of `backoffMs` after an attempt. */
  async function addWaiting(backoffMs: number): Promise<Alert> {
    await store.accounts.add('aaaa0000'.padEnd(64, '0'), owner)
    await restart({ backoffMs })
    receiver.status = 500
    const alert = await add({ trigger: 'level' }, owner)
    await close(11, 12, 13)
    await until(() => alerts.pending === 3 && outcomes.includes('failed'))
    return alert
  }

  /** Waits until no message is due. Expects that none was delivered or became a dead letter. */
  async function settledUnsent(): Promise<void> {
    await until(async () => alerts.pending === 0 && (await store.alerts.state()).due.length === 0)
    receiver.status = 200
    await sleep(50)
    expect([receiver.delivered, await alerts.deadLetters(owner.id)]).toEqual([[], []])
  }

  // So long that nothing is settled by the next attempt.
  const minuteMs = 60_000
  const changes: readonly [string, (id: string) => Promise<unknown>][] = [
    ['deleted', id => alerts.remove(owner.id, id)],
    ['paused', id => alerts.setPaused(owner.id, id, true)],
  ]

  test.each(changes)(
    'is settled unsent when its alert is %s, and what other alerts wait for is not',
    async (_, change) => {
      const { id } = await addWaiting(minuteMs)
      await add({ trigger: 'level', webhook: { url: `${receiver.url}/other` } }, owner)
      await close(14)
      await until(() => alerts.pending === 5)
      await change(id)
      await until(async () => (await store.alerts.state()).due.length === 1)
      expect(alerts.pending).toBe(1)
      expect(receiver.attempts).toHaveLength(2)
    },
  )

  test.each(changes)('is settled unsent when another process has %s its alert', async (_, change) => {
    const { id } = await addWaiting(minuteMs)
    const { lease } = store.alerts
    const runner = alerts
    // One that shares the store, and does not run the alerts.
    store.alerts.lease = async () => ({ isHeld: false, version: 0 })
    alerts = create()
    await change(id)
    store.alerts.lease = async () => ({ isHeld: true, version: 1 })
    await until(() => runner.pending === 0)
    store.alerts.lease = lease
    alerts = runner
    await settledUnsent()
    expect(receiver.attempts).toHaveLength(1)
  })

  test.each([...changes, ['of a revoked key', () => revokeKey(store.accounts, owner.id, now)] as const])(
    'is settled unsent after a restart where its alert is %s',
    async (_, change) => {
      const { id } = await addWaiting(minuteMs)
      await alerts.close()
      alerts = create()
      await change(id)
      receiver.status = 200
      await alerts.start()
      await settledUnsent()
      expect(receiver.attempts).toHaveLength(1)
    },
  )

  test('of a revoked key is settled unsent before its next attempt, also behind others', async () => {
    const { id } = await addWaiting(50)
    await add({ trigger: 'level', webhook: { url: `${receiver.url}/other` } }, owner)
    await revokeKey(store.accounts, owner.id, now)
    await settledUnsent()
    expect((await alerts.list(owner.id)).map(([alert]) => alert.id)).toContain(id)
  })

  test('is neither given up nor settled while a clock is ahead of the time that has passed', async () => {
    const passed = now
    await store.accounts.add('aaaa0000'.padEnd(64, '0'), { ...owner, expires: now + 30 * 86_400 })
    await restart({ ages: { now: () => passed } })
    receiver.status = 500
    await add({ trigger: 'level' }, owner)
    await close(11, 12, 13)
    await until(() => alerts.pending === 3 && outcomes.includes('failed'))
    const tried = receiver.attempts.length
    now += 100 * 86_400
    await until(() => receiver.attempts.length > tried + 2)
    expect(await alerts.deadLetters(owner.id)).toEqual([])
    now = passed
    receiver.status = 200
    await receiver.whenDelivered(3)
    expect(candles()).toEqual([3, 4, 5])
  })

  test('of a key that cannot be looked up is delivered', async () => {
    await addWaiting(5)
    const { findById } = store.accounts
    store.accounts.findById = async () => Promise.reject(new Error('the store is away'))
    receiver.status = 200
    await receiver.whenDelivered(3)
    store.accounts.findById = findById
  })
})

describe('alerts', () => {
  test('of the same expression and market are one computation', async () => {
    await Promise.all([add(), add(), add({ trigger: 'level' }), add({ expression: 'close > 11' })])
    expect(alerts.conditions).toBe(2)
    expect(feeds.followed).toEqual(['demo:BTCUSDT:1m'])
    await add({ markets: [{ ...market, symbol: 'ETHUSDT' }] })
    expect(alerts.conditions).toBe(3)
  })

  test('are bounded per key and in total', async () => {
    await restart({ maxAlerts: 3, maxPerAccount: 2 })
    await add()
    await add()
    await expect(add()).rejects.toThrow('Too many alerts. Your key may have 2 alert(s).')
    await add({}, { ...account, id: 'two' })
    await expect(add({}, { ...account, id: 'three' })).rejects.toThrow(
      'Too many alerts. This service may have 3 alert(s) in total.',
    )
  })

  test('that were stored before there were any over a screen are read', async () => {
    const subject = { kind: 'market', ...market }
    const rest = { subject, expression: 'close > 10', on: 'close', trigger: 'edge' }
    const text = JSON.stringify({
      created: now,
      since: now,
      paused: false,
      ...rest,
      webhook: { url: receiver.url, secret: 'whsec_AA==' },
    })
    await store.alerts.add([{ id: 'alert_old', account: 'one', text }], { perAccount: 1, total: 1 })
    await restart()
    await settled()
    await close(11)
    await receiver.whenDelivered(1)
    expect(receiver.delivered).toEqual([`alert_old:${feeds.timeOf(3)}`])
    expect(await alerts.list('one')).toMatchObject([[{ id: 'alert_old', subject }]])
  })

  test('look after a restart at the candles that closed meanwhile, once', async () => {
    await add()
    await close(11, 9)
    await alerts.close()
    await close(12, 9, 13)
    alerts = create()
    await alerts.start()
    await receiver.whenDelivered(3)
    await restart()
    await close(14, 9)
    await restart()
    await sleep(50)
    expect(candles()).toEqual([3, 5, 7])
  })

  test('do not look at candles that ended too long ago', async () => {
    await add()
    await alerts.close()
    await close(12, 9, 13, 9, 14)
    alerts = create({ catchUpSeconds: 120 })
    await alerts.start()
    await receiver.whenDelivered(1)
    await sleep(50)
    expect(candles()).toEqual([7])
  })

  test('lose nothing and double nothing where a transaction fails, whether it was stored or not', async () => {
    const { commit } = store.alerts
    let calls = 0
    store.alerts.commit = async what => {
      calls++
      if (what.fires.length === 0) return commit.call(store.alerts, what)
      if (calls % 3 === 1) throw new Error('the disk is full')
      const numbers = await commit.call(store.alerts, what)
      if (calls % 3 === 2) throw new Error('no answer')
      return numbers
    }
    await add()
    await close(11, 9, 12, 9, 13, 9, 14)
    await receiver.whenDelivered(4)
    await sleep(50)
    expect(candles()).toEqual([3, 5, 7, 9])
    expect(faults.length).toBeGreaterThan(0)
  })
})

describe('alerts that another process has changed', () => {
  /** The alerts as the store of another process gives them, with each change of the version. */
  let stored: readonly StoredAlert[]
  let version: number

  beforeEach(() => {
    version = 0
    const { list } = store.alerts
    store.alerts.lease = async () => ({ isHeld: true, version })
    store.alerts.list = async (...which) => {
      if (which.length > 0) return list.apply(store.alerts, which)
      stored = [...(await list.call(store.alerts))]
      return stored
    }
  })

  /** Resolves when the process has read all alerts again. */
  async function reloaded(): Promise<void> {
    const before = stored
    version++
    await until(() => stored !== before)
    await settled()
  }

  test.each([
    ['as they are made', async () => {}],
    ['as they are read at the start', async () => restart()],
  ])('are not evaluated anew where nothing has changed: %s', async (_, begin) => {
    let followed = 0
    const { follow } = feeds
    feeds.follow = (...which) => {
      followed++
      return follow.apply(feeds, which)
    }
    const whole = {
      markets: [market, { ...market, symbol: 'ETHUSDT' }],
      screen: { quote: undefined },
    } as const
    const [both] = await addWhole({ ...whole, name: 'both', expressionBytes: 100 })
    const { id } = await add({ webhook: undefined })
    await begin()
    await settled()
    followed = 0
    await reloaded()
    await reloaded()
    expect(followed).toBe(0)
    await store.alerts.replace(
      (await store.alerts.list(account.id))
        .filter(each => each.id === id)
        .map(each => ({ ...each, text: each.text.replace('close > 10', 'close > 11') })),
    )
    await alerts.remove(account.id, both.id.split(':')[0] as string)
    expect(feeds.followed).toEqual(['demo:BTCUSDT:1m'])
    await reloaded()
    expect(followed, 'one that has changed').toBe(1)
  })
})

describe('old candles', () => {
  test('fire nothing before the market goes on', async () => {
    await add({ trigger: 'level' })
    await alerts.close()
    feeds.age = 86_400
    feeds.close(11)
    now = feeds.timeOf(6)
    alerts = create()
    await alerts.start()
    // Candles of the earlier time that are fetched immediately are just as old.
    feeds.close(12, 13)
    for (let turn = 0; turn < 20; turn++) await nextTurn()
    expect([...(await store.alerts.state()).checkpoints.values()]).toEqual([feeds.timeOf(2)])
    feeds.age = undefined
    await close(14)
    await receiver.whenDelivered(4)
    expect(candles()).toEqual([3, 4, 5, 6])
  })

  test('are no old ones where they come as time goes on: the clock is ahead', async () => {
    await add({ trigger: 'level' })
    await alerts.close()
    feeds.age = 86_400
    const clock = vi.spyOn(performance, 'now')
    alerts = create()
    await alerts.start()
    feeds.close(9)
    const later = performance.now() + 60_000
    clock.mockReturnValue(later)
    feeds.close(12)
    clock.mockRestore()
    await receiver.whenDelivered(1)
    expect(candles()).toEqual([4])
  })
})

describe('alerts of a service whose clock was ahead', () => {
  const hour = 3600

  /** The clock goes ahead by an hour, and candles close up to then; then it is set back, and these are gone. */
  async function aheadAndBack(forming?: number): Promise<void> {
    const before = feeds.snapshot.closed
    await close(...Array.from({ length: 60 }, (_, at) => 20 + at))
    now -= hour
    feeds.drop(before, forming)
    await settled()
  }

  test.each([
    ['in the same process', async () => {}],
    ['after a restart', async () => restart()],
  ])('fire again at the next candle that closes, %s', async (_, meanwhile) => {
    await add({ trigger: 'level' })
    await close(11)
    await aheadAndBack()
    await meanwhile()
    const delivered = receiver.delivered.length
    await close(12, 9, 13)
    await receiver.whenDelivered(delivered + 2)
    await restart()
    await settled()
    await sleep(30)
    expect(candles().slice(delivered)).toEqual([4, 6])
    expect((await store.alerts.state()).checkpoints).toEqual(new Map([['demo:BTCUSDT:1m', feeds.timeOf(6)]]))
  })

  test('fire where the clock was corrected while the service was stopped', async () => {
    await add({ trigger: 'level' })
    await close(...Array.from({ length: 60 }, (_, at) => 20 + at))
    await receiver.whenDelivered(60)
    await alerts.close()
    now -= hour
    feeds.drop(3)
    alerts = create()
    await alerts.start()
    await settled()
    await close(12)
    await receiver.whenDelivered(61)
    expect(candles().at(-1)).toBe(3)
  })

  test('do not fire twice at a forming candle that is there before and after', async () => {
    await add({ on: 'update', trigger: 'level' })
    await form(11)
    await receiver.whenDelivered(1)
    await aheadAndBack(12)
    const delivered = receiver.delivered.length
    await form(13)
    await close(13, 14)
    await receiver.whenDelivered(delivered + 1)
    await sleep(30)
    expect(candles().slice(delivered)).toEqual([4])
  })

  test('judge a candle that was taken for closed anew when it closes, and fire at it once', async () => {
    await add()
    await close(9)
    const early = feeds.snapshot.closed
    await close(8)
    feeds.drop(early)
    await settled()
    await close(11)
    await receiver.whenDelivered(1)
    expect(candles()).toEqual([4])
    feeds.drop(early)
    await settled()
    await close(12)
    await close(9, 13)
    await receiver.whenDelivered(2)
    await sleep(30)
    expect(candles()).toEqual([4, 6])
  })

  test('fire where they were made, or resumed, while it was ahead', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    await restart()
    now += hour
    const { id } = await add({ trigger: 'level' })
    await alerts.setPaused(account.id, id, true)
    await alerts.setPaused(account.id, id, false)
    now -= hour
    // The clock is looked at each second.
    vi.advanceTimersByTime(1000)
    await settled()
    await close(11)
    await receiver.whenDelivered(1)
    await restart()
    await settled()
    await close(12)
    await receiver.whenDelivered(2)
    expect(candles()).toEqual([3, 4])
  })

  test('fire at a candle that closes while it is ahead by more than the time that is caught up with', async () => {
    await add({ trigger: 'level' })
    await close(9)
    now += 30 * 86_400
    await close(11)
    now -= 30 * 86_400
    await close(12)
    await receiver.whenDelivered(2)
    expect(candles()).toEqual([4, 5])
  })

  test('lose nothing where a transaction fails that says which candles are gone', async () => {
    await add({ trigger: 'level' })
    await close(11)
    const { commit } = store.alerts
    let failures = 0
    store.alerts.commit = async what => {
      const newest = Math.max(...what.checkpoints.values())
      if (newest === feeds.timeOf(3) && failures++ < 2) throw new Error('the disk is full')
      return commit.call(store.alerts, what)
    }
    await aheadAndBack()
    await until(() => failures > 2)
    const delivered = receiver.delivered.length
    await close(12)
    await receiver.whenDelivered(delivered + 1)
    expect(candles().at(-1)).toBe(4)
  })
})

describe('the expressions of the alerts of a key', () => {
  const fifth = Math.floor(maxExpressionBytes / 5)
  const refused = tooManyExpressions(maxExpressionBytes, 'alerts')
  const twoMarkets = {
    markets: [market, { ...market, symbol: 'ETHUSDT' }],
    screen: { quote: undefined },
  } as const
  const hourly = { markets: [{ ...market, timeframe: '1h' }] } as const
  const other = (at: number) => ({ expression: `close > ${20 + at}`, expressionBytes: fifth })

  test('take bounded memory, equal ones once for each timeframe, until they are deleted', async () => {
    const { id } = await add({ expressionBytes: fifth })
    await addWhole({ ...twoMarkets, expressionBytes: fifth })
    const { id: hour } = await add({ ...hourly, expressionBytes: fifth })
    for (const at of [0, 1, 2]) await add(other(at))
    expect(await ask(other(3))).toEqual(refused)
    const { id: level } = await add({ expressionBytes: fifth, trigger: 'level' })
    await add(other(3), { ...account, id: 'two' })
    for (const each of [id, level]) {
      await alerts.remove(account.id, each)
      expect(await ask(other(3)), 'others have the same').toEqual(refused)
    }
    await alerts.remove(account.id, hour)
    await add(other(3))
  })

  test('take bounded memory for what they keep of the candles of each market', async () => {
    await addWhole({ ...twoMarkets, stateBytes: fifth })
    await add({ stateBytes: fifth })
    expect(await ask({ ...hourly, stateBytes: 4 * fifth })).toEqual(refused)
    await add({ ...hourly, stateBytes: 3 * fifth })
    expect(await ask({ ...twoMarkets, ...other(0) })).toEqual(refused)
  })

  test('are compiled once for all markets, however many others were compiled meanwhile', () => {
    const plans = new Plans()
    const known = plans.find('close > 10', '1m')
    // More unused plans than are remembered.
    for (let at = 0; at < 3000; at++) plans.find(`close > ${at}.5`, '5m')
    plans.sweep()
    expect(plans.find('close > 10', '1m')).toBe(known)
    expect(plans.find('close > 10', '1h')).not.toBe(known)
    expect(() => plans.find('close >', '1m')).toThrow('close >: Invalid expression')
  })
})

describe('thousands of alerts of a key', () => {
  test('are not looked at where one of them is changed or deleted', async () => {
    const { id } = await add()
    const [{ id: part }] = await addWhole({
      markets: [market, { ...market, symbol: 'ETHUSDT' }],
      screen: { quote: undefined },
    })
    store.alerts.list = async () => expect.fail('all are read')
    for (const whole of [id, part.split(':')[0] as string]) {
      expect(isRefusal(await alerts.setPaused('one', whole, true))).toBe(false)
      expect(isRefusal(await alerts.setPaused('one', whole, false))).toBe(false)
      expect(isRefusal(await alerts.remove('one', whole))).toBe(false)
      expect(isRefusal(await alerts.remove('one', whole))).toBe(true)
    }
    expect(alerts.size).toBe(0)
  })
})

describe('deliveries', () => {
  test('wait in order while a webhook is down, also over restarts', async () => {
    receiver.status = 503
    await add({ trigger: 'level' })
    await close(11, 12, 13)
    await restart()
    await close(14, 15)
    await until(() => receiver.attempts.length > 2)
    expect(new Set(receiver.attempts.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    receiver.status = 200
    await receiver.whenDelivered(5)
    expect(candles()).toEqual([3, 4, 5, 6, 7])
    await until(async () => (await store.alerts.state()).due.length === 0)
  })

  test('become dead letters after some time, and those behind them go on', async () => {
    await restart({ giveUpSeconds: 100 })
    receiver.status = 404
    const { id } = await add({ trigger: 'level' })
    await close(11)
    await until(() => receiver.attempts.length > 1)
    now += 100
    await until(() => outcomes.includes('dead'))
    receiver.status = 200
    await close(12)
    await until(() => outcomes.includes('delivered'))
    expect(candles()).toEqual([4])
    const [dead, ...others] = (await alerts.deadLetters('one')).map(text => JSON.parse(text))
    expect(others).toEqual([])
    expect(dead).toMatchObject({
      id: `${id}:${feeds.timeOf(3)}`,
      alert: id,
      reason: 'the webhook answered with status 404',
      message: { timestamp: feeds.timeOf(3), price: 11 },
    })
    expect(dead.attempts).toBeGreaterThan(1)
    expect(outcomes.filter(outcome => outcome !== 'failed')).toEqual(['dead', 'delivered'])
  })

  test('beyond the bound of a key, or of all keys, are dead letters at once', async () => {
    await restart({ maxPending: 25 })
    receiver.status = 500
    const other = { ...account, id: 'two' }
    for (const [owner, count] of [
      [account, 6],
      [other, 4],
    ] as const)
      await Promise.all(Array.from({ length: count }, () => add({}, owner)))
    await close(11)
    await until(() => alerts.pending === 9)
    const reasons = async (id: string) => (await alerts.deadLetters(id)).map(text => JSON.parse(text).reason)
    expect(await reasons('one')).toEqual(['5 messages of the key wait already'])
    expect(await reasons('two')).toEqual([])
    for (const id of ['three', 'four', 'five', 'six'])
      await Promise.all(Array.from({ length: 5 }, () => add({}, { ...account, id })))
    await close(9, 11)
    await until(() => alerts.pending === 25)
    const dead = await Promise.all(['one', 'two', 'three', 'four', 'five', 'six'].map(reasons))
    expect(dead.map(({ length }) => length)).toEqual([7, 3, 0, 0, 0, 5])
    expect(new Set(dead[1])).toEqual(new Set(['5 messages of the key wait already']))
    expect(new Set(dead[5])).toEqual(new Set(['25 messages wait already']))
  })

  test.each([
    ['after an attempt', async () => until(() => outcomes.includes('failed'))],
    ['during an attempt', async () => {}],
  ])('without a webhook wait for a streaming connection, which comes %s', async (_, meanwhile) => {
    await restart({ backoffMs: 60_000 })
    await add({ webhook: undefined, trigger: 'level' })
    await close(11, 12)
    await until(() => alerts.pending === 2)
    await meanwhile()
    streamed = []
    alerts.listening('one')
    await until(() => alerts.pending === 0)
    expect(streamed).toEqual([feeds.timeOf(3), feeds.timeOf(4)])
  })
})

describe('a symbol outside Latin-1', () => {
  const symbol = '币安人生USDT'
  // The UTF-8 bytes of the four characters.
  const encoded = '%e5%b8%81%e5%ae%89%e4%ba%ba%e7%94%9fUSDT'
  const over = { markets: [market, { ...market, symbol }], screen: { quote: undefined } } as const

  test('is posted like others, under an id of ASCII that the message has as well', async () => {
    const [{ id }] = await addWhole(over)
    const whole = id.split(':')[0]
    await close(11, 9, 12)
    await receiver.whenDelivered(4)
    const ids = [3, 5].flatMap(at => [
      `${whole}:BTCUSDT:${feeds.timeOf(at)}`,
      `${whole}:${encoded}:${feeds.timeOf(at)}`,
    ])
    expect([...receiver.delivered].sort()).toEqual([...ids].sort())
    const messages = receiver.attempts.map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body)])
    for (const [header, message] of messages) expect(header).toBe(message.id)
    expect(messages.map(([, message]) => message.symbol).sort()).toEqual(
      ['BTCUSDT', 'BTCUSDT', symbol, symbol].sort(),
    )
    await until(() => outcomes.length === 4)
    expect(outcomes).toEqual(Array(4).fill('delivered'))
  })

  test('has an id of its own, which its symbol can be read from; one of ASCII stays as it is', () => {
    const symbols = fc.string({ unit: 'grapheme', minLength: 1 }).map(canonicalSymbol)
    fc.assert(
      fc.property(symbols, symbol => {
        const id = toAscii(`alert_x:${symbol}`)
        expect(id).toMatch(/^[\x20-\x7e]+$/)
        expect(fromAscii(id)).toBe(`alert_x:${symbol}`)
        if (/^[\x20-\x7e]*$/.test(symbol)) expect(id).toBe(`alert_x:${symbol}`)
        expect(toAscii(id)).toBe(id)
      }),
    )
  })

  test('of a dead letter names its alert, whichever version has written it', async () => {
    await restart({ giveUpSeconds: 0 })
    receiver.status = 500
    const [, part] = await addWhole(over)
    await close(11)
    await until(async () => (await alerts.deadLetters('one')).length === 2)
    const dead = await alerts.deadLetters('one')
    expect(dead.map(readDeadLetter)).toContain(part?.id)
    expect(readDeadLetter(JSON.stringify({ id: `${part?.id}:60` }))).toBe(part?.id)
  })
})

describe('an alert over a screen', () => {
  const ether = { ...market, symbol: 'ETHUSDT' }
  const over = { markets: [market, ether], screen: { quote: undefined } } as const
  const ofQuote = { ...over, screen: { quote: 'USDT' } }
  const wholeId = (id: string) => id.split(':')[0] as string
  /** The symbols and the indices of the candles that were delivered. */
  const fired = () =>
    receiver.delivered
      .map(key => [key.split(':')[1], (Number(key.split(':').at(-1)) - begin) / 60] as const)
      .sort()
  const symbolsOf = async () => {
    const all = await alerts.list('bbbb0000')
    const whole = all.find(([{ subject }]) => subject.kind === 'screen' && subject.quote === 'USDT')
    return whole?.map(part => part.subject.symbol)
  }
  const known = {
    ...account,
    ...{ id: 'bbbb0000', name: 'x', plan: 'pro', created: 0, requests: 1, constructs: 1 },
  } as Account
  const addKnown = () => store.accounts.add('bbbb0000'.padEnd(64, '0'), known)

  test('fires once for each of its markets and candle, and names the market', async () => {
    const [{ id }] = await addWhole({ ...over, name: 'both' })
    expect([...feeds.followed].sort()).toEqual(['demo:BTCUSDT:1m', 'demo:ETHUSDT:1m'])
    await close(5, 11, 12, 9, 13)
    await receiver.whenDelivered(4)
    expect(fired()).toEqual([
      ['BTCUSDT', 4],
      ['BTCUSDT', 7],
      ['ETHUSDT', 4],
      ['ETHUSDT', 7],
    ])
    const messages = receiver.attempts.map(({ body }) => JSON.parse(body))
    expect(messages.find(({ symbol }) => symbol === 'ETHUSDT')).toMatchObject({
      ...{ id: `${wholeId(id)}:ETHUSDT:${feeds.timeOf(4)}`, alert: wholeId(id), name: 'both' },
      ...{ exchange: 'demo', timeframe: '1m', timestamp: feeds.timeOf(4), closed: true, price: 11 },
    })
  })

  test('on a level and on update fires once per market and candle', async () => {
    await addWhole({ ...over, trigger: 'level', on: 'update' })
    for (const price of [11, 9, 12]) await form(price)
    await close(12, 13)
    await receiver.whenDelivered(4)
    await sleep(30)
    expect(fired()).toEqual([
      ['BTCUSDT', 3],
      ['BTCUSDT', 4],
      ['ETHUSDT', 3],
      ['ETHUSDT', 4],
    ])
  })

  test('shares the computation with alerts over one of its markets', async () => {
    await addWhole(over)
    await add()
    expect(alerts.conditions).toBe(2)
    await close(11)
    await receiver.whenDelivered(3)
    expect(new Set(receiver.delivered).size).toBe(3)
  })

  test('looks after a restart at the candles that closed meanwhile, once', async () => {
    await addWhole(over)
    await close(11, 9)
    await alerts.close()
    await close(12, 9)
    alerts = create()
    await alerts.start()
    await receiver.whenDelivered(4)
    await restart()
    await sleep(50)
    expect(fired()).toEqual([
      ['BTCUSDT', 3],
      ['BTCUSDT', 5],
      ['ETHUSDT', 3],
      ['ETHUSDT', 5],
    ])
  })

  test('is listed, paused, resumed and deleted as one', async () => {
    const made = await addWhole(over)
    await add()
    const id = wholeId(made[0].id)
    const lengths = async () => (await alerts.list('one')).map(({ length }) => length).sort()
    expect(await lengths()).toEqual([1, 2])
    for (const stranger of [made[0].id, made[1]?.id as string])
      expect(await alerts.setPaused('one', stranger, true), 'a part is no alert').toMatchObject({
        status: 404,
      })
    expect(isRefusal(await alerts.remove('two', id))).toBe(true)
    expect(await alerts.setPaused('one', id, true)).toMatchObject([{ paused: true }, { paused: true }])
    expect(feeds.followed).toEqual(['demo:BTCUSDT:1m'])
    await close(11, 9)
    await receiver.whenDelivered(1)
    await alerts.setPaused('one', id, false)
    await settled()
    await close(12, 9)
    await receiver.whenDelivered(4)
    expect(fired().filter(([symbol]) => symbol === 'ETHUSDT')).toEqual([['ETHUSDT', 5]])
    expect(await alerts.remove('one', id)).toHaveLength(2)
    expect(await alerts.remove('one', id)).toMatchObject({ status: 404 })
    expect(await lengths()).toEqual([1])
    expect(feeds.followed).toEqual(['demo:BTCUSDT:1m'])
    expect([...(await store.alerts.state()).fired.keys()]).toHaveLength(1)
  })

  test('counts as an alert for each market', async () => {
    await restart({ maxAlerts: 4, maxPerAccount: 3 })
    await addWhole(over)
    await expect(addWhole(over)).rejects.toThrow(
      'Too many alerts. Your key may have 3 alert(s). One over 2 markets counts as 2.',
    )
    await add()
    await expect(addWhole(over, { ...account, id: 'two' })).rejects.toThrow(
      'Too many alerts. This service may have 4 alert(s) in total. One over 2 markets counts as 2.',
    )
    expect(alerts.size).toBe(3)
  })

  test('becomes a dead letter under its own id', async () => {
    await restart({ giveUpSeconds: 0 })
    receiver.status = 500
    const [{ id }] = await addWhole(over)
    await close(11)
    // Waits for the dead letters, not until nothing is pending: a candle is stored a moment before its messages are pending.
    await until(async () => (await alerts.deadLetters('one')).length === 2)
    const dead = (await alerts.deadLetters('one')).map(text => JSON.parse(text))
    expect(dead.map(({ alert, message }) => [alert, message.symbol]).sort()).toEqual([
      [wholeId(id), 'BTCUSDT'],
      [wholeId(id), 'ETHUSDT'],
    ])
  })

  test('with a quote follows what its exchange lists', async () => {
    await addKnown()
    await addWhole(ofQuote, known)
    await addWhole(over, known)
    listed = ['BTCUSDT', 'SOLUSDT', 'XRPBTC']
    await restart()
    await until(async () => (await symbolsOf())?.join() === 'BTCUSDT,SOLUSDT')
    await until(() => feeds.followed.includes('demo:SOLUSDT:1m'))
    expect(await alerts.list('bbbb0000')).toHaveLength(2)
    await settled()
    await close(11)
    await receiver.whenDelivered(4)
    expect(fired()).toEqual([
      ['BTCUSDT', 3],
      ['BTCUSDT', 3],
      ['ETHUSDT', 3],
      ['SOLUSDT', 3],
    ])
    // A list that cannot be had, or is empty, changes nothing.
    listed = []
    await restart()
    await sleep(50)
    expect(await symbolsOf()).toEqual(['BTCUSDT', 'SOLUSDT'])
  })

  test('with a quote grows only as far as the bounds allow, and not once it is deleted', async () => {
    await addKnown()
    const [{ id }] = await addWhole(ofQuote, known)
    listed = ['AUSDT', 'BTCUSDT', 'BUSDT', 'CUSDT', 'ETHUSDT']
    await restart({ maxPerAccount: 3 })
    await until(async () => (await symbolsOf())?.join() === 'AUSDT,BTCUSDT,ETHUSDT')
    await sleep(30)
    expect(await symbolsOf()).toHaveLength(3)
    await alerts.close()
    // The alert is deleted between the request for the listed symbols and the answer.
    const { parts } = store.alerts
    store.alerts.parts = async (...which) => {
      const found = await parts.apply(store.alerts, which)
      const all = (await store.alerts.list('bbbb0000')).map(part => part.id)
      await store.alerts.remove('bbbb0000', all)
      return found
    }
    alerts = create()
    await alerts.start()
    await until(async () => (await store.alerts.list()).length === 0)
    await sleep(30)
    store.alerts.parts = parts
    expect(await alerts.list('bbbb0000'), id).toEqual([])
  })

  test('with a quote grows only as far as the memory of the expressions allows', async () => {
    await addKnown()
    await addWhole({ ...ofQuote, stateBytes: Math.floor(maxExpressionBytes / 3) }, known)
    listed = ['AUSDT', 'BTCUSDT', 'BUSDT', 'CUSDT', 'ETHUSDT']
    await restart()
    await until(async () => (await symbolsOf())?.join() === 'AUSDT,BTCUSDT,ETHUSDT')
    await sleep(30)
    expect(await symbolsOf()).toHaveLength(3)
  })

  test('keeps a market that is listed no more until what it has fired is delivered', async () => {
    await addKnown()
    receiver.status = 500
    await addWhole(ofQuote, known)
    await close(11)
    await until(() => alerts.pending === 2)
    listed = ['BTCUSDT']
    await restart()
    await sleep(50)
    expect(await symbolsOf()).toEqual(['BTCUSDT', 'ETHUSDT'])
    receiver.status = 200
    await receiver.whenDelivered(2)
    await restart()
    await until(async () => (await symbolsOf())?.join() === 'BTCUSDT')
  })
})
