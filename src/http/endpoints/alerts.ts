import { describeAlert, hasSettled, marketOf, type WholeAlert } from '../../alerts/alert.js'
import type { Alerts } from '../../alerts/alerts.js'
import { readAlertRequest, readPaused } from '../../alerts/request.js'
import { findMarkets } from '../../alerts/screen-markets.js'
import { alertsUnavailable } from '../../contract/alert-refusals.js'
import { readBodyFields, readKnown } from '../../contract/body.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { type Account, StoreFailure } from '../../contract/storage/stores.js'
import type { ExchangeLookup } from '../../markets/exchanges/registry.js'
import type { MarketData } from '../../markets/history/market-data.js'
import type { NamedLists } from '../../markets/named-lists.js'
import { inSlices } from '../../runtime/scheduler.js'
import { ok, type Reply, refused, refusedAfterWork } from '../reply.js'

/** When a client may try again while the store of the alerts fails, in seconds. */
const retrySeconds = 5

interface Dependencies {
  readonly alerts: Alerts
  readonly exchanges: ExchangeLookup
  readonly marketData: MarketData
  readonly lists: NamedLists
  readonly privateTargets: boolean
  readonly historyDepth: number
}

/** `POST /alerts`: answers the new alert with the secret of its webhook, which is not shown again. */
export async function createAlert(
  dependencies: Dependencies,
  body: Uint8Array,
  account: Account,
): Promise<Reply> {
  const { alerts, privateTargets, historyDepth } = dependencies
  const fields = readBodyFields(body)
  if (isRefusal(fields)) return refused(fields)
  const request = readAlertRequest(fields, { privateTargets, mail: alerts.mail }, historyDepth)
  if (isRefusal(request)) return refused(request)
  const existing = await findMarkets(dependencies, request, account.id)
  if (isRefusal(existing)) return refusedAfterWork(existing)
  return whileStored(alerts, 'changed', async () => {
    const alert = await alerts.create(account, existing)
    if (isRefusal(alert)) return refused(alert)
    const { secret } = alert[0].webhook ?? {}
    return { status: 201, body: JSON.stringify({ ...describeAlert(alert), secret }) }
  })
}

/** `GET /alerts`: the alerts of the key. */
export const getAlerts = ({ alerts, marketData }: Dependencies, accountId: string): Promise<Reply> =>
  whileStored(alerts, 'read', async () => {
    const texts: string[] = []
    // An account may have thousands.
    const all = await alerts.list(accountId)
    const fired = await alerts.fired(all)
    for await (const alert of inSlices('alerts', all))
      texts.push(JSON.stringify(describeAlert(alert, fired, unsettledOf(marketData, alert))))
    return ok(`{"alerts":[${texts.join(',')}]}`)
  })

/** The symbols at which what an alert compares has not settled at the newest candle, as far as their candles are in memory. */
const unsettledOf = (marketData: MarketData, whole: WholeAlert): readonly string[] =>
  whole
    .filter(alert => {
      const snapshot = alert.settledAfter ? marketData.recall(marketOf(alert))?.snapshot : undefined
      return snapshot !== undefined && !hasSettled(alert, snapshot.count - 1)
    })
    .map(({ subject }) => subject.symbol)

/** `GET /alerts/dead-letters`: what could not be delivered to the key. */
export const getDeadLetters = ({ alerts }: Dependencies, accountId: string): Promise<Reply> =>
  whileStored(alerts, 'read', async () =>
    ok(`{"deadLetters":[${(await alerts.deadLetters(accountId)).join(',')}]}`),
  )

/** `POST /alerts/{id}`: pauses an alert, or resumes it. */
export async function changeAlert(
  { alerts }: Dependencies,
  body: Uint8Array,
  accountId: string,
  id: string,
): Promise<Reply> {
  const fields = readBodyFields(body)
  if (isRefusal(fields)) return refused(fields)
  const paused = readPaused(fields)
  if (isRefusal(paused)) return refused(paused)
  return whileStored(alerts, 'changed', async () => replyWith(await alerts.setPaused(accountId, id, paused)))
}

/** `POST /alerts/{id}/test`: sends a test to where the alert sends what it fires, once, and answers whether it has arrived. */
export async function testAlert(
  { alerts }: Dependencies,
  { signal }: { readonly signal: AbortSignal },
  body: Uint8Array,
  accountId: string,
  id: string,
): Promise<Reply> {
  const fields = readBodyFields(body)
  if (isRefusal(fields)) return refused(fields)
  const given = readKnown(fields, '/alerts/{id}/test', [])
  if (isRefusal(given)) return refused(given)
  return whileStored(alerts, 'read', async () => {
    const reason = await alerts.sendTest(accountId, id, signal)
    if (isRefusal(reason)) return refused(reason)
    return ok(JSON.stringify({ delivered: reason === undefined, reason }))
  })
}

/** `DELETE /alerts/{id}`: answers the alert that is deleted. */
export const deleteAlert = ({ alerts }: Dependencies, accountId: string, id: string): Promise<Reply> =>
  whileStored(alerts, 'changed', async () => replyWith(await alerts.remove(accountId, id)))

const replyWith = (alert: WholeAlert | Refusal): Reply =>
  isRefusal(alert) ? refused(alert) : ok(JSON.stringify(describeAlert(alert)))

/** The reply of `work`, or that the alerts cannot be had now where their store fails. */
async function whileStored(
  alerts: Alerts,
  action: 'read' | 'changed',
  work: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error
    alerts.requestFailed(error)
    return refused(alertsUnavailable(action, retrySeconds))
  }
}
