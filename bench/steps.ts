import type { Columns } from '#dist/candles/columns.js'
import { catalogue, type Entry, type Values } from '#dist/catalogue/index.js'
import { Calculator } from '#dist/compute/kernels/calculator.js'
import { LiveCalculation } from '#dist/compute/results/live-calculation.js'
import type { Table } from './baseline.js'
import { effort, isSmoke } from './effort.js'
import { randomWalk } from './random-walk.js'
import { median, rounded } from './statistics.js'

/** The cost of one step and of one preview, text included, after a short history and after a long one. */
export function stepRows(): Table {
  const steps = effort(400, 2)
  const longHistory = effort(20_000, 2_000)
  const walk = randomWalk(longHistory + steps)
  const calculator = new Calculator()
  const rows: { name: string; step: number; preview: number; ratio: number }[] = []
  for (const indicator of isSmoke ? [catalogue.get('rsi') as Entry] : catalogue.values()) {
    const params = Object.fromEntries(
      Object.entries(indicator.params).map(([name, param]) => [name, param.default]),
    ) as Values
    const [afterShort, afterLong] = [1_000, longHistory].map(history =>
      costOf(calculator, indicator, params, walk.columns, history, steps),
    )
    if (!afterShort || !afterLong) continue
    rows.push({
      name: indicator.name,
      step: afterShort.step,
      preview: afterShort.preview,
      ratio: (afterLong.step + afterLong.preview) / (afterShort.step + afterShort.preview),
    })
  }
  rows.sort((a, b) => b.step + b.preview - a.step - a.preview)
  const row = ({ step, preview, ratio }: (typeof rows)[number]) => ({
    'step µs': rounded(step),
    'preview µs': rounded(preview),
    'after 20,000 / after 1,000': rounded(ratio),
  })
  const medianOf = (key: 'step' | 'preview' | 'ratio') => median(rows.map(each => each[key]))
  return {
    'median of all': row({
      name: '',
      step: medianOf('step'),
      preview: medianOf('preview'),
      ratio: medianOf('ratio'),
    }),
    ...Object.fromEntries(rows.slice(0, 15).map(each => [each.name, row(each)])),
    rsi: row(rows.find(({ name }) => name === 'rsi') as (typeof rows)[number]),
  }
}

function costOf(
  calculator: Calculator,
  indicator: Entry,
  params: Values,
  columns: Columns,
  history: number,
  steps: number,
): { step: number; preview: number } {
  const timed = { step: [] as number[], preview: [] as number[] }
  // The first two turns warm up.
  for (let turn = -2; turn < effort(5, 1); turn++) {
    const stream = new LiveCalculation(calculator, { indicator, params })
    stream.advance([{ columns, closed: history, forming: undefined, count: history }])
    const forming = columns.read(history)
    const began = performance.now()
    for (let i = 0; i < steps; i++)
      stream.advance([
        {
          columns,
          closed: history,
          forming: { ...forming, close: forming.close + i / 1e6 },
          count: history + 1,
        },
      ])
    const between = performance.now()
    for (let i = 1; i <= steps; i++)
      stream.advance([{ columns, closed: history + i, forming: undefined, count: history + i }])
    if (turn < 0) continue
    timed.preview.push(((between - began) / steps) * 1000)
    timed.step.push(((performance.now() - between) / steps) * 1000)
  }
  return { step: median(timed.step), preview: median(timed.preview) }
}
