import type { ServiceClient } from '../service/client.js'
import { Signal } from '../view/signal.js'
import type { Market } from '../view/view.js'

/** A remark about a line of a script. */
interface LineNote {
  readonly line: number
  readonly text: string
}

/** A script of Pine in the words of expressions, as the service answers. */
export interface TranslatedScript {
  readonly title: string
  readonly expressions: readonly {
    readonly line: number
    readonly from: string
    readonly title: string
    readonly expression: string
  }[]
  readonly differences: readonly LineNote[]
  readonly refused: readonly LineNote[]
}

/** State of a pasted script. A fault is a text for people. */
export type ScriptState = 'none' | 'reading' | { readonly fault: string } | TranslatedScript

/** Whether a pasted text is a script: an expression has one line. */
export const isScript = (text: string): boolean => text.includes('\n') && /^\/\/ ?@version ?=/m.test(text)

/** Has the service translate a pasted script. */
export class PineScript {
  readonly state = new Signal<ScriptState>('none')
  readonly #client: ServiceClient
  #abort = new AbortController()

  constructor(client: ServiceClient) {
    this.#client = client
  }

  /** Forgets the script. */
  clear(): void {
    this.#abort.abort()
    this.state.value = 'none'
  }

  /** Translates a script for the candles of a market. */
  async translate(script: string, { timeframe }: Market): Promise<void> {
    this.clear()
    this.#abort = new AbortController()
    const { signal } = this.#abort
    this.state.value = 'reading'
    const outcome = await this.#client.post('expression/pine', { script, timeframe }, { signal })
    if (signal.aborted) return
    if (outcome.kind === 'ok') this.state.value = outcome.body as TranslatedScript
    else {
      const fault = outcome.kind === 'refused' ? outcome.error : 'The service does not answer.'
      this.state.value = { fault }
    }
  }
}
