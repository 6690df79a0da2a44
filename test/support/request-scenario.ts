import { expect, vi } from 'vitest'
import { Candela } from '../../src/client/index.js'

type Json = Readonly<Record<string, unknown>>

interface ScriptedReply {
  readonly status: number
  readonly body?: unknown
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface SentRequest {
  readonly path: string
  readonly method: string
  readonly query: Json
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: any JSON that the client sends
  readonly body: any
  /** Milliseconds since the scenario began. */
  readonly at: number
}

interface Division {
  /** The number of indicators of each construct. */
  readonly bulk: readonly number[]
  readonly requests: readonly (readonly string[])[]
}

/** A scenario of `test/scenarios/requests.yaml`, which explains its fields. */
export interface RequestScenario extends Partial<Division> {
  readonly title: string
  readonly call: readonly [string, ...unknown[]]
  readonly waitSeconds?: number
  readonly replies: readonly (ScriptedReply | 'none' | { readonly pending: number })[]
  readonly answer?: unknown
  readonly error?: Json
  readonly says?: readonly string[]
  readonly progress?: number
  readonly sent: readonly (Json & { readonly headers?: Readonly<Record<string, string | null>> })[]
  readonly count?: number
  readonly last?: Json
  readonly plan?: number
  readonly results?: Readonly<Record<string, Json>>
  readonly then?: Division
  readonly duplicate?: 'construct' | 'indicator'
}

const far = (done: number): ScriptedReply => ({
  status: 202,
  body: { pending: true, key: 'screen', done, total: 500 },
  headers: { 'Retry-After': '1' },
})

/** A client whose requests are answered by a function, and its sent requests. */
function start(waitSeconds: number | undefined, answer: (sent: SentRequest) => ScriptedReply | 'none') {
  const sent: SentRequest[] = []
  const begin = Date.now()
  const client = new Candela({
    url: 'http://candela/',
    key: 'cnd_1',
    ...(waitSeconds === undefined ? {} : { waitSeconds }),
    fetch: async (url, { method = 'GET', headers, body } = {}) => {
      const { pathname, searchParams } = new URL(String(url))
      const request = {
        ...{ path: pathname, method, query: Object.fromEntries(searchParams), headers: new Headers(headers) },
        ...{ body: typeof body === 'string' ? JSON.parse(body) : null, at: Date.now() - begin },
      }
      sent.push(request)
      const reply = answer(request)
      if (reply === 'none') throw new TypeError('fetch failed')
      const { status, text, headers: replied = {} } = reply
      return new Response(text ?? JSON.stringify(reply.body), { status, headers: replied })
    },
  })
  return { client, sent }
}

/** The result of a call that waits for timers. */
async function outcomeOf(
  call: Promise<unknown>,
): Promise<{ readonly value?: unknown; readonly error?: Json }> {
  const settled = call.then(
    value => ({ value }),
    error => ({ error }),
  )
  await Promise.race([settled, vi.runAllTimersAsync()])
  return settled
}

function expectError(error: Json | undefined, { retryAfter, ...expected }: Json): void {
  expect(error).toMatchObject({ name: 'CandelaError', ...expected })
  expect(error?.retryAfter ?? null).toBe(retryAfter)
}

function expectSent(request: SentRequest | undefined, { headers = {}, ...expected }: Json): void {
  expect(request).toMatchObject(expected)
  for (const [name, value] of Object.entries(headers as object))
    expect(request?.headers.get(name), name).toBe(value)
}

/** Plays a scenario with the TypeScript client. */
export async function playRequest(scenario: RequestScenario): Promise<void> {
  if (scenario.bulk) return playBulk(scenario, scenario as Division)
  const { call, replies, answer, error, says = [], progress, sent: expected, count, last } = scenario
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const all = replies.flatMap(reply =>
    typeof reply === 'object' && 'pending' in reply
      ? Array.from({ length: reply.pending }, (_, done) => far(done))
      : [reply],
  )
  const { client, sent } = start(
    scenario.waitSeconds,
    () => all[Math.min(sent.length, all.length) - 1] as ScriptedReply,
  )
  const [method, ...args] = call
  const done: number[] = []
  const options =
    progress === undefined ? [] : [{ onProgress: (each: { done: number }) => done.push(each.done) }]
  const send = client[method as 'exchanges'] as (...args: unknown[]) => Promise<unknown>
  const outcome = await outcomeOf(send.call(client, ...args, ...options))
  if (error) expectError(outcome.error, error)
  else expect(outcome).toEqual({ value: answer })
  expect(sent).toHaveLength(count ?? expected.length)
  for (const [at, each] of expected.entries()) expectSent(sent[at], each)
  expect(warn.mock.calls.flat()).toEqual(says.map(text => `Candela: ${text}`))
  if (last) expectSent(sent.at(-1), last)
  if (progress !== undefined) expect(done).toEqual(Array.from({ length: progress }, (_, at) => at))
}

async function playBulk({ plan = 0, results, error, then, duplicate }: RequestScenario, first: Division) {
  let answered = 0
  const { client, sent } = start(undefined, ({ body: { constructs } }) => {
    if (constructs.length > plan)
      return {
        status: 429,
        body: { error: `Too many constructs. Your plan allows ${plan} construct(s) per bulk request.` },
        headers: { 'Retry-After': '15' },
      }
    answered++
    const entries = constructs.map(({ id, indicators }: { id: string; indicators: { id: string }[] }) => [
      id,
      Object.fromEntries(indicators.map(each => [each.id, answered])),
    ])
    return { status: 200, body: Object.fromEntries(entries) }
  })
  const send = async (sizes: readonly number[]) => {
    const constructs = sizes.map((size, at) => ({
      ...{
        id: `c${duplicate === 'construct' ? 0 : at}`,
        exchange: 'demo',
        symbol: `S${at}`,
        timeframe: '1h',
      },
      indicators: Array.from({ length: size }, (_, place) => ({ id: `i${place}`, indicator: 'rsi' })),
    }))
    const twice = constructs[0]?.indicators.at(-1)
    if (duplicate === 'indicator' && twice) twice.id = 'i3'
    return outcomeOf(client.bulk(constructs as never))
  }
  const outcome = await send(first.bulk)
  const requests = () => sent.splice(0).map(({ body }) => body.constructs.map(({ id }: { id: string }) => id))
  expect(requests()).toEqual(first.requests)
  if (error) expectError(outcome.error, error)
  if (results) {
    const found = Object.entries(outcome.value as Readonly<Record<string, Record<string, number>>>)
    expect(found.map(([id]) => id)).toEqual(Object.keys(results))
    for (const [id, values] of found) {
      const counts = Object.entries(results[id] ?? {})
      expect(Object.values(values)).toEqual(
        counts.flatMap(([request, count]) => Array(count as number).fill(Number(request))),
      )
      expect(Object.keys(values)).toEqual(Object.keys(values).map((_, at) => `i${at}`))
    }
  }
  if (!then) return
  await send(then.bulk)
  expect(requests()).toEqual(then.requests)
}
