import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { CallToolResult, ListToolsResult } from '@modelcontextprotocol/sdk/types.js'
import { CandelaError } from '../../client/errors.js'
import { HttpClient, type HttpOptions } from '../../client/http.js'
import { connect, createMcpServer, failed, type Offer, usualTools } from './server.js'

/** Serves the tools of a running service on standard input and output, until the input ends. */
export async function serveStdio(connection: Pick<HttpOptions, 'url' | 'key'>): Promise<void> {
  const http = new HttpClient(connection)
  const ask = async <Result>(method: string, params: object): Promise<Result> => {
    const body = { jsonrpc: '2.0', id: 1, method, params }
    // A tool may create an alert.
    const isChange = method === 'tools/call'
    return (await http.send<{ readonly result: Result }>({ path: '/mcp', body, isChange })).result
  }
  const offer: Offer = {
    // An application that starts before the service does not request the list again, so it gets the usual tools.
    list: () => ask<ListToolsResult>('tools/list', {}).catch(whereRefused(usualTools)),
    call: (name, given) =>
      ask<CallToolResult>('tools/call', { name, arguments: given }).catch(
        whereRefused(({ message }) => failed(message)),
      ),
  }
  await connect(createMcpServer(offer), new StdioServerTransport())
}

/** Answer if the service refuses or cannot be reached. */
const whereRefused =
  <Result>(otherwise: (error: CandelaError) => Result) =>
  (error: unknown): Result => {
    if (error instanceof CandelaError) return otherwise(error)
    throw error
  }
