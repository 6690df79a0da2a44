import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { ok, type Reply } from '../reply.js'

/** The JSON text of a result, or a refusal, as a reply. */
export const textReply = (result: string | Refusal): Reply =>
  isRefusal(result) ? refusalReply(result) : ok(result)

/**
 * A refusal in the forms of version 1, which differ by status. Clients compare the texts of 401 and 429, so they are
 * those of the hosted service word for word.
 */
export function refusalReply({ status, error, headers = {} }: Refusal): Reply {
  return { status, body: JSON.stringify(refusalBody(status, error)), headers }
}

function refusalBody(status: number, error: string): unknown {
  if (status === 401) {
    const message = 'You are not authenticated to query this endpoint! Please check your secret key.'
    return { message, statusCode: 401 }
  }
  if (status === 429 && error.startsWith('Rate limit exceeded')) {
    return { error: '429: You have exceeded your request limit (TAAPI.IO rate-limit)!' }
  }
  return { errors: [error] }
}
