import type { Indicator } from './define.js'
import { families } from './families.js'

export type { AverageType, Indicator, Input, Output, Param, Price, SourceName, Values } from './define.js'
export { averageNames, sources } from './define.js'
export { impliedByTalib, talibConstantsOf, talibNamesOf } from './talib-names.js'

/** The categories as the interface names them, each with its indicators by public name. */
export const categories = {
  Cycle: families.cycle,
  Divergence: families.divergence,
  'Market Structure': families.structure,
  Momentum: families.momentum,
  'Pattern Recognition - Advanced': families.chart,
  'Pattern Recognition - Simple': families.pattern,
  Trend: families.trend,
  Volatility: families.volatility,
  Volume: families.volume,
  Math: families.math,
  Statistics: families.statistics,
}
export type Category = keyof typeof categories

type NamesOf<Group> = Group extends Group ? keyof Group : never
/** The public name of an indicator: the last part of `/indicator/<name>`. */
export type Name = NamesOf<(typeof categories)[Category]>

/** A member of the catalogue with its name, its category, and the kernel that computes it. */
export interface Entry extends Indicator {
  readonly name: string
  readonly category: Category
  /** The kernel's export name: the public name, with an underscore before a leading digit. */
  readonly kernel: string
}

/** Whether an indicator reads nothing but the closes of its candles. `source` is the column that its caller has chosen. */
export const readsClosesOnly = ({ inputs }: Indicator, source = 'close'): boolean =>
  source === 'close' && inputs.length === 1 && inputs[0] === 'close'

/** All indicators by public name: category by category in the order of their names, whichever family they belong to. */
export const catalogue: ReadonlyMap<string, Entry> = new Map(
  Object.entries(categories).flatMap(([category, group]) =>
    Object.entries<Indicator>(group)
      .map(([name, indicator]): [string, Entry] => [
        name,
        { ...indicator, name, category: category as Category, kernel: /^\d/.test(name) ? `_${name}` : name },
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ),
)
