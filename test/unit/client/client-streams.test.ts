import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { Candela } from '../../../src/client/index.js'
import { FakeSocket, useFakeSockets } from '../../support/fake-socket.js'
import { playStream, type StreamScenarios } from '../../support/stream-scenario.js'

const file = new URL('../../scenarios/streams.yaml', import.meta.url)
const common: StreamScenarios = parseYaml(readFileSync(file, 'utf8'))
const { last } = FakeSocket
const rsi = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m', id: 'a', indicator: 'rsi' } as const

useFakeSockets()

describe('of streams', () => {
  it.each(common.scenarios.map(each => [each.title, each] as const))('%s', (_, each) =>
    playStream(each, common),
  )
})

describe('a connection of a stream', () => {
  const start = (signal?: AbortSignal) => {
    const client = new Candela({ url: 'http://candela', key: 'cnd_1', WebSocket: FakeSocket })
    return client.stream([rsi], signal ? { signal } : {})
  }

  it('ends at once with the signal, although its other side is silent', async () => {
    const controller = new AbortController()
    const stream = start(controller.signal)
    const first = stream.next()
    await last().accept()
    await last().update(10, 10, true)
    expect((await first).value).toMatchObject({ id: 'a' })
    const second = stream.next()
    controller.abort()
    expect(await second).toEqual({ value: undefined, done: true })
    expect(last().isClosed).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is closed where the loop is left', async () => {
    const stream = start()
    const first = stream.next()
    await last().accept()
    await last().update(10, 10, true)
    await first
    // For this one the candles before it are about to be requested.
    await last().update(14, 14, true)
    await stream.return()
    expect(last().isClosed).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })
})
