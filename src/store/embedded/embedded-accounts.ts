import type { Account } from '../../contract/account.js'
import type { Accounts } from '../../contract/storage/stores.js'
import { AccountRows, pointedAt, readAccount } from '../account-rows.js'
import type { LmdbRows } from './lmdb-rows.js'

/** Accounts in LMDB, found synchronously. `find` sees all commits of other processes. */
export class EmbeddedAccounts extends AccountRows implements Accounts {
  readonly #rows: LmdbRows

  constructor(rows: LmdbRows) {
    super(rows)
    this.#rows = rows
  }

  find(hash: string): Account | undefined {
    this.#rows.refresh()
    const text = this.#rows.getNow(hash)
    const first = text === undefined ? undefined : pointedAt(text)
    if (first === undefined) return text === undefined ? undefined : readAccount(hash, text)
    const pointed = this.#rows.getNow(first)
    return pointed === undefined ? undefined : readAccount(first, pointed)
  }

  check(): void {
    this.#rows.getNow('0')
  }
}
