import type { Candle } from '../../../candles/candle.js'

/** What a message of a stream says. */
export type StreamEvent =
  /** The server has accepted the connection: the key may be sent. */
  | { readonly kind: 'greeted' }
  /** The key is accepted: symbols may be subscribed to. */
  | { readonly kind: 'ready' }
  /** A minute that has ended, a correction of one, or the day until now, whose `timestamp` is 00:00 UTC of its date. */
  | { readonly kind: 'bar'; readonly symbol: string; readonly interval: '1m' | '1d'; readonly candle: Candle }
  /** Trading in a security was halted, or goes on. */
  | { readonly kind: 'halt'; readonly symbol: string; readonly isHalted: boolean }
  /** There will be no bars, for a reason that only a person can change. */
  | { readonly kind: 'refused'; readonly words: string }

/** How a provider streams the bars of securities over a WebSocket. */
export interface StreamProtocol {
  readonly url: string
  /** The lengths of its bars. */
  readonly intervals: readonly ('1m' | '1d')[]
  /** The message with the key. */
  login(): string
  /** The message that adds symbols to those that are streamed. */
  subscribe(symbols: readonly string[]): string
  unsubscribe(symbols: readonly string[]): string
  /** What a text of the server says. Throws where it cannot be read. */
  read(text: string): readonly StreamEvent[]
}
