import { createHash } from 'node:crypto'
import type { Account } from '../store/store.js'
import type { PendingQuestions } from './pending-questions.js'
import type { Reply } from './reply.js'

/**
 * Answers a POST that may be pending (202): its repetition with the same body, and what that is answered, costs no
 * request, as it is with GET.
 */
export function answerRepeatable(
  pendingQuestions: PendingQuestions,
  { id }: Account,
  path: string,
  body: Uint8Array,
  answer: () => Reply | Promise<Reply>,
): Reply | Promise<Reply> {
  // The body is reused after the reply.
  const question = `${id} ${path} ${createHash('sha256').update(body).digest('base64')}`
  const isRepetition = !pendingQuestions.isEmpty() && pendingQuestions.take(question)
  const settle = (reply: Reply): Reply => {
    if (reply.status === 202) pendingQuestions.add(question)
    return isRepetition ? { ...reply, isFree: true } : reply
  }
  const reply = answer()
  return reply instanceof Promise ? reply.then(settle) : settle(reply)
}
