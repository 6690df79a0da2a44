import { chartHarmonics } from './chart-harmonics.js'
import { chartLines } from './chart-lines.js'
import { chartReversals } from './chart-reversals.js'
import { cycle } from './cycle.js'
import { cycleFilters } from './cycle-filters.js'
import { cyclePeriods } from './cycle-periods.js'
import type { Indicator } from './define.js'
import { divergence } from './divergence.js'
import { math } from './math.js'
import { mathWindows } from './math-windows.js'
import { momentum } from './momentum.js'
import { momentumComposites } from './momentum-composites.js'
import { momentumOscillators } from './momentum-oscillators.js'
import { momentumScores } from './momentum-scores.js'
import { pattern } from './pattern.js'
import { patternBars } from './pattern-bars.js'
import { patternDemark } from './pattern-demark.js'
import { patternExtra } from './pattern-extra.js'
import { patternGaps } from './pattern-gaps.js'
import { patternKaabar } from './pattern-kaabar.js'
import { patternMirrors } from './pattern-mirrors.js'
import { statistics } from './statistics.js'
import { statisticsModels } from './statistics-models.js'
import { statisticsOrder } from './statistics-order.js'
import { statisticsPairs } from './statistics-pairs.js'
import { statisticsReturns } from './statistics-returns.js'
import { statisticsShape } from './statistics-shape.js'
import { structure } from './structure.js'
import { structurePivots } from './structure-pivots.js'
import { structureSwings } from './structure-swings.js'
import { structureZones } from './structure-zones.js'
import { trend } from './trend.js'
import { trendAverages } from './trend-averages.js'
import { trendFilters } from './trend-filters.js'
import { trendStops } from './trend-stops.js'
import { trendTrackers } from './trend-trackers.js'
import { volatility } from './volatility.js'
import { volatilityBands } from './volatility-bands.js'
import { volatilityEstimators } from './volatility-estimators.js'
import { volatilityMeasures } from './volatility-measures.js'
import { volume } from './volume.js'
import { volumeFlows } from './volume-flows.js'
import { volumeImpact } from './volume-impact.js'
import { volumeLines } from './volume-lines.js'
import { volumeOscillators } from './volume-oscillators.js'

export type { AverageType, Indicator, Input, Output, Param, Price, SourceName, Values } from './define.js'
export { averageNames, sources } from './define.js'
export { impliedByTalib, talibConstantsOf, talibNamesOf } from './talib-names.js'

/** The categories as the interface names them, each with its indicators by their public names. */
export const categories = {
  Cycle: { ...cycle, ...cycleFilters, ...cyclePeriods },
  Divergence: divergence,
  'Market Structure': { ...structure, ...structureSwings, ...structureZones, ...structurePivots },
  Momentum: { ...momentum, ...momentumOscillators, ...momentumComposites, ...momentumScores },
  'Pattern Recognition - Advanced': { ...chartLines, ...chartHarmonics, ...chartReversals },
  'Pattern Recognition - Simple': {
    ...pattern,
    ...patternExtra,
    ...patternBars,
    ...patternMirrors,
    ...patternGaps,
    ...patternKaabar,
    ...patternDemark,
  },
  Trend: { ...trend, ...trendAverages, ...trendFilters, ...trendStops, ...trendTrackers },
  Volatility: { ...volatility, ...volatilityBands, ...volatilityEstimators, ...volatilityMeasures },
  Volume: { ...volume, ...volumeFlows, ...volumeImpact, ...volumeLines, ...volumeOscillators },
  Math: { ...math, ...mathWindows },
  Statistics: {
    ...statistics,
    ...statisticsOrder,
    ...statisticsShape,
    ...statisticsPairs,
    ...statisticsReturns,
    ...statisticsModels,
  },
}
export type Category = keyof typeof categories

type NamesOf<Group> = Group extends Group ? keyof Group : never
/** The public name of an indicator: the last part of `/indicator/<name>`. */
export type Name = NamesOf<(typeof categories)[Category]>

/** A member of the catalogue with its name, its category, and the kernel that computes it. */
export interface Entry extends Indicator {
  readonly name: string
  readonly category: Category
  /** The kernel's export name: the public name, with an underscore where that begins with a digit. */
  readonly kernel: string
}

/** Every indicator there is, by public name. */
export const catalogue: ReadonlyMap<string, Entry> = new Map(
  Object.entries(categories).flatMap(([category, group]) =>
    Object.entries(group).map(([name, indicator]): [string, Entry] => [
      name,
      { ...indicator, name, category: category as Category, kernel: /^\d/.test(name) ? `_${name}` : name },
    ]),
  ),
)
