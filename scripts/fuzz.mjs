// Runs the fuzz tests: `npm run test:fuzz -- --cases 200000 --seed 7`, or one case of a seed by `--case 1234`.
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { seed: { type: 'string' }, cases: { type: 'string' }, case: { type: 'string' } },
})
const { seed = String(randomInt(2 ** 31)), cases = '20000', case: only } = values
for (const [name, text] of Object.entries({ seed, cases, case: only ?? '0' }))
  if (!/^\d+$/.test(text)) {
    console.error(`--${name} must be a whole number, got ${text}`)
    process.exit(2)
  }
console.log(`seed ${seed}`)
const histories = [
  'test/unit/compute/expressions/long-histories',
  'test/unit/compute/long-range',
  'test/service/random-ranges',
]
const files = ['test/fuzz', ...(only === undefined ? histories : [])]
// One file at a time, because the first one measures a service and must not wait for the other.
const args = ['run', '--no-file-parallelism', ...files]
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], {
  stdio: 'inherit',
  env: {
    ...process.env,
    FUZZ_SEED: seed,
    FUZZ_CASES: cases,
    ...(only === undefined ? {} : { FUZZ_CASE: only }),
  },
})
process.exit(status ?? 1)
