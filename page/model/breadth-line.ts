/** A message of the service about a live breadth with one measure. */
export type BreadthMessage =
  | { readonly type: 'breadth_pending'; readonly done: number; readonly total: number }
  | {
      readonly type: 'breadth_ok' | 'breadth_update'
      /** Unix seconds. */
      readonly timestamp: readonly number[]
      readonly measures: Readonly<Record<string, { readonly value: readonly (number | null)[] }>>
    }
  | { readonly type: 'error'; readonly error: string }

/** Candles of the line. */
export const breadthCandles = 200

const name = 'share'

/** The fields of the message `breadth` for the share of markets at which the condition of a screen holds, over the same markets. */
export function breadthRequest(screen: object, where: string): object {
  const {
    select: _,
    where: __,
    ...markets
  } = screen as { readonly select?: unknown; readonly where?: unknown }
  return { ...markets, measures: { [name]: `breadth(${where})` }, results: breadthCandles }
}

/** The share of markets at which a condition has held, candle by candle. */
export class BreadthLine {
  #values = new Map<number, number | null>()

  receive(message: BreadthMessage): void {
    if (message.type !== 'breadth_ok' && message.type !== 'breadth_update') return
    if (message.type === 'breadth_ok') this.#values = new Map()
    const { value = [] } = message.measures[name] ?? {}
    for (const [i, time] of message.timestamp.entries()) this.#values.set(time, value[i] ?? null)
    const times = [...this.#values.keys()].sort((a, b) => a - b).slice(-breadthCandles)
    this.#values = new Map(times.map(time => [time, this.#values.get(time) ?? null]))
  }

  /** Shares from the oldest to the newest; candles without a share are omitted. */
  get shares(): readonly number[] {
    return [...this.#values.values()].filter(value => value !== null)
  }

  /** The line in words; undefined without shares. */
  get text(): string | undefined {
    const { shares } = this
    const newest = shares.at(-1)
    if (newest === undefined) return undefined
    const [low, high] = [Math.min(...shares), Math.max(...shares)].map(percent)
    const candles = shares.length === 1 ? 'the last candle' : `the last ${shares.length} candles`
    return `${percent(newest)} of the markets now, ${low} to ${high} in ${candles}`
  }
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`
