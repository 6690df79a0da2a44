import { spawnSync } from 'node:child_process'
import { on, once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type KeyValueStore, type Store, StoreFailure } from '../../src/contract/storage/stores.js'
import { parseRedisAddress, type RedisAddress } from '../../src/store/address.js'
import { openCandles, openEmbedded } from '../../src/store/embedded/embedded.js'
import { openRedisStore } from '../../src/store/redis/redis-store.js'
import { isRedisAvailable, type RedisServer, startRedis } from '../support/redis-server.js'

type KeyValueDriver = Pick<Store, 'keyValues' | 'close'>

/** A way to keep keyValues: `open` may be called again for the same place after the store was closed. */
interface Driver {
  readonly name: string
  begin?(): Promise<void>
  end?(): Promise<void>
  /** A place where nothing is stored yet. */
  place(): {
    open(): KeyValueDriver | Promise<KeyValueDriver>
    /** Runs `body` on the `keyValues` of the same place in another process, which then ends itself with SIGKILL. */
    elsewhere(body: string): void
    remove(): void
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url))

const embedded = {
  name: 'embedded',
  place() {
    const directory = mkdtempSync(join(tmpdir(), 'candela-'))
    return {
      directory,
      open: () => openEmbedded(directory),
      elsewhere(body: string) {
        const program = `
          import { openEmbedded } from '#dist/store/embedded/embedded.js'
          const { keyValues } = openEmbedded(${JSON.stringify(directory)})
          ${body}
          process.kill(process.pid, 'SIGKILL')`
        const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
          cwd: root,
          encoding: 'utf8',
        })
        expect(signal, stderr).toBe('SIGKILL')
      },
      remove: () => rmSync(directory, { recursive: true, force: true }),
    }
  },
} satisfies Driver

let server: RedisServer
let places = 0

const redis: Driver = {
  name: 'Redis',
  async begin() {
    server = await startRedis()
  },
  async end() {
    await server.close()
  },
  place() {
    // On a busy machine the server may take longer for an answer than a service waits for it.
    const url = `${server.url}?prefix=test${places++}:&timeout=10000`
    const address = parseRedisAddress(url) as RedisAddress
    return {
      async open() {
        const opened = openRedisStore(address, { copyBytes: 1e6 })
        await opened.ready()
        return opened
      },
      elsewhere(body) {
        const program = `
          import { openRedisStore } from '#dist/store/redis/redis-store.js'
          const { keyValues, ready } = openRedisStore(${JSON.stringify(address)}, { copyBytes: 1e6 })
          await ready()
          ${body}
          await keyValues.flush()
          process.kill(process.pid, 'SIGKILL')`
        const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
          cwd: root,
          encoding: 'utf8',
        })
        expect(signal, stderr).toBe('SIGKILL')
      },
      remove() {},
    }
  },
}

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text))

/** Contract of every driver. */
export function keepsChunks(driver: Driver): void {
  describe(`the key-value store in ${driver.name}`, () => {
    let place: ReturnType<Driver['place']>
    let store: KeyValueDriver
    let keyValues: KeyValueStore

    beforeAll(async () => driver.begin?.())
    afterAll(async () => driver.end?.())
    beforeEach(async () => {
      place = driver.place()
      await open()
    })
    const open = async () => {
      store = await place.open()
      keyValues = store.keyValues
      await keyValues.prepare?.('')
    }
    afterEach(async () => {
      await store.close()
      place.remove()
    })
    const put = (...keys: string[]) =>
      keyValues.write(() => keys.map((key): [string, Uint8Array] => [key, bytesOf(key)]))
    const textOf = (key: string) => {
      const bytes = keyValues.get(key)
      return bytes && Buffer.from(bytes).toString()
    }

    test('a new place is empty', () => {
      expect(keyValues.get('a')).toBeUndefined()
      expect([...keyValues.keys('', '~')]).toEqual([])
      expect([...keyValues.keys('', '~', true)]).toEqual([])
    })

    test('bytes are given back as they were, empty ones and large ones too', () => {
      const large = new Uint8Array(100_000).map((_, i) => i)
      keyValues.write(() => [
        ['empty', new Uint8Array(0)],
        ['large', large],
      ])
      expect(keyValues.get('empty')).toHaveLength(0)
      expect(Buffer.compare(keyValues.get('large') as Uint8Array, large)).toBe(0)
    })

    test('bytes that were read belong to the reader', () => {
      put('a', 'b')
      const a = keyValues.get('a') as Uint8Array
      keyValues.get('b')
      keyValues.write(() => [['a', bytesOf('changed')]])
      expect(Buffer.from(a).toString()).toBe('a')
      a.fill(0)
      expect(textOf('a')).toBe('changed')
    })

    test('keys are a sorted list, whatever part of it is read, in either direction', () => {
      const key = fc.string({
        unit: fc.constantFrom('a', 'b', '/', '0', ':'),
        minLength: 1,
        maxLength: 4,
      })
      fc.assert(
        fc.property(fc.array(key, { maxLength: 12 }), key, key, (keys, one, two) => {
          const [from, to] = one < two ? [one, two] : [two, one]
          put(...keys)
          const within = [...new Set(keys)].filter(each => each >= from && each < to).sort()
          const forwards = [...keyValues.keys(from, to)]
          const backwards = [...keyValues.keys(from, to, true)]
          keyValues.write(() => keys.map((each): [string, undefined] => [each, undefined]))
          expect(forwards).toEqual(within)
          expect(backwards).toEqual(within.reverse())
        }),
        { numRuns: 50 },
      )
    })

    test('a list of keys may be left before its end', () => {
      put('a', 'b', 'c')
      for (const key of keyValues.keys('', '~', true)) {
        expect(key).toBe('c')
        break
      }
      for (const key of keyValues.keys('', '~')) {
        expect(key).toBe('a')
        break
      }
      put('d')
      expect([...keyValues.keys('', '~')]).toEqual(['a', 'b', 'c', 'd'])
    })

    test('a write is done wholly or not at all', async () => {
      put('a', 'b')
      await keyValues.flush?.()
      expect(() =>
        keyValues.write(function* () {
          yield ['a', undefined]
          yield ['c', bytesOf('c')]
          throw new Error('changed my mind')
        }),
      ).toThrow(StoreFailure)
      expect([...keyValues.keys('', '~')]).toEqual(['a', 'b'])
      await store.close()
      await open()
      expect([...keyValues.keys('', '~')]).toEqual(['a', 'b'])
    })

    test('the entries of series are those of a map, whatever is written and read, also after opening again', async () => {
      const key = fc.tuple(
        fc.constantFrom('head', 'candles'),
        fc.constantFrom('x:A:1m', 'x:A:1m+', 'y:B:1h'),
        fc.nat(3),
      )
      const change = fc.tuple(key, fc.option(fc.uint8Array({ maxLength: 5 }), { nil: undefined }))
      const written = new Map<string, Uint8Array>()
      const named = ([kind, series, time]: readonly [string, string, number]) =>
        kind === 'head' ? `head/${series}` : `candles/${series}/0000000000${time}`
      const compare = (theirs: KeyValueStore) => {
        const all = [...written.keys()].sort()
        expect([...theirs.keys('', '~')]).toEqual(all)
        expect([...theirs.keys('head/', 'head0', true)]).toEqual(
          all.filter(each => each.startsWith('head/')).reverse(),
        )
        expect([...theirs.keys('candles/x:A:1m/', 'candles/x:A:1m0')]).toEqual(
          all.filter(each => each.startsWith('candles/x:A:1m/')),
        )
        for (const [each, bytes] of written) expect(Buffer.compare(theirs.get(each) as Buffer, bytes)).toBe(0)
      }
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 6 }), async writes => {
          for (const changes of writes) {
            keyValues.write(() => changes.map(([each, bytes]) => [named(each), bytes] as const))
            for (const [each, bytes] of changes) {
              if (bytes) written.set(named(each), bytes)
              else written.delete(named(each))
            }
            compare(keyValues)
          }
          await store.close()
          await open()
          for (const series of ['x:A:1m', 'x:A:1m+', 'y:B:1h']) await keyValues.prepare?.(`head/${series}`)
          compare(keyValues)
        }),
        { numRuns: 20 },
      )
    })

    test('what a write reads is what was there before it', () => {
      put('a')
      keyValues.write(function* () {
        yield ['b', bytesOf('b')]
        yield ['c', bytesOf([...keyValues.keys('', '~')].join(','))]
      })
      expect(textOf('c')).toBe('a')
    })

    test('entries outlive the store that wrote them', async () => {
      put('a')
      await store.close()
      await open()
      expect(textOf('a')).toBe('a')
    })

    test('what another process has written is there, though it was killed', async () => {
      put('a')
      await keyValues.flush?.()
      expect(textOf('a')).toBe('a')
      place.elsewhere(`
        await keyValues.prepare?.('a')
        keyValues.write(() => [['a', Buffer.from('theirs')], ['b', Buffer.from('b')]])`)
      await vi.waitFor(() => expect([textOf('a'), textOf('b')]).toEqual(['theirs', 'b']), { timeout: 10_000 })
    })

    test('a process that was killed while it wrote neither leaves a trace nor stands in the way', async () => {
      put('a')
      await keyValues.flush?.()
      place.elsewhere(`
        keyValues.write(function* () {
          yield ['a', undefined]
          process.kill(process.pid, 'SIGKILL')
        })`)
      put('b')
      expect([...keyValues.keys('', '~')]).toEqual(['a', 'b'])
    })
  })
}

test('candles are read in a thread while the service writes them, and are not written there', async () => {
  const place = embedded.place()
  const { keyValues, close } = await place.open()
  const directory = place.directory
  const write = (key: string, text: string) => keyValues.write(() => [[key, Buffer.from(text)]])
  write('a', 'first')
  const program = `
    const { parentPort, workerData } = require('node:worker_threads')
    import('#dist/store/embedded/embedded.js').then(({ openCandles }) => {
      const { keyValues, refresh, close } = openCandles(workerData)
      const list = () => parentPort.postMessage([...keyValues.keys('', '~')].map(key => key + Buffer.from(keyValues.get(key))))
      list()
      parentPort.once('message', async () => {
        refresh()
        list()
        try { keyValues.write(() => []) } catch (error) { parentPort.postMessage(error.message) }
        await close()
      })
    })`
  const thread = new Worker(program, { eval: true, workerData: directory })
  const exit = once(thread, 'exit')
  const messages = on(thread, 'message')
  const next = async () => (await messages.next()).value[0]
  expect(await next()).toEqual(['afirst'])
  write('b', 'second')
  thread.postMessage('again')
  expect(await next()).toEqual(['afirst', 'bsecond'])
  expect(await next()).toBe('Cannot write candles: they were opened to be read')
  await exit
  write('c', 'third')
  expect(Buffer.from(keyValues.get('c') as Uint8Array).toString()).toBe('third')
  expect(() => openCandles(join(directory, 'missing'))).toThrow(StoreFailure)
  await close()
  place.remove()
})

for (const driver of isRedisAvailable ? [embedded, redis] : [embedded]) keepsChunks(driver)
