import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { hasBrowser, launchBrowser, openTab } from '../support/browser.js'
import { difference } from '../support/drawing-stage.js'
import { needs } from '../support/needs.js'
import { drawExamples } from './stage/examples.js'

const folder = new URL('pictures/', import.meta.url)
/**
 * Share of pixels that may differ because of the texts of another font and of rounding. Every shape covers a larger
 * share.
 */
const tolerance = 0.004

// `node scripts/drawing-pictures.mjs` writes the pictures again.
it.skipIf(!hasBrowser)(
  'each kind of shape is drawn as in its stored picture',
  { tags: ['browser'], ...needs('chromium') },
  async () => {
    const browser = await launchBrowser()
    try {
      const { page, errors } = await openTab(browser)
      const names: string[] = []
      for await (const { name, picture, bare } of drawExamples(page)) {
        names.push(`${name}.png`)
        const stored = readFileSync(new URL(`${name}.png`, folder))
        expect(await difference(page, picture, stored), name).toBeLessThan(tolerance)
        expect(await difference(page, bare, stored), `${name}: the candles alone`).toBeGreaterThan(tolerance)
      }
      expect(names.sort()).toEqual(readdirSync(folder).sort())
      expect(errors).toEqual([])
    } finally {
      await browser.close()
    }
  },
)
