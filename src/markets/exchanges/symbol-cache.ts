import { z } from 'zod'
import type { KeyValueStore } from '../../contract/storage/stores.js'

/** Symbols of an exchange, with the time of their fetch (`listed`, Unix seconds). */
export interface ListedSymbols {
  readonly listed: number
  readonly symbols: readonly string[]
}

/** Persistent symbol lists. After a restart they are available even if their exchange is down. */
export interface SymbolCache {
  get(exchange: string): ListedSymbols | undefined
  set(exchange: string, list: ListedSymbols): void
}

const schema = z.strictObject({ listed: z.number(), symbols: z.array(z.string()).min(1) })

export const symbolsKey = (exchange: string) => `symbols/${exchange}`

/**
 * Stores symbol lists as JSON next to the chunks of candles. Never throws. A list that cannot be read or written is
 * reported to `onFailure` and counts as missing, because it can be fetched again.
 */
export function createSymbolCache(
  chunks: Pick<KeyValueStore, 'get' | 'write'>,
  onFailure: (exchange: string, error: unknown) => void,
): SymbolCache {
  return {
    get(exchange) {
      try {
        const bytes = chunks.get(symbolsKey(exchange))
        return bytes && schema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')))
      } catch (error) {
        onFailure(exchange, error)
        return undefined
      }
    },

    set(exchange, list) {
      try {
        chunks.write(() => [[symbolsKey(exchange), Buffer.from(JSON.stringify(list))]])
      } catch (error) {
        onFailure(exchange, error)
      }
    },
  }
}
