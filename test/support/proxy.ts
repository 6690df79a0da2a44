import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join, relative, sep } from 'node:path'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'

const pageDirectory = fileURLToPath(new URL('../../dist/page', import.meta.url))

/** Every file of the built page by its path from the page's folder, with slashes. */
export const pageFiles = (): ReadonlyMap<string, Buffer> =>
  new Map(
    readdirSync(pageDirectory, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && !entry.name.startsWith('.'))
      .map(entry => join(entry.parentPath, entry.name))
      .map(path => [relative(pageDirectory, path).split(sep).join('/'), readFileSync(path)]),
  )

/**
 * A proxy in front of the service, which serves it below a path of its own. The connection to the service can be cut; the
 * files of the page still arrive then, as from the cache of a browser.
 */
export async function startProxy(upstream: string, base: string) {
  const { hostname, port } = new URL(upstream)
  const tunnels = new Set<Duplex>()
  let isCut = false

  const answer = (incoming: IncomingMessage, reply: ServerResponse) => {
    const path = (incoming.url ?? '/').slice(base.length)
    if (isCut && !/^(assets\/.*)?(\?.*)?$/.test(path)) return reply.writeHead(502).end()
    const { method, headers } = incoming
    const onward = request({ hostname, port, path: `/${path}`, method, headers }, response => {
      reply.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(reply)
    })
    onward.on('error', () => reply.writeHead(502).end())
    incoming.pipe(onward)
  }

  const tunnel = (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    if (isCut) return client.destroy()
    const service: Socket = connect(Number(port), hostname, () => {
      const { rawHeaders } = incoming
      const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []))
      const path = (incoming.url ?? '/').slice(base.length)
      service.write(`GET /${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      service.write(head)
      client.pipe(service).pipe(client)
    })
    for (const end of [client, service]) {
      tunnels.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        tunnels.delete(end)
        client.destroy()
        service.destroy()
      })
    }
  }

  const server = createServer(answer).on('upgrade', tunnel)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    /** Ends every streaming connection and blocks all requests. */
    cut() {
      isCut = true
      for (const end of tunnels) end.destroy()
    },
    restore() {
      isCut = false
    },
    async close() {
      for (const end of tunnels) end.destroy()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
export type ServiceProxy = Awaited<ReturnType<typeof startProxy>>
