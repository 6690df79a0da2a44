import { factor, indicator, period, startingAfter } from '../define.js'
import { chain, highPass, peakKeeps, superSmoother, times } from '../fading.js'
import { filterState } from '../recursive-filter.js'

/** Candles before the first whole window. */
const first = (p: { readonly period: number }) => p.period - 1

export const cycleOscillators = {
  cog: indicator({
    title: 'Center of Gravity',
    description:
      "Ehlers' centre of gravity of the window: it turns with hardly any lag. Crossings with its own last value mark small swings. There are many, and nothing tells which matter.",
    related: ['fisher', 'cybercycle', 'dpo'],
    namesElsewhere: { talib: 'CG (development)', pandasta: 'cg' },
    inputs: ['close'],
    params: { period: period(10) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 2,
    memory: 'finite',
  }),
  cybercycle: indicator({
    title: 'Cyber Cycle (Ehlers)',
    description:
      "Ehlers' cycle component of the price with a trigger one candle behind. Crossings mark turns of short cycles. In trends they come against the trend.",
    related: ['itrend', 'cog'],
    tier: 2,
    inputs: ['high', 'low'],
    params: { alpha: factor(0.07, 0.01, 0.99) },
    outputs: ['value', 'trigger'],
    degree: [1, 0],
    lookback: 6,
    state: filterState + 4,
    scratch: 2,
    memory: { fading: p => times(2, 1 - p.alpha) },
    scale: { levels: [0] },
  }),
  ebsw: indicator({
    title: 'Even Better Sinewave (Ehlers)',
    description:
      'A filtered price divided by its own power, which swings between −1 and 1. Near 1 a rise can be held, near −1 a fall. It snaps to an end in trends and flips in noise.',
    related: ['ht_sine', 'roofing'],
    namesElsewhere: { pandasta: 'ebsw' },
    inputs: ['close'],
    params: { hpPeriod: period(40, 5), ssfPeriod: period(10) },
    outputs: ['value'],
    lookback: p => p.hpPeriod - 1,
    state: 2 * filterState + 2,
    memory: { fading: p => chain([highPass(p.hpPeriod)], superSmoother(p.ssfPeriod)) },
    scale: { minimum: -1, maximum: 1, levels: [0] },
  }),
  universaloscillator: indicator({
    title: 'Universal Oscillator (Ehlers)',
    description:
      'A whitened and smoothed price scaled by its recent peak to −1 … 1. Crossings of zero follow short swings. The scaling makes quiet markets look as lively as wild ones.',
    related: ['ebsw', 'roofing'],
    tier: 3,
    inputs: ['close'],
    params: { period: period(20) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    state: filterState + 3,
    memory: { fading: p => chain(superSmoother(p.period), [peakKeeps]) },
    scale: { minimum: -1, maximum: 1, levels: [0] },
  }),
  msw: indicator({
    title: 'Mesa Sine Wave',
    description:
      "The MESA sine wave with a lead line, from a fixed length; Tulip's differs by its short π, about 1e-7, and on prices of a few thousandths. Crossings mark turns in a market that swings with that length. Other lengths give noise.",
    related: ['ht_sine', 'ebsw'],
    namesElsewhere: { tulip: 'msw', pandasta: 'msw', taapi: 'msw' },
    inputs: ['close'],
    params: { period: period(25) },
    outputs: ['msw_sine', 'msw_lead'],
    lookback: p => p.period,
    scratch: 2,
    memory: 'finite',
    scale: { minimum: -1, maximum: 1, levels: [0] },
  }),
  correlationcycle: indicator({
    title: 'Correlation Cycle (Ehlers)',
    description:
      'Correlates the price with a cosine and a sine of the period to get an angle and a state: trend up, trend down or cycle. The angle advances in a cycle and stops in a trend. The period must be near the real one.',
    related: ['ht_dcphase', 'ht_trendmode'],
    inputs: ['close'],
    params: { period: period(20, 3), threshold: factor(9, 0, 360) },
    outputs: [
      startingAfter(first, 'real'),
      startingAfter(first, 'imag'),
      startingAfter(first, 'angle'),
      'state',
    ],
    lookback: p => p.period,
    state: p => 1 + 2 * p.period,
    scratch: 2,
    memory: 'whole',
    drawing: [
      { kind: 'line', outputs: ['real'], colour: 1 },
      { kind: 'line', outputs: ['imag'], colour: 2 },
    ],
  }),
}
