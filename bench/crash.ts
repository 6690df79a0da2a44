import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const kills = 200

/** Kills the service at random moments while candles arrive, over and over; fails where anything answered is lost. */
export function benchCrash(): Promise<Record<string, string | number>> {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', 'test/service/crash.test.ts']
  const began = performance.now()
  const { status } = spawnSync(process.execPath, vitest, {
    cwd: root,
    env: { ...process.env, CRASHES: String(kills) },
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('candles were lost, or an archive could not be opened')
  return Promise.resolve({ kills, lost: 0, seconds: Math.round((performance.now() - began) / 1000) })
}
