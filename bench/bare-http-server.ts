import { App, type us_listen_socket, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js'
import { fork } from 'node:child_process'
import { once } from 'node:events'

// The server that the HTTP bench compares with: it returns the reply of its command line to every request. Its other arguments
// are the number of processes, which share a port, and the port.
const [reply = '', processes = '1', port = '0'] = process.argv.slice(2)
const [status, headers, body] = JSON.parse(reply) as [string, [string, string][], string]
const app = App()
app.any('/*', res => {
  res.writeStatus(status)
  for (const [name, value] of headers) res.writeHeader(name, value)
  res.end(body)
})
const listen = (port: number) =>
  new Promise<us_listen_socket>((resolve, reject) =>
    app.listen('127.0.0.1', port, socket =>
      socket ? resolve(socket) : reject(new Error('cannot listen on loopback')),
    ),
  )
const socket = await listen(Number(port))
const own = us_socket_local_port(socket)
if (Number(processes) > 1) {
  // Only a port that is requested by its number is shared.
  us_listen_socket_close(socket)
  await listen(own)
}
process.send?.('listens')
process.once('disconnect', () => process.exit())
for (let more = Number(processes); more > 1; more--)
  await once(fork(process.argv[1] as string, [reply, '1', String(own)]), 'message')
console.log(own)
