import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type Timeframe, timeframes } from '../candles/timeframe.js'
import type { Market } from '../contract/market.js'
import type { StoredAlert } from '../store/alerts.js'

/** When an expression is evaluated: once per candle at its close, or at every change of the forming candle, too. */
export const moments = ['close', 'update'] as const
/** At which candles an alert fires: where its condition becomes true, or wherever it is true. */
export const triggers = ['edge', 'level'] as const

const record = z.strictObject({
  name: z.string().optional(),
  /** Unix seconds. */
  created: z.number(),
  /** Unix seconds: only candles that end later can fire. */
  since: z.number(),
  paused: z.boolean(),
  /** What the expression is about. A screen may be another kind of it. */
  subject: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('market'),
      exchange: z.string(),
      symbol: z.string(),
      timeframe: z.enum(Object.keys(timeframes) as [Timeframe, ...Timeframe[]]),
    }),
  ]),
  expression: z.string(),
  on: z.enum(moments),
  trigger: z.enum(triggers),
  /** Without one, what it fires goes to the account's streaming connections. */
  webhook: z.strictObject({ url: z.string(), secret: z.string() }).optional(),
})

type AlertRecord = z.output<typeof record>

export interface Alert extends AlertRecord {
  readonly id: string
  /** The id of the account that it belongs to. */
  readonly account: string
}

/** What an account asks for. */
export interface AlertRequest extends Pick<Alert, 'name' | 'expression' | 'on' | 'trigger'> {
  readonly market: Market
  readonly webhookUrl: string | undefined
}

/** A new alert; `now` in Unix seconds. */
export function createAlert(account: string, request: AlertRequest, now: number): Alert {
  const { market, webhookUrl, name, expression, on, trigger } = request
  return {
    id: `alert_${randomBytes(9).toString('base64url')}`,
    account,
    ...(name !== undefined && { name }),
    created: now,
    since: now,
    paused: false,
    subject: { kind: 'market', ...market },
    expression,
    on,
    trigger,
    ...(webhookUrl !== undefined && {
      webhook: { url: webhookUrl, secret: `whsec_${randomBytes(32).toString('base64')}` },
    }),
  }
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

/** An alert as its account sees it; its secret is shown only when it is new. */
export const describeAlert = (alert: Alert) => ({
  id: alert.id,
  name: alert.name,
  ...marketOf(alert),
  expression: alert.expression,
  on: alert.on,
  trigger: alert.trigger,
  webhook: alert.webhook?.url,
  paused: alert.paused,
  created: alert.created,
})
