import { formatTime } from '../candles/format-time.js'
import { type Alert, marketOf, toAscii, wholeIdOf } from './alert.js'
import { mailContent } from './mail.js'
import type { Firing } from './market-watch.js'
import type { RunnerOptions } from './runner-options.js'
import { sendWebhook } from './webhook.js'
import { webhookContent } from './webhook-content.js'

/** A message in flight. Its number is unique among messages in flight. */
export interface NumberedMessage {
  readonly number: number
  /** Equal for all attempts. */
  readonly id: string
  readonly body: string
}

/** Sends a message once to the alert's target. Rejects if it has not arrived. */
export async function attempt(
  options: Pick<RunnerOptions, 'streams' | 'mail' | 'privateTargets' | 'clock'>,
  { number, id, body }: NumberedMessage,
  { account, webhook, email }: Alert,
  signal: AbortSignal,
): Promise<void> {
  const { streams, mail, privateTargets, clock } = options
  if (email) {
    if (!mail) throw new Error('the service sends no e-mail, because SMTP_URL is not set')
    return mail.send({ id, to: email.to, ...mailContent(email, body) }, signal)
  }
  if (!webhook) return streams.deliver(account, { number, id, body }, signal)
  const message = { ...webhook, id, ...webhookContent(webhook, body) }
  const status = await sendWebhook(message, { isPrivateAllowed: privateTargets, now: clock(), signal })
  if (status < 200 || status > 299) throw new Error(`the webhook answered with status ${status}`)
}

/** Message of a firing. Equal for repeated firings of one alert at the same candle. */
export function contentOf({ alert, candle, isClosed, price }: Firing, now: number) {
  const id = toAscii(`${alert.id}:${candle}`)
  const body = bodyOf(alert, { id, timestamp: candle, closed: isClosed, price })
  return { alert: alert.id, id, created: Math.floor(now), body }
}

/**
 * Number of the last test. Negative, because tests are not stored and must not share numbers with stored deliveries.
 */
let lastTest = 0

/** A test message of an alert, marked with `test: true`. `now` is in Unix seconds. */
export function testOf(alert: Alert, now: number): NumberedMessage {
  const number = --lastTest
  const id = toAscii(`${alert.id}:test${-number}:${now}`)
  return { number, id, body: bodyOf(alert, { id, test: true, timestamp: now, closed: false, price: 0 }) }
}

interface Moment {
  readonly id: string
  readonly test?: true
  readonly timestamp: number
  readonly closed: boolean
  readonly price: number
}

function bodyOf(alert: Alert, { timestamp, closed, price, ...marks }: Moment): string {
  const { name, expression, chart, on, trigger } = alert
  return JSON.stringify({
    type: 'alert',
    ...marks,
    alert: wholeIdOf(alert.id),
    name,
    ...marketOf(alert),
    expression,
    chart,
    on,
    trigger,
    timestamp,
    timestampHuman: formatTime(timestamp),
    closed,
    price,
  })
}
