/**
 * An alert over one market in the form in which it is stored: `text` is the JSON that `src/alerts` writes and reads. An
 * alert over several markets is stored as one for each of them.
 */
export interface StoredAlert {
  readonly id: string
  /** The id of the account that it belongs to. */
  readonly account: string
  readonly text: string
}

/** How many alerts there may be. */
export interface AlertBounds {
  readonly perAccount: number
  readonly total: number
}

/** Why alerts were not added. */
export type AddFailure = 'account' | 'total' | 'beside'

/** An alert that fired at a candle, with what is to be delivered. */
export interface AlertFire {
  readonly alert: string
  readonly account: string
  /** The open time of the candle, in Unix seconds. */
  readonly candle: number
  readonly text: string
  /** Whether it goes to the dead letters at once, because too much waits already. */
  readonly isDead: boolean
}

/** Something that was not delivered yet. Its number is greater than that of all that were stored before. */
export interface StoredDelivery {
  readonly number: number
  readonly account: string
  readonly text: string
}

/** An alert had fired last at a candle that does not exist, such as one that was shown while a clock was ahead. */
export interface VoidFire {
  readonly alert: string
  /** The open time of this candle, in Unix seconds. */
  readonly candle: number
  /** The open time of the candle after which the alert fires again. */
  readonly after: number
}

/** What is stored at once when candles were looked at. */
export interface AlertCommit {
  /**
   * By the key of a market, the open time of the newest closed candle at which its alerts were evaluated. It is older than
   * the one before where candles that were evaluated turned out not to exist, or not to be closed.
   */
  readonly checkpoints: ReadonlyMap<string, number>
  readonly voidFires?: readonly VoidFire[]
  readonly fires: readonly AlertFire[]
}

/** All that a process needs to run the alerts. */
export interface AlertState {
  readonly alerts: readonly StoredAlert[]
  /** By alert, the newest candle at which it has fired. */
  readonly fired: ReadonlyMap<string, number>
  readonly checkpoints: ReadonlyMap<string, number>
  /** In the order of their numbers. */
  readonly due: readonly StoredDelivery[]
}

/** What an alert has done in another store. */
export interface AlertHistory {
  /** The newest candle at which it has fired. */
  readonly fired: number | undefined
  /** Texts of deliveries, in their order. */
  readonly due: readonly string[]
  /** Dead letters, the oldest first. */
  readonly dead: readonly string[]
}

/** Which process runs the alerts. */
export interface AlertLease {
  /** Whether it is this one, until `alertLeaseMs` after the call. */
  readonly isHeld: boolean
  /** Changes whenever another process has added, changed or removed an alert. */
  readonly version: number
}

/** How long a process runs the alerts alone after it has asked for the lease, in milliseconds. */
export const alertLeaseMs = 10_000
/** Dead letters that are kept of each account: the newest ones. */
export const maxDeadLetters = 1000

/**
 * The alerts of all accounts, what they have fired and what is still to be delivered. Each member is one transaction: it
 * has survived the end of the process when its promise resolves. Rejects with a StoreFailure.
 */
export interface AlertStore {
  /**
   * Stores new alerts of one account, all or none of them. Answers which bound would be exceeded, or `beside` where
   * this alert is given and not stored with just this text; undefined where they are stored.
   */
  add(
    alerts: readonly StoredAlert[],
    bounds: AlertBounds,
    beside?: StoredAlert,
  ): Promise<AddFailure | undefined>
  /** Stores alerts of one account in the place of those with their ids; does nothing and answers false where one is not there. */
  replace(alerts: readonly StoredAlert[]): Promise<boolean>
  /** Removes those that are there of some alerts, with what they have fired; answers whether there was one. What is due stays. */
  remove(account: string, ids: readonly string[]): Promise<boolean>
  find(account: string, id: string): Promise<StoredAlert | undefined>
  /** Of an account, the alerts with this id, and with this id and a colon before something else; in no order. */
  parts(account: string, id: string): Promise<readonly StoredAlert[]>
  /** The alerts of one account, or of all, in no order. */
  list(account?: string): Promise<readonly StoredAlert[]>
  /** By alert, the newest candle at which those of some alerts have fired that have. */
  fired(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  state(): Promise<AlertState>
  /**
   * Stores checkpoints, takes back void fires, and stores fires with their deliveries. Answers the numbers of the deliveries by fire:
   * undefined where the alert is gone or has fired at this candle or a newer one before, and where it is a dead letter.
   */
  commit(commit: AlertCommit): Promise<readonly (number | undefined)[]>
  /** Removes the checkpoints of markets. An embedded store that cannot be written rejects even where there are none. */
  forget(markets: readonly string[]): Promise<void>
  /** Removes deliveries that are done. */
  acknowledge(deliveries: readonly StoredDelivery[]): Promise<void>
  /** Puts a dead letter in the place of a delivery that was given up, unless this was removed before. */
  deadLetter(delivery: StoredDelivery, deadText: string): Promise<void>
  /** The dead letters of an account, the newest first. */
  deadLetters(account: string): Promise<readonly string[]>
  /** Stores an alert of another store with what it has done there; replaces the one with its id. No bound holds. */
  restore(alert: StoredAlert, history: AlertHistory): Promise<void>
  /** Takes or renews the right to run the alerts. To be called every few seconds. */
  lease(): Promise<AlertLease>
  /** Gives it up. Never rejects. */
  release(): Promise<void>
  /** Sends a text to all processes that use the store, this one included. It may be lost. */
  send(text: string): void
  /** Calls `listener` with each text that is sent from now on; there is one listener. */
  listen(listener: (text: string) => void): void
}
