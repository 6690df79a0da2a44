import { request } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { routeTable } from '../../src/http/route-table.js'
import { drivers } from '../support/drivers.js'
import { hostileIds } from '../support/hostile-ids.js'
import { Candela } from '../support/service-process.js'

// A service of each transport, with some two thousand requests.
vi.setConfig({ testTimeout: 120_000 })

const scopes = 'read,stream,alerts,admin'

/** Sends a request whose path is not looked at by the client. */
const send = (url: string, method: string, path: string, headers: Record<string, string>, body?: string) =>
  new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const sent = request(url, { method, path, headers }, async response => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text += chunk
      resolve({ status: response.statusCode ?? 0, text })
    })
    sent.on('error', reject)
    sent.end(body)
  })

/** Every route with an id in its path. */
const routes = routeTable.filter(({ path }) => path.includes('{'))

/** An id that is refused, that of an unknown exchange or indicator, or a head of several thousand bytes. */
const refused = [400, 404, 431]

for (const [at, { name: transport }] of drivers.entries())
  describe(`an id in a path, with the transport ${transport}`, at === 0 ? {} : { tags: ['faults'] }, () => {
    it('is refused before it is looked up where it is none, and the service stays ready', async () => {
      const candela = await Candela.start({ TRANSPORT: transport })
      try {
        const key = await candela.cli(
          ...['keys', 'create', '--plan', 'enterprise', '--name', 'ids'],
          ...['--scopes', scopes, '--requests', '1000000'],
        )
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
        const health = async () => (await candela.get('/health/ready')).body
        expect((await health()).status).toBe('ready')
        let sent = 0
        for (const { method, path, maxBytes } of routes)
          for (const id of hostileIds) {
            const target = path.replace(/\{\w+\}/, () => id)
            const body = maxBytes === 0 ? undefined : path === '/alerts/{id}' ? '{"paused":true}' : '{}'
            const { status, text } = await send(candela.url, method.toUpperCase(), target, headers, body)
            expect(refused, `${method} ${target.slice(0, 60)}: ${status} ${text.slice(0, 200)}`).toContain(
              status,
            )
            sent++
          }
        expect(sent).toBe(routes.length * hostileIds.length)
        for (const id of hostileIds) {
          const { status, text } = await send(candela.url, 'GET', `/admin/usage?key=${id}`, headers)
          expect(refused, `${id.slice(0, 60)}: ${status} ${text.slice(0, 200)}`).toContain(status)
        }
        expect((await health()).status).toBe('ready')
        const { body } = await candela.ask('GET', '/admin/keys', { headers })
        expect(body).toMatchObject({ total: 2, corrupt: [] })
        expect(body.keys.map(({ revoked }: { revoked?: number }) => revoked)).toEqual([undefined, undefined])
      } finally {
        await candela.stop()
      }
    })
  })
