import type { Account } from '../account.js'
import type { AlertStore } from './alerts.js'
import { type Cluster, NotShared } from './cluster.js'

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
 * Within half a second `find` shows what any other process has written.
 * A write has survived a crash when its promise resolves, as far as the store keeps what it has confirmed.
 */
export interface Accounts {
  /**
   * The account of a key, revoked or not. It comes as a promise only where it has to be asked for over a network. Throws
   * or rejects with CorruptAccount, or with StoreAway where it is not known here and cannot be asked for.
   */
  find(hash: string): Account | undefined | Promise<Account | undefined>
  /** The account of an id, revoked or not; undefined for a text of another form. Rejects with CorruptAccount or StoreFailure. */
  findById(id: string): Promise<Account | undefined>
  /** Stores an account unless its hash or its id is taken; answers whether it was stored. */
  add(hash: string, account: Account): Promise<boolean>
  /** Like `add`, but only while there is no account at all: of many callers at once, one succeeds. */
  addFirst(hash: string, account: Account): Promise<boolean>
  /**
   * Stores what `change` makes of the account of an id, whose id stays; answers it. It is found by the keys that `keys` gains,
   * and no more by those that it loses, the first one excepted. `change` is called with the hash of the first key, and again where
   * another process has changed the account meanwhile. Rejects with CorruptAccount.
   */
  change(id: string, change: (account: Account, hash: string) => Account): Promise<Account | undefined>
  /** All accounts, the oldest first, and those that cannot be read. */
  list(): Promise<AccountList>
  isEmpty(): Promise<boolean>
  /** Throws where accounts cannot be read at all. */
  check(): void
  /** All accounts as they are stored, by hash, for a copy: also those that cannot be read. */
  entries(): Promise<readonly StoredAccount[]>
  /** Stores accounts as they are, in the place of those with the same hash. */
  restore(entries: readonly StoredAccount[]): Promise<void>
}

export interface AccountList {
  readonly accounts: readonly Account[]
  readonly corrupt: readonly CorruptAccount[]
}

/** An account in the form in which it is stored. */
export interface StoredAccount {
  readonly hash: string
  readonly text: string
}

/** The window of an account after one request. */
export interface WindowUse {
  readonly allowed: boolean
  /** Requests left in the window. */
  readonly remaining: number
  /** Seconds until the window ends, at least 1. */
  readonly reset: number
  /** When the window ends, by the clock of the windows. */
  readonly ends: number
}

/**
 * Fixed windows per account. An answer comes as a promise where several nodes share the windows. Nothing here throws or
 * rejects: while the shared windows cannot be reached, those of this process count.
 */
export interface RateWindows {
  /**
   * Counts a request, or several, unless the account has fewer left in its window: then none is counted. The first request
   * opens the window.
   */
  take(account: Account, requests?: number): WindowUse | Promise<WindowUse>
  /** Counts one request, if the window is in this process; undefined, and nothing is counted, if the store has to be awaited. */
  takeNow?(account: Account): WindowUse | undefined
  /** The window of an account for a request that costs nothing. */
  peek(account: Account): WindowUse | Promise<WindowUse>
  /** Takes an allowed request off the count, for a reply that costs nothing. Without effect once its window has ended. */
  refund(account: Account, use: WindowUse): WindowUse
}

/**
 * Why a subscription is not counted: the account has as many as its plan holds, or has made so many new ones in its
 * window, which ends in `seconds`. Undefined where it is counted.
 */
export type SubscriptionLimit = 'plan' | { readonly seconds: number } | undefined

/**
 * The subscriptions of each account over all nodes. As for windows, an answer may be a promise, and nothing throws or
 * rejects. The subscriptions of a node that was killed end within seconds.
 */
export interface SubscriptionBounds {
  /**
   * Counts one more subscription, to `topic`, unless a bound is reached. In one window an account may subscribe to as many
   * topics as its plan holds; a topic that it had in the window already is not new.
   */
  reserve(account: Account, topic: string): SubscriptionLimit | Promise<SubscriptionLimit>
  /** Counts one less. */
  release(account: Account): void
}

/**
 * The requests that were answered with 202. Such a request costs one of the window when it is made first. Its repetitions
 * are free up to the one that is not answered with 202, one at a time: a second one beside it counts as a new request. As
 * for windows, an answer may be a promise, and nothing throws or rejects.
 */
export interface FreeRetries {
  /** Whether no request may be repeated. */
  isEmpty(): boolean
  /** Whether this is a repetition, which is free. It is not free again before `add`. */
  take(request: string): boolean | Promise<boolean>
  /** To be called when a request was answered with 202; the reply may be sent when the promise is resolved. */
  add(request: string): Promise<void> | undefined
}

/**
 * What a write changes, made from what is stored: keys with their bytes, or with undefined where they are removed.
 * `storedIsNewer` says that it is made once more, because other processes have written meanwhile: what they have written is
 * newer then.
 */
export type Changes = (
  storedIsNewer?: boolean,
) => Iterable<readonly [key: string, bytes: Uint8Array | undefined]>

/**
 * Bytes under keys of ASCII, in the order of their keys. Several processes may use the same ones: what another one
 * writes is seen within a second. Members throw a StoreFailure when the bytes cannot be read or written.
 *
 * What stands between the first and the second slash of a key is its series. Where the bytes are on another machine, the
 * other members answer from what was prepared.
 */
export interface KeyValueStore {
  /**
   * Loads the series of a key into memory; undefined where it is there. Without this member it always is. Rejects with
   * a StoreFailure where it cannot be read now.
   */
  prepare?(key: string): Promise<void> | undefined
  /** Loads the present keys `head/…` of all series into memory. Rejects with a StoreFailure. */
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
  /** Throws where that fails; what was appended before and is appended later is not concerned. */
  append(record: Uint8Array): void
  /** Removes what this process has appended, but for what is `remaining`, which stays or comes in its place in one step. */
  clear(remaining?: readonly Uint8Array[]): void
  /**
   * Calls `take` with the records of processes that ended before they could clear them; the function returned removes
   * these records. Those of running processes are left alone, and those that cannot be read are left to the next start:
   * the function throws the reason once it has removed the others.
   */
  recover(take: (record: Uint8Array) => void): () => void
  close(): void
}

/** Requests of an account, by what they asked for. */
export type RequestCounts = Readonly<Record<string, number>>

/** How many requests the accounts have made on each day, as YYYY-MM-DD in UTC. Members reject with a StoreFailure. */
export interface UsageStore {
  /**
   * Adds requests to those of a day, by the ids of accounts, some hundred accounts at a time. Forgets days before `first`, some
   * hundred rows at a time; a store that forgets them by a clock of its own ignores it.
   */
  add(day: string, requests: ReadonlyMap<string, RequestCounts>, first?: string): Promise<void>
  /** Number of accounts with requests on a day. */
  countOfDay(day: string): Promise<number>
  /** The requests of at most `limit` accounts on a day, in the order of their ids from `offset` on. */
  ofDay(day: string, offset?: number, limit?: number): Promise<ReadonlyMap<string, RequestCounts>>
  /** The requests of an account on some days, by day; days without any are left out. */
  ofAccount(account: string, days: readonly string[]): Promise<ReadonlyMap<string, RequestCounts>>
}

/** What the service must remember. */
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
  /** Why candles could not be written, until they can be written again. */
  readonly writeFailure: () => Error | undefined
  /** Bytes of the disk that are free for this user. Throws where the system does not say. */
  readonly freeBytes: () => number
  /** What several nodes share that use the store; undefined where it is this node's own. */
  readonly cluster?: Cluster
  /** Resolves when the store can be used. Rejects with StoreFailure where it cannot be. */
  ready(): Promise<void>
  /** The state of Redis that several nodes share; undefined where the store is this node's own. */
  readonly clusterState?: ClusterState
  close(): Promise<void>
}

/** What a node sees of Redis that it shares with others. */
export interface ClusterState {
  /** Whether it answers in time. While it does not, this node counts for itself and knows the accounts it has used. */
  readonly isUp: boolean
  /** Whether it has lost its data, or has those of another installation. It counts as away then. */
  readonly isLost: boolean
  /** How many other processes use it at present. Takes some seconds where there are others, because one may have just ended. */
  otherNodes(): Promise<number>
}

/** What a store reports to the process that has opened it. */
export interface StoreEvents {
  /** The shared Redis does not answer any more. */
  readonly onAway?: (reason: Error) => void
  /** It answers without the data of this installation, and counts as away until they are back or confirmed to be gone. */
  readonly onLost?: (reason: StoreLost) => void
  /** It answers again, after so many seconds. */
  readonly onReturn?: (seconds: number) => void
  /** A command of the shared Redis has ended after so many seconds. */
  readonly onCommand?: (outcome: 'ok' | 'failed', seconds: number) => void
  /** A request or a subscription was counted in memory, because the shared Redis is away. */
  readonly onCountedAlone?: () => void
  /** A message of another node on a channel of this kind could not be read, and was dropped. */
  readonly onDropped?: (channel: string, reason: Error) => void
}

/** The shared store cannot be reached at present. */
export class StoreAway extends NotShared {
  override readonly name = 'StoreAway'
}

/** What to do about a shared store that has lost its data. */
export const restoreStore =
  'restore its data, or run "candela store confirm" where it is meant to be as it is'

/** The shared store does not have the data of this installation. The message says what to do. */
export class StoreLost extends Error {
  override readonly name = 'StoreLost'
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

/** A named list of one account in the form in which it is stored. */
export interface StoredList {
  /** The id of the account. */
  readonly account: string
  /** Lower case. */
  readonly name: string
  readonly text: string
}

/**
 * The named lists of all accounts. Each write is one transaction: it has survived the end of the process when its promise resolves.
 * Rejects with a StoreFailure.
 */
export interface ListStore {
  /** Stores a list in the place of the one with its name; does nothing and answers false where the account has `most` others. */
  put(list: StoredList, most: number): Promise<boolean>
  find(account: string, name: string): Promise<string | undefined>
  /** Answers whether there was one. */
  remove(account: string, name: string): Promise<boolean>
  /** The lists of one account, or of all, in the order of their names. */
  list(account?: string): Promise<readonly StoredList[]>
}
