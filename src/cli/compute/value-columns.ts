import type { Output, PlacedOutput } from '../../catalogue/define.js'
import { formatNames, formatterOf } from '../../compute/answer.js'
import type { Block } from '../../compute/block-calculator.js'
import type { Calculation } from '../../compute/calculator.js'
import { formatNumber } from '../../compute/json/number-writer.js'

/** An output of a calculation as a column of the result. */
export interface ValueColumn {
  /** `value`, or `rsi.value` where several indicators are computed. */
  readonly name: string
  /** The place of the calculation among those of a block. */
  readonly calculation: number
  readonly output: PlacedOutput
  /** The JSON text of the value at row `i` of a block. */
  readonly text: (block: Block, i: number) => string
}

/** The columns of all outputs of some calculations. */
export const columnsOf = (calculations: readonly Calculation[]): readonly ValueColumn[] =>
  calculations.flatMap(({ indicator }, calculation) =>
    indicator.outputs.map(output => ({
      name: calculations.length === 1 ? output.name : `${indicator.name}.${output.name}`,
      calculation,
      output,
      text: textOf(output, calculation),
    })),
  )

function textOf(output: PlacedOutput, calculation: number): ValueColumn['text'] {
  if (output.kind === 'names')
    return ({ columns }, i) => formatNames(output, column => columns[calculation]?.[column]?.[i] as number)
  const format = formatterOf(output) ?? formatNumber
  return ({ columns }, i) => format(columns[calculation]?.[output.column]?.[i] as number)
}

/** Whether the values of an output are written as numbers. */
export const isNumeric = ({ kind }: Output): boolean => kind === 'number' || kind === 'signal'
