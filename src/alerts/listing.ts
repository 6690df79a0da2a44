import { maxAlertMarkets, maxExpressionBytes } from '../contract/limits.js'
import { isRefusal } from '../contract/refusals.js'
import type { AlertBounds, AlertStore } from '../contract/storage/alerts.js'
import type { ExchangeLookup } from '../markets/exchanges/registry.js'
import { findExchange, symbolsOfQuote } from '../markets/history/market-data.js'
import { type Alert, extendAlert, readAlert, type WholeAlert, writeAlert } from './alert.js'
import { expressionBytesWith } from './expression-memory.js'

interface Host {
  readonly exchanges: Pick<ExchangeLookup, 'find' | 'ids'>
  readonly store: AlertStore
  /** Whether something that an alert has fired at one market was not delivered yet. */
  isDue(part: string): boolean
  /** Whether the alerts are run by this process no more. */
  isEnded(): boolean
  /** An alert is over one more market, or over one less. */
  onAdded(part: Alert): void
  onRemoved(part: Alert): void
}

/**
 * Brings an alert over the symbols with some quote up to date: adds the markets that its exchange lists now, as far as
 * the bounds allow, and removes those that it lists no more once all that they have fired is delivered. Nothing where they
 * cannot be listed at present. `now` in Unix seconds.
 */
export async function followListing(
  host: Host,
  whole: WholeAlert,
  bounds: AlertBounds,
  now: number,
): Promise<void> {
  const listed = await listedOf(host.exchanges, whole)
  if (listed.length === 0 || host.isEnded()) return
  await addNew(host, whole, listed, bounds, now)
  const gone = whole.filter(({ id, subject }) => !listed.includes(subject.symbol) && !host.isDue(id))
  for (const part of gone) {
    await host.store.remove(part.account, [part.id])
    host.onRemoved(part)
  }
}

async function listedOf(
  exchanges: Pick<ExchangeLookup, 'find' | 'ids'>,
  [{ subject }]: WholeAlert,
): Promise<readonly string[]> {
  if (subject.kind !== 'screen' || subject.quote === undefined) return []
  const exchange = findExchange(exchanges, subject.exchange)
  if (isRefusal(exchange)) return []
  const symbols = await symbolsOfQuote(exchange, subject.quote)
  return isRefusal(symbols) ? [] : symbols
}

async function addNew(
  { store, onAdded }: Host,
  whole: WholeAlert,
  listed: readonly string[],
  bounds: AlertBounds,
  now: number,
): Promise<void> {
  const [{ account, id }] = whole
  const known = new Set(whole.map(part => part.subject.symbol))
  const unknown = listed.filter(symbol => !known.has(symbol))
  if (unknown.length === 0) return
  const bytesLeft = maxExpressionBytes - (await expressionBytesWith(store, account, []))
  const expressions = Math.floor(Math.max(0, bytesLeft) / Math.max(1, whole[0].stateBytes ?? 0))
  const room = Math.max(0, Math.min(maxAlertMarkets - whole.length, expressions))
  const added = unknown.slice(0, room)
  // The alert may have been paused or deleted meanwhile: a market is added only to what was read.
  const beside = await store.find(account, id)
  if (!beside) return
  for (const symbol of added) {
    const part = extendAlert(readAlert(beside), symbol, now)
    if ((await store.add([writeAlert(part)], bounds, beside)) !== undefined) return
    onAdded(part)
  }
}
