import { z } from 'zod'

/** The symbols of an exchange as they were listed at a moment (Unix seconds). */
export interface ListedSymbols {
  readonly listed: number
  readonly symbols: readonly string[]
}

/** Lists of symbols that outlive the process, so that an exchange that is down after a restart still has its list. */
export interface SymbolMemory {
  recall(exchange: string): ListedSymbols | undefined
  remember(exchange: string, list: ListedSymbols): void
}

/** Bytes under keys; the candle archive's store is one. */
interface Shelf {
  get(key: string): Uint8Array | undefined
  write(changes: () => Iterable<readonly [key: string, bytes: Uint8Array | undefined]>): void
}

const schema = z.strictObject({ listed: z.number(), symbols: z.array(z.string()).min(1) })

const keyOf = (exchange: string) => `symbols/${exchange}`

/**
 * Keeps lists of symbols as JSON on a shelf. One that cannot be read or written is reported and counts as unknown: it
 * is only ever a day's worth of waiting.
 */
export function keepSymbols(
  shelf: Shelf,
  onFailure: (exchange: string, error: unknown) => void,
): SymbolMemory {
  return {
    recall(exchange) {
      try {
        const bytes = shelf.get(keyOf(exchange))
        return bytes && schema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')))
      } catch (error) {
        onFailure(exchange, error)
        return undefined
      }
    },

    remember(exchange, list) {
      try {
        shelf.write(() => [[keyOf(exchange), Buffer.from(JSON.stringify(list))]])
      } catch (error) {
        onFailure(exchange, error)
      }
    },
  }
}
