import type { History } from '../history/history.js'
import type { SharedState, Store } from '../store/store.js'
import type { Health, PartHealth } from './endpoints/health.js'

/** With less free space than this on the disk, the archive is shown as degraded before writes fail. */
const minFreeBytes = 64 * 2 ** 20

/** The state of each part of the service. The reasons name no path and no address: no key is needed to read them. */
export function readParts(
  store: Pick<Store, 'accounts' | 'writeFailure' | 'freeBytes' | 'shared'>,
  history: Pick<History, 'failingExchanges'>,
  alerts: { readonly failure: string | undefined } = { failure: undefined },
): Health['parts'] {
  const down = history.failingExchanges
  return {
    accounts: accountsHealth(store),
    archive: archiveHealth(store),
    alerts: alerts.failure === undefined ? { status: 'ok' } : { status: 'degraded', reason: alerts.failure },
    ...(store.shared && { store: sharedHealth(store.shared) }),
    exchanges: {
      ...(down.length === 0
        ? { status: 'ok' }
        : { status: 'degraded', reason: 'the last requests to some exchanges failed' }),
      down,
    },
  }
}

function accountsHealth({ accounts }: Pick<Store, 'accounts'>): PartHealth {
  try {
    accounts.check()
    return { status: 'ok' }
  } catch {
    return { status: 'down', reason: 'the accounts cannot be read' }
  }
}

function sharedHealth({ isUp, isLost }: SharedState): PartHealth {
  if (isUp) return { status: 'ok' }
  const fault = isLost ? 'has lost its data' : 'does not answer'
  return {
    status: 'degraded',
    reason: `the shared store ${fault}: requests are counted by each node, and new keys are not known`,
  }
}

function archiveHealth({ writeFailure, freeBytes }: Pick<Store, 'writeFailure' | 'freeBytes'>): PartHealth {
  if (writeFailure() !== undefined) return { status: 'degraded', reason: 'candles cannot be written' }
  try {
    return freeBytes() < minFreeBytes
      ? { status: 'degraded', reason: 'the disk is almost full' }
      : { status: 'ok' }
  } catch {
    return { status: 'degraded', reason: 'the disk cannot be read' }
  }
}
