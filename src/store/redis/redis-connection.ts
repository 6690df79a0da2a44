import { afterTurn } from '../../runtime/event-loop.js'
import { StoreAway, type StoreEvents } from '../store.js'
import type { RedisAddress } from './address.js'
import { createRedisClient, type RedisClient } from './redis-client.js'
import type { Script } from './script.js'

export type Argument = string | number | Uint8Array

/** Answers of a server that cannot do its work at present. */
const unavailable =
  /^(LOADING|READONLY|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|NOREPLICAS|UNBLOCKED|NOAUTH|WRONGPASS)/

/** What a connection reads of the state of Redis, and reports to it. */
interface Redis {
  readonly isUp: boolean
  /** A command has failed, or the connection was lost. */
  fail(reason: Error): void
}

interface Options extends Pick<StoreEvents, 'onCommand'> {
  /** Milliseconds that a command may take. */
  readonly timeoutMs: number
  /** Whether a command that a working server refuses, such as for lack of memory, says that Redis is away. */
  readonly isAwayWhenRefused: boolean
}

/** A connection to Redis, on which commands fail at once while Redis is away, and after a while when it is slow. */
export class RedisConnection {
  readonly client: RedisClient
  readonly #redis: Redis
  readonly #options: Options
  #error: Error | undefined

  constructor(address: RedisAddress, redis: Redis, options: Options) {
    this.#redis = redis
    this.#options = options
    this.client = createRedisClient(address, {
      onError: error => {
        this.#error = error
      },
    })
    this.client.on('ready', () => {
      this.#error = undefined
    })
    this.client.on('close', () => redis.fail(this.#error ?? new Error('the connection was closed')))
  }

  /** Why there is no connection; undefined while there is one. */
  get error(): Error | undefined {
    return this.#error
  }

  /** Begins to connect, and does so again for ever. */
  connect(): void {
    this.client.connect().catch(error => {
      this.#error ??= error
    })
  }

  /** Runs a script; texts in its reply are strings. With `insistMs` it is tried while Redis is away as well. */
  run(
    script: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
    insistMs?: number,
  ): Promise<unknown> {
    const work = (client: RedisClient) => evaluate(client, script, [keys.length, ...keys, ...args])
    return insistMs === undefined ? this.call(work) : this.insist(work, insistMs)
  }

  /** Runs a script; texts in its reply are bytes. */
  runForBytes(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown> {
    return this.call(client =>
      evaluateForBytes(client, script, [keys.length, ...keys, ...args.map(asArgument)]),
    )
  }

  /** The result of commands. Rejects with StoreAway. */
  async call<Result>(work: (client: RedisClient) => Promise<Result>): Promise<Result> {
    if (!this.#redis.isUp) throw new StoreAway()
    return this.insist(work, this.#options.timeoutMs)
  }

  /** The result of commands that are tried while Redis is away as well, and may take longer. */
  async insist<Result>(work: (client: RedisClient) => Promise<Result>, timeoutMs: number): Promise<Result> {
    const began = performance.now()
    try {
      const result = await within(work(this.client), timeoutMs)
      this.#options.onCommand?.('ok', (performance.now() - began) / 1000)
      return result
    } catch (cause) {
      this.#options.onCommand?.('failed', (performance.now() - began) / 1000)
      if (!this.#options.isAwayWhenRefused && isRefusal(cause as Error)) throw cause
      this.#redis.fail(cause as Error)
      throw new StoreAway('the shared store does not answer', { cause })
    }
  }

  /** A peer that vanished without closing its connections is noticed by the system after many minutes only. */
  reconnect(): void {
    if (this.client.status === 'ready') this.client.disconnect(true)
  }

  close(): void {
    this.client.disconnect()
  }
}

/** ioredis takes bytes as a Buffer only. */
const asArgument = (argument: Argument): string | number | Buffer =>
  argument instanceof Uint8Array && !Buffer.isBuffer(argument)
    ? Buffer.from(argument.buffer, argument.byteOffset, argument.byteLength)
    : (argument as string | number | Buffer)

type Evaluated = readonly [numberOfKeys: number, ...keysAndArguments: (string | number | Buffer)[]]
type Evaluate = (script: string, ...args: Evaluated) => Promise<unknown>
/** The library has these, its types do not. */
type ByteClient = RedisClient & { readonly evalshaBuffer: Evaluate; readonly evalBuffer: Evaluate }

/** Runs a script that a server may not know yet, or not any more since it was started anew. */
export const evaluate = (client: RedisClient, { lua, sha }: Script, args: Evaluated): Promise<unknown> =>
  client.evalsha(sha, ...args).catch(error => {
    if (!isUnknownScript(error)) throw error
    return client.eval(lua, ...args)
  })

function evaluateForBytes(client: RedisClient, { lua, sha }: Script, args: Evaluated): Promise<unknown> {
  const bytes = client as ByteClient
  return bytes.evalshaBuffer(sha, ...args).catch(error => {
    if (!isUnknownScript(error)) throw error
    return bytes.evalBuffer(lua, ...args)
  })
}

/** Whether a server that works has refused a command. */
const isRefusal = ({ name, message }: Error): boolean => name === 'ReplyError' && !unavailable.test(message)

const isUnknownScript = (error: Error): boolean => error.message.startsWith('NOSCRIPT')

/** The result of a promise, or an Error when it takes longer. What arrives while this process is busy is in time. */
export function within<Result>(promise: Promise<Result>, ms: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    // Timers run before the replies that arrived meanwhile are read, and these before what is done after it.
    const timer = setTimeout(
      () => afterTurn(() => reject(new Error(`it did not answer within ${ms} ms`))),
      ms,
    )
    promise.then(
      result => {
        clearTimeout(timer)
        resolve(result)
      },
      error => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
