import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { isTimeout, withDeadline, withTimeout } from '../../../src/runtime/deadline.js'
import { collectGarbage } from '../../support/memory.js'

const never = new AbortController().signal

/** Rejects with the reason of a signal when it aborts. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

it('resolves and rejects as the work does', async () => {
  expect(await withDeadline(1000, never, async () => 5)).toBe(5)
  await expect(withDeadline(1000, never, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
})

it('aborts the work with a TimeoutError when its time is over, however much garbage is collected before', async () => {
  const collecting = setInterval(collectGarbage, 10)
  const began = performance.now()
  const error = await withDeadline(100, never, untilAborted).catch(reason => reason)
  clearInterval(collecting)
  expect([isTimeout(error), error.message]).toEqual([true, 'it took longer than 100 ms'])
  expect(performance.now() - began).toBeGreaterThan(98)
})

it('aborts the work when the outer signal does, also where that was before', async () => {
  const outer = new AbortController()
  const reason = new Error('closed')
  const waiting = withDeadline(10_000, outer.signal, untilAborted)
  outer.abort(reason)
  await expect(waiting).rejects.toBe(reason)
  await withDeadline(10_000, outer.signal, async signal => expect(signal.reason).toBe(reason))
})

it('aborts nothing once the work is done, and leaves nothing behind', async () => {
  const outer = new AbortController()
  const timersBefore = process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
  let signal: AbortSignal | undefined
  await withDeadline(20, outer.signal, async given => {
    signal = given
  })
  expect(process.getActiveResourcesInfo().filter(name => name === 'Timeout')).toHaveLength(timersBefore)
  outer.abort()
  await sleep(30)
  expect(signal?.aborted).toBe(false)
})

it('waits for a promise for so many seconds, which goes on after them', async () => {
  let finish = (_value: number) => {}
  const slow = new Promise<number>(resolve => {
    finish = resolve
  })
  expect(await withTimeout(slow, 0.02)).toBeUndefined()
  finish(7)
  expect(await withTimeout(slow, 10)).toBe(7)
  await expect(withTimeout(Promise.reject(new Error('no')), 10)).rejects.toThrow('no')
})
