import { z } from 'zod'
import { scopesOf } from '../../contract/account.js'
import { readBodyFields } from '../../contract/fields.js'
import { maxWaitSeconds } from '../../contract/limits.js'
import { isRefusal } from '../../contract/refusals.js'
import { noBody } from '../admission.js'
import type { HttpMessage } from '../mcp/http.js'
import type { ToolService } from '../mcp/tool.js'
import { bodyText, type Origins, ownRequest, type Reply, refused } from '../reply.js'
import { type Call, type KeyRoute, maxShortBytes, neverCharged, post } from '../route.js'

export interface McpParts {
  readonly clock: () => number
  readonly corsOrigins: Origins
  /** Answers the request of a tool. Its route depends on its method and path. */
  readonly answerTool: (call: Omit<Call, 'segment'>) => Reply | Promise<Reply>
}

/**
 * `POST /mcp`: one message of the Model Context Protocol. Requests of its tools are answered like other requests of the
 * account.
 */
async function answerMcp(parts: McpParts, { request, account, body }: Call): Promise<Reply> {
  const fields = readBodyFields(body)
  if (isRefusal(fields)) return refused(fields)
  const send: ToolService['send'] = async ({ path, body: given, method }) => {
    const verb = method?.toLowerCase() ?? (given === undefined ? 'get' : 'post')
    const reply = await parts.answerTool({
      request: ownRequest(request, { method: verb, path, queryString: '' }, maxWaitSeconds),
      account,
      body: given === undefined ? noBody : Buffer.from(JSON.stringify(given)),
      charge: neverCharged,
    })
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
