import { afterAll, vi } from 'vitest'

// Runs before each test file that shares a process: restores functions and globals for the next one.
afterAll(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
