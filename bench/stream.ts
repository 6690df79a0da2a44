import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import WebSocket from 'ws'
import type { Columns } from '#dist/candles/columns.js'
import { catalogue, type Entry, type Values } from '#dist/catalogue/index.js'
import { Calculator } from '#dist/compute/calculator.js'
import { LiveCalculation } from '#dist/compute/live-calculation.js'
import type { Table } from './baseline.js'
import type { Order, Report } from './crowd.js'
import { median } from './median.js'
import { createNoise } from './noise.js'
import type { Cue, Figures, Moved } from './stage.js'
import { seeded, walk } from './walk.js'

type Rows = Record<string, Record<string, unknown>>

const rounded = (value: number) => Math.round(value * 100) / 100
const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number

/** Another process of the bench that answers one message at a time. */
class Partner<Ask> {
  private constructor(readonly child: ChildProcess) {}

  static open<Ask>(file: string, args: readonly string[] = []): Partner<Ask> {
    return new Partner<Ask>(
      fork(fileURLToPath(new URL(`./${file}.js`, import.meta.url)), [...args], { execArgv: ['--expose-gc'] }),
    )
  }

  async ask<Answer>(query: Ask): Promise<Answer> {
    this.child.send(query as object)
    return this.answer()
  }

  answer<Answer>(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`a process of the bench ended with ${code}`))
      this.child.once('exit', ended)
      this.child.once('message', message => {
        this.child.off('exit', ended)
        resolve(message as Answer)
      })
    })
  }

  close(): void {
    this.child.kill()
  }
}

async function openStage(...args: string[]): Promise<{ stage: Partner<Cue>; port: number }> {
  const stage = Partner.open<Cue>('stage', args)
  const { port } = await stage.answer<{ port: number }>()
  return { stage, port }
}

/** The query of listener `i`: as many different ones as there are topics. */
function questionOf(i: number, topics: number): readonly string[] {
  const n = i % topics
  const indicator = ['ema', 'rsi', 'sma', 'wma'][n % 4] as string
  const params = { period: 2 + Math.floor(n / 4) }
  const fields = { id: 'a', exchange: 'demo', symbol: 'ETHUSDT', interval: '1m', indicator, params }
  return ['{"type":"auth","token":"Bearer any"}', JSON.stringify({ type: 'subscribe', ...fields })]
}

/** CPU per delivered message and the time to the last listener, beside a bare publish of the same bytes. */
export async function deliveryRows(): Promise<Table> {
  const table: Rows = {}
  const rounds = 20
  for (const topics of [1, 1_000]) {
    for (const listeners of [100, 1_000, 10_000]) {
      const gapMs = 20 + listeners / 40
      const hub = await openStage('hub')
      const bare = await openStage('bare')
      const crowds = { hub: Partner.open<Order>('crowd'), bare: Partner.open<Order>('crowd') }
      const kinds = Math.min(topics, listeners)
      await crowds.hub.ask({
        do: 'gather',
        port: hub.port,
        greetings: 2,
        messages: Array.from({ length: listeners }, (_, i) => [...questionOf(i, topics)]),
      })
      await hub.stage.ask({ do: 'move', rounds: 1, gapMs })
      const texts = await hub.stage.ask<readonly string[]>({ do: 'recite' })
      if (texts.length !== kinds) throw new Error(`${texts.length} texts for ${kinds} topics`)
      await bare.stage.ask({ do: 'learn', texts })
      await crowds.bare.ask({
        do: 'gather',
        port: bare.port,
        greetings: 2,
        messages: Array.from({ length: listeners }, (_, i) => ['hello', `${i % kinds}`]),
      })
      const cpu = { hub: [] as number[], bare: [] as number[] }
      const latency = { hub: [] as number[], bare: [] as number[] }
      // Alternating, so that what others do on the machine falls on both; the first turn only warms up.
      for (let turn = 0; turn < 6; turn++) {
        for (const [name, { stage }] of [['hub', hub] as const, ['bare', bare] as const]) {
          await crowds[name].ask({ do: 'listen' })
          const { cpu: spent, began } = await stage.ask<Moved>({ do: 'move', rounds, gapMs })
          const wanted = rounds * listeners
          const { heard, rounds: ended } = await crowds[name].ask<Report>({
            do: 'report',
            heard: wanted,
            seconds: 10,
          })
          if (heard !== wanted) throw new Error(`${name}: ${heard} of ${wanted} messages arrived`)
          if (turn === 0) continue
          cpu[name].push(spent / wanted)
          latency[name].push(...ended.map((at, k) => Number(BigInt(at) - BigInt(began[k] as string)) / 1e6))
        }
      }
      for (const crowd of Object.values(crowds)) crowd.close()
      hub.stage.close()
      bare.stage.close()
      for (const times of Object.values(latency)) times.sort((a, b) => a - b)
      table[`${listeners} listeners, ${kinds} topic${kinds === 1 ? '' : 's'}`] = {
        'CPU µs/message': rounded(median(cpu.hub)),
        'bare CPU µs': rounded(median(cpu.bare)),
        'CPU / bare publish': rounded(median(cpu.hub.map((spent, k) => spent / (cpu.bare[k] as number)))),
        'last frame p50 ms': rounded(percentile(latency.hub, 0.5)),
        'p99 ms': rounded(percentile(latency.hub, 0.99)),
        'bare p50 ms': rounded(percentile(latency.bare, 0.5)),
        'bare p99 ms': rounded(percentile(latency.bare, 0.99)),
      }
    }
  }
  return table
}

/** Memory of the server per connection and per subscription. */
export async function memoryRows(): Promise<Table> {
  const table: Rows = {}
  const connections = 10_000
  const measure = async (
    kind: 'hub' | 'bare',
    messages: readonly (readonly string[])[],
    greetings: number,
  ) => {
    const { stage, port } = await openStage(kind)
    const crowd = Partner.open<Order>('crowd')
    // What the first clients make the server allocate is not theirs.
    await crowd.ask({ do: 'gather', port, messages: messages.slice(0, 500).map(own => [...own]), greetings })
    const before = (await stage.ask<Figures>({ do: 'figures' })).rss
    await crowd.ask({ do: 'gather', port, messages: messages.map(own => [...own]), greetings })
    await sleep(1000)
    const after = (await stage.ask<Figures>({ do: 'figures' })).rss
    crowd.close()
    stage.close()
    return (after - before) / messages.length
  }
  const auth = '{"type":"auth","token":"Bearer any"}'
  const each = (own: readonly string[]) => Array.from({ length: connections }, () => own)
  const bare = await measure('bare', each(['hello']), 1)
  const idle = await measure('hub', each([auth]), 1)
  const one = await measure(
    'hub',
    Array.from({ length: connections }, (_, i) => questionOf(i, 1)),
    2,
  )
  const many = await measure(
    'hub',
    Array.from({ length: 1_000 }, () => [
      auth,
      ...Array.from({ length: 20 }, (_, k) => (questionOf(k, 1_000)[1] as string).replace('"a"', `"s${k}"`)),
    ]),
    21,
  )
  const kilo = (bytes: number) => rounded(bytes / 1024)
  table['bare uWebSockets.js, per connection'] = { KiB: kilo(bare) }
  table['authenticated and idle, per connection'] = { KiB: kilo(idle), 'KiB beyond bare': kilo(idle - bare) }
  table['with one subscription, per connection'] = { KiB: kilo(one), 'KiB beyond bare': kilo(one - bare) }
  table['per further subscription'] = { KiB: kilo((many - one) / 19) }
  return table
}

/** The cost of one step and of one preview, text included, after a short history and after a long one. */
export function stepRows(): Table {
  const steps = 400
  const long = walk(20_000 + steps)
  const calculator = new Calculator()
  const rows: { name: string; step: number; preview: number; ratio: number }[] = []
  for (const indicator of catalogue.values()) {
    const params = Object.fromEntries(
      Object.entries(indicator.params).map(([name, param]) => [name, param.default]),
    ) as Values
    const [short, far] = [1_000, 20_000].map(history =>
      costOf(calculator, indicator, params, long.columns, history, steps),
    )
    if (!short || !far) continue
    rows.push({
      name: indicator.name,
      step: short.step,
      preview: short.preview,
      ratio: (far.step + far.preview) / (short.step + short.preview),
    })
  }
  rows.sort((a, b) => b.step + b.preview - a.step - a.preview)
  const row = ({ step, preview, ratio }: (typeof rows)[number]) => ({
    'step µs': rounded(step),
    'preview µs': rounded(preview),
    'after 20,000 / after 1,000': rounded(ratio),
  })
  const middle = (key: 'step' | 'preview' | 'ratio') => median(rows.map(each => each[key]))
  return {
    [`median of ${rows.length}`]: row({
      name: '',
      step: middle('step'),
      preview: middle('preview'),
      ratio: middle('ratio'),
    }),
    ...Object.fromEntries(rows.slice(0, 15).map(each => [each.name, row(each)])),
    rsi: row(rows.find(({ name }) => name === 'rsi') as (typeof rows)[number]),
  }
}

function costOf(
  calculator: Calculator,
  indicator: Entry,
  params: Values,
  columns: Columns,
  history: number,
  steps: number,
): { step: number; preview: number } {
  const timed = { step: [] as number[], preview: [] as number[] }
  // The first two turns warm up.
  for (let turn = -2; turn < 5; turn++) {
    const stream = new LiveCalculation(calculator, { indicator, params })
    stream.advance({ columns, closed: history, forming: undefined, count: history })
    const forming = columns.read(history)
    const began = performance.now()
    for (let i = 0; i < steps; i++)
      stream.advance({
        columns,
        closed: history,
        forming: { ...forming, close: forming.close + i / 1e6 },
        count: history + 1,
      })
    const between = performance.now()
    for (let i = 1; i <= steps; i++)
      stream.advance({ columns, closed: history + i, forming: undefined, count: history + i })
    if (turn < 0) continue
    timed.preview.push(((between - began) / steps) * 1000)
    timed.step.push(((performance.now() - between) / steps) * 1000)
  }
  return { step: median(timed.step), preview: median(timed.preview) }
}

/** What it costs to keep every query up to date, to deliver it, and to hold who listens. */
export async function benchStream(): Promise<readonly Table[]> {
  return [stepRows(), await memoryRows(), await deliveryRows()]
}

/**
 * 10,000 connections with one subscription each for two minutes, on a demo market whose minute passes in five
 * seconds: forming updates four times a second, and nothing may be missing.
 */
export async function benchHold(seconds = 120, listeners = 10_000): Promise<Table> {
  const { stage, port } = await openStage('live')
  const crowd = Partner.open<Order>('crowd')
  await crowd.ask({
    do: 'gather',
    port,
    greetings: 2,
    messages: Array.from({ length: listeners }, (_, i) => [...questionOf(i, 1)]),
  })
  await sleep(500)
  await crowd.ask({ do: 'listen' })
  const before = await stage.ask<Figures>({ do: 'figures' })
  await sleep(seconds * 1000)
  const after = await stage.ask<Figures>({ do: 'figures' })
  const published = after.published - before.published
  const wanted = published * listeners
  const { heard, least, most } = await crowd.ask<Report>({ do: 'report', heard: wanted, seconds: 5 })
  crowd.close()
  stage.close()
  return {
    [`${listeners} connections for ${seconds} s`]: {
      'updates published': published,
      'of them closed candles': after.closed - before.closed,
      'updates/s': rounded(published / seconds),
      'heard by each': least === most ? least : `${least} to ${most}`,
      missing: Math.max(0, published - least),
      'CPU µs/message': rounded((after.cpu - before.cpu) / heard),
      'CPU share of a core': rounded((after.cpu - before.cpu) / 1e6 / seconds),
      'memory growth MiB': rounded((after.rss - before.rss) / 2 ** 20),
    },
  }
}

/** 100,000 messages of all sorts, most of them wrong, and the memory of the server along the way. */
export async function benchFuzz(messages = 100_000): Promise<Table> {
  const { stage, port } = await openStage('live', '1')
  const noise = createNoise(seeded(42), [...catalogue.keys()])
  const connections = 20
  const each = 250
  const table: Rows = {}
  let sent = 0
  let answers = 0
  for (let round = 1; sent < messages; round++) {
    await Promise.all(
      Array.from({ length: connections }, async (_, i) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/streaming`)
        socket.on('error', () => {})
        socket.on('message', () => answers++)
        await once(socket, 'open')
        const closed = once(socket, 'close')
        if (i % 5 > 0) socket.send('{"type":"auth","token":"Bearer any"}')
        if (i % 4 === 3) socket.pause()
        for (let k = 0; k < each && socket.readyState === WebSocket.OPEN; k++) {
          socket.send(noise())
          sent++
          if (k % 20 === 0) await sleep(1)
        }
        if (i % 3 === 0) socket.terminate()
        else socket.close()
        socket.resume()
        await closed
      }),
    )
    if (round % 4 !== 0 && sent < messages) continue
    await sleep(1_500)
    const { rss } = await stage.ask<Figures>({ do: 'figures' })
    table[`after ${sent} messages`] = { 'resident MiB': rounded(rss / 2 ** 20), answers }
  }
  stage.close()
  return table
}
