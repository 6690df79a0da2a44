import { createHash } from 'node:crypto'
import type { Account, FreeRetries } from '../store/store.js'
import type { Reply } from './reply.js'

/**
 * Answers a POST that may be pending (202): its repetition with the same body, and what that is answered, costs no
 * request, as it is with GET.
 */
export function answerRepeatable(
  questions: FreeRetries,
  { id }: Account,
  path: string,
  body: Uint8Array,
  answer: () => Reply | Promise<Reply>,
): Reply | Promise<Reply> {
  // The body is reused after the reply.
  const question = `${id} ${path} ${createHash('sha256').update(body).digest('base64')}`
  const taken = !questions.isEmpty() && questions.take(question)
  const settle = (reply: Reply, isRepetition: boolean): Reply | Promise<Reply> => {
    const settled = isRepetition ? { ...reply, isFree: true } : reply
    const added = reply.status === 202 ? questions.add(question) : undefined
    return added === undefined ? settled : added.then(() => settled)
  }
  const reply = answer()
  if (!(reply instanceof Promise) && typeof taken === 'boolean') return settle(reply, taken)
  return Promise.all([reply, taken]).then(([known, isRepetition]) => settle(known, isRepetition))
}
