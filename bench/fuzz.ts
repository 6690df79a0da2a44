import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { catalogue } from '#dist/catalogue/index.js'
import type { Table } from './baseline.js'
import { effort } from './effort.js'
import { createFuzzMessages, type FuzzMessage } from './fuzz-messages.js'
import { createRandom } from './random.js'
import { rounded } from './statistics.js'
import { authMessage, startStreamingServer } from './streaming-processes.js'
import type { Usage } from './streaming-server.js'

const total = effort(100_000, 100)
const connections = 20
const messagesPerConnection = effort(250, 10)
/** Memory is measured after every fourth round of connections. */
const roundsPerRow = 4

/** Numbers of messages that clients sent and that the server sent. */
interface Counts {
  sent: number
  replies: number
}

/** Connection `i`: a fifth of all do not authenticate, a quarter do not read, a third end without a close. */
async function fuzz(port: number, i: number, nextMessage: () => FuzzMessage, counts: Counts): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/streaming`)
  socket.on('error', () => {})
  socket.on('message', () => counts.replies++)
  await once(socket, 'open')
  const closed = once(socket, 'close')
  if (i % 5 > 0) socket.send(authMessage)
  if (i % 4 === 3) socket.pause()
  for (let k = 0; k < messagesPerConnection && socket.readyState === WebSocket.OPEN; k++) {
    socket.send(nextMessage())
    counts.sent++
    if (k % 20 === 0) await sleep(1)
  }
  if (i % 3 === 0) socket.terminate()
  else socket.close()
  socket.resume()
  await closed
}

/** 100,000 streaming messages of every kind, most of them invalid, and the memory of the server along the way. */
export async function benchFuzz(): Promise<Table> {
  const { server, port } = await startStreamingServer('demo')
  const nextMessage = createFuzzMessages(createRandom(42), [...catalogue.keys()])
  const table: Record<string, Record<string, unknown>> = {}
  const counts = { sent: 0, replies: 0 }
  for (let round = 1; counts.sent < total; round++) {
    await Promise.all(Array.from({ length: connections }, (_, i) => fuzz(port, i, nextMessage, counts)))
    if (round % roundsPerRow !== 0 && counts.sent < total) continue
    await sleep(effort(1_500, 10))
    const { rss } = await server.request<Usage>({ command: 'usage' })
    table[`after ${counts.sent} messages`] = {
      'resident MiB': rounded(rss / 2 ** 20),
      replies: counts.replies,
    }
  }
  await server.close()
  return table
}
