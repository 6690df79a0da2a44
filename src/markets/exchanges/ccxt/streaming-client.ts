import { type Client, loadStreamingClass, type Row } from './client.js'
import { decompressMessage } from './decompression.js'

/** What is used of ccxt's clients with WebSockets. */
export interface StreamingClient {
  readonly has: Readonly<Record<string, unknown>>
  /** ccxt's own connections by address. */
  readonly clients: Readonly<Record<string, { readonly connection?: { terminate?(): void } }>>
  /** The rows that ccxt stores, by symbol and timeframe. */
  readonly ohlcvs: Record<string, Record<string, unknown> | undefined>
  watchOHLCV(symbol: string, timeframe: string): Promise<readonly Row[]>
  unWatchOHLCV(symbol: string, timeframe: string): Promise<unknown>
  close(): Promise<unknown>
}

const streamingOptions = {
  // With new updates only, ccxt would not report a correction of any candle but the newest.
  newUpdates: false,
  // The number of rows that ccxt stores for each series. Its default is 1000, but only the last few rows are read.
  OHLCVLimit: 20,
} as const
/** The most bytes of a message, after its decompression; 100 MiB is the default of the WebSocket library. */
const maxMessageBytes = 8 * 2 ** 20

/** ccxt's connection to one address. */
interface CcxtConnection {
  /** Whether binary messages are compressed, and how. */
  readonly gunzip?: boolean
  readonly inflate?: boolean
  onMessage(event: { readonly data: unknown }): void
  onError(error: unknown): void
  close(): unknown
}

/**
 * A new client of the exchange `id` that streams candles, with ccxt's constructor settings and the markets that `rest`
 * has loaded; undefined where ccxt streams no candles of this exchange.
 */
export async function openStreamingClient(
  id: string,
  settings: Readonly<Record<string, unknown>>,
  rest: Client,
): Promise<StreamingClient | undefined> {
  const Class = await loadStreamingClass(id)
  if (Class === undefined) return undefined
  const { ws, ...otherOptions } = (settings.options ?? {}) as { readonly ws?: { readonly options?: object } }
  const client = new Class({
    ...settings,
    enableRateLimit: true,
    // Reconnections are delayed for all clients of the exchange together; ccxt's delay would outlive a closed client.
    options: {
      ...otherOptions,
      ...streamingOptions,
      ws: { ...ws, options: { maxPayload: maxMessageBytes, ...ws?.options }, backoff: { base: 0 } },
    },
  })
  if (client.has.watchOHLCV !== true) return undefined
  limitMessages(client as unknown as { client(url: string): CcxtConnection })
  client.setMarketsFromExchange(rest)
  // ccxt needs an agent for addresses without TLS, and the modules of proxies where proxies are set.
  await Promise.all([client.loadHttpProxyAgent(), client.loadProxyModules()])
  return client as unknown as StreamingClient
}

/**
 * Limits what compressed messages become: some exchanges send binary messages that ccxt decompresses itself, whatever
 * their length.
 */
function limitMessages(client: { client(url: string): CcxtConnection }): void {
  const limited = new WeakSet<CcxtConnection>()
  const connectionTo = client.client.bind(client)
  client.client = url => {
    const connection = connectionTo(url)
    const { gunzip, inflate } = connection
    if (limited.has(connection) || !(gunzip || inflate)) return connection
    limited.add(connection)
    const read = connection.onMessage.bind(connection)
    connection.onMessage = ({ data }) => {
      let text: unknown = data
      try {
        if (Buffer.isBuffer(data))
          text = decompressMessage(data, gunzip ? 'gzip' : 'deflate', maxMessageBytes)
      } catch (error) {
        // As ccxt ends a connection with a message that it cannot decompress.
        connection.onError(error)
        connection.close()
        return
      }
      read({ data: text })
    }
    return connection
  }
}
