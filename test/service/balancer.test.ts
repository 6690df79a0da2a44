import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeBlocksOf, documentAt } from '../support/documents.js'
import { needs } from '../support/needs.js'
import { isNginxAvailable, type Nginx, startNginx } from '../support/nginx.js'

const nodeCount = 8

/** The configuration of deploy/ with the lines of docs/scaling.md for many nodes, in front of servers at these ports. */
function configurationFor(ports: readonly number[]): string {
  const given = readFileSync(new URL('../../deploy/nginx-balancer.conf', import.meta.url), 'utf8')
  const page = documentAt('docs/scaling.md')
  const blocks = codeBlocksOf(page).filter(({ language }) => language === 'nginx')
  const [line] = /hash \$\S+ consistent;/.exec(page.text) ?? []
  expect([blocks.length, line !== undefined, given.includes('least_conn;')]).toEqual([1, true, true])
  const servers = ports.map(port => `    server 127.0.0.1:${port} max_fails=2 fail_timeout=5s;`)
  return `${blocks[0]?.code}\n${given}`
    .replace('least_conn;', line as string)
    .replace(/ +server node-1.*\n/, '')
    .replace(/ +server node-2.*/, servers.join('\n'))
}

describe.skipIf(!isNginxAvailable)(
  'a balancer as docs/scaling.md has it for many nodes',
  needs('nginx'),
  () => {
    let nodes: Server[]
    let nginx: Nginx
    beforeAll(async () => {
      nodes = Array.from({ length: nodeCount }, (_, at) =>
        createServer((_, response) => response.end(String(at))),
      )
      for (const node of nodes) await once(node.listen(0, '127.0.0.1'), 'listening')
      nginx = await startNginx(configurationFor(nodes.map(node => (node.address() as AddressInfo).port)), '')
    })
    afterAll(() => {
      nginx.close()
      for (const node of nodes) node.close()
    })

    const nodeOf = async (path: string, client: number): Promise<string> => {
      const headers = { authorization: `Bearer ${client}` }
      return (await fetch(nginx.httpUrl + path, { headers })).text()
    }
    const clients = Array.from({ length: 15 }, (_, client) => client)
    const nodesOf = async (path: string) =>
      new Set(await Promise.all(clients.map(client => nodeOf(path, client)))).size

    it('sends the clients of a market to three nodes at most, and those of all markets to all', async () => {
      const all = new Set<string>()
      for (let at = 0; at < 10; at++) {
        const market = `exchange=binance&symbol=S${at}USDT`
        const reached = new Set(
          await Promise.all(clients.map(client => nodeOf(`/indicator/rsi?${market}&timeframe=1h`, client))),
        )
        expect(reached.size).toBeLessThanOrEqual(3)
        for (const node of reached) all.add(node)
        // A client stays at one node, for all its requests.
        expect(await nodeOf(`/candles?results=5&${market}`, 7)).toBe(await nodeOf(`/streaming?${market}`, 7))
      }
      expect(all.size).toBeGreaterThan(nodeCount / 2)
    })

    it('sends what asks for no market to any node', async () => {
      expect(await nodesOf('/exchanges')).toBeGreaterThan(3)
    })
  },
)
