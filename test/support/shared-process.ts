import { afterAll, vi } from 'vitest'

// Runs before each test file of those that share a process: the next one finds functions and globals as they were.
afterAll(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
