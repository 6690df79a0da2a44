import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Snapshot } from '#dist/candles/columns.js'
import { Executor } from '#dist/compute/executor.js'
import { Expressions } from '#dist/compute/expressions/expressions.js'
import { BodyParser } from '#dist/compute/json/body-parser.js'
import { Calculator } from '#dist/compute/kernels/calculator.js'
import { tableFormats } from '#dist/contract/table-format.js'
import { answerCandles } from '#dist/http/endpoints/candles.js'
import { answerQuestion, createQuestions } from '#dist/http/endpoints/indicator.js'
import { TableReplies } from '#dist/http/tables/table-replies.js'
import type { MarketData } from '#dist/markets/history/market-data.js'
import type { Table } from './baseline.js'
import { effort, some } from './effort.js'
import { randomWalk } from './random-walk.js'
import { interleaved, settle } from './results.js'
import { rounded } from './statistics.js'

const rounds = effort(9, 3)
const million = 1e6
const formats = ['json', ...tableFormats] as const

setFlagsFromString('--expose-gc')
/**
 * Collects garbage: a long JSON reply leaves tens of megabytes, which would be collected while the next reply is measured.
 */
const collect = runInNewContext('gc') as () => void

/**
 * Processor time of the reply to a GET over a million candles, in milliseconds, from the request to the bytes of the body,
 * as JSON and as a table. All in one process with its threads, alternating. Nothing is kept from one round to the next,
 * because nobody requests the same million rows twice.
 */
export async function benchTables(): Promise<Table> {
  const calculator = new Calculator()
  const bodyParser = new BodyParser()
  const expressions = new Expressions()
  const executor = new Executor({
    ...{ calculator, bodyParser, expressions },
    threads: 1,
    maxQueuedTasks: 10,
    inlineBudgetUs: 2_000,
    inlineBodyBytes: 65_536,
    onFailure: error => {
      throw error
    },
  })
  const series = [1, 2].map(seed => randomWalk(effort(million, 2_000), seed)) as [Snapshot, Snapshot]
  let round = 0
  const readNow = () => [series[round++ % 2]]
  const marketData = { readNow } as unknown as MarketData
  const tables = new TableReplies({ executor })
  const asker = { id: 'bench', plan: 'enterprise' } as const
  const parts = { marketData, executor, expressions, tables, questions: createQuestions() }
  const rows: Record<string, Record<string, number>> = {}
  for (const name of some(['candles', 'rsi', 'macd', 'supertrend'])) {
    const ask = async (format: string) => {
      const queryString = `exchange=demo&symbol=BTCUSDT&timeframe=1h&results=max&format=${format}`
      const head = { queryString, header: () => '' }
      const { status, body } = await (name === 'candles'
        ? answerCandles({ ...parts, calculator }, { request: head, account: asker })
        : answerQuestion(parts, { request: head, account: asker, segment: name }))
      if (status !== 200) throw new Error(`${name} as ${format} was answered with ${status}`)
      return settle(body)
    }
    const works = Object.fromEntries(formats.map(format => [format, () => ask(format)]))
    const us = await interleaved(works as Record<(typeof formats)[number], () => unknown>, rounds, collect)
    rows[name] = {
      'JSON, ms': rounded(us.json / 1000, 1),
      'Arrow, ms': rounded(us.arrow / 1000, 1),
      'CSV, ms': rounded(us.csv / 1000, 1),
      'NDJSON, ms': rounded(us.ndjson / 1000, 1),
      'Arrow / JSON': rounded(us.arrow / us.json),
    }
  }
  await executor.close()
  return rows
}
