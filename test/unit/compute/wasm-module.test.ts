import { statSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the module with all kernels stays under 420 KB', () => {
  expect(statSync(new URL('../../../build/kernels.wasm', import.meta.url)).size).toBeLessThan(420_000)
})
