import { indicator, nameList } from '../define.js'

/** The searched patterns, in the order of assembly/kernels/pattern/candlepatterns.ts. */
const names = `
  2crows 3blackcrows 3inside 3linestrike 3outside 3starsinsouth 3whitesoldiers abandonedbaby advanceblock
  belthold breakaway closingmarubozu concealbabyswall counterattack darkcloudcover doji dojistar
  dragonflydoji engulfing eveningdojistar eveningstar gapsidesidewhite gravestonedoji hammer hangingman
  harami haramicross highwave hikkake hikkakemod homingpigeon identical3crows inneck invertedhammer kicking
  kickingbylength ladderbottom longleggeddoji longline marubozu matchinglow mathold morningdojistar
  morningstar onneck piercing rickshawman risefall3methods separatinglines shootingstar shortline
  spinningtop stalledpattern sticksandwich takuri tasukigap thrusting tristar unique3river upsidegap2crows
  xsidegap3methods tweezertop tweezerbottom insidebar outsidebar risingwindow fallingwindow pinbar
`
  .trim()
  .split(/\s+/)

export const patternLists = {
  candlepatterns: indicator({
    title: 'All candlestick patterns at once',
    description:
      "TA-Lib's candle patterns and a few more at once: how many are bullish or bearish, and their names. It spares dozens of requests. Several names for one candle are no better proof than one.",
    related: ['engulfing', 'hammer'],
    namesElsewhere: { pandasta: 'cdl_pattern' },
    inputs: ['open', 'high', 'low', 'close'],
    outputs: ['bullish', 'bearish', nameList('patterns', names)],
    lookback: 14,
    // The columns that assembly/parts/candles/pattern-block.ts names, with five sets of marks.
    scratch: 8,
    memory: 'finite',
    drawing: [
      {
        kind: 'mark',
        outputs: ['patterns'],
        // A pattern found at 15 or more of 1,000 candles of random walks (docs/pattern-rates.json) is no reason to look at a
        // market.
        except: [
          'engulfing',
          'spinningtop',
          'insidebar',
          'outsidebar',
          'shortline',
          'doji',
          'longleggeddoji',
          'harami',
          'hikkake',
          'highwave',
          'longline',
          'rickshawman',
          'belthold',
          'closingmarubozu',
          'pinbar',
          'haramicross',
          'tweezerbottom',
          'tweezertop',
          'dragonflydoji',
          'takuri',
          'gravestonedoji',
          'hammer',
          'marubozu',
          'matchinglow',
        ],
      },
    ],
  }),
}
