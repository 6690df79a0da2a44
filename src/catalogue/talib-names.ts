import type { Values } from './define.js'

/**
 * TA-Lib's names of parameters, by their names here. Accepted on input for every entry with a parameter of that name, as
 * version 1 of the interface spelled them; never printed.
 */
const commonNames: Readonly<Record<string, readonly string[]>> = {
  period: ['optInTimePeriod'],
  period1: ['optInTimePeriod1'],
  period2: ['optInTimePeriod2'],
  period3: ['optInTimePeriod3'],
  rsiPeriod: ['optInTimePeriod'],
  fastPeriod: ['optInFastPeriod'],
  slowPeriod: ['optInSlowPeriod'],
  signalPeriod: ['optInSignalPeriod'],
  minPeriod: ['optInMinPeriod'],
  maxPeriod: ['optInMaxPeriod'],
  kPeriod: ['optInFastK_Period'],
  kSmooth: ['optInSlowK_Period'],
  dPeriod: ['optInSlowD_Period', 'optInFastD_Period'],
  fastKPeriod: ['optInFastK_Period'],
  fastDPeriod: ['optInFastD_Period'],
  maType: ['optInMAType'],
  fastMAType: ['optInFastMAType'],
  slowMAType: ['optInSlowMAType'],
  signalMAType: ['optInSignalMAType'],
  fastDMAType: ['optInFastD_MAType'],
  stddev: ['optInNbDevUp', 'optInNbDevDn'],
  nbDev: ['optInNbDev'],
  vFactor: ['optInVFactor'],
  penetration: ['optInPenetration'],
  fastLimit: ['optInFastLimit'],
  slowLimit: ['optInSlowLimit'],
  acceleration: ['optInAcceleration'],
  maximum: ['optInMaximum'],
  startValue: ['optInStartValue'],
  offsetOnReverse: ['optInOffsetOnReverse'],
  accelerationInitLong: ['optInAccelerationInitLong'],
  accelerationLong: ['optInAccelerationLong'],
  accelerationMaxLong: ['optInAccelerationMaxLong'],
  accelerationInitShort: ['optInAccelerationInitShort'],
  accelerationShort: ['optInAccelerationShort'],
  accelerationMaxShort: ['optInAccelerationMaxShort'],
}

/** TA-Lib's names of the parameters of an entry that differ from the common names. */
interface TalibNames {
  /** The parameter of each name. */
  readonly names?: Readonly<Record<string, string>>
  /** Names of parameters of which the entry supports one value, with this value. */
  readonly only?: Readonly<Record<string, number>>
  /** Parameters that TA-Lib's function lacks, with their values if one of its names is given. */
  readonly implied?: Values
}

/** Names by entry. Numbers of averages are those of TA_MAType: 0 simple, 1 exponential, 13 Wilder's. */
const ownNames: Readonly<Record<string, TalibNames>> = {
  accosc: { only: { optInFastPeriod: 5, optInSlowPeriod: 34, optInSignalPeriod: 5 } },
  alma: { names: { optInTimePeriod: 'period', optInSigma: 'sigma', optInOffset: 'offset' } },
  ao: { only: { optInFastPeriod: 5, optInSlowPeriod: 34 } },
  asi: { names: { optInLimitMove: 'limitMove' } },
  bbw: {
    names: { optInTimePeriod: 'period', optInNbDevUp: 'stddev', optInNbDevDn: 'stddev' },
    only: { optInMAType: 0 },
  },
  chandekrollstop: {
    names: { optInTimePeriod: 'period', optInMultiplier: 'multiplier', optInStopPeriod: 'stopPeriod' },
  },
  connorsrsi: {
    names: { optInTimePeriod: 'rsiPeriod', optInStreakPeriod: 'streakPeriod', optInRankPeriod: 'rankPeriod' },
  },
  coppockcurve: {
    names: { optInWMAPeriod: 'wmaPeriod', optInROC1Period: 'shortRoc', optInROC2Period: 'longRoc' },
  },
  cvi: { names: { optInTimePeriod: 'period', optInROCPeriod: 'period' } },
  derivativeosc: {
    names: {
      optInTimePeriod: 'rsiPeriod',
      optInFirstPeriod: 'firstSmooth',
      optInSecondPeriod: 'secondSmooth',
      optInSignalPeriod: 'signalPeriod',
    },
  },
  eom: { names: { optInTimePeriod: 'period', optInVolumeDivisor: 'divisor' } },
  fractals: { names: { optInLeftBars: 'left', optInRightBars: 'right' } },
  ichimoku: {
    names: {
      optInTenkanPeriod: 'conversionPeriod',
      optInKijunPeriod: 'basePeriod',
      optInSenkouBPeriod: 'spanPeriod',
    },
  },
  kdj: {
    names: { optInFastK_Period: 'kPeriod', optInSlowK_Period: 'kSmooth', optInSlowD_Period: 'dPeriod' },
    only: { optInSlowK_MAType: 13, optInSlowD_MAType: 13 },
  },
  kst: {
    names: {
      optInROC1Period: 'roc1',
      optInROC2Period: 'roc2',
      optInROC3Period: 'roc3',
      optInROC4Period: 'roc4',
      optInSMA1Period: 'sma1',
      optInSMA2Period: 'sma2',
      optInSMA3Period: 'sma3',
      optInSMA4Period: 'sma4',
      optInSignalPeriod: 'signalPeriod',
    },
  },
  kvo: {
    names: { optInFastPeriod: 'shortPeriod', optInSlowPeriod: 'longPeriod' },
    only: { optInSignalPeriod: 13 },
  },
  mass: { names: { optInSlowPeriod: 'period' }, only: { optInFastPeriod: 9 } },
  mcginleydynamic: { names: { optInTimePeriod: 'period' }, implied: { k: 1 } },
  percentb: {
    names: { optInTimePeriod: 'period', optInNbDevUp: 'stddev', optInNbDevDn: 'stddev' },
    only: { optInMAType: 0 },
  },
  percentilenearest: { names: { optInTimePeriod: 'period', optInPercentile: 'percentage' } },
  premierstoch: { names: { optInFastK_Period: 'period', optInEMAPeriod: 'smoothPeriod' } },
  pvo: { names: { optInFastPeriod: 'fastPeriod', optInSlowPeriod: 'slowPeriod' }, only: { optInMAType: 1 } },
  rogerssatchell: { names: { optInTimePeriod: 'period', optInAnnualization: 'annualPeriods' } },
  rvi: {
    names: { optInTimePeriod: 'period', optInStdDevPeriod: 'stdDevPeriod' },
    implied: { smoothing: 'wilder' },
  },
  rvir: {
    names: { optInTimePeriod: 'period', optInStdDevPeriod: 'stdDevPeriod' },
    implied: { smoothing: 'wilder' },
  },
  smi: {
    names: {
      optInTimePeriod: 'period',
      optInFastPeriod: 'secondSmooth',
      optInSlowPeriod: 'firstSmooth',
      optInSignalPeriod: 'signalPeriod',
    },
  },
  squeezepro: {
    names: {
      optInBBPeriod: 'period',
      optInKCPeriod: 'period',
      optInNbDev: 'stddev',
      optInFactorWide: 'multLow',
      optInFactorNormal: 'multMid',
      optInFactorNarrow: 'multHigh',
    },
  },
  stc: {
    names: { optInFastPeriod: 'fastLength', optInSlowPeriod: 'slowLength', optInCyclePeriod: 'cycleLength' },
  },
  stoch: {
    names: { optInFastK_Period: 'kPeriod', optInSlowK_Period: 'kSmooth', optInSlowD_Period: 'dPeriod' },
    only: { optInSlowK_MAType: 0, optInSlowD_MAType: 0 },
  },
  stochrsi: {
    names: {
      optInTimePeriod: 'rsiPeriod',
      optInFastK_Period: 'stochasticPeriod',
      optInFastD_Period: 'dPeriod',
    },
    only: { optInFastD_MAType: 0 },
    implied: { kPeriod: 1 },
  },
  supertrend: { names: { optInTimePeriod: 'period', optInMultiplier: 'multiplier' } },
  swingindex: { names: { optInLimitMove: 'limitMove' } },
  tsi: { names: { optInFirstPeriod: 'longPeriod', optInSecondPeriod: 'shortPeriod' } },
  wavetrend: {
    names: {
      optInChannelPeriod: 'channelPeriod',
      optInAveragePeriod: 'averagePeriod',
      optInSignalPeriod: 'signalPeriod',
    },
  },
}

/** TA-Lib's names of the parameter `param` of an entry. */
export function talibNamesOf(entry: string, param: string): readonly string[] {
  const own = ownNames[entry]
  if (!own) return commonNames[param] ?? []
  return Object.entries(own.names ?? {}).flatMap(([name, meant]) => (meant === param ? [name] : []))
}

/** Names of TA-Lib's parameters of which an entry supports one value, with this value. */
export const talibConstantsOf = (entry: string): Readonly<Record<string, number>> =>
  ownNames[entry]?.only ?? {}

/** Parameters of an entry that TA-Lib lacks, with their values if a name of TA-Lib is given. */
export const impliedByTalib = (entry: string): Values => ownNames[entry]?.implied ?? {}
