// Writes docs/figures/<indicator>.svg: a market that contains the pattern, drawn from the first fixture of each
// indicator in test/patterns/fixtures. docs/indicators.md shows the figures; a test compares them with the fixtures.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { withModule } from './load-typescript.mjs'

const folder = new URL('../docs/figures/', import.meta.url)
const figures = await withModule('test/patterns/figure.ts', ({ readFigures }) => readFigures())
mkdirSync(folder, { recursive: true })
for (const name of readdirSync(folder)) if (!figures.has(name)) rmSync(new URL(name, folder))
for (const [name, text] of figures) writeFileSync(new URL(name, folder), text)
