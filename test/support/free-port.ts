import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems assign to connections and to servers (Linux: from 32768 on). */
const [first, count] = [20_000, 12_000]

/**
 * A port of this machine on which nothing listens. No connection of another process uses it, before a server listens there
 * or while the server restarts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * count)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    await new Promise(resolve => server.close(resolve))
    return port
  }
}
