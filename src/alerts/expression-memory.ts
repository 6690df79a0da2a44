import type { AlertStore, StoredAlert } from '../contract/storage/alerts.js'
import { inSlices } from '../runtime/scheduler.js'
import type { Alert } from './alert.js'

type Counted = Pick<Alert, 'expression' | 'expressionBytes' | 'stateBytes' | 'subject'>

/**
 * Bytes of memory that the expressions of an account's alerts take together with `added`, about. What an expression compiles
 * to counts once for each timeframe, what it keeps of its candles once for each market.
 */
export async function expressionBytesWith(
  store: Pick<AlertStore, 'list'>,
  account: string,
  added: readonly Counted[],
): Promise<number> {
  const counted = new Set<string>()
  let sum = 0
  const count = (key: string, bytes = 0) => {
    if (!counted.has(key)) sum += bytes
    counted.add(key)
  }
  const add = ({ expression, expressionBytes, stateBytes, subject }: Counted) => {
    const { exchange, symbol, timeframe } = subject
    count(`${timeframe} ${expression}`, expressionBytes)
    count(`${timeframe} ${exchange}:${symbol} ${expression}`, stateBytes)
  }
  for (const alert of added) add(alert)
  // Nothing else of them is looked at: an account may have thousands.
  const read = ({ text }: StoredAlert): Counted => JSON.parse(text)
  for await (const stored of inSlices('alerts', await store.list(account))) add(read(stored))
  return sum
}
