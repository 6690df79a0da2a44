import { maxExpressionBytes } from '../contract/limits.js'
import type { AlertStore, StoredAlert } from '../store/alerts.js'
import type { Alert } from './alert.js'

type Counted = Pick<Alert, 'expressionBytes'>

/** Bytes of memory that the compiled expressions of alerts take together, about: each market has a state of its own. */
export const expressionBytesOf = (alerts: readonly Counted[]): number =>
  alerts.reduce((sum, { expressionBytes = 0 }) => sum + expressionBytes, 0)

/** Bytes that the expressions of further alerts of an account may take. */
export async function expressionBytesLeft(store: Pick<AlertStore, 'list'>, account: string): Promise<number> {
  // Nothing else of them is looked at: an account may have thousands.
  const counted = ({ text }: StoredAlert): Counted => JSON.parse(text)
  return maxExpressionBytes - expressionBytesOf((await store.list(account)).map(counted))
}
