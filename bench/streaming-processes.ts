import { ForkedProcess } from './forked-process.js'
import type { ServerKind, ServerMessage } from './streaming-server.js'
import type { SubscribersMessage } from './subscribers.js'

export const authMessage = '{"type":"auth","token":"Bearer any"}'

/** Starts the server of a streaming bench in a process of its own. */
export async function startStreamingServer(kind: ServerKind, speed = 1) {
  const server = ForkedProcess.start<ServerMessage>('streaming-server', [kind, String(speed)])
  const { port } = await server.reply<{ port: number }>()
  return { server, port }
}

/** Starts a process for streaming clients. */
export const startSubscribers = () => ForkedProcess.start<SubscribersMessage>('subscribers')

/** The subscription of client `i`, if the clients are spread over `topics` different indicators. */
export function subscribeMessage(i: number, topics: number, id = 'a'): string {
  const n = i % topics
  const indicator = ['ema', 'rsi', 'sma', 'wma'][n % 4] as string
  const params = { period: 2 + Math.floor(n / 4) }
  const market = { exchange: 'demo', symbol: 'ETHUSDT', interval: '1m' }
  return JSON.stringify({ type: 'subscribe', id, ...market, indicator, params })
}

/** Messages for each of `clients` clients: authentication and one subscription. */
export const oneSubscriptionEach = (clients: number, topics: number): readonly (readonly string[])[] =>
  Array.from({ length: clients }, (_, i) => [authMessage, subscribeMessage(i, topics)])
