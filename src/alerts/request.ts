import { usualDigits } from '../catalogue/fading.js'
import {
  type CompiledExpression,
  commonMarketsOf,
  compileExpression,
  marketsOf,
  relianceOf,
} from '../compute/expressions/compile.js'
import { refuseChart } from '../compute/expressions/expressions.js'
import { chartBesideSettled } from '../contract/expression-refusals.js'
import { type Fields, readKnown, readShape, refuseMissing } from '../contract/fields.js'
import { isAbsent, type JsonObject } from '../contract/json-value.js'
import { maxAlertMarkets } from '../contract/limits.js'
import { type AskedSymbols, readSymbols } from '../contract/lists.js'
import { type Market, readMarket, readPlace } from '../contract/market.js'
import { isRefusal, notSettled, type Refusal } from '../contract/refusals.js'
import { alertShape } from '../contract/requests.js'
import {
  alertNotCondition,
  emailNotAllowed,
  emailOff,
  formatOfOther,
  formatWithoutWebhook,
  jsonWithoutTemplate,
  symbolAndScreen,
  telegramWithoutChat,
  templateWithoutFormat,
  tooManyAlertMarkets,
  webhookAndEmail,
  webhookPrivate,
} from '../contract/screen-refusals.js'
import {
  type EmailFormat,
  emailFormats,
  formatOfAddress,
  refuseTemplate,
  type WebhookFormat,
  webhookFormats,
} from '../contract/webhook-format.js'
import type { Exchange, ExchangeLookup } from '../markets/exchanges/registry.js'
import { findExchange, type MarketData } from '../markets/history/market-data.js'
import { marketsAsked, type NamedLists } from '../markets/named-lists.js'
import type { AlertRequest } from './alert.js'
import type { Mailer } from './mail.js'
import { isPrivateHost } from './webhook.js'
import { chatOf } from './webhook-content.js'

/** Targets to which alerts may send their fires. */
export interface AllowedTargets {
  /** Whether webhooks may lead to loopback and private addresses. */
  readonly privateTargets: boolean
  readonly mail: Pick<Mailer, 'maySendTo'> | undefined
}

type Target = Pick<AlertRequest, 'webhook' | 'email'>

export function readTarget(given: JsonObject, { privateTargets, mail }: AllowedTargets): Target | Refusal {
  const read = readShape(alertShape(), given, ['webhook', 'email', 'format', 'template'])
  if (isRefusal(read)) return read
  const { webhook, email, format, template } = read
  if (webhook && email !== undefined) return webhookAndEmail()
  if (email !== undefined) {
    if (!mail) return emailOff()
    if (!mail.maySendTo(email)) return emailNotAllowed(email)
    const form = emailForm(format, template)
    return isRefusal(form) ? form : { email: { to: email, ...form } }
  }
  if (!webhook) {
    const name = format === undefined ? template && 'template' : 'format'
    return name === undefined ? {} : formatWithoutWebhook(name)
  }
  if (!privateTargets && isPrivateHost(webhook)) return webhookPrivate(webhook.hostname)
  const form = formOfWebhook(format, template, webhook.href)
  return isRefusal(form) ? form : { webhook: { url: webhook.href, ...form } }
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name)

function emailForm(
  format: string | undefined,
  template: string | undefined,
): Omit<NonNullable<AlertRequest['email']>, 'to'> | Refusal {
  if (format !== undefined && !isOneOf(emailFormats, format))
    return formatOfOther(format, 'email', emailFormats)
  const refusal = template === undefined ? undefined : refuseTemplate(template, format ?? 'text')
  return refusal ?? formOf(format, template)
}

function formOfWebhook(
  named: string | undefined,
  template: string | undefined,
  url: string,
): Omit<NonNullable<AlertRequest['webhook']>, 'url'> | Refusal {
  if (named !== undefined && !isOneOf(webhookFormats, named))
    return formatOfOther(named, 'webhook', webhookFormats)
  const format = named ?? formatOfAddress(url)
  if (template !== undefined) {
    if (format === undefined || format === 'candela')
      return templateWithoutFormat(webhookFormats.filter(each => each !== 'candela'))
    const refusal = refuseTemplate(template, format)
    if (refusal) return refusal
  } else if (format === 'json') return jsonWithoutTemplate()
  if (format === 'telegram' && !chatOf(url)) return telegramWithoutChat()
  return formOf(format, template)
}

const formOf = <Format extends WebhookFormat | EmailFormat>(
  format: Format | undefined,
  template: string | undefined,
) => ({ ...(format !== undefined && { format }), ...(template !== undefined && { template }) })

/** A request whose markets have not been looked up. */
export interface AskedAlert extends Omit<AlertRequest, 'markets' | 'screen'> {
  /** The market; its symbol is empty for a screen. */
  readonly market: Market
  readonly screen: AskedSymbols | undefined
  readonly others: readonly Market[]
}

/** Reads the body of a request for an alert. `depth` is the number of candles kept per market. */
export function readAlertRequest(
  fields: Fields,
  targets: AllowedTargets,
  depth: number,
): AskedAlert | Refusal {
  const shape = alertShape()
  const given = readKnown(fields, '/alerts', Object.keys(shape))
  if (isRefusal(given)) return given
  const markets = readMarkets(given)
  if (isRefusal(markets)) return markets
  const condition = refuseMissing(given, ['expression']) ?? readShape(shape, given, ['expression'])
  if (isRefusal(condition)) return condition
  const compiled = compileExpression(condition.expression, { timeframe: markets.market.timeframe })
  if (isRefusal(compiled)) return compiled
  if (compiled.type !== 'boolean') return alertNotCondition()
  const delivery = readShape(shape, given, ['on', 'trigger', 'chart'])
  if (isRefusal(delivery)) return delivery
  const { chart, ...moments } = delivery
  const unfit = refuseChart({ ...compiled.spec, chart })
  if (unfit) return unfit
  const target = readTarget(given, targets)
  if (isRefusal(target)) return target
  const last = readShape(shape, given, ['name', 'settled'])
  if (isRefusal(last)) return last
  const { settled, ...named } = last
  if (chart && settled) return chartBesideSettled(chart.text)
  const settling = chart ? { settled: 0 } : settlingOf(compiled, settled, depth)
  if (isRefusal(settling)) return settling
  const { indicator, params } = compiled.spec
  return {
    ...markets,
    others: markets.screen
      ? commonMarketsOf(indicator, markets.market)
      : marketsOf(indicator, markets.market).slice(1),
    ...condition,
    ...settling,
    expressionBytes: indicator.bytes,
    stateBytes: indicator.state(params) * Float64Array.BYTES_PER_ELEMENT,
    ...(chart && { chart: chart.text }),
    ...moments,
    ...target,
    ...named,
  }
}

/**
 * Number of settled digits that a condition needs, and the first candle that has them. `asked` is the requested number.
 * By default it is the usual number, lowered until the digits settle within `depth` candles.
 */
function settlingOf(
  compiled: CompiledExpression,
  asked: number | undefined,
  depth: number,
): Pick<AskedAlert, 'settled' | 'settledAfter' | 'unsettling'> | Refusal {
  for (let settled = asked ?? usualDigits; settled > 0; settled--) {
    const { first, unsettling } = relianceOf(compiled, 0, settled)
    if (unsettling && (asked !== undefined || unsettling.reason !== 'slow'))
      return { settled, unsettling: unsettling.name }
    // An edge also needs the previous candle.
    const needed = first + 2
    if (!unsettling && needed <= depth) return { settled, settledAfter: first }
    if (asked !== undefined) return notSettled(compiled.spec.indicator.name, settled, needed, depth, true)
  }
  return { settled: 0 }
}

/** Reads `symbol`, or `symbols` or `quote` instead of it. */
function readMarkets(given: JsonObject): Pick<AskedAlert, 'market' | 'screen'> | Refusal {
  if (isAbsent(given.symbols) && isAbsent(given.quote)) {
    const market = readMarket(given)
    return isRefusal(market) ? market : { market, screen: undefined }
  }
  if (!isAbsent(given.symbol)) return symbolAndScreen()
  const place = refuseMissing(given, ['exchange', 'timeframe']) ?? readPlace(given)
  if (isRefusal(place)) return place
  const screen = readSymbols(given)
  return isRefusal(screen) ? screen : { market: { ...place, symbol: '' }, screen }
}

interface Places {
  readonly exchanges: Pick<ExchangeLookup, 'find' | 'ids'>
  readonly marketData: Pick<MarketData, 'canonical' | 'readWhenReady'>
  readonly lists: Pick<NamedLists, 'expand'>
}

/**
 * The request with its markets in the exchange's spelling. Refused if a market has no candles, or if there are no or
 * too many markets.
 */
export async function findMarkets(
  places: Places,
  { market, screen, others: otherMarkets, ...request }: AskedAlert,
  accountId: string,
): Promise<AlertRequest | Refusal> {
  const fault = await checkMarkets(places, screen ? otherMarkets : [...otherMarkets, market], accountId)
  if (fault) return fault
  if (!screen) return { ...request, markets: [places.marketData.canonical(market)], screen }
  const exchange = findExchange(places.exchanges, market.exchange)
  if (isRefusal(exchange)) return exchange
  const { symbols, quote } = screen
  const { timeframe } = market
  const markets = await marketsAsked(exchange, { ...screen, timeframe }, places.lists, accountId)
  if (isRefusal(markets)) return markets
  if (markets.length > maxAlertMarkets) return tooManyAlertMarkets(markets.length, maxAlertMarkets)
  const unknown = symbols && (await checkMarkets(places, await unlistedOf(exchange, markets), accountId))
  return unknown ?? { ...request, markets, screen: { quote: symbols ? undefined : quote } }
}

/** Markets that an exchange does not list at present. It may have candles of them. */
async function unlistedOf({ source }: Exchange, markets: readonly Market[]): Promise<readonly Market[]> {
  const listed = new Set(await Promise.resolve(source.symbols()).catch(() => []))
  return markets.filter(({ symbol }) => !listed.has(symbol))
}

/** Refuses the first market without candles. */
async function checkMarkets(
  { marketData }: Places,
  markets: readonly Market[],
  accountId: string,
): Promise<Refusal | undefined> {
  for (const market of markets) {
    const reading = await marketData.readWhenReady(market, accountId)
    if (reading.kind === 'refused') return reading.refusal
  }
  return undefined
}
