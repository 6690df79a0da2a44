import { describe, expect, it } from 'vitest'
import type {
  BulkIndicator,
  IndicatorName,
  IndicatorParams,
  Subscription,
} from '../../../src/client/index.js'

// Wrong lines here must not compile: `npm run check` reports a directive that expects an error and finds none.
describe('the types of the client', () => {
  it('know the indicators and their parameters', () => {
    const names: readonly IndicatorName[] = ['rsi', 'doubletop', '3blackcrows']
    const rsi: IndicatorParams<'rsi'> = { period: 20, source: 'hl2' }
    const bulk: BulkIndicator = { id: 'a', indicator: 'macd', fastPeriod: 5, results: 'max' }
    const subscription: Subscription = {
      id: 'b',
      exchange: 'demo',
      symbol: 'BTCUSDT',
      timeframe: '1m',
      indicator: 'bbands',
      params: { stddev: 3 },
    }
    expect([names, rsi, bulk, subscription]).toHaveLength(4)
  })

  it('refuse a misspelled indicator, parameter, choice or timeframe', () => {
    const wrong = [
      // @ts-expect-error: no such indicator
      'rsii' satisfies IndicatorName,
      // @ts-expect-error: no such parameter
      { perid: 20 } satisfies IndicatorParams<'rsi'>,
      // @ts-expect-error: a number is expected
      { period: '20' } satisfies IndicatorParams<'rsi'>,
      // @ts-expect-error: no such choice
      { family: 'nosuch' } satisfies IndicatorParams<'pivotpoints'>,
      // @ts-expect-error: a parameter of another indicator
      { id: 'a', indicator: 'rsi', fastPeriod: 5 } satisfies BulkIndicator,
    ]
    expect(wrong).toHaveLength(5)
  })
})
