import { z } from 'zod'
import { scopesOf } from '../../contract/account.js'
import { readBodyFields } from '../../contract/fields.js'
import { maxWaitSeconds } from '../../contract/limits.js'
import { isRefusal } from '../../contract/refusals.js'
import type { HttpMessage } from '../mcp/http.js'
import type { ToolService } from '../mcp/tool.js'
import { bodyText, type Origins, type Reply, refused } from '../reply.js'
import { type Call, type KeyRoute, maxShortBytes, type OwnRequest, post } from '../route.js'

export interface McpParts {
  readonly clock: () => number
  readonly corsOrigins: Origins
  /** Answers a request to this service for the account of another request, which waits `waitSeconds` for candles. */
  readonly answerOwn: (
    call: Pick<Call, 'request' | 'account'>,
    own: OwnRequest,
    waitSeconds: number,
  ) => Reply | Promise<Reply>
}

/**
 * `POST /mcp`: one message of the Model Context Protocol. Requests of its tools are answered like other requests of the
 * account.
 */
async function answerMcp(parts: McpParts, call: Call): Promise<Reply> {
  const { request, account, body } = call
  const fields = readBodyFields(body)
  if (isRefusal(fields)) return refused(fields)
  const send: ToolService['send'] = async own => {
    const reply = await parts.answerOwn(call, own, maxWaitSeconds)
    const { Age } = reply.headers ?? {}
    return {
      status: reply.status,
      body: JSON.parse(bodyText(reply)) as unknown,
      age: Age === undefined ? undefined : Number(Age),
    }
  }
  // Loaded at the first message, because most services never get one.
  const { answerMessage, checkedHeaders } = await import('../mcp/http.js')
  const message = Object.fromEntries(fields)
  const headers = Object.fromEntries(
    checkedHeaders.map(name => [name, request.header(name)]),
  ) as HttpMessage['headers']
  const { status, body: answered } = await answerMessage(
    { message, headers, origins: parts.corsOrigins },
    { send, now: parts.clock, hasAlerts: scopesOf(account).includes('alerts') },
  )
  return { status, body: answered }
}

export const mcpRoute: KeyRoute<McpParts> = post({
  path: '/mcp',
  hasNoQuery: false,
  maxBytes: maxShortBytes,
  answer: answerMcp,
  describe: () => ({
    id: 'mcp',
    tag: 'Language models',
    summary: 'One message of the Model Context Protocol',
    description: 'The HTTP transport of the protocol without sessions: every message is answered as JSON.',
    body: z.looseObject({}).describe('A JSON-RPC message.'),
    replies: {
      200: { description: 'A JSON-RPC response.', schema: 'anyObject' },
      202: { description: 'The message was a notification: nothing is answered.' },
      400: {
        description:
          'An error of the interface where the body is no JSON object, else a JSON-RPC error: no message of the protocol, or an unknown `Mcp-Protocol-Version`.',
        schema: 'anyObject',
      },
      403: {
        description:
          'An error of the interface where the key has not the scope, or a JSON-RPC error where the `Origin` is not in `CORS_ORIGINS`.',
        schema: 'anyObject',
        headers: ['WWW-Authenticate'],
      },
    },
  }),
})
