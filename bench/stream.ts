import { setTimeout as sleep } from 'node:timers/promises'
import type { Table } from './baseline.js'
import { effort, isSmoke, some } from './effort.js'
import type { ForkedProcess } from './forked-process.js'
import { median, percentile, rounded, sorted } from './statistics.js'
import { stepRows } from './steps.js'
import {
  authMessage,
  oneSubscriptionEach,
  startStreamingServer,
  startSubscribers,
  subscribeMessage,
} from './streaming-processes.js'
import type { Moved, ServerKind, ServerMessage, Usage } from './streaming-server.js'
import type { Received, SubscribersMessage } from './subscribers.js'
import { hasUws } from './transports.js'

type Rows = Record<string, Record<string, unknown>>

const rounds = effort(20, 2)
/** Number of measurements of each server; the first one is a warm-up. */
const turns = effort(6, 2)

/** A server with its clients, and its measurements. */
interface Delivery {
  readonly server: ForkedProcess<ServerMessage>
  readonly subscribers: ForkedProcess<SubscribersMessage>
  /** Microseconds of the server's processor time per message, by turn. */
  readonly cpu: number[]
  /** Milliseconds from the beginning of a round to its last message. */
  readonly latencies: number[]
}

interface Deliveries {
  readonly service: Delivery
  /** The same service on node:http and ws. */
  readonly node: Delivery
  readonly bare: Delivery
}

/** The service with `clients` subscribers, and a bare server that publishes the same texts to as many clients. */
async function startDeliveries(clients: number, topics: number): Promise<Deliveries> {
  const delivery = async (kind: ServerKind) => {
    const { server, port } = await startStreamingServer(kind)
    return {
      port,
      made: { server, subscribers: startSubscribers(), cpu: [], latencies: [] } satisfies Delivery,
    }
  }
  const service = await delivery('scripted')
  const node = await delivery('scripted-node')
  for (const { made, port } of [service, node]) {
    await made.subscribers.request({
      command: 'connect',
      port,
      messages: oneSubscriptionEach(clients, topics),
      repliesPerClient: 2,
    })
  }
  await service.made.server.request({ command: 'move', rounds: 1, gapMs: gapMs(clients) })
  const texts = await service.made.server.request<readonly string[]>({ command: 'get-texts' })
  if (texts.length !== topics) throw new Error(`${texts.length} texts for ${topics} topics`)
  const bare = await delivery('bare')
  await bare.made.server.request({ command: 'set-texts', texts })
  await bare.made.subscribers.request({
    command: 'connect',
    port: bare.port,
    messages: Array.from({ length: clients }, (_, i) => ['hello', `${i % topics}`]),
    repliesPerClient: 2,
  })
  return { service: service.made, node: node.made, bare: bare.made }
}

/** Milliseconds between two rounds: enough for every client to receive the first one. */
const gapMs = (clients: number) => 20 + clients / 40

/** Publishes some rounds of updates and waits until every client has received them all. */
async function measure(
  { server, subscribers, cpu, latencies }: Delivery,
  clients: number,
  isWarmUp: boolean,
) {
  await subscribers.request({ command: 'count' })
  const moved = await server.request<Moved>({ command: 'move', rounds, gapMs: gapMs(clients) })
  const expected = rounds * clients
  const received = await subscribers.request<Received>({
    command: 'report',
    messages: expected,
    maxSeconds: 10,
  })
  if (received.messages !== expected) throw new Error(`${received.messages} of ${expected} messages arrived`)
  if (isWarmUp) return
  cpu.push(moved.cpu / expected)
  for (const [k, end] of received.roundEnds.entries())
    latencies.push(Number(BigInt(end) - BigInt(moved.began[k] as string)) / 1e6)
}

/** CPU per delivered message and the time to the last client, compared with a bare publish of the same bytes. */
async function deliveryRows(): Promise<Table> {
  const table: Rows = {}
  for (const maxTopics of some([1, 1_000])) {
    for (const clients of isSmoke ? [20] : [100, 1_000, 10_000]) {
      const topics = Math.min(maxTopics, clients)
      const { service, node, bare } = await startDeliveries(clients, topics)
      const all = [service, node, bare]
      // Alternating, so that other work on the machine slows both.
      for (let turn = 0; turn < turns; turn++)
        for (const each of all) await measure(each, clients, turn === 0)
      for (const { server, subscribers } of all) {
        await subscribers.close()
        await server.close()
      }
      const [latencies, nodeLatencies, bareLatencies] = [service, node, bare].map(each =>
        sorted(each.latencies),
      ) as [number[], number[], number[]]
      // The names of the rows are keys of the baseline.
      table[`${clients} listeners, ${topics} topic${topics === 1 ? '' : 's'}`] = {
        'CPU µs/message': rounded(median(service.cpu)),
        'bare CPU µs': rounded(median(bare.cpu)),
        'CPU / bare publish': rounded(median(service.cpu.map((cpu, k) => cpu / (bare.cpu[k] as number)))),
        'node:http and ws CPU µs': rounded(median(node.cpu)),
        'node:http and ws / uWebSockets.js': rounded(
          median(node.cpu.map((cpu, k) => cpu / (service.cpu[k] as number))),
        ),
        'last message p50 ms': rounded(percentile(latencies, 0.5)),
        'p99 ms': rounded(percentile(latencies, 0.99)),
        'node:http and ws p50 ms': rounded(percentile(nodeLatencies, 0.5)),
        'node:http and ws p99 ms': rounded(percentile(nodeLatencies, 0.99)),
        'bare p50 ms': rounded(percentile(bareLatencies, 0.5)),
        'bare p99 ms': rounded(percentile(bareLatencies, 0.99)),
      }
    }
  }
  return table
}

/**
 * Memory of the server per client in bytes, after each client has sent its messages and received the given number of
 * replies.
 */
async function bytesPerClient(
  kind: ServerKind,
  messages: readonly (readonly string[])[],
  repliesPerClient: number,
): Promise<number> {
  const { server, port } = await startStreamingServer(kind)
  const subscribers = startSubscribers()
  const connect = (own: typeof messages) =>
    subscribers.request({ command: 'connect', port, messages: own, repliesPerClient })
  // The server allocates some memory once, with its first clients; it is not part of the memory per client.
  await connect(messages.slice(0, 500))
  const before = (await server.request<Usage>({ command: 'usage' })).rss
  await connect(messages)
  await sleep(effort(1000, 10))
  const after = (await server.request<Usage>({ command: 'usage' })).rss
  await subscribers.close()
  await server.close()
  return (after - before) / messages.length
}

/** Memory of the server per connection and per subscription. */
async function memoryRows(): Promise<Table> {
  const connections = effort(10_000, 50)
  const subscriptions = 20
  const each = (own: readonly string[]) => Array.from({ length: connections }, () => own)
  const bare = await bytesPerClient('bare', each(['hello']), 1)
  const idle = await bytesPerClient('scripted', each([authMessage]), 1)
  const one = await bytesPerClient('scripted', oneSubscriptionEach(connections, 1), 2)
  const own = [
    authMessage,
    ...Array.from({ length: subscriptions }, (_, k) => subscribeMessage(k, 1_000, `s${k}`)),
  ]
  const many = await bytesPerClient(
    'scripted',
    Array.from({ length: effort(1_000, 10) }, () => own),
    1 + subscriptions,
  )
  const kib = (bytes: number) => rounded(bytes / 1024)
  return {
    'bare uWebSockets.js, per connection': { KiB: kib(bare) },
    'authenticated and idle, per connection': { KiB: kib(idle), 'KiB beyond bare': kib(idle - bare) },
    'with one subscription, per connection': { KiB: kib(one), 'KiB beyond bare': kib(one - bare) },
    'per further subscription': { KiB: kib((many - one) / (subscriptions - 1)) },
  }
}

/** Cost of computing the update of every indicator, of holding subscriptions, and of delivering updates. */
export async function benchStream(): Promise<readonly Table[]> {
  if (!hasUws) {
    console.log(
      'only the steps are measured: the other rows compare with uWebSockets.js, which this Node lacks',
    )
    return [stepRows()]
  }
  return [stepRows(), await memoryRows(), await deliveryRows()]
}
