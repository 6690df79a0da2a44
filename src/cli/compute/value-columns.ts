import type { Output, PlacedOutput } from '../../catalogue/define.js'
import type { Block } from '../../compute/kernels/block-calculator.js'
import type { Calculation } from '../../compute/kernels/calculator.js'
import { formatAt, formatsOf, type OutputFormat } from '../../compute/kernels/output-format.js'

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
    formatsOf(indicator).map(format => ({
      name: calculations.length === 1 ? format.output.name : `${indicator.name}.${format.output.name}`,
      calculation,
      output: format.output,
      text: textOf(format, calculation),
    })),
  )

const textOf =
  (format: OutputFormat, calculation: number): ValueColumn['text'] =>
  ({ columns }, i) =>
    formatAt(format, column => columns[calculation]?.[column]?.[i] as number)

/** Whether the values of an output are written as numbers. */
export const isNumeric = ({ kind }: Output): boolean => kind === 'number' || kind === 'signal'
