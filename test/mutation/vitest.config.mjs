import { defineConfig } from 'vitest/config'
import { areas } from './areas.mjs'

const area = areas[process.env.MUTATION_AREA]
if (area === undefined) throw new Error('run by scripts/mutation.mjs')

export default defineConfig({
  test: {
    include: area.tests,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
