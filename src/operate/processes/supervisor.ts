import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { cannotListen } from '../../http/drivers/server.js'
import { shareInProcesses } from '../../markets/exchanges/cluster/process-source.js'
import type { ExchangeLookup } from '../../markets/exchanges/registry.js'
import type { Source } from '../../markets/exchanges/source.js'
import type { SourcePorts } from '../../markets/exchanges/source-factory.js'
import { SourceHost } from '../../markets/exchanges/worker/source-host.js'
import { backoffMs } from '../../runtime/backoff.js'
import { withTimeout } from '../../runtime/deadline.js'
import type { Log } from '../../runtime/log.js'
import { pause } from '../../runtime/pause.js'
import type { StoreProcess } from '../../store/process/process-store.js'
import type { MetricsOfProcess } from '../metrics/metrics.js'
import { type Config, environmentOf } from '../settings/config.js'
import { addCounts, type Counts, noCounts, type ToOwner, type ToWorker } from './messages.js'

/** How often each process is asked whether it reads messages, and after how many without an answer it is ended. */
const beatMs = 1000
const maxUnansweredBeats = 30
/** A process that ran for longer than this is replaced at once, and so is the first one that did not. */
const stableMs = 60_000
const firstBackoffMs = 1000
const maxBackoffMs = 60_000
/** How long the owner waits for the metrics of the others, in seconds: those of one that is busy are missing. */
const metricsSeconds = 2
/** The processes of an owner that was killed end a moment after it. */
const portMs = 2000
const portPauseMs = 50

interface Options {
  readonly config: Pick<Config, 'host' | 'port' | 'shutdownSeconds'>
  readonly log: Log
  /** How many processes serve. */
  readonly processes: number
  /** The program of the service. */
  readonly program: URL
}

/** A process that serves. */
interface Running {
  readonly number: number
  readonly worker: Worker
  readonly host: SourceHost
  readonly startedMs: number
  /** Resolves when it listens; rejects when it ends before. */
  readonly listening: Promise<void>
  counts: Counts
  unansweredBeats: number
}

/**
 * The owner of the processes of a service: it starts those that serve, replaces one that ends or stands still, and answers
 * what they ask exchanges. It accepts no connections itself.
 */
export class Supervisor implements StoreProcess {
  readonly number = 0
  readonly count: number
  /** Called when a process has ended that was not to end: what it had journalled can be stored. */
  onEnd: () => void = () => {}
  readonly #options: Options
  readonly #running = new Map<number, Running>()
  /** By number, ends in a row. */
  readonly #failures = new Map<number, number>()
  readonly #metrics = new Map<number, (metrics: MetricsOfProcess) => void>()
  readonly #beating: NodeJS.Timeout
  #exchanges: ExchangeLookup | undefined
  #listener: (text: string) => void = () => {}
  #lastId = 0
  #isStopping = false

  constructor(options: Options) {
    this.#options = options
    this.count = options.processes + 1
    cluster.setupPrimary({ exec: fileURLToPath(options.program), args: [], serialization: 'advanced' })
    this.#beating = setInterval(() => this.#beat(), beatMs).unref()
  }

  send(text: string): void {
    this.#listener(text)
    this.#postToAll({ kind: 'alerts', text })
  }

  listen(listener: (text: string) => void): void {
    this.#listener = listener
  }

  /** Answers from these exchanges what the other processes ask; returns them for this one, which shares fetches and streams. */
  serveExchanges(exchanges: ExchangeLookup, clock: () => number): ExchangeLookup {
    this.#exchanges = shareInProcesses(exchanges, clock)
    return this.#exchanges
  }

  /** Starts the processes that serve; resolves with the port when all of them listen. Rejects when one cannot. */
  async start(): Promise<number> {
    const { config, processes } = this.#options
    const port = await freePort(config)
    const numbers = Array.from({ length: processes }, (_, at) => at + 1)
    const started = numbers.map(number => this.#start(number, port).listening)
    await Promise.all(started)
    return port
  }

  /** Has all processes open the files of their logs again. */
  reopenLogs(): void {
    for (const { worker } of this.#running.values()) worker.process.kill('SIGHUP')
  }

  /** Asks all processes to end in order; resolves when they have. */
  async stop(drainSeconds: number): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#beating)
    const ends = [...this.#running.values()].map(({ worker }) => once(worker, 'exit'))
    this.#postToAll({ kind: 'stop', drainSeconds })
    await Promise.all(ends)
  }

  /** The metrics of the other processes, as far as they answer in time. */
  async readMetrics(): Promise<readonly MetricsOfProcess[]> {
    const all: MetricsOfProcess[] = []
    const answers = [...this.#running.values()].map(({ worker }) => {
      const id = ++this.#lastId
      const answer = new Promise<void>(resolve =>
        this.#metrics.set(id, metrics => {
          all.push(metrics)
          resolve()
        }),
      )
      post(worker, { kind: 'read-metrics', id })
      return withTimeout(answer, metricsSeconds).finally(() => this.#metrics.delete(id))
    })
    await Promise.allSettled(answers)
    return all
  }

  #start(number: number, port: number): Running {
    const worker = cluster.fork(environmentOf({ number, count: this.count, port }))
    const host = new SourceHost(
      (exchange, ports) => this.#sourceOf(exchange, ports),
      message => post(worker, { kind: 'exchange', message }),
    )
    const running: Running = {
      ...{ number, worker, host, startedMs: performance.now(), counts: noCounts, unansweredBeats: 0 },
      listening: new Promise((resolve, reject) => {
        worker.on('message', ({ kind }: ToOwner) => kind === 'listening' && resolve())
        worker.once('exit', code => reject(new Error(`process ${number} ended while it started (${code})`)))
      }),
    }
    running.listening.catch(() => {})
    this.#running.set(number, running)
    worker.on('message', (message: ToOwner) => this.#receive(running, message))
    worker.on('error', error => this.#options.log.error({ err: error, process: number }, 'a process failed'))
    worker.once('exit', (code, signal) => this.#ended(running, port, { code, signal }))
    return running
  }

  /** A process is gone: its streams end, and another one takes its number. */
  #ended({ number, host, startedMs }: Running, port: number, how: object): void {
    this.#running.delete(number)
    host.endStreams()
    if (this.#isStopping) return
    const isStable = performance.now() - startedMs > stableMs
    const failures = isStable ? 1 : (this.#failures.get(number) ?? 0) + 1
    this.#failures.set(number, failures)
    const waitMs = failures > 1 ? backoffMs(failures - 2, firstBackoffMs, maxBackoffMs) : 0
    this.#options.log.error({ process: number, ...how, waitMs }, 'a process ended and is replaced')
    this.onEnd()
    setTimeout(() => this.#isStopping || this.#start(number, port), waitMs).unref()
  }

  #receive(running: Running, message: ToOwner): void {
    switch (message.kind) {
      case 'beat':
        running.unansweredBeats = 0
        running.counts = message.counts
        break
      case 'exchange':
        running.host.receive(message.message)
        break
      case 'alerts':
        this.send(message.text)
        break
      case 'metrics':
        this.#metrics.get(message.id)?.(message.metrics)
        break
      case 'listening':
        break
    }
  }

  #beat(): void {
    const all = [...this.#running.values()]
    for (const running of all) {
      if (running.unansweredBeats++ >= maxUnansweredBeats) {
        running.worker.process.kill('SIGKILL')
        continue
      }
      const others = all.filter(other => other !== running).map(({ counts }) => counts)
      const uptime = Math.floor(process.uptime())
      post(running.worker, { kind: 'beat', others: others.reduce(addCounts, noCounts), uptime })
    }
  }

  #sourceOf(exchange: string, { onSpellings }: SourcePorts): Source {
    const source = this.#exchanges?.find(exchange)?.source as Source
    return {
      symbols: async () => {
        const symbols = await source.symbols()
        const spellings = source.spellings?.()
        if (spellings) onSpellings?.(spellings)
        return symbols
      },
      candles: (...question) => source.candles(...question),
      watch: (...market) => source.watch?.(...market),
    }
  }

  #postToAll(message: ToWorker): void {
    for (const { worker } of this.#running.values()) post(worker, message)
  }
}

/** A message to a process that has just ended is lost. */
const post = (worker: Worker, message: ToWorker) =>
  void worker.process.send?.(message, undefined, undefined, () => {})

/** The port of the service, which no other program may have: those that share it afterwards would not notice. */
async function freePort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<number> {
  const end = performance.now() + portMs
  for (;;) {
    const server = createServer()
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host, port, exclusive: true }, resolve)
      })
      const free = (server.address() as AddressInfo).port
      await new Promise(resolve => server.close(resolve))
      return free
    } catch (cause) {
      const isInUse = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!isInUse || performance.now() > end) throw cannotListen(host, port, cause)
      await pause(portPauseMs)
    }
  }
}
