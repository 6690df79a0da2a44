import { atMost, indicator, integer, period, sparse } from '../define.js'
import { chain, secondHighPass, superSmoother } from '../fading.js'

const even = (count: number) => count + (count % 2)

export const cyclePeriods = {
  autocorrelationperiodogram: indicator({
    title: 'Autocorrelation Periodogram (Ehlers)',
    description:
      "Finds the dominant cycle from how the price correlates with itself at many lags. It is the most reliable of Ehlers' measurements and the most costly. It needs a long history and says little in trends.",
    related: ['ht_dcperiod', 'acf'],
    tier: 2,
    otherNames: ['ACP', 'Ehlers periodogram'],
    inputs: ['close'],
    params: { minPeriod: period(10, 2, 100), maxPeriod: period(48, 8, 120), avgLength: integer(3, 0, 60) },
    relations: [atMost('minPeriod', 'maxPeriod')],
    // Missing before the filter has moved, and where each correlation is that of a single value.
    outputs: [sparse('value')],
    lookback: p => p.maxPeriod + (p.avgLength > 0 ? p.avgLength : p.maxPeriod) - 1,
    // Two filters, the peak and the last value; powers and cosines of the periods; the filtered values that are read again.
    state: p =>
      28 +
      2 * even(p.maxPeriod - p.minPeriod + 1) +
      p.maxPeriod +
      (p.avgLength > 0 ? p.avgLength : p.maxPeriod) -
      1,
    scratch: 3,
    work: p => 0.4 * p.maxPeriod ** 2 + 0.5 * p.maxPeriod * (p.avgLength > 0 ? p.avgLength : p.maxPeriod),
    memory: { fading: p => chain(secondHighPass(p.maxPeriod), superSmoother(p.minPeriod), [0.8, 0.995]) },
  }),
  moonphase: indicator({
    title: 'Moon Phase',
    description:
      'The phase of the moon at the time of a candle, and the part that is lit. Some compare markets with it. No effect on prices has been shown.',
    related: ['sessions'],
    tier: 3,
    inputs: ['timestamp'],
    outputs: ['value', 'illumination'],
    lookback: 0,
    memory: 'finite',
  }),
}
