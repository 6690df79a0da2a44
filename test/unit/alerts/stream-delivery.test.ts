import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { acknowledgementMs, type SendToAccount, StreamDelivery } from '../../../src/alerts/stream-delivery.js'

/** Listeners of two processes that share a store. Each message arrives at both. */
let listeners: ((text: string) => void)[]
const store = {
  send: (text: string) => {
    for (const listener of listeners) listener(text)
  },
  listen: (listener: (text: string) => void) => void listeners.push(listener),
}
const alert = { number: 7, id: 'alert_x:60', body: '{"type":"alert"}' }
const endless = new AbortController().signal

beforeEach(() => {
  listeners = []
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

/** A process that sends alerts to clients of another one, which answers with `sendToAccount`. */
function between(sendToAccount: SendToAccount) {
  const sender = new StreamDelivery(
    store,
    () => 'none',
    () => {},
  )
  new StreamDelivery(store, sendToAccount, () => {})
  const outcomes: string[] = []
  const begin = () =>
    sender.deliver('A', alert, endless).then(
      () => outcomes.push('delivered'),
      (error: Error) => outcomes.push(error.message),
    )
  return { begin, outcomes }
}

it('has arrived when a connection that acknowledges nothing was sent it', async () => {
  const sent: unknown[] = []
  const { begin, outcomes } = between((...given) => {
    sent.push(given.slice(0, 2))
    return 'received'
  })
  await begin()
  expect(outcomes).toEqual(['delivered'])
  expect(sent).toEqual([['A', { id: alert.id, body: alert.body }]])
})

it('has not arrived where no connection asks for alerts', async () => {
  const { begin, outcomes } = between(() => 'none')
  const ended = begin()
  await vi.advanceTimersByTimeAsync(1000)
  await ended
  expect(outcomes).toEqual(['no streaming connection of the account asks for alerts'])
})

it.each([
  [true, 'delivered'],
  [false, 'the streaming connection has ended without acknowledging it'],
])('waits for the acknowledgement: %s', async (isAcknowledged, outcome) => {
  let acknowledge = (_: boolean): void => {}
  const { begin, outcomes } = between((_account, _alert, onAcknowledged) => {
    acknowledge = onAcknowledged
    return 'awaited'
  })
  const ended = begin()
  await vi.advanceTimersByTimeAsync(acknowledgementMs - 1)
  expect(outcomes).toEqual([])
  acknowledge(isAcknowledged)
  await ended
  expect(outcomes).toEqual([outcome])
})

it('is sent again where nobody acknowledges it in time', async () => {
  let sent = 0
  const { begin, outcomes } = between(() => {
    sent++
    return 'awaited'
  })
  const ended = begin()
  await vi.advanceTimersByTimeAsync(acknowledgementMs)
  await ended
  await Promise.race([begin(), vi.advanceTimersByTimeAsync(acknowledgementMs)])
  expect([sent, outcomes[0]]).toEqual([2, 'no streaming connection has acknowledged it'])
})
