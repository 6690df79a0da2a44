import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type UwsResponse, writeUwsFragments } from '../../../../src/http/drivers/uws.js'
import { BodyFragments } from '../../../../src/runtime/buffer-pool.js'

/** A response whose socket takes half of the first fragment at once and everything later, in a millisecond each time. */
class SlowResponse implements Partial<UwsResponse> {
  #offset = 0
  writable = () => true

  tryEnd(fragment: Uint8Array, total: number): [boolean, boolean] {
    const start = performance.now()
    while (performance.now() - start < 1);
    const isFirst = this.#offset === 0
    this.#offset += isFirst ? fragment.byteLength / 2 : fragment.byteLength
    return [!isFirst, this.#offset === total]
  }
  getWriteOffset = () => this.#offset
  onWritable(listener: () => boolean) {
    this.writable = listener
  }
  cork = (write: () => void) => write()
}

function begin(onDone: () => void) {
  const response = new SlowResponse()
  const fragments = new BodyFragments([Buffer.alloc(1000), Buffer.alloc(1000)])
  const context: { response: UwsResponse; fragments: BodyFragments | undefined } = {
    response: response as unknown as UwsResponse,
    fragments,
  }
  writeUwsFragments(context, fragments, onDone)
  return { response, context }
}

it('sockets that become writable together are written in several turns, each to its end', async () => {
  let ended = 0
  const answers = Array.from({ length: 50 }, () => begin(() => ended++))
  await nextTurn()
  for (const { response } of answers) expect(response.writable()).toBe(true)
  // All 50 at once would take 50 ms; how many were written is counted, because others use the machine as well.
  const written = answers.filter(({ response }) => response.getWriteOffset() > 500).length
  expect([written > 0, written < 10]).toEqual([true, true])
  while (ended < answers.length) await nextTurn()
  expect(answers.every(({ response }) => response.getWriteOffset() === 2000)).toBe(true)
})

it('what waits for its turn is not written once the client has disconnected', async () => {
  const answers = Array.from({ length: 20 }, () => begin(() => {}))
  await nextTurn()
  for (const { response } of answers) response.writable()
  const waiting = answers.filter(({ response }) => response.getWriteOffset() === 500)
  expect(waiting.length).toBeGreaterThan(0)
  for (const { context } of waiting) context.fragments = undefined
  for (let i = 0; i < 20; i++) await nextTurn()
  expect(waiting.every(({ response }) => response.getWriteOffset() === 500)).toBe(true)
})
