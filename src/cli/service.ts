import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { formatAge } from '../candles/age.js'
import { formatCount } from '../candles/format-count.js'
import { Candela, type SocketClass } from '../client/index.js'
import type { ScreenProgress, ScreenResult } from '../client/types.js'
import { type Account, ownerBounds } from '../contract/account.js'
import { missingKey } from '../contract/refusals.js'
import type { ServiceParts } from '../operate/service.js'
import { type Config, configure, readConnection, readServiceUrl } from '../operate/settings/config.js'
import { CommandFailure, type CommonOptions, printNote } from './failure.js'
import { integer, parseSymbols } from './option-parsers.js'
import { printResult } from './output.js'
import { createProgressDisplay, type ProgressDisplay, showStatus } from './progress.js'

/** Options of commands that can send their requests to a running service. */
export interface ServiceOptions extends CommonOptions {
  readonly url?: string
  readonly key?: string
}

const keyHelp = 'the API key for that service (better in CANDELA_KEY, which other users cannot see)'

/** Adds the options that name a running service to a command that also works without one. */
export function addServiceOptions(command: Command): void {
  const url = 'ask the service that runs there (also CANDELA_URL), instead of the exchange'
  command.addOption(new Option('--url <address>', url)).addOption(new Option('--key <key>', keyHelp))
}

/** Adds a command that needs a running service. */
export const addOfService = (group: Command, name: string, description: string): Command =>
  group
    .command(name)
    .description(description)
    .addOption(new Option('--url <address>', 'where the service runs (also CANDELA_URL)'))
    .addOption(new Option('--key <key>', 'the API key (better in CANDELA_KEY, which other users cannot see)'))
    .option('--json', 'print JSON')

/** Creates the client of the service that a command names. */
export function serviceOf({ url, key }: ServiceOptions): Candela {
  const connection = readConnection()
  return new Candela({ url: url ?? connection.url, key: key ?? connection.key })
}

/** A service for the requests of a command, and a function that closes it. */
export interface AskedService {
  readonly client: Candela
  close(): Promise<void>
}

/**
 * Runs `work` with a client of the named running service. If none is named, starts a service in this process and closes it after
 * `work`. A terminal shows `status` until `work` ends or calls `hideStatus`.
 */
export async function withService<Result>(
  options: ServiceOptions,
  status: string | undefined,
  work: (client: Candela, hideStatus: () => void) => Promise<Result>,
): Promise<Result> {
  const hideStatus = status === undefined ? () => {} : showStatus(status, options)
  let service: AskedService | undefined
  try {
    const url = options.url ?? readServiceUrl()
    service =
      url === undefined
        ? await startOwnService(options)
        : { client: await clientOf(url, options.key ?? readConnection().key), close: async () => {} }
    return await work(service.client, hideStatus)
  } finally {
    hideStatus()
    await service?.close()
  }
}

/** Creates a client of a service, including streams. Throws CommandFailure if the address or the key is invalid. */
export async function clientOf(url: string, key: string): Promise<Candela> {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new CommandFailure(`"${url}" is no address of a service, such as http://127.0.0.1:8080`)
  if (key === '') throw new CommandFailure('The service needs a key: set CANDELA_KEY, or add --key')
  // Node.js 22 and later have their own WebSocket class.
  const own = (globalThis as { readonly WebSocket?: SocketClass }).WebSocket
  return new Candela({ url, key, WebSocket: own ?? (await import('../runtime/web-sockets.js')).WebSocket })
}

/** Settings of the service of one command. It listens only on this machine, and shares nothing. */
const ownSettings: Partial<Config> = {
  host: '127.0.0.1',
  port: 0,
  transport: 'node',
  processes: 1,
  store: 'embedded',
  poolThreads: 1,
  tlsCert: undefined,
  tlsKey: undefined,
  metricsPort: undefined,
  accessLog: undefined,
  otelSdkDisabled: true,
  lingerSeconds: 0,
  shutdownSeconds: 0,
}

/** Signals that end a command, with their numbers. */
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

/**
 * Starts a service in this process, on a temporary directory that is removed at the end. Nothing else is stored, so it works in
 * parallel with a running service. Only the returned client has its key, and the key has no limits.
 */
export async function startOwnService(
  options: CommonOptions,
  parts: Partial<ServiceParts> = {},
): Promise<AskedService> {
  const { Service } = await import('../operate/service.js')
  const dataDirectory = mkdtempSync(join(tmpdir(), 'candela-'))
  const remove = () => rmSync(dataDirectory, { recursive: true, force: true })
  process.once('exit', remove)
  for (const [signal, number] of Object.entries(signals))
    if (process.listenerCount(signal) === 0) process.once(signal, () => process.exit(128 + number))
  const key = randomBytes(16).toString('hex')
  const account: Account = { id: 'command', name: 'command', plan: 'enterprise', created: 0, ...ownerBounds }
  const service = new Service(
    { ...configure(), ...ownSettings, dataDirectory },
    {
      log: { info() {}, warn() {}, error: (_, text) => printNote(text, options) },
      access: {
        recall: () => undefined,
        authenticate: header => (header === `Bearer ${key}` ? account : missingKey()),
      },
      ...parts,
    },
  )
  const close = async () => {
    await service.close()
    process.off('exit', remove)
    remove()
  }
  const { url } = await service.start()
  return { client: await clientOf(url, key), close }
}

/** Prints a table, or a note on standard error if the list is empty. */
export function printList<Item>(
  items: readonly Item[],
  options: ServiceOptions,
  none: string,
  format: (items: readonly Item[]) => string,
): void {
  if (items.length === 0 && !options.json) console.error(none)
  else printResult(items, options, () => format(items))
}

export const symbolsOption = (): Option =>
  new Option('--symbols <list>', 'only these markets, with commas between them').argParser(parseSymbols)

export const quoteOption = (): Option =>
  new Option('--quote <currency>', 'only symbols that end with it, such as USDT')

export const maxAgeOption = (): Option =>
  new Option(
    '--max-age <seconds>',
    'leave out markets whose last candle ended more than this many seconds ago',
  ).argParser(integer(0))

/** Returns the result of a request over many markets. On a terminal, a bar shows the number of fetched markets. */
export async function overMarkets<Result>(
  { exchange, timeframe }: { readonly exchange: string; readonly timeframe: string },
  options: ServiceOptions,
  ask: (client: Candela, onProgress: (progress: ScreenProgress) => void) => Promise<Result>,
): Promise<Result> {
  let display: ProgressDisplay | undefined
  const onProgress = ({ done, total }: ScreenProgress) => {
    if (!process.stderr.isTTY) return
    display ??= createProgressDisplay(`fetching ${exchange} ${timeframe}`, total, options, 'markets')
    display.show({ done, back: undefined })
  }
  return withService(options, undefined, client => ask(client, onProgress)).finally(() => display?.end())
}

/** Prints the number of markets with old candles. */
export function printStale({ stale = [] }: Pick<ScreenResult, 'stale'>, options: ServiceOptions): void {
  const [oldest] = [...stale].sort((a, b) => b.age - a.age)
  if (oldest)
    printNote(
      `${formatCount(stale.length, 'market')} with old candles, such as ${oldest.symbol}: the last candle ended ${formatAge(oldest.age)} ago`,
      options,
    )
}

/** Prints the number of markets that could not be screened. */
export function printFailed({ failed }: Pick<ScreenResult, 'failed'>): void {
  const [first] = failed
  if (first)
    printNote(
      `${formatCount(failed.length, 'market')} could not be screened, such as ${first.symbol}: ${first.error}`,
    )
}
