import { invalid, quote, quoteJson, type Refusal, refusal, retryAfter } from './refusal.js'

/** The expression `name` of a request gives the wrong type of values. */
export const expressionOfWrongType = (name: string, wanted: 'number' | 'boolean'): Refusal =>
  refusal(
    400,
    wanted === 'boolean'
      ? `${quote(name)} must be a condition, which is true or false: compare it, as in rsi(14) < 30`
      : `${quote(name)} must be a number: write if(condition, 1, 0) for one`,
  )

export const expressionFieldNotText = (name: string, value: unknown): Refusal =>
  invalid`Invalid ${name}: ${quoteJson(value)}. Expected an expression`

/** The names that `select` gives to expressions. `reserved` are those that every match has. */
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

/** A screen of a time and of so many candles ago at once. */
export const atAndBacktrack = (): Refusal => invalid`Send either at or backtrack, not both`

export const symbolsAndQuote = (): Refusal => invalid`Send either symbols or quote, not both`

/** Volumes in other currencies cannot be compared. */
export const topWithoutQuote = (): Refusal =>
  invalid`top:<n> needs quote, such as USDT: volumes in other currencies cannot be compared`

/** An exchange does not tell what was traded at all of its markets. */
export const noVolumes = (exchange: string): Refusal =>
  refusal(
    404,
    `No volumes: ${exchange} does not give those of all markets, which top:<n> needs. Name the symbols`,
  )

export const noSymbolsOfQuote = (exchange: string, currency: string): Refusal =>
  refusal(404, `No symbol of ${quote(exchange)} ends with ${quote(currency)}`)

/** The plan allows fewer markets than a screen has; only fewer will do, so there is no time to try again. */
export const tooManyMarketsForPlan = (markets: number, allowed: number): Refusal =>
  refusal(
    429,
    `Too many markets: ${markets}. Your plan allows ${allowed} per screen; choose fewer by symbols or quote.`,
  )

/** An account has as many screens under way that fetch candles as it may; it may try again after `seconds`. */
export const tooManyScreens = (limit: number, seconds: number): Refusal =>
  refusal(
    429,
    `Too many screens. At most ${limit} of different markets may fetch candles at once.`,
    retryAfter(seconds),
  )

/** An account has as many live screens as it may, whatever its plan. */
export const tooManyLiveScreens = (limit: number): Refusal =>
  refusal(429, `Too many live screens. Your key may have ${limit} at a time.`)

export const duplicateScreen = (id: string): Refusal => invalid`Duplicate screen id: ${id}`

export const screenNotFound = (id: string): Refusal => refusal(404, `Screen not found: ${quote(id)}`)

/** The error of a market in a screen whose candles were dropped while others were fetched. */
export const candlesLeftMemory = (): string =>
  'The candles have left memory: the service has too little of it for so many markets (HISTORY_BYTES)'

/** Both `candles` and a market are given, or only a part of a market. */
export const candlesOrMarket = (): Refusal => invalid`Send either candles, or exchange, symbol and timeframe`

export const badHorizons = (value: unknown, limit: number, longest: number): Refusal =>
  invalid`Invalid horizons: ${quoteJson(value)}. Expected an array of 1 to ${limit} integers, 1 to ${longest}`
