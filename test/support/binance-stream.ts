import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Candle } from '../../src/candles/candle.js'

/** A server of Binance's market streams. */
export interface BinanceStream {
  /** The address to give as `urls.api.ws.spot`. */
  readonly url: string
  /** Every request of a client, in order: SUBSCRIBE, UNSUBSCRIBE with their parameters and ids. */
  readonly requests: readonly { method: string; params: string[]; id: number }[]
  /** Connections that are open. */
  readonly connections: number
  /** Attempts to connect, including refused ones. */
  readonly dials: number
  /** Whether a stream such as `btcusdt@kline_1m` has a subscriber on a connection that works. */
  has(stream: string): boolean
  /** Sends the state of a candle to the subscribers of its stream; `length` in milliseconds. */
  publish(symbol: string, interval: string, length: number, candle: Candle, isFinal?: boolean): void
  /** Destroys all connections without a close frame. */
  drop(): void
  /** Leaves connections open, but stops reading and writing, including pongs. New connections work. */
  silence(): void
  /** Refuses new connections until the function returned is called. */
  refuse(): () => void
  close(): Promise<void>
}

/** Starts a server that speaks the protocol of Binance's spot streams on a free port of 127.0.0.1. */
export async function startBinanceStream(): Promise<BinanceStream> {
  const server = createServer()
  const sockets = new WebSocketServer({ noServer: true })
  const subscriptions = new Map<WebSocket, Set<string>>()
  const silent = new Set<WebSocket>()
  const requests: { method: string; params: string[]; id: number }[] = []
  let isRefusing = false
  let dials = 0

  server.on('upgrade', (request, socket, head) => {
    dials++
    if (isRefusing) {
      socket.destroy()
      return
    }
    sockets.handleUpgrade(request, socket, head, client => {
      subscriptions.set(client, new Set())
      client.on('close', () => subscriptions.delete(client))
      client.on('message', text => {
        const { method, params, id } = JSON.parse(String(text))
        requests.push({ method, params, id })
        const own = subscriptions.get(client)
        for (const stream of params) {
          if (method === 'SUBSCRIBE') own?.add(stream)
          else own?.delete(stream)
        }
        client.send(JSON.stringify({ result: null, id }))
      })
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))

  return {
    // ccxt treats a kline as one of the spot market by this word in the address (Binance: stream.binance.com).
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/stream/ws`,
    requests,
    get connections() {
      return subscriptions.size
    },
    get dials() {
      return dials
    },
    has: stream => [...subscriptions].some(([client, streams]) => !silent.has(client) && streams.has(stream)),
    publish(symbol, interval, length, candle, isFinal = false) {
      const t = candle.timestamp * 1000
      const k = {
        t,
        T: t + length - 1,
        s: symbol,
        i: interval,
        f: 1,
        L: 2,
        o: String(candle.open),
        c: String(candle.close),
        h: String(candle.high),
        l: String(candle.low),
        v: String(candle.volume),
        n: 2,
        x: isFinal,
        q: '0',
        V: '0',
        Q: '0',
        B: '0',
      }
      const text = JSON.stringify({ e: 'kline', E: t, s: symbol, k })
      const stream = `${symbol.toLowerCase()}@kline_${interval}`
      for (const [client, streams] of subscriptions)
        if (!silent.has(client) && streams.has(stream)) client.send(text)
    },
    drop() {
      for (const client of subscriptions.keys()) client.terminate()
      // Immediately, and not when they are closed: a test waits for the subscription of the next connection.
      subscriptions.clear()
    },
    silence() {
      for (const client of subscriptions.keys()) {
        silent.add(client)
        client.pause()
      }
    },
    refuse() {
      isRefusing = true
      return () => {
        isRefusing = false
      }
    },
    close() {
      for (const client of subscriptions.keys()) client.terminate()
      sockets.close()
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}
