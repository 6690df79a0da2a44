import { Argument, type Command } from 'commander'
import type { Account } from '../contract/account.js'
import { addCounts, daysUntil, type UsageRow, usageDays, usageOf } from '../contract/accounts.js'
import type { RequestCounts, Store } from '../contract/storage/stores.js'
import { refusedKind } from '../http/admission.js'
import { action, type CommonOptions, printNote } from './failure.js'
import { findId } from './key-ids.js'
import { withStore } from './open-store.js'
import { integer } from './option-parsers.js'
import { formatTable, printResult, writeText } from './output.js'

interface Options extends CommonOptions {
  readonly days: number
  readonly csv?: boolean
}

/** Adds `keys usage`: the requests of each key, or those of one key by day. */
export function addUsage(keys: Command): void {
  keys
    .command('usage')
    .description('show what each key has asked for, or what one key has asked for on each day')
    .addArgument(new Argument('[id]', 'a key, as the other commands take it'))
    .option('--days <n>', `how many days, up to today; at most ${usageDays}`, integer(1, usageDays), 30)
    .option('--csv', 'print CSV: a line for each day, key and kind of request')
    .option('--json', 'print a JSON array')
    .action(
      action((text: string | undefined, options: Options) => withStore(store => show(store, text, options))),
    )
}

async function show(store: Store, text: string | undefined, options: Options): Promise<void> {
  const id = text === undefined ? undefined : await findId(store.accounts, text)
  const { accounts } = await store.accounts.list()
  const known = new Map(accounts.map(account => [account.id, account]))
  const rows = usageOf(store.usage, daysUntil(Date.now() / 1000, options.days), { account: id })
  if (options.csv) return writeText(linesOf(rows, known))
  if (id !== undefined) return printDays(rows, options)
  const byKey = new Map<string, RequestCounts>()
  for await (const { id: of, requests } of rows) byKey.set(of, addCounts(byKey.get(of) ?? {}, requests))
  const found = [...byKey].map(([of, requests]) => {
    const { name = '', plan = '' } = known.get(of) ?? {}
    return { id: of, name, plan, requests }
  })
  found.sort((a, b) => totalOf(b.requests) - totalOf(a.requests))
  const cells = found.map(({ id: of, name, plan, requests }) => [of, name, plan, ...cellsOf(requests)])
  print(found, ['ID', 'NAME', 'PLAN'], cells, options)
}

async function printDays(rows: AsyncIterable<UsageRow>, options: Options): Promise<void> {
  const found: Pick<UsageRow, 'day' | 'requests'>[] = []
  for await (const { day, requests } of rows) found.push({ day, requests })
  print(
    found,
    ['DAY'],
    found.map(({ day, requests }) => [day, ...cellsOf(requests)]),
    options,
  )
}

function print(
  found: readonly unknown[],
  head: readonly string[],
  cells: readonly (readonly string[])[],
  options: Options,
): void {
  if (options.json || found.length > 0)
    printResult(found, options, () => formatTable([...head, 'REQUESTS', 'REFUSED', 'FOR'], cells))
  else printNote('No requests in these days.', options)
}

/** Requests that were answered: without those that the rate window has refused. */
const totalOf = (requests: RequestCounts): number =>
  Object.entries(requests).reduce((sum, [kind, count]) => sum + (kind === refusedKind ? 0 : count), 0)

function cellsOf(requests: RequestCounts): readonly string[] {
  const kinds = Object.entries(requests).filter(([kind]) => kind !== refusedKind)
  kinds.sort(([, a], [, b]) => b - a)
  const text = kinds.map(([kind, count]) => `${kind} ${count}`).join(', ')
  return [String(totalOf(requests)), String(requests[refusedKind] ?? 0), text]
}

async function* linesOf(
  rows: AsyncIterable<UsageRow>,
  known: ReadonlyMap<string, Account>,
): AsyncGenerator<string> {
  yield 'day,id,plan,kind,requests\n'
  for await (const { day, id, requests } of rows)
    for (const [kind, count] of Object.entries(requests))
      yield `${day},${id},${known.get(id)?.plan ?? ''},${kind},${count}\n`
}
