/** The symbols of the US exchanges as they publish them. */
export interface SymbolDirectory {
  /** With their separators, sorted: `AAPL`, `BRK.B`, `ABR$D`. */
  readonly symbols: readonly string[]
  /** Symbols by their spelling without a separator (`BRKB`, `ABRPD`), where this is not a symbol itself. */
  readonly bySpelling: ReadonlyMap<string, string>
}

/** How a provider writes the symbols of the US exchanges. */
interface Spelling {
  /** What stands for the dot of a class of shares. */
  readonly dot: string
  /** What stands for the `$` of a preferred share; undefined where the provider has none. */
  readonly preferred: string | undefined
  /** What follows the dot instead of other suffixes than one letter: of warrants (W, WS), units (U) and rights (R). */
  readonly suffixes: Readonly<Record<string, string>>
}

/** A symbol of the US exchanges as a provider writes it; undefined for what is no such symbol, such as an index or a foreign share. */
export function symbolSpelling(symbol: string, { dot, preferred, suffixes }: Spelling): string | undefined {
  const match = /^([A-Z][A-Z0-9]{0,6})(?:([.$])([A-Z]{0,2}))?$/.exec(symbol)
  if (!match) return undefined
  const [, root, separator, suffix = ''] = match
  if (separator === undefined) return root
  if (separator === '$') return preferred === undefined ? undefined : `${root}${preferred}${suffix}`
  const known = Object.hasOwn(suffixes, suffix) ? suffixes[suffix] : suffix.length === 1 ? suffix : undefined
  return known === undefined ? undefined : `${root}${dot}${known}`
}

const yahooSuffixes: Readonly<Record<string, string>> = { W: 'WT', WS: 'WT', U: 'UN', R: 'RI' }

/** Yahoo's spelling of a symbol: `BRK.B` is `BRK-B`, the preferred share `ABR$D` is `ABR-PD`, and the warrant `X.W` is `X-WT`. */
export const yahooSpelling = (symbol: string): string | undefined =>
  symbolSpelling(symbol, { dot: '-', preferred: '-P', suffixes: yahooSuffixes })

/**
 * Reads the file of all securities that Nasdaq trades (`nasdaqtraded.txt`): a heading, rows with `|` between their
 * fields, and the time of its creation in the last line. Test issues and what has no Yahoo spelling are left out.
 * Undefined when the text is something else or is cut off.
 */
export function readDirectory(text: string): SymbolDirectory | undefined {
  const [heading = '', ...lines] = text.trimEnd().split(/\r?\n/)
  const names = heading.split('|')
  const symbolAt = names.indexOf('Symbol')
  const testAt = names.indexOf('Test Issue')
  if (symbolAt < 0 || testAt < 0 || !/^File Creation Time/.test(lines.pop() ?? '')) return undefined
  const symbols = new Set<string>()
  const bySpelling = new Map<string, string>()
  for (const line of lines) {
    const fields = line.split('|')
    const symbol = fields[symbolAt] ?? ''
    const spelling = fields[testAt] === 'N' ? yahooSpelling(symbol) : undefined
    if (spelling === undefined) continue
    symbols.add(symbol)
    if (spelling !== symbol) bySpelling.set(spelling.replace('-', ''), symbol)
  }
  if (symbols.size === 0) return undefined
  for (const symbol of symbols) bySpelling.delete(symbol)
  return { symbols: Object.freeze([...symbols].sort()), bySpelling }
}
