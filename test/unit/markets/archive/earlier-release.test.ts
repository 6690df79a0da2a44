import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import { hashOf, scopesOf } from '../../../../src/contract/account.js'
import { rotateKey, updateKey } from '../../../../src/contract/accounts.js'
import { Archive } from '../../../../src/markets/archive/archive.js'
import { countOf } from '../../../../src/markets/archive/chunk-codec.js'
import { DatabaseFile } from '../../../../src/store/embedded/database-file.js'
import { openEmbedded } from '../../../../src/store/embedded/embedded.js'
import { identify, installationKey } from '../../../../src/store/installation.js'

// What release 1.0.0 has written: 2,000 candles of one market with a depth that was set and a correction, 100 of another
// one, an account, and three candles in the journal when the process was killed.
const written = new URL('release-1.0.0/', import.meta.url)
const [bitcoin, ether] = ['kraken:BTCUSD:1h', 'kraken:ETHUSD:1h']
const candle = (i: number, version = 0): Candle => ({
  timestamp: i * 3600,
  open: 100 + i,
  high: 103 + i + version,
  low: 98 + i,
  close: 101 + (i % 3),
  volume: 10 + version,
})
const span = (from: number, to: number, version = 0) =>
  Array.from({ length: to - from }, (_, k) => candle(from + k, version))
const all = span(0, 2003).with(77, candle(77, 5))

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-'))
  const unpack = (name: string) => gunzipSync(readFileSync(new URL(`${name}.gz`, written)))
  for (const name of ['accounts', 'alerts', 'candles']) {
    mkdirSync(join(directory, name))
    writeFileSync(join(directory, name, 'data.mdb'), unpack(`${name}.mdb`))
  }
  writeFileSync(join(directory, 'candles', '6728-404d91a2-2426992.journal'), unpack('journal'))
  writeFileSync(join(directory, 'installation'), readFileSync(new URL('installation', written)))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

function open() {
  const store = openEmbedded(directory)
  const archive = new Archive(store.keyValues, { depth: 1000, journal: store.journal })
  const candlesOf = (key: string) => {
    const { columns, closed = 0 } = archive.read(key) ?? {}
    return Array.from({ length: closed }, (_, at) => columns?.read(at))
  }
  const counts = () =>
    [...store.keyValues.keys(`candles/${bitcoin}/`, `candles/${bitcoin}0`)].map(chunk =>
      countOf(store.keyValues.get(chunk) as Uint8Array),
    )
  return { store, archive, candlesOf, counts }
}

/** The id that the database of candles has, as release 1.0.0 reads it. */
function storedId(): string | undefined {
  const file = new DatabaseFile(join(directory, 'candles', 'data.mdb'))
  try {
    for (const entry of file.entries())
      if (entry !== 'lost' && entry.key.toString() === installationKey) return entry.value?.toString()
  } finally {
    file.close()
  }
}

describe('a data directory of release 1.0.0', () => {
  it('has everything that was in it, and is as it was until it is written', async () => {
    const { store, archive, candlesOf } = open()
    expect(candlesOf(bitcoin)).toEqual(all.slice(0, 2000))
    expect(candlesOf(ether)).toEqual(span(1500, 1600))
    const id = readFileSync(join(directory, 'installation'), 'utf8').trim()
    expect(storedId()).toBe(id)
    archive.recover()
    expect(candlesOf(bitcoin)).toEqual(all)
    expect([archive.depth(bitcoin), archive.requestedDepth(bitcoin)]).toEqual([3000, 2000])
    expect((await store.accounts.list()).accounts).toMatchObject([{ name: 'first', plan: 'enterprise' }])
    await store.close()
  })

  it('has its account with all that a key could do then, and lets it have another key', async () => {
    const { store } = open()
    const [stored] = await store.accounts.entries()
    const account = await store.accounts.find(stored?.hash ?? '')
    expect(account && scopesOf(account)).toEqual(['read', 'stream', 'alerts'])
    const { id = '' } = account ?? {}
    await updateKey(store.accounts, id, { name: 'mine' })
    expect(
      Object.keys(JSON.parse((await store.accounts.entries())[0]?.text ?? '')),
      'as that release reads it',
    ).toEqual(Object.keys(JSON.parse(stored?.text ?? '')))
    const { key = '' } = (await rotateKey(store.accounts, id, 60, 2_000_000_000)) ?? {}
    expect(await store.accounts.find(hashOf(key))).toMatchObject({ ...account, name: 'mine' })
    await store.close()
  })

  it('is packed where it is written, and each write that is interrupted leaves it as it was', async () => {
    open().archive.recover()
    let expected = all
    const writes: readonly [candles: readonly Candle[], expected: readonly Candle[]][] = [
      [span(2003, 2300), [...all, ...span(2003, 2300)]],
      [[candle(300, 7)], [...all.with(300, candle(300, 7)), ...span(2003, 2300)]],
      [span(-500, 0), [...span(-500, 0), ...all.with(300, candle(300, 7)), ...span(2003, 2300)]],
    ]
    for (const [candles, after] of writes)
      for (let entries = 0; ; entries++) {
        const { store, candlesOf } = open()
        let left = entries
        let isInterrupted = false
        const interrupted = new Archive(
          {
            ...store.keyValues,
            write: changes =>
              store.keyValues.write(function* () {
                for (const change of changes()) {
                  if (left-- === 0) {
                    isInterrupted = true
                    throw new Error('killed')
                  }
                  yield change
                }
              }),
          },
          { depth: 1000 },
        )
        try {
          interrupted.write(bitcoin, candles)
          expected = [...after]
        } catch (error) {
          expect((error as Error).message).toContain('killed')
        }
        expect(candlesOf(bitcoin)).toEqual(expected)
        await store.close()
        if (!isInterrupted) break
      }
    const { store, counts } = open()
    expect(counts()).toEqual([755, 510, 255, 255, 255, 765, 5])
    await store.close()
  })

  it.each([
    ['while it reads the journal', 1, all],
    ['within a transaction', 4, all],
    ['after its transactions', 100, [...all, ...span(2003, 2300)]],
  ])('loses nothing where the process that writes it is killed %s', async (_, entries, expected) => {
    // It kills itself after so many entries of its transactions.
    const program = `
      import { Archive } from '#dist/markets/archive/archive.js'
      import { openEmbedded } from '#dist/store/embedded/embedded.js'
      const { keyValues, journal } = openEmbedded(${JSON.stringify(directory)})
      let left = ${entries}
      const write = changes =>
        keyValues.write(function* () {
          for (const change of changes()) {
            if (left-- === 0) process.kill(process.pid, 'SIGKILL')
            yield change
          }
        })
      const archive = new Archive({ ...keyValues, write }, { depth: 1000, journal })
      archive.recover()
      archive.write('${bitcoin}', ${JSON.stringify(span(2003, 2300))})
      process.kill(process.pid, 'SIGKILL')`
    const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    })
    expect(signal, stderr).toBe('SIGKILL')
    const { store, archive, candlesOf } = open()
    archive.recover()
    expect(candlesOf(bitcoin)).toEqual(expected)
    expect(candlesOf(ether)).toEqual(span(1500, 1600))
    await store.close()
  })

  it('is refused by that release once it was written', async () => {
    const { store, archive } = open()
    const id = storedId()
    archive.write(ether, span(1600, 1601))
    expect(storedId()).toBe(`${id} packed`)
    await store.close()
    await open().store.close()
    const parts = [id, storedId(), id].map((each, at) => ({
      name: ['accounts', 'candles', 'installation'][at] as string,
      readId: () => each,
      writeId() {},
    }))
    expect(() => identify(parts)).toThrow('the database "candles" belongs to another data directory')
    // An operator confirms the directory as it is: the mark stays.
    await openEmbedded(directory, { anew: ['candles'] }).close()
    expect(storedId()).toBe(`${id} packed`)
  })
})
