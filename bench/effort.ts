/**
 * Whether benches only have to show that they run. `--smoke` measures a little of everything, so its figures mean nothing
 * and are neither compared nor recorded.
 */
export const isSmoke = process.argv.includes('--smoke')

/** The `whole` amount for figures, or the `smoke` amount to check that a bench runs. */
export const effort = (whole: number, smoke: number): number => (isSmoke ? smoke : whole)

/** All items, or only the first one in a smoke run. */
export const some = <Item>(all: readonly Item[]): readonly Item[] => (isSmoke ? all.slice(0, 1) : all)

/** Prefix of the option with the indicators that `peers` times: `--indicators=dema,tema`. */
export const indicatorsOption = '--indicators='

const listed = process.argv.find(arg => arg.startsWith(indicatorsOption))

/** The indicators to time; undefined for all. */
export const chosenIndicators: ReadonlySet<string> | undefined =
  listed === undefined ? undefined : new Set(listed.slice(indicatorsOption.length).split(','))

/** Prefix of the option with the number of candles that `peers` times: `--candles=1000000`. */
export const candlesOption = '--candles='

const length = process.argv.find(arg => arg.startsWith(candlesOption))

/** The candles to time; undefined for the usual number. */
export const chosenCandles: number | undefined =
  length === undefined ? undefined : Number(length.slice(candlesOption.length))
