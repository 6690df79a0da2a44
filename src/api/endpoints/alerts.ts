import { describeAlert, type WholeAlert } from '../../alerts/alert.js'
import type { Alerts } from '../../alerts/alerts.js'
import { readAlertRequest, readPaused } from '../../alerts/request.js'
import { findMarkets } from '../../alerts/screen-markets.js'
import { readBodyFields } from '../../contract/body.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import type { ExchangeLookup } from '../../exchanges/registry.js'
import type { MarketData } from '../../history/market-data.js'
import type { Account } from '../../store/store.js'
import { ok, type Reply, refused, refusedAfterWork } from '../reply.js'

interface Dependencies {
  readonly alerts: Alerts
  readonly exchanges: ExchangeLookup
  readonly marketData: MarketData
  readonly privateTargets: boolean
}

/** `POST /alerts`: answers the new alert with the secret of its webhook, which is not shown again. */
export async function createAlert(
  dependencies: Dependencies,
  body: Uint8Array,
  account: Account,
): Promise<Reply> {
  const { alerts, privateTargets } = dependencies
  const fields = readBodyFields(body)
  if (isRefusal(fields)) return refused(fields)
  const request = readAlertRequest(fields, privateTargets)
  if (isRefusal(request)) return refused(request)
  const existing = await findMarkets(dependencies, request, account.id)
  if (isRefusal(existing)) return refusedAfterWork(existing)
  const alert = await alerts.create(account, existing)
  if (isRefusal(alert)) return refused(alert)
  const { secret } = alert[0].webhook ?? {}
  return { status: 201, body: JSON.stringify({ ...describeAlert(alert), secret }) }
}

/** `GET /alerts`: the alerts of the key. */
export const getAlerts = async ({ alerts }: Dependencies, accountId: string): Promise<Reply> =>
  ok(JSON.stringify({ alerts: (await alerts.list(accountId)).map(describeAlert) }))

/** `GET /alerts/dead-letters`: what could not be delivered to the key. */
export const getDeadLetters = async ({ alerts }: Dependencies, accountId: string): Promise<Reply> =>
  ok(`{"deadLetters":[${(await alerts.deadLetters(accountId)).join(',')}]}`)

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
  return replyWith(await alerts.setPaused(accountId, id, paused))
}

/** `DELETE /alerts/{id}`: answers the alert that is deleted. */
export const deleteAlert = async ({ alerts }: Dependencies, accountId: string, id: string): Promise<Reply> =>
  replyWith(await alerts.remove(accountId, id))

const replyWith = (alert: WholeAlert | Refusal): Reply =>
  isRefusal(alert) ? refused(alert) : ok(JSON.stringify(describeAlert(alert)))
