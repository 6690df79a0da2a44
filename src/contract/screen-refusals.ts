import { didYouMean } from './hints.js'
import { invalid, quote, quoteJson, type Refusal, refusal, retryAfter } from './refusals.js'

export const expressionOfWrongType = (name: string, wanted: 'number' | 'boolean'): Refusal =>
  refusal(
    400,
    wanted === 'boolean'
      ? `${quote(name)} must be a condition, which is true or false: compare it, as in rsi(14) < 30`
      : `${quote(name)} must be a number: write if(condition, 1, 0) for one`,
  )

export const expressionFieldNotText = (name: string, value: unknown): Refusal =>
  invalid`Invalid ${name}: ${quoteJson(value)}. Expected an expression`

export const badSelectName = (name: string, reserved: readonly string[]): Refusal =>
  refusal(
    400,
    `Invalid name in select: ${quote(name)}. Expected letters, digits and underscores, and none of ${reserved.join(', ')}`,
  )

export const tooManySelected = (limit: number): Refusal =>
  invalid`select may have at most ${limit} expressions`

export const symbolsNotList = (value: unknown): Refusal =>
  invalid`Invalid symbols: ${quoteJson(value)}. Expected an array of symbols`

export const symbolNotName = (at: number, value: unknown): Refusal =>
  invalid`Invalid symbols[${at}]: ${quoteJson(value)}. Expected a symbol such as BTCUSDT`

export const atAndBacktrack = (): Refusal => invalid`Send either at or backtrack, not both`

export const symbolsAndQuote = (): Refusal => invalid`Send either symbols or quote, not both`

/** Refusal of `top:<n>` without `quote`, because volumes in different currencies cannot be compared. */
export const topWithoutQuote = (): Refusal =>
  invalid`top:<n> needs quote, such as USDT: volumes in other currencies cannot be compared`

export const noVolumes = (exchange: string): Refusal =>
  refusal(
    404,
    `No volumes: ${exchange} does not give those of all markets, which top:<n> needs. Name the symbols`,
  )

export const noSymbolsOfQuote = (exchange: string, currency: string): Refusal =>
  refusal(404, `No symbol of ${quote(exchange)} ends with ${quote(currency)}`)

/**
 * Refusal of a screen with more markets than the plan allows. Has no retry time, because only fewer markets will be
 * accepted.
 */
export const tooManyMarketsForPlan = (markets: number, allowed: number): Refusal =>
  refusal(
    429,
    `Too many markets: ${markets}. Your plan allows ${allowed} per screen; choose fewer by symbols or quote.`,
  )

export const tooManyScreens = (limit: number, seconds: number): Refusal =>
  refusal(
    429,
    `Too many screens. At most ${limit} of different markets may fetch candles at once.`,
    retryAfter(seconds),
  )

export const tooManyLiveScreens = (limit: number): Refusal =>
  refusal(429, `Too many live screens. Your key may have ${limit} at a time.`)

export const duplicateScreen = (id: string): Refusal => invalid`Duplicate screen id: ${id}`

export const screenNotFound = (id: string): Refusal => refusal(404, `Screen not found: ${quote(id)}`)

/** Error of a market in a screen whose candles left memory while other candles were fetched. */
export const candlesLeftMemory = (): string =>
  'The candles have left memory: the service has too little of it for so many markets (HISTORY_BYTES)'

export const candlesOrMarket = (): Refusal => invalid`Send either candles, or exchange, symbol and timeframe`

export const badHorizons = (value: unknown, limit: number, longest: number): Refusal =>
  invalid`Invalid horizons: ${quoteJson(value)}. Expected an array of 1 to ${limit} integers, 1 to ${longest}`

export const alertNotFound = (id: string): Refusal => refusal(404, `Alert not found: ${quote(id)}`)

export const tooManyAlertsForKey = (alerts: number, markets = 1): Refusal =>
  refusal(429, `Too many alerts. Your key may have ${alerts} alert(s).${countsAs(markets)}`)

export const tooManyAlerts = (alerts: number, markets = 1): Refusal =>
  refusal(503, `Too many alerts. This service may have ${alerts} alert(s) in total.${countsAs(markets)}`)

const countsAs = (markets: number): string =>
  markets === 1 ? '' : ` One over ${markets} markets counts as ${markets}.`

/**
 * Refusal if alerts can neither be read nor changed at present, for example on a full disk. The client may retry after
 * `seconds`.
 */
export const alertsUnavailable = (action: 'read' | 'changed', seconds: number): Refusal =>
  refusal(503, `Alerts cannot be ${action} at present. Try again.`, retryAfter(seconds))

/** Refusal of an alert with too many markets, because each market is followed live. */
export const tooManyAlertMarkets = (markets: number, limit: number): Refusal =>
  invalid`Too many markets: ${markets}. An alert may be over ${limit}; choose fewer by symbols, or make several alerts.`

export const symbolAndScreen = (): Refusal => invalid`Send only one of symbol, symbols and quote`

export const alertNotCondition = (): Refusal =>
  invalid`Invalid expression: an alert needs a condition, such as rsi(14) < 30`

export const webhookNotUrl = (value: unknown): Refusal =>
  invalid`Invalid webhook: ${value}. Expected an address that begins with https:// or http://`

/** Refusal of a webhook address with a user name or a password, because lists and logs show the address. */
export const webhookWithPassword = (): Refusal =>
  invalid`Invalid webhook: the address must not contain a user name or a password`

export const webhookPrivate = (host: string): Refusal =>
  invalid`Invalid webhook: ${host} is not a public address. ALERTS_PRIVATE_TARGETS=true allows others`

export const emailNotAddress = (value: unknown): Refusal =>
  invalid`Invalid email: ${value}. Expected one address, such as ann@example.com`

export const webhookAndEmail = (): Refusal => invalid`Send only one of webhook and email`

export const emailOff = (): Refusal =>
  invalid`Invalid email: this service sends no e-mail. SMTP_URL and SMTP_FROM set it up`

export const emailNotAllowed = (address: string): Refusal =>
  invalid`Invalid email: ${address} is not among the SMTP_RECIPIENTS of this service`

export const formatOfOther = (
  format: string,
  target: 'webhook' | 'email',
  formats: readonly string[],
): Refusal => refusal(400, `Invalid format: ${format}. For ${target} expected one of ${formats.join(', ')}`)

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

export const listNotFound = (name: string): Refusal =>
  refusal(404, `List not found: ${quote(name)}. POST /lists makes one`)

export const listHasNone = (name: string, exchange: string): Refusal =>
  refusal(404, `List ${quote(name)} has no symbol of ${quote(exchange)}`)

export const tooManyLists = (lists: number): Refusal =>
  refusal(429, `Too many lists. Your plan allows ${lists}; delete one, or replace one by its name.`)

export const listTooLong = (symbols: number, allowed: number): Refusal =>
  refusal(429, `Too many symbols: ${symbols}. Your plan allows ${allowed} in a list.`)

export const listsUnavailable = (seconds: number): Refusal =>
  refusal(503, 'Lists cannot be read or changed at present. Try again.', retryAfter(seconds))

export const badListName = (value: unknown): Refusal =>
  invalid`Invalid name: ${value}. Expected 1 to 50 letters, digits and underscores`
