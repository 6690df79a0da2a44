import { expect, it } from 'vitest'
import { serve as serveNode } from '../../../../src/http/drivers/node.js'
import { connectionsFor, maxConnectionsOf } from '../../../../src/http/drivers/open-files.js'
import { RareWarning } from '../../../../src/http/drivers/rare-warning.js'
import type { Serve } from '../../../../src/http/drivers/server.js'
import { chooseTransport } from '../../../../src/http/drivers/transport.js'

function recordingLog() {
  const lines: string[] = []
  const record = (_: object, message: string) => lines.push(message)
  return { lines, log: { info: record, warn: record, error: record } }
}
const serveUws: Serve = () => Promise.reject(new Error('not started here'))
const withBinary = async () => serveUws
const withoutBinary = async (): Promise<Serve> => {
  throw new Error('Cannot find module ./bin/uws_linux_x64_999.node')
}

it('auto takes uWebSockets.js where it works, and says so in one line', async () => {
  const { lines, log } = recordingLog()
  expect(await chooseTransport('auto', log, withBinary)).toBe(serveUws)
  expect(lines).toEqual(['served by uWebSockets.js'])
})

it('auto takes node:http elsewhere, and says in one line why and what it costs', async () => {
  const { lines, log } = recordingLog()
  expect(await chooseTransport('auto', log, withoutBinary)).toBe(serveNode)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(
    /^served by node:http and ws, because uWebSockets\.js has no binary for Node \d+ on \w+ \w+: .*; .* processor time/,
  )
})

it('tells a package that is not installed from one without a binary', async () => {
  const { lines, log } = recordingLog()
  const notInstalled = async (): Promise<Serve> => import('uWebSockets.js-that-is-not-installed' as string)
  await chooseTransport('auto', log, notInstalled)
  expect(lines).toEqual([
    expect.stringMatching(
      /because uWebSockets\.js is not installed \(for Node 20 or 22 on Linux: `npm install /,
    ),
  ])
})

it('node is taken where it is set', async () => {
  const { lines, log } = recordingLog()
  const unused = () => Promise.reject(new Error('uWebSockets.js is not loaded'))
  expect(await chooseTransport('node', log, unused)).toBe(serveNode)
  expect(lines).toHaveLength(1)
})

it('uws that is set and has no binary is refused in one sentence that says what to do', async () => {
  const { lines, log } = recordingLog()
  await expect(chooseTransport('uws', log, withoutBinary)).rejects.toThrow(
    /^TRANSPORT is uws, but uWebSockets\.js has no binary for Node .*\. Set TRANSPORT to auto or node, or use another Node$/,
  )
  expect(lines).toEqual([])
})

it('the connections are what files leave of their limit, and never none', () => {
  expect(connectionsFor(20_000, 44)).toBe(20_000 - 44 - 256)
  expect(connectionsFor(128, 40)).toBe(128 - 40 - 32)
  expect(connectionsFor(20, 40)).toBe(1)
})

it('a setting above the limit of open files is warned of', () => {
  const { lines, log } = recordingLog()
  expect(maxConnectionsOf({ maxConnections: 10, streamMaxConnections: 5 }, log)).toBe(10)
  expect(lines).toEqual([])
  expect(maxConnectionsOf({ maxConnections: 10, streamMaxConnections: 50 }, log)).toBe(10)
  expect(maxConnectionsOf({ maxConnections: 100_000_000, streamMaxConnections: 50 }, log)).toBe(100_000_000)
  expect(lines).toEqual([
    expect.stringContaining('than STREAM_MAX_CONNECTIONS allows'),
    expect.stringContaining('MAX_CONNECTIONS is more than'),
  ])
})

it('one thing is warned of once a minute', () => {
  const { lines, log } = recordingLog()
  let now = 0
  const warning = new RareWarning(log, () => now)
  for (now of [0, 1, 59_999, 60_000, 60_001]) warning.warn({}, `at ${now}`)
  expect(lines).toEqual(['at 0', 'at 60000'])
})

it('some things are warned of more often, each by itself, and a line says how many were left out', () => {
  const lines: object[] = []
  const log = { info() {}, error() {}, warn: (context: object) => void lines.push(context) }
  let now = 0
  const warning = new RareWarning(log, () => now, 2)
  for (now of [0, 1, 2, 3, 60_000])
    for (const exchange of ['a', 'b']) warning.warn({ exchange, now }, 'failed', exchange)
  const of = (exchange: string) => [
    { exchange, now: 0 },
    { exchange, now: 1 },
    { exchange, now: 60_000, unlogged: 2 },
  ]
  expect(lines.filter(line => 'exchange' in line && line.exchange === 'a')).toEqual(of('a'))
  expect(lines.filter(line => 'exchange' in line && line.exchange === 'b')).toEqual(of('b'))
})
