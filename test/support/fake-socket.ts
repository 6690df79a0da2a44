import { afterEach, beforeEach, vi } from 'vitest'

type Listener = (event: unknown) => void

/** A WebSocket whose other end is the test. */
export class FakeSocket {
  static all: FakeSocket[] = []
  static readonly last = () => FakeSocket.all.at(-1) as FakeSocket
  readonly sent: { readonly type: string; readonly id?: string }[] = []
  isClosed = false
  readonly #listeners = new Map<string, Listener[]>()

  constructor(readonly url: string) {
    FakeSocket.all.push(this)
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }

  close(): void {
    this.isClosed = true
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener])
  }

  emit(type: string, event: object = {}): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(event)
  }

  async say(message: object | string): Promise<void> {
    this.emit('message', { data: typeof message === 'string' ? message : JSON.stringify(message) })
    await vi.advanceTimersByTimeAsync(0)
  }

  /** Accepts a key, like the service. */
  async accept(): Promise<void> {
    this.emit('open')
    await vi.advanceTimersByTimeAsync(0)
    await this.say({ type: 'auth_ok' })
  }

  /** An update of the candle that opened `minute` minutes after the first one, for each subscription. */
  async update(minute: number, value: number, closed: boolean, indicator = 'rsi'): Promise<void> {
    for (const { id } of this.sent.filter(each => each.type === 'subscribe'))
      await this.say({
        type: 'update',
        id,
        subscription: 'demo:btcusdt:1m',
        indicator,
        params: { period: 14 },
        closed,
        data: { [indicator]: value, timestamp: minute * 60 },
      })
  }

  lose(code = 1006): Promise<void> {
    this.emit('close', { code, reason: '' })
    return vi.advanceTimersByTimeAsync(0).then(() => {})
  }
}

/** Gives each test of a file its own sockets, a clock that it sets (`now` in milliseconds) and pauses of one length. */
export function useFakeSockets(now = 0): void {
  beforeEach(() => {
    vi.useFakeTimers({ now })
    vi.spyOn(Math, 'random').mockReturnValue(0)
    FakeSocket.all = []
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
}

/** Breaks the connection, and waits until the next one is opened. */
export async function loseConnection(code?: number): Promise<void> {
  await FakeSocket.last().lose(code)
  await vi.advanceTimersByTimeAsync(250)
}
