import { z } from 'zod'
import { alertIdForm, describeAlert, hasSettled, marketOf, type WholeAlert } from '../../alerts/alert.js'
import type { Alerts } from '../../alerts/alerts.js'
import { findMarkets, readAlertRequest } from '../../alerts/request.js'
import { named, readBody, readBodyFields } from '../../contract/fields.js'
import { marketShape } from '../../contract/market.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { alertShape, pausedShape } from '../../contract/requests.js'
import { alertsUnavailable } from '../../contract/screen-refusals.js'
import { maxDeadLetters } from '../../contract/storage/alerts.js'
import type { ExchangeLookup } from '../../markets/exchanges/registry.js'
import type { MarketData } from '../../markets/history/market-data.js'
import type { NamedLists } from '../../markets/named-lists.js'
import { inSlices } from '../../runtime/scheduler.js'
import { ok, type Reply, refused, refusedAfterWork, replyJson, replyWhileStored } from '../reply.js'
import { type Call, get, type KeyRoute, post, remove } from '../route.js'

/** `Retry-After` of a reply while the alert store fails, in seconds. */
const retrySeconds = 5

export interface Dependencies {
  readonly alerts: Alerts
  readonly exchanges: ExchangeLookup
  readonly marketData: MarketData
  readonly lists: NamedLists
  readonly privateTargets: boolean
  readonly historyDepth: number
}

/** `POST /alerts`: returns the new alert with the secret of its webhook, which is not shown again. */
async function createAlert(dependencies: Dependencies, { account, body }: Call): Promise<Reply> {
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
    return replyJson({ ...describeAlert(alert), secret }, 201)
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

/** Symbols at which the compared values have not settled at the newest candle, if their candles are in memory. */
const unsettledOf = (marketData: MarketData, whole: WholeAlert): readonly string[] =>
  whole
    .filter(alert => {
      const snapshot = alert.settledAfter ? marketData.recall(marketOf(alert))?.inputs[0] : undefined
      return snapshot !== undefined && !hasSettled(alert, snapshot.count - 1)
    })
    .map(({ subject }) => subject.symbol)

/** `POST /alerts/{id}`: pauses an alert, or resumes it. */
async function changeAlert({ alerts }: Dependencies, { account, segment, body }: Call): Promise<Reply> {
  const read = readBody(body, '/alerts/{id}', pausedShape(), ['paused'])
  if (isRefusal(read)) return refused(read)
  const { paused } = read
  return whileStored(alerts, 'changed', async () =>
    replyWith(await alerts.setPaused(account.id, segment, paused)),
  )
}

/** `POST /alerts/{id}/test`: sends a test message once to the target of the alert, and returns whether it has arrived. */
async function testAlert(
  { alerts }: Dependencies,
  { request: { signal }, account, segment, body }: Call,
): Promise<Reply> {
  const read = readBody(body, '/alerts/{id}/test', {})
  if (isRefusal(read)) return refused(read)
  return whileStored(alerts, 'read', async () => {
    const reason = await alerts.sendTest(account.id, segment, signal)
    if (isRefusal(reason)) return refused(reason)
    return replyJson({ delivered: reason === undefined, reason })
  })
}

const replyWith = (alert: WholeAlert | Refusal): Reply =>
  replyJson(isRefusal(alert) ? alert : describeAlert(alert))

/** Reply of `work`, or 503 if the alert store fails. */
const whileStored = (
  alerts: Alerts,
  action: 'read' | 'changed',
  work: () => Promise<Reply>,
): Promise<Reply> =>
  replyWhileStored(work, error => {
    alerts.requestFailed(error)
    return alertsUnavailable(action, retrySeconds)
  })

/** Maximum length of a body, in bytes. An alert is a few short texts. */
const maxBytes = 64 * 1024
const scope = 'alerts'
const segment = () => z.string().regex(alertIdForm)
const alertBody = named('AlertRequest', () =>
  z
    .strictObject({ ...alertShape(), symbol: marketShape().symbol.optional() })
    .describe('One of `symbol`, `symbols` and `quote` says which markets.'),
)

export const alertRoutes: readonly KeyRoute<Dependencies>[] = [
  get({
    path: '/alerts',
    scope,
    hasNoQuery: true,
    answer: (parts, { account }) => getAlerts(parts, account.id),
    describe: () => ({
      id: 'alerts',
      tag: 'Alerts',
      summary: 'The alerts of the key',
      replies: { 200: { description: 'Oldest first.', schema: 'alertList' } },
    }),
  }),
  post({
    path: '/alerts',
    scope,
    maxBytes,
    answer: createAlert,
    describe: () => ({
      id: 'create_alert',
      tag: 'Alerts',
      summary: 'A new alert',
      description:
        'It fires at most once per market and candle. Messages to a webhook are signed as Standard Webhooks describes, and repeated until they are answered with a status of 200 to 299 or given up.',
      body: alertBody(),
      replies: { 201: { description: 'The alert.', schema: 'alert' } },
      statuses: [404],
    }),
  }),
  get({
    path: '/alerts/dead-letters',
    scope,
    hasNoQuery: true,
    answer: ({ alerts }, { account }) =>
      whileStored(alerts, 'read', async () =>
        ok(`{"deadLetters":[${(await alerts.deadLetters(account.id)).join(',')}]}`),
      ),
    describe: () => ({
      id: 'dead_letters',
      tag: 'Alerts',
      summary: 'Messages that could not be delivered',
      replies: {
        200: {
          description: `Newest first, at most ${maxDeadLetters}.`,
          schema: 'deadLetters',
        },
      },
    }),
  }),
  post({
    path: '/alerts/{id}',
    scope,
    maxBytes,
    answer: changeAlert,
    describe: () => ({
      id: 'change_alert',
      tag: 'Alerts',
      summary: 'Pauses an alert, or resumes it',
      description:
        'Candles that end while it is paused never fire it. What it has fired and was not delivered is dropped.',
      segment: segment(),
      body: z.strictObject(pausedShape()),
      replies: { 200: { description: 'The alert.', schema: 'alert' } },
      statuses: [404],
    }),
  }),
  post({
    path: '/alerts/{id}/test',
    scope,
    maxBytes,
    answer: testAlert,
    describe: () => ({
      id: 'test_alert',
      tag: 'Alerts',
      summary: 'Sends a test',
      description:
        'Sends a message like those of the alert, with `test`, once to the same address. The candles do not matter, and nothing is stored.',
      segment: segment(),
      body: z.strictObject({}),
      replies: { 200: { description: 'Whether the message has arrived.', schema: 'alertTest' } },
      statuses: [404],
    }),
  }),
  remove({
    path: '/alerts/{id}',
    scope,
    answer: ({ alerts }, { account, segment }) =>
      whileStored(alerts, 'changed', async () => replyWith(await alerts.remove(account.id, segment))),
    describe: () => ({
      id: 'delete_alert',
      tag: 'Alerts',
      summary: 'Deletes an alert',
      description: 'Undelivered messages are dropped.',
      segment: segment(),
      replies: { 200: { description: 'The alert that was deleted.', schema: 'alert' } },
      statuses: [404],
    }),
  }),
]
