import type { AnswerFacts } from '../compute/answer.js'
import type { Reply } from './reply.js'

/** RFC 9111 has no `Warning` any more, but programs read it: 199 is the code of RFC 7234 for what has none of its own. */
const fewerWarning = (fewer: string) => ({ Warning: `199 - "${fewer}"` })

/** The header fields of a reply that says something about its values. */
export function answerHeaders({ settledDigits, fewer }: AnswerFacts): Reply['headers'] {
  if (settledDigits === undefined && fewer === undefined) return undefined
  return {
    ...(settledDigits !== undefined && { 'Settled-Digits': String(settledDigits) }),
    ...(fewer !== undefined && fewerWarning(fewer)),
  }
}
