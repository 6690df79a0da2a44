import { indicator, period } from './define.js'
import { hilbertState } from './hilbert.js'

const { cycle: cycleState, phase: phaseState, trend: trendState } = hilbertState

export const cycle = {
  ht_dcperiod: indicator({
    title: 'Hilbert Transform – Dominant Cycle Period',
    inputs: ['close'],
    outputs: ['value'],
    lookback: 32,
    state: cycleState,
    memory: 'fading',
  }),
  ht_dcphase: indicator({
    title: 'Hilbert Transform – Dominant Cycle Phase',
    inputs: ['close'],
    outputs: ['value'],
    lookback: 63,
    state: cycleState + phaseState,
    memory: 'fading',
  }),
  ht_phasor: indicator({
    title: 'Hilbert Transform – Phasor Components',
    inputs: ['close'],
    outputs: ['valueInPhase', 'valueQuadrature'],
    degree: [1, 0],
    lookback: 32,
    state: cycleState,
    memory: 'fading',
  }),
  ht_sine: indicator({
    title: 'Hilbert Transform – SineWave',
    inputs: ['close'],
    outputs: ['valueSine', 'valueLeadSine'],
    lookback: 63,
    state: cycleState + phaseState,
    memory: 'fading',
  }),
  ht_trendmode: indicator({
    title: 'Hilbert Transform – Trend vs Cycle Mode',
    inputs: ['close'],
    outputs: ['value'],
    lookback: 63,
    // The sine, the lead sine and the candles since the lines crossed.
    state: cycleState + phaseState + trendState + 3,
    memory: 'fading',
  }),
  msw: indicator({
    title: 'Mesa Sine Wave',
    inputs: ['close'],
    params: { period: period(25) },
    outputs: ['msw_sine', 'msw_lead'],
    lookback: p => p.period,
    scratch: 2,
    memory: 'finite',
  }),
}
