import { alertNotCondition, symbolAndScreen, webhookPrivate } from '../contract/alert-refusals.js'
import { readKnown } from '../contract/body.js'
import { type Fields, readShape, refuseMissing } from '../contract/fields.js'
import { isAbsent, type JsonObject } from '../contract/json-value.js'
import { type Market, readMarket } from '../contract/market.js'
import { isRefusal, type Refusal } from '../contract/refusals.js'
import { type AskedSymbols, alertShape, pausedShape, readSymbols } from '../contract/requests.js'
import { compileExpression } from '../expression/compile.js'
import { isPrivateHost } from './addresses.js'
import type { AlertRequest } from './alert.js'

/** A request whose markets were not looked for yet. */
export interface AskedAlert extends Omit<AlertRequest, 'markets' | 'screen'> {
  /** The market; of a screen without a symbol. */
  readonly market: Market
  readonly screen: AskedSymbols | undefined
}

/** Reads the body of a request for an alert; `isPrivateAllowed` says whether webhooks may lead to private addresses. */
export function readAlertRequest(fields: Fields, isPrivateAllowed: boolean): AskedAlert | Refusal {
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
  const delivery = readShape(shape, given, ['on', 'trigger', 'webhook'])
  if (isRefusal(delivery)) return delivery
  const { webhook, ...moments } = delivery
  if (webhook && !isPrivateAllowed && isPrivateHost(webhook)) return webhookPrivate(webhook.hostname)
  const named = readShape(shape, given, ['name'])
  if (isRefusal(named)) return named
  const { indicator, params } = compiled.spec
  return {
    ...markets,
    ...condition,
    expressionBytes: indicator.bytes,
    stateBytes: indicator.state(params) * Float64Array.BYTES_PER_ELEMENT,
    ...moments,
    webhookUrl: webhook?.href,
    ...named,
  }
}

/** Reads `symbol`, or `symbols` or `quote` instead of it. */
function readMarkets(given: JsonObject): Pick<AskedAlert, 'market' | 'screen'> | Refusal {
  if (isAbsent(given.symbols) && isAbsent(given.quote)) {
    const market = readMarket(given)
    return isRefusal(market) ? market : { market, screen: undefined }
  }
  if (!isAbsent(given.symbol)) return symbolAndScreen()
  const place =
    refuseMissing(given, ['exchange', 'timeframe']) ??
    readShape(alertShape(), given, ['exchange', 'timeframe'])
  if (isRefusal(place)) return place
  const screen = readSymbols(given)
  return isRefusal(screen) ? screen : { market: { ...place, symbol: '' }, screen }
}

/** Reads the body of a request that pauses an alert or resumes it. */
export function readPaused(fields: Fields): boolean | Refusal {
  const given = readKnown(fields, '/alerts/{id}', ['paused'])
  if (isRefusal(given)) return given
  const read = refuseMissing(given, ['paused']) ?? readShape(pausedShape(), given)
  return isRefusal(read) ? read : read.paused
}
