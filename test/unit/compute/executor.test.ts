import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { Columns, type Snapshot } from '../../../src/candles/columns.js'
import { catalogue, type Entry, type Values } from '../../../src/catalogue/index.js'
import { answer, CostEstimates, writeValues } from '../../../src/compute/answer.js'
import {
  type BulkComputation,
  type BulkSection,
  layoutBulk,
  writeComputations,
} from '../../../src/compute/bulk-layout.js'
import { type Answer, Executor, type ResponseBody } from '../../../src/compute/executor.js'
import { compileExpression, compileExpressions } from '../../../src/compute/expressions/compile.js'
import { Expressions } from '../../../src/compute/expressions/expressions.js'
import { BodyParser } from '../../../src/compute/json/body-parser.js'
import { StringSink } from '../../../src/compute/json/sink.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import { shapeOf } from '../../../src/compute/kernels/shape.js'
import { ResultCache } from '../../../src/compute/results/result-cache.js'
import { ResultSeries } from '../../../src/compute/results/result-series.js'
import { packTask, unpackTask } from '../../../src/compute/task.js'
import { WorkerPool } from '../../../src/compute/workers/pool.js'
import type { Query } from '../../../src/contract/query.js'
import { isRefusal, type Refusal } from '../../../src/contract/refusals.js'
import { BodyFragments } from '../../../src/runtime/buffer-pool.js'

const controlledWorker = new URL('../fixtures/controlled-worker.mjs', import.meta.url)
const missingWorker = new URL('../fixtures/missing.mjs', import.meta.url)
/** Loads nothing, for tests in which a thread computes nothing. */
const idleWorker = new URL('../fixtures/idle-worker.mjs', import.meta.url)

function market(count: number, first = 1): Snapshot {
  const columns = new Columns(count)
  for (let i = 0; i < count; i++) {
    const open = 100 + Math.sin(i)
    columns.write(i, {
      timestamp: i === 0 ? first : i + 1,
      open,
      high: 102,
      low: 98,
      close: open + 0.5,
      volume: 9,
    })
  }
  return { columns, closed: count, forming: undefined, count }
}

const query = (name: string, changes: Partial<Query> = {}): Query => {
  const indicator = catalogue.get(name) as Entry
  const params = Object.fromEntries(
    Object.entries(indicator.params).map(([key, param]) => [key, param.default]),
  ) as Values
  return { indicator, params, results: 3, backtrack: 0, ...changes }
}

const section = (id: string, candles: Snapshot | string, names = ['rsi', 'macd']): BulkSection => ({
  id,
  items: names.map(name => ({ id: name, query: query(name) })),
  candles: typeof candles === 'string' ? candles : [candles],
})

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

/** Executor with one thread, unless the options set another number. Each thread loads the source itself. */
function open(options: Partial<ConstructorParameters<typeof Executor>[0]> = {}) {
  const failures: unknown[] = []
  const executor = new Executor({
    calculator: new Calculator(),
    bodyParser: new BodyParser(),
    threads: 1,
    maxQueuedTasks: 100,
    inlineBudgetUs: 0,
    inlineBodyBytes: 0,
    worker: controlledWorker,
    onFailure: error => failures.push(error),
    ...options,
  })
  opened.push(executor)
  return { executor, failures }
}

const textOf = (body: ResponseBody | Refusal): string => {
  if (typeof body === 'string') return body
  if ('status' in body) throw new Error(body.error)
  const text = Buffer.concat(body.buffers).toString()
  body.release()
  return text
}

/** Heavy enough for a task of its own: the estimate counts the values that are written. */
const heavy = (id: string, candles: Snapshot): BulkSection => ({
  id,
  items: [{ id: 'ema', query: query('ema', { results: Number.POSITIVE_INFINITY }) }],
  candles: [candles],
})

describe('a bulk dispatcher', () => {
  it('computes in several tasks the same text as in one', async () => {
    const sections = [
      ...Array.from({ length: 7 }, (_, i) => section(`c${i}`, market(3000 + i))),
      section('failed', 'no candles'),
      heavy('last', market(6000)),
    ]
    const inline = open({ inlineBudgetUs: 1e9, worker: missingWorker }).executor
    const pools = [1, 3].map(threads => ({ threads, pool: open({ threads }).executor }))
    for (const verbose of [false, true]) {
      const layout = layoutBulk(sections, verbose)
      const caller = { accountId: 'me' }
      const whole = textOf(await inline.executeAll(layout, caller))
      for (const { threads, pool } of pools) {
        const body = await pool.executeAll(layout, caller)
        if (!(body instanceof BodyFragments)) throw new Error('it was not computed by the pool')
        expect(
          new Set(body.buffers.map(({ buffer }) => buffer)).size,
          'each from its thread',
        ).toBeGreaterThanOrEqual(threads)
        expect(textOf(body)).toBe(whole)
      }
    }
  })

  it('loses the task of a worker that dies, and nothing else', async () => {
    const { executor, failures } = open({ threads: 2 })
    const sections = [heavy('dies', market(9001)), heavy('lives', market(9000))]
    const first = JSON.parse(
      textOf(await executor.executeAll(layoutBulk(sections, true), { accountId: 'me' })),
    )
    expect(first.dies.ema.result).toBeNull()
    expect(first.dies.ema.errors).toEqual(['Computation failed'])
    expect(first.lives.ema.result.value).toHaveLength(
      9000 - query('ema').indicator.lookback(query('ema').params),
    )
    expect(failures).toHaveLength(1)
    const raw = JSON.parse(
      textOf(await executor.executeAll(layoutBulk(sections, false), { accountId: 'me' })),
    )
    expect(raw.dies.ema).toBeNull()
    const healthy = layoutBulk([heavy('a', market(9000)), heavy('b', market(9000))], false)
    const after = JSON.parse(textOf(await executor.executeAll(healthy, { accountId: 'me' })))
    expect(after.a.ema.value, 'another worker has replaced it').toEqual(after.b.ema.value)
  })

  it('answers a body that kills its worker with null for each entry', async () => {
    const { executor } = open()
    const candles = Array.from({ length: 30 }, (_, i) => ({ o: 1 + i, h: 50, l: 1, c: 2 + i, v: 1 }))
    const body = (id: string) =>
      new TextEncoder().encode(
        JSON.stringify({ constructs: [{ id, candles, indicators: [{ id: 'x', indicator: 'rsi' }] }] }),
      )
    const ask = async (id: string) => textOf(await executor.executeSupplied(body(id), 5, { accountId: 'me' }))
    expect(await ask('dies')).toBe('{"dies":{"x":null}}')
    expect(JSON.parse(await ask('lives')).lives.x.value).toEqual([100])
  })

  it('answers although no worker starts', async () => {
    const { executor, failures } = open({ worker: missingWorker, threads: 2 })
    const layout = layoutBulk([heavy('a', market(9000)), heavy('b', market(9000))], false)
    for (let i = 0; i < 2; i++) {
      expect(textOf(await executor.executeAll(layout, { accountId: 'me' }))).toBe(
        '{"a":{"ema":null},"b":{"ema":null}}',
      )
    }
    expect(failures.length).toBeGreaterThan(0)
  })

  it('answers without the computation that throws', async () => {
    const { executor, failures } = open({ inlineBudgetUs: 1e9, worker: idleWorker })
    const broken = { ...(catalogue.get('rsi') as Entry), kernel: 'nothing' }
    const items = [
      { id: 'bad', query: query('rsi', { indicator: broken }) },
      { id: 'good', query: query('rsi') },
    ]
    const layout = layoutBulk([{ id: 'c', items, candles: [market(100)] }], false)
    const { c } = JSON.parse(textOf(await executor.executeAll(layout, { accountId: 'me' })))
    expect(c.bad).toBeNull()
    expect(c.good.value).toHaveLength(3)
    expect(failures).toHaveLength(1)
  })
})

describe('a full queue', () => {
  it('refuses the request that is displaced, and answers the others', async () => {
    const { executor } = open({ threads: 1, maxQueuedTasks: 2 })
    const layout = layoutBulk([heavy('a', market(9000))], false)
    const ask = (accountId: string) => executor.executeAll(layout, { accountId })
    const [first, second, displaced, refused, last] = ['a', 'a', 'a', 'a', 'b'].map(ask)
    expect(await refused).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } })
    expect(await displaced).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } })
    expect(textOf((await first) as ResponseBody)).toBe(textOf((await second) as ResponseBody))
    expect(textOf((await last) as ResponseBody)).toMatch(/^\{"a":\{"ema":\{"value":/)
  })
})

describe('writing computations', () => {
  it('calls the pause before each computation, and writes the same text without it', () => {
    const calculator = new Calculator()
    const layout = layoutBulk([section('a', market(100)), section('b', 'no candles')], true)
    const text = (pause?: () => void) => {
      const sink = new StringSink(calculator.writer)
      writeComputations({ calculator, onBug: fail, pause, write: writeValues }, layout, sink)
      return sink.text
    }
    let pauses = 0
    expect(text(() => pauses++)).toBe(text())
    expect(pauses).toBe(2)
  })
})

const fail = (error: unknown) => {
  throw error
}

describe('a worker pool', () => {
  const task = (id: string, candles: Snapshot) =>
    packTask(layoutBulk([section(id, candles)], false).computations, false)
  const openPool = (threads: number, maxQueuedTasks = 100, worker = controlledWorker) => {
    const pool = new WorkerPool({ threads, maxQueuedTasks, worker, onFailure: () => {} })
    opened.push(pool)
    return pool
  }
  /** A task that blocks its thread until it is released. */
  const block = (pool: WorkerPool) => {
    const gate = market(50, 0)
    const done = pool.run(task('held', gate), 'me')
    const word = new Int32Array(gate.columns.buffer)
    const release = () => {
      Atomics.store(word, 0, 1)
      Atomics.notify(word, 0)
    }
    return { done, release }
  }

  it('drops a task whose client disconnects before a thread has begun it', async () => {
    const pool = openPool(1)
    const blocked = block(pool)
    const client = new AbortController()
    const dropped = pool.run(task('a', market(50)), 'me', client.signal)
    const waiting = pool.run(task('b', market(50)), 'me')
    expect(pool.queued).toBe(2)
    client.abort()
    await expect(dropped).rejects.toThrow('aborted')
    expect(pool.queued).toBe(1)
    const [thread] = pool.threads
    blocked.release()
    await blocked.done
    expect(Buffer.concat((await waiting).answer as Uint8Array[]).toString()).toMatch(/^\{"b":\{"rsi"/)
    expect(pool.threads, 'the thread lives on').toEqual([thread])
    expect(pool.queued).toBe(0)
  })

  it('ends a task that has begun at its next step when its client disconnects', async () => {
    const pool = openPool(1)
    const gate = market(50, 0)
    const client = new AbortController()
    const running = pool.run(task('held', gate), 'me', client.signal)
    const [thread] = pool.threads
    client.abort()
    const word = new Int32Array(gate.columns.buffer)
    Atomics.store(word, 0, 1)
    Atomics.notify(word, 0)
    await expect(running).rejects.toThrow('nobody waits for the result')
    expect((await pool.run(task('a', market(50)), 'me')).answer).toEqual([expect.any(Uint8Array)])
    expect(pool.threads, 'the thread lives on').toEqual([thread])
  })

  it('ends the reading of a table between its rows when its client disconnects', async () => {
    const pool = openPool(1)
    const body = Buffer.from(`time,open,high,low,close\n${'1600000000,1,3,1,2\n'.repeat(100_000)}`)
    const client = new AbortController()
    const table = { kind: 'candles', format: 'csv', maxCandles: 100_000, closesSuffice: false, body } as const
    const running = pool.run(table, 'me', client.signal)
    client.abort()
    await expect(running).rejects.toThrow('nobody waits for the result')
    expect((await pool.run(table, 'me')).answer).toMatchObject({ status: 400 })
  })

  it('runs the next task after its thread was killed', async () => {
    const pool = openPool(1)
    const blocked = block(pool)
    const lost = expect(blocked.done).rejects.toThrow()
    const next = pool.run(task('b', market(50)), 'me')
    const [thread] = pool.threads
    if (!thread) throw new Error('no thread')
    const ended = once(thread, 'exit')
    await thread.terminate()
    await ended
    await lost
    expect((await next).answer).toEqual([expect.any(Uint8Array)])
    expect(pool.threads).toHaveLength(1)
  })

  /** Queues tasks by name behind a blocked one, the first letter as their key; the names in the order in which they end. */
  const orderOf = async (names: readonly string[]) => {
    const pool = openPool(1)
    const blocked = block(pool)
    const ended: string[] = []
    const tasks = names.map(async name => {
      await pool.run(task(name, market(50)), name[0] as string)
      ended.push(name)
    })
    blocked.release()
    await Promise.all([blocked.done, ...tasks])
    return ended
  }

  it('begins tasks in the order in which they came', async () => {
    expect(await orderOf(['a1', 'a2', 'a3', 'a4', 'a5'])).toEqual(['a1', 'a2', 'a3', 'a4', 'a5'])
  })

  it('begins the one task of a client before the second one of a client with many', async () => {
    expect(await orderOf(['a1', 'a2', 'a3', 'a4', 'b1'])).toEqual(['a1', 'b1', 'a2', 'a3', 'a4'])
  })

  it('gives a place of the client with most tasks to another client when the queue is full', async () => {
    const pool = openPool(1, 3)
    const blocked = block(pool)
    const run = (name: string) => {
      expect(pool.makeRoom(name[0] as string, 1), name).toBe(true)
      const result = pool.run(task(name, market(50)), name[0] as string)
      return result.then(() => name).catch(error => (error as Error).name)
    }
    const tasks = ['a1', 'a2', 'a3', 'b1'].map(run)
    expect(pool.makeRoom('a', 1), 'for itself').toBe(false)
    expect(pool.makeRoom('c', 2), 'for more than others have').toBe(false)
    expect(await tasks[2]).toBe('Displaced')
    blocked.release()
    expect(await Promise.all(tasks)).toEqual(['a1', 'a2', 'Displaced', 'b1'])
    await blocked.done
  })

  it('does not begin a task whose client has already disconnected', async () => {
    const pool = openPool(1, 100, idleWorker)
    await expect(pool.run(task('a', market(50)), 'me', AbortSignal.abort())).rejects.toThrow('aborted')
    expect(pool.queued).toBe(0)
  })
})

describe('a worker task', () => {
  it('is unpacked to the computations that were packed', () => {
    const forming = { timestamp: 99, open: 1, high: 2, low: 1, close: 2, volume: 3 }
    const first = market(10)
    const second = { ...market(10), forming, count: 11 }
    const { computations } = layoutBulk([section('a', first), section('b', second, ['rsi', 'rsi'])], true)
    const packed = packTask(computations, true)
    expect(new Set(packed.inputs).size, 'equal inputs are sent once').toBe(2)
    expect(packed.inputs[0]?.[0].buffer, 'the series by handle').toBe(first.columns.buffer)
    const texts = (list: readonly BulkComputation[]) => list.map(({ before }) => before)
    const unpacked = unpackTask(structuredClone(packed), new Expressions())
    expect(texts(unpacked)).toEqual(texts(computations))
    const last = unpacked.at(-1) as BulkComputation
    expect(last.inputs[0].forming).toEqual(forming)
    expect(last.query.indicator).toBe(catalogue.get('rsi'))
  })
})

describe('cost estimates', () => {
  it('take over a lower measurement at once, a higher one slowly', () => {
    const costs = new CostEstimates()
    costs.record('rsi', 100, 1000)
    expect(costs.measured('rsi')).toBe(10)
    costs.record('rsi', 100, 400)
    expect(costs.measured('rsi')).toBe(4)
    costs.record('rsi', 100, 40_000)
    expect(costs.measured('rsi')).toBeGreaterThan(4)
    expect(costs.measured('rsi')).toBeLessThan(40)
  })

  it('of an expression count remainders, earlier values and longer candles for more', () => {
    const nsOf = (text: string) => {
      const compiled = compileExpression(text, { timeframe: '1m' })
      if (isRefusal(compiled)) throw new Error(compiled.error)
      return shapeOf(compiled.spec).mostNsPerCandle
    }
    expect(nsOf('close % 7')).toBeGreaterThan(10 * nsOf('close / 7'))
    expect(nsOf('close[7]')).toBeGreaterThan(5 * nsOf('-close'))
    expect(nsOf('sma(3)@1h')).toBeGreaterThan(nsOf('sma(3)') + 200)
    expect(nsOf('sma(3) + ema(5)')).toBeGreaterThan(2 * nsOf('sma(3)') - 10)
  })

  it('count candles and written values', () => {
    const costs = new CostEstimates()
    const estimate = (count: number, results: number, backtrack = 0) =>
      costs.of(query('rsi', { results, backtrack }), [market(count)]).ns
    expect(estimate(1000, 1)).toBeGreaterThan(estimate(500, 1))
    expect(estimate(1000, 100)).toBeGreaterThan(estimate(1000, 1))
    expect(estimate(1000, 5000), 'more results than values').toBe(estimate(1000, 986))
    expect(estimate(1000, 1, 2000)).toBeLessThan(estimate(500, 1))
  })
})

describe('the results of a calculation', () => {
  const spec = query('sampleentropy', { params: { period: 30, length: 2, tolerance: 0.2 } })
  const caller = { accountId: 'me' }

  it('are built by a thread as on the event loop, and go on from there', async () => {
    const { executor } = open()
    const snapshot = { ...market(500), closed: 400, count: 400 }
    const packed = await executor.build(spec, [snapshot], 20, caller)
    if (isRefusal(packed)) throw new Error(packed.error)
    const [results, own] = [new ResultSeries(spec), new ResultSeries(spec)]
    const calculator = new Calculator()
    own.build(calculator, [snapshot], 20)
    results.unpack(packed)
    expect(packed.numbers).toEqual(own.pack()?.numbers)
    for (const each of [results, own]) each.advance(calculator, [market(500)], false)
    const { writer } = new Calculator()
    expect(results.values.textsAt(499, writer)).toEqual(own.values.textsAt(499, writer))
    expect(results.pack()?.numbers).toEqual(own.pack()?.numbers)
  })

  it('are refused where too many tasks wait, and rejected where the thread dies or nobody waits', async () => {
    const full = open({ threads: 1, maxQueuedTasks: 0 })
    const both = [1, 2].map(() => full.executor.build(spec, [market(500)], 1, caller))
    expect((await Promise.all(both)).map(isRefusal)).toEqual([false, true])
    const broken = open({ worker: missingWorker })
    await expect(broken.executor.build(spec, [market(500)], 1, caller)).rejects.toThrow('not be computed')
    const gone = { accountId: 'me', signal: AbortSignal.abort(new Error('gone')) }
    await expect(open({ worker: idleWorker }).executor.build(spec, [market(500)], 1, gone)).rejects.toThrow(
      'gone',
    )
  })
})

describe('an answer to one query', () => {
  const costly = query('sampleentropy', { params: { period: 300, length: 2, tolerance: 0.2 } })

  const me = { accountId: 'me' }
  const bodyOf = (answered: Answer | Refusal) =>
    isRefusal(answered) ? expect.fail(answered.error) : answered.body

  it('that costs little is computed immediately, and so is a refusal', () => {
    const { executor } = open({ worker: idleWorker })
    const short = executor.execute({ query: query('rsi'), inputs: [market(1250)] }, me)
    expect(bodyOf(short as Answer)).toBe(answer(new Calculator(), query('rsi'), [market(1250)]))
    const refused = executor.execute({ query: costly, inputs: [market(200)] }, me)
    expect(refused).toMatchObject({ status: 400 })
  })

  it.each([
    ['of a costly kernel', costly, 1000],
    ['over a long history', query('rsi', { results: Number.POSITIVE_INFINITY }), 30_000],
  ])('%s comes from a thread, and is the same', async (_, asked, candles) => {
    const { executor, failures } = open({ inlineBudgetUs: 400 })
    const snapshot = market(candles)
    const body = bodyOf(await executor.execute({ query: asked, inputs: [snapshot] }, me))
    if (!(body instanceof BodyFragments)) throw new Error('it was not computed by the pool')
    expect(textOf(body)).toBe(answer(new Calculator(), asked, [snapshot]))
    expect(failures).toEqual([])
  })

  it('of several expressions comes from a thread as a text, and is the same', async () => {
    const texts = { where: 'sampleentropy(300, 2, 0.2) > 0', 'select.a': 'close', 'select.b': 'rsi(14) > 50' }
    const compiled = compileExpressions(texts, { timeframe: '1m' })
    if (isRefusal(compiled)) throw new Error(compiled.error)
    const { executor, failures } = open({ inlineBudgetUs: 400 })
    const asked = { ...compiled.spec, results: 400, backtrack: 3 }
    const snapshot = market(1000)
    const text = await executor.answerText({ query: asked, inputs: [snapshot], isKept: false }, me)
    expect(text).toBe(answer(new Calculator(), asked, [snapshot]))
    expect(failures).toEqual([])
  })

  it('comes from a thread where kept results lack many candles, and is kept anew', async () => {
    const resultCache = new ResultCache(1_000_000)
    const { executor } = open({ inlineBudgetUs: 400, resultCache })
    const whole = market(1000)
    const at = (closed: number): Snapshot => ({ ...whole, closed, count: closed })
    const ask = (snapshot: Snapshot) => executor.execute({ query: costly, inputs: [snapshot] }, me)
    for (let i = 0; i < 2; i++) textOf(bodyOf(await ask(at(800))))
    expect(ask(at(800)), 'kept').not.toBeInstanceOf(Promise)
    expect(ask(at(801)), 'one step').not.toBeInstanceOf(Promise)
    const later = ask(whole)
    expect(later).toBeInstanceOf(Promise)
    expect(textOf(bodyOf(await later))).toBe(answer(new Calculator(), costly, [whole]))
    expect(ask(whole)).not.toBeInstanceOf(Promise)
  })

  it('is an exception where the thread dies', async () => {
    const { executor, failures } = open({ worker: missingWorker })
    const asked = executor.execute({ query: costly, inputs: [market(1000)] }, me)
    await expect(asked).rejects.toThrow('could not be computed')
    expect(failures.length).toBeGreaterThan(0)
  })

  it('is estimated by its parameters, whatever shorter ones have taken', () => {
    const costs = new CostEstimates()
    costs.record('sampleentropy', 1000, 1)
    const all = { ...costly, results: Number.POSITIVE_INFINITY }
    expect(costs.of(all, [market(1000)]).ns).toBeGreaterThan(20_000_000)
  })
})
