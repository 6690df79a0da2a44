import { expect, it } from 'vitest'
import { createRandom } from '../../../bench/random.js'
import { pieceLength, scheduler, sortInSlices } from '../../../src/runtime/scheduler.js'

const byValue = (a: { readonly value: number }, b: { readonly value: number }) => a.value - b.value

it('sorts lists of any length as one sort does, equal items in their order', async () => {
  const random = createRandom(5)
  for (const length of [0, 1, 2, pieceLength, pieceLength + 1, 3 * pieceLength, 7 * pieceLength + 13]) {
    const items = Array.from({ length }, (_, at) => ({ at, value: Math.floor(random() * 1000) }))
    expect(await sortInSlices('test', items, byValue), `${length}`).toEqual([...items].sort(byValue))
  }
})

it('gives others a turn after each piece', async () => {
  const items = Array.from({ length: 10 * pieceLength }, (_, at) => ({ value: -at }))
  let turns = 0
  let isOver = false
  const others = (async () => {
    while (!isOver) {
      await scheduler.next('others')
      turns++
    }
  })()
  await sortInSlices('test', items, byValue)
  isOver = true
  await others
  expect(turns).toBeGreaterThan(1)
})
