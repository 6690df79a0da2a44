import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { createMcpServer, offerOf } from './server.js'
import type { ToolService } from './tool.js'

/**
 * Answers one message of the protocol's HTTP transport. Each message is answered by a server of its own and as JSON, so
 * that nothing is kept between messages.
 */
export async function answerMessage(
  message: unknown,
  service: ToolService,
): Promise<{ readonly status: number; readonly body: string }> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const server = createMcpServer(offerOf(service))
  await server.connect(transport)
  try {
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    })
    const response = await transport.handleRequest(request, { parsedBody: message })
    return { status: response.status, body: await response.text() }
  } finally {
    await server.close()
  }
}
