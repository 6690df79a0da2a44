import { expect, test } from 'vitest'
import * as refusals from '../../../src/contract/screen-refusals.js'
import * as tableRefusals from '../../../src/contract/table-refusals.js'

const table = { ...refusals, ...tableRefusals }

/** The arguments that each refusal is called with. One that is missing here is a type error. */
const examples: { [Name in keyof typeof table]: readonly Parameters<(typeof table)[Name]>[] } = {
  expressionOfWrongType: [
    ['where', 'boolean'],
    ['orderBy', 'number'],
  ],
  expressionFieldNotText: [
    ['where', undefined],
    ['select.rsi', 14],
  ],
  badSelectName: [['a b', ['symbol', 'timestamp']]],
  tooManySelected: [[12]],
  symbolsNotList: [['BTCUSDT']],
  symbolNotName: [[3, 5]],
  symbolsAndQuote: [[]],
  atAndBacktrack: [[]],
  topWithoutQuote: [[]],
  noVolumes: [['bitso']],
  noSymbolsOfQuote: [['binance', 'XYZ']],
  tooManyMarketsForPlan: [[3000, 1500]],
  tooManyScreens: [[2, 1]],
  tooManyLiveScreens: [[5]],
  duplicateScreen: [['dips']],
  screenNotFound: [['dips']],
  candlesLeftMemory: [[]],
  candlesOrMarket: [[]],
  badHorizons: [[[0], 5, 500]],
  malformedTable: [['CSV: line 2: a quotation mark is not closed']],
  tableWithoutColumns: [['no column for low']],
  tooManyTableCandles: [[15_000, 15_001]],
  tooManyTableMarkets: [[4]],
  wrongTableLine: [[3, 'high is "x", expected a number']],
}

test('the texts of refusals of screens, evaluations and tables', async () => {
  const texts = Object.fromEntries(
    Object.entries(examples).map(([name, calls]) => [
      name,
      calls.map(call =>
        (table[name as keyof typeof table] as (...args: readonly unknown[]) => unknown)(...call),
      ),
    ]),
  )
  await expect(`${JSON.stringify(texts, null, 2)}\n`).toMatchFileSnapshot('../../golden/screen-refusals.json')
})
