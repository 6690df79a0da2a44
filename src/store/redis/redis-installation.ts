import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { restoreStore, StoreLost } from '../../contract/storage/stores.js'
import { isCurrent, otherFormat, readId, readStamp, stampOf, writeId } from '../installation.js'
import type { RedisClient } from './redis-client.js'
import { evaluate } from './redis-commands.js'
import { createScript } from './script.js'

// In the slot of the accounts, so that a cluster that has lost these has lost the id as well.
/** Fields: `id` with the format of the data, and `confirmed` where an operator has said that Redis is meant to be as it is. */
const installationKey = '{accounts}:installation'
/** Set by nodes that miss the id, so that nodes that know of none do not take Redis for a new one. */
const lostKey = '{accounts}:lost'

/** ARGV: the id that is given to a Redis without one. */
const confirmScript = createScript(`
redis.call('HSETNX', KEYS[1], 'id', ARGV[1])
redis.call('HSET', KEYS[1], 'confirmed', '1')
redis.call('DEL', KEYS[2])
return 0
`)

/** The same where Redis is new: no node misses an id there. */
const openScript = createScript(`
if redis.call('EXISTS', KEYS[1]) == 0 and redis.call('EXISTS', KEYS[2]) == 0 then
  redis.call('HSET', KEYS[1], 'id', ARGV[1])
end
return 0
`)

export interface InstallationOptions {
  /** The file in which this node finds which installation Redis is of. */
  readonly memory?: string
  /** Whether it writes that file as well. */
  readonly exclusive?: boolean
  /** Takes Redis as it is, also where it has lost its data. */
  readonly confirm?: boolean
}

/**
 * The id of the installation whose accounts Redis has. Without it, a Redis that has lost its data would look like a
 * new one, and all keys like unknown ones.
 */
export class RedisInstallation {
  readonly #options: InstallationOptions
  #known: string | undefined
  #isOpen = false

  constructor(options: InstallationOptions) {
    this.#options = options
    this.#known = options.memory === undefined ? undefined : recall(options.memory)
  }

  /** Rejects with StoreLost where Redis has no id, another one than before, or data in another format. */
  async check(client: RedisClient): Promise<void> {
    if (!this.#isOpen) await this.#open(client)
    const [stamp, confirmed] = await client.hmget(installationKey, 'id', 'confirmed')
    const { id, format } = readStamp(stamp ?? undefined)
    if (!id) {
      await client.set(lostKey, '1')
      throw new StoreLost(`it has lost its data; ${restoreStore}`)
    }
    if (!isCurrent(format)) throw new StoreLost(otherFormat(format, 'an empty Redis'))
    if (this.#known !== undefined && id !== this.#known && !confirmed)
      throw new StoreLost(`its data are those of another installation; ${restoreStore}`)
    if (id !== this.#known) this.#remember(id)
    this.#isOpen = true
  }

  async #open(client: RedisClient): Promise<void> {
    const keys = [installationKey, lostKey]
    if (this.#options.confirm) await evaluate(client, confirmScript, keys, [stampOf(randomUUID())])
    else if (this.#known === undefined) await evaluate(client, openScript, keys, [stampOf(randomUUID())])
  }

  #remember(id: string): void {
    this.#known = id
    const { memory, exclusive } = this.#options
    if (memory === undefined || !exclusive) return
    try {
      mkdirSync(dirname(memory), { recursive: true, mode: 0o700 })
      writeId(memory, id)
    } catch {
      // A node whose disk cannot be written knows it as long as it runs.
    }
  }
}

function recall(file: string): string | undefined {
  try {
    return readId(file)
  } catch {
    // So does one whose disk cannot be read.
    return undefined
  }
}
