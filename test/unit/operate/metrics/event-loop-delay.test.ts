import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { EventLoopDelay } from '../../../../src/operate/metrics/metrics-server.js'

test('the longest hold is at least as long as the event loop was held, and is taken once', async () => {
  const delay = new EventLoopDelay()
  await sleep(10)
  const until = performance.now() + 300
  while (performance.now() < until);
  await sleep(10)
  expect(delay.takeLongest()).toBeGreaterThanOrEqual(0.295)
  expect(delay.takeLongest(), 'nothing was measured since').toBe(0)
  delay.close()
})
