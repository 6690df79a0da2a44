import { setTimeout as sleep } from 'node:timers/promises'
import type { Table } from './baseline.js'
import { effort } from './effort.js'
import { rounded } from './statistics.js'
import { oneSubscriptionEach, startStreamingServer, startSubscribers } from './streaming-processes.js'
import type { Usage } from './streaming-server.js'
import type { Received } from './subscribers.js'

const seconds = effort(120, 1)
const connections = effort(10_000, 20)
/** Speed of the demo market's clock relative to the real one: a minute passes in five seconds. */
const speed = 12

/**
 * 10,000 connections with one subscription each for two minutes, on a demo market whose forming candle changes four
 * times a second: no update may be missing.
 */
export async function benchHold(): Promise<Table> {
  const { server, port } = await startStreamingServer('demo', speed)
  const subscribers = startSubscribers()
  await subscribers.request({
    command: 'connect',
    port,
    messages: oneSubscriptionEach(connections, 1),
    repliesPerClient: 2,
  })
  await sleep(500)
  await subscribers.request({ command: 'count' })
  const before = await server.request<Usage>({ command: 'usage' })
  await sleep(seconds * 1000)
  const after = await server.request<Usage>({ command: 'usage' })
  const published = after.published - before.published
  const expected = published * connections
  const { messages, min, max } = await subscribers.request<Received>({
    command: 'report',
    messages: expected,
    maxSeconds: 5,
  })
  await subscribers.close()
  await server.close()
  return {
    [`${connections} connections for ${seconds} s`]: {
      'updates published': published,
      'of them closed candles': after.closed - before.closed,
      'updates/s': rounded(published / seconds),
      'received by each': min === max ? min : `${min} to ${max}`,
      missing: Math.max(0, published - min),
      'CPU µs/message': rounded((after.cpu - before.cpu) / messages),
      'CPU share of a core': rounded((after.cpu - before.cpu) / 1e6 / seconds),
      'memory growth MiB': rounded((after.rss - before.rss) / 2 ** 20),
    },
  }
}
