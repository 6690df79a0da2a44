import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type Timeframe, timeframes } from '../candles/timeframe.js'
import type { Market } from '../contract/market.js'
import { moments, triggers } from '../contract/requests.js'
import type { StoredAlert } from '../contract/storage/alerts.js'
import { emailFormats, webhookFormats } from '../contract/webhook-format.js'

const market = {
  exchange: z.string(),
  symbol: z.string(),
  timeframe: z.enum(Object.keys(timeframes) as [Timeframe, ...Timeframe[]]),
}

const record = z.strictObject({
  name: z.string().optional(),
  /** Unix seconds. */
  created: z.number(),
  /** Unix seconds: only candles that end later can fire. */
  since: z.number(),
  paused: z.boolean(),
  /** What the expression is about. */
  subject: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('market'), ...market }),
    // One market of those that the alert is over; with `quote` they are the symbols of the exchange that end with it.
    z.strictObject({ kind: z.literal('screen'), ...market, quote: z.string().optional() }),
  ]),
  expression: z.string(),
  /** Bytes of memory that the compiled expression takes, about. */
  expressionBytes: z.number().optional(),
  /** Bytes of memory that it keeps of the candles of each market, about. */
  stateBytes: z.number().optional(),
  /** What is made of the candles first; absent for the candles themselves. */
  chart: z.string().optional(),
  on: z.enum(moments),
  trigger: z.enum(triggers),
  /** How many digits of what the expression compares must have settled; without it, as in alerts of before, none. */
  settled: z.number().optional(),
  /** Candles before the first one at which they have; or the indicator because of which they never have, and each candle counts. */
  settledAfter: z.number().optional(),
  unsettling: z.string().optional(),
  /** Without one, and without an e-mail address, what it fires goes to the account's streaming connections. */
  webhook: z
    .strictObject({
      url: z.string(),
      secret: z.string(),
      /** What it is sent; absent for the message of the service. */
      format: z.enum(webhookFormats).optional(),
      template: z.string().optional(),
    })
    .optional(),
  /** Instead of a webhook. */
  email: z
    .strictObject({
      to: z.string(),
      format: z.enum(emailFormats).optional(),
      template: z.string().optional(),
    })
    .optional(),
})

type AlertRecord = z.output<typeof record>

/**
 * An alert over one market. An alert over a screen is one of these for each of its markets, which have all but the market in
 * common.
 */
export interface Alert extends AlertRecord {
  /** That of the whole alert; over a screen with a colon and the symbol behind it. */
  readonly id: string
  /** The id of the account that it belongs to. */
  readonly account: string
}

/** An alert as an account knows it: over one market, or over each market of a screen; never empty. */
export type WholeAlert = readonly [Alert, ...Alert[]]

/** What an account asks for. */
export interface AlertRequest
  extends Pick<
    Alert,
    | 'name'
    | 'expression'
    | 'expressionBytes'
    | 'stateBytes'
    | 'chart'
    | 'on'
    | 'trigger'
    | 'settled'
    | 'settledAfter'
    | 'unsettling'
    | 'email'
  > {
  readonly markets: readonly [Market, ...Market[]]
  /** Where it is over a screen, though this may have one market; `quote` is what its symbols end with. */
  readonly screen: { readonly quote: string | undefined } | undefined
  readonly webhookUrl: string | undefined
  /** What the webhook is sent in the place of the message of the service. */
  readonly webhookForm?: Pick<NonNullable<Alert['webhook']>, 'format' | 'template'>
}

/** The form of the id of every alert. No other text is looked up. */
export const alertIdForm = /^alert_[\w-]{12}$/

/** A new alert; `now` in Unix seconds. */
export function createAlert(account: string, request: AlertRequest, now: number): WholeAlert {
  const { markets, screen, webhookUrl, webhookForm, name, ...condition } = request
  const id = `alert_${randomBytes(9).toString('base64url')}`
  const common = {
    account,
    ...(name !== undefined && { name }),
    created: now,
    since: now,
    paused: false,
    ...condition,
    ...(webhookUrl !== undefined && {
      webhook: {
        url: webhookUrl,
        secret: `whsec_${randomBytes(32).toString('base64')}`,
        ...webhookForm,
      },
    }),
  }
  const bySymbol = (a: Market, b: Market) => (a.symbol < b.symbol ? -1 : 1)
  const [market, ...others] = [...markets].sort(bySymbol) as [Market, ...Market[]]
  if (!screen) return [{ ...common, id, subject: { kind: 'market', ...market } }]
  const quote = screen.quote === undefined ? undefined : { quote: screen.quote }
  const at = (market: Market): Alert => ({
    ...common,
    id: `${id}:${market.symbol}`,
    subject: { kind: 'screen', ...market, ...quote },
  })
  return [at(market), ...others.map(at)]
}

/** An alert over a screen at one more market; `now` in Unix seconds. */
export const extendAlert = (alert: Alert, symbol: string, now: number): Alert => ({
  ...alert,
  id: `${wholeIdOf(alert.id)}:${symbol}`,
  since: now,
  subject: { ...alert.subject, symbol },
})

/** The id of the whole alert of which a stored one is a part. */
export const wholeIdOf = (id: string): string => id.split(':', 1)[0] as string

/**
 * An id in ASCII, as header fields need it: every other character of a symbol as the percent-encoding of its UTF-8 bytes.
 * Different ids stay different, because symbols are upper case and the digits of the encoding are lower case.
 */
export const toAscii = (id: string): string =>
  id.replace(/[^\x20-\x7e]+/g, text => Buffer.from(text).toString('hex').replace(/../g, '%$&'))

/** The id of which `toAscii` has made one. */
export const fromAscii = (id: string): string =>
  id.replace(/(?:%[c-f][\da-f](?:%[89ab][\da-f])+)+/g, decodeURIComponent)

/** Parts of alerts as the alerts that an account knows, the oldest first, with their markets by name. */
export function groupAlerts(parts: readonly Alert[]): readonly WholeAlert[] {
  const groups = new Map<string, [Alert, ...Alert[]]>()
  for (const part of [...parts].sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1))) {
    const group = groups.get(wholeIdOf(part.id))
    if (group) group.push(part)
    else groups.set(wholeIdOf(part.id), [part])
  }
  return [...groups.values()]
}

export const writeAlert = ({ id, account, ...rest }: Alert): StoredAlert => ({
  id,
  account,
  text: JSON.stringify(rest satisfies AlertRecord),
})

/** The alert of a stored text. Throws where it cannot be understood. */
export const readAlert = ({ id, account, text }: StoredAlert): Alert => ({
  id,
  account,
  ...record.parse(JSON.parse(text)),
})

export const marketOf = ({ subject: { exchange, symbol, timeframe } }: Alert): Market => ({
  exchange,
  symbol,
  timeframe,
})

/**
 * Whether the values that an alert compares at a candle have settled, where they must: with `edge` also those of the candle before.
 * `at` counts the candles before it.
 */
export const hasSettled = ({ trigger, settledAfter = 0 }: Alert, at: number): boolean =>
  settledAfter === 0 || at >= settledAfter + (trigger === 'edge' ? 1 : 0)

/**
 * An alert as its account sees it; its secret is shown only when it is new. `fired` has the newest candles at which its parts
 * have fired, `unsettled` the symbols at which it fires nothing, because what it compares has not settled.
 */
export function describeAlert(
  whole: WholeAlert,
  fired?: ReadonlyMap<string, number>,
  unsettled: readonly string[] = [],
) {
  const [alert] = whole
  const { subject } = alert
  const firedAt = whole.map(({ id }) => fired?.get(id) ?? Number.NEGATIVE_INFINITY)
  const last = Math.max(...firedAt)
  const symbols =
    subject.kind === 'market'
      ? { symbol: subject.symbol }
      : { symbols: whole.map(part => part.subject.symbol), quote: subject.quote }
  return {
    id: wholeIdOf(alert.id),
    name: alert.name,
    exchange: subject.exchange,
    ...symbols,
    timeframe: subject.timeframe,
    expression: alert.expression,
    chart: alert.chart,
    on: alert.on,
    trigger: alert.trigger,
    settled: alert.settled,
    settledAfter: alert.settledAfter,
    unsettling: alert.unsettling,
    ...(unsettled.length > 0 && { unsettled }),
    webhook: alert.webhook?.url,
    email: alert.email?.to,
    format: (alert.webhook ?? alert.email)?.format,
    template: (alert.webhook ?? alert.email)?.template,
    paused: alert.paused,
    created: alert.created,
    ...(Number.isFinite(last) && { fired: last }),
  }
}
