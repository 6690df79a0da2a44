import { columnNames, type Snapshot } from '../../candles/columns.js'
import type { BreadthResult, Evaluation, ReturnStatistics, ScreenResult } from '../../client/types.js'
import { candleColumn, numberColumn, type Table, textColumn } from '../../compute/tables/table.js'
import type { EvaluationPart } from '../../contract/table-format.js'
import type { ScreenRequest } from '../../screens/request.js'

/** Candles of a snapshot from index `from` on. */
export function candlesTable(snapshot: Snapshot, from: number): Table {
  return { rows: snapshot.count - from, columns: columnNames.map(name => candleColumn(snapshot, from, name)) }
}

/** Matches of a screen, with the selected values. */
export function screenTable(answer: string, { compiled, names }: ScreenRequest): Table {
  const { matches } = JSON.parse(answer) as ScreenResult
  const selected = names.map((name, k) => {
    const kind = compiled.outputs[1 + k]?.type === 'boolean' ? 'flag' : 'number'
    const values = matches.map(match => match[name] as number | boolean | null)
    return numberColumn(name === 'time' ? `${name}_${kind}` : name, kind, values)
  })
  return {
    rows: matches.length,
    columns: [
      numberColumn(
        'time',
        'time',
        matches.map(({ timestamp }) => timestamp),
      ),
      textColumn(
        'symbol',
        matches.map(({ symbol }) => symbol),
      ),
      ...selected,
    ],
  }
}

/** Values of a breadth answer by time: each measure, and the number of its markets. */
export function breadthTable(answer: string): Table {
  const { timestamp, measures } = JSON.parse(answer) as BreadthResult
  const columns = Object.entries(measures).flatMap(([name, { value, markets }]) => [
    numberColumn(name === 'time' ? `${name}_number` : name, 'number', value),
    numberColumn(`${name}_markets`, 'number', markets),
  ])
  return { rows: timestamp.length, columns: [numberColumn('time', 'time', timestamp), ...columns] }
}

export function evaluationTable({ returns, trades, equity }: Evaluation, part: EvaluationPart): Table {
  if (part === 'returns') return returnsTable(returns)
  if (part === 'trades') return tradesTable(trades?.list ?? [])
  const { timestamp = [], value = [] } = equity ?? {}
  return {
    rows: timestamp.length,
    columns: [numberColumn('time', 'time', timestamp), numberColumn('value', 'number', value)],
  }
}

const statistics = ['count', 'mean', 'median', 'standardDeviation', 'hitRate'] as const
const intervals = ['meanInterval', 'hitRateInterval'] as const

/** One row per horizon and sample: `signals` are the candles at which the entry fired, `baseline` are all candles. */
function returnsTable(returns: Evaluation['returns']): Table {
  const rows = returns.flatMap(({ after, signals, baseline }) => [
    { after, sample: 'signals', values: signals },
    { after, sample: 'baseline', values: baseline },
  ])
  const column = (name: string, read: (values: ReturnStatistics) => number | null) =>
    numberColumn(
      name,
      'number',
      rows.map(({ values }) => read(values)),
    )
  return {
    rows: rows.length,
    columns: [
      numberColumn(
        'after',
        'number',
        rows.map(({ after }) => after),
      ),
      textColumn(
        'sample',
        rows.map(({ sample }) => sample),
      ),
      ...statistics.map(name => column(name, values => values[name])),
      ...intervals.flatMap(name => [
        column(`${name}Low`, values => values[name]?.[0] ?? null),
        column(`${name}High`, values => values[name]?.[1] ?? null),
      ]),
    ],
  }
}

function tradesTable(trades: NonNullable<Evaluation['trades']>['list']): Table {
  const column = (name: string, kind: 'time' | 'number', read: (trade: (typeof trades)[number]) => number) =>
    numberColumn(name, kind, trades.map(read))
  return {
    rows: trades.length,
    columns: [
      column('entryTime', 'time', trade => trade.entryTimestamp),
      column('entryPrice', 'number', trade => trade.entryPrice),
      column('exitTime', 'time', trade => trade.exitTimestamp),
      column('exitPrice', 'number', trade => trade.exitPrice),
      column('candles', 'number', trade => trade.candles),
      column('return', 'number', trade => trade.return),
    ],
  }
}
