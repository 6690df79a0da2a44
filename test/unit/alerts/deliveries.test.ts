import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Alert } from '../../../src/alerts/alert.js'
import { Deliveries, type DeliveryHost, writeDelivery } from '../../../src/alerts/deliveries.js'
import { sendWebhook } from '../../../src/alerts/webhook.js'
import { startReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js'

/** A server on loopback that reads messages, and answers none while it is silent. */
class SilentReceiver {
  isSilent = true
  /** Connections that wait for an answer, and the most that there were at the same time. */
  waiting = 0
  most = 0
  /** The ids of the messages that were answered. */
  readonly answered: string[] = []
  readonly #server: Server = createServer((request, response) => {
    this.most = Math.max(this.most, ++this.waiting)
    response.on('close', () => this.waiting--)
    request.resume()
    if (this.isSilent) return
    this.answered.push(String(request.headers['webhook-id']))
    response.end()
  })

  async start(): Promise<this> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

let silent: SilentReceiver
let receiver: WebhookReceiver
let deliveries: Deliveries
let alerts: Map<string, Alert>
let outcomes: string[]
/** Outcomes of the attempts to call webhooks. */
let webhooks: string[]
let settled: string[]
let dead: string[]
let number: number
let timeoutMs: number
/** Attempts in flight, and the most that there were at the same time. */
let calling: number
let mostCalling: number

beforeEach(async () => {
  silent = await new SilentReceiver().start()
  receiver = await startReceiver()
  alerts = new Map()
  outcomes = []
  webhooks = []
  settled = []
  dead = []
  number = 0
  timeoutMs = 60_000
  calling = mostCalling = 0
  deliveries = new Deliveries(hostWith({}))
})
afterEach(async () => {
  const closed = deliveries.close()
  silent.close()
  await closed
  await receiver.close()
})

const hostWith = (changes: Partial<DeliveryHost>): DeliveryHost => ({
  alert: id => alerts.get(id),
  async attempt({ id, body }, alert, signal) {
    const { webhook } = alert
    const options = { isPrivateAllowed: true, now: 1, signal, timeoutMs }
    mostCalling = Math.max(mostCalling, ++calling)
    await sendWebhook({ url: webhook?.url ?? '', secret: 'whsec_AA==', id, body }, options).finally(
      () => calling--,
    )
  },
  isWanted: async () => true,
  async acknowledge(done) {
    settled.push(...done.map(({ id }) => id))
  },
  async deadLetter(_, deadText) {
    dead.push(JSON.parse(deadText).reason)
  },
  clock: () => 0,
  ages: { now: () => 0 },
  backoffMs: 5,
  giveUpSeconds: 3600,
  onOutcome: outcome => outcomes.push(outcome),
  onWebhook: (outcome, seconds) => {
    expect(seconds).toBeGreaterThanOrEqual(0)
    webhooks.push(outcome)
  },
  onFault: error => expect.fail(String(error)),
  ...changes,
})

/** Adds a message of an account to an address; answers its id. */
function add(account: string, url: string, alert = `alert_${number}`): string {
  alerts.set(alert, { id: alert, account, webhook: { url, secret: '' } } as Alert)
  const content = { alert, id: `${alert}:60`, created: 0, body: '{}' }
  deliveries.add({ ...content, stored: { number: number++, account, text: writeDelivery(content) } })
  return content.id
}

async function until(isMet: () => boolean): Promise<void> {
  for (let tries = 0; !isMet(); tries++) {
    if (tries > 800) throw new Error(`nothing has happened: ${isMet}`)
    await sleep(10)
  }
}

test.each([
  ['an id that is no header', 'alert_币', ''],
  ['an address that is none', 'alert_x', 'nowhere'],
])(
  'a message that cannot be sent, with %s, is a dead letter at once and blocks nothing',
  async (_, name, url) => {
    add('a', url || receiver.url, name)
    const next = add('a', receiver.url)
    await until(() => deliveries.size === 0)
    expect(receiver.delivered).toEqual([next])
    expect(dead).toEqual([expect.stringContaining('the message cannot be sent: ')])
    expect([...outcomes].sort()).toEqual(['dead', 'delivered', 'failed'])
  },
)

describe('webhooks of a key that do not answer', () => {
  // With 60 s for each attempt, nothing arrives in time that waits for one of them to end.
  test('delay no other key, however many they are', async () => {
    for (let target = 0; target < 64; target++) add('a', `${silent.url}/${target}`)
    await until(() => silent.waiting === 16)
    const id = add('b', receiver.url)
    await until(() => outcomes.length > 0)
    expect([receiver.delivered, outcomes, webhooks]).toEqual([[id], ['delivered'], ['delivered']])
    expect(silent.most).toBe(16)
  })

  test('delay no further key, though many keys have them at several hosts', async () => {
    const other = await new SilentReceiver().start()
    for (let target = 0; target < 64; target++)
      for (const key of ['a', 'c', 'd', 'e', 'f', 'g'])
        add(key, `${(target % 2 === 0 ? silent : other).url}/${key}/${target}`)
    // One attempt of each of the six keys, and further ones up to half of all.
    await until(() => silent.waiting + other.waiting === 32)
    add('b', receiver.url)
    await until(() => outcomes.length > 0)
    expect(outcomes).toEqual(['delivered'])
    expect(silent.most + other.most).toBe(32)
    other.close()
  })

  test('are called one at a time after a silence, until one answers', async () => {
    timeoutMs = 60
    for (let target = 0; target < 20; target++) add('a', `${silent.url}/${target}`)
    await until(() => outcomes.length >= 16 && calling === 1)
    mostCalling = 0
    const { length } = outcomes
    await until(() => outcomes.length >= length + 4)
    expect(mostCalling).toBe(1)
    expect(deliveries.size).toBe(20)
    timeoutMs = 60_000
    silent.isSilent = false
    await until(() => deliveries.size === 0)
    expect(new Set(settled)).toEqual(new Set(silent.answered))
    expect([settled.length, dead]).toEqual([20, []])
  })

  test('are given up like others', async () => {
    timeoutMs = 60
    const given = new Deliveries(hostWith({ giveUpSeconds: 0 }))
    await deliveries.close()
    deliveries = given
    add('a', silent.url)
    await until(() => given.size === 0)
    expect([dead, outcomes]).toEqual([['no response within 0.06 s'], ['failed', 'dead']])
    expect(webhooks).toEqual(['failed'])
  })
})

test('what is wanted no longer while it waits for a slot is settled at once, and keeps nothing back', async () => {
  for (let target = 0; target < 16; target++) add('a', `${silent.url}/${target}`)
  await until(() => silent.waiting === 16)
  const url = receiver.url
  const unwanted = add('a', url, 'alert_paused')
  const alert = alerts.get('alert_paused') as Alert
  alerts.delete('alert_paused')
  await deliveries.settleUnwanted(new Set(['a']))
  expect([settled, deliveries.size]).toEqual([[unwanted], 16])
  alerts.set('alert_paused', alert)
  const wanted = [add('a', url), add('a', url)]
  silent.isSilent = false
  silent.close()
  await until(() => receiver.delivered.length === 2)
  expect(receiver.delivered).toEqual(wanted)
})

// All e-mail goes to the server of the settings, whatever the addresses.
test('e-mails of a key for which the server is slow delay no other key, and no webhook', async () => {
  const sending: string[] = []
  const ends = new Map<string, () => void>()
  const mails = new Deliveries(
    hostWith({
      attempt(delivery, alert, signal) {
        if (!alert.email) return hostWith({}).attempt(delivery, alert, signal)
        sending.push(alert.account)
        return new Promise<void>(resolve => ends.set(delivery.id, resolve))
      },
    }),
  )
  await deliveries.close()
  deliveries = mails
  const addMail = (account: string, to: string) => {
    const id = `alert_${number}`
    alerts.set(id, { id, account, email: { to } } as Alert)
    const content = { alert: id, id: `${id}:60`, created: 0, body: '{}' }
    mails.add({ ...content, stored: { number: number++, account, text: writeDelivery(content) } })
    return content.id
  }
  for (let target = 0; target < 64; target++) addMail('a', `${target}@example.com`)
  await until(() => sending.length === 16)
  const other = addMail('b', 'ann@example.com')
  add('c', receiver.url)
  await until(() => outcomes.length === 1 && ends.has(other))
  expect(sending).toEqual([...Array(16).fill('a'), 'b'])
  ends.get(other)?.()
  await until(() => outcomes.length === 2)
  expect(outcomes).toEqual(['delivered', 'delivered'])
  for (let at = 0; at < 70; at++) {
    for (const end of ends.values()) end()
    await sleep(1)
  }
  await until(() => mails.size === 0)
})
