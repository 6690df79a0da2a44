import type { z } from 'zod'
import { didYouMean, nearNames } from '../../contract/hints.js'
import { providerNames, stocksExchanges } from '../../markets/exchanges/stocks/stocks.js'
import { storeAddress } from '../../store/address.js'
import {
  byPlan,
  emailAddress,
  exchangeOptions,
  flag,
  host,
  integer,
  oneOf,
  order,
  origins,
  orWord,
  path,
  pathOrStdout,
  recipients,
  type Setting,
  secret,
  setting,
  size,
  smtpAddress,
  stocksOptions,
  webAddress,
} from './setting-formats.js'

export const operatorSettings = {
  ACCESS_LOG: setting(
    'off',
    orWord('off', pathOrStdout),
    'file to which one line is added for each request, or `stdout`; off writes none. On SIGHUP it is opened again; see [Access log](troubleshooting.md#access-log)',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    'off',
    orWord('off', webAddress),
    'address to which traces are sent (OTLP over HTTP, as JSON), such as `http://localhost:4318`; off records none. Other `OTEL_` variables have their usual meaning; see [Traces](troubleshooting.md#traces)',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting(
    'off',
    orWord('off', webAddress),
    'the same with its path, such as `http://localhost:4318/v1/traces`',
  ),
  OTEL_SDK_DISABLED: setting('false', flag, 'whether no traces are recorded whatever their address is'),
  SMTP_URL: setting(
    'off',
    orWord('off', smtpAddress),
    'server that sends the e-mail of [alerts](alerts.md#e-mail); off sends none',
    true,
  ),
  SMTP_FROM: setting('off', orWord('off', emailAddress), 'address that this e-mail is from'),
  SMTP_RECIPIENTS: setting(
    '*',
    recipients,
    'addresses, and domains such as `@example.com`, that alerts may send e-mail to, separated by commas; * for all. With *, each holder of a key can send e-mail to anybody in the name of `SMTP_FROM`',
  ),
}

export const stocksSettings = {
  STOCKS: setting(
    '{}',
    stocksOptions,
    'addresses and request rates of the providers of stocks, as a JSON object: `url` and `requestsPerSecond` are those of Yahoo',
    true,
  ),
  STOCKS_SOURCES: setting(
    providerNames.join(','),
    order(providerNames),
    'providers of stocks in the order in which they are used: the first one that has a key; see [Stocks](markets.md#stocks)',
  ),
  ALPACA_KEY: setting('off', orWord('off', secret), 'key of an Alpaca account, for stocks', true),
  ALPACA_SECRET: setting('off', orWord('off', secret), 'secret that belongs to `ALPACA_KEY`', true),
  ALPACA_FEED: setting(
    'iex',
    oneOf('iex', 'sip'),
    'trades that the candles of Alpaca are made of: `iex` (one exchange, in every plan) or `sip` (all exchanges)',
  ),
  MASSIVE_KEY: setting(
    'off',
    orWord('off', secret),
    'key of a Massive (formerly Polygon.io) account, for stocks',
    true,
  ),
  TWELVEDATA_KEY: setting('off', orWord('off', secret), 'key of a Twelve Data account, for stocks', true),
  STOCKS_YAHOO_SHARED: setting(
    'false',
    flag,
    'whether stocks come from Yahoo although the service has more than one key. Its data is “intended for personal use only”, as yfinance sums up its terms, and must not be redistributed: set it only where all keys are those of one person',
  ),
}

/** Variables of Candela that are not settings of the service. */
const others: readonly string[] = ['CANDELA_PROCESS', 'CANDELA_URL', 'CANDELA_KEY']
/** Settings of earlier releases, with the text that explains the replacement. */
const removed: Readonly<Record<string, string>> = {
  ALERTS_BACKOFF_MS:
    'a webhook that failed is called again after a second, then twice as late each time. Unset it',
  ALERTS_CONCURRENCY: '64 webhooks are called at the same time. Unset it',
  FORMING_PER_SECOND: 'a forming candle is updated at most 4 times a second. Unset it',
  INLINE_BODY_BYTES: 'bodies of more than 64 KiB are read by a thread. Unset it',
  INLINE_BUDGET_US: 'bulk requests of more than 400 microseconds are computed by threads. Unset it',
  LINGER_SECONDS: 'a market is followed for 30 seconds after its last subscription has ended. Unset it',
  MCP_ALERTS:
    'the alerts of a language model depend on the scopes of its key. Unset it; "candela keys update <id> --scopes read,stream" takes the alerts away',
  POOL_QUEUE: '64 tasks may wait for a thread. Unset it',
  STREAM_MAX_UNAUTHENTICATED_PER_ADDRESS: '100 connections without a key may come from one address. Unset it',
}
/** A variable with one of these prefixes is always meant for Candela, even if no setting has a similar name. */
const ownPrefixes: readonly string[] = ['CANDELA_', 'ALERTS_', 'STREAM_']
/**
 * Whether Kubernetes or Docker has set the variable for a service called `candela`, such as
 * CANDELA_PORT=tcp://10.0.0.1:8080.
 */
const isLink = (name: string, text: string) =>
  /^(tcp|udp|sctp):/.test(text) || /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)/.test(name)

/**
 * One line per variable that is not a setting but is probably meant as one. Its name is similar to a setting of several
 * words, or has a prefix of Candela. A name of one word, such as HOSTS, may belong to another program. So may a
 * setting's name with another prefix, such as GRAFANA_LOG_LEVEL.
 */
export function unknownSettings(
  environment: NodeJS.ProcessEnv,
  settings: readonly string[],
): readonly string[] {
  const ofSeveralWords = settings.filter(name => name.includes('_'))
  return Object.entries(environment).flatMap(([name, text]) => {
    if (!text || settings.includes(name) || others.includes(name)) return []
    const instead = removed[name.replace(/^CANDELA_/, '')]
    if (instead !== undefined) return [`${name} is no setting any more: ${instead}`]
    if (ownPrefixes.some(prefix => name.startsWith(prefix))) {
      if (isLink(name, text)) return []
      const rest = name.replace(/^CANDELA_/, '')
      return line(name, settings.includes(rest) ? [rest] : nearNames(rest, settings))
    }
    if (ofSeveralWords.some(setting => name.endsWith(`_${setting}`))) return []
    const near = nearNames(name, ofSeveralWords)
    return near.length === 0 ? [] : line(name, near)
  })
}

const line = (name: string, near: readonly string[]) => [`${name} is not a setting${didYouMean(near)}`]

export type { ExchangeOptions } from './setting-formats.js'

const table = {
  PORT: setting('8080', integer(0, 65_535), 'TCP port to listen on; 0 takes any free one'),
  HOST: setting('127.0.0.1', host, 'address to listen on; 0.0.0.0 for all networks'),
  TRANSPORT: setting(
    'auto',
    oneOf('auto', 'uws', 'node'),
    'what serves HTTP and WebSockets: `uws` (uWebSockets.js, for Node 20 to 22), `node` (node:http and ws, for every Node), or auto, which takes the first one where it works',
  ),
  PROCESSES: setting(
    '1',
    orWord('auto', integer(1, 256)),
    'processes that serve on this machine, with one more that owns what they share; auto is one per processor, 1 is the service in one process; see [Scaling](scaling.md#several-processes-on-one-machine)',
  ),
  TLS_CERT: setting(
    'off',
    orWord('off', path),
    'file with the certificate for HTTPS, and those of its issuers behind it (PEM); off serves plain HTTP',
  ),
  TLS_KEY: setting('off', orWord('off', path), 'file with the private key of `TLS_CERT` (PEM)'),
  MAX_CONNECTIONS: setting(
    'auto',
    orWord('auto', integer(1, 1_000_000)),
    'maximum number of open connections, streaming ones included; auto is what the limit of open files leaves',
  ),
  MAX_CONNECTIONS_PER_ADDRESS: setting(
    'auto',
    orWord('auto', integer(1, 1_000_000)),
    'of those, connections of one IPv4 address or IPv6 network (/64); auto is half of them. Only with `TRANSPORT=node`, and where `TRUSTED_PROXIES` is 0',
  ),
  MAX_CONNECTIONS_PER_KEY: setting(
    '1000',
    integer(1, 1_000_000),
    'maximum number of streaming connections of one key, and of its requests that wait for their reply; one more is refused',
  ),
  HTTP_MAX_BACKPRESSURE: setting(
    '256MiB',
    size(1, 65_536),
    'size of the answers that may wait for clients to read them; beyond that, the connections that have waited the longest are closed',
  ),
  HTTP_MAX_BODIES: setting(
    '128MiB',
    size(1, 65_536),
    'size of the request bodies that may be in memory, half of it of one key; beyond that, the oldest one that is still being sent is refused. There is room for two of the longest bodies at least',
  ),
  DATA_DIR: setting(
    './data',
    path,
    'directory of accounts and archived candles; created if it does not exist',
  ),
  STORE: setting(
    'embedded',
    storeAddress,
    'where accounts, limits and candles are: `embedded` (in `DATA_DIR`), or a Redis or Valkey that several nodes share, such as `redis://:password@host:6379`; see [Scaling](scaling.md)',
    true,
  ),
  LOG_LEVEL: setting(
    'info',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'lowest level of messages that are logged',
  ),
  HISTORY_DEPTH: setting(
    '1000',
    integer(100, 50_000),
    'candles to keep per market and timeframe, on disk and in memory',
  ),
  RANGE_DEPTH: setting(
    '500000',
    byPlan(1000, 10_000_000, 500_000),
    'candles of a market, counted from the newest, that are fetched if a request has an earlier `from`: a number, or a JSON object by plan, such as `{"free":10000}` (500000 for the others)',
  ),
  HISTORY_BYTES: setting(
    '256MiB',
    size(16, 65_536),
    'memory for candles; when it is full, the least recently used series leave memory',
  ),
  RESULTS_BYTES: setting(
    '64MiB',
    size(1, 65_536),
    'memory for results of calculations; when it is full, the least recently used calculations leave memory',
  ),
  ARCHIVE_BYTES: setting(
    '16GiB',
    size(64, 61_440),
    'disk space for candles; when it is full, the least recently used series are deleted, except backfilled and imported ones',
  ),
  CORRECTIONS_DAYS: setting(
    '30',
    integer(0, 3650),
    'days for which it is stored what closed candles were before they were corrected, for `asOf`; 0 for none',
  ),
  REFRESH_SECONDS: setting(
    '5',
    integer(1, 3600),
    'seconds after a fetch in which the same candles are not requested again',
  ),
  FETCH_TIMEOUT_MS: setting(
    '10000',
    integer(100, 120_000),
    'milliseconds after which a request to an exchange is aborted',
  ),
  EXCHANGES: setting('{}', exchangeOptions, 'ccxt options by exchange id, as a JSON object', true),
  ...stocksSettings,
  TABLE_CANDLES: setting(
    '100000',
    integer(500, 1_000_000),
    'candles that a body may have which is a table (CSV or Apache Arrow); each 500 of them count as one request of the plan',
  ),
  BULK_WAIT_SECONDS: setting(
    '15',
    integer(1, 120),
    'seconds that a bulk request waits for candles that are fetched for the first time',
  ),
  POOL_THREADS: setting(
    'auto',
    orWord('auto', integer(1, 256)),
    'threads for bulk requests; auto is one per processor',
  ),
  TAAPI_AT_ROOT: setting(
    'false',
    flag,
    'whether requests without an `Authorization` header are answered as those below `/taapi-v1/`',
  ),
  UDF_DATAFEED: setting(
    'false',
    flag,
    "whether a datafeed for TradingView's charting library is served below `/udf/`; see [charting library](tables.md#tradingviews-charting-library)",
  ),
  OPENBB_WIDGETS: setting(
    'false',
    flag,
    'whether widgets for OpenBB Workspace are served; see [OpenBB Workspace](tables.md#openbb-workspace)',
  ),
  STREAM_MAX_CONNECTIONS: setting(
    '20000',
    integer(1, 1_000_000),
    'maximum number of streaming connections; the operating system must allow as many open files',
  ),
  STREAM_MAX_UNAUTHENTICATED: setting(
    '1000',
    integer(1, 1_000_000),
    'maximum number of streaming connections that have not sent their key yet, 100 of them from one IPv4 address or IPv6 network (/64); one more closes the oldest of them',
  ),
  TRUSTED_PROXIES: setting(
    '0',
    integer(0, 10),
    'number of proxies before the service; with 1 or more, the addresses of clients are read from `X-Forwarded-For`, to which each of them must add',
  ),
  STREAM_MESSAGES_PER_SECOND: setting(
    '50',
    integer(1, 100_000),
    'messages, pings and pongs per second that a streaming client may send; it may also send all its subscriptions at once',
  ),
  STREAM_MAX_BACKPRESSURE: setting(
    '1MiB',
    size(1, 1024),
    'size of the updates that may wait for a slow streaming client; beyond that, its updates are skipped',
  ),
  STREAM_IDLE_SECONDS: setting(
    '60',
    integer(8, 960),
    'seconds without a message or pong after which a streaming connection is closed; it is pinged before',
  ),
  ALERTS_MAX: setting('10000', integer(1, 1_000_000), 'maximum number of alerts of all keys'),
  ALERTS_PER_KEY: setting(
    'plan',
    orWord('plan', integer(0, 1_000_000)),
    'maximum number of alerts of a key; `plan` is the number of its subscriptions',
  ),
  ALERTS_PRIVATE_TARGETS: setting(
    'false',
    flag,
    'whether webhooks of alerts may lead to loopback and private addresses',
  ),
  ALERTS_GIVE_UP_SECONDS: setting(
    '86400',
    integer(1, 2_592_000),
    'seconds after which an alert that could not be delivered becomes a dead letter',
  ),
  ALERTS_WAITING: setting(
    '100000',
    integer(5, 1_000_000),
    'maximum number of messages of alerts that may wait for their delivery, a fifth of them of one key; what fires beyond is a dead letter',
  ),
  ALERTS_CATCH_UP_SECONDS: setting(
    '86400',
    integer(0, 2_592_000),
    'seconds since the end of a candle during which it can still fire an alert, as after a time without the service',
  ),
  CORS_ORIGINS: setting(
    'off',
    origins,
    'origins whose web pages may use the service from a browser, separated by commas, such as `https://app.example.com`; * for all, off for none',
  ),
  METRICS_PORT: setting(
    'off',
    orWord('off', integer(0, 65_535)),
    'TCP port for `/metrics` (Prometheus); off disables it',
  ),
  ...operatorSettings,
  METRICS_HOST: setting('127.0.0.1', host, 'address to listen on for `/metrics`, which needs no key'),
  DRAIN_SECONDS: setting(
    '2',
    integer(0, 600),
    'seconds for which the service keeps answering after SIGTERM while HTTP connections are open: `/health/ready` answers 503, so that a balancer sends no more; 0 stops at once',
  ),
  SHUTDOWN_SECONDS: setting(
    '10',
    integer(0, 600),
    'seconds that running requests have left when the service is asked to stop',
  ),
}
type Table = typeof table

/** The field of a setting: `historyDepth` for `HISTORY_DEPTH`. */
type FieldOf<Name extends string> = Name extends 'DATA_DIR'
  ? 'dataDirectory'
  : Name extends `${infer Word}_${infer Rest}`
    ? `${Lowercase<Word>}${Capitalize<FieldOf<Rest>>}`
    : Lowercase<Name>

const fieldOf = (name: string): string =>
  name === 'DATA_DIR'
    ? 'dataDirectory'
    : name.toLowerCase().replace(/_(.)/g, (_, letter) => letter.toUpperCase())

/** All settings, validated. */
export type Config = {
  readonly [Name in keyof Table as FieldOf<Name>]: z.output<Table[Name]['schema']>
}

/** The documentation of all settings: variable, default as text, allowed values and meaning. */
export const settings: readonly (Pick<Setting<unknown>, 'default' | 'expected' | 'meaning'> & {
  readonly name: string
})[] = Object.entries(table).map(([name, setting]) => ({ name, ...setting }))

/** A setting of this process, from its environment or by default. */
export interface SettingInForce {
  readonly name: string
  /** Undefined if the value may contain secrets. */
  readonly value: string | undefined
  readonly from: 'environment' | 'default'
}

/** All settings of this process, in the order of the documents. Valid after `configure` was called. */
export const settingsInForce = (): readonly SettingInForce[] =>
  Object.entries(table).map(([name, { default: defaultText, isSecret }]) => {
    const text = process.env[name]
    if (!text) return { name, value: defaultText, from: 'default' }
    return { name, value: isSecret ? undefined : text, from: 'environment' }
  })

export const isTraced = (
  config: Pick<Config, 'otelExporterOtlpEndpoint' | 'otelExporterOtlpTracesEndpoint' | 'otelSdkDisabled'>,
): boolean =>
  !config.otelSdkDisabled &&
  (config.otelExporterOtlpTracesEndpoint ?? config.otelExporterOtlpEndpoint) !== undefined

/** Invalid settings; `problems` has one line for each. */
export class InvalidSettings extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'InvalidSettings'
  }
}

/**
 * Name of quotation marks or of a Windows line end around a value. Shells remove these from a file of settings; other
 * programs do not. They would change a path or a name.
 */
function wrappingOf(text: string): string | undefined {
  if (/[\r\n]/.test(text)) return 'a line end in its value'
  return /^(["']).*\1$/.test(text) ? 'quotation marks around its value' : undefined
}

/** Reads the settings of an environment; an empty variable counts as absent. Throws InvalidSettings. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const problems = [...unknownSettings(environment, Object.keys(table))]
  const entries = Object.entries(table).map(
    ([name, { default: defaultText, expected, schema, isSecret }]) => {
      const text = environment[name] || defaultText
      const wrapping = wrappingOf(text)
      const { success, data } = schema.safeParse(text)
      if (wrapping !== undefined) problems.push(`${name} has ${wrapping}: write the value alone`)
      else if (!success) problems.push(`${name} must be ${expected}${isSecret ? '' : `, got "${text}"`}`)
      return [fieldOf(name), data]
    },
  )
  const config = Object.fromEntries(entries) as Config
  if (problems.length === 0 && (config.tlsCert === undefined) !== (config.tlsKey === undefined))
    problems.push('TLS_CERT and TLS_KEY must be set together')
  if (problems.length === 0 && (config.smtpUrl === undefined) !== (config.smtpFrom === undefined))
    problems.push('SMTP_URL and SMTP_FROM must be set together')
  if (problems.length === 0 && config.processes !== 1 && config.store !== 'embedded')
    problems.push('PROCESSES must be 1 where STORE is not embedded: start a node for each processor instead')
  if (problems.length === 0 && (config.alpacaKey === undefined) !== (config.alpacaSecret === undefined))
    problems.push('ALPACA_KEY and ALPACA_SECRET must be set together')
  if (problems.length === 0 && stocksExchanges(config).size === 0)
    problems.push('STOCKS_SOURCES names no provider that has a key: set the key of one, or add yahoo')
  if (problems.length > 0) throw new InvalidSettings(problems)
  return config
}

/** Reads the settings of this process. Prints invalid ones and exits with code 1. */
export function configure(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error
    for (const problem of error.problems) console.error(`candela: ${problem}`)
    process.exit(1)
  }
}

/** Number of this process among several processes of a service, and the port on which all listen. */
export interface ProcessPlace {
  /** Number of the process; 0 is the owner. */
  readonly number: number
  /** Number of processes, including the owner. */
  readonly count: number
  readonly port: number
}

/** Place that the owner has set when it started this process; undefined if no owner started it. */
export const readProcessPlace = (): ProcessPlace | undefined =>
  process.env.CANDELA_PROCESS ? JSON.parse(process.env.CANDELA_PROCESS) : undefined

/** Environment variables with which the owner starts a process. */
export const environmentOf = (place: ProcessPlace) => ({ CANDELA_PROCESS: JSON.stringify(place) })

/** Sets the number of processes that `candela serve` starts, from its option. */
export const setProcesses = (processes: string): void => {
  process.env.PROCESSES = processes
}

/** URL of the running service that commands must use, if set. */
export const readServiceUrl = (): string | undefined => process.env.CANDELA_URL || undefined

/** Whether output to a terminal may have colours: see https://no-color.org. */
export const isColourWanted = (): boolean => !process.env.NO_COLOR && process.env.TERM !== 'dumb'

/** URL and key with which commands call the running service. */
export const readConnection = (): { readonly url: string; readonly key: string } => ({
  url: process.env.CANDELA_URL || 'http://127.0.0.1:8080',
  key: process.env.CANDELA_KEY ?? '',
})
