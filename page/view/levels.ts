import { Signal } from './signal.js'
import { readStored, writeStored } from './storage.js'
import type { Market } from './view.js'

/** A horizontal line that a person has drawn. */
export interface Level {
  readonly id: string
  /** The study in whose pane it is; undefined in that of the candles. */
  readonly study: string | undefined
  readonly value: number
}

type Levels = Readonly<Record<string, readonly Level[]>>

const storedName = 'candela.levels'
/** Of a market, and markets of which they are kept. */
const maxLevels = 50
const maxMarkets = 200

/** The levels in a stored text, by market; what is none is left out. */
export function readLevels(stored: unknown): Levels {
  if (typeof stored !== 'object' || stored === null) return {}
  const isLevel = (each: Partial<Level> | null) =>
    typeof each === 'object' &&
    typeof each?.id === 'string' &&
    Number.isFinite(each.value) &&
    /^(string|undefined)$/.test(typeof each.study)
  const entries = Object.entries(stored).map(([market, levels]) => [
    market,
    Array.isArray(levels) ? levels.filter(isLevel).slice(0, maxLevels) : [],
  ])
  return Object.fromEntries(entries.slice(-maxMarkets))
}

const keyOf = ({ exchange, symbol }: Market) => `${exchange}:${symbol}`

/** The levels of all markets on this device; they are the same in every timeframe. */
export class LevelStore {
  readonly #all = new Signal(readLevels(readStored(storedName)))

  of(market: Market): readonly Level[] {
    return this.#all.value[keyOf(market)] ?? []
  }

  add(market: Market, level: Omit<Level, 'id'>): void {
    const levels = this.of(market)
    const id = String(1 + Math.max(0, ...levels.map(each => Number(each.id) || 0)))
    this.#write(market, [...levels, { ...level, id }].slice(-maxLevels))
  }

  move(market: Market, id: string, value: number): void {
    this.#write(
      market,
      this.of(market).map(level => (level.id === id ? { ...level, value } : level)),
    )
  }

  remove(market: Market, id: string): void {
    this.#write(
      market,
      this.of(market).filter(level => level.id !== id),
    )
  }

  #write(market: Market, levels: readonly Level[]): void {
    const { [keyOf(market)]: _, ...others } = this.#all.value
    const all = levels.length === 0 ? others : { ...others, [keyOf(market)]: levels }
    this.#all.value = Object.fromEntries(Object.entries(all).slice(-maxMarkets))
    writeStored(storedName, this.#all.value)
  }
}
