import { afterAll, vi } from 'vitest'

// Runs before each test file that shares a process: restores functions, globals, timers and the directory for the next one.
const directory = process.cwd()
afterAll(() => {
  process.chdir(directory)
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
