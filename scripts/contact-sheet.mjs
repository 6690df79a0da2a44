// Draws every indicator as the page does, over candles of the demo exchange, into build/contact-sheet: pictures of many at a
// time. `node scripts/contact-sheet.mjs [light|dark] [name …]` draws some of them.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withModule } from './load-typescript.mjs'

const [theme = 'light', ...names] = process.argv.slice(2)
const folder = fileURLToPath(new URL(`../build/contact-sheet/${theme}`, import.meta.url))
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
await withModule('test/page/stage/contact-sheet.ts', async ({ drawSheets }) => {
  for await (const { name, picture } of drawSheets(theme, names)) writeFileSync(join(folder, name), picture)
})
console.log(folder)
