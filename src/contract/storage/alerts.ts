/**
 * Stored form of an alert over one market. `text` is the JSON that `src/alerts` writes and reads. An alert over several
 * markets is stored as one alert per market.
 */
export interface StoredAlert {
  readonly id: string
  /** Id of the account that owns the alert. */
  readonly account: string
  readonly text: string
}

/** Maximum numbers of alerts. */
export interface AlertBounds {
  readonly perAccount: number
  readonly total: number
}

/** Reason why alerts were not added. */
export type AddFailure = 'account' | 'total' | 'beside'

/** An alert that fired at a candle, with the text to deliver. */
export interface AlertFire {
  readonly alert: string
  readonly account: string
  /** Open time of the candle, in Unix seconds. */
  readonly candle: number
  readonly text: string
  /** Whether the message becomes a dead letter at once, because too many messages wait already. */
  readonly isDead: boolean
}

/** A message that was not delivered yet. Numbers increase with each stored message. */
export interface StoredDelivery {
  readonly number: number
  readonly account: string
  readonly text: string
}

/** Last fire of an alert at a candle that does not exist, for example because a clock was ahead. */
export interface VoidFire {
  readonly alert: string
  /** Open time of the candle that does not exist, in Unix seconds. */
  readonly candle: number
  /** Open time of the candle after which the alert fires again. */
  readonly after: number
}

/** Changes stored in one transaction after an evaluation of candles. */
export interface AlertCommit {
  /**
   * Open time of the newest closed candle at which the alerts of a market were evaluated, by market key. It moves back
   * if evaluated candles turn out not to exist or not to be closed.
   */
  readonly checkpoints: ReadonlyMap<string, number>
  readonly voidFires?: readonly VoidFire[]
  readonly fires: readonly AlertFire[]
}

/** State that a process needs to run the alerts. */
export interface AlertState {
  readonly alerts: readonly StoredAlert[]
  /** Open time of the newest candle at which an alert has fired, by alert id. */
  readonly fired: ReadonlyMap<string, number>
  readonly checkpoints: ReadonlyMap<string, number>
  /** Undelivered messages in the order of their numbers. */
  readonly due: readonly StoredDelivery[]
}

export interface AlertHistory {
  /** Open time of the newest candle at which the alert has fired. */
  readonly fired: number | undefined
  /** Texts of the deliveries, in order. */
  readonly due: readonly string[]
  /** Dead letters, oldest first. */
  readonly dead: readonly string[]
}

/** Lease of the process that runs the alerts. */
export interface AlertLease {
  /** Whether this process has the lease, until `alertLeaseMs` after the call. */
  readonly isHeld: boolean
  /** Version that changes whenever another process has added, changed or removed an alert. */
  readonly version: number
}

/** Duration of the lease after a call of `lease`, in milliseconds. */
export const alertLeaseMs = 10_000
/** Maximum number of dead letters per account. The newest ones are kept. */
export const maxDeadLetters = 1000

/**
 * Alerts of all accounts, their fires and the messages still to be delivered. Each member is one transaction: it
 * survives the end of the process once its promise resolves. Members reject with a StoreFailure.
 */
export interface AlertStore {
  /**
   * Stores new alerts of one account, all or none of them. Returns undefined if they are stored, else the reason of the
   * failure. The last argument is an alert that must already be stored with exactly its text.
   */
  add(
    alerts: readonly StoredAlert[],
    bounds: AlertBounds,
    beside?: StoredAlert,
  ): Promise<AddFailure | undefined>
  /** Replaces alerts of one account by id. Does nothing and returns false if an alert does not exist. */
  replace(alerts: readonly StoredAlert[]): Promise<boolean>
  /**
   * Removes the existing alerts among `ids`, with the record of their fires. Returns whether an alert was removed. Keeps
   * due deliveries.
   */
  remove(account: string, ids: readonly string[]): Promise<boolean>
  /** Returns the alerts of an account whose id is `id` or begins with `id` and a colon, in no particular order. */
  parts(account: string, id: string): Promise<readonly StoredAlert[]>
  /** Returns the alerts of one account, or of all accounts, in no particular order. */
  list(account?: string): Promise<readonly StoredAlert[]>
  /** Returns the open time of the newest candle at which an alert has fired, by id. Omits alerts that have not fired. */
  fired(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  state(): Promise<AlertState>
  /**
   * Stores checkpoints, reverts void fires, and stores fires with their deliveries. Returns the number of the delivery
   * per fire. The number is undefined for a dead letter and for a removed alert. It is also undefined if the alert has
   * already fired at this candle or a newer one.
   */
  commit(commit: AlertCommit): Promise<readonly (number | undefined)[]>
  /**
   * Removes the checkpoints of markets. An embedded store that cannot be written rejects even if there are no
   * checkpoints.
   */
  forget(markets: readonly string[]): Promise<void>
  /** Removes completed deliveries. */
  acknowledge(deliveries: readonly StoredDelivery[]): Promise<void>
  /** Replaces an abandoned delivery with a dead letter, unless the delivery is already removed. */
  deadLetter(delivery: StoredDelivery, deadText: string): Promise<void>
  deadLetters(account: string): Promise<readonly string[]>
  /** Stores an alert of another store, with its history. Replaces the alert with the same id. Ignores all bounds. */
  restore(alert: StoredAlert, history: AlertHistory): Promise<void>
  /** Takes or renews the lease to run the alerts. Call it every few seconds. */
  lease(): Promise<AlertLease>
  /** Gives up the lease. Never rejects. */
  release(): Promise<void>
  /** Sends a text to all processes that use the store, including this one. The text may be lost. */
  send(text: string): void
  /** Sets the only listener, which is called with each text sent from now on. */
  listen(listener: (text: string) => void): void
}
