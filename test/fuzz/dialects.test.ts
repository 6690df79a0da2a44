import { expect, it } from 'vitest'
import { checkDialect } from './dialects.js'
import { Draw } from './draw.js'

// `npm run test:fuzz` sets these; `npm test` runs a small part with the seed that is written here.
const seed = Number(process.env.FUZZ_SEED ?? 20_261_128)
const given = process.env.FUZZ_CASES
const only = process.env.FUZZ_CASE === undefined ? undefined : Number(process.env.FUZZ_CASE)
const runs = given
  ? [{ cases: Number(given), options: {} }]
  : [
      { cases: 150, options: {} },
      { cases: 400, options: { tags: ['faults'] } },
    ]

for (const { cases, options } of runs)
  it(`candles in ${cases} files of some dialect are read to the bit or refused`, {
    timeout: 600_000,
    ...options,
  }, async () => {
    const [from, to] = only === undefined ? [0, cases] : [only, only + 1]
    const counts = { read: 0, refused: 0 }
    const faults: string[] = []
    for (let number = from; number < to; number++) {
      const result = await checkDialect(new Draw(seed, number))
      if (typeof result === 'string') counts[result]++
      else faults.push(`case ${number}: ${result.fault}`)
    }
    expect(faults.slice(0, 5).join('\n')).toBe('')
    // Most files show their form, or come with the options that a person gives.
    expect(counts.read).toBeGreaterThan(cases / 3)
  })
