import { z } from 'zod'
import { type Chart, chartForms, readChart } from '../candles/charts/chart.js'
import { once } from '../runtime/once.js'
import { invalidChart } from './chart-refusals.js'
import { optional, refusedBy } from './fields.js'
import { nearNames } from './hints.js'

const kinds = ['candles', 'heikinashi', 'renko', 'range', 'linebreak'] as const

/** The charts that a wrong one may stand for: one of another kind with what it is given. */
function nearCharts(value: unknown): readonly string[] {
  const [kind = '', ...given] = typeof value === 'string' ? value.split(':') : []
  return nearNames(kind, kinds)
    .map(near => [near, ...given].join(':'))
    .filter(near => readChart(near) !== undefined)
}

/** The field that chooses what is made of candles before anything is computed; undefined for the candles themselves. */
export const chartShape = once(() => ({
  chart: refusedBy(
    optional(
      z.string().transform((name, context): Chart | undefined => {
        const chart = readChart(name)
        if (chart === undefined) context.addIssue('no chart')
        return chart === 'candles' ? undefined : chart
      }),
    ).meta({
      description:
        'What is made of the candles first: `heikinashi`, `renko:<size>`, `renko:atr<n>`, `range:<size>` or `linebreak:<n>`. Default: `candles`. Results and steps back count bars.',
      examples: ['heikinashi', 'renko:atr14'],
    }),
    value => invalidChart(value, chartForms, nearCharts(value)),
  ),
}))
