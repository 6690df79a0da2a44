import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CandelaProcess } from '../support/service-process.js'
import { HttpClient, run, sendRaw, stream } from './clients.js'
import { Draw } from './draw.js'
import { createCommand, readFile, readPacked } from './files.js'
import { faultOf, type Interface } from './interface.js'
import { createMessage, faultOfMessage } from './messages.js'
import { createRawRequest, createRequest, type FuzzRequest } from './requests.js'
import { createTableRequest } from './tables.js'

/** A case with a result that the service does not promise. */
export interface Fault {
  readonly number: number
  readonly kind: string
  readonly text: string
}

const simultaneous = 24
/** Cases per case that starts a program, because a program costs more time than a thousand requests. */
const casesPerCommand = 1_500
/** Answers of the socket library to bytes that are no HTTP request. */
const rawStatuses = [100, 200, 202, 400, 401, 403, 404, 405, 413, 415, 426, 429, 431, 505]

interface Target {
  readonly candela: CandelaProcess
  readonly served: Interface
  readonly key: string
}

/** Attacks a running service with cases that are drawn from a seed; the same seed and number give the same case. */
export class Fuzz {
  readonly #target: Target
  readonly #seed: number
  readonly #http: HttpClient
  readonly #names: readonly string[]
  /** Data directory of the commands. */
  readonly #directory = mkdtempSync(join(tmpdir(), 'candela-fuzz-'))
  readonly faults: Fault[] = []
  /** Cases by kind. */
  readonly counts: Record<string, number> = {}
  /** Replies to requests by status. */
  readonly statuses: Record<number, number> = {}

  constructor(target: Target, seed: number) {
    this.#target = target
    this.#seed = seed
    this.#http = new HttpClient(target.candela.url)
    this.#names = target.served.indicators.map(({ id }) => id)
  }

  /** Runs the cases [from, to), several at a time. */
  async run(from: number, to: number): Promise<void> {
    let next = from
    const work = async () => {
      while (next < to) await this.#runCase(next++)
    }
    await Promise.all(Array.from({ length: simultaneous }, work))
  }

  close(): void {
    this.#http.close()
    rmSync(this.#directory, { recursive: true, force: true })
  }

  async #runCase(number: number): Promise<void> {
    const draw = new Draw(this.#seed, number)
    const part = draw.number()
    const kind =
      number % casesPerCommand === casesPerCommand / 2
        ? 'command'
        : part < 0.68
          ? 'request'
          : part < 0.73
            ? 'message'
            : part < 0.78
              ? 'table'
              : part < 0.88
                ? 'raw'
                : part < 0.95
                  ? 'stream'
                  : 'file'
    this.counts[kind] = (this.counts[kind] ?? 0) + 1
    try {
      const text = await this[kind](draw)
      if (text !== undefined) this.faults.push({ number, kind, text })
    } catch (error) {
      this.faults.push({ number, kind, text: String((error as Error).stack ?? error) })
    }
  }

  request(draw: Draw): Promise<string | undefined> {
    const { served, key } = this.#target
    return this.#send(createRequest(draw, served, key))
  }

  /** A body of CSV or Arrow, which may announce more than it has. */
  table(draw: Draw): Promise<string | undefined> {
    return this.#send(createTableRequest(draw, this.#target.key))
  }

  async #send(request: FuzzRequest): Promise<string | undefined> {
    const { served } = this.#target
    const reply = await this.#http.send(request)
    this.statuses[reply.status] = (this.statuses[reply.status] ?? 0) + 1
    if (request.method === 'HEAD') return reply.body === '' ? undefined : 'an answer to HEAD has a body'
    return faultOf(served, request, reply)
  }

  /** A message of the Model Context Protocol. */
  async message(draw: Draw): Promise<string | undefined> {
    const { served, key } = this.#target
    return faultOfMessage(await this.#http.send(createMessage(draw, served, key)))
  }

  async raw(draw: Draw): Promise<string | undefined> {
    const { candela, served, key } = this.#target
    const text = await sendRaw(candela.url, createRawRequest(draw, served, key), draw)
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)
    return text === '' || rawStatuses.includes(status)
      ? undefined
      : `an answer begins with ${text.slice(0, 100)}`
  }

  stream(draw: Draw): Promise<string | undefined> {
    const { candela, key } = this.#target
    return stream(candela.url, key, this.#names, draw)
  }

  async file(draw: Draw): Promise<undefined> {
    if (draw.chance(0.8)) await readFile(draw)
    else await readPacked(draw, this.#directory)
  }

  command(draw: Draw): Promise<string | undefined> {
    return run(createCommand(draw), this.#directory)
  }
}
