import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Alert, createAlert, writeAlert } from '../../src/alerts/alert.js'
import { writeDeadLetter, writeDelivery } from '../../src/alerts/deliveries.js'
import type { Candle } from '../../src/candles/candle.js'
import { hashOf } from '../../src/contract/account.js'
import { issueKey, revokeKey } from '../../src/contract/accounts.js'
import type { Store } from '../../src/contract/storage/stores.js'
import { Archive } from '../../src/markets/archive/archive.js'
import { parseStoreAddress, type RedisAddress, type StoreAddress } from '../../src/store/address.js'
import { openStore } from '../../src/store/open.js'
import { createRedisClient } from '../../src/store/redis/redis-client.js'
import { runCommand } from '../support/command-line.js'
import { needs } from '../support/needs.js'
import { isRedisAvailable, type RedisServer, startRedis } from '../support/redis-server.js'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-'))
  process.chdir(directory)
})
afterEach(() => {
  process.chdir(tmpdir())
  rmSync(directory, { recursive: true, force: true })
})

/** Runs a command of candela in the directory. */
const candela = (...args: string[]) => candelaWith({}, ...args)

/** The same, with settings. */
const candelaWith = (settings: Readonly<Record<string, string>>, ...args: string[]) =>
  runCommand(args, settings)

async function withStore<Result>(
  place: string,
  work: (store: Store) => Result | Promise<Result>,
): Promise<Result> {
  const isShared = place.startsWith('redis')
  const store = openStore({
    store: isShared ? (parseStoreAddress(place) as StoreAddress) : 'embedded',
    dataDirectory: join(directory, place),
  })
  try {
    await store.ready()
    return await work(store)
  } finally {
    await store.close()
    if (isShared) await forgetNodes(place)
  }
}

/** Makes nodes that have stopped be forgotten at once, instead of after seconds. */
async function forgetNodes(place: string): Promise<void> {
  const client = createRedisClient(parseStoreAddress(place) as RedisAddress)
  await client.connect()
  await client.del('nodes')
  client.disconnect()
}

const series = ['binance/BTCUSDT/1m', 'kraken/ETHUSD/1h']
const candles = Array.from(
  { length: 400 },
  (_, i): Candle => ({ timestamp: i * 60, open: 100 + i, high: 103 + i, low: 98 + i, close: 101, volume: i }),
)
const archiveOf = ({ keyValues }: Store) => new Archive(keyValues, { depth: 1000 })

/** Accounts and candles, and a key that was revoked; answers the keys. */
const fill = (place: string) =>
  withStore(place, async store => {
    for (const key of series) archiveOf(store).replace(key, candles)
    const active = await issueKey(store.accounts, { name: 'me', plan: 'pro' }, 1)
    const revoked = await issueKey(store.accounts, { name: 'you', plan: 'basic' }, 2)
    await revokeKey(store.accounts, revoked.account.id, 3)
    return [active.key, revoked.key] as const
  })

const contentsOf = (place: string) =>
  withStore(place, async store => ({
    accounts: (await store.accounts.list()).accounts,
    candles: series.map(key => archiveOf(store).read(key)?.closed),
  }))

it('copies accounts and candles, and once more nothing', async () => {
  await fill('data')
  const first = await candela('migrate', 'data', 'copy')
  expect(first).toEqual({
    code: 0,
    out: '2 accounts: 2 copied, 0 already there\n2 series: 2 copied, 0 already there\n',
    err: 'Copying: 1 of 2 series\nCopying: 2 of 2 series\n',
  })
  expect(await contentsOf('copy')).toEqual(await contentsOf('data'))
  expect((await candela('migrate', 'data', 'copy')).out).toBe(
    '2 accounts: 0 copied, 2 already there\n2 series: 0 copied, 2 already there\n',
  )
})

it('says how far it is in at most ten lines, however many series there are', async () => {
  await withStore('data', store => {
    const archive = archiveOf(store)
    for (let k = 0; k < 137; k++) archive.replace(`x/S${k}/1m`, candles.slice(0, 3))
  })
  const { out, err } = await candela('migrate', 'data', 'copy')
  expect(out).toContain('137 series: 137 copied, 0 already there\n')
  const lines = err.trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(10)
  expect(lines.at(-1)).toBe('Copying: 137 of 137 series')
})

/** Two alerts that have fired: one message is due and one is a dead letter. */
const fillAlerts = (place: string) =>
  withStore(place, async ({ alerts }) => {
    const market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m' } as const
    const asked = { expression: 'close > 1', on: 'close', trigger: 'level' } as const
    const over = { ...asked, webhook: { url: 'https://example.com' } }
    const [first] = createAlert(
      'account',
      { ...over, markets: [market], screen: undefined, name: 'me' },
      1000,
    )
    const screen = createAlert(
      'account',
      {
        ...over,
        markets: [market, { ...market, symbol: 'ETHUSDT' }],
        screen: { quote: 'USDT' },
        name: 'you',
      },
      1000,
    )
    const made = [first, ...screen]
    const second = screen[1] as Alert
    await alerts.add(made.map(writeAlert), { perAccount: 9, total: 9 })
    const due = { alert: first.id, id: `${first.id}:60`, created: 1, body: '{}' }
    const dead = { ...due, alert: second.id, id: `${second.id}:120` }
    await alerts.commit({
      checkpoints: new Map([['demo:BTCUSDT:1m', 180]]),
      fires: [
        { alert: first.id, account: 'account', candle: 60, text: writeDelivery(due), isDead: false },
        {
          ...{ alert: second.id, account: 'account', candle: 120, isDead: true },
          text: writeDeadLetter(dead, 'nobody', 1, 5),
        },
      ],
    })
    return made
  })

const alertsOf = (place: string) =>
  withStore(place, async ({ alerts }) => {
    const { due, alerts: all, ...state } = await alerts.state()
    const deadLetters = await alerts.deadLetters('account')
    const sorted = [...all].sort((a, b) => (a.id < b.id ? -1 : 1))
    return { ...state, alerts: sorted, due: due.map(({ text }) => text), deadLetters }
  })

it('copies named lists, and leaves those that are different there until that is confirmed', async () => {
  const put = (place: string, name: string, symbols: readonly string[]) =>
    withStore(place, ({ lists }) => lists.put({ account: 'a', name, text: JSON.stringify(symbols) }, 9))
  const listsOf = (place: string) =>
    withStore(place, async ({ lists }) =>
      (await lists.list()).map(({ name, text }) => [name, JSON.parse(text)]),
    )
  await fill('data')
  await put('data', 'majors', ['BTCUSDT', 'ETHUSDT'])
  await put('data', 'minors', ['DOGEUSDT'])
  expect((await candela('migrate', 'data', 'copy')).out).toContain('2 lists: 2 copied, 0 already there\n')
  expect(await listsOf('copy')).toEqual(await listsOf('data'))
  await put('copy', 'minors', ['OTHER'])
  expect((await candela('migrate', 'data', 'copy')).out).toContain(
    '2 lists: 0 copied, 1 already there, 1 different\n',
  )
  expect(await listsOf('copy')).toContainEqual(['minors', ['OTHER']])
  expect((await candela('migrate', 'data', 'copy', '--force')).out).toContain(
    '2 lists: 1 copied, 1 already there\n',
  )
  expect(await listsOf('copy')).toEqual(await listsOf('data'))
})

it('copies alerts with what they have fired, and once more nothing', async () => {
  await fill('data')
  const [first] = await fillAlerts('data')
  const original = await alertsOf('data')
  expect([original.alerts.length, original.due.length, original.deadLetters.length]).toEqual([3, 1, 1])
  const { code, out } = await candela('migrate', 'data', 'copy')
  expect([code, out]).toEqual([
    0,
    '2 accounts: 2 copied, 0 already there\n3 alerts: 3 copied, 0 already there\n2 series: 2 copied, 0 already there\n',
  ])
  expect(await alertsOf('copy')).toEqual(original)
  // Messages delivered from the copy are not delivered again.
  await withStore('copy', async ({ alerts }) => {
    await alerts.acknowledge((await alerts.state()).due)
  })
  expect((await candela('migrate', 'data', 'copy')).out).toContain('3 alerts: 0 copied, 3 already there\n')
  expect((await alertsOf('copy')).due).toEqual([])

  await withStore('copy', ({ alerts }) => alerts.replace([writeAlert({ ...(first as Alert), paused: true })]))
  const changed = await alertsOf('copy')
  expect((await candela('migrate', 'data', 'copy')).out).toContain(
    '3 alerts: 0 copied, 2 already there, 1 different\n',
  )
  expect(await alertsOf('copy')).toEqual(changed)
  const forced = await candela('migrate', 'data', 'copy', '--force')
  expect(forced.out).toContain('3 alerts: 1 copied, 2 already there\n')
  expect(await alertsOf('copy')).toEqual(original)
})

it('goes on where an earlier run was ended', async () => {
  await fill('data')
  await candela('migrate', 'data', 'copy')
  await withStore('copy', store => archiveOf(store).remove(series[0] as string))
  expect((await candela('migrate', 'data', 'copy')).out).toContain('2 series: 1 copied, 1 already there\n')
  expect(await contentsOf('copy')).toEqual(await contentsOf('data'))
})

it('replaces neither accounts nor series that are different there, unless it is told to', async () => {
  const [key] = await fill('data')
  await candela('migrate', 'data', 'copy')
  await withStore('copy', async store => {
    await revokeKey(store.accounts, hashOf(key).slice(0, 8), 9)
    archiveOf(store).replace(series[0] as string, candles.slice(0, 10))
  })
  const changed = await contentsOf('copy')
  expect(await candela('migrate', 'data', 'copy')).toEqual({
    code: 1,
    out: '',
    err: `candela: 1 account would be replaced: ${hashOf(key).slice(0, 8)}. Add --force to replace them\n`,
  })
  expect(await contentsOf('copy')).toEqual(changed)
  expect((await candela('migrate', 'data', 'copy', '--force')).out).toBe(
    '2 accounts: 1 copied, 1 already there\n2 series: 1 copied, 1 already there\n',
  )
  expect(await contentsOf('copy')).toEqual(await contentsOf('data'))
  await withStore('copy', store => archiveOf(store).replace(series[0] as string, candles.slice(0, 10)))
  expect((await candela('migrate', 'data', 'copy')).out).toBe(
    '2 accounts: 0 copied, 2 already there\n2 series: 0 copied, 1 already there, 1 different\nSeries that differ there were left unchanged; --force replaces them.\n',
  )
})

it('refuses a source that does not exist, one that a service uses, and an address that is none', async () => {
  expect((await candela('migrate', 'nowhere', 'copy')).err).toMatch(
    /^candela: There is no data directory ".*nowhere"\n$/,
  )
  const inUse = openStore({ store: 'embedded', dataDirectory: join(directory, 'data') }, { exclusive: true })
  expect((await candela('migrate', 'data', 'copy')).err).toMatch(/it is in use by the Candela service/)
  await inUse.close()
  const wrong = await candela('migrate', 'data', 'redis://:secret@host:x')
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('Expected a directory, or an address')])
})

describe.skipIf(!isRedisAvailable)('with a shared store', needs('redis-server'), () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.close())

  it('copies accounts there and back', async () => {
    const [active, revoked] = await fill('data')
    expect((await candela('migrate', 'data', server.url)).out).toMatch(
      /^2 accounts: 2 copied, 0 already there\n/,
    )
    await withStore(server.url, async ({ accounts }) => {
      expect(await accounts.find(hashOf(active))).toMatchObject({ name: 'me' })
      expect(await accounts.find(hashOf(revoked))).toMatchObject({ revoked: 3 })
    })
    expect((await candela('migrate', server.url, 'back')).out).toMatch(/^2 accounts: 2 copied/)
    expect((await contentsOf('back')).accounts).toEqual((await contentsOf('data')).accounts)
  })

  it('refuses to copy from a store that nodes use, unless it is told to', async () => {
    const place = `${server.url}?prefix=used:&timeout=10000`
    await fill(place)
    const nodes = [0, 1].map(() =>
      openStore({ store: parseStoreAddress(place) as StoreAddress, dataDirectory: '' }),
    )
    await Promise.all(nodes.map(node => node.ready()))
    expect(await candela('migrate', place, 'copy')).toEqual({
      code: 1,
      out: '',
      err: `candela: 2 nodes use the shared store at ${server.url}: what they write while it is copied would be missing in the copy. Stop them, or add --while-running to copy it as it is\n`,
    })
    expect((await candela('migrate', place, 'copy', '--while-running')).out).toMatch(/^2 accounts: 2 copied/)
    await Promise.all(nodes.map(node => node.close()))
    expect((await candela('migrate', place, 'again')).out).toMatch(/^2 accounts: 2 copied/)
  })

  it('copies alerts there and back', async () => {
    await fillAlerts('data')
    const place = `${server.url}?prefix=alerts:&timeout=10000`
    expect((await candela('migrate', 'data', place)).out).toContain('3 alerts: 3 copied, 0 already there\n')
    expect(await alertsOf(place)).toEqual(await alertsOf('data'))
    expect((await candela('migrate', place, 'back')).out).toContain('3 alerts: 3 copied')
    expect(await alertsOf('back')).toEqual(await alertsOf('data'))
  })

  it('the commands for keys work on the store that the settings name', async () => {
    const STORE = `${server.url}?prefix=keys:&timeout=10000`
    const created = await candelaWith({ STORE }, 'keys', 'create', '--plan', 'pro', '--name', 'me')
    const key = created.out.trim()
    expect((await candelaWith({ STORE }, 'keys', 'revoke', key)).out).toMatch(/ is revoked\n$/)
    const listed = await candelaWith({ STORE }, 'keys', 'list', '--json')
    expect(JSON.parse(listed.out)).toMatchObject([{ name: 'me', revoked: expect.any(Number) }])
    expect(readdirSync(directory), 'nothing is written here').toEqual([])
    const wrong = await candelaWith({ STORE: 'redis://:secret@127.0.0.1:1' }, 'keys', 'list')
    expect(wrong).toMatchObject({ code: 1, out: '' })
    expect(wrong.err).toMatch(/^candela: Cannot use the shared store at redis:\/\/127\.0\.0\.1:1: [^\n]*\n$/)
    expect(wrong.err).not.toContain('secret')
  })
})
