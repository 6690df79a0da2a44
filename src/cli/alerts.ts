import { Argument, type Command, Option } from 'commander'
import type { describeAlert } from '../alerts/alert.js'
import { moments, triggers } from '../alerts/alert.js'
import { formatTime } from '../candles/format-time.js'
import { timeframes } from '../candles/timeframe.js'
import { HttpClient } from '../client/http.js'
import { readConnection } from '../config.js'
import { CommandFailure, runCommand } from './failure.js'
import type { ServiceOptions } from './open-markets.js'
import { formatTable } from './table.js'

type Described = ReturnType<typeof describeAlert> & { readonly secret?: string }

interface DeadLetter {
  readonly id: string
  readonly created: number
  readonly attempts: number
  readonly reason: string
}

interface CreateOptions extends ServiceOptions {
  readonly on: string
  readonly trigger: string
  readonly webhook?: string
  readonly name?: string
}

/** Adds `alerts create`, `list`, `pause`, `resume`, `delete` and `dead-letters`. They need a running service. */
export function addAlerts(program: Command): void {
  const alerts = program
    .command('alerts')
    .description(
      'create, list, pause and delete alerts: messages when an expression over a market becomes true',
    )
  const addCommand = (name: string, description: string) =>
    alerts
      .command(name)
      .description(description)
      .addOption(new Option('--url <address>', 'where the service runs (also CANDELA_URL)'))
      .addOption(
        new Option('--key <key>', 'the API key (better in CANDELA_KEY, which other users cannot see)'),
      )
      .option('--json', 'print JSON')

  addCommand('create', 'make an alert and print it; the secret of its webhook cannot be shown again')
    .argument('<exchange>', 'such as binance')
    .argument('<symbol>', 'such as BTCUSDT')
    .addArgument(new Argument('<timeframe>', 'length of a candle').choices(Object.keys(timeframes)))
    .argument('<expression>', "the condition, such as 'rsi(14) < 30'")
    .addOption(
      new Option('--on <moment>', 'at closed candles, or at every change').choices(moments).default('close'),
    )
    .addOption(
      new Option('--trigger <kind>', 'where it becomes true, or at each candle where it is true')
        .choices(triggers)
        .default('edge'),
    )
    .option('--webhook <url>', 'where it is posted; without one it goes to streaming connections')
    .option('--name <name>', 'a name for yourself')
    .action((exchange, symbol, timeframe, expression, options: CreateOptions) =>
      runCommand(() => create({ exchange, symbol, timeframe, expression }, options), options),
    )
  addCommand('list', 'list the alerts of the key').action((options: ServiceOptions) =>
    runCommand(() => list(options), options),
  )
  addChange(addCommand('pause', 'pause an alert'), id => [`/alerts/${id}`, 'POST', { paused: true }])
  addChange(addCommand('resume', 'resume an alert that was paused'), id => [
    `/alerts/${id}`,
    'POST',
    { paused: false },
  ])
  addChange(addCommand('delete', 'delete an alert'), id => [`/alerts/${id}`, 'DELETE'])
  addCommand('dead-letters', 'list what could not be delivered').action((options: ServiceOptions) =>
    runCommand(() => listDeadLetters(options), options),
  )
}

/** What is asked of the service. */
type Request = readonly [path: string, method: string, body?: unknown]

function addChange(command: Command, requestOf: (id: string) => Request): void {
  command
    .argument('<id>', 'id of the alert')
    .action((id: string, options: ServiceOptions) =>
      runCommand(
        async () => print(await ask<Described>(options, requestOf(encodeURIComponent(id))), options),
        options,
      ),
    )
}

async function create(
  market: Readonly<Record<string, string>>,
  { on, trigger, webhook, name, ...options }: CreateOptions,
): Promise<void> {
  const alert = await ask<Described>(options, ['/alerts', 'POST', { ...market, on, trigger, webhook, name }])
  print(alert, options)
  if (alert.secret !== undefined && !options.json) {
    console.error('Keep the secret: its messages are signed with it, and it cannot be shown again.')
    console.log(alert.secret)
  }
}

async function list(options: ServiceOptions): Promise<void> {
  const { alerts } = await ask<{ readonly alerts: readonly Described[] }>(options, ['/alerts', 'GET'])
  if (options.json) console.log(JSON.stringify(alerts, null, 2))
  else if (alerts.length === 0) console.error('No alerts.')
  else console.log(formatAlerts(alerts))
}

async function listDeadLetters(options: ServiceOptions): Promise<void> {
  const path = '/alerts/dead-letters'
  const { deadLetters } = await ask<{ readonly deadLetters: readonly DeadLetter[] }>(options, [path, 'GET'])
  if (options.json) console.log(JSON.stringify(deadLetters, null, 2))
  else if (deadLetters.length === 0) console.error('No dead letters.')
  else
    console.log(
      formatTable(
        ['ID', 'FIRED', 'ATTEMPTS', 'REASON'],
        deadLetters.map(({ id, created, attempts, reason }) => [
          id,
          formatTime(created),
          String(attempts),
          reason,
        ]),
      ),
    )
}

function print(alert: Described, { json }: ServiceOptions): void {
  console.log(json ? JSON.stringify(alert, null, 2) : formatAlerts([alert]))
}

const formatAlerts = (alerts: readonly Described[]): string =>
  formatTable(
    ['ID', 'NAME', 'MARKET', 'EXPRESSION', 'ON', 'TRIGGER', 'TO', 'STATE'],
    alerts.map(({ id, name, exchange, symbol, timeframe, expression, on, trigger, webhook, paused }) => [
      id,
      name ?? '',
      `${exchange} ${symbol} ${timeframe}`,
      expression,
      on,
      trigger,
      webhook ?? 'streaming',
      paused ? 'paused' : 'active',
    ]),
  )

/** The body of the service's reply. Throws CommandFailure with the reason of a refusal, CandelaError without a reply. */
async function ask<Body>({ url, key }: ServiceOptions, [path, method, body]: Request): Promise<Body> {
  const connection = readConnection()
  const http = new HttpClient({ url: url ?? connection.url, key: key ?? connection.key })
  const response = await http.fetch(path, {
    method,
    ...(body !== undefined && {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  const answer = (await response.json().catch(() => undefined)) as
    | (Body & { readonly error?: string })
    | undefined
  if (response.ok && answer !== undefined) return answer
  throw new CommandFailure(answer?.error ?? `the service answered with status ${response.status}`)
}
