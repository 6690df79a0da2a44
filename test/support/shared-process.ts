import { afterAll, vi } from 'vitest'

// Runs before each test file that shares a process: restores functions, globals, timers and the directory for the next one.
const directory = process.cwd()
afterAll(() => {
  process.chdir(directory)
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

// ccxt keeps the clock that it finds when it is loaded, which may be a test's own. Then it would wait without end in later files.
await import(new URL('./src/base/functions/time.js', import.meta.resolve('ccxt')).href)
