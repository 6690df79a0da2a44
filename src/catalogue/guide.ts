import { cycleGuide } from './guide/cycle.js'
import { divergenceGuide } from './guide/divergence.js'
import type { Guide, GuideLine } from './guide/guide-line.js'
import { mathGuide } from './guide/math.js'
import { momentumGuide } from './guide/momentum.js'
import { rareMomentumGuide } from './guide/momentum-rare.js'
import { chartPatternGuide } from './guide/pattern-advanced.js'
import { rareCandlePatternGuide } from './guide/pattern-rare.js'
import { candlePatternGuide } from './guide/pattern-simple.js'
import { statisticsGuide } from './guide/statistics.js'
import { structureGuide } from './guide/structure.js'
import { trendGuide } from './guide/trend.js'
import { trendAveragesGuide } from './guide/trend-averages.js'
import { volatilityGuide } from './guide/volatility.js'
import { volumeGuide } from './guide/volume.js'

/** What the guides say about the indicators, by their names. */
export const guide: Guide = {
  ...cycleGuide,
  ...divergenceGuide,
  ...structureGuide,
  ...mathGuide,
  ...momentumGuide,
  ...rareMomentumGuide,
  ...chartPatternGuide,
  ...candlePatternGuide,
  ...rareCandlePatternGuide,
  ...statisticsGuide,
  ...trendGuide,
  ...trendAveragesGuide,
  ...volatilityGuide,
  ...volumeGuide,
}

/** What the guide says about an indicator; undefined where it says nothing. */
export const guideOf = (name: string): GuideLine | undefined =>
  Object.hasOwn(guide, name) ? guide[name] : undefined
