import { setTimeout as sleep } from 'node:timers/promises'
import type { Table } from './baseline.js'
import { bulkBody, suppliedBody } from './bodies.js'
import { type Ask, Client } from './client.js'
import { resident, type Service, startService } from './service.js'
import { seeded } from './walk.js'

/** Requests before memory counts, and after that. */
const requests = { warmUp: 3_000, measured: 10_000 } as const
const samples = 10
const connections = 4

/** Bulk requests of random shapes; a fifth of them spoiled. */
function randomAsks(count: number): readonly Ask[] {
  const random = seeded(11)
  const pick = (most: number) => 1 + Math.floor(random() * most)
  const spoil = (text: string) => {
    const cut = Math.floor(random() * text.length)
    return random() < 0.5 ? text.slice(0, cut) : `${text.slice(0, cut)}x${text.slice(cut + 1)}`
  }
  const supplied = Array.from({ length: 4 }, (_, i) => JSON.stringify(suppliedBody(3 * i + 1, 10)))
  return Array.from({ length: count }, () => {
    const isSupplied = random() < 0.1
    const results = ([1, 100, 'max'] as const)[pick(3) - 1] as 1 | 100 | 'max'
    const body = isSupplied
      ? (supplied[pick(4) - 1] as string)
      : JSON.stringify({ ...bulkBody(pick(20), pick(20), results), verbose: random() < 0.5 })
    const path = isSupplied ? '/bulk-candles' : '/bulk'
    return { method: 'POST', path, body: random() < 0.2 ? spoil(body) : body }
  })
}

/** Resident memory and statuses over many requests of random shapes, valid and invalid, after a warm-up. */
export async function benchSoak(): Promise<Table> {
  const service = await startService()
  try {
    return await soak(service)
  } finally {
    await service.stop()
  }
}

async function soak(service: Service): Promise<Table> {
  // Fewer shapes than requests, more than the service remembers: bodies come back, and are forgotten.
  const client = await Client.start(service, randomAsks(2_500), { connections })
  const rows: Record<string, Record<string, unknown>> = {}
  let answered = 0
  let before: number | undefined
  let failed = 0
  const reach = async (target: number) => {
    while (answered < target) {
      await sleep(50)
      const seen = await client.seen()
      answered += seen.answered
      for (const status in seen.statuses) {
        statuses[status] = (statuses[status] ?? 0) + (seen.statuses[status] as number)
        if (status.startsWith('5')) failed += seen.statuses[status] as number
      }
    }
  }
  const statuses: Record<string, number> = {}
  try {
    await reach(requests.warmUp)
    const sizes: number[] = []
    for (let i = 0; i <= samples; i++) {
      await reach(requests.warmUp + (requests.measured * i) / samples)
      const now = resident(service.pid)
      before ??= now
      if (now !== undefined) sizes.push(now)
      rows[i === 0 ? `after the warm-up of ${requests.warmUp}` : `${answered - requests.warmUp} more`] = {
        'resident MB': now,
        'resident / after warm-up':
          now !== undefined && before !== undefined ? Math.round((now / before) * 100) / 100 : undefined,
        'answers so far': Object.entries(statuses)
          .map(([status, count]) => `${status}: ${count}`)
          .join(', '),
        'answers 5xx': failed,
      }
    }
    return rows
  } finally {
    await client.stop()
  }
}
