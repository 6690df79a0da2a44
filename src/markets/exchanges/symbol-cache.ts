import { z } from 'zod'
import type { KeyValueStore } from '../../contract/storage/stores.js'

/** The symbols of an exchange, and when they were fetched (Unix seconds). */
export interface ListedSymbols {
  readonly listed: number
  readonly symbols: readonly string[]
}

/** Lists of symbols that outlive the process: after a restart they are known even while their exchange is down. */
export interface SymbolCache {
  get(exchange: string): ListedSymbols | undefined
  set(exchange: string, list: ListedSymbols): void
}

const schema = z.strictObject({ listed: z.number(), symbols: z.array(z.string()).min(1) })

/** The key under which the list of an exchange is stored. */
export const symbolsKey = (exchange: string) => `symbols/${exchange}`

/**
 * Stores lists of symbols as JSON beside the chunks of candles. It never throws: a list that cannot be read or written
 * is reported to `onFailure` and counts as unknown, because the exchange can be asked again.
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
