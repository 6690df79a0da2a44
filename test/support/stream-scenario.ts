import { expect, vi } from 'vitest'
import {
  type AlertMessage,
  type BreadthResult,
  Candela,
  type LiveBreadthRequest,
  type LiveScreenRequest,
  type ScreenUpdate,
  type Update,
} from '../../src/client/index.js'
import { FakeSocket } from './fake-socket.js'

type Json = Readonly<Record<string, unknown>>
type Values = Readonly<Record<string, number>>
type Pair = readonly [number, number]
type Item = Update | ScreenUpdate | BreadthResult | AlertMessage

/** A scenario of `test/scenarios/streams.yaml`, which explains its fields and steps. */
interface StreamScenario {
  readonly title: string
  readonly follow?: 'screen' | 'breadth' | 'alerts'
  readonly subscriptions?: readonly Json[]
  readonly history?: { readonly from?: number; readonly to?: number; readonly bars?: readonly Pair[] }
  readonly slow?: boolean
  readonly steps: readonly (string | Json)[]
}

/** Contents of the file. */
export interface StreamScenarios {
  /** The minute at which each scenario begins. */
  readonly now: number
  readonly subscription: Json
  readonly screen: LiveScreenRequest
  readonly breadth: LiveBreadthRequest
  readonly scenarios: readonly StreamScenario[]
}

const { last } = FakeSocket
const settle = () => vi.advanceTimersByTimeAsync(0)
const numbersIn = ([first, final]: Pair) => Array.from({ length: final - first + 1 }, (_, at) => first + at)
const matchesOf = (values: Values = {}) =>
  Object.entries(values).map(([symbol, c]) => ({ symbol, timestamp: 60, c }))

/** The values of one indicator from a service with this history. */
function valuesOf({ from = 0, to = 0, bars = [] }: NonNullable<StreamScenario['history']>, asked: Json) {
  const minutes =
    asked.results === 'max' ? [] : numbersIn([Math.max(from, to - Number(asked.results) + 1), to])
  const rows = asked.results === 'max' ? bars : minutes.map(minute => [minute, minute] as const)
  return { value: rows.map(([, value]) => value), timestamp: rows.map(([minute]) => minute * 60) }
}

/** A read item in the form of a scenario's row. */
function rowOf(item: Item): string {
  if ('matches' in item) {
    const come = [...item.entered, ...item.changed].map(({ symbol, c }) => `${symbol}=${c}`)
    const all = item.matches.map(({ symbol }) => symbol).sort()
    return `${[...come, ...item.left.map(symbol => `-${symbol}`)].join(' ')} : ${all.join('')}`
  }
  if ('measures' in item)
    return item.timestamp.map((time, at) => `${time / 60}=${item.measures.up?.value[at]}`).join(' ')
  if ('data' in item) {
    const { id, data, closed, gap } = item
    const row = `${data.timestamp / 60}=${data.rsi}${closed ? ' closed' : ''}${gap ? ' gap' : ''}`
    return id === 'a' ? row : `${id} ${row}`
  }
  return item.id.replace('alert:', '')
}

/** The messages of the service for a step, sent one after the other. */
const messages: Readonly<Record<string, (value: never) => readonly unknown[]>> = {
  say: message => [message],
  update: (row: string) => {
    const [, minute, value, closed] = /^(\d+)=([\d.]+)( closed)?$/.exec(row) as unknown as string[]
    return updatesOf(Number(minute), Number(value), closed !== undefined)
  },
  closed: (range: Pair) => numbersIn(range).flatMap(minute => updatesOf(minute, minute, true)),
  alerts: (range: Pair) => numbersIn(range).map(at => ({ type: 'alert', id: `alert:${at}` })),
  breadth: (row: string) => {
    const pairs = [...row.matchAll(/(\d+)=(\d+)/g)].map(([, minute, value]) => [
      Number(minute),
      Number(value),
    ])
    const up = { value: pairs.map(([, value]) => value), markets: pairs.map(() => 3) }
    const found = { timestamp: pairs.map(([minute = 0]) => minute * 60), measures: { up }, forming: true }
    const type = row.startsWith('first ') ? 'breadth_ok' : 'breadth_update'
    return [{ type, id: 'breadth', ...found, screened: 3, failed: [] }]
  },
  screen: ({
    matches,
    entered,
    changed,
    left = [],
  }: Record<string, Values> & { left?: readonly string[] }) => [
    matches
      ? { type: 'screen_ok', id: 'screen', matches: matchesOf(matches), screened: 3, failed: [] }
      : {
          type: 'screen_update',
          id: 'screen',
          entered: matchesOf(entered),
          changed: matchesOf(changed),
          left,
        },
  ],
}

let followed: readonly Json[]

/** The updates of one candle, one for each subscription that wants it. */
const updatesOf = (minute: number, rsi: number, closed: boolean) =>
  followed
    .filter(({ candleClose, symbol }) => !symbol && (closed || !candleClose))
    .map(({ id = 'a', chart }) => ({
      ...{ type: 'update', id, subscription: 'demo:btcusdt:1m', indicator: 'rsi', params: { period: 14 } },
      ...{ chart, closed, data: { rsi, timestamp: minute * 60 } },
    }))

/** Plays a scenario with the TypeScript client. */
export async function playStream(scenario: StreamScenario, common: StreamScenarios): Promise<void> {
  const { follow, subscriptions = [{}], history, slow, steps } = scenario
  followed = subscriptions
  /** Items received since the last expectation of their kind. */
  const came = {
    read: [] as Item[],
    states: [] as string[],
    progress: [] as unknown[],
    asked: [] as unknown[],
  }
  const sentBefore = new Map<FakeSocket, number>()
  let error: unknown
  let next: Promise<IteratorResult<Item, void>> | undefined

  const client = new Candela({
    url: 'http://candela',
    key: 'cnd_1',
    WebSocket: FakeSocket,
    fetch: async (_, init) => {
      if (!history) throw new Error('unreachable')
      const { constructs } = JSON.parse(String(init?.body)) as {
        constructs: { id: string; indicators: Json[] }[]
      }
      came.asked.push(constructs.flatMap(({ indicators }) => indicators))
      const results = constructs.map(({ id, indicators }) => [
        id,
        Object.fromEntries(indicators.map(each => [each.id, valuesOf(history, each)])),
      ])
      return new Response(JSON.stringify(Object.fromEntries(results)))
    },
  })
  const controller = new AbortController()
  const options = {
    signal: controller.signal,
    onState: (state: string, reason?: Error) =>
      came.states.push(reason ? `${state} ${reason.message}` : state),
    onProgress: (progress: object) => came.progress.push(progress),
  }
  const items: AsyncGenerator<Item, void> =
    follow === 'alerts'
      ? client.streamAlerts(options)
      : follow === 'screen'
        ? client.streamScreen(common.screen, options)
        : follow === 'breadth'
          ? client.streamBreadth(common.breadth, options)
          : client.stream(subscriptions.map(each => ({ ...common.subscription, ...each })) as never, options)

  const readAll = () =>
    void (async () => {
      for await (const item of items) came.read.push(item)
    })().catch(thrown => {
      error = thrown
    })
  const accept = async () => {
    await last().accept()
    if (follow === 'alerts') await last().say({ type: 'alerts_ok' })
  }
  /** Items of a kind received since the last call. */
  const take = (kind: keyof typeof came) => came[kind].splice(0)

  const actions: Readonly<Record<string, (value: never) => unknown>> = {
    accept,
    open: () => last().emit('open'),
    lose: () => last().lose(),
    reconnect: async () => {
      await last().lose()
      await vi.advanceTimersByTimeAsync(250)
      await accept()
    },
    wait: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    time: (minute: number) => vi.setSystemTime(minute * 60_000),
    read: (rows: readonly unknown[]) => expect((take('read') as Item[]).map(rowOf)).toEqual(rows.map(String)),
    numbers: (range: Pair) => {
      const suffix = (at: number) => (follow === 'alerts' ? `${at}` : `${at}=${at} closed`)
      expect((take('read') as Item[]).map(rowOf)).toEqual(numbersIn(range).map(suffix))
    },
    whole: (expected: readonly Json[]) => expect(take('read')).toEqual(expected),
    states: (expected: readonly string[]) => expect(take('states')).toEqual(expected),
    progress: (expected: readonly Json[]) => expect(take('progress')).toEqual(expected),
    asked: (expected: readonly (readonly Json[])[]) => expect(take('asked')).toMatchObject(expected),
    sent: (expected: readonly Json[]) => {
      const { sent } = last()
      expect(sent.slice(sentBefore.get(last()) ?? 1)).toEqual(expected)
      sentBefore.set(last(), sent.length)
    },
    address: (expected: string) => expect(last().url).toBe(expected),
    connections: (count: number) => expect(FakeSocket.all).toHaveLength(count),
    ended: (isClosed: boolean) => expect(last().isClosed).toBe(isClosed),
    error: (expected: Json) => {
      expect(error).toMatchObject(expected)
      error = undefined
    },
    begin: () => {
      next = items.next()
    },
    next: async (row: unknown) => {
      const { value } = await (next ?? items.next())
      next = undefined
      expect(rowOf(value as Item)).toBe(String(row))
    },
    readAll,
  }

  vi.setSystemTime(common.now * 60_000)
  if (!slow) readAll()
  await settle()
  for (const step of steps) {
    const [name, value] = typeof step === 'string' ? [step] : (Object.entries(step)[0] as [string, unknown])
    for (const message of messages[name]?.(value as never) ?? [])
      last().emit('message', { data: typeof message === 'string' ? message : JSON.stringify(message) })
    await actions[name]?.(value as never)
    expect(name, 'a step').toSatisfy((known: string) => known in actions || known in messages)
    await settle()
  }
  expect(error, 'what no step expects').toBeUndefined()
  controller.abort()
  await settle()
  expect(vi.getTimerCount(), 'timers that are left').toBe(0)
}
