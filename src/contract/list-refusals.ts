import { invalid, quote, type Refusal, refusal, retryAfter } from './refusal.js'

export const listNotFound = (name: string): Refusal =>
  refusal(404, `List not found: ${quote(name)}. POST /lists makes one`)

export const listHasNone = (name: string, exchange: string): Refusal =>
  refusal(404, `List ${quote(name)} has no symbol of ${quote(exchange)}`)

export const tooManyLists = (lists: number): Refusal =>
  refusal(429, `Too many lists. Your plan allows ${lists}; delete one, or replace one by its name.`)

export const listTooLong = (symbols: number, allowed: number): Refusal =>
  refusal(429, `Too many symbols: ${symbols}. Your plan allows ${allowed} in a list.`)

/** The lists are where they can neither be read nor changed now; the client may try again after `seconds`. */
export const listsUnavailable = (seconds: number): Refusal =>
  refusal(503, 'Lists cannot be read or changed at present. Try again.', retryAfter(seconds))

export const badListName = (value: unknown): Refusal =>
  invalid`Invalid name: ${value}. Expected 1 to 50 letters, digits and underscores`
