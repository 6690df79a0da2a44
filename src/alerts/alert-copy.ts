import type { AlertState, AlertStore, StoredAlert } from '../contract/storage/alerts.js'
import { readAlert } from './alert.js'
import { readDeadLetter, readDelivery } from './deliveries.js'

/** All that a store knows of alerts. */
export interface AlertContents extends AlertState {
  /** By account, the oldest first. */
  readonly dead: ReadonlyMap<string, readonly string[]>
}

/** How many alerts were copied, and of the others how many were the same there, or different. */
export interface CopiedAlerts {
  copied: number
  same: number
  different: number
}

/** All that a store knows of alerts. Rejects with a StoreFailure. */
export async function contentsOf(store: AlertStore): Promise<AlertContents> {
  const state = await store.state()
  const dead = new Map<string, readonly string[]>()
  for (const account of new Set(state.alerts.map(each => each.account)))
    dead.set(account, [...(await store.deadLetters(account))].reverse())
  return { ...state, dead }
}

/**
 * Adds alerts to a store, each in one transaction with what it has fired, what is due and what could not be delivered. One
 * that is there in another form is replaced with `force` only. What is there twice is delivered once, since only alerts
 * that are copied bring what is due.
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

/** What belongs to an alert and is not in another store yet. */
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

/** The contents without what this version cannot understand, and whether that was anything. */
export function readableOf(contents: AlertContents): {
  readonly readable: AlertContents
  readonly isWhole: boolean
} {
  let isWhole = true
  const isReadable = (read: () => unknown): boolean => {
    try {
      read()
      return true
    } catch {
      isWhole = false
      return false
    }
  }
  const dead = [...contents.dead].map(
    ([account, texts]) => [account, texts.filter(text => isReadable(() => readDeadLetter(text)))] as const,
  )
  const readable = {
    ...contents,
    alerts: contents.alerts.filter(each => isReadable(() => readAlert(each))),
    due: contents.due.filter(each => isReadable(() => readDelivery(each))),
    dead: new Map(dead),
  }
  return { readable, isWhole }
}
