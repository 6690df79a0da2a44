import type { About } from '../about.js'
import { choice, factor, indicator, integer, period, startingAfter } from '../define.js'
import {
  bandPass,
  dominantCycle,
  gaussian,
  highPass,
  type Keeps,
  laguerre,
  secondHighPass,
  superSmoother,
  thirdSuperSmoother,
  times,
} from '../fading.js'
import { hilbertState } from '../hilbert.js'
import { filterState } from '../recursive-filter.js'

/** A filter over the values that is printed once the influence of its start has mostly faded. */
const smoother = (about: About, length: number, keeps: (period: number) => Keeps) =>
  indicator({
    ...about,
    inputs: ['close'],
    params: { period: period(length) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    state: filterState,
    memory: { fading: p => keeps(p.period) },
    overlay: true,
    averageType: true,
  })

export const smoothingFilters = {
  supersmoother: smoother(
    {
      title: 'Super Smoother (2 poles)',
      description:
        "Ehlers' low-pass filter with two poles: it removes swings shorter than its period with less lag than an average of the same smoothness. It is often the first stage of his indicators. At the start of data it needs a period to settle.",
      related: ['ultimatesmoother', 'butterworth2', 'roofing'],
      namesElsewhere: { pandasta: 'ssf' },
    },
    10,
    superSmoother,
  ),
  supersmoother3: smoother(
    {
      title: 'Super Smoother (3 poles)',
      description:
        'The super smoother with three poles. It cuts off short swings more sharply than with two. It lags somewhat more, and swings past sharp turns.',
      related: ['supersmoother', 'butterworth3'],
    },
    14,
    thirdSuperSmoother,
  ),
  ultimatesmoother: smoother(
    {
      title: 'Ultimate Smoother (Ehlers)',
      description:
        'The price less what a high-pass filter takes out, so that slow moves pass without any lag. It follows trends exactly. Some noise around the period passes through.',
      related: ['supersmoother', 'highpass2'],
      tier: 2,
    },
    20,
    superSmoother,
  ),
  butterworth2: smoother(
    {
      title: 'Butterworth Filter (2 poles)',
      description:
        'The classic electrical filter with two poles, flat for slow swings and falling off for fast ones. It is the measure by which other smoothers are judged. Its lag grows with the period.',
      related: ['supersmoother', 'butterworth3'],
      tier: 2,
    },
    15,
    superSmoother,
  ),
  butterworth3: smoother(
    {
      title: 'Butterworth Filter (3 poles)',
      description:
        'The classic filter with three poles: a sharper cut than with two, so that short swings vanish more completely. It lags more.',
      related: ['butterworth2', 'supersmoother3'],
      tier: 2,
    },
    15,
    thirdSuperSmoother,
  ),
  gaussianfilter: indicator({
    title: 'Gaussian Filter (Ehlers)',
    description:
      'One to four equal exponential stages set to a given cut-off period. More poles smooth better and lag a little more. It never overshoots, and it is never ahead.',
    related: ['butterworth2', 'alma'],
    namesElsewhere: { talib: 'SWAK_GAUSS (development)' },
    inputs: ['close'],
    params: { period: period(14), poles: integer(4, 1, 4) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    state: 5,
    memory: { fading: p => gaussian(p.period, p.poles) },
    overlay: true,
    averageType: true,
  }),
  decycler: indicator({
    title: 'Decycler (Ehlers)',
    description:
      'The price less its short cycles, found by a high-pass filter of two poles. What is left is the trend with nearly no lag. It is only a little smoother than the price.',
    related: ['decycleroscillator', 'highpass2'],
    inputs: ['close'],
    params: { hpPeriod: period(125) },
    outputs: ['value'],
    lookback: p => p.hpPeriod - 1,
    state: filterState,
    memory: { fading: p => secondHighPass(p.hpPeriod) },
    overlay: true,
  }),
  itrend: indicator({
    title: 'Instantaneous Trendline (Ehlers)',
    description:
      "Ehlers' trendline without lag for slow moves, with a trigger line that runs ahead. Crossings give the direction. In short cycles they come one after another.",
    related: ['supersmoother', 'pma'],
    inputs: ['high', 'low'],
    params: { alpha: factor(0.07, 0.01, 0.99) },
    outputs: ['value', 'trigger'],
    lookback: 6,
    state: filterState + 2,
    scratch: 1,
    memory: { fading: p => times(2, 1 - p.alpha) },
    overlay: true,
  }),
  ht_trendline: indicator({
    title: 'Hilbert Transform – Instantaneous Trendline',
    description:
      'A line that averages the price over the measured dominant cycle, which removes that cycle. The price crossing it shows the change between cycle and trend. Its length follows a measurement that is uncertain in trends.',
    related: ['ht_dcperiod', 'mama', 'itrend'],
    otherNames: ['Hilbert trendline'],
    namesElsewhere: {
      talib: 'HT_TRENDLINE',
      pandasta: 'ht_trendline',
      skender: 'HTL',
      taapi: 'ht_trendline',
    },
    inputs: ['close'],
    outputs: ['value'],
    lookback: 63,
    state: hilbertState.cycle + hilbertState.trend,
    memory: { fading: () => dominantCycle },
    overlay: true,
  }),
  laguerrefilter: indicator({
    title: 'Laguerre Filter (Ehlers)',
    description:
      'A filter of four stages that stretches a few candles into long smoothing. One setting sets how much. With high settings it lags badly.',
    related: ['adaptivelaguerre', 'laguerrersi'],
    tier: 2,
    inputs: ['high', 'low'],
    params: { gamma: factor(0.8, 0, 0.99) },
    outputs: ['value'],
    lookback: 3,
    state: 4,
    memory: { fading: p => laguerre(p.gamma) },
    overlay: true,
  }),
  adaptivelaguerre: indicator({
    title: 'Adaptive Laguerre Filter (Ehlers)',
    description:
      'The Laguerre filter with a setting that follows how well it fits the price of late. It is quick after sudden moves and smooth in between. Its path depends on all of the past.',
    related: ['laguerrefilter', 'kama'],
    tier: 2,
    inputs: ['high', 'low'],
    params: { period: period(20), medianPeriod: period(5, 1, 50) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    state: p => 7 + p.period + p.medianPeriod,
    scratch: 1,
    work: p => 6 * p.period + 20 * p.medianPeriod,
    memory: 'whole',
    overlay: true,
  }),
  swissarmyknife: indicator({
    title: 'Swiss Army Knife (Ehlers)',
    description:
      'One formula of Ehlers that becomes several filters by its settings: smoothers, a high-pass, a band-pass. It is a tool for comparing them. Filters like these are also indicators of their own here.',
    related: ['gaussianfilter', 'highpass', 'bandpass', 'butterworth2'],
    tier: 2,
    namesElsewhere: { talib: 'SWAK_2PHP, SWAK_BP, SWAK_BUTTER', lean: 'SwissArmyKnife' },
    inputs: ['close'],
    params: {
      type: choice('gauss', 'butter', 'hp', '2php', 'bp'),
      period: period(20, 5),
      delta: factor(0.1, 0.01, 0.3),
    },
    outputs: ['value'],
    lookback: p => p.period - 1,
    state: filterState + 1,
    memory: {
      fading: p =>
        p.type === 'hp'
          ? [highPass(p.period)]
          : p.type === 'bp'
            ? bandPass(p.period, 2 * p.delta)
            : gaussian(p.period, 2),
    },
    overlay: true,
  }),
  pma: indicator({
    title: 'Predictive Moving Average (Ehlers)',
    description:
      "Ehlers' predictive average: a weighted mean corrected by its own lag, with a trigger line. Crossings of both come early. The prediction is an extension of the last slope, no more.",
    related: ['wma', 'zlema'],
    tier: 2,
    inputs: ['high', 'low'],
    outputs: [startingAfter(() => 12, 'value'), 'trigger'],
    lookback: 15,
    scratch: 4,
    memory: 'finite',
    overlay: true,
  }),
}
