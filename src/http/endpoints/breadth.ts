import type { Account } from '../../contract/storage/stores.js'
import type { MarketData } from '../../markets/history/market-data.js'
import type { Breadths } from '../../screens/breadth/breadths.js'
import { readBreadth } from '../../screens/breadth/request.js'
import type { Caller, QueryHead, Reply } from '../reply.js'
import { breadthTable } from '../tables/endpoint-tables.js'
import { replyFromMarkets, type ScannedDependencies } from './scanned-markets.js'

interface Dependencies extends ScannedDependencies {
  readonly breadths: Breadths
  readonly marketData: MarketData
}

/** `POST /breadth`: measures over the markets of an exchange. */
export const postBreadth = (
  dependencies: Dependencies,
  head: QueryHead & Caller,
  account: Account,
  body: Uint8Array,
): Promise<Reply> =>
  replyFromMarkets(
    {
      kind: 'breadth',
      read: readBreadth,
      answer: (request, scan) => dependencies.breadths.answer(request, scan, account.id),
      table: breadthTable,
      pending: ({ markets }) => ({
        missing: markets
          .filter(market => !dependencies.marketData.recall(market))
          .map(({ symbol }) => symbol),
      }),
    },
    dependencies,
    head,
    account,
    body,
  )
