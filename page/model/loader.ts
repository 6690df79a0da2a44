import { backoffMs } from '../service/backoff.js'
import type { Outcome, ServiceClient } from '../service/client.js'
import type { Market } from '../view/view.js'
import type { Status } from './status.js'

/** Seconds for which the service may hold a request while candles are fetched for the first time. */
const waitSeconds = 10
/** Seconds after which a request is repeated if the service does not tell. */
const retrySeconds = 5

type Send = (options: { signal: AbortSignal; waitSeconds?: number }) => Promise<Outcome>

/** Result of a request; undefined if it was aborted, or if only the person can help. */
export interface Loaded {
  readonly body: unknown
  /** Seconds since the end of the newest candle, if it is old. */
  readonly age: number | undefined
}

interface Options {
  readonly client: ServiceClient
  readonly onStatus: (status: Status) => void
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

const pauseFor = (ms: number, signal: AbortSignal) =>
  new Promise<void>(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Repeats requests until they succeed, and reports the status while it waits. */
export class Loader {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  get client(): ServiceClient {
    return this.#options.client
  }

  /** Loads a path. `market` is the subject of the request; `onRefused` receives a refusal that repeating does not change. */
  async load(
    market: Market,
    send: Send,
    signal: AbortSignal,
    onRefused: (status: number, error: string) => void,
  ): Promise<Loaded | undefined> {
    const { onStatus, pause = pauseFor } = this.#options
    let isPending = false
    for (let failures = 0; !signal.aborted; ) {
      const outcome = await send(isPending ? { signal, waitSeconds } : { signal })
      if (signal.aborted) return undefined
      switch (outcome.kind) {
        case 'ok':
          return outcome
        case 'aborted':
          return undefined
        case 'pending':
          isPending = true
          onStatus({ kind: 'pending', market })
          continue
        case 'unreachable': {
          const ms = backoffMs(failures++)
          onStatus({ kind: 'stopped', retryAt: Date.now() + ms })
          await pause(ms, signal)
          continue
        }
        case 'refused': {
          const status = this.#refusal(outcome)
          if (!('retryAt' in status)) {
            if (status.kind === 'no-key') onStatus(status)
            else onRefused(outcome.status, outcome.error)
            return undefined
          }
          onStatus(status)
          await pause(status.retryAt - Date.now(), signal)
        }
      }
    }
    return undefined
  }

  #refusal({ status, error, retrySeconds: after = retrySeconds }: Outcome & { kind: 'refused' }): Status {
    const retryAt = Date.now() + after * 1000
    if (status === 401) return { kind: 'no-key', error }
    if (status === 429) return { kind: 'limited', error, retryAt }
    if (status >= 500) return { kind: 'unavailable', error, retryAt }
    return { kind: 'refused', error }
  }
}
