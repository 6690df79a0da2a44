import type { Sharing } from './sharing.js'

/** What a key of each plan may do; an account carries its own copy, so that single keys can be given other bounds. */
export const plans = {
  free: { requests: 1, constructs: 1, subscriptions: 1 },
  basic: { requests: 5, constructs: 1, subscriptions: 5 },
  pro: { requests: 30, constructs: 3, subscriptions: 30 },
  expert: { requests: 75, constructs: 10, subscriptions: 150 },
  enterprise: { requests: 300, constructs: 15, subscriptions: 1000 },
} as const
export type Plan = keyof typeof plans

export interface Bounds {
  /** Requests per window of 15 seconds. */
  readonly requests: number
  /** Constructs per bulk request. */
  readonly constructs: number
  /** Live subscriptions at a time. */
  readonly subscriptions: number
}

/** The owner of one API key. */
export interface Account extends Bounds {
  /** The first eight hexadecimal digits of the key's hash: enough to point at a key, useless for calling. */
  readonly id: string
  readonly name: string
  readonly plan: Plan
  /** Unix seconds. */
  readonly created: number
  /** Unix seconds since when the key is refused; absent while it is active. */
  readonly revoked?: number
}

/** A stored account that cannot be understood. */
export class CorruptAccount extends Error {
  constructor(
    readonly id: string,
    options: ErrorOptions,
  ) {
    super(`The record of account ${id} is corrupt`, options)
    this.name = 'CorruptAccount'
  }
}

/**
 * The accounts, found by the SHA-256 of their key in lower-case hexadecimal; the keys themselves are never stored.
 * Reads are answered at once and show, within a second, what any other process has written.
 * A write has survived a crash when its promise resolves.
 */
export interface Accounts {
  /** The account of a key, revoked or not. Throws CorruptAccount. */
  find(hash: string): Account | undefined
  /** Stores an account unless its hash or its id is taken; answers whether it was stored. */
  add(hash: string, account: Account): Promise<boolean>
  /** Like `add`, but only while there is no account at all: of many callers at once, one succeeds. */
  addFirst(hash: string, account: Account): Promise<boolean>
  /** Refuses a key from `at` (Unix seconds) on; the first revocation counts. Rejects with CorruptAccount. */
  revoke(id: string, at: number): Promise<Account | undefined>
  /** All accounts, the oldest first, and those that cannot be read. */
  list(): { readonly accounts: readonly Account[]; readonly corrupt: readonly CorruptAccount[] }
  isEmpty(): boolean
}

/**
 * What a write changes, made from what is stored: keys with their bytes, or with undefined where they are removed.
 * `isLate` says that it is made once more, because other processes have written meanwhile: what they have written is
 * newer then.
 */
export type Changes = (isLate?: boolean) => Iterable<readonly [key: string, bytes: Uint8Array | undefined]>

/**
 * Bytes under keys of ASCII, in the order of their keys. Several processes may use the same ones: what another one
 * writes is seen within a second. Members throw a StoreFailure when the bytes cannot be read or written.
 *
 * What stands between the first and the second slash of a key is its series. Where the bytes are on another machine, the
 * other members answer from what was prepared.
 */
export interface Chunks {
  /**
   * Has everything of a key's series be in memory; undefined where it is. Without this member it always is. Rejects with
   * a StoreFailure where it cannot be read now.
   */
  prepare?(key: string): Promise<void> | undefined
  /** Has the keys `head/…` of all series be in memory, as they are now. Rejects with a StoreFailure. */
  prepareHeads?(): Promise<void>
  /** Resolves when everything is stored that was written. Rejects with a StoreFailure where it cannot be. */
  flush?(): Promise<void>
  /** The bytes of a key, which are the caller's to keep. */
  get(key: string): Uint8Array | undefined
  /** The keys from `from` on that come before `to`; from the last to the first where `isReverse` is true. */
  keys(from: string, to: string, isReverse?: boolean): Iterable<string>
  /**
   * Stores bytes and removes keys, all of it or nothing. What `changes` reads is what it changes: it is called while no
   * other process can write. The changes have survived a crash, and a loss of power as far as the disk has stored what
   * it has confirmed, when this returns.
   *
   * With `prepare` all of a series is stored or nothing, after this has returned, and `changes` is called once more where
   * another process was faster. `flush` says when it is stored.
   */
  write(changes: Changes): void
}

/**
 * Records of what a process has yet to write to its place. They survive its end at any time, but not a loss of power; in
 * return a record costs microseconds.
 */
export interface Journal {
  append(record: Uint8Array): void
  /** Removes what this process has appended. */
  clear(): void
  /**
   * Calls `take` with the records of processes that ended before they could clear them; the function returned removes
   * these records. Those of running processes are left alone.
   */
  recover(take: (record: Uint8Array) => void): () => void
  close(): void
}

/** What the service must remember. */
export interface Store {
  readonly accounts: Accounts
  readonly chunks: Chunks
  readonly journal: Journal
  /** Why candles could not be written, until they can be written again. */
  readonly writeFailure: () => Error | undefined
  /** Bytes of the disk that are free for this user. Throws where the system does not say. */
  readonly freeBytes: () => number
  /** What several nodes share that use the store; undefined where it is this node's own. */
  readonly sharing?: Sharing
  close(): Promise<void>
}

/** A journal for a store on another machine, which a process could not write to faster than to the store itself. */
export const noJournal: Journal = { append() {}, clear() {}, recover: () => () => {}, close() {} }

/** Why a store cannot be used: the message says which one and what to do about it. */
export class StoreFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StoreFailure'
  }
}
