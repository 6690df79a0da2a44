import { type Command, Option } from 'commander'
import type { Chart } from '../candles/charts/chart.js'
import { formatTime } from '../candles/format-time.js'
import { isTimeframe, timeframes } from '../candles/timeframe.js'
import type { Alert, AlertRequest, Candela, DeadLetter } from '../client/index.js'
import { moments, triggers } from '../contract/requests.js'
import { messageFormats } from '../contract/webhook-format.js'
import { action } from './failure.js'
import { chartOf, chartOption, integer, parseSymbols } from './option-parsers.js'
import { formatTable, printResult } from './output.js'
import { addOfService, clientOfService, printList, type ServiceOptions, serviceAction } from './service.js'

interface CreateOptions
  extends ServiceOptions,
    Pick<
      AlertRequest,
      | 'symbols'
      | 'quote'
      | 'on'
      | 'trigger'
      | 'webhook'
      | 'email'
      | 'format'
      | 'template'
      | 'name'
      | 'settled'
    > {
  readonly chart?: Chart
}

/** Adds `alerts create`, `list`, `pause`, `resume`, `test`, `delete` and `dead-letters`. They need a running service. */
export function addAlerts(program: Command): void {
  const alerts = program
    .command('alerts')
    .description(
      'create, list, pause and delete alerts: messages when an expression over a market, or over several, becomes true',
    )
  const addCommand = (name: string, description: string) => addOfService(alerts, name, description)

  addCreate(
    addCommand('create', 'make an alert and print it; the secret of its webhook cannot be shown again'),
  )
  addCommand('list', 'list the alerts of the key').action(
    serviceAction(async (client, options: ServiceOptions) =>
      printList(await client.alerts(), options, 'No alerts.', formatAlerts),
    ),
  )
  addChange(addCommand('pause', 'pause an alert'), (client, id) => client.pauseAlert(id))
  addChange(addCommand('resume', 'resume an alert that was paused'), (client, id) => client.resumeAlert(id))
  addCommand('test', 'send a message that is marked as a test once to where the alert sends what it fires')
    .argument('<id>', 'id of the alert')
    .action(
      serviceAction(async (client, id: string, options: ServiceOptions) => {
        const test = await client.testAlert(id)
        printResult(test, options, () =>
          test.delivered ? 'It has arrived.' : `It has not arrived: ${test.reason}.`,
        )
        if (!test.delivered) process.exitCode = 1
      }),
    )
  addChange(addCommand('delete', 'delete an alert'), (client, id) => client.deleteAlert(id))
  addCommand('dead-letters', 'list what could not be delivered').action(
    serviceAction(async (client, options: ServiceOptions) =>
      printList(await client.deadLetters(), options, 'No dead letters.', formatDeadLetters),
    ),
  )
}

function addCreate(create: Command): void {
  create
    .argument('<exchange>', 'such as binance')
    .argument('<symbol>', 'such as BTCUSDT; left out with --symbols or --quote')
    .argument('<timeframe>', `length of a candle: ${Object.keys(timeframes).join(', ')}`)
    .argument('[expression]', "the condition, such as 'rsi(14) < 30'")
    .usage('<exchange> <symbol> <timeframe> <expression> [options]')
    .option('--symbols <list>', 'over these markets, with commas between them', parseSymbols)
    .option('--quote <currency>', 'over all markets whose symbols end with it, such as USDT')
    .addOption(
      new Option('--on <moment>', 'at closed candles, or at every change').choices(moments).default('close'),
    )
    .addOption(
      new Option('--trigger <kind>', 'where it becomes true, or at each candle where it is true')
        .choices(triggers)
        .default('edge'),
    )
    .addOption(chartOption())
    .option('--webhook <url>', 'where it is posted; without one it goes to streaming connections')
    .option('--email <address>', 'where it is sent by e-mail, instead of a webhook')
    .addOption(
      new Option(
        '--format <format>',
        'what is sent (default: what the messenger of the webhook expects, or candela; by e-mail text)',
      ).choices(messageFormats),
    )
    .option('--template <text>', "the text that it is sent, such as '{name}: {symbol} at {price}'")
    .option('--settled <n>', 'digits that must have settled (default: 4); 0 for any', integer(0, 8))
    .option('--name <name>', 'a name for yourself')
    .action(
      action((...given: readonly unknown[]) => runCreate(...(given.slice(-2) as [CreateOptions, Command]))),
    )
}

function addChange(command: Command, change: (client: Candela, id: string) => Promise<Alert>): void {
  command
    .argument('<id>', 'id of the alert')
    .action(
      serviceAction(async (client, id: string, options: ServiceOptions) =>
        printAlert(await change(client, id), options),
      ),
    )
}

function readCondition(
  [timeframe = '', expression, ...others]: readonly string[],
  command: Command,
): Pick<AlertRequest, 'timeframe' | 'expression'> {
  if (others.length > 0) command.error('error: give either a symbol, or --symbols or --quote')
  if (!isTimeframe(timeframe))
    return command.error(
      `error: command-argument value '${timeframe}' is invalid for argument 'timeframe'. Allowed choices are ${Object.keys(timeframes).join(', ')}.`,
    )
  if (expression === undefined) return command.error("error: missing required argument 'expression'")
  return { timeframe, expression }
}

async function runCreate(options: CreateOptions, command: Command): Promise<void> {
  const { url, key, json, chart, ...chosen } = options
  const [exchange = '', ...words] = command.args
  const isScreen = chosen.symbols !== undefined || chosen.quote !== undefined
  const [symbol, ...rest] = isScreen ? [undefined, ...words] : words
  const alert = await (await clientOfService(options)).createAlert({
    ...{ exchange, ...(symbol !== undefined && { symbol }) },
    ...readCondition(rest as readonly string[], command),
    ...chosen,
    ...chartOf(chart),
  })
  printAlert(alert, options)
  if (alert.secret !== undefined && !json) {
    console.error('Keep the secret: its messages are signed with it, and it cannot be shown again.')
    console.log(alert.secret)
  }
}

const printAlert = (alert: Alert, options: ServiceOptions) =>
  printResult(alert, options, () => formatAlerts([alert]))

/** Text of the market of an alert, or of its markets as far as they fit. */
function marketsOf({ symbol, symbols = [], quote }: Pick<Alert, 'symbol' | 'symbols' | 'quote'>): string {
  if (symbol !== undefined) return symbol
  if (quote !== undefined) return `*${quote} (${symbols.length})`
  return symbols.length > 3 ? `${symbols.slice(0, 2).join(',')},… (${symbols.length})` : symbols.join(',')
}

const formatAlerts = (alerts: readonly Alert[]): string =>
  formatTable(
    ['ID', 'NAME', 'MARKET', 'EXPRESSION', 'ON', 'TRIGGER', 'TO', 'STATE'],
    alerts.map(
      ({
        id,
        name,
        exchange,
        timeframe,
        expression,
        on,
        trigger,
        webhook,
        email,
        paused,
        unsettled = [],
        ...of
      }) => [
        id,
        name ?? '',
        `${exchange} ${marketsOf(of)} ${timeframe}`,
        expression,
        on,
        trigger,
        webhook ?? email ?? 'streaming',
        paused ? 'paused' : unsettled.length > 0 ? 'not settled' : 'active',
      ],
    ),
  )

const formatDeadLetters = (deadLetters: readonly DeadLetter[]): string =>
  formatTable(
    ['ID', 'FIRED', 'ATTEMPTS', 'REASON'],
    deadLetters.map(({ id, created, attempts, reason }) => [
      id,
      formatTime(created),
      String(attempts),
      reason,
    ]),
  )
