import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { certificate } from '../support/certificate.js'
import { runCommand } from '../support/command-line.js'
import { freePort } from '../support/service-process.js'
import { startTestService } from '../support/test-service.js'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end()
})

const health = (settings: Readonly<Record<string, string>>, ...options: string[]) =>
  runCommand(['health', ...options], settings)

async function listen(server: Server): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => server.close())
  return String((server.address() as AddressInfo).port)
}

it('is 0 while the service answers, also where it listens on all addresses', async () => {
  const service = await startTestService()
  cleanups.push(() => service.close())
  const { port } = new URL(service.url)
  expect(await health({ PORT: port })).toEqual({ code: 0, out: '{"status":"ok"}\n', err: '' })
  const ready = await health({ PORT: port, HOST: '0.0.0.0' }, '--ready')
  expect({ code: ready.code, err: ready.err }).toEqual({ code: 0, err: '' })
  expect(JSON.parse(ready.out)).toMatchObject({ status: 'ready' })
})

it('is 1 and says why when the service does not listen or is not ready', async () => {
  const port = String(await freePort())
  const absent = await health({ PORT: port })
  expect(absent.code).toBe(1)
  expect(absent.err).toContain(`candela: http://127.0.0.1:${port}/health/live cannot be reached: `)
  const stopping = await listen(
    createServer((_, response) => response.writeHead(503).end('{"status":"stopping"}')),
  )
  expect(await health({ PORT: stopping }, '--ready')).toEqual({
    code: 1,
    out: '',
    err: 'candela: the service answers with status 503: {"status":"stopping"}\n',
  })
  expect((await health({ PORT: '0' })).err).toBe(
    'candela: PORT is 0, so it is not known where the service listens\n',
  )
})

it('asks a service that has a certificate over HTTPS', async () => {
  const server = createTlsServer(certificate, (_, response) => response.end('{"status":"ok"}'))
  expect(await health({ PORT: await listen(server) })).toEqual({ code: 0, out: '{"status":"ok"}\n', err: '' })
})
