import { factor, indicator, integer, period } from '../define.js'
import { exponentialState } from '../exponential-average.js'
import {
  bandPass,
  chain,
  exponential,
  highPass,
  peakKeeps,
  secondHighPass,
  superSmoother,
  times,
  voss,
} from '../fading.js'
import { filterState } from '../recursive-filter.js'

// biome-ignore lint/suspicious/noApproximativeNumericConstant: the root of a half as the publication rounds it
const half = 0.707

export const cycleFilters = {
  highpass: indicator({
    title: 'High-pass Filter (1 pole)',
    description:
      'Takes slow moves out of the price and leaves cycles shorter than its period around zero. It is the first stage of several other filters. After a sharp move it needs some candles to come back to zero.',
    related: ['highpass2', 'decycler', 'roofing'],
    namesElsewhere: { talib: 'SWAK_HP (development)' },
    inputs: ['close'],
    params: { period: period(48, 5) },
    outputs: ['value'],
    degree: [1, 0],
    lookback: p => p.period - 1,
    state: filterState,
    memory: { fading: p => [highPass(p.period)] },
    scale: { levels: [0] },
  }),
  highpass2: indicator({
    title: 'High-pass Filter (2 poles)',
    description:
      'A high-pass filter with two poles: slow moves vanish more completely than with one. Around its period it shifts the swings.',
    related: ['highpass', 'roofing', 'ultimatesmoother'],
    inputs: ['close'],
    params: { period: period(48, 5), k: factor(half, 0.1, 1) },
    outputs: ['value'],
    degree: [1, 0],
    lookback: p => p.period - 1,
    state: filterState,
    memory: { fading: p => secondHighPass(p.period, p.k) },
    scale: { levels: [0] },
  }),
  bandpass: indicator({
    title: 'Band-pass Filter (Ehlers)',
    description:
      'Keeps only swings near its period, with a normalised form and a trigger. Crossings of zero and of the trigger give turns of that cycle. It shows a cycle of its period even where the market has none.',
    related: ['roofing', 'voss', 'emd'],
    inputs: ['close'],
    params: { period: period(20, 5), bandwidth: factor(0.3, 0.05, 0.7) },
    outputs: ['value', 'normalized', 'signal', 'trigger'],
    degree: { value: [1, 0] },
    lookback: p => p.period - 1,
    state: 3 * filterState + 1,
    memory: {
      fading: p =>
        chain([highPass((4 * p.period) / p.bandwidth)], bandPass(p.period, p.bandwidth), [
          highPass(p.period / p.bandwidth / 1.5),
          peakKeeps,
        ]),
    },
    scale: { levels: [0] },
    drawing: [
      { kind: 'line', outputs: ['normalized'], colour: 1 },
      { kind: 'line', outputs: ['trigger'], colour: 2 },
    ],
  }),
  roofing: indicator({
    title: 'Roofing Filter (Ehlers)',
    description:
      'A high-pass followed by a super smoother, so that only swings between two periods remain. It prepares prices for oscillators. The range of periods must suit the market.',
    related: ['highpass2', 'supersmoother', 'bandpass'],
    tier: 2,
    inputs: ['close'],
    params: { hpPeriod: period(48, 5), lpPeriod: period(10) },
    outputs: ['value'],
    degree: [1, 0],
    lookback: p => p.hpPeriod - 1,
    state: 2 * filterState,
    memory: { fading: p => chain(secondHighPass(p.hpPeriod), superSmoother(p.lpPeriod)) },
    scale: { levels: [0] },
  }),
  decycleroscillator: indicator({
    title: 'Decycler Oscillator (Ehlers)',
    description:
      'A high-pass filter of half the period over the decycler, in percent of the price: positive where the trend of medium length rises. It turns early for its smoothness. It has no scale that holds for all markets.',
    related: ['decycler', 'roofing'],
    inputs: ['close'],
    params: { hpPeriod: period(125, 10), k: factor(1, 0, 1000) },
    outputs: ['value'],
    lookback: p => p.hpPeriod - 1,
    state: 2 * filterState,
    memory: { fading: p => chain(secondHighPass(p.hpPeriod), secondHighPass(p.hpPeriod / 2)) },
    scale: { levels: [0] },
  }),
  reflex: indicator({
    title: 'Reflex (Ehlers)',
    description:
      'Measures how far the smoothed price is from a straight line over the window, in its own units of dispersion. It shows cycles with almost no lag. Trends pull it to one side.',
    related: ['trendflex', 'supersmoother'],
    inputs: ['close'],
    params: { period: period(20, 3) },
    outputs: ['value'],
    lookback: p => p.period,
    state: p => filterState + 1 + p.period,
    scratch: 3,
    memory: { fading: p => chain(superSmoother(p.period / 2), [0.96]) },
    scale: { levels: [0] },
  }),
  trendflex: indicator({
    title: 'Trendflex (Ehlers)',
    description:
      'The mean distance of the smoothed price from its values in the window, in units of dispersion. Above zero it rises. It is made for trends where Reflex is made for cycles.',
    related: ['reflex', 'roofing'],
    inputs: ['close'],
    params: { period: period(20, 3) },
    outputs: ['value'],
    lookback: p => p.period,
    state: p => filterState + 1 + p.period,
    scratch: 3,
    memory: { fading: p => chain(superSmoother(p.period / 2), [0.96]) },
    scale: { levels: [0] },
  }),
  voss: indicator({
    title: 'Voss Predictor (Ehlers)',
    description:
      'A band-pass filter and a predictor that runs ahead of it by some candles. Crossings of both come before turns of the cycle. The prediction assumes that the cycle continues.',
    related: ['bandpass'],
    inputs: ['close'],
    params: { period: period(20, 5), predict: integer(3, 1, 20), bandwidth: factor(0.25, 0.05, 0.7) },
    outputs: ['value', 'filter'],
    degree: [1, 0],
    lookback: p => Math.max(p.period - 1, 5),
    state: p => filterState + 3 * p.predict,
    scratch: 1,
    memory: { fading: p => chain(bandPass(p.period, p.bandwidth), voss(3 * p.predict)) },
    scale: { levels: [0] },
  }),
  emd: indicator({
    title: 'Empirical Mode Decomposition (Ehlers)',
    description:
      "Splits the price into a cycle and a trend and compares the trend with thresholds from the cycle's size. A trend line beyond them says trend, within them cycle. Thresholds react slowly.",
    related: ['bandpass', 'ht_trendmode'],
    tier: 2,
    inputs: ['high', 'low'],
    params: { period: period(20, 5, 200), delta: factor(0.5, 0.05, 0.6), fraction: factor(0.1, 0, 10) },
    outputs: ['upper', 'middle', 'lower'],
    degree: [1, 0],
    lookback: p => Math.max(2 * p.period, 50) - 1,
    state: p => filterState + 3 * (Math.max(2 * p.period, 50) - 1),
    scratch: 4,
    memory: { fading: p => bandPass(p.period, 2 * p.delta), window: p => p.period },
    scale: { levels: [0] },
  }),
  detrendedsyntheticprice: indicator({
    title: 'Detrended Synthetic Price',
    description:
      'The difference of two averages of the middle price set to a quarter and a half of a cycle. It swings around zero with that cycle. A wrong length gives a wrong picture.',
    related: ['dpo', 'macd'],
    tier: 2,
    namesElsewhere: { pandasta: 'dsp' },
    inputs: ['high', 'low'],
    params: { period: period(40, 4) },
    outputs: ['value'],
    degree: [1, 0],
    lookback: p => Math.max(3, Math.floor((p.period + 1) / 2)) - 1,
    state: 2 * exponentialState,
    scratch: 2,
    memory: { fading: p => times(2, exponential(Math.max(3, Math.floor((p.period + 1) / 2)))) },
    scale: { levels: [0] },
  }),
}
