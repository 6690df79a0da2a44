// Runs the soak test: `npm run test:soak -- --series 300 --candles 10000 --seed 7`.
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { seed: { type: 'string' }, series: { type: 'string' }, candles: { type: 'string' } },
})
const { seed = String(randomInt(2 ** 31)), series = '300', candles = '10000' } = values
for (const [name, text] of Object.entries({ seed, series, candles }))
  if (!/^\d+$/.test(text)) {
    console.error(`--${name} must be a whole number, got ${text}`)
    process.exit(2)
  }
console.log(`seed ${seed}`)
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'test/soak'], {
  stdio: 'inherit',
  env: { ...process.env, SOAK_SEED: seed, SOAK_SERIES: series, SOAK_CANDLES: candles },
})
process.exit(status ?? 1)
