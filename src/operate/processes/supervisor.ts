import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { availableParallelism } from 'node:os'
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

/** Interval of beats to each process, and number of unanswered beats after which a process is killed. */
const beatMs = 1000
const maxUnansweredBeats = 30
/**
 * Run time in milliseconds after which a process counts as stable. A stable process is replaced immediately, and so is
 * an unstable one after its first failure.
 */
const stableMs = 60_000
const firstBackoffMs = 1000
const maxBackoffMs = 60_000
/** Timeout for the metrics of other processes, in seconds. Metrics of a busy process are left out. */
const metricsSeconds = 2
/** Time to wait for the port, in milliseconds: the processes of a killed owner end shortly after it. */
const portMs = 2000
const portPauseMs = 50

interface Options {
  readonly config: Pick<Config, 'host' | 'port' | 'shutdownSeconds'>
  readonly log: Log
  readonly processes: number
  readonly program: URL
}

interface Running {
  readonly number: number
  readonly worker: Worker
  readonly host: SourceHost
  readonly startedMs: number
  /** Resolves when the process listens. Rejects if it ends first. */
  readonly listening: Promise<void>
  counts: Counts
  unansweredBeats: number
}

/**
 * Owner of a service's processes. Starts the serving processes, replaces a process that ends or hangs, and forwards
 * their requests to exchanges. Accepts no connections itself.
 */
export class Supervisor implements StoreProcess {
  readonly number = 0
  readonly count: number
  /** Called after a process has ended unexpectedly. Its journal can be archived then. */
  onEnd: () => void = () => {}
  readonly #running = new Map<number, Running>()
  readonly #failures = new Map<number, number>()
  readonly #metrics = new Map<number, (metrics: MetricsOfProcess) => void>()
  readonly #beating: NodeJS.Timeout
  #exchanges: ExchangeLookup | undefined
  #listener: (text: string) => void = () => {}
  #lastId = 0
  #isStopping = false

  constructor(private readonly options: Options) {
    this.count = options.processes + 1
    cluster.setupPrimary({ exec: fileURLToPath(options.program), args: [], serialization: 'advanced' })
    this.#beating = setInterval(() => this.#beat(), beatMs).unref()
  }

  send(text: string): void {
    this.#listener(text)
    for (const { worker } of this.#running.values()) post(worker, { kind: 'alerts', text })
  }

  listen(listener: (text: string) => void): void {
    this.#listener = listener
  }

  /**
   * Answers the other processes' requests from these exchanges. Returns exchanges for this process that share fetches
   * and streams with them.
   */
  serveExchanges(exchanges: ExchangeLookup, clock: () => number): ExchangeLookup {
    this.#exchanges = shareInProcesses(exchanges, clock)
    return this.#exchanges
  }

  /** Starts the serving processes. Resolves with the port when all of them listen. Rejects if one cannot. */
  async start(): Promise<number> {
    const { config, processes } = this.options
    const port = await freePort(config)
    const numbers = Array.from({ length: processes }, (_, at) => at + 1)
    const started = numbers.map(number => this.#start(number, port).listening)
    await Promise.all(started)
    return port
  }

  reopenLogs(): void {
    for (const { worker } of this.#running.values()) worker.process.kill('SIGHUP')
  }

  /** Asks all processes to shut down gracefully. Resolves when all have ended. */
  async stop(drainSeconds: number): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#beating)
    const ends = [...this.#running.values()].map(({ worker, listening }) => {
      // A process that is still starting would lose the message.
      const stop = () => post(worker, { kind: 'stop', drainSeconds })
      void listening.then(stop, () => {})
      return once(worker, 'exit')
    })
    await Promise.all(ends)
  }

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
    worker.on('error', error => this.options.log.error({ err: error, process: number }, 'a process failed'))
    worker.once('exit', (code, signal) => this.#ended(running, port, { code, signal }))
    return running
  }

  /** Ends the streams of an ended process, and starts a new process with its number. */
  #ended({ number, host, startedMs }: Running, port: number, how: object): void {
    this.#running.delete(number)
    host.endStreams()
    if (this.#isStopping) return
    const isStable = performance.now() - startedMs > stableMs
    const failures = isStable ? 1 : (this.#failures.get(number) ?? 0) + 1
    this.#failures.set(number, failures)
    const waitMs = failures > 1 ? backoffMs(failures - 2, firstBackoffMs, maxBackoffMs) : 0
    this.options.log.error({ process: number, ...how, waitMs }, 'a process ended and is replaced')
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
}

/** Sends a message. It is lost if the process has just ended. */
const post = (worker: Worker, message: ToWorker) =>
  void worker.process.send?.(message, undefined, undefined, () => {})

/**
 * Finds the port of the service, and checks that no other program uses it. The processes that share the port later
 * would not notice this.
 */
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

export const processesOf = ({ processes }: Pick<Config, 'processes'>): number =>
  processes ?? availableParallelism()

/**
 * Settings of one of `processes` processes. Bounds on memory, threads and connections of the service are divided among
 * the processes. Bounds on a single key, address or connection stay, because the system chooses a client's process.
 */
export function settingsOfEach(config: Config, processes: number): Config {
  const share = (whole: number) => Math.ceil(whole / processes)
  return {
    ...config,
    historyBytes: share(config.historyBytes),
    resultsBytes: share(config.resultsBytes),
    httpMaxBackpressure: share(config.httpMaxBackpressure),
    httpMaxBodies: share(config.httpMaxBodies),
    poolThreads: share(config.poolThreads ?? availableParallelism()),
    maxConnections: config.maxConnections && share(config.maxConnections),
    streamMaxConnections: share(config.streamMaxConnections),
  }
}
