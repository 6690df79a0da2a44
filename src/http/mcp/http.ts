import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { connect, createMcpServer, offerOf } from './server.js'
import type { ToolService } from './tool.js'

export const checkedHeaders = ['mcp-protocol-version', 'origin'] as const

/** A message of the protocol's HTTP transport. */
export interface HttpMessage {
  readonly message: unknown
  /** Header fields by name; empty if the request lacks the field. */
  readonly headers: Readonly<Record<(typeof checkedHeaders)[number], string>>
  /** Origins whose pages may send messages: `*` for all. */
  readonly origins: '*' | readonly string[]
}

/**
 * Answers one message of the protocol's HTTP transport as JSON. Each message has its own server, so that nothing is
 * kept between messages. An unknown version of the protocol is refused with 400, another origin with 403.
 */
export async function answerMessage(
  { message, headers, origins }: HttpMessage,
  service: ToolService,
): Promise<{ readonly status: number; readonly body: string }> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
    enableDnsRebindingProtection: origins !== '*',
    // The transport does not check against an empty list. No origin is empty.
    allowedOrigins: ['', ...origins],
  })
  const server = createMcpServer(offerOf(service))
  await connect(server, transport)
  try {
    const sent = Object.entries(headers).filter(([, value]) => value !== '')
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        ...Object.fromEntries(sent),
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
    })
    const response = await transport.handleRequest(request, { parsedBody: message })
    return { status: response.status, body: await response.text() }
  } finally {
    await server.close()
  }
}
