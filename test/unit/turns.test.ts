import { expect, it } from 'vitest'
import { Turns } from '../../src/exchanges/turns.js'

it('runs one piece of work after the other, and in between what else is due', async () => {
  const turns = new Turns()
  const events: string[] = []
  const work = (name: string) => async () => {
    events.push(`${name} begins`)
    setImmediate(() => events.push(`after ${name}`))
    await Promise.resolve()
    events.push(`${name} ends`)
    return name
  }
  const names = await Promise.all(['a', 'b', 'c'].map(name => turns.run(work(name))))
  expect(names).toEqual(['a', 'b', 'c'])
  expect(events).toEqual([
    ...['a begins', 'a ends', 'after a', 'b begins', 'b ends', 'after b', 'c begins', 'c ends'],
  ])
})

it('goes on after work that fails', async () => {
  const turns = new Turns()
  const failed = turns.run(() => Promise.reject(new Error('broken')))
  const next = turns.run(async () => 'next')
  await expect(failed).rejects.toThrow('broken')
  expect(await next).toBe('next')
})
