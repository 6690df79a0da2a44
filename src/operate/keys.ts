import type { Store } from '../contract/storage/stores.js'
import { UsageCounter } from '../http/admission.js'
import type { AdminDependencies } from '../http/endpoints/admin.js'
import type { SessionRegistry } from '../live/session-registry.js'
import type { Context } from './parts.js'
import { createFaultLog } from './rare-faults.js'

/** What counts what keys ask for, and what manages them over HTTP. Each change of a key is a line of the log. */
export function createKeyParts(
  { clock, ages, log }: Context,
  { accounts, usage: store }: Store,
  sessions: SessionRegistry,
): AdminDependencies & { readonly usage: UsageCounter } {
  const logFault = createFaultLog(log)
  const usage = new UsageCounter({
    store,
    clock,
    ages,
    onFault: error => logFault(error, 'the usage of keys could not be stored, and is tried again'),
  })
  sessions.watchSubscriptions(id => usage.count(id, 'subscriptions'))
  return {
    accounts,
    usage,
    clock,
    onKeyChange: (change, key, by) => log.info({ key, by }, `a key was ${change}`),
  }
}
