import type { Charted, Market } from './types.js'

/** A condition over markets, and where to say that it became true: see docs/alerts.md. */
export interface AlertRequest extends Omit<Market, 'symbol'>, Charted {
  /** The market; or one of the next two fields instead. */
  readonly symbol?: string
  /** The markets. Each counts as an alert. */
  readonly symbols?: readonly string[]
  /** All symbols of the exchange that end with it, such as USDT. In an alert that was made `symbols` are those. */
  readonly quote?: string
  /** The condition. */
  readonly expression: string
  /** `close` (the default): evaluated when a candle has closed. `update`: also at every change of the forming one. */
  readonly on?: 'close' | 'update'
  /** `edge` (the default): fires where the condition becomes true. `level`: at every candle where it is true. */
  readonly trigger?: 'edge' | 'level'
  /** How many digits of what the condition compares must have settled: 0 to 8, 4 by default, 0 for any. */
  readonly settled?: number
  /** The address to which messages are posted. Without it and without `email`, messages go to the streaming connections of the key that request alerts. */
  readonly webhook?: string
  /** The address to which messages are sent by e-mail, instead of a webhook, where the service is set up for that. */
  readonly email?: string
  /**
   * What the webhook is sent, by default what the messenger of its address expects. `candela`, the default of other addresses: an
   * `AlertMessage`. `json`: the template. Others: a short text, or the template, as
   * plain text or as the messenger expects it. An e-mail is `text`, the default, or `html`.
   */
  readonly format?: 'candela' | 'json' | 'text' | 'discord' | 'slack' | 'telegram' | 'ntfy' | 'html'
  /** The text that is sent, with fields of the message in braces, such as `{symbol} at {price}`. */
  readonly template?: string
  readonly name?: string
}

/** An alert as the service keeps it. */
export interface Alert extends AlertRequest {
  readonly id: string
  readonly on: 'close' | 'update'
  readonly trigger: 'edge' | 'level'
  readonly paused: boolean
  /** Unix seconds. */
  readonly created: number
  /** Candles before the first one at which the condition has settled, where it must. */
  readonly settledAfter?: number
  /** The indicator because of which the condition never settles: then it may fire at any candle. */
  readonly unsettling?: string
  /** Symbols at which the condition has not settled yet, so that nothing is fired. The list of alerts has it. */
  readonly unsettled?: readonly string[]
  /** The open time of the newest candle at which it has fired, where it has. The list of alerts has it. */
  readonly fired?: number
}

/** What became of the test of an alert. */
export interface AlertTest {
  readonly delivered: boolean
  /** Why it has not arrived. */
  readonly reason?: string
}

/** A new alert. */
export interface CreatedAlert extends Alert {
  /** The key of the signatures of its webhook, which is not shown again. */
  readonly secret?: string
}

/** What an alert has fired, as webhooks and streaming connections get it. */
export interface AlertMessage
  extends Market,
    Required<Pick<AlertRequest, 'expression' | 'on' | 'trigger'>>,
    Pick<AlertRequest, 'name' | 'chart'> {
  readonly type: 'alert'
  /** It is a test: no candle has fired it, its time is that of the test and its price is 0. */
  readonly test?: true
  /** Names the alert, the symbol where the alert is over several markets, and the candle. It is the same in each attempt to deliver the message. */
  readonly id: string
  /** The id of the alert. */
  readonly alert: string
  /** The open time of the candle in Unix seconds. */
  readonly timestamp: number
  readonly timestampHuman: string
  /** Whether the candle had closed. */
  readonly closed: boolean
  /** The close of the candle, or its last price. */
  readonly price: number
}

/** A message that could not be delivered. */
export interface DeadLetter {
  /** That of the message. */
  readonly id: string
  /** The id of the alert. */
  readonly alert: string
  /** When it was fired, and when it was given up, in Unix seconds. */
  readonly created: number
  readonly failed: number
  readonly attempts: number
  readonly reason: string
  readonly message: AlertMessage
}
