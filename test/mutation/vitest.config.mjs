import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const areas = JSON.parse(readFileSync(new URL('areas.json', import.meta.url), 'utf8'))
const area = areas[process.env.MUTATION_AREA]
if (area === undefined) throw new Error('this file is for scripts/mutation.mjs')
/** Tests to run instead of all tests of the area. For a single file, a few of them are enough and need less time. */
const named = (process.env.MUTATION_TESTS ?? '').split(',').filter(path => path !== '')

export default defineConfig({
  test: {
    include: named.length > 0 ? named : area.tests,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
