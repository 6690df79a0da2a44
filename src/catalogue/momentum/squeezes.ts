import { factor, flags, indicator, label, type Numbers, period, startingAfter } from '../define.js'

export const squeezes = {
  squeeze: indicator({
    title: 'Squeeze Momentum Indicator (SMI)',
    description:
      'Shows when the Bollinger Bands lie within the Keltner Channels, a sign of unusually low volatility, and the momentum of the price during that time. A squeeze that ends is often followed by a larger move in the direction of momentum. It does not say how long the quiet will last.',
    related: ['squeezepro', 'bbw', 'keltnerchannels'],
    otherNames: ['TTM squeeze', 'Squeeze momentum', 'SQZMOM'],
    namesElsewhere: { pandasta: 'squeeze', lean: 'SqueezeMomentum', taapi: 'squeeze' },
    inputs: ['high', 'low', 'close'],
    params: {
      lengthBB: period(20, 1),
      lengthKC: period(20, 1),
      multBB: factor(2, 0, 100),
      multKC: factor(1.5, 0, 100),
    },
    outputs: [
      startingAfter((p: Numbers<'lengthKC'>) => 2 * (p.lengthKC - 1), 'value'),
      startingAfter(
        (p: Numbers<'lengthBB' | 'lengthKC'>) => Math.max(p.lengthBB - 1, p.lengthKC),
        flags('squeeze'),
      ),
    ],
    degree: [1, 0],
    lookback: p => Math.max(p.lengthBB - 1, p.lengthKC, 2 * (p.lengthKC - 1)),
    scratch: 5,
    memory: 'finite',
    scale: { levels: [0] },
    drawing: [
      { kind: 'histogram', outputs: ['value'], colouring: 'signAndChange' },
      { kind: 'dots', outputs: ['squeeze'] },
    ],
  }),
  squeezepro: indicator({
    title: 'Squeeze Pro',
    description:
      'The squeeze with three widths of the Keltner Channels, so that it tells weak from strong compression. More stages give earlier notice, and more notices that lead to nothing.',
    related: ['squeeze', 'bbw', 'keltnerchannels'],
    namesElsewhere: { pandasta: 'squeeze_pro', ta4j: 'SqueezePro' },
    inputs: ['high', 'low', 'close'],
    params: {
      period: period(20, 2, 400),
      stddev: factor(2, 0, 100),
      multLow: factor(2, 0, 100),
      multMid: factor(1.5, 0, 100),
      multHigh: factor(1, 0, 100),
    },
    outputs: ['value', label('squeeze', { 0: 'none', 1: 'low', 2: 'mid', 3: 'high' })],
    degree: [1, 0],
    lookback: p => 2 * p.period - 2,
    scratch: 5,
    memory: 'finite',
    scale: { levels: [0] },
    drawing: [
      { kind: 'histogram', outputs: ['value'], colouring: 'signAndChange' },
      { kind: 'dots', outputs: ['squeeze'] },
    ],
  }),
}
