import { flags, indicator, period, sparse } from '../define.js'

export const demarkCounts = {
  tdsequential: indicator({
    title: 'Sequential Countdown (DeMark style)',
    description:
      'Counts closes above or below the close four candles earlier: a setup of nine and a countdown of thirteen mark moves that may be exhausted. The counts are read together with their perfection rules. In strong trends several counts complete before the turn.',
    related: ['rei', 'demarker', 'tdtrap'],
    otherNames: ['TD setup', 'DeMark 9'],
    namesElsewhere: { pandasta: 'td_seq', lean: 'TomDemarkSequential', taapi: 'tdsequential' },
    inputs: ['high', 'low', 'close'],
    outputs: [
      'buySetupIndex',
      'sellSetupIndex',
      'buyCountdownIndex',
      'sellCountdownIndex',
      flags('buySetup'),
      flags('sellSetup'),
      flags('buySetupPerfection'),
      flags('sellSetupPerfection'),
      flags('bullishFlip'),
      flags('bearishFlip'),
      sparse('TDSTBuy'),
      sparse('TDSTSell'),
    ],
    degree: { TDSTBuy: [1, 0], TDSTSell: [1, 0] },
    lookback: 5,
    // The buy and the sell side: `Sequential.size` of the kernel.
    state: 2 * 8,
    memory: 'whole',
    drawing: [
      { kind: 'count', outputs: ['buySetupIndex'], colour: 'up', at: 'below', from: 7 },
      { kind: 'count', outputs: ['sellSetupIndex'], colour: 'down', at: 'above', from: 7 },
      { kind: 'level', outputs: ['TDSTBuy'], colour: 'up', pane: 'price' },
      { kind: 'level', outputs: ['TDSTSell'], colour: 'down', pane: 'price' },
    ],
  }),
  demarker: indicator({
    title: 'DeMarker',
    description:
      'Compares new highs with new lows of the window, from 0 to 1. Above 0.7 and below 0.3 are the usual extremes. It looks at highs and lows only and does not notice where candles close.',
    related: ['rsi', 'rei', 'tdsequential'],
    otherNames: ['DEM'],
    namesElsewhere: { lean: 'DeMarkerIndicator' },
    inputs: ['high', 'low'],
    params: { period: period(14) },
    outputs: ['value'],
    lookback: p => p.period,
    scratch: 4,
    memory: 'finite',
    // DeMark, The New Science of Technical Analysis (1994).
    scale: { minimum: 0, maximum: 1, levels: [0.3, 0.7] },
  }),
  rei: indicator({
    title: 'Range Expansion Index',
    description:
      "DeMark's measure of moves over short spans, set to zero where a move does not overlap with earlier ones. Above 60 and below −60 for a few candles only marks exhaustion; longer stays are trends.",
    related: ['demarker', 'tdsequential'],
    tier: 2,
    inputs: ['high', 'low', 'close'],
    params: { period: period(5, 1) },
    outputs: ['value'],
    lookback: p => p.period + 7,
    scratch: 4,
    memory: 'finite',
    // DeMark, New Market Timing Techniques (1997).
    scale: { minimum: -100, maximum: 100, levels: [-60, 0, 60] },
  }),
}
