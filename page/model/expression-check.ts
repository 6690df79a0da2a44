import type { ServiceClient } from '../service/client.js'
import { Signal } from '../view/signal.js'
import type { Market } from '../view/view.js'
import { faultRange } from './expression.js'

/** The service's answer about an expression. */
export type Verdict =
  | { readonly kind: 'checking' }
  | { readonly kind: 'number'; readonly now: number | null }
  | { readonly kind: 'condition'; readonly now: boolean | null }
  | { readonly kind: 'fault'; readonly text: string; readonly range: ReturnType<typeof faultRange> }
  /** The check failed, for example because the plan allows no more requests in this window. */
  | { readonly kind: 'unknown' }

/** Pause in typing after which the service checks the expression. */
const debounceMs = 250

/** Has the service check an expression while it is typed. */
export class ExpressionCheck {
  readonly verdict = new Signal<Verdict>({ kind: 'checking' })
  readonly #client: ServiceClient
  #text = ''
  #timer: ReturnType<typeof setTimeout> | undefined
  #abort = new AbortController()

  constructor(client: ServiceClient) {
    this.#client = client
  }

  /** Starts to check a text, unless it was checked last. */
  check(text: string, market: Market): void {
    const key = JSON.stringify([text, market])
    if (key === this.#text) return
    this.#text = key
    clearTimeout(this.#timer)
    this.#abort.abort()
    this.#abort = new AbortController()
    this.verdict.value = { kind: 'checking' }
    this.#timer = setTimeout(() => void this.#ask(text, market, this.#abort.signal), debounceMs)
  }

  async #ask(text: string, { exchange, symbol, timeframe }: Market, signal: AbortSignal): Promise<void> {
    const query = new URLSearchParams({ exchange, symbol, timeframe, expression: text })
    const outcome = await this.#client.get(`expression?${query}`, { signal, waitSeconds: 10 })
    if (signal.aborted) return
    if (outcome.kind === 'ok') {
      const now = (outcome.body as { value: readonly (number | boolean | null)[] }).value.at(-1) ?? null
      // A condition that is undefined at present cannot be told from a number.
      this.verdict.value = typeof now === 'boolean' ? { kind: 'condition', now } : { kind: 'number', now }
    } else if (outcome.kind === 'refused' && outcome.status === 400) {
      this.verdict.value = { kind: 'fault', text: outcome.error, range: faultRange(text, outcome.error) }
    } else this.verdict.value = { kind: 'unknown' }
  }
}
