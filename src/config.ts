import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'

interface Form<Value> {
  /** Completes "must be …". */
  readonly expected: string
  readonly schema: z.ZodType<Value, string>
}

const integer = (min: number, max: number): Form<number> => ({
  expected: `an integer from ${min} to ${max}`,
  schema: z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(min).max(max)),
})

const orAuto = (form: Form<number>, auto: () => number): Form<number> => ({
  expected: `${form.expected}, or auto`,
  schema: z
    .string()
    .transform(text => (text === 'auto' ? String(auto()) : text))
    .pipe(form.schema),
})

const orOff = (form: Form<number>): Form<number | undefined> => ({
  expected: `${form.expected}, or off`,
  schema: z.union([z.literal('off').transform(() => undefined), form.schema]),
})

const units = { '': 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }

const size = (min: number, max: number): Form<number> => ({
  expected: `a size from ${min} to ${max} MiB, such as 64MiB, 1GiB or a number of bytes`,
  schema: z
    .string()
    .regex(/^\d+ ?([KMG]iB)?$/)
    .transform(text => Number.parseInt(text, 10) * units[text.replace(/^\d+ ?/, '') as keyof typeof units])
    .pipe(
      z
        .number()
        .min(min * units.MiB)
        .max(max * units.MiB),
    ),
})

const oneOf = <const Name extends string>(...names: readonly [Name, ...Name[]]): Form<Name> => ({
  expected: `one of ${names.join(', ')}`,
  schema: z.string().pipe(z.enum(names)) as z.ZodType<Name, string>,
})

const host: Form<string> = {
  expected: 'an address or a host name',
  schema: z.string().regex(/^[\w.:%-]+$/),
}

const directory: Form<string> = {
  expected: 'a path',
  schema: z.string().transform(path => resolve(path)),
}

/** Options per exchange id. */
export type ExchangeOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
    return z.NEVER
  }
})

const exchangeOptions: Form<ExchangeOptions> = {
  expected: 'a JSON object of ccxt options by exchange id, such as {"binance":{"timeout":5000}}',
  schema: json.pipe(z.record(z.string().regex(/^[a-z0-9]+$/), z.record(z.string(), z.unknown()))),
}

const address = z.url({ protocol: /^https?$/ }).optional()
const stocksOptions = {
  expected:
    'a JSON object of url, symbolsUrl (http or https addresses) and requestsPerSecond (1 to 100), such as {"requestsPerSecond":2}',
  schema: json.pipe(
    z.strictObject({
      url: address,
      symbolsUrl: address,
      requestsPerSecond: z.int().min(1).max(100).optional(),
    }),
  ),
}

interface Setting<Value> extends Form<Value> {
  readonly name: string
  /** As one would write it; absent settings count as this. */
  readonly default: string
  readonly meaning: string
  /** Whether the value may hold secrets, and is therefore never printed. */
  readonly isSecret: boolean
}

const setting = <Value>(
  name: string,
  standard: string,
  form: Form<Value>,
  meaning: string,
  isSecret = false,
): Setting<Value> => ({
  name,
  default: standard,
  meaning,
  isSecret,
  ...form,
})

const table = {
  port: setting('PORT', '8080', integer(0, 65_535), 'TCP port to listen on; 0 takes any free one'),
  host: setting('HOST', '127.0.0.1', host, 'address to listen on; 0.0.0.0 for all networks'),
  dataDirectory: setting(
    'DATA_DIR',
    './data',
    directory,
    'directory of the accounts and of the archive of candles, created when missing',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'least important kind of message that is logged',
  ),
  historyDepth: setting(
    'HISTORY_DEPTH',
    '1000',
    integer(100, 50_000),
    'candles kept per market and timeframe, on the disk and while they are asked for in memory',
  ),
  historyBytes: setting(
    'HISTORY_BYTES',
    '256MiB',
    size(16, 65_536),
    'memory for candles; beyond it the longest unused are dropped',
  ),
  archiveBytes: setting(
    'ARCHIVE_BYTES',
    '16GiB',
    size(64, 61_440),
    'disk for candles; beyond it the longest unused series are dropped, but none that was backfilled or imported',
  ),
  refreshSeconds: setting(
    'REFRESH_SECONDS',
    '5',
    integer(1, 3600),
    'seconds for which fetched candles are answered without asking the exchange again',
  ),
  formingPerSecond: setting(
    'FORMING_PER_SECOND',
    '4',
    integer(1, 50),
    'changes of a forming candle that live updates tell at most in a second',
  ),
  lingerSeconds: setting(
    'LINGER_SECONDS',
    '30',
    integer(0, 3600),
    'seconds for which a market is kept up to date after its last subscriber has gone',
  ),
  fetchTimeoutMs: setting(
    'FETCH_TIMEOUT_MS',
    '10000',
    integer(100, 120_000),
    'milliseconds after which a request to an exchange is given up',
  ),
  exchanges: setting(
    'EXCHANGES',
    '{}',
    exchangeOptions,
    'ccxt options by exchange id, as a JSON object',
    true,
  ),
  stocks: setting(
    'STOCKS',
    '{}',
    stocksOptions,
    'other addresses and the rate of requests for the `stocks` exchange, as a JSON object',
    true,
  ),
  bulkWaitSeconds: setting(
    'BULK_WAIT_SECONDS',
    '15',
    integer(1, 120),
    'seconds that a bulk request waits for candles that were never fetched before',
  ),
  poolThreads: setting(
    'POOL_THREADS',
    'auto',
    orAuto(integer(1, 256), availableParallelism),
    'threads that compute bulk requests; auto takes as many as there are processors',
  ),
  poolQueue: setting(
    'POOL_QUEUE',
    '64',
    integer(0, 10_000),
    'parts of bulk requests that may wait for a thread; beyond it they are answered with 503',
  ),
  inlineBudgetUs: setting(
    'INLINE_BUDGET_US',
    '400',
    integer(0, 1_000_000_000),
    'estimated microseconds of computing that a bulk request may take without a thread of its own',
  ),
  inlineBodyBytes: setting(
    'INLINE_BODY_BYTES',
    '65536',
    integer(0, 4_194_304),
    'bytes of a body with candles that are read without a thread of its own',
  ),
  streamMaxConnections: setting(
    'STREAM_MAX_CONNECTIONS',
    '20000',
    integer(1, 1_000_000),
    'streaming connections at a time; the operating system must allow as many open files',
  ),
  streamMaxUnauthenticated: setting(
    'STREAM_MAX_UNAUTHENTICATED',
    '1000',
    integer(1, 1_000_000),
    'streaming connections at a time that have not sent their key',
  ),
  streamMessagesPerSecond: setting(
    'STREAM_MESSAGES_PER_SECOND',
    '50',
    integer(1, 100_000),
    'messages per second that a streaming client may send, beside all its subscriptions at once',
  ),
  streamMaxBackpressure: setting(
    'STREAM_MAX_BACKPRESSURE',
    '1MiB',
    size(1, 1024),
    'updates that may wait for a streaming client to read them; beyond it updates are skipped',
  ),
  streamIdleSeconds: setting(
    'STREAM_IDLE_SECONDS',
    '60',
    integer(8, 960),
    'seconds without a sign of life after which a streaming connection is closed; it is pinged before',
  ),
  metricsPort: setting(
    'METRICS_PORT',
    'off',
    orOff(integer(0, 65_535)),
    'TCP port for `/metrics`, the counts for Prometheus; off shows them nowhere',
  ),
  metricsHost: setting('METRICS_HOST', '127.0.0.1', host, 'address for `/metrics`, which needs no key'),
  shutdownSeconds: setting(
    'SHUTDOWN_SECONDS',
    '10',
    integer(0, 600),
    'seconds within which the service ends when it is told to stop; running requests are given that long',
  ),
}
type Table = typeof table

/** Everything that can be set from outside, checked. */
export type Config = { readonly [Key in keyof Table]: z.output<Table[Key]['schema']> }

/** All settings for the reader: the variable, its default as text and what it means. */
export const settings: readonly {
  readonly name: string
  readonly default: string
  readonly meaning: string
}[] = Object.values(table).map(({ name, default: standard, meaning }) => ({
  name,
  default: standard,
  meaning,
}))

/** Settings that cannot be used, one line for each. */
export class WrongSettings extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'WrongSettings'
  }
}

/** The settings of an environment; an empty variable counts as absent. Throws WrongSettings. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const problems: string[] = []
  const entries = Object.entries(table).map(
    ([key, { name, default: standard, expected, schema, isSecret }]) => {
      const text = environment[name] || standard
      const { success, data } = schema.safeParse(text)
      if (!success) problems.push(`${name} must be ${expected}${isSecret ? '' : `, got "${text}"`}`)
      return [key, data]
    },
  )
  if (problems.length > 0) throw new WrongSettings(problems)
  return Object.fromEntries(entries) as Config
}

/** The settings of this process; wrong ones are printed and end it with exit code 1. */
export function configure(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error
    for (const problem of error.problems) console.error(`candela: ${problem}`)
    process.exit(1)
  }
}
