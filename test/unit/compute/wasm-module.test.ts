import { statSync } from 'node:fs'
import { expect, test } from 'vitest'

// A guard against code that is repeated many times, not a limit. The comparison of numbers with a tolerance for rounding once
// needed 6 KB; loops over segments of a long series take 20 KB.
test('the module with all kernels stays under 470 KB', () => {
  expect(statSync(new URL('../../../build/kernels.wasm', import.meta.url)).size).toBeLessThan(470_000)
})
