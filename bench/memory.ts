import { setTimeout as sleep } from 'node:timers/promises'
import type { Table } from './baseline.js'
import { effort } from './effort.js'
import { LoadClient, type LoadRequest } from './load-client.js'
import { createRandom } from './random.js'
import { bulkBody, suppliedBody } from './request-bodies.js'
import { residentMb, type ServiceProcess, startService } from './service-process.js'
import { rounded } from './statistics.js'

/** Numbers of requests before memory counts, and afterwards. */
const requests = { warmUp: effort(3_000, 10), measured: effort(10_000, 20) } as const
const samples = 10
const connections = 4

/** Bulk requests of random shapes; a fifth of them is made invalid. */
function randomRequests(count: number): readonly LoadRequest[] {
  const random = createRandom(11)
  const upTo = (max: number) => 1 + Math.floor(random() * max)
  const damaged = (text: string) => {
    const at = Math.floor(random() * text.length)
    return random() < 0.5 ? text.slice(0, at) : `${text.slice(0, at)}x${text.slice(at + 1)}`
  }
  const supplied = Array.from({ length: 4 }, (_, i) =>
    JSON.stringify(suppliedBody({ constructs: 3 * i + 1, indicators: 10 })),
  )
  return Array.from({ length: count }, () => {
    const isSupplied = random() < 0.1
    const results = ([1, 100, 'max'] as const)[upTo(3) - 1] as 1 | 100 | 'max'
    const body = isSupplied
      ? (supplied[upTo(4) - 1] as string)
      : JSON.stringify({ ...bulkBody(upTo(20), upTo(20), results), verbose: random() < 0.5 })
    const path = isSupplied ? '/bulk-candles' : '/bulk'
    return { method: 'POST', path, body: random() < 0.2 ? damaged(body) : body }
  })
}

/** Resident memory and statuses over many requests of random shapes, valid and invalid, after a warm-up. */
export async function benchMemory(): Promise<Table> {
  const service = await startService()
  try {
    return await sample(service)
  } finally {
    await service.stop()
  }
}

async function sample(service: ServiceProcess): Promise<Table> {
  // Fewer requests than are sent, more than the service caches, so that each is repeated after the cache has evicted it.
  const client = await LoadClient.start(service, randomRequests(effort(2_500, 50)), { connections })
  const rows: Record<string, Record<string, unknown>> = {}
  const statuses: Record<string, number> = {}
  let replies = 0
  let failures = 0
  let before: number | undefined
  const waitFor = async (target: number) => {
    while (replies < target) {
      await sleep(50)
      const report = await client.report()
      replies += report.replies
      for (const [status, count] of Object.entries(report.statuses)) {
        statuses[status] = (statuses[status] ?? 0) + count
        if (status.startsWith('5')) failures += count
      }
    }
  }
  try {
    await waitFor(requests.warmUp)
    for (let i = 0; i <= samples; i++) {
      await waitFor(requests.warmUp + (requests.measured * i) / samples)
      const now = residentMb(service.pid)
      before ??= now
      rows[i === 0 ? `after the warm-up of ${requests.warmUp}` : `${replies - requests.warmUp} more`] = {
        'resident MB': now,
        'resident / after warm-up':
          now !== undefined && before !== undefined ? rounded(now / before) : undefined,
        'replies so far': Object.entries(statuses)
          .map(([status, count]) => `${status}: ${count}`)
          .join(', '),
        'replies 5xx': failures,
      }
    }
    return rows
  } finally {
    await client.stop()
  }
}
