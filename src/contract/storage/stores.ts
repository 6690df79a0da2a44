import type { Account } from '../account.js'
import type { AlertStore } from './alerts.js'
import { type Cluster, NotShared } from './cluster.js'

/** Error of a stored account that cannot be parsed. */
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
 * Accounts, found by the SHA-256 of their key in lower-case hexadecimal. Keys are never stored. `find` returns writes of
 * other processes within half a second. A write survives a crash once its promise resolves, if the store keeps its
 * confirmed writes.
 */
export interface Accounts {
  /**
   * Returns the account of a key, revoked or not. Returns a promise only if the account must be requested over a
   * network. Throws or rejects with CorruptAccount. Throws or rejects with StoreAway if the account is unknown on this
   * node and the store is unreachable.
   */
  find(hash: string): Account | undefined | Promise<Account | undefined>
  /**
   * Returns the account of an id, revoked or not; undefined for a text of another form. Rejects with CorruptAccount or
   * StoreFailure.
   */
  findById(id: string): Promise<Account | undefined>
  /** Stores an account unless its hash or its id is taken. Returns whether the account was stored. */
  add(hash: string, account: Account): Promise<boolean>
  /** Like `add`, but only if there is no account at all. Of several simultaneous callers, only one succeeds. */
  addFirst(hash: string, account: Account): Promise<boolean>
  /**
   * Stores and returns the result of `change` for the account of an id. The id must stay the same. The account can then
   * be found by keys added to `keys`, but not by removed keys, except the first key. `change` receives the hash of the
   * first key. It is called again if another process has changed the account at the same time. Rejects with
   * CorruptAccount.
   */
  change(id: string, change: (account: Account, hash: string) => Account): Promise<Account | undefined>
  /** Returns all accounts, oldest first, and the corrupt ones. */
  list(): Promise<AccountList>
  isEmpty(): Promise<boolean>
  /** Throws if accounts cannot be read at all. */
  check(): void
  /** Returns all accounts in their stored form, for a copy. Includes corrupt accounts. */
  entries(): Promise<readonly StoredAccount[]>
  /** Stores accounts unchanged. Replaces accounts with the same hash. */
  restore(entries: readonly StoredAccount[]): Promise<void>
}

export interface AccountList {
  readonly accounts: readonly Account[]
  readonly corrupt: readonly CorruptAccount[]
}

export interface StoredAccount {
  readonly hash: string
  readonly text: string
}

/** Rate window of an account after one request. */
export interface WindowUse {
  readonly allowed: boolean
  /** Number of requests left in the window. */
  readonly remaining: number
  /** Seconds until the window ends, at least 1. */
  readonly reset: number
  /** End of the window, by the clock of the windows. */
  readonly ends: number
}

/**
 * Fixed rate windows per account. Members return a promise if several nodes share the windows. No member throws or
 * rejects: while the shared windows are unreachable, the windows of this process count.
 */
export interface RateWindows {
  /**
   * Counts one request or several. Counts none if the account has fewer left in its window. The first request opens the
   * window.
   */
  take(account: Account, requests?: number): WindowUse | Promise<WindowUse>
  /**
   * Counts one request if the window is in this process. Counts nothing and returns undefined if the store must be
   * awaited.
   */
  takeNow?(account: Account): WindowUse | undefined
  /** Returns the window of an account for a request that costs nothing. */
  peek(account: Account): WindowUse | Promise<WindowUse>
  /**
   * Subtracts an allowed request, for a reply that costs nothing. Has no effect once its window has ended. Returns the window to
   * show.
   */
  refund(account: Account, use: WindowUse): WindowUse
}

/**
 * Reason why a subscription is not counted; undefined if it is counted. `plan`: the account has the maximum of its plan.
 * `seconds`: the account has made the maximum of new subscriptions in its window, which ends in `seconds`.
 */
export type SubscriptionLimit = 'plan' | { readonly seconds: number } | undefined

/**
 * Number of subscriptions per account over all nodes. As for rate windows, members may return a promise, and no member
 * throws or rejects. Subscriptions of a killed node end within seconds.
 */
export interface SubscriptionBounds {
  /**
   * Counts one more subscription, to `topic`, unless a bound is reached. In one window an account may subscribe to as
   * many new topics as its plan allows. A topic that the account already had in the window is not new.
   */
  reserve(account: Account, topic: string): SubscriptionLimit | Promise<SubscriptionLimit>
  /** Counts one subscription less. */
  release(account: Account): void
}

/**
 * Requests that were answered with 202. The first attempt costs one request of the window. Retries are free until a
 * retry is not answered with 202. Only one retry at a time is free: a second simultaneous one counts as a new request.
 * As for rate windows, members may return a promise, and no member throws or rejects.
 */
export interface FreeRetries {
  isEmpty(): boolean
  /** Uses up the free retry of a request. Returns false if the request has none. `add` makes the next retry free. */
  take(request: string): boolean | Promise<boolean>
  /**
   * Makes the next retry of a request free. Called when a request is answered with 202. The reply may be sent once the
   * promise resolves.
   */
  add(request: string): Promise<void> | undefined
}

/**
 * Changes of a write, derived from the stored bytes: keys with their new bytes, or with undefined for removed keys.
 * `storedIsNewer` is true if the function is called again because other processes have written. Their bytes are then
 * newer.
 */
export type Changes = (
  storedIsNewer?: boolean,
) => Iterable<readonly [key: string, bytes: Uint8Array | undefined]>

/**
 * Bytes under ASCII keys, sorted by key. Several processes may share the keys: writes of another process are visible
 * within a second. Members throw a StoreFailure if the bytes cannot be read or written.
 *
 * The part between the first and the second slash of a key is its series. If the bytes are on another machine, the other
 * members answer from the prepared series.
 */
export interface KeyValueStore {
  /**
   * Loads the series of a key into memory. Returns undefined if the series is already in memory. A store without this
   * member has every series in memory. Rejects with a StoreFailure if the series cannot be read now.
   */
  prepare?(key: string): Promise<void> | undefined
  /** Loads the present keys `head/…` of all series into memory. Rejects with a StoreFailure. */
  prepareHeads?(): Promise<void>
  /** Resolves when all writes are stored. Rejects with a StoreFailure if they cannot be stored. */
  flush?(): Promise<void>
  /** Returns the bytes of a key. The caller owns the array. */
  get(key: string): Uint8Array | undefined
  /** Returns the keys from `from` up to, but not including, `to`. `isReverse` reverses the order. */
  keys(from: string, to: string, isReverse?: boolean): Iterable<string>
  /**
   * Stores bytes and removes keys in one transaction. Calls `changes` while no other process can write, so its reads are
   * current. When `write` returns, the changes survive a crash. They survive a loss of power if the disk keeps its
   * confirmed writes.
   *
   * A store with `prepare` writes after this member has returned, in one transaction per series. It calls `changes` once
   * more if another process was faster. `flush` resolves when the changes are stored.
   */
  write(changes: Changes): void
}

/**
 * Write-ahead records of a process. They survive a crash of the process, but not a loss of power. In return, a record
 * costs microseconds.
 */
export interface Journal {
  /** Appends a record. Throws on failure, without effect on earlier and later records. */
  append(record: Uint8Array): void
  /** Atomically replaces the records of this process with `remaining`, by default none. */
  clear(remaining?: readonly Uint8Array[]): void
  /**
   * Calls `take` with the records of processes that ended without clearing them. The returned function removes these
   * records. Skips the records of running processes. Unreadable records stay until the next start: the returned function
   * throws the reason after it has removed the others.
   */
  recover(take: (record: Uint8Array) => void): () => void
  close(): void
}

export type RequestCounts = Readonly<Record<string, number>>

/** Number of requests per account and day (YYYY-MM-DD in UTC). Members reject with a StoreFailure. */
export interface UsageStore {
  /**
   * Adds the requests of accounts, by account id, to the counts of a day. Deletes some hundred rows of
   * days before `first`.
   */
  add(day: string, requests: ReadonlyMap<string, RequestCounts>, first?: string): Promise<void>
  countOfDay(day: string): Promise<number>
  /** Returns the requests of at most `limit` accounts on a day, sorted by id, from `offset` on. */
  ofDay(day: string, offset?: number, limit?: number): Promise<ReadonlyMap<string, RequestCounts>>
  /** Returns the requests of an account on some days, by day. Omits days without requests. */
  ofAccount(account: string, days: readonly string[]): Promise<ReadonlyMap<string, RequestCounts>>
}

/** Persistent state of the service. */
export interface Store {
  readonly accounts: Accounts
  readonly rateWindows: RateWindows
  readonly subscriptions: SubscriptionBounds
  readonly freeRetries: FreeRetries
  readonly alerts: AlertStore
  readonly lists: ListStore
  readonly usage: UsageStore
  readonly keyValues: KeyValueStore
  readonly journal: Journal
  /** Returns the error of failed candle writes, until a write succeeds again. */
  readonly writeFailure: () => Error | undefined
  /** Returns the free bytes of the disk for this user. Throws if the system does not report them. */
  readonly freeBytes: () => number
  /** Work shared by the nodes that use the store; undefined if the store belongs to this node alone. */
  readonly cluster?: Cluster
  /** Resolves when the store can be used. Rejects with StoreFailure if it cannot be used. */
  ready(): Promise<void>
  /** State of the shared Redis; undefined if the store belongs to this node alone. */
  readonly clusterState?: ClusterState
  close(): Promise<void>
}

export interface ClusterState {
  /**
   * Whether Redis answers in time. While it does not, this node counts alone and knows only the accounts that it has
   * used.
   */
  readonly isUp: boolean
  /** Whether Redis has lost its data or has the data of another installation. Redis then counts as away. */
  readonly isLost: boolean
  /**
   * Number of other processes that use Redis at present. Needs some seconds if there are others, because a process may
   * have just ended.
   */
  otherNodes(): Promise<number>
}

/** Events that a store reports to the process that has opened it. */
export interface StoreEvents {
  /** Called when the shared Redis stops answering. */
  readonly onAway?: (reason: Error) => void
  /**
   * Called when Redis answers without the data of this installation. Redis counts as away until the data are back or
   * their loss is confirmed.
   */
  readonly onLost?: (reason: StoreLost) => void
  /** Called when Redis answers again, with the duration of the outage in seconds. */
  readonly onReturn?: (seconds: number) => void
  /** Called when a command of the shared Redis has ended, with its duration in seconds. */
  readonly onCommand?: (outcome: 'ok' | 'failed', seconds: number) => void
  /** Called when a request or a subscription is counted in memory, because the shared Redis is away. */
  readonly onCountedAlone?: () => void
  /** Called when an unreadable message of another node is dropped. `channel` is the kind of channel. */
  readonly onDropped?: (channel: string, reason: Error) => void
}

/** Error if the shared store is unreachable at present. */
export class StoreAway extends NotShared {
  override readonly name = 'StoreAway'
}

/** Instruction for a shared store that has lost its data. */
export const restoreStore =
  'restore its data, or run "candela store confirm" where it is meant to be as it is'

/** Error of a shared store without the data of this installation. The message has the instruction. */
export class StoreLost extends Error {
  override readonly name = 'StoreLost'
}

/** Empty journal for a store on another machine. A journal would be as slow as the store itself. */
export const noJournal: Journal = { append() {}, clear() {}, recover: () => () => {}, close() {} }

/** Error of an unusable store. The message names the store and the remedy. */
export class StoreFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StoreFailure'
  }
}

export interface StoredList {
  readonly account: string
  /** Name of the list in lower case. */
  readonly name: string
  readonly text: string
}

/**
 * Named lists of all accounts. Each write is one transaction: it survives the end of the process once its promise
 * resolves. Members reject with a StoreFailure.
 */
export interface ListStore {
  /**
   * Stores a list. Replaces the list with the same name. Does nothing and returns false if the account has `most` other
   * lists.
   */
  put(list: StoredList, most: number): Promise<boolean>
  find(account: string, name: string): Promise<string | undefined>
  remove(account: string, name: string): Promise<boolean>
  /** Returns the lists of one account, or of all accounts, sorted by name. */
  list(account?: string): Promise<readonly StoredList[]>
}
