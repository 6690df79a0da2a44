// Written by scripts/catalogue-index.mjs.
import { harmonicPatterns } from './chart/harmonic-patterns.js'
import { linePatterns } from './chart/line-patterns.js'
import { reversalPatterns } from './chart/reversal-patterns.js'
import { cycleFilters } from './cycle/cycle-filters.js'
import { cycleOscillators } from './cycle/cycle-oscillators.js'
import { cyclePeriods } from './cycle/cycle-periods.js'
import { hilbertTransforms } from './cycle/hilbert-transforms.js'
import { divergences } from './divergence/divergences.js'
import { candlePrices } from './math/candle-prices.js'
import { extremes } from './math/extremes.js'
import { functions } from './math/functions.js'
import { operators } from './math/operators.js'
import { sequences } from './math/sequences.js'
import { averageDifferences } from './momentum/average-differences.js'
import { candleStrength } from './momentum/candle-strength.js'
import { demarkCounts } from './momentum/demark-counts.js'
import { directionalMovement } from './momentum/directional-movement.js'
import { doubleSmoothedMomentum } from './momentum/double-smoothed-momentum.js'
import { efficiency } from './momentum/efficiency.js'
import { priceDistances } from './momentum/price-distances.js'
import { ratesOfChange } from './momentum/rates-of-change.js'
import { relativeStrength } from './momentum/relative-strength.js'
import { squeezes } from './momentum/squeezes.js'
import { stochastics } from './momentum/stochastics.js'
import { volumeMomentum } from './momentum/volume-momentum.js'
import { bars } from './pattern/bars.js'
import { demarkPatterns } from './pattern/demark-patterns.js'
import { dojis } from './pattern/dojis.js'
import { gaps } from './pattern/gaps.js'
import { kaabarPatterns } from './pattern/kaabar-patterns.js'
import { longerPatterns } from './pattern/longer-patterns.js'
import { mirroredPatterns } from './pattern/mirrored-patterns.js'
import { patternLists } from './pattern/pattern-lists.js'
import { singleCandles } from './pattern/single-candles.js'
import { stars } from './pattern/stars.js'
import { threeCandles } from './pattern/three-candles.js'
import { twoCandles } from './pattern/two-candles.js'
import { correlations } from './statistics/correlations.js'
import { dispersions } from './statistics/dispersions.js'
import { distributions } from './statistics/distributions.js'
import { drawdowns } from './statistics/drawdowns.js'
import { means } from './statistics/means.js'
import { orderStatistics } from './statistics/order-statistics.js'
import { regressions } from './statistics/regressions.js'
import { returns } from './statistics/returns.js'
import { timeSeries } from './statistics/time-series.js'
import { pivotPoints } from './structure/pivot-points.js'
import { priceLevels } from './structure/price-levels.js'
import { priceZones } from './structure/price-zones.js'
import { retracements } from './structure/retracements.js'
import { swings } from './structure/swings.js'
import { adaptiveAverages } from './trend/adaptive-averages.js'
import { channels } from './trend/channels.js'
import { chosenAverages } from './trend/chosen-averages.js'
import { exponentialAverages } from './trend/exponential-averages.js'
import { heikinAshi } from './trend/heikin-ashi.js'
import { ribbons } from './trend/ribbons.js'
import { smoothingFilters } from './trend/smoothing-filters.js'
import { trailingStops } from './trend/trailing-stops.js'
import { trendLines } from './trend/trend-lines.js'
import { trendStrength } from './trend/trend-strength.js'
import { volumeAverages } from './trend/volume-averages.js'
import { weightedAverages } from './trend/weighted-averages.js'
import { bandPositions } from './volatility/band-positions.js'
import { historicalVolatility } from './volatility/historical-volatility.js'
import { ranges } from './volatility/ranges.js'
import { volatilityBands } from './volatility/volatility-bands.js'
import { volatilityOscillators } from './volatility/volatility-oscillators.js'
import { accumulationLines } from './volume/accumulation-lines.js'
import { marketImpact } from './volume/market-impact.js'
import { volumeMeasures } from './volume/volume-measures.js'
import { volumeOscillators } from './volume/volume-oscillators.js'
import { volumePrices } from './volume/volume-prices.js'

/** The indicators by the folder of their entries, and by their names. */
export const families = {
  chart: {
    ...harmonicPatterns,
    ...linePatterns,
    ...reversalPatterns,
  },
  cycle: {
    ...cycleFilters,
    ...cycleOscillators,
    ...cyclePeriods,
    ...hilbertTransforms,
  },
  divergence: {
    ...divergences,
  },
  math: {
    ...candlePrices,
    ...extremes,
    ...functions,
    ...operators,
    ...sequences,
  },
  momentum: {
    ...averageDifferences,
    ...candleStrength,
    ...demarkCounts,
    ...directionalMovement,
    ...doubleSmoothedMomentum,
    ...efficiency,
    ...priceDistances,
    ...ratesOfChange,
    ...relativeStrength,
    ...squeezes,
    ...stochastics,
    ...volumeMomentum,
  },
  pattern: {
    ...bars,
    ...demarkPatterns,
    ...dojis,
    ...gaps,
    ...kaabarPatterns,
    ...longerPatterns,
    ...mirroredPatterns,
    ...patternLists,
    ...singleCandles,
    ...stars,
    ...threeCandles,
    ...twoCandles,
  },
  statistics: {
    ...correlations,
    ...dispersions,
    ...distributions,
    ...drawdowns,
    ...means,
    ...orderStatistics,
    ...regressions,
    ...returns,
    ...timeSeries,
  },
  structure: {
    ...pivotPoints,
    ...priceLevels,
    ...priceZones,
    ...retracements,
    ...swings,
  },
  trend: {
    ...adaptiveAverages,
    ...channels,
    ...chosenAverages,
    ...exponentialAverages,
    ...heikinAshi,
    ...ribbons,
    ...smoothingFilters,
    ...trailingStops,
    ...trendLines,
    ...trendStrength,
    ...volumeAverages,
    ...weightedAverages,
  },
  volatility: {
    ...bandPositions,
    ...historicalVolatility,
    ...ranges,
    ...volatilityBands,
    ...volatilityOscillators,
  },
  volume: {
    ...accumulationLines,
    ...marketImpact,
    ...volumeMeasures,
    ...volumeOscillators,
    ...volumePrices,
  },
}
