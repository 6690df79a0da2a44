import type { Command } from 'commander'
import type { NamedList } from '../client/index.js'
import { formatTable, printResult, terminalWidth } from './output.js'
import { addOfService, printList, type ServiceOptions, serviceAction } from './service.js'

/** Adds `lists set`, `list` and `delete`. They need a running service. */
export function addLists(program: Command): void {
  const lists = program
    .command('lists')
    .description('name lists of symbols, which stand for all of them as list:<name>')
  addOfService(lists, 'set', 'store a list, which replaces the one with its name, and print it')
    .argument('<name>', 'letters, digits and underscores')
    .argument('<symbols...>', 'such as BTCUSDT, or binance:BTCUSDT where it is meant of one exchange')
    .action(
      serviceAction(async (client, name: string, texts: readonly string[], options: ServiceOptions) => {
        const symbols = texts.flatMap(text => text.split(','))
        printLists([await client.storeList({ name, symbols })], options)
      }),
    )
  addOfService(lists, 'list', 'list the lists of the key').action(
    serviceAction(async (client, options: ServiceOptions) =>
      printList(await client.lists(), options, 'No lists.', formatLists),
    ),
  )
  addOfService(lists, 'delete', 'delete a list')
    .argument('<name>', 'name of the list')
    .action(
      serviceAction(async (client, name: string, options: ServiceOptions) =>
        printLists([await client.deleteList(name)], options),
      ),
    )
}

const printLists = ([list]: readonly [NamedList], options: ServiceOptions) =>
  printResult(list, options, () => formatLists([list]))

/** Approximate width of the text before the symbols. */
const headWidth = 30

function formatLists(lists: readonly NamedList[]): string {
  const width = Math.max(headWidth, terminalWidth() - headWidth)
  return formatTable(
    ['NAME', 'COUNT', 'SYMBOLS'],
    lists.map(({ name, symbols }) => [name, String(symbols.length), within(symbols.join(), width)]),
  )
}

const within = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text
