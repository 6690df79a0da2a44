import { choice, factor, flags, indicator, period, signal, sparse } from '../define.js'
import { exponentialState } from '../exponential-average.js'
import { swingLookback, swingSpans } from '../pivots.js'

const bounds = [sparse('top'), sparse('bottom')]

export const priceLevels = {
  previoushighlow: indicator({
    title: 'Previous high and low',
    description:
      'The high and low of the day, week or month before, and whether they were passed. They are the levels that most people see. Breaks of them fail about as often as they hold.',
    related: ['sessions', 'pivotpoints'],
    inputs: ['high', 'low', 'timestamp'],
    params: { anchor: choice('day', 'week', 'month') },
    outputs: [sparse('high'), sparse('low'), flags('brokenHigh'), flags('brokenLow')],
    lookback: 0,
    // `Span` of the kernel.
    state: 8,
    memory: 'whole',
    overlay: true,
    drawing: [{ kind: 'level', outputs: ['high', 'low'], colour: 1 }],
  }),
  sessions: indicator({
    title: 'Session range',
    description:
      "The high and low of a trading session such as London or New York. Breaks of an early session's range are traded in later ones. The hours are fixed in UTC and take no notice of daylight saving.",
    related: ['previoushighlow', 'openinggap'],
    inputs: ['high', 'low', 'timestamp'],
    params: { session: { ...choice('asia', 'london', 'newyork'), default: 'london' } },
    outputs: [flags('active'), sparse('high'), sparse('low')],
    lookback: 0,
    state: 3,
    memory: 'whole',
    overlay: true,
    drawing: [{ kind: 'steps', outputs: ['high', 'low'], colour: 1 }],
  }),
  trendlines: indicator({
    title: 'Automatic trendlines',
    description:
      'The line through the last two swing highs where the newer is lower, and through the last two lows where the newer is higher, drawn on to the present, and breaks of them. They are drawn the same way each time, unlike by hand. Two points are a weak base for a line.',
    related: ['supportresistance', 'linearreg'],
    namesElsewhere: { ta4j: 'TrendLineResistance' },
    inputs: ['high', 'low', 'close'],
    params: swingSpans,
    outputs: [sparse('upper'), sparse('lower'), signal('breakValue')],
    lookback: swingLookback,
    // Two lines: `Line` of the kernel.
    state: 6,
    memory: 'whole',
    overlay: true,
    drawing: [
      { kind: 'trendline', outputs: ['upper'], colour: 'down' },
      { kind: 'trendline', outputs: ['lower'], colour: 'up' },
      { kind: 'mark', outputs: ['breakValue'] },
    ],
  }),
  darvasbox: indicator({
    title: 'Darvas box',
    description:
      "A box between a high that held for three candles and the lowest low around it. A close above is Darvas' entry. In ranges boxes break both ways.",
    related: ['donchianchannels', 'consolidation'],
    inputs: ['high', 'low', 'close'],
    params: { period: period(5, 3, 400) },
    outputs: [sparse('top'), sparse('bottom'), signal('breakValue')],
    lookback: p => 2 * p.period - 2,
    state: 2,
    memory: 'whole',
    overlay: true,
  }),
  consolidation: indicator({
    title: 'Consolidation range',
    description:
      'A stretch in which closes stay within a narrow range, and its limits. Breakouts from it are traded. Many are short and false.',
    related: ['rectangle', 'squeeze'],
    inputs: ['high', 'low', 'close'],
    params: { period: period(20), widthATR: factor(2, 0, 100), atrPeriod: period(14, 1) },
    outputs: [flags('inside'), ...bounds, signal('breakValue')],
    lookback: p => Math.max(p.period - 1, p.atrPeriod),
    state: exponentialState + 2,
    scratch: 4,
    memory: 'whole',
    overlay: true,
  }),
  tdrangeprojection: indicator({
    title: 'TD Range Projection',
    description:
      "DeMark's forecast of the next candle's high and low from the present one. It serves as a target for the day. News ignores it.",
    related: ['pivotsdemark'],
    tier: 3,
    inputs: ['open', 'high', 'low', 'close'],
    outputs: ['high', 'low'],
    lookback: 1,
    memory: 'finite',
    overlay: true,
    drawing: [{ kind: 'level', outputs: ['high', 'low'], colour: 1, ahead: 1 }],
  }),
}
