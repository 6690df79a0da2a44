import { expect, it } from 'vitest'
import { soak } from './soak.js'

// `npm run test:soak` sets these; `npm test` runs a small part with the seeds that are written here.
const isWhole = process.env.SOAK_SEED !== undefined
const seeds = isWhole ? [Number(process.env.SOAK_SEED)] : [20_261_121, 20_261_122]
const series = Number(process.env.SOAK_SERIES ?? 30)
const candles = Number(process.env.SOAK_CANDLES ?? 400)

for (const [at, seed] of seeds.entries()) {
  const options = { timeout: isWhole ? 7_200_000 : 60_000, ...(at === 0 ? {} : { tags: ['faults'] }) }
  it(
    `live values equal those of a new computation bit for bit, whatever the exchange does (seed ${seed})`,
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
