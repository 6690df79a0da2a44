/**
 * Whether benches only have to show that they run: `--smoke` measures a little of everything, so its figures mean nothing and
 * are neither compared nor recorded.
 */
export const isSmoke = process.argv.includes('--smoke')

/** How much is measured: `whole` for figures, `smoke` to see that a bench runs. */
export const effort = (whole: number, smoke: number): number => (isSmoke ? smoke : whole)

/** All of what is measured, or only its first. */
export const some = <Item>(all: readonly Item[]): readonly Item[] => (isSmoke ? all.slice(0, 1) : all)

/** Begins the list of indicators that `peers` is to time alone: `--indicators=dema,tema`. */
export const indicatorsOption = '--indicators='

const listed = process.argv.find(arg => arg.startsWith(indicatorsOption))

/** The indicators that are timed alone; all are timed where this is undefined. */
export const chosenIndicators: ReadonlySet<string> | undefined =
  listed === undefined ? undefined : new Set(listed.slice(indicatorsOption.length).split(','))
