import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const areas = JSON.parse(readFileSync(new URL('areas.json', import.meta.url), 'utf8'))
const area = areas[process.env.MUTATION_AREA]
if (area === undefined) throw new Error('this file is for scripts/mutation.mjs')

export default defineConfig({
  test: {
    include: area.tests,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
