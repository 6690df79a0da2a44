import { formatCount } from '../../src/candles/format-count.js'
import { formatChange } from '../chart/numbers.js'
import { formatTableTime } from '../chart/times.js'
import {
  distribution,
  type Evaluation,
  horizons,
  type ReturnStatistics,
  returnsAfter,
} from '../model/evaluation.js'
import type { Picture } from '../model/picture.js'
import type { Store } from '../model/store.js'
import type { ServiceClient } from '../service/client.js'
import { openDialog } from './dialogs.js'
import { h, helpLink } from './dom.js'
import { shape, svg } from './icons.js'

interface Options {
  readonly store: Store
  readonly picture: Picture
  readonly client: ServiceClient
}

const [width, height] = [420, 96]

const percent = (share: number | null, decimals = 2) =>
  share === null ? '–' : formatChange(share * 100, decimals)

/**
 * Shows the returns after a plotted condition became true: statistics of the service, and a distribution from the candles on
 * the chart.
 */
export async function openEvaluation(
  { store, picture, client }: Options,
  study: string,
  entry: string,
): Promise<void> {
  const content = h('div', { attributes: { role: 'status' } }, h('p', { text: 'Computing …' }))
  openDialog('What followed', h('p', {}, h('code', { text: entry })), content).classList.add('is-wide')
  const outcome = await client.post('evaluate', { ...store.market, entry, horizons }, { waitSeconds: 10 })
  if (outcome.kind !== 'ok') {
    const text = outcome.kind === 'refused' ? outcome.error : 'The service does not answer.'
    content.replaceChildren(h('p', { class: 'is-error', text }))
    return
  }
  const evaluation = outcome.body as Evaluation
  const { times } = store.preferences.value
  const { from, to, candles, fired, warnings } = evaluation
  const longest = horizons.at(-1) as number
  const returns = returnsAfter(picture.candles, picture.studies.get(study)?.rows ?? [], longest)
  content.replaceChildren(
    h('p', {
      text: `It became true ${formatCount(fired, 'time')} in ${formatCount(candles, 'candle')} from ${formatTableTime(from, times)} to ${formatTableTime(to, times)}.`,
    }),
    table(evaluation),
    ...(returns.length > 1 ? [figure(returns, longest)] : []),
    ...warnings.map(text => h('p', { class: 'card-note', text })),
    h('p', {
      class: 'card-note',
      text: 'A return runs from the open of the next candle to the close of the candle that many candles later, without costs. “All” has the returns after every candle.',
    }),
    h('p', { class: 'card-note' }, helpLink('What these numbers mean', '/evaluation')),
  )
}

function table({ returns }: Evaluation): HTMLElement {
  const cells = ({ count, mean, median, hitRate }: ReturnStatistics) => [
    String(count),
    percent(mean),
    percent(median),
    hitRate === null ? '–' : `${(hitRate * 100).toFixed(0)} %`,
  ]
  const heads = ['After', 'Cases', 'Mean', 'Median', 'Rose', 'Mean of all', 'Rose of all']
  return h(
    'table',
    { class: 'values' },
    h('thead', {}, h('tr', {}, ...heads.map(text => h('th', { text, attributes: { scope: 'col' } })))),
    h(
      'tbody',
      {},
      ...returns.map(({ after, signals, baseline }) => {
        const [, mean, , rose] = cells(baseline)
        return h(
          'tr',
          {},
          h('th', { text: formatCount(after, 'candle'), attributes: { scope: 'row' } }),
          ...[...cells(signals), mean, rose].map(text => h('td', { text: text ?? '' })),
        )
      }),
    ),
  )
}

/** A histogram of returns. */
function figure(returns: readonly number[], after: number): HTMLElement {
  const bins = distribution(returns)
  const most = Math.max(...bins.map(({ count }) => count))
  const step = width / bins.length
  const bars = bins.map(({ from, count }, at) => {
    const size = (count / most) * (height - 4)
    return shape('rect', {
      class: from < 0 ? 'is-down' : 'is-up',
      x: at * step + 1,
      y: height - size,
      width: Math.max(1, step - 2),
      height: size,
    })
  })
  const [low, high] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 0]
  return h(
    'figure',
    { class: 'distribution' },
    svg(width, height, ...bars),
    h(
      'p',
      { class: 'distribution-axis' },
      h('span', { text: percent(low, 1) }),
      h('span', { text: percent(high, 1) }),
    ),
    h('figcaption', {
      text: `The ${returns.length} returns after ${after} candles that the chart has, from the smallest to the largest.`,
    }),
  )
}
