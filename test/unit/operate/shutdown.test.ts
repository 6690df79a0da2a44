import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { shutDownOnSignals } from '../../../src/operate/shutdown.js'
import type { Log } from '../../../src/runtime/log.js'

/** Events, in order. */
let story: string[]
let signal: (name: 'SIGTERM' | 'SIGINT') => void
const begin = (close: () => Promise<void>, save = () => {}) => {
  const handlers = new Map<string, (name: string) => void>()
  vi.spyOn(process, 'on').mockImplementation((event, listener) => {
    handlers.set(String(event), listener as (name: string) => void)
    return process
  })
  const write = (_: unknown, text: string) => story.push(text)
  const service = {
    save: () => {
      story.push('save')
      save()
    },
    close: () => {
      story.push('close')
      return close()
    },
  }
  const log = { info: write, error: write } as unknown as Log
  shutDownOnSignals(service, { drainSeconds: 0, shutdownSeconds: 10 }, log)
  signal = name => handlers.get(name)?.(name)
}
const never = () => new Promise<void>(() => {})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  story = []
  vi.spyOn(process, 'exit').mockImplementation(code => {
    story.push(`exit ${code}`)
    return undefined as never
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('what is in memory alone is written before anything is closed', async () => {
  begin(async () => {})
  signal('SIGTERM')
  await vi.advanceTimersByTimeAsync(0)
  expect(story).toEqual(['save', 'stopping', 'close', 'exit 0'])
})

it('closing may take five seconds after the last request; then all is written again before the process ends', async () => {
  begin(never)
  signal('SIGINT')
  await vi.advanceTimersByTimeAsync(14_999)
  expect(story).toEqual(['save', 'stopping', 'close'])
  await vi.advanceTimersByTimeAsync(1)
  expect(story.slice(3)).toEqual(['save', 'the service could not be stopped in order', 'exit 1'])
})

it('a second signal ends the process at once, after all is written', () => {
  begin(never)
  signal('SIGTERM')
  signal('SIGTERM')
  expect(story.slice(3, 5)).toEqual(['save', 'exit 143'])
})

it('a disk that cannot be written keeps nothing from being closed', async () => {
  begin(
    async () => {},
    () => {
      throw new Error('ENOSPC')
    },
  )
  signal('SIGTERM')
  await vi.advanceTimersByTimeAsync(0)
  expect(story).toEqual(['save', 'candles could not be archived', 'stopping', 'close', 'exit 0'])
})
