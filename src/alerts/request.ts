import {
  alertNotCondition,
  symbolAndScreen,
  webhookNotUrl,
  webhookPrivate,
  webhookWithPassword,
} from '../contract/alert-refusals.js'
import { expressionNotText } from '../contract/expression-refusals.js'
import { isAbsent, jsonText } from '../contract/json-value.js'
import { maxNameLength } from '../contract/limits.js'
import {
  type Market,
  marketFields,
  readMarket,
  refuseBadNames,
  refuseMissing,
  toMarket,
} from '../contract/market.js'
import type { Fields } from '../contract/query.js'
import {
  expected,
  invalidValue,
  isRefusal,
  missingRequired,
  type Refusal,
  unknownParameter,
} from '../contract/refusals.js'
import { type AskedSymbols, readSymbols } from '../contract/symbols.js'
import { compileOnce } from '../expression/query.js'
import { isPrivateHost } from './addresses.js'
import { type AlertRequest, moments, triggers } from './alert.js'

/** Characters of the address of a webhook. */
export const maxWebhookLength = 2000

/** A request whose markets were not looked for yet. */
export interface AskedAlert extends Omit<AlertRequest, 'markets' | 'screen'> {
  /** The market; of a screen without a symbol. */
  readonly market: Market
  readonly screen: AskedSymbols | undefined
}

const accepted = [...marketFields, 'symbols', 'quote', 'expression', 'on', 'trigger', 'webhook', 'name']

/** Reads the body of a request for an alert; `isPrivateAllowed` says whether webhooks may lead to private addresses. */
export function readAlertRequest(fields: Fields, isPrivateAllowed: boolean): AskedAlert | Refusal {
  for (const name of fields.keys())
    if (!accepted.includes(name)) return unknownParameter(name.slice(0, 60), '/alerts', accepted)
  const markets = readMarkets(fields)
  if (isRefusal(markets)) return markets
  const expression = fields.get('expression')
  if (isAbsent(expression)) return missingRequired(['expression'])
  if (typeof expression !== 'string') return expressionNotText(expression)
  const compiled = compileOnce(expression, markets.market.timeframe)
  if (isRefusal(compiled)) return compiled
  if (compiled.type !== 'boolean') return alertNotCondition()
  const { indicator, params } = compiled.spec
  const on = readChoice(fields, 'on', moments)
  if (typeof on === 'object') return on
  const trigger = readChoice(fields, 'trigger', triggers)
  if (typeof trigger === 'object') return trigger
  const webhookUrl = readWebhook(fields.get('webhook'), isPrivateAllowed)
  if (isRefusal(webhookUrl)) return webhookUrl
  const name = fields.get('name')
  if (!isAbsent(name) && (typeof name !== 'string' || name.length > maxNameLength))
    return invalidValue('name', jsonText(name), expected.name)
  return {
    ...markets,
    expression,
    expressionBytes: indicator.bytes,
    stateBytes: indicator.state(params) * Float64Array.BYTES_PER_ELEMENT,
    on,
    trigger,
    webhookUrl,
    name: isAbsent(name) ? undefined : (name as string),
  }
}

/** Reads `symbol`, or `symbols` or `quote` instead of it. */
function readMarkets(fields: Fields): Pick<AskedAlert, 'market' | 'screen'> | Refusal {
  const names = [...marketFields, 'symbols', 'quote']
  const given = Object.fromEntries(names.map(name => [name, fields.get(name)]))
  const isScreen = !isAbsent(given.symbols) || !isAbsent(given.quote)
  if (!isScreen) {
    const market = readMarket(given, 'json', () => fields.keys())
    return isRefusal(market) ? market : { market, screen: undefined }
  }
  if (!isAbsent(given.symbol)) return symbolAndScreen()
  const fault =
    refuseMissing(given, ['exchange', 'timeframe'], () => fields.keys()) ??
    refuseBadNames(given, ['exchange'], 'json')
  if (fault) return fault
  const market = toMarket(given.exchange as string, '', given.timeframe)
  if (isRefusal(market)) return market
  const screen = readSymbols(given)
  return isRefusal(screen) ? screen : { market, screen }
}

/** The first choice is the default. */
function readChoice<const Choice extends string>(
  fields: Fields,
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice | Refusal {
  const value = fields.get(name)
  if (isAbsent(value)) return choices[0]
  return choices.includes(value as Choice)
    ? (value as Choice)
    : invalidValue(name, typeof value === 'string' ? value : jsonText(value), expected.oneOf(choices))
}

function readWebhook(value: unknown, isPrivateAllowed: boolean): string | undefined | Refusal {
  if (isAbsent(value)) return undefined
  if (typeof value !== 'string' || value.length > maxWebhookLength || !URL.canParse(value))
    return webhookNotUrl(typeof value === 'string' ? value : jsonText(value))
  const url = new URL(value)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return webhookNotUrl(value)
  if (url.username !== '' || url.password !== '') return webhookWithPassword()
  return isPrivateAllowed || !isPrivateHost(url) ? url.href : webhookPrivate(url.hostname)
}

/** Reads the body of a request that pauses an alert or resumes it. */
export function readPaused(fields: Fields): boolean | Refusal {
  for (const name of fields.keys())
    if (name !== 'paused') return unknownParameter(name.slice(0, 60), '/alerts/{id}', ['paused'])
  const paused = fields.get('paused')
  if (isAbsent(paused)) return missingRequired(['paused'])
  return typeof paused === 'boolean' ? paused : invalidValue('paused', jsonText(paused), expected.flag)
}
