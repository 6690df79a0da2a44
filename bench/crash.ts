import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Table } from './baseline.js'
import { effort } from './effort.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const kills = effort(200, 1)

/** Kills the service again and again at random times while candles arrive; fails if a served candle is lost. */
export function benchCrash(): Promise<Table> {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', 'test/service/crash.test.ts']
  const began = performance.now()
  const { status } = spawnSync(process.execPath, vitest, {
    cwd: root,
    env: { ...process.env, CRASHES: String(kills) },
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('candles were lost, or an archive could not be opened')
  const seconds = Math.round((performance.now() - began) / 1000)
  return Promise.resolve({ [`${kills} kills`]: { lost: 0, seconds } })
}
