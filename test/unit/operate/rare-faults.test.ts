import { afterEach, expect, it, vi } from 'vitest'
import { StoreFailure } from '../../../src/contract/storage/stores.js'
import { createFaultLog } from '../../../src/operate/parts.js'

afterEach(() => void vi.restoreAllMocks())

it('a fault that repeats every second is one line a minute, with the number of the others', () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const warn = vi.fn()
  const log = createFaultLog({ info() {}, warn, error() {} })
  const lost = new StoreFailure('Cannot lease alerts: restore its data')
  for (; now < 61_000; now += 1000) log(lost, 'alerts could not be run', { market: undefined })
  expect(warn.mock.calls).toEqual([
    [{ reason: 'Cannot lease alerts: restore its data' }, 'alerts could not be run'],
    [{ reason: 'Cannot lease alerts: restore its data', unlogged: 59 }, 'alerts could not be run'],
  ])
})

it('other messages, subjects and classes of errors have lines of their own, bugs with their stack', () => {
  const warn = vi.fn()
  const log = createFaultLog({ info() {}, warn, error() {} })
  const bug = new TypeError('x')
  for (const _ of [1, 2]) {
    log(new StoreFailure('a'), 'one')
    log(bug, 'one')
    log(bug, 'two')
    log(bug, 'two', { symbol: 'B' }, 'binance')
  }
  expect(warn.mock.calls).toEqual([
    [{ reason: 'a' }, 'one'],
    [{ err: bug }, 'one'],
    [{ err: bug }, 'two'],
    [{ err: bug, symbol: 'B' }, 'two'],
  ])
})
