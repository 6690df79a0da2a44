import { quote, type Refusal, refusal } from './refusal.js'

export const alertNotFound = (id: string): Refusal => refusal(404, `Alert not found: ${quote(id)}`)

export const tooManyAlertsForKey = (alerts: number): Refusal =>
  refusal(429, `Too many alerts. Your key may have ${alerts} alert(s).`)

/** The service has as many alerts as it may have of all keys. */
export const tooManyAlerts = (alerts: number): Refusal =>
  refusal(503, `Too many alerts. This service may have ${alerts} alert(s) in total.`)

/** An alert needs a condition; `rsi(14)` is a number. */
export const alertNotCondition = (): Refusal =>
  refusal(400, 'Invalid expression: an alert needs a condition, such as rsi(14) < 30')

export const webhookNotUrl = (value: unknown): Refusal =>
  refusal(400, `Invalid webhook: ${quote(value)}. Expected an address that begins with https:// or http://`)

/** A key and a password in an address would be shown in lists and logs. */
export const webhookWithPassword = (): Refusal =>
  refusal(400, 'Invalid webhook: the address must not contain a user name or a password')

export const webhookPrivate = (host: string): Refusal =>
  refusal(
    400,
    `Invalid webhook: ${quote(host)} is not a public address. ALERTS_PRIVATE_TARGETS=true allows others`,
  )
