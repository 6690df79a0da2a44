import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Alert, AlertRequest } from '../../src/alerts/alert.js'
import { type AlertOptions, Alerts } from '../../src/alerts/alerts.js'
import { isRefusal } from '../../src/contract/refusals.js'
import type { ExchangeLookup } from '../../src/exchanges/registry.js'
import { openEmbedded } from '../../src/store/embedded.js'
import type { Account, Store } from '../../src/store/store.js'
import { ScriptedFeeds } from '../support/alert-market.js'
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.js'

const begin = 1_700_006_400
const account = { id: 'one', subscriptions: 5000 } as Account
const market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m' } as const

let directory: string
let store: Store
let feeds: ScriptedFeeds
let receiver: WebhookReceiver
let alerts: Alerts
let now: number
let faults: unknown[]
/** What was sent to streaming connections; undefined while there is none. */
let streamed: string[] | undefined
let outcomes: string[]

const create = (changes: Partial<AlertOptions> = {}) =>
  new Alerts({
    store: store.alerts,
    accounts: store.accounts,
    feeds,
    exchanges: { ids: () => ['demo'], find: () => ({ id: 'demo', source: {} }) } as unknown as ExchangeLookup,
    clock: () => now,
    maxAlerts: 10_000,
    maxPerAccount: undefined,
    privateTargets: true,
    concurrency: 4,
    backoffMs: 5,
    giveUpSeconds: 3600,
    maxPending: 1000,
    catchUpSeconds: 86_400,
    sendToAccount: (_, text) => {
      streamed?.push(JSON.parse(text).timestamp)
      return streamed !== undefined
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
  const alert = await alerts.create(of, {
    market,
    expression: 'close > 10',
    on: 'close',
    trigger: 'edge',
    webhookUrl: receiver.url,
    name: undefined,
    ...request,
  })
  if (isRefusal(alert)) return expect.fail(alert.error)
  await sleep(20)
  return alert
}

async function until(isMet: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isMet()); tries++) {
    if (tries > 500) throw new Error(`nothing has happened: ${isMet}`)
    await sleep(10)
  }
}

/** Closes candles one by one, as time passes; each is evaluated before the next one, where an alert needs it. */
async function close(...prices: readonly number[]): Promise<void> {
  for (const price of prices) {
    const closing = feeds.snapshot.closed
    now += 60
    feeds.close(price)
    for (const key of feeds.followed)
      await until(async () => (await store.alerts.state()).marks.get(key) === feeds.timeOf(closing))
  }
}

/** Changes the forming candle; it is evaluated. */
async function form(price: number): Promise<void> {
  feeds.form(price)
  await sleep(30)
}

/** Ends this process's alerts and begins anew, as after a restart. */
async function restart(changes: Partial<AlertOptions> = {}): Promise<void> {
  await alerts.close()
  alerts = create(changes)
  await alerts.start()
}

/** The indices of the candles that were delivered, in their order. */
const candles = () => receiver.delivered.map(key => (Number(key.split(':')[1]) - begin) / 60)

describe('an alert', () => {
  test('on an edge fires where its condition becomes true at a closed candle', async () => {
    await add()
    await close(5, 11, 12, 9, 13)
    await receiver.whenDelivered(2)
    expect(candles()).toEqual([4, 7])
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
    await sleep(20)
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
    // An attempt that has begun ends as it ends; only then would another one arrive.
    await until(() => alerts.pending === 0)
    receiver.status = 200
    await close(9, 12)
    await sleep(20)
    expect(receiver.delivered).toEqual([])
    expect(feeds.followed).toEqual([])
    expect((await store.alerts.state()).due).toEqual([])
  })

  test('of a revoked key fires nothing', async () => {
    const revoked = { ...account, name: 'x', plan: 'pro', created: 0, requests: 1, constructs: 1 } as Account
    await store.accounts.add('one'.padEnd(64, '0'), { ...revoked, id: 'one00000' })
    await store.accounts.revoke('one00000', now)
    await add({}, { ...revoked, id: 'one00000' })
    await add()
    await restart()
    await close(11)
    await receiver.whenDelivered(1)
    await sleep(30)
    expect(receiver.delivered).toHaveLength(1)
  })
})

describe('alerts', () => {
  test('of the same expression and market are one computation', async () => {
    await Promise.all([add(), add(), add({ trigger: 'level' }), add({ expression: 'close > 11' })])
    expect(alerts.conditions).toBe(2)
    expect(feeds.followed).toEqual(['demo:BTCUSDT:1m'])
    await add({ market: { ...market, symbol: 'ETHUSDT' } })
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
    await receiver.whenDelivered(1)
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

  test('without a webhook go to streaming connections, and wait for one', async () => {
    await restart({ backoffMs: 60_000 })
    await add({ webhookUrl: undefined, trigger: 'level' })
    await close(11, 12)
    await until(() => alerts.pending === 2)
    streamed = []
    await sleep(1100)
    alerts.listening('one')
    await until(() => alerts.pending === 0)
    expect(streamed).toEqual([feeds.timeOf(3), feeds.timeOf(4)])
  })

  test('call a bounded number of webhooks at the same time', async () => {
    let active = 0
    let most = 0
    const slow = await import('node:http').then(({ createServer }) =>
      createServer((request, response) => {
        most = Math.max(most, ++active)
        request.resume()
        setTimeout(() => {
          active--
          response.end()
        }, 20)
      }),
    )
    await new Promise<void>(resolve => slow.listen(0, '127.0.0.1', resolve))
    const { port } = slow.address() as { port: number }
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => add({ webhookUrl: `http://127.0.0.1:${port}/${at}` })),
    )
    await close(11)
    await until(() => most > 0 && alerts.pending === 0)
    slow.close()
    expect(most).toBe(4)
  })
})
