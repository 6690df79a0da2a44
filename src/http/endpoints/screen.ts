import { z } from 'zod'
import type { Account } from '../../contract/account.js'
import { named } from '../../contract/fields.js'
import { breadthResult, screenResult } from '../../contract/replies.js'
import { breadthShape, screenShape } from '../../contract/requests.js'
import { formatShape } from '../../contract/table-format.js'
import type { MarketData } from '../../markets/history/market-data.js'
import type { Breadths } from '../../screens/breadth/breadths.js'
import { readBreadth } from '../../screens/breadth/request.js'
import { readScreen } from '../../screens/request.js'
import type { Caller, QueryHead, Reply } from '../reply.js'
import { type KeyRoute, maxShortBytes, post } from '../route.js'
import { breadthTable, screenTable } from '../tables/endpoint-tables.js'
import { replyFromMarkets, type ScannedDependencies } from './scanned-markets.js'

/** `POST /screen`: the markets of an exchange that meet a condition. */
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

interface BreadthDependencies extends ScannedDependencies {
  readonly breadths: Breadths
  readonly marketData: MarketData
}

/** `POST /breadth`: measures over the markets of an exchange. */
const postBreadth = (
  dependencies: BreadthDependencies,
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

const screenBody = named('Screen', () => z.strictObject(screenShape()))
const breadthBody = named('Breadth', () => z.strictObject(breadthShape()))

export const screenRoute: KeyRoute<ScannedDependencies> = post({
  path: '/screen',
  hasNoQuery: false,
  maxBytes: maxShortBytes,
  mayBePending: true,
  answer: (parts, { request, account, body }) => postScreen(parts, request, account, body),
  describe: () => ({
    id: 'screen',
    tag: 'Screens and signals',
    summary: 'The markets of an exchange at which a condition holds',
    description:
      'The first screen of an exchange fetches the candles of its markets under the exchange’s rate limit: during that it is pending (202), with `done` and `total`. Later ones are answered from memory.',
    query: formatShape(),
    body: screenBody(),
    replies: {
      200: {
        description: 'The matches.',
        schema: screenResult(),
        headers: ['Warning', 'Age', 'Preference-Applied'],
        isTable: true,
      },
    },
    statuses: [404],
  }),
})

export const breadthRoute: KeyRoute<BreadthDependencies> = post({
  path: '/breadth',
  hasNoQuery: false,
  maxBytes: maxShortBytes,
  mayBePending: true,
  answer: (parts, { request, account, body }) => postBreadth(parts, request, account, body),
  describe: () => ({
    id: 'breadth',
    tag: 'Screens and signals',
    summary: 'Measures over the markets of an exchange, by time',
    description:
      'The share of markets at which a condition holds, their number, the advance/decline line, the McClellan oscillator and others. A market counts at a candle where it has one and its values are defined. The first breadth over markets is pending (202) while their candles are fetched, with `done`, `total` and the `missing` symbols.',
    query: formatShape(),
    body: breadthBody(),
    replies: {
      200: {
        description: 'The values.',
        schema: breadthResult(),
        headers: ['Warning', 'Preference-Applied'],
        isTable: true,
      },
    },
    statuses: [404],
  }),
})
