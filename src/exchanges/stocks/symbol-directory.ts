/** The symbols of the US exchanges as they publish them, with what each is called elsewhere. */
export interface SymbolDirectory {
  /** As on the tape, sorted: `AAPL`, `BRK.B`, `ABR$D`. */
  readonly symbols: readonly string[]
  /** By the spelling without any separator (`BRKB`, `ABRPD`), where it is not a symbol itself. */
  readonly joined: ReadonlyMap<string, string>
}

const special: Readonly<Record<string, string>> = { W: 'WT', WS: 'WT', U: 'UN', R: 'RI' }

/**
 * How Yahoo spells a symbol of the tape: `BRK.B` is `BRK-B`, the preferred share `ABR$D` is `ABR-PD`, warrants, units
 * and rights (`X.W`, `X.U`, `X.R`) are `X-WT`, `X-UN` and `X-RI`. Undefined for what is no symbol of a US exchange, such
 * as an index or a foreign share.
 */
export function yahooSpelling(symbol: string): string | undefined {
  const match = /^([A-Z][A-Z0-9]{0,6})(?:([.$])([A-Z]{0,2}))?$/.exec(symbol)
  if (!match) return undefined
  const [, root, separator, suffix = ''] = match
  if (separator === undefined) return root
  if (separator === '$') return `${root}-P${suffix}`
  const known = Object.hasOwn(special, suffix) ? special[suffix] : suffix.length === 1 ? suffix : undefined
  return known === undefined ? undefined : `${root}-${known}`
}

/**
 * Reads the file of all securities that Nasdaq trades (`nasdaqtraded.txt`): rows with bars between their fields, a
 * heading first, the time of its making last. Test issues and what has no Yahoo spelling are left out. Undefined when
 * the text is something else or is cut off.
 */
export function readDirectory(text: string): SymbolDirectory | undefined {
  const [heading = '', ...lines] = text.trimEnd().split(/\r?\n/)
  const names = heading.split('|')
  const symbolAt = names.indexOf('Symbol')
  const testAt = names.indexOf('Test Issue')
  if (symbolAt < 0 || testAt < 0 || !/^File Creation Time/.test(lines.pop() ?? '')) return undefined
  const symbols = new Set<string>()
  const joined = new Map<string, string>()
  for (const line of lines) {
    const fields = line.split('|')
    const symbol = fields[symbolAt] ?? ''
    const spelling = fields[testAt] === 'N' ? yahooSpelling(symbol) : undefined
    if (spelling === undefined) continue
    symbols.add(symbol)
    if (spelling !== symbol) joined.set(spelling.replace('-', ''), symbol)
  }
  if (symbols.size === 0) return undefined
  for (const symbol of symbols) joined.delete(symbol)
  return { symbols: Object.freeze([...symbols].sort()), joined }
}
