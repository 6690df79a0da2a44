import { resolve } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { InvalidSettings, readConfig, settings } from '../../../../src/operate/settings/config.js'
import { runCommand } from '../../../support/command-line.js'

const problemsOf = (environment: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof InvalidSettings) return error.problems
    throw error
  }
}

test('an empty environment gives the defaults', () => {
  expect(readConfig({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    transport: 'auto',
    processes: 1,
    tlsCert: undefined,
    tlsKey: undefined,
    maxConnections: undefined,
    maxConnectionsPerAddress: undefined,
    maxConnectionsPerKey: 1000,
    httpMaxBackpressure: 268_435_456,
    httpMaxBodies: 134_217_728,
    dataDirectory: resolve('data'),
    store: 'embedded',
    logLevel: 'info',
    historyDepth: 1000,
    rangeDepth: { free: 500_000, basic: 500_000, pro: 500_000, expert: 500_000, enterprise: 500_000 },
    historyBytes: 268_435_456,
    resultsBytes: 67_108_864,
    archiveBytes: 17_179_869_184,
    refreshSeconds: 5,
    fetchTimeoutMs: 10_000,
    exchanges: {},
    stocks: {},
    stocksSources: ['alpaca', 'massive', 'twelvedata', 'yahoo'],
    alpacaKey: undefined,
    alpacaSecret: undefined,
    alpacaFeed: 'iex',
    massiveKey: undefined,
    twelvedataKey: undefined,
    stocksYahooShared: false,
    bulkWaitSeconds: 15,
    correctionsDays: 30,
    poolThreads: undefined,
    tableCandles: 100_000,
    taapiAtRoot: false,
    udfDatafeed: false,
    openbbWidgets: false,
    streamMaxConnections: 20_000,
    streamMaxUnauthenticated: 1000,
    trustedProxies: 0,
    streamMessagesPerSecond: 50,
    streamMaxBackpressure: 1_048_576,
    streamIdleSeconds: 60,
    accessLog: undefined,
    otelExporterOtlpEndpoint: undefined,
    otelExporterOtlpTracesEndpoint: undefined,
    otelSdkDisabled: false,
    smtpUrl: undefined,
    smtpFrom: undefined,
    smtpRecipients: '*',
    alertsMax: 10_000,
    alertsPerKey: undefined,
    alertsPrivateTargets: false,
    alertsGiveUpSeconds: 86_400,
    alertsWaiting: 100_000,
    alertsCatchUpSeconds: 86_400,
    corsOrigins: [],
    metricsPort: undefined,
    metricsHost: '127.0.0.1',
    drainSeconds: 2,
    shutdownSeconds: 10,
  })
})

test('the listed defaults are those of an empty environment', () => {
  expect(readConfig(Object.fromEntries(settings.map(setting => [setting.name, setting.default])))).toEqual(
    readConfig({}),
  )
})

test('an empty variable counts as absent', () => {
  expect(readConfig({ PORT: '', EXCHANGES: '' })).toEqual(readConfig({}))
})

test('a certificate is set with its key', () => {
  const problems = ['TLS_CERT and TLS_KEY must be set together']
  expect(problemsOf({ TLS_CERT: 'cert.pem' })).toEqual(problems)
  expect(problemsOf({ TLS_KEY: 'key.pem', TLS_CERT: 'off' })).toEqual(problems)
})

test('other variables are ignored', () => {
  expect(readConfig({ PATH: '/bin', port: 'x' })).toEqual(readConfig({}))
})

test.each([
  ['HISTORY_DEPHT', '. Did you mean HISTORY_DEPTH?'],
  ['HISTORYDEPTH', '. Did you mean HISTORY_DEPTH?'],
  ['log_level', '. Did you mean LOG_LEVEL?'],
  ['CANDELA_PORT', '. Did you mean PORT?'],
  ['CANDELA_COLOUR', ''],
  ['STREAM_RETRIES', ''],
  ['ALERTS_MAXIMUM_OF_KEY', ''],
])('%s is refused, which is no setting but meant as one', (name, hint) => {
  expect(problemsOf({ [name]: '1', PORT: 'x' })).toEqual([
    `${name} is not a setting${hint}`,
    'PORT must be an integer from 0 to 65535, got "x"',
  ])
  expect(problemsOf({ [name]: '' })).toEqual([])
})

test.each(['MCP_ALERTS', 'CANDELA_MCP_ALERTS'])(
  '%s, which was a setting, is refused with what to do instead',
  name => {
    expect(problemsOf({ [name]: 'true' })).toEqual([
      `${name} is no setting any more: the alerts of a language model depend on the scopes of its key. Unset it; "candela keys update <id> --scopes read,stream" takes the alerts away`,
    ])
    expect(problemsOf({ [name]: '' })).toEqual([])
  },
)

test.each([
  ['ALERTS_BACKOFF_MS', 'a webhook that failed is called again after a second, then twice as late each time'],
  ['ALERTS_CONCURRENCY', '64 webhooks are called at the same time'],
  ['FORMING_PER_SECOND', 'a forming candle is updated at most 4 times a second'],
  ['INLINE_BODY_BYTES', 'bodies of more than 64 KiB are read by a thread'],
  ['INLINE_BUDGET_US', 'bulk requests of more than 400 microseconds are computed by threads'],
  ['LINGER_SECONDS', 'a market is followed for 30 seconds after its last subscription has ended'],
  ['POOL_QUEUE', '64 tasks may wait for a thread'],
  ['STREAM_MAX_UNAUTHENTICATED_PER_ADDRESS', '100 connections without a key may come from one address'],
])('%s, which nobody could choose well, is refused with the value that holds', (name, value) => {
  expect(problemsOf({ [name]: '32' })).toEqual([`${name} is no setting any more: ${value}. Unset it`])
})

test('variables of other programs are ignored, also those that Kubernetes sets for a service called candela', () => {
  const variables = {
    HOME: '/root',
    HOSTS: 'a',
    EXCHANGE: 'kraken',
    GRAFANA_LOG_LEVEL: 'debug',
    METRICS_TOKEN: 'x',
    CANDELA_URL: 'http://127.0.0.1:8080',
    CANDELA_KEY: 'cnd_1',
    CANDELA_PORT: 'tcp://10.0.0.1:8080',
    CANDELA_PORT_8080_TCP_ADDR: '10.0.0.1',
    CANDELA_SERVICE_HOST: '10.0.0.1',
    CANDELA_SERVICE_PORT_HTTP: '8080',
  }
  expect(problemsOf(variables)).toEqual([])
})

test('candela settings prints what is in force and where it comes from, without secrets', async () => {
  const environment = { PORT: '8081', STORE: 'redis://:hidden@db:6380', LOG_LEVEL: 'info' }
  const { code, out } = await runCommand(['settings'], environment)
  expect(code).toBe(0)
  expect(out).toMatch(/^PORT +8081 +environment$/m)
  expect(out).toMatch(/^HOST +127\.0\.0\.1 +default$/m)
  expect(out).toMatch(/^STORE +\(not shown\) +environment$/m)
  expect(out.trim().split('\n')).toHaveLength(settings.length + 1)
  const changed = await runCommand(['settings', '--changed', '--json'], environment)
  expect(JSON.parse(changed.out)).toEqual([
    { name: 'PORT', value: '8081', from: 'environment' },
    { name: 'STORE', from: 'environment' },
    { name: 'LOG_LEVEL', value: 'info', from: 'environment' },
  ])
  expect(changed.out).not.toContain('hidden')
})

test('settings are read', () => {
  expect(
    readConfig({
      PORT: '0',
      HOST: '::1',
      TRANSPORT: 'node',
      TLS_CERT: '/etc/candela/cert.pem',
      TLS_KEY: '/etc/candela/key.pem',
      MAX_CONNECTIONS: '900',
      MAX_CONNECTIONS_PER_ADDRESS: '90',
      MAX_CONNECTIONS_PER_KEY: '7',
      HTTP_MAX_BACKPRESSURE: '1GiB',
      HTTP_MAX_BODIES: '64MiB',
      DATA_DIR: '/srv/candela',
      LOG_LEVEL: 'debug',
      HISTORY_DEPTH: '50000',
      RANGE_DEPTH: '{"free":1000}',
      HISTORY_BYTES: '1GiB',
      RESULTS_BYTES: '128MiB',
      ARCHIVE_BYTES: '2GiB',
      REFRESH_SECONDS: '60',
      FETCH_TIMEOUT_MS: '250',
      EXCHANGES: '{"binance":{"timeout":5000}}',
      CORRECTIONS_DAYS: '7',
      BULK_WAIT_SECONDS: '3',
      POOL_THREADS: '3',
      PROCESSES: '4',
      TAAPI_AT_ROOT: 'true',
      UDF_DATAFEED: 'true',
      OPENBB_WIDGETS: 'true',
      STREAM_MAX_CONNECTIONS: '5',
      STREAM_MAX_UNAUTHENTICATED: '2',
      TRUSTED_PROXIES: '3',
      STREAM_MESSAGES_PER_SECOND: '7',
      STREAM_MAX_BACKPRESSURE: '4MiB',
      STREAM_IDLE_SECONDS: '8',
      CORS_ORIGINS: 'https://app.example.com, http://localhost:3000',
      METRICS_PORT: '9464',
      METRICS_HOST: '0.0.0.0',
      DRAIN_SECONDS: '5',
      SHUTDOWN_SECONDS: '0',
    }),
  ).toEqual({
    port: 0,
    host: '::1',
    transport: 'node',
    processes: 4,
    tlsCert: resolve('/etc/candela/cert.pem'),
    tlsKey: resolve('/etc/candela/key.pem'),
    maxConnections: 900,
    maxConnectionsPerAddress: 90,
    maxConnectionsPerKey: 7,
    httpMaxBackpressure: 1_073_741_824,
    httpMaxBodies: 67_108_864,
    dataDirectory: resolve('/srv/candela'),
    store: 'embedded',
    logLevel: 'debug',
    historyDepth: 50_000,
    rangeDepth: { free: 1000, basic: 500_000, pro: 500_000, expert: 500_000, enterprise: 500_000 },
    historyBytes: 1_073_741_824,
    resultsBytes: 134_217_728,
    archiveBytes: 2_147_483_648,
    refreshSeconds: 60,
    fetchTimeoutMs: 250,
    exchanges: { binance: { timeout: 5000 } },
    stocks: {},
    stocksSources: ['alpaca', 'massive', 'twelvedata', 'yahoo'],
    alpacaKey: undefined,
    alpacaSecret: undefined,
    alpacaFeed: 'iex',
    massiveKey: undefined,
    twelvedataKey: undefined,
    stocksYahooShared: false,
    bulkWaitSeconds: 3,
    correctionsDays: 7,
    poolThreads: 3,
    tableCandles: 100_000,
    taapiAtRoot: true,
    udfDatafeed: true,
    openbbWidgets: true,
    streamMaxConnections: 5,
    streamMaxUnauthenticated: 2,
    trustedProxies: 3,
    streamMessagesPerSecond: 7,
    streamMaxBackpressure: 4_194_304,
    streamIdleSeconds: 8,
    accessLog: undefined,
    otelExporterOtlpEndpoint: undefined,
    otelExporterOtlpTracesEndpoint: undefined,
    otelSdkDisabled: false,
    smtpUrl: undefined,
    smtpFrom: undefined,
    smtpRecipients: '*',
    alertsMax: 10_000,
    alertsPerKey: undefined,
    alertsPrivateTargets: false,
    alertsGiveUpSeconds: 86_400,
    alertsWaiting: 100_000,
    alertsCatchUpSeconds: 86_400,
    corsOrigins: ['https://app.example.com', 'http://localhost:3000'],
    metricsPort: 9464,
    metricsHost: '0.0.0.0',
    drainSeconds: 5,
    shutdownSeconds: 0,
  })
})

test.each([
  ['16777216', 16_777_216],
  ['20480KiB', 20_971_520],
  ['64 MiB', 67_108_864],
])('a size may be written as %s', (text, bytes) => {
  expect(readConfig({ HISTORY_BYTES: text }).historyBytes).toBe(bytes)
})

test.each([
  ['PORT', '80a', 'PORT must be an integer from 0 to 65535, got "80a"'],
  ['PORT', '65536', 'PORT must be an integer from 0 to 65535, got "65536"'],
  ['PORT', '-1', 'PORT must be an integer from 0 to 65535, got "-1"'],
  ['PORT', '1e3', 'PORT must be an integer from 0 to 65535, got "1e3"'],
  ['HOST', 'a b', 'HOST must be an address or a host name, got "a b"'],
  [
    'LOG_LEVEL',
    'loud',
    'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, got "loud"',
  ],
  ['POOL_THREADS', 'all', 'POOL_THREADS must be an integer from 1 to 256, or auto, got "all"'],
  ...['app.example.com', 'https://app.example.com/', '*, https://app.example.com', 'null', ','].map(
    (text): [string, string, string] => [
      'CORS_ORIGINS',
      text,
      `CORS_ORIGINS must be off, * or origins such as https://app.example.com, separated by commas, got "${text}"`,
    ],
  ),
  ['METRICS_PORT', 'on', 'METRICS_PORT must be an integer from 0 to 65535, or off, got "on"'],
  [
    'RANGE_DEPTH',
    '{"free":1}',
    'RANGE_DEPTH must be an integer from 1000 to 10000000, or a JSON object of such by plan, such as {"free":1000}, got "{"free":1}"',
  ],
  ['HISTORY_DEPTH', '99', 'HISTORY_DEPTH must be an integer from 100 to 50000, got "99"'],
  [
    'HISTORY_BYTES',
    '1000',
    'HISTORY_BYTES must be a size from 16 to 65536 MiB, such as 64MiB, 1GiB or a number of bytes, got "1000"',
  ],
])('%s=%s is refused in one line', (name, text, line) => {
  expect(problemsOf({ [name]: text })).toEqual([line])
})

test.each(['{', '[]', '{"Binance":{}}', '{"binance":1}', '{"binance":{"secret":"xyz"}'])(
  'EXCHANGES=%s is refused without repeating the value, which may contain secrets',
  text => {
    expect(problemsOf({ EXCHANGES: text })).toEqual([
      'EXCHANGES must be a JSON object of ccxt options by exchange id, such as {"binance":{"timeout":5000}}',
    ])
  },
)

test('STOCKS may replace the addresses', () => {
  const stocks = {
    url: 'http://127.0.0.1:8081/yahoo',
    symbolsUrl: 'https://x.example/n.txt',
    requestsPerSecond: 1,
  }
  expect(readConfig({ STOCKS: JSON.stringify(stocks) }).stocks).toEqual(stocks)
  const alpaca = { url: 'https://proxy.example', streamUrl: 'wss://proxy.example', requestsPerSecond: 0.1 }
  expect(readConfig({ STOCKS: JSON.stringify({ alpaca }) }).stocks).toEqual({ alpaca })
})

test('providers of stocks have an order, and keys that no problem repeats', () => {
  const keys = { ALPACA_KEY: 'PK1', ALPACA_SECRET: 's1', STOCKS_SOURCES: 'yahoo, alpaca' }
  expect(readConfig(keys)).toMatchObject({ alpacaKey: 'PK1', stocksSources: ['yahoo', 'alpaca'] })
  expect(problemsOf({ ALPACA_KEY: 'PK1' })).toEqual(['ALPACA_KEY and ALPACA_SECRET must be set together'])
  expect(problemsOf({ MASSIVE_KEY: 'a key' })).toEqual([
    'MASSIVE_KEY must be a text of letters, digits and punctuation without spaces, or off',
  ])
  expect(problemsOf({ STOCKS_SOURCES: 'alpaca' })).toEqual([
    'STOCKS_SOURCES names no provider that has a key: set the key of one, or add yahoo',
  ])
  expect(problemsOf({ STOCKS_SOURCES: 'bloomberg' })).toEqual([
    'STOCKS_SOURCES must be names of alpaca, massive, twelvedata, yahoo in their order, separated by commas, got "bloomberg"',
  ])
})

test.each([
  '{',
  '1',
  '{"url":"nowhere"}',
  '{"url":"ftp://x.example"}',
  '{"requestsPerSecond":0}',
  '{"key":"xyz"}',
])('STOCKS=%s is refused without repeating the value', text => {
  expect(problemsOf({ STOCKS: text })).toEqual([
    'STOCKS must be a JSON object of url, symbolsUrl (http or https addresses) and requestsPerSecond (0.01 to 100), such as {"requestsPerSecond":2}, and of alpaca, massive and twelvedata, each with url, streamUrl (ws or wss) and requestsPerSecond',
  ])
})

test('several processes share no store with other nodes', () => {
  expect(readConfig({ PROCESSES: 'auto' }).processes).toBeUndefined()
  expect(problemsOf({ PROCESSES: 'auto', STORE: 'redis://db' })).toEqual([
    'PROCESSES must be 1 where STORE is not embedded: start a node for each processor instead',
  ])
})

test('all wrong settings are reported together', () => {
  expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'x', HISTORY_DEPTH: 'x' })).toHaveLength(3)
})

test('the address of a shared store is read, and not shown where it is wrong', () => {
  expect(readConfig({ STORE: 'redis://:secret@db:6380/2' }).store).toMatchObject({
    kind: 'server',
    endpoints: [{ host: 'db', port: 6380 }],
    password: 'secret',
    database: 2,
  })
  expect(() => readConfig({ STORE: 'redis://:secret@db:port' })).toThrow(
    /^STORE must be embedded, redis:[^,]*,[^"]*$/,
  )
  expect(() => readConfig({ STORE: 'redis://:secret@db:port' })).not.toThrow(/secret/)
})

describe('what a file of settings leaves around a value', () => {
  const names = settings.map(({ name }) => name)

  it.each([
    ['"', '"', 'has quotation marks around its value: write the value alone'],
    ["'", "'", 'has quotation marks around its value: write the value alone'],
    ['', '\r', 'has a line end in its value: write the value alone'],
    ['"', '"\r\n', 'has a line end in its value: write the value alone'],
  ])('is refused in every setting: %j and %j', (before, after, problem) => {
    for (const name of names) {
      const read = () => readConfig({ [name]: `${before}x${after}` })
      expect(read, name).toThrow(`${name} ${problem}`)
    }
  })

  it('is not mistaken for JSON or a quotation mark within a value', () => {
    expect(readConfig({ DATA_DIR: '/data "1"' }).dataDirectory).toBe('/data "1"')
    expect(readConfig({ EXCHANGES: '{"binance":{"timeout":5000}}' }).exchanges).toEqual({
      binance: { timeout: 5000 },
    })
  })
})
