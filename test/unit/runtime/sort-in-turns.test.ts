import { expect, it } from 'vitest'
import { createRandom } from '../../../bench/random.js'
import { eventLoop } from '../../../src/runtime/event-loop.js'
import { pieceLength, sortInTurns } from '../../../src/runtime/pieces.js'

const byValue = (a: { readonly value: number }, b: { readonly value: number }) => a.value - b.value

it('sorts lists of any length as one sort does, equal items in their order', async () => {
  const random = createRandom(5)
  for (const length of [0, 1, 2, pieceLength, pieceLength + 1, 3 * pieceLength, 7 * pieceLength + 13]) {
    const items = Array.from({ length }, (_, at) => ({ at, value: Math.floor(random() * 1000) }))
    expect(await sortInTurns('test', items, byValue), `${length}`).toEqual([...items].sort(byValue))
  }
})

it('gives others a turn after each piece', async () => {
  const items = Array.from({ length: 10 * pieceLength }, (_, at) => ({ value: -at }))
  let turns = 0
  let isOver = false
  const others = (async () => {
    while (!isOver) {
      await eventLoop.next('others')
      turns++
    }
  })()
  await sortInTurns('test', items, byValue)
  isOver = true
  await others
  expect(turns).toBeGreaterThan(1)
})
