// Written by scripts/average-types.mjs.
import type { Indicator } from './define.js'
import { regressions } from './statistics/regressions.js'
import { adaptiveAverages } from './trend/adaptive-averages.js'
import { exponentialAverages } from './trend/exponential-averages.js'
import { smoothingFilters } from './trend/smoothing-filters.js'
import { weightedAverages } from './trend/weighted-averages.js'

/** The averages that `maType` takes, by their names. */
export const averageEntries: Readonly<Record<string, Indicator>> = {
  sma: weightedAverages.sma,
  ema: exponentialAverages.ema,
  wma: weightedAverages.wma,
  dema: exponentialAverages.dema,
  tema: exponentialAverages.tema,
  trima: weightedAverages.trima,
  kama: adaptiveAverages.kama,
  mama: adaptiveAverages.mama,
  t3: exponentialAverages.t3,
  ahrensma: exponentialAverages.ahrensma,
  alma: weightedAverages.alma,
  butterworth2: smoothingFilters.butterworth2,
  butterworth3: smoothingFilters.butterworth3,
  coral: exponentialAverages.coral,
  cwma: weightedAverages.cwma,
  dwma: weightedAverages.dwma,
  ehma: exponentialAverages.ehma,
  fwma: weightedAverages.fwma,
  gaussianfilter: smoothingFilters.gaussianfilter,
  hannma: weightedAverages.hannma,
  hma: weightedAverages.hma,
  holt: exponentialAverages.holt,
  jma: adaptiveAverages.jma,
  jsa: weightedAverages.jsa,
  linearreg: regressions.linearreg,
  maaq: adaptiveAverages.maaq,
  mcnichollma: exponentialAverages.mcnichollma,
  naturalma: adaptiveAverages.naturalma,
  pwma: weightedAverages.pwma,
  sinwma: weightedAverages.sinwma,
  smma: exponentialAverages.smma,
  sqwma: weightedAverages.sqwma,
  srwma: weightedAverages.srwma,
  supersmoother: smoothingFilters.supersmoother,
  supersmoother3: smoothingFilters.supersmoother3,
  ultimatesmoother: smoothingFilters.ultimatesmoother,
  vpwma: weightedAverages.vpwma,
  zlema: exponentialAverages.zlema,
  zlsma: weightedAverages.zlsma,
}
