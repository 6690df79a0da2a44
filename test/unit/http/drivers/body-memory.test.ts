import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { BodyReceiver } from '../../../../src/http/drivers/bodies.js'
import type { RequestContext } from '../../../../src/http/drivers/request-context.js'

const silent = { info() {}, warn() {}, error() {} }

/** A receiver with memory for 10 bytes, 6 of one key, and the names of the bodies that it has refused. */
function create() {
  const receiver = new BodyReceiver({ maxBodies: { total: 10, ofKey: 6 }, log: silent })
  const refused: string[] = []
  /** Receives bytes of a body, whose key is the first letter of its name. */
  const receive = (name: string, bytes: number, isComplete = false) => {
    let pass: (chunk: Uint8Array, isLast: boolean) => void = () => {}
    const request = {
      ...{ authorization: name.slice(0, 1), contentLength: bytes, isOver: false, received: undefined },
      response: {
        onData(listener: typeof pass) {
          pass = listener
        },
      },
    } as unknown as RequestContext
    void receiver.receive(request, 100).then(body => {
      if ('error' in body) refused.push(name)
    })
    pass(new Uint8Array(bytes), isComplete)
    return request
  }
  return { receiver, refused, receive }
}

it('counts a body until it is released, once', async () => {
  const { receiver, refused, receive } = create()
  const own = receive('a1', 5)
  receiver.release(own, false)
  receiver.release(own, false)
  receive('a2', 6)
  receive('b1', 4)
  await setImmediate()
  expect(refused).toEqual([])
  receive('c1', 1)
  await setImmediate()
  expect(refused).toEqual(['a2'])
})

it('refuses the oldest bodies of a key, as many as are too many', async () => {
  const { refused, receive } = create()
  for (const name of ['a1', 'a2', 'b1', 'a3']) receive(name, 2)
  expect(receive('a4', 4).received).toBeDefined()
  await setImmediate()
  expect(refused).toEqual(['a1', 'a2'])
  receive('c1', 2)
  await setImmediate()
  expect(refused, 'eight bytes were held').toEqual(['a1', 'a2'])
})

it('refuses the oldest body of the key with the most where all keys together have too much', async () => {
  const { refused, receive } = create()
  receive('c1', 1)
  for (const name of ['a1', 'b1', 'b2', 'a2', 'b3']) receive(name, name.startsWith('b') ? 2 : 1)
  expect(receive('d1', 2).received).toBeDefined()
  await setImmediate()
  expect(refused).toEqual(['b1'])
})

it('refuses a body itself where all others are complete, which are never refused', async () => {
  const { receiver, refused, receive } = create()
  const complete = receive('a1', 5, true)
  expect(receive('a2', 2).received).toBeUndefined()
  await setImmediate()
  expect(refused).toEqual(['a2'])
  receiver.release(complete, false)
  expect(complete.received, 'the handler reads it').toBeDefined()
  receiver.release(complete, true)
  expect(receive('a3', 6).received).toBeDefined()
  await setImmediate()
  expect(refused).toEqual(['a2'])
})
