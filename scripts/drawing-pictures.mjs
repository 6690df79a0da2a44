// Writes test/page/pictures: the page's drawing of each kind of shape, in both themes. test/page/pictures.test.ts compares
// the page with them.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { withModule } from './load-typescript.mjs'

const folder = new URL('../test/page/pictures/', import.meta.url)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
await withModule('test/support/browser.ts', ({ launchBrowser, openTab }) =>
  withModule('test/page/stage/examples.ts', async ({ drawExamples }) => {
    const browser = await launchBrowser()
    try {
      const { page } = await openTab(browser)
      for await (const { name, picture } of drawExamples(page))
        writeFileSync(new URL(`${name}.png`, folder), picture)
    } finally {
      await browser.close()
    }
  }),
)
