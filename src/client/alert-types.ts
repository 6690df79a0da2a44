import type { Charted, Market } from './types.js'

/** A condition over markets, and the target of its messages. See docs/alerts.md. */
export interface AlertRequest extends Omit<Market, 'symbol'>, Charted {
  /** Symbol of a single market. Use `symbols` or `quote` instead for several markets. */
  readonly symbol?: string
  /** Symbols of several markets. Each market counts as an alert. */
  readonly symbols?: readonly string[]
  /**
   * Quote currency such as USDT: selects all symbols of the exchange that end with it. A created alert lists them in
   * `symbols`.
   */
  readonly quote?: string
  /** The condition. */
  readonly expression: string
  /**
   * `close` (the default): evaluated when a candle closes. `update`: also evaluated at every change of the forming
   * candle.
   */
  readonly on?: 'close' | 'update'
  /**
   * `edge` (the default): fires when the condition becomes true. `level`: fires at every candle at which the condition
   * is true.
   */
  readonly trigger?: 'edge' | 'level'
  /** Number of digits of the compared values that must have settled: 0 to 8, by default 4. 0 requires none. */
  readonly settled?: number
  /**
   * Address to which messages are posted. Without `webhook` and `email`, messages go to streaming connections of the key
   * that request alerts.
   */
  readonly webhook?: string
  /** E-mail address for messages, instead of a webhook. The service must be configured for e-mail. */
  readonly email?: string
  /**
   * Format of the messages. For the address of a messenger, the default is the format of this messenger. For other
   * addresses, the default is `candela`: an `AlertMessage`. `json` sends the template. Other formats send a short text
   * or the template, as plain text or as the messenger expects it. An e-mail is `text` (the default) or `html`.
   */
  readonly format?: 'candela' | 'json' | 'text' | 'discord' | 'slack' | 'telegram' | 'ntfy' | 'html'
  /** Text of the message, with fields of the message in braces, such as `{symbol} at {price}`. */
  readonly template?: string
  readonly name?: string
}

/** An alert as the service stores it. */
export interface Alert extends AlertRequest {
  readonly id: string
  readonly on: 'close' | 'update'
  readonly trigger: 'edge' | 'level'
  readonly paused: boolean
  /** Creation time in Unix seconds. */
  readonly created: number
  /** Number of candles before the first one at which the condition has settled. Absent if the condition need not settle. */
  readonly settledAfter?: number
  /** The indicator that keeps the condition from settling. The alert may then fire at any candle. */
  readonly unsettling?: string
  /** Symbols at which the condition has not settled yet, so the alert does not fire. Only in the list of alerts. */
  readonly unsettled?: readonly string[]
  /** Open time of the newest candle at which the alert has fired. Only in the list of alerts. */
  readonly fired?: number
}

/** Result of the test of an alert. */
export interface AlertTest {
  readonly delivered: boolean
  /** Reason why the message was not delivered. */
  readonly reason?: string
}

/** A newly created alert. */
export interface CreatedAlert extends Alert {
  /** Key that signs the messages to the webhook. It is shown only once. */
  readonly secret?: string
}

/** Message of a fired alert, as sent to webhooks and streaming connections. */
export interface AlertMessage
  extends Market,
    Required<Pick<AlertRequest, 'expression' | 'on' | 'trigger'>>,
    Pick<AlertRequest, 'name' | 'chart'> {
  readonly type: 'alert'
  /** True for a test message. No candle has fired it: `timestamp` is the time of the test, and `price` is 0. */
  readonly test?: true
  /**
   * Id of the message. It names the alert, the candle and, if the alert has several markets, the symbol. All delivery
   * attempts have the same id.
   */
  readonly id: string
  /** Id of the alert. */
  readonly alert: string
  /** Open time of the candle in Unix seconds. */
  readonly timestamp: number
  readonly timestampHuman: string
  /** Whether the candle had closed. */
  readonly closed: boolean
  /** Close of the candle, or its last price while it is forming. */
  readonly price: number
}

/** A message that could not be delivered. */
export interface DeadLetter {
  /** Id of the message. */
  readonly id: string
  /** Id of the alert. */
  readonly alert: string
  /** Time in Unix seconds at which the alert fired. `failed` is the time at which the service gave up the delivery. */
  readonly created: number
  readonly failed: number
  readonly attempts: number
  readonly reason: string
  readonly message: AlertMessage
}
