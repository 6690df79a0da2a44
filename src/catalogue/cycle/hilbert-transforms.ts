import { indicator } from '../define.js'
import { dominantCycle } from '../fading.js'
import { hilbertState } from '../hilbert.js'

const { cycle: cycleState, phase: phaseState, trend: trendState } = hilbertState

export const hilbertTransforms = {
  ht_dcperiod: indicator({
    title: 'Hilbert Transform – Dominant Cycle Period',
    description:
      'Measures how many candles the dominant cycle of the price takes, by a Hilbert transform. Other tools use the result as their length. In trends there is no cycle, and the number wanders.',
    related: ['ht_dcphase', 'ht_phasor', 'autocorrelationperiodogram', 'mama'],
    otherNames: ['Homodyne discriminator'],
    namesElsewhere: { talib: 'HT_DCPERIOD', pandasta: 'ht_dcperiod', taapi: 'ht_dcperiod' },
    inputs: ['close'],
    outputs: ['value'],
    lookback: 32,
    state: cycleState,
    memory: { fading: () => dominantCycle },
  }),
  ht_dcphase: indicator({
    title: 'Hilbert Transform – Dominant Cycle Phase',
    description:
      'The phase of the dominant cycle in degrees: where in its swing the market is. A steady advance means a clean cycle. In trends the phase stands still or runs backwards.',
    related: ['ht_dcperiod', 'ht_sine', 'correlationcycle'],
    namesElsewhere: { talib: 'HT_DCPHASE', pandasta: 'ht_dcphase', taapi: 'ht_dcphase' },
    inputs: ['close'],
    outputs: ['value'],
    lookback: 63,
    state: cycleState + phaseState,
    memory: { fading: () => dominantCycle },
  }),
  ht_phasor: indicator({
    title: 'Hilbert Transform – Phasor Components',
    description:
      "The two components of the cycle, in phase and a quarter ahead, from which phase and amplitude are found. It is raw material for one's own cycle tools.",
    related: ['ht_dcphase', 'correlationcycle'],
    otherNames: ['Hilbert transform'],
    namesElsewhere: {
      talib: 'HT_PHASOR',
      pandasta: 'ht_phasor',
      lean: 'HilbertTransform',
      taapi: 'ht_phasor',
    },
    inputs: ['close'],
    outputs: ['valueInPhase', 'valueQuadrature'],
    degree: [1, 0],
    lookback: 32,
    state: cycleState,
    memory: { fading: () => dominantCycle },
    scale: { levels: [0] },
  }),
  ht_sine: indicator({
    title: 'Hilbert Transform – SineWave',
    description:
      'The sine of the measured phase, with a second line 45 degrees ahead. Their crossings mark turns of the cycle in advance. Lines that run side by side say that there is no cycle.',
    related: ['ht_dcphase', 'msw', 'ebsw'],
    otherNames: ['Ehlers sine wave', 'Sine wave'],
    namesElsewhere: { talib: 'HT_SINE', pandasta: 'ht_sine', taapi: 'ht_sine' },
    inputs: ['close'],
    outputs: ['valueSine', 'valueLeadSine'],
    lookback: 63,
    state: cycleState + phaseState,
    memory: { fading: () => dominantCycle },
    scale: { minimum: -1, maximum: 1, levels: [0] },
  }),
  ht_trendmode: indicator({
    title: 'Hilbert Transform – Trend vs Cycle Mode',
    description:
      '1 where the market trends and 0 where it cycles, by the rules of Ehlers. It tells which kind of tool to use. It changes its mind late and often.',
    related: ['ht_trendline', 'chop', 'adx'],
    namesElsewhere: { talib: 'HT_TRENDMODE', pandasta: 'ht_trendmode', taapi: 'ht_trendmode' },
    inputs: ['close'],
    outputs: ['value'],
    lookback: 63,
    // The sine, the lead sine and the candles since the lines crossed.
    state: cycleState + phaseState + trendState + 3,
    memory: { fading: () => dominantCycle },
    drawing: [{ kind: 'steps', outputs: ['value'], colour: 1 }],
  }),
}
