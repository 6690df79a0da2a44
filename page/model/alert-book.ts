import type { Outcome, ServiceClient } from '../service/client.js'
import { Signal } from '../view/signal.js'

/** An alert as the service lists it. */
export interface Alert {
  readonly id: string
  readonly name?: string
  readonly exchange: string
  readonly symbol?: string
  readonly symbols?: readonly string[]
  readonly timeframe: string
  readonly expression: string
  readonly on: 'close' | 'update'
  readonly webhook?: string
  readonly paused: boolean
  /** Unix seconds. */
  readonly created: number
  /** The open time of the candle at which the alert fired last, in Unix seconds. */
  readonly fired?: number
}

export interface AlertRequest
  extends Pick<Alert, 'exchange' | 'timeframe' | 'expression'>,
    Partial<Pick<Alert, 'on' | 'webhook' | 'name'>> {
  readonly symbol: string
}

/** A firing of an alert, as the streaming connection sends it. */
export interface Firing extends Pick<Alert, 'exchange' | 'timeframe' | 'expression' | 'name'> {
  readonly id: string
  readonly alert: string
  readonly symbol: string
  /** The open time of the candle, in Unix seconds. */
  readonly timestamp: number
  readonly price: number
  readonly test?: true
}

/** A message that could not be delivered. */
export interface DeadLetter {
  readonly id: string
  readonly alert: string
  readonly failed: number
  readonly reason: string
}

const maxFirings = 200

/** The reason of a failure in words; undefined after a success. */
const faultOf = (outcome: Outcome): string | undefined => {
  if (outcome.kind === 'ok') return undefined
  return outcome.kind === 'refused' ? outcome.error : 'The service does not answer.'
}

/** The alerts of the key, and their firings while the page was open. */
export class AlertBook {
  /** Undefined until they are loaded. */
  readonly alerts = new Signal<readonly Alert[] | undefined>(undefined)
  readonly deadLetters = new Signal<readonly DeadLetter[]>([])
  /** Newest last. */
  readonly firings = new Signal<readonly Firing[]>([])
  readonly #client: ServiceClient

  constructor(client: ServiceClient) {
    this.#client = client
  }

  /** Loads the alerts again; returns the error, if any. */
  async load(): Promise<string | undefined> {
    const [alerts, letters] = await Promise.all([
      this.#client.get('alerts'),
      this.#client.get('alerts/dead-letters'),
    ])
    if (alerts.kind === 'ok') this.alerts.value = (alerts.body as { alerts: readonly Alert[] }).alerts
    if (letters.kind === 'ok')
      this.deadLetters.value = (letters.body as { deadLetters: readonly DeadLetter[] }).deadLetters
    return faultOf(alerts)
  }

  /** Creates an alert; returns its id and the secret of its webhook, or the error. */
  async create(
    request: AlertRequest,
  ): Promise<{ readonly id: string; readonly secret?: string } | { readonly fault: string }> {
    const outcome = await this.#client.post('alerts', request)
    if (outcome.kind !== 'ok') return { fault: faultOf(outcome) ?? 'The service is not ready.' }
    const alert = outcome.body as Alert & { readonly secret?: string }
    if (this.alerts.value) this.alerts.value = [...this.alerts.value, alert]
    return alert
  }

  async setPaused(id: string, paused: boolean): Promise<string | undefined> {
    const outcome = await this.#client.post(`alerts/${encodeURIComponent(id)}`, { paused })
    if (outcome.kind === 'ok')
      this.alerts.value = this.alerts.value?.map(alert => (alert.id === id ? { ...alert, paused } : alert))
    return faultOf(outcome)
  }

  async remove(id: string): Promise<string | undefined> {
    const outcome = await this.#client.delete(`alerts/${encodeURIComponent(id)}`)
    if (outcome.kind === 'ok') this.alerts.value = this.alerts.value?.filter(alert => alert.id !== id)
    return faultOf(outcome)
  }

  /** Sends a test message; returns its result in words. */
  async test(id: string): Promise<string> {
    const outcome = await this.#client.post(`alerts/${encodeURIComponent(id)}/test`, {})
    if (outcome.kind !== 'ok') return faultOf(outcome) ?? 'The service is not ready.'
    const { delivered, reason } = outcome.body as { readonly delivered: boolean; readonly reason?: string }
    return delivered ? 'The test has arrived.' : `The test has not arrived: ${reason}.`
  }

  /** Adds a firing; false if it was known already, because a message may arrive twice. */
  receive(firing: Firing): boolean {
    const known = this.firings.value
    if (known.some(({ id }) => id === firing.id)) return false
    this.firings.value = [...known, firing].slice(-maxFirings)
    if (!firing.test)
      this.alerts.value = this.alerts.value?.map(alert =>
        alert.id === firing.alert ? { ...alert, fired: firing.timestamp } : alert,
      )
    return true
  }
}

/** A price as an expression accepts it: all of its decimals, and no separators. */
export const priceText = (price: number, decimals: number): string => String(Number(price.toFixed(decimals)))
