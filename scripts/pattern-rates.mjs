// Writes docs/pattern-rates.json: the frequency of pattern signals on random walks, where they mean nothing.
// docs/indicators.md shows the rates; a test compares the file with the kernels.
import { writeFileSync } from 'node:fs'
import { withModule } from './load-typescript.mjs'

const rates = await withModule('test/patterns/false-positives.ts', ({ ratesOnRandomWalks }) =>
  ratesOnRandomWalks(),
)
const spaced = object =>
  `{ ${Object.entries(object)
    .map(([name, value]) => `"${name}": ${value}`)
    .join(', ')} }`
// One line per indicator keeps differences readable.
const lines = Object.entries(rates.signals).map(([id, own]) => `    "${id}": ${spaced(own)}`)
writeFileSync(
  new URL('../docs/pattern-rates.json', import.meta.url),
  `{\n  "candles": ${rates.candles},\n  "signals": {\n${lines.join(',\n')}\n  }\n}\n`,
)
