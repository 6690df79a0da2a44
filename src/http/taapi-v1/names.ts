import { type Entry, talibConstantsOf, talibNamesOf } from '../../catalogue/index.js'

/** Former names of indicators. */
const indicatorNames: Readonly<Record<string, string>> = { bbands2: 'bbands' }

/** The name of the catalogue for an indicator of the version 1 interface. */
export const indicatorName = (name: string): string =>
  indicatorNames[name.toLowerCase()] ?? name.toLowerCase()

/** Parameters that have another name there, beside the names of TA-Lib that the catalogue accepts everywhere. */
const parameterNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  stochf: { fastK: 'fastKPeriod', fastD: 'fastDPeriod' },
  coppockcurve: { wmaLength: 'wmaPeriod' },
  kvo: { short_period: 'shortPeriod', long_period: 'longPeriod' },
  vidya: { short_period: 'shortPeriod', long_period: 'longPeriod' },
}

/**
 * The name under which the catalogue accepts a parameter of an indicator; undefined for a parameter that it does not
 * have. Bots send many of those, and version 1 ignores them.
 */
export function parameterName(indicator: Entry, name: string): string | undefined {
  const renamed = parameterNames[indicator.name]?.[name] ?? name
  if (renamed in indicator.params) return renamed
  if (indicator.sources > 0 && renamed === 'source') return renamed
  const isTalibs =
    renamed in talibConstantsOf(indicator.name) ||
    Object.keys(indicator.params).some(param => talibNamesOf(indicator.name, param).includes(renamed))
  return isTalibs ? renamed : undefined
}

/** Outputs that have other names there, by indicator. One with two names is written under both: bots read either. */
const outputNames: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  abs: { abs: ['value'] },
  vwma: { vwma: ['value'] },
  accbands: {
    valueRealUpperBand: ['valueUpperBand'],
    valueRealMiddleBand: ['valueMiddleBand'],
    valueRealLowerBand: ['valueLowerBand'],
  },
  // The missing `t` is in the interface.
  tdsequential: { buyCountdownIndex: ['buyCoundownIndex'], sellCountdownIndex: ['sellCoundownIndex'] },
  dmi: { pdi: ['pdi', 'plusdi'], mdi: ['mdi', 'minusdi'] },
  stoch: { valueK: ['valueK', 'valueSlowK'], valueD: ['valueD', 'valueSlowD'] },
}

/** Indicators whose outputs are the fields of one `value`. */
const nested: ReadonlySet<string> = new Set(['donchianchannels'])

/** The outputs of an indicator under their names there. */
export function renameOutputs(
  indicator: string,
  outputs: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (nested.has(indicator)) return { value: outputs }
  const names = outputNames[indicator]
  if (!names) return { ...outputs }
  return Object.fromEntries(
    Object.entries(outputs).flatMap(([name, value]) =>
      (names[name] ?? [name]).map((written): [string, unknown] => [written, value]),
    ),
  )
}
