import { App, us_socket_local_port } from 'uWebSockets.js'

// The server that the HTTP bench compares with: it returns the reply of its command line to every request.
const [status, headers, body] = JSON.parse(process.argv[2] as string) as [string, [string, string][], string]
const app = App()
app.any('/*', res => {
  res.writeStatus(status)
  for (const [name, value] of headers) res.writeHeader(name, value)
  res.end(body)
})
app.listen('127.0.0.1', 0, socket => {
  if (!socket) throw new Error('cannot listen on loopback')
  console.log(us_socket_local_port(socket))
})
