import { createHash } from 'node:crypto'
import { restoreStore, StoreAway, type StoreEvents } from '../../contract/storage/stores.js'
import { afterTurn } from '../../runtime/scheduler.js'
import type { RedisClient } from './redis-client.js'

/** A program in Lua that Redis runs as one step, on keys of one slot. */
export interface Script {
  readonly lua: string
  /** Under which Redis knows it once it has run. */
  readonly sha: string
}

/** Gives a script that begins with it `now`, the time of Redis in milliseconds. */
export const timeOfRedis = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/**
 * Gives a script that begins with it `isHeld`: whether a key is there that ends after some milliseconds. One that lasts for
 * longer dates from before Redis's clock was set back, and ends after that time.
 */
export const leaseOfRedis = `
local function isHeld(key, ms)
  local left = redis.call('PTTL', key)
  if left > tonumber(ms) then redis.call('PEXPIRE', key, ms) end
  return left ~= -2
end
`

export const createScript = (lua: string): Script => ({
  lua,
  sha: createHash('sha1').update(lua).digest('hex'),
})

/** Frees a lease where it is still that of the token. */
export const releaseLease = createScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`)

type Argument = string | number | Uint8Array

/** Answers of a server that cannot do its work at present. */
const unavailable =
  /^(LOADING|READONLY|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|NOREPLICAS|UNBLOCKED|NOAUTH|WRONGPASS)/

/** Fields of a hash that one command looks at. */
const fieldsPerScan = 1000

/** What is known of Redis. */
interface State {
  readonly isUp: boolean
  readonly isLost: boolean
  /** A command has failed. */
  fail(reason: Error): void
}

interface Options extends Pick<StoreEvents, 'onCommand'> {
  /** Milliseconds that a command may take. */
  readonly timeoutMs: number
  /** Whether a command that a working server refuses, such as for lack of memory, says that Redis is away. */
  readonly isAwayWhenRefused: boolean
  /** Whether commands are tried while Redis is away as well. */
  readonly isPersistent: boolean
}

/**
 * Commands over a connection to Redis. They reject with StoreAway: at once while Redis is away, unless they are persistent,
 * or has lost its data, and after a while when it is slow.
 */
export class RedisCommands {
  readonly #client: RedisClient
  readonly #state: State
  readonly #options: Options

  constructor(client: RedisClient, state: State, options: Options) {
    this.#client = client
    this.#state = state
    this.#options = options
  }

  /** Runs one command; texts in its reply are strings. */
  command(name: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.call(client => client.call(name, ...args.map(String)))
  }

  /** The fields of a hash whose names match a pattern, read in several parts. */
  async fieldsOf(key: string, pattern = '*'): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>()
    for (let cursor = '0'; ; ) {
      const reply = await this.command('HSCAN', key, cursor, 'MATCH', pattern, 'COUNT', fieldsPerScan)
      const [next, fields] = reply as [string, string[]]
      for (let at = 0; at < fields.length; at += 2) found.set(fields[at] as string, fields[at + 1] as string)
      if (next === '0') return found
      cursor = next
    }
  }

  /** Runs a script; texts in its reply are strings. */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return this.call(client => evaluate(client, script, keys, args))
  }

  /** Runs a script; texts in its reply are bytes. */
  runForBytes(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown> {
    return this.call(client => evaluate(client, script, keys, args, 'Buffer'))
  }

  /** The result of commands. */
  async call<Result>(work: (client: RedisClient) => Promise<Result>): Promise<Result> {
    const { timeoutMs, isAwayWhenRefused, isPersistent, onCommand } = this.#options
    if (this.#state.isLost) throw new StoreAway(`the shared store has lost its data; ${restoreStore}`)
    if (!isPersistent && !this.#state.isUp) throw new StoreAway()
    const began = performance.now()
    try {
      const result = await within(work(this.#client), timeoutMs)
      onCommand?.('ok', (performance.now() - began) / 1000)
      return result
    } catch (cause) {
      onCommand?.('failed', (performance.now() - began) / 1000)
      if (!isAwayWhenRefused && isRefusal(cause as Error)) throw cause
      this.#state.fail(cause as Error)
      throw new StoreAway('the shared store does not answer', { cause })
    }
  }
}

/** ioredis takes bytes as a Buffer only. */
const asArgument = (argument: Argument): string | number | Buffer =>
  argument instanceof Uint8Array && !Buffer.isBuffer(argument)
    ? Buffer.from(argument.buffer, argument.byteOffset, argument.byteLength)
    : (argument as string | number | Buffer)

type Evaluate = (script: string, keys: number, ...args: (string | number | Buffer)[]) => Promise<unknown>

/** Runs a script that a server may not know yet, or not any more since it was started anew. */
export async function evaluate(
  client: RedisClient,
  { lua, sha }: Script,
  keys: readonly string[],
  args: readonly Argument[],
  reply: '' | 'Buffer' = '',
): Promise<unknown> {
  // The library has both forms of a reply, its types have one.
  const commands = client as unknown as Record<`eval${'' | 'sha'}${'' | 'Buffer'}`, Evaluate>
  const all = [...keys, ...args.map(asArgument)]
  try {
    return await commands[`evalsha${reply}`](sha, keys.length, ...all)
  } catch (error) {
    if (!(error as Error).message.startsWith('NOSCRIPT')) throw error
    return commands[`eval${reply}`](lua, keys.length, ...all)
  }
}

/** Whether a server that works has refused a command. */
const isRefusal = ({ name, message }: Error): boolean => name === 'ReplyError' && !unavailable.test(message)

/** The result of a promise, or an Error when it takes longer. What arrives while this process is busy is in time. */
export function within<Result>(promise: Promise<Result>, ms: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    // Timers run before the replies that arrived meanwhile are read, and these before what is done after it.
    const timer = setTimeout(
      () => afterTurn(() => reject(new Error(`it did not answer within ${ms} ms`))),
      ms,
    )
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
