import { expect, it } from 'vitest'
import { soak } from './soak.js'

// `npm run test:soak` sets these; `npm test` runs a small part with the seeds that are written here.
const isWhole = process.env.SOAK_SEED !== undefined
const { SOAK_SEED, SOAK_SERIES = 30, SOAK_CANDLES = 400 } = process.env
const whole = { series: Number(SOAK_SERIES), candles: Number(SOAK_CANDLES) }
const runs = isWhole
  ? [{ seed: Number(SOAK_SEED), ...whole, tags: [] }]
  : [
      { seed: 20_261_121, series: 12, candles: 250, tags: [] },
      { seed: 20_261_121, ...whole, tags: ['faults'] },
      { seed: 20_261_122, ...whole, tags: ['faults'] },
    ]

for (const { seed, series, candles, tags } of runs) {
  const options = { timeout: isWhole ? 7_200_000 : 60_000, tags }
  it(
    `live values of ${series} series equal those of a new computation bit for bit, whatever the exchange does (seed ${seed})`,
    options,
    async () => {
      const began = performance.now()
      const onProgress = (share: number) => isWhole && console.log(`${Math.round(100 * share)} %`)
      const report = await soak({ seed, series, candles, onProgress })
      const { faults, ...counts } = report
      if (isWhole)
        console.log(
          `seed ${seed}, ${series} series, ${candles} candles each, ${Math.round((performance.now() - began) / 1000)} s: ${JSON.stringify(counts)}`,
        )
      expect(
        faults,
        `to repeat it: npm run test:soak -- --seed ${seed} --series ${series} --candles ${candles}`,
      ).toEqual([])
      expect(counts.closed, 'every candle was published').toBeGreaterThanOrEqual(series * (candles - 1))
      expect(counts.forming).toBeGreaterThan(0)
      expect(counts.archived).toBeGreaterThan(series * 200)
      for (const kind of ['drops', 'corrections', 'repeats', 'holes'] as const)
        expect(counts[kind], kind).toBeGreaterThan(0)
    },
  )
}
