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
  /** Unix seconds. Only candles that end later can fire. */
  since: z.number(),
  paused: z.boolean(),
  /** Market over which the expression is evaluated. */
  subject: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('market'), ...market }),
    // One market of the alert's screen. With `quote`, the screen has all symbols of the exchange that end with it.
    z.strictObject({ kind: z.literal('screen'), ...market, quote: z.string().optional() }),
  ]),
  expression: z.string(),
  /** Approximate memory of the compiled expression, in bytes. */
  expressionBytes: z.number().optional(),
  /** Approximate memory of the expression's state per market, in bytes. */
  stateBytes: z.number().optional(),
  /** Chart into which candles are converted first. Absent for plain candles. */
  chart: z.string().optional(),
  on: z.enum(moments),
  trigger: z.enum(triggers),
  /** Digits of the compared values that must have settled. Absent means 0, as in alerts stored by earlier versions. */
  settled: z.number().optional(),
  /**
   * Number of candles before the first candle whose digits have settled. `unsettling` is set instead if they never
   * settle, and names the responsible indicator. Every candle counts then.
   */
  settledAfter: z.number().optional(),
  unsettling: z.string().optional(),
  /** Absent with `email` absent, too: fires are sent to the account's streaming connections. */
  webhook: z
    .strictObject({
      url: z.string(),
      secret: z.string(),
      /** Format of the request body. Absent for the service's own JSON message. */
      format: z.enum(webhookFormats).optional(),
      template: z.string().optional(),
    })
    .optional(),
  /** Set instead of `webhook`. */
  email: z
    .strictObject({
      to: z.string(),
      format: z.enum(emailFormats).optional(),
      template: z.string().optional(),
    })
    .optional(),
})

type AlertRecord = z.output<typeof record>

/** An alert over one market. An alert over a screen is stored as one of these per market; only the markets differ. */
export interface Alert extends AlertRecord {
  /** Id of the whole alert. For a screen, followed by a colon and the symbol. */
  readonly id: string
  /** Id of the owning account. */
  readonly account: string
}

/** An alert as its account sees it: one part for a market, or one part per market of a screen. Never empty. */
export type WholeAlert = readonly [Alert, ...Alert[]]

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
  /** Present for an alert over a screen, even if the screen has one market. `quote` is the ending of its symbols. */
  readonly screen: { readonly quote: string | undefined } | undefined
  readonly webhook?: Omit<NonNullable<Alert['webhook']>, 'secret'> | undefined
}

/** Pattern of alert ids. Texts in another form are never looked up. */
export const alertIdForm = /^alert_[\w-]{12}$/

/** Creates an alert; `now` in Unix seconds. */
export function createAlert(account: string, request: AlertRequest, now: number): WholeAlert {
  const { markets, screen, webhook, name, ...condition } = request
  const id = `alert_${randomBytes(9).toString('base64url')}`
  const common = {
    account,
    ...(name !== undefined && { name }),
    created: now,
    since: now,
    paused: false,
    ...condition,
    ...(webhook && { webhook: { secret: `whsec_${randomBytes(32).toString('base64')}`, ...webhook } }),
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

/** Part of a screen's alert for one more market; `now` in Unix seconds. */
export const extendAlert = (alert: Alert, symbol: string, now: number): Alert => ({
  ...alert,
  id: `${wholeIdOf(alert.id)}:${symbol}`,
  since: now,
  subject: { ...alert.subject, symbol },
})

/** Id of the whole alert to which a stored part belongs. */
export const wholeIdOf = (id: string): string => id.split(':', 1)[0] as string

/**
 * An id in ASCII for header fields. Every other character of a symbol becomes the percent-encoding of its UTF-8 bytes.
 * Different ids stay different, because symbols are upper case and the encoding's hex digits are lower case.
 */
export const toAscii = (id: string): string =>
  id.replace(/[^\x20-\x7e]+/g, text => Buffer.from(text).toString('hex').replace(/../g, '%$&'))

/** Inverse of `toAscii`. */
export const fromAscii = (id: string): string =>
  id.replace(/(?:%[c-f][\da-f](?:%[89ab][\da-f])+)+/g, decodeURIComponent)

/** Groups stored parts into whole alerts, oldest first. Markets are sorted by name. */
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

/** Parses a stored alert. Throws if the text is invalid. */
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
 * Whether the values that an alert compares at a candle have settled, if the alert requires this. With `edge`, the
 * previous candle's values must have settled, too. `at` is the number of candles before the candle.
 */
export const hasSettled = ({ trigger, settledAfter = 0 }: Alert, at: number): boolean =>
  settledAfter === 0 || at >= settledAfter + (trigger === 'edge' ? 1 : 0)

/**
 * An alert as its account sees it, without the secret. `fired` has the newest candle at which each part has fired.
 * `unsettled` has the symbols at which the alert cannot fire, because the compared values have not settled.
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
