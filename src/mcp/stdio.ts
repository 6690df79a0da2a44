import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CandelaError } from '../client/errors.js'
import { HttpClient, type HttpOptions } from '../client/http.js'
import { createMcpServer } from './tools.js'

/** Serves the tools on standard input and output, answered by a running service, until the input ends. */
export async function serveStdio(connection: Pick<HttpOptions, 'url' | 'key'>): Promise<void> {
  const send = async (path: string, body?: unknown) => {
    let age: string | null = null
    const http = new HttpClient({
      ...connection,
      async fetch(...request) {
        const response = await fetch(...request)
        age = response.headers.get('Age')
        return response
      },
    })
    try {
      const answered = await http.send<unknown>({ path, body })
      return { status: 200, body: answered, age: age === null ? undefined : Number(age) }
    } catch (error) {
      if (!(error instanceof CandelaError)) throw error
      return { status: error.status, body: { error: error.message } }
    }
  }
  await createMcpServer(send).connect(new StdioServerTransport())
}
