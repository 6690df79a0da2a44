import { expect, it } from 'vitest'
import { type NeedsBody, needsBody, type Reply, type RequestHead } from '../../../src/api/reply.js'
import { countRequests } from '../../../src/api/request-metrics.js'
import type { Caller } from '../../../src/compute/compute-dispatcher.js'

const head = { path: '/bulk' } as RequestHead
const reply = (status: number): Reply => ({ status, body: '' })

/** A request with a body that is answered by `reader`, and the statuses that are counted. */
function setUp(reader: NeedsBody) {
  const counted: string[] = []
  const counter = { add: (labels = {}) => void counted.push((labels as { status: string }).status) }
  const counting = countRequests(
    () => reader,
    () => '/bulk',
    counter,
  )(head)
  if (counting instanceof Promise || !needsBody(counting)) throw new Error('it needs a body')
  return { counted, counting }
}

const body = new Uint8Array()
const caller = {} as Caller

it('a refusal that comes while the body is read is counted once', async () => {
  const refusal = Promise.resolve(reply(401))
  const { counted, counting } = setUp({ maxBytes: 1, refused: refusal, read: () => refusal })
  expect([await counting.read(body, caller), await counting.refused]).toEqual([reply(401), reply(401)])
  expect(counted).toEqual(['401'])
})

it('a request that is admitted later is counted with its reply', async () => {
  const { counted, counting } = setUp({
    maxBytes: 1,
    refused: Promise.resolve(undefined),
    read: async () => reply(200),
  })
  expect(await counting.refused).toBeUndefined()
  expect(counted).toEqual([])
  await counting.read(body, caller)
  expect(counted).toEqual(['200'])
})

it('a failure of its reader is counted as 500', async () => {
  const { counted, counting } = setUp({ maxBytes: 1, read: () => Promise.reject(new Error('a bug')) })
  await expect(counting.read(body, caller)).rejects.toThrow('a bug')
  expect(counted).toEqual(['500'])
})
