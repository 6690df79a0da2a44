import { createHash } from 'node:crypto'
import { restoreStore, StoreAway, type StoreEvents } from '../../contract/storage/stores.js'
import { afterTurn } from '../../runtime/scheduler.js'
import type { RedisClient } from './redis-client.js'

/** A Lua script that Redis runs atomically, on keys of one slot. */
export interface Script {
  readonly lua: string
  /** SHA-1 digest, under which Redis caches the script after the first run. */
  readonly sha: string
}

/** Beginning of a script that defines `now`, the time of Redis in milliseconds. */
export const timeOfRedis = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/**
 * Beginning of a script that defines `isHeld`: whether a key exists that expires within `ms` milliseconds. If its TTL is longer,
 * the clock of Redis was set back. The TTL is then shortened to `ms`.
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

/** Frees a lease if it still has the token. */
export const releaseLease = createScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`)

type Argument = string | number | Uint8Array

/** Error replies of a server that is temporarily unavailable. */
const unavailable =
  /^(LOADING|READONLY|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|NOREPLICAS|UNBLOCKED|NOAUTH|WRONGPASS)/

/** Connection state of Redis. */
interface State {
  readonly isUp: boolean
  readonly isLost: boolean
  /** Reports a failed command. */
  fail(reason: Error): void
}

interface Options extends Pick<StoreEvents, 'onCommand'> {
  /** Timeout of a command, in milliseconds. */
  readonly timeoutMs: number
  /** Whether Redis counts as away after a working server refuses a command, for example for lack of memory. */
  readonly isAwayWhenRefused: boolean
  /** Whether commands are also tried while Redis is away. */
  readonly isPersistent: boolean
}

/**
 * Commands over a connection to Redis. They reject with StoreAway immediately if Redis has lost its data, or is away and they are
 * not persistent. They reject with StoreAway after a timeout if Redis is slow.
 */
export class RedisCommands {
  constructor(
    private readonly client: RedisClient,
    private readonly state: State,
    private readonly options: Options,
  ) {}

  /** Runs one command. Texts in its reply are strings. */
  command(name: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.call(client => client.call(name, ...args.map(String)))
  }

  /** Runs a script. Texts in its reply are strings. */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return this.call(client => evaluate(client, script, keys, args))
  }

  /** Runs a script. Texts in its reply are bytes. */
  runForBytes(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown> {
    return this.call(client => evaluate(client, script, keys, args, 'Buffer'))
  }

  async call<Result>(work: (client: RedisClient) => Promise<Result>): Promise<Result> {
    const { timeoutMs, isAwayWhenRefused, isPersistent, onCommand } = this.options
    if (this.state.isLost) throw new StoreAway(`the shared store has lost its data; ${restoreStore}`)
    if (!isPersistent && !this.state.isUp) throw new StoreAway()
    const began = performance.now()
    try {
      const result = await within(work(this.client), timeoutMs)
      onCommand?.('ok', (performance.now() - began) / 1000)
      return result
    } catch (cause) {
      onCommand?.('failed', (performance.now() - began) / 1000)
      if (!isAwayWhenRefused && isRefusal(cause as Error)) throw cause
      this.state.fail(cause as Error)
      throw new StoreAway('the shared store does not answer', { cause })
    }
  }
}

/** Converts bytes to a Buffer, because ioredis accepts no other type of bytes. */
const asArgument = (argument: Argument): string | number | Buffer =>
  argument instanceof Uint8Array && !Buffer.isBuffer(argument)
    ? Buffer.from(argument.buffer, argument.byteOffset, argument.byteLength)
    : (argument as string | number | Buffer)

type Evaluate = (script: string, keys: number, ...args: (string | number | Buffer)[]) => Promise<unknown>

/** Runs a script by its digest. If the server does not have the script, for example after a restart, sends its text. */
export async function evaluate(
  client: RedisClient,
  { lua, sha }: Script,
  keys: readonly string[],
  args: readonly Argument[],
  reply: '' | 'Buffer' = '',
): Promise<unknown> {
  // The library supports both forms of a reply, but its types have only one.
  const commands = client as unknown as Record<`eval${'' | 'sha'}${'' | 'Buffer'}`, Evaluate>
  const all = [...keys, ...args.map(asArgument)]
  try {
    return await commands[`evalsha${reply}`](sha, keys.length, ...all)
  } catch (error) {
    if (!(error as Error).message.startsWith('NOSCRIPT')) throw error
    return commands[`eval${reply}`](lua, keys.length, ...all)
  }
}

/** Whether a working server has refused a command. */
const isRefusal = ({ name, message }: Error): boolean => name === 'ReplyError' && !unavailable.test(message)

/** Returns the result of a promise. Rejects after `ms` milliseconds; a reply that arrives while this process is busy is in time. */
export function within<Result>(promise: Promise<Result>, ms: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    // The event loop runs timers before it reads arrived replies, so the rejection waits until the replies are read.
    const timer = setTimeout(
      () => afterTurn(() => reject(new Error(`it did not answer within ${ms} ms`))),
      ms,
    )
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
