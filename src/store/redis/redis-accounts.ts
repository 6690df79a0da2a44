import { LRUCache } from 'lru-cache'
import { readAccount, readAccounts, writeAccount } from '../account-record.js'
import { type Account, type AccountList, type Accounts, type StoredAccount, StoreFailure } from '../store.js'
import type { Redis } from './redis.js'
import { createScript } from './script.js'

// Keys of one slot, so that a script may use all of them in a cluster.
/** Hash of a key → account as text. */
const accountsKey = '{accounts}'
/** Id → hash of the key. */
const idsKey = '{accounts}:ids'
/** A stream with the hash of each account that was added or changed, under the field `new` or `changed`. */
const changesKey = '{accounts}:changes'
/** Changes that are kept: a node that has missed more forgets all accounts it knows. */
const keptChanges = 10_000

/** Accounts that are known at a time, and unknown keys: these cannot displace those. */
const maxKnown = 50_000
const maxUnknown = 10_000
/** How often this node asks what has changed, and for how long what it knows is trusted after that, in milliseconds. */
const pollMs = 200
const trustMs = 500
/** Accounts that one command asks for or writes. */
const perCommand = 1000

const announce = (kind: 'new' | 'changed') =>
  `redis.call('XADD', KEYS[3], 'MAXLEN', '~', ${keptChanges}, '*', '${kind}', ARGV[1])`

/** Adds an account unless its id is taken, or, as a first one, while there is none. */
const addAccount = createScript(`
if ARGV[4] == 'first' and redis.call('HLEN', KEYS[1]) > 0 then return 0 end
if redis.call('HEXISTS', KEYS[2], ARGV[2]) == 1 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
${announce('new')}
return 1
`)

/** Replaces the text of an account where it is still `ARGV[2]`. */
const replaceAccount = createScript(`
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
${announce('changed')}
return 1
`)

/** Writes an account as it is. */
const restoreAccount = createScript(`
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
${announce('changed')}
return 1
`)

const keys = [accountsKey, idsKey, changesKey]

/** An account that is to be looked up. */
interface Question {
  readonly hash: string
  /** Whether an earlier state of the account is known, which does without an answer. */
  readonly isKnown: boolean
  readonly settle: (text: string | null | Error) => void
}

interface Known {
  readonly account: Account
  readonly generation: number
}

/**
 * Accounts that all nodes share. What was looked up is known to this node from then on, so that `find` answers at once.
 * Several times a second it asks which accounts have changed; while that is not answered in time, it goes on with what it
 * knows where Redis is away, and asks anew where it is not.
 */
export class RedisAccounts implements Accounts {
  readonly #redis: Redis
  readonly #clock: () => number
  /** Changes when more may have happened than this node was told: what it knew before is asked for again. */
  #generation = 0
  readonly #known = new LRUCache<string, Known>({ max: maxKnown })
  readonly #unknown = new LRUCache<string, true>({ max: maxUnknown })
  readonly #lookups = new Map<string, Promise<Account | undefined>>()
  readonly #listeners: ((id: string) => void)[] = []
  #waiting: Question[] = []
  /** The last change that this node knows of, and when it asked; empty before the first one. */
  #lastChange = ''
  #trustedUntil = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  /** `clock` counts milliseconds from any time and never goes back. */
  constructor(redis: Redis, clock: () => number) {
    this.#redis = redis
    this.#clock = clock
    redis.onReturn(() => this.#distrust())
  }

  /** Begins to ask for changes. */
  async start(): Promise<void> {
    const [last] = (await this.#read('XREVRANGE', changesKey, '+', '-', 'COUNT', 1)) as [string, string[]][]
    this.#lastChange = last?.[0] ?? ''
    await this.#poll()
    if (!this.#isClosed) this.#schedule()
  }

  find(hash: string): Account | undefined | Promise<Account | undefined> {
    const known = this.#known.get(hash)
    const isTrusted = this.#clock() < this.#trustedUntil
    if (known !== undefined && isTrusted && known.generation === this.#generation) return known.account
    if (known !== undefined && !this.#redis.isUp) return known.account
    if (isTrusted && this.#unknown.has(hash)) return undefined
    return this.#lookUp(hash, known?.account)
  }

  async findById(id: string): Promise<Account | undefined> {
    const stored = await this.#findStored(id)
    return stored && readAccount(stored.hash, stored.text)
  }

  /** The text of the account with an id, and the hash of its key under which it stands. */
  async #findStored(id: string): Promise<{ readonly hash: string; readonly text: string } | undefined> {
    const hash = (await this.#read('HGET', idsKey, id)) as string | null
    const text = hash === null ? null : ((await this.#read('HGET', accountsKey, hash)) as string | null)
    return hash === null || text === null ? undefined : { hash, text }
  }

  async add(hash: string, account: Account): Promise<boolean> {
    return this.#change(addAccount, [hash, account.id, writeAccount(account), 'any'])
  }

  async addFirst(hash: string, account: Account): Promise<boolean> {
    return this.#change(addAccount, [hash, account.id, writeAccount(account), 'first'])
  }

  async revoke(id: string, at: number): Promise<Account | undefined> {
    for (;;) {
      const stored = await this.#findStored(id)
      if (!stored) return undefined
      const { hash, text } = stored
      const account = readAccount(hash, text)
      if (account.revoked !== undefined) return account
      const revoked = { ...account, revoked: at }
      if (await this.#change(replaceAccount, [hash, text, writeAccount(revoked)])) return revoked
    }
  }

  async list(): Promise<AccountList> {
    return readAccounts(await this.entries())
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#read('HLEN', accountsKey)) === 0
  }

  /** Without Redis, the accounts that are known go on to work. */
  check(): void {}

  async entries(): Promise<readonly StoredAccount[]> {
    const found = new Map<string, string>()
    let cursor = '0'
    do {
      const [next, fields] = (await this.#read('HSCAN', accountsKey, cursor, 'COUNT', perCommand)) as [
        string,
        string[],
      ]
      for (let at = 0; at < fields.length; at += 2) found.set(fields[at] as string, fields[at + 1] as string)
      cursor = next
    } while (cursor !== '0')
    return [...found].map(([hash, text]) => ({ hash, text }))
  }

  async restore(entries: readonly StoredAccount[]): Promise<void> {
    for (let from = 0; from < entries.length; from += perCommand) {
      const some = entries.slice(from, from + perCommand)
      await Promise.all(
        some.map(({ hash, text }) => this.#change(restoreAccount, [hash, hash.slice(0, 8), text])),
      )
    }
  }

  watch(listener: (id: string) => void): void {
    this.#listeners.push(listener)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  async #read(command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    try {
      return await this.#redis.insist(command, ...args)
    } catch (cause) {
      throw failure('read accounts', cause as Error)
    }
  }

  /** Runs a script that changes the account of a hash, the first argument. */
  async #change(script: Parameters<Redis['run']>[0], args: readonly string[]): Promise<boolean> {
    try {
      const isDone = (await this.#redis.insistOn(script, keys, args)) === 1
      if (isDone) this.#forget(args[0] as string, false)
      return isDone
    } catch (cause) {
      throw failure('write accounts', cause as Error)
    }
  }

  /** Forgets what is known of a key, and tells who watches. An account that is new has not changed since it is known. */
  #forget(hash: string, isNew: boolean): void {
    if (!isNew) this.#known.delete(hash)
    this.#unknown.delete(hash)
    for (const listener of this.#listeners) listener(hash.slice(0, 8))
  }

  /** Asks again for each account when it is used next, and tells who watches that any may have changed. */
  #distrust(): void {
    this.#generation++
    this.#unknown.clear()
    for (const { account } of [...this.#known.values()])
      for (const listener of this.#listeners) listener(account.id)
  }

  /** Asks for the account of a hash, once for all who ask at the same time. `known` is what it was. */
  #lookUp(hash: string, known: Account | undefined): Promise<Account | undefined> {
    let lookup = this.#lookups.get(hash)
    if (lookup === undefined) {
      lookup = this.#ask(hash, known).finally(() => this.#lookups.delete(hash))
      this.#lookups.set(hash, lookup)
    }
    return lookup
  }

  async #ask(hash: string, known: Account | undefined): Promise<Account | undefined> {
    const generation = this.#generation
    const text = await new Promise<string | null | Error>(settle => {
      this.#waiting.push({ hash, isKnown: known !== undefined, settle })
      if (this.#waiting.length === 1) setImmediate(() => this.#askWaiting())
    })
    if (text instanceof Error) {
      if (known !== undefined) return known
      throw text
    }
    if (text === null) {
      this.#known.delete(hash)
      this.#unknown.set(hash, true)
      return undefined
    }
    const account = readAccount(hash, text)
    this.#known.set(hash, { account, generation })
    return account
  }

  #askWaiting(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const isKnown of [true, false]) {
      const questions = waiting.filter(question => question.isKnown === isKnown)
      for (let from = 0; from < questions.length; from += perCommand)
        void this.#askTogether(questions.slice(from, from + perCommand), isKnown)
    }
  }

  async #askTogether(questions: readonly Question[], isKnown: boolean): Promise<void> {
    try {
      const args = [accountsKey, ...questions.map(({ hash }) => hash)]
      const found = isKnown ? this.#redis.command('HMGET', ...args) : this.#redis.insist('HMGET', ...args)
      const texts = (await found) as (string | null)[]
      // A key is unknown only where no accounts were lost.
      if (texts.includes(null)) await this.#redis.verify()
      for (const [at, { settle }] of questions.entries()) settle(texts[at] ?? null)
    } catch (error) {
      for (const { settle } of questions) settle(error as Error)
    }
  }

  #schedule(): void {
    this.#timer = setTimeout(async () => {
      if (this.#redis.isUp) await this.#poll()
      if (!this.#isClosed) this.#schedule()
    }, pollMs)
    this.#timer.unref()
  }

  /** Forgets the accounts that have changed since the last time. */
  async #poll(): Promise<void> {
    const asked = this.#clock()
    try {
      const from = this.#lastChange || '-'
      const found = (await this.#redis.command('XRANGE', changesKey, from, '+')) as [string, string[]][]
      const isComplete = this.#lastChange === '' || found[0]?.[0] === this.#lastChange
      const changes = isComplete && this.#lastChange !== '' ? found.slice(1) : found
      // More has happened than Redis keeps, or it has lost its data.
      if (!isComplete) this.#distrust()
      for (const [, [kind, hash]] of changes) {
        if (hash === undefined) this.#distrust()
        else this.#forget(hash, kind === 'new')
      }
      this.#lastChange = found.at(-1)?.[0] ?? ''
      this.#trustedUntil = asked + trustMs
    } catch {
      // Redis is away; what is known is trusted until it is back.
    }
  }
}

const failure = (action: string, cause: Error): StoreFailure =>
  new StoreFailure(`Cannot ${action}: ${cause.message}`, { cause })
