import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from '../../src/contract/account.js'
import { inactiveKey, missingKey, type Refusal } from '../../src/contract/refusals.js'
import { createDemoSource } from '../../src/markets/exchanges/demo/demo-source.js'
import type { Source } from '../../src/markets/exchanges/source.js'
import { Service, type ServiceParts } from '../../src/operate/service.js'
import { type Config, readConfig } from '../../src/operate/settings/config.js'
import { fetchDocumented } from './documented.js'

/** Midnight of a Wednesday, in Unix seconds: the start of a test service's clock. */
export const midnight = 1_700_006_400

const account = (id: string, subscriptions: number): Account => ({
  id,
  name: id,
  plan: 'enterprise',
  created: 0,
  requests: 1_000_000,
  constructs: 20,
  subscriptions,
})

/**
 * The service in this process, over real sockets, with the `demo` exchange and a clock that stands still until a test moves
 * it. The keys are `one`, `few` and `many`, after their number of subscriptions, `free` with one request per window, `small`
 * with one construct, and `admin`, which manages the keys of the store. `sources` are more exchanges, by their identifiers,
 * `parts` other parts of the service.
 */
export async function startTestService(
  settings: Partial<Config> = {},
  sources: Readonly<Record<string, Source>> = {},
  parts: Partial<ServiceParts> = {},
) {
  let seconds = midnight
  let aheadMs = 0
  const clock = () => seconds
  const bugs: unknown[] = []
  const accounts = new Map<string, Account | Refusal>([
    ['Bearer one', account('one', 1)],
    ['Bearer few', account('few', 3)],
    ['Bearer many', account('many', 10_000)],
    ['Bearer small', { ...account('small', 1), constructs: 1 }],
    ['Bearer free', { ...account('free', 1), requests: 1 }],
    ['Bearer admin', { ...account('admin', 1), scopes: ['admin'] }],
  ])
  const demo = createDemoSource(clock)
  const exchanges = new Map(Object.entries({ ...sources, demo }).map(([id, source]) => [id, { id, source }]))
  const dataDirectory = mkdtempSync(join(tmpdir(), 'candela-test-'))
  const service = new Service(
    {
      // The transport alone, so that the suite can be run on each.
      ...readConfig({ TRANSPORT: process.env.TRANSPORT }),
      dataDirectory,
      port: 0,
      poolThreads: 1,
      shutdownSeconds: 1,
      streamMaxConnections: 1000,
      streamMessagesPerSecond: 1000,
      ...settings,
    },
    {
      log: { info() {}, warn() {}, error: context => bugs.push((context as { err: unknown }).err) },
      clock,
      monotonicMs: () => aheadMs,
      access: {
        recall: () => undefined,
        authenticate: header => accounts.get(header) ?? missingKey(),
      },
      exchanges: {
        ids: () => [...exchanges.keys()],
        find: name => exchanges.get(name),
        close: () => demo.close(),
      },
      ...parts,
      tuning: {
        ...{ inlineBudgetUs: 1e9, inlineBodyBytes: 1e6, formingPerSecond: 50 },
        ...{ lingerSeconds: 0, webhookBackoffMs: 20 },
        ...parts.tuning,
      },
    },
  )
  const { url } = await service.start()
  const { sessions } = service

  return {
    url,
    sessions,
    /** Errors that were logged; `close` throws the first one. */
    bugs,
    /** Lets the time of the markets pass. */
    pass(more: number) {
      seconds += more
    },
    /** Lets the time of the connections pass, in milliseconds. */
    passMs(ms: number) {
      aheadMs += ms
    },
    revoke(key: string) {
      accounts.set(`Bearer ${key}`, inactiveKey())
    },
    async get(path: string) {
      const response = await fetchDocumented(url, path, { headers: { authorization: 'Bearer many' } })
      return response.json()
    },
    async close() {
      await service.close()
      rmSync(dataDirectory, { recursive: true, force: true })
      if (bugs.length > 0) throw bugs[0]
    },
  }
}
export type TestService = Awaited<ReturnType<typeof startTestService>>
