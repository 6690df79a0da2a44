import type { AlertState, AlertStore, StoredAlert } from '../contract/storage/alerts.js'
import { readDeadLetter, readDelivery } from './deliveries.js'

/** Alert data of a store: alerts, checkpoints, due deliveries and dead letters. */
export interface AlertContents extends AlertState {
  /** Dead letters by account, oldest first. */
  readonly dead: ReadonlyMap<string, readonly string[]>
}

/** Number of alerts copied, and of alerts skipped because the target has the same or a different text. */
export interface CopiedAlerts {
  copied: number
  same: number
  different: number
}

/** Reads the alert data of a store. Rejects with a StoreFailure. */
export async function contentsOf(store: AlertStore): Promise<AlertContents> {
  const state = await store.state()
  const dead = new Map<string, readonly string[]>()
  for (const account of new Set(state.alerts.map(each => each.account)))
    dead.set(account, [...(await store.deadLetters(account))].reverse())
  return { ...state, dead }
}

/**
 * Adds alerts to a store, each in one transaction with its last fire, its due deliveries and its dead letters. Replaces
 * an alert that the target stores with a different text only with `force`. A delivery that both stores have due is sent
 * once, because deliveries are copied only with their alert.
 */
export async function copyAlerts(
  contents: AlertContents,
  target: AlertStore,
  force: boolean,
): Promise<CopiedAlerts> {
  const counts: CopiedAlerts = { copied: 0, same: 0, different: 0 }
  await target.commit({ checkpoints: contents.checkpoints, fires: [] })
  const present = await contentsOf(target)
  const texts = new Map(present.alerts.map(({ id, text }) => [id, text]))
  for (const alert of contents.alerts) {
    const there = texts.get(alert.id)
    if (there === alert.text) counts.same++
    else if (there !== undefined && !force) counts.different++
    else {
      await target.restore(alert, historyOf(alert, contents, present))
      counts.copied++
    }
  }
  return counts
}

/** Last fire, due deliveries and dead letters of an alert that the target lacks. */
function historyOf({ id, account }: StoredAlert, from: AlertContents, present: AlertContents) {
  const known = new Set(present.due.map(({ text }) => text))
  const knownDead = new Set(present.dead.get(account))
  return {
    fired: from.fired.get(id),
    due: from.due
      .filter(each => !known.has(each.text) && readDelivery(each).alert === id)
      .map(({ text }) => text),
    dead: (from.dead.get(account) ?? []).filter(text => !knownDead.has(text) && readDeadLetter(text) === id),
  }
}
