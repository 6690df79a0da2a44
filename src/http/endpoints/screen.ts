import type { Account } from '../../contract/storage/stores.js'
import { readScreen } from '../../screens/request.js'
import type { Caller, QueryHead, Reply } from '../reply.js'
import { screenTable } from '../tables/endpoint-tables.js'
import { replyFromMarkets, type ScannedDependencies } from './scanned-markets.js'

/** `POST /screen`: the markets of an exchange at which a condition holds. */
export const postScreen = (
  dependencies: ScannedDependencies,
  head: QueryHead & Caller,
  account: Account,
  body: Uint8Array,
): Promise<Reply> =>
  replyFromMarkets(
    {
      kind: 'screen',
      read: readScreen,
      answer: (request, scan) => dependencies.screener.answer(request, scan, account.id),
      table: screenTable,
    },
    dependencies,
    head,
    account,
    body,
  )
