import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueKey } from '../../src/contract/accounts.js'
import { openEmbedded } from '../../src/store/embedded/embedded.js'
import { CandelaProcess } from './service-process.js'

/** Observations since the last call. */
export interface Watched {
  /** The longest time for which the event loop was held, in milliseconds of processor time. */
  readonly held: number
  /** The longest stall of the machine, in milliseconds. Stalls are not part of a hold. */
  readonly stalled: number
  /** Largest resident memory, in MiB. */
  readonly peak: number
}

/** Memory in MiB after the garbage was collected. */
export interface Memory {
  readonly resident: number
  /** JavaScript's heap and its external buffers. */
  readonly heap: number
}

/** A running service whose event loop and memory are measured from within, and whose clock can be set. */
export class WatchedService {
  private constructor(
    readonly candela: CandelaProcess,
    readonly dataDirectory: string,
  ) {}

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<WatchedService> {
    const preload = new URL('process-watch.mjs', import.meta.url)
    const dataDirectory = mkdtempSync(join(tmpdir(), 'candela-test-'))
    const candela = await CandelaProcess.start(
      { ...settings, DATA_DIR: dataDirectory },
      undefined,
      preload,
      [],
    )
    return new WatchedService(candela, dataDirectory)
  }

  /** New keys without request limits, with the largest number of constructs. */
  async createKeys(count: number): Promise<readonly string[]> {
    const store = openEmbedded(this.dataDirectory)
    const keys: string[] = []
    for (let i = 0; i < count; i++) {
      const { key } = await issueKey(
        store.accounts,
        { name: `${i}`, plan: 'enterprise', requests: 1e9, constructs: 20 },
        1,
      )
      keys.push(key)
    }
    await store.close()
    return keys
  }

  take(): Promise<Watched> {
    return this.#request('take')
  }

  memory(): Promise<Memory> {
    return this.#request('memory')
  }

  /** Sets the clock of the service by seconds. */
  async setClock(seconds: number): Promise<void> {
    await this.#request('set-clock', seconds)
  }

  stop(): Promise<number | null> {
    return this.candela.stop()
  }

  async #request<Reply>(command: string, value?: number): Promise<Reply> {
    const { child } = this.candela
    const [[reply]] = await Promise.all([
      once(child, 'message'),
      new Promise<void>(resolve => child.send({ command, value }, () => resolve())),
    ])
    return reply
  }
}
