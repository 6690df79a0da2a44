import { scheduler } from '../../runtime/scheduler.js'
import type { BodyFragments } from '../reply.js'
import type { HttpResponse, RequestContext } from './request-context.js'

/** The response of uWebSockets.js, as far as it is used here. */
export interface UwsResponse extends HttpResponse {
  /** Writes a fragment of a body of `total` bytes: whether all of it was taken, and whether the body is complete. */
  tryEnd(fragment: Uint8Array, total: number): [isTaken: boolean, isDone: boolean]
  /** Bytes of the body that were taken. */
  getWriteOffset(): number
  onWritable(listener: () => boolean): unknown
}

/**
 * Writes fragments as fast as the socket takes them. What it does not take at once stays here until the socket is
 * writable, instead of being copied into a buffer of the server. Only one fragment is written per turn of the event
 * loop, and only while the turn has time, so that other requests are read in between: copying megabytes into sockets
 * blocks it for milliseconds, and many sockets may become writable together.
 */
export function writeUwsFragments(
  context: Pick<RequestContext<UwsResponse>, 'response' | 'fragments'>,
  { buffers, byteLength: total }: BodyFragments,
  onDone: () => void,
): void {
  const { response } = context
  let at = 0
  /** Where fragment `at` begins in the body. */
  let offset = 0
  const push = (): boolean => {
    const fragment = buffers[at] as Uint8Array
    const [isTaken, isDone] = response.tryEnd(fragment.subarray(response.getWriteOffset() - offset), total)
    if (isDone) onDone()
    if (isDone || !isTaken) return isDone
    offset += fragment.byteLength
    at++
    void scheduler.next('answers').then(pushUnlessEnded)
    return true
  }
  /** The fragments are unset when the client has disconnected in the meantime. */
  const pushUnlessEnded = () => {
    if (context.fragments) response.cork(push)
  }
  response.onWritable(() => {
    if (scheduler.hasTime('answers')) return push()
    void scheduler.next('answers').then(pushUnlessEnded)
    // Nothing was written that could have failed: the socket is not asked again until `tryEnd` has failed.
    return true
  })
  push()
}
