import { expect, test } from 'vitest'
import * as refusals from '../../../src/contract/screen-refusals.js'

/** The refusals of alerts and of lists: the tests of the service check their texts. */
type Others = Extract<
  keyof typeof refusals,
  | `${string}${'Alert' | 'alert' | 'ebhook' | 'mail' | 'emplate' | 'elegram' | 'ormat' | 'List' | 'list'}${string}`
  | 'symbolAndScreen'
>

/** The arguments that each refusal is called with. One that is missing here is a type error. */
const examples: {
  [Name in Exclude<keyof typeof refusals, Others> | 'symbolsNotList']: readonly Parameters<
    (typeof refusals)[Name]
  >[]
} = {
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
}

const table = { ...refusals }

test('the texts of refusals of screens and evaluations', async () => {
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
