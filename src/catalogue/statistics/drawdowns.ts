import { indicator, period } from '../define.js'

export const drawdowns = {
  drawdown: indicator({
    title: 'Drawdown',
    description:
      'The distance of the price below its highest value since the first candle. It shows the loss of someone who bought at the worst time. A longer history may contain a higher peak, so the value depends on where it begins.',
    related: ['maxdrawdown', 'ulcerindex'],
    namesElsewhere: { pandasta: 'drawdown' },
    inputs: ['close'],
    outputs: ['value', 'percent', 'log'],
    degree: { value: [1, 0] },
    lookback: 0,
    state: 1,
    memory: 'whole',
    drawing: [{ kind: 'line', outputs: ['percent'], colour: 1 }],
  }),
  maxdrawdown: indicator({
    title: 'Maximum Drawdown',
    description:
      'The greatest fall from a high to a later low in the window. It is the usual measure of the worst case that has happened. The worst to come may be greater.',
    related: ['drawdown', 'calmarratio'],
    tier: 3,
    inputs: ['close'],
    params: { period: period(252) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 3,
    memory: 'finite',
  }),
  painindex: indicator({
    title: 'Pain Index',
    description:
      'The mean depth of the falls from the high in the window. It is gentler on single deep falls than the ulcer index.',
    related: ['ulcerindex', 'drawdown'],
    tier: 3,
    inputs: ['close'],
    params: { period: period(14) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    work: p => 3.2 * p.period,
    memory: 'finite',
  }),
  drawdownduration: indicator({
    title: 'Drawdown Duration',
    description:
      'Candles since the highest value so far. A large value says that a loss has lasted long. It depends on where the history begins.',
    related: ['drawdown', 'maxdrawdown'],
    tier: 3,
    inputs: ['close'],
    outputs: ['value'],
    lookback: 0,
    state: 2,
    memory: 'whole',
    drawing: [{ kind: 'steps', outputs: ['value'], colour: 1 }],
  }),
}
