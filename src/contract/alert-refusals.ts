import { didYouMean } from './hints.js'
import { invalid, quote, type Refusal, refusal, retryAfter } from './refusal.js'

export const alertNotFound = (id: string): Refusal => refusal(404, `Alert not found: ${quote(id)}`)

/** `markets` is how many an alert over a screen has: it counts as so many. */
export const tooManyAlertsForKey = (alerts: number, markets = 1): Refusal =>
  refusal(429, `Too many alerts. Your key may have ${alerts} alert(s).${countsAs(markets)}`)

/** The service has as many alerts as it may have of all keys. */
export const tooManyAlerts = (alerts: number, markets = 1): Refusal =>
  refusal(503, `Too many alerts. This service may have ${alerts} alert(s) in total.${countsAs(markets)}`)

const countsAs = (markets: number): string =>
  markets === 1 ? '' : ` One over ${markets} markets counts as ${markets}.`

/** The alerts are where they can neither be read nor changed now, as on a full disk; the client may try again after `seconds`. */
export const alertsUnavailable = (action: 'read' | 'changed', seconds: number): Refusal =>
  refusal(503, `Alerts cannot be ${action} at present. Try again.`, retryAfter(seconds))

/** Each market of an alert is followed live. */
export const tooManyAlertMarkets = (markets: number, limit: number): Refusal =>
  invalid`Too many markets: ${markets}. An alert may be over ${limit}; choose fewer by symbols, or make several alerts.`

export const symbolAndScreen = (): Refusal => invalid`Send only one of symbol, symbols and quote`

/** An alert needs a condition; `rsi(14)` is a number. */
export const alertNotCondition = (): Refusal =>
  invalid`Invalid expression: an alert needs a condition, such as rsi(14) < 30`

export const webhookNotUrl = (value: unknown): Refusal =>
  invalid`Invalid webhook: ${value}. Expected an address that begins with https:// or http://`

/** A key and a password in an address would be shown in lists and logs. */
export const webhookWithPassword = (): Refusal =>
  invalid`Invalid webhook: the address must not contain a user name or a password`

export const webhookPrivate = (host: string): Refusal =>
  invalid`Invalid webhook: ${host} is not a public address. ALERTS_PRIVATE_TARGETS=true allows others`

export const emailNotAddress = (value: unknown): Refusal =>
  invalid`Invalid email: ${value}. Expected one address, such as ann@example.com`

export const webhookAndEmail = (): Refusal => invalid`Send only one of webhook and email`

/** The operator has not set up a server for e-mail. */
export const emailOff = (): Refusal =>
  invalid`Invalid email: this service sends no e-mail. SMTP_URL and SMTP_FROM set it up`

export const emailNotAllowed = (address: string): Refusal =>
  invalid`Invalid email: ${address} is not among the SMTP_RECIPIENTS of this service`

/** The formats of a webhook and of an e-mail differ. */
export const formatOfOther = (
  format: string,
  target: 'webhook' | 'email',
  formats: readonly string[],
): Refusal => refusal(400, `Invalid format: ${format}. For ${target} expected one of ${formats.join(', ')}`)

/** A format says how the message of a webhook is written, and a template what it says. */
export const formatWithoutWebhook = (name: string): Refusal => invalid`${name} needs a webhook or an email`

export const templateWithoutFormat = (formats: readonly string[]): Refusal =>
  invalid`template needs a format: one of ${formats.join(', ')}`

export const jsonWithoutTemplate = (): Refusal =>
  invalid`Missing required: template. The format json is the template`

export const invalidTemplate = (value: unknown, length: number): Refusal =>
  invalid`Invalid template: ${value}. Expected text of at most ${length} characters`

export const unknownTemplateField = (name: string, near: readonly string[]): Refusal =>
  refusal(400, `Invalid template: {${quote(name)}} is no field of a message${didYouMean(near)}`)

export const templateNotJson = (): Refusal =>
  invalid`Invalid template: not valid JSON once its fields are replaced. Fields of texts stand in quotation marks, such as "{symbol}"`

export const telegramWithoutChat = (): Refusal =>
  invalid`Invalid webhook: an address of Telegram needs a chat, such as https://api.telegram.org/bot<token>/sendMessage?chat_id=<id>`
