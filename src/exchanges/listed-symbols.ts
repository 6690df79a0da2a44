import type { Source } from './source.js'

/** Symbols as their exchange lists them, each once; one that it does not list stays as it is. */
export const listedSymbols = (source: Source, symbols: readonly string[]): readonly string[] => [
  ...new Set(symbols.map(symbol => source.listedSymbol?.(symbol) ?? symbol)),
]
