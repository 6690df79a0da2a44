import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { clientAddress } from '../../../../src/http/drivers/client-address.js'
import { knowsConnections, peersIn, readConnections } from '../../../../src/http/drivers/open-peers.js'

const head =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode'
const line = (local: string, remote: string, state: string) =>
  `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000     0        0 4711 1 0000 20 4 30 10 -1`

describe('the open connections of a machine', () => {
  it('are read by the port that they lead to, without those that listen or end', () => {
    const text = [
      head,
      line('0100007F:1F90', '00000000:0000', '0A'),
      line('0100007F:1F90', '0200007F:A001', '01'),
      line('0100007F:1F90', '0A01A8C0:A002', '08'),
      line('0100007F:1F90', '0200007F:A003', '06'),
      line('0100007F:1F91', '0200007F:1F90', '01'),
      line('0100007F:A004', '0300007F:1F90', '01'),
      '',
    ].join('\n')
    expect(peersIn(text, 0x1f90, 'LE')).toEqual(['127.0.0.2', '192.168.1.10'])
  })

  it('are read over IPv6, in either order of bytes', () => {
    const little = 'B80D0120000000000000000001000000:1F90'
    const big = '20010DB8000000000000000000000001:1F90'
    const address = '2001:0db8:0000:0000:0000:0000:0000:0001'
    expect(peersIn(line(little, little.replace('1F90', 'A001'), '01'), 8080, 'LE')).toEqual([address])
    expect(peersIn(line(big, big.replace('1F90', 'A001'), '01'), 8080, 'BE')).toEqual([address])
  })

  it.runIf(knowsConnections())('are those of this machine', async () => {
    const sockets: Socket[] = []
    const server = createServer().listen(0, '::')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    for (const [host, localAddress] of [
      ['127.0.0.1', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.3'],
    ] as const) {
      const socket = connect({ port, host, localAddress })
      await once(socket, 'connect')
      sockets.push(socket)
    }
    const pieces: string[] = []
    for await (const lines of readConnections()) pieces.push(lines)
    expect(pieces.filter(lines => !lines.endsWith('\n'))).toEqual([])
    const peers = pieces.flatMap(lines => peersIn(lines, port))
    expect(peers.map(peer => clientAddress(peer, '', 0)).sort()).toEqual(['127.0.0.1', '127.0.0.3'])
    for (const socket of sockets) socket.destroy()
    server.close()
  })
})
