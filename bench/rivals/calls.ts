// Other libraries' names of the catalogue's entries and their order of options, for their native functions and for the
// packages of npm that contain them.
import type { Entry, SourceName, Values } from '#dist/catalogue/index.js'

type Options = (params: Values) => readonly unknown[]

/** A library's name or order of options that differs from the entry. */
interface OwnCall {
  /** The function; undefined if the library has something else under this name. */
  readonly name?: string | undefined
  /** Its options, from the parameters of the entry. */
  readonly options?: Options
  /** Parameters under which the two mean the same. */
  readonly with?: Values
  readonly source?: SourceName
  readonly source2?: SourceName
}

/** A function of a library, and the parameters that the entry is computed with for comparison. */
export interface Call {
  readonly name: string
  readonly options: readonly number[]
  readonly with: Values
  readonly source: SourceName | undefined
  readonly source2: SourceName | undefined
}

export const same: Options = params => Object.values(params).map(Number)

export const talibCalls: Readonly<Record<string, OwnCall>> = {
  accosc: { name: 'AC', options: p => [p.lengthFast, p.lengthSlow, 5] },
  alma: { options: p => [p.period, p.sigma, p.offset] },
  ao: { options: () => [5, 34] },
  psar: { name: 'SAR', options: p => [p.start, p.maximum] },
  sar: { name: 'SAR', options: same },
  bbands: { options: p => [p.period, p.stddev, p.stddev, p.maType] },
  coppockcurve: { name: 'COPPOCK', options: p => [p.longRoc, p.shortRoc, p.wmaPeriod] },
  donchianchannels: { name: 'DONCHIAN' },
  efficiencyratio: { name: 'ER' },
  elderray: { name: 'ERI' },
  forceindex: { name: 'EFI' },
  fractals: { name: 'FRACTAL' },
  heikinashi: { name: 'HA' },
  stoch: { options: p => [p.kPeriod, p.kSmooth, 0, p.dPeriod, 0] },
  stochrsi: {
    with: { kPeriod: 1, stochasticPeriod: 5 },
    options: p => [p.rsiPeriod, p.stochasticPeriod, p.dPeriod, 0],
  },
  cci: { options: p => [p.period] },
  mass: { name: 'MASSI', options: p => [p.period, 9] },
  tsi: { options: p => [p.longPeriod, p.shortPeriod] },
  // TA-Lib is timed with the high as prices and the low as periods.
  mavp: { options: same, source: 'high', source2: 'low' },
  fosc: { name: undefined },
  wilders: { name: 'RMA' },
}

export const tulipCalls: Readonly<Record<string, OwnCall>> = {
  stoch: { options: p => [p.kPeriod, p.kSmooth, p.dPeriod] },
  bbands: { options: p => [p.period, p.stddev] },
  cci: { options: p => [p.period] },
  psar: { options: p => [p.increment, p.maximum] },
  apo: { options: p => [p.fastPeriod, p.slowPeriod] },
  ppo: { options: p => [p.fastPeriod, p.slowPeriod] },
  // Other things under the same name: a fraction of a window of RSI, the deviation's own form, a plain sum, no smoothing.
  stochrsi: { name: undefined },
  stddev: { options: p => [p.period] },
  var: { options: p => [p.period] },
  vwap: { name: undefined },
}

/** TA-Lib's name for an entry. */
export const talibName = (entry: Entry): string =>
  `${entry.category.startsWith('Pattern') ? 'CDL' : ''}${entry.name.toUpperCase()}`

/** The function of a library for an entry, at the defaults of the entry; undefined if there is none. */
export function callOf(
  library: string,
  entry: Entry,
  functions: ReadonlyMap<string, number | undefined>,
): Call | undefined {
  const isTalib = library.startsWith('talib')
  const own = (isTalib ? talibCalls : library === 'tulip' ? tulipCalls : {})[entry.name] ?? {}
  if ('name' in own && own.name === undefined) return undefined
  const name = own.name ?? (isTalib ? talibName(entry) : entry.name)
  if (!functions.has(name)) return undefined
  const defaults = Object.fromEntries(
    Object.entries(entry.params).map(([key, param]) => [key, param.default]),
  )
  const params = { ...defaults, ...own.with } as Values
  const options = (own.options ?? same)(params).map(Number)
  const wanted = functions.get(name)
  if (wanted !== undefined && options.length !== wanted) {
    console.error(
      `${entry.name}: ${library} ${name} takes ${wanted} options, the entry has ${options.length}`,
    )
    return undefined
  }
  return { name, options, with: own.with ?? {}, source: own.source, source2: own.source2 }
}
