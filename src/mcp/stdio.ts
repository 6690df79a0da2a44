import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CandelaError } from '../client/errors.js'
import { HttpClient, type HttpOptions } from '../client/http.js'
import { createMcpServer } from './tools.js'

/** Serves the tools on standard input and output, answered by a running service, until the input ends. */
export async function serveStdio(connection: Pick<HttpOptions, 'url' | 'key'>): Promise<void> {
  const http = new HttpClient(connection)
  const send = async (path: string, body?: unknown) => {
    try {
      return { status: 200, body: await http.send<unknown>({ path, body }) }
    } catch (error) {
      if (!(error instanceof CandelaError)) throw error
      return { status: error.status, body: { error: error.message } }
    }
  }
  await createMcpServer(send).connect(new StdioServerTransport())
}
