import { averageKeeps, averageLookback, averageState, variableState } from '../average.js'
import { atMost, indicator, maType, period } from '../define.js'

export const chosenAverages = {
  ma: indicator({
    title: 'Moving Average',
    description:
      "Any kind of moving average under one name: TA-Lib's by number and many others by name. It serves programs that let a user choose. Each kind keeps its own lag and its own warm-up.",
    related: ['sma', 'ema', 'mavp', 'maenvelope'],
    namesElsewhere: { talib: 'MA', pandasta: 'ma', taapi: 'ma' },
    inputs: ['close'],
    params: { period: period(30, 1), maType: maType() },
    outputs: ['value'],
    lookback: p => averageLookback(p.maType, p.period),
    state: p => averageState(p.maType, p.period),
    scratch: 3,
    memory: { fading: p => averageKeeps(p.maType, p.period) },
    overlay: true,
  }),
  mavp: indicator({
    title: 'Moving average with variable period',
    description:
      'A moving average whose length may differ from candle to candle, taken from a second column. Adaptive systems use it with a measured cycle. The result is as good as the lengths that it is given.',
    related: ['ma', 'vlma'],
    namesElsewhere: { talib: 'MAVP', pandasta: 'mavp', taapi: 'mavp' },
    inputs: ['close', 'volume'],
    sources: 2,
    params: { minPeriod: period(2, 2, 255), maxPeriod: period(30, 2, 255), maType: maType() },
    relations: [atMost('minPeriod', 'maxPeriod')],
    outputs: ['value'],
    degree: 'free',
    lookback: p => averageLookback(p.maType, p.maxPeriod),
    state: p => variableState(p.maType, p.minPeriod, p.maxPeriod),
    scratch: 7,
    // All averages at each candle, over all of these values.
    work: p => (p.maType === 'naturalma' ? 0.5 : 0.15) * (p.maxPeriod ** 2 - (p.minPeriod - 1) ** 2),
    memory: { fading: p => averageKeeps(p.maType, p.maxPeriod) },
    overlay: true,
  }),
}
