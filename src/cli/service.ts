import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { Candela, type SocketClass } from '../client/index.js'
import { type Account, ownerBounds } from '../contract/account.js'
import { missingKey } from '../contract/refusals.js'
import type { ServiceParts } from '../operate/service.js'
import { type Config, configure, readConnection, readServiceUrl } from '../operate/settings/config.js'
import { action, CommandFailure, type CommonOptions, printNote } from './failure.js'
import { printResult } from './output.js'
import { showStatus } from './progress.js'

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

export const addOfService = (group: Command, name: string, description: string): Command =>
  group
    .command(name)
    .description(description)
    .addOption(new Option('--url <address>', 'where the service runs (also CANDELA_URL)'))
    .addOption(new Option('--key <key>', 'the API key (better in CANDELA_KEY, which other users cannot see)'))
    .option('--json', 'print JSON')

/** Creates a client of the service that runs at the address of the options or of the environment. Throws CommandFailure. */
export function clientOfService({ url, key }: ServiceOptions): Promise<Candela> {
  const connection = readConnection()
  return clientOf(url ?? connection.url, key ?? connection.key)
}

export const serviceAction = (run: (client: Candela, ...given: never[]) => Promise<void>) =>
  action(async (...given: never[]) => run(await clientOfService(given.at(-2) ?? {}), ...given))

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
    const isNamed = (options.url ?? readServiceUrl()) !== undefined
    service = isNamed
      ? { client: await clientOfService(options), close: async () => {} }
      : await startOwnService(options)
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
      tuning: { lingerSeconds: 0 },
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
