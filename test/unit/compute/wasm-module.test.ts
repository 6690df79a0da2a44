import { statSync } from 'node:fs'
import { expect, test } from 'vitest'

// A guard against code that is written many times over, not a limit: what asks whether numbers are equal but for rounding took 6 KB.
test('the module with all kernels stays under 430 KB', () => {
  expect(statSync(new URL('../../../build/kernels.wasm', import.meta.url)).size).toBeLessThan(430_000)
})
