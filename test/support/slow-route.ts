import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A connection to a server on this machine, whose replies take the given time. */
export interface SlowRoute {
  readonly port: number
  /** Sets the time of each reply in milliseconds. */
  delay(ms: () => number): void
  close(): Promise<void>
}

/** Opens a connection to a port. Replies keep their order. */
export async function openSlowRoute(port: number): Promise<SlowRoute> {
  let delayMs = () => 0
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const upstream = connect(port, '127.0.0.1')
    let dueAt = 0
    const waiting: Buffer[] = []
    client.pipe(upstream)
    upstream.on('data', data => {
      dueAt = Math.max(dueAt, performance.now() + delayMs())
      waiting.push(data)
      // Timers that are due at the same time may fire in any order, so each sends the oldest reply.
      setTimeout(() => client.write(waiting.shift() as Buffer), Math.max(0, dueAt - performance.now()))
    })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    delay(ms) {
      delayMs = ms
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
