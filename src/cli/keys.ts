import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { formatCount } from '../candles/format-count.js'
import { formatTime } from '../candles/format-time.js'
import {
  type Account,
  hashOf,
  keyPattern,
  plans,
  type Scope,
  scopes,
  scopesOf,
  unlimited,
  usualScopes,
} from '../contract/account.js'
import {
  type AccountChanges,
  addCounts,
  daysUntil,
  describeAccount,
  issueKey,
  maxOverlapSeconds,
  type NewAccount,
  refuseRotation,
  revokeKey,
  rotateKey,
  type UsageRow,
  updateKey,
  usageDays,
  usageOf,
  usualName,
  usualOverlapSeconds,
} from '../contract/accounts.js'
import { maxConstructs } from '../contract/limits.js'
import type { Accounts, RequestCounts, Store } from '../contract/storage/stores.js'
import { refusedKind } from '../http/admission.js'
import { action, CommandFailure, type CommonOptions, printFailure, printNote } from './failure.js'
import { withStore } from './open-store.js'
import { integer, time } from './option-parsers.js'
import { formatTable, printResult, writeText } from './output.js'

interface Options extends CommonOptions {
  readonly days: number
  readonly csv?: boolean
}

/** Adds `keys usage`: the requests of each key, or the requests of one key by day. */
export function addUsage(keys: Command): void {
  keys
    .command('usage')
    .description('show the requests of each key, or those of one key by day')
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

/** Number of answered requests, without the requests that the rate window refused. */
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

export function addKeys(program: Command): void {
  const keys = program
    .command('keys')
    .description('create, change, replace, list and revoke API keys, and show their requests')
  addCreate(keys)
  addUpdate(keys)
  addRotate(keys)
  addUsage(keys)
  keys
    .command('list')
    .description('list the keys, without the keys themselves')
    .option('--json', 'print a JSON array')
    .action(onAccounts(list))
  keys
    .command('revoke')
    .description('revoke a key: requests with it are refused from now on')
    .addArgument(idArgument())
    .option('--json', 'print a JSON object')
    .action(onAccounts(revoke))
}

function addCreate(keys: Command): void {
  keys
    .command('create')
    .description('create a key and print it; it cannot be shown again')
    .addOption(
      new Option('--plan <plan>', 'the plan, which sets the limits of the key')
        .choices(Object.keys(plans))
        .makeOptionMandatory(),
    )
    .option('--name <name>', 'name of the owner; the plan and the day where it is omitted', parseName)
    .option('--requests <n>', "requests per 15 seconds, instead of the plan's", integer(1))
    .option(
      '--constructs <n>',
      `constructs per bulk request, at most ${maxConstructs}, instead of the plan's`,
      parseConstructs,
    )
    .option('--subscriptions <n>', "live subscriptions at a time, instead of the plan's", integer(1))
    .option(
      '--expires <time>',
      'when the key is refused from, such as 2027-01-31; without it, it has no end',
      time,
    )
    .option(
      '--scopes <list>',
      `what the key may do, of ${scopes.join(', ')}; ${usualScopes.join()} where it is omitted`,
      parseScopes,
    )
    .option('--json', 'print a JSON object')
    .action(onAccounts(create))
}

function addUpdate(keys: Command): void {
  keys
    .command('update')
    .description('change the plan, the limits, the name, the scopes or the end of a key')
    .addArgument(idArgument())
    .addOption(new Option('--plan <plan>', 'another plan, with its limits').choices(Object.keys(plans)))
    .option('--name <name>', 'another name of the owner', parseName)
    .option('--requests <n>', 'requests per 15 seconds', integer(1))
    .option('--constructs <n>', `constructs per bulk request, at most ${maxConstructs}`, parseConstructs)
    .option('--subscriptions <n>', 'live subscriptions at a time', integer(1))
    .option('--expires <time>', 'when the key is refused from, such as 2027-01-31, or never', parseEnd)
    .option('--scopes <list>', `what the key may do, of ${scopes.join(', ')}`, parseScopes)
    .option('--json', 'print a JSON object')
    .action(onAccounts(update))
}

function addRotate(keys: Command): void {
  keys
    .command('rotate')
    .description('print a new key that replaces another one; limits, usage, lists and alerts stay')
    .addArgument(idArgument())
    .addOption(
      new Option('--overlap <time>', 'how long the old key still works, such as 90s, 30m, 24h or 7d')
        .argParser(parseOverlap)
        .default(usualOverlapSeconds, '24h'),
    )
    .option('--json', 'print a JSON object')
    .action(onAccounts(rotate))
}

const idArgument = () =>
  new Argument(
    '<id>',
    `id of the key, the first characters of the id (at least ${minIdLength} characters), the key itself, or its name`,
  )

const parseEnd = (text: string): number | null => (text === 'never' ? null : time(text))

function parseName(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > 64 || /\p{Cc}/u.test(name)) {
    throw new InvalidArgumentError('Expected 1 to 64 characters on one line.')
  }
  return name
}

const parseScopes = (text: string): readonly Scope[] =>
  text.split(',').map(word => {
    const scope = scopes.find(each => each === word.trim())
    if (scope === undefined)
      throw new InvalidArgumentError(`Expected some of ${scopes.join(', ')}, as in read,stream.`)
    return scope
  })

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** Parses a duration to seconds. */
function parseOverlap(text: string): number {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const seconds = text === '0' ? 0 : Number(count) * (secondsOf[unit] ?? Number.NaN)
  if (seconds <= maxOverlapSeconds) return seconds
  throw new InvalidArgumentError(
    'Expected a time such as 90s, 30m, 24h or 7d, of at most 366 days; 0 ends the old key at once.',
  )
}

/** Parses a limit of constructs, at most `maxConstructs`, because requests with more are refused for every key. */
function parseConstructs(text: string): number {
  const constructs = integer(1)(text)
  return constructs > maxConstructs ? integer(1, maxConstructs)(text) : constructs
}

const onAccounts = (run: (accounts: Accounts, ...given: never[]) => Promise<void>) =>
  action((...given: never[]) => withStore(({ accounts }) => run(accounts, ...given)))

const nowSeconds = () => Math.floor(Date.now() / 1000)

interface CreateOptions extends CommonOptions, Omit<NewAccount, 'name'> {
  readonly name?: string
}

async function create(accounts: Accounts, { json, ...options }: CreateOptions): Promise<void> {
  const now = nowSeconds()
  const named = { ...options, name: options.name ?? usualName(options.plan, now) }
  const { key, account } = await issueKey(accounts, named, now)
  if (json) {
    console.log(JSON.stringify({ key, ...describeAccount(account) }, null, 2))
    return
  }
  const { id, name, plan } = account
  console.error(`Key ${id} for "${name}", plan ${plan}:`)
  console.error(`${limitsOf(account, ' per bulk request')}.`)
  console.error(`Scopes: ${scopesOf(account).join(', ')}.`)
  printKey(key)
}

function printKey(key: string): void {
  console.error('Keep it: it is not stored and cannot be shown again.')
  console.log(key)
}

async function rotate(
  accounts: Accounts,
  text: string,
  { json, overlap }: CommonOptions & { readonly overlap: number },
): Promise<void> {
  const id = await findId(accounts, text)
  const now = nowSeconds()
  const before = await accounts.findById(id)
  const refusal = before && refuseRotation(before, now)
  if (refusal) throw new CommandFailure(refusal.error)
  const issued = await rotateKey(accounts, id, overlap, now)
  if (issued === undefined) throw new CommandFailure(`No key with the id "${id}"`)
  const { key, account } = issued
  if (json) {
    console.log(JSON.stringify({ key, ...describeAccount(account) }, null, 2))
    return
  }
  const ends = formatTime(now + overlap)
  console.error(
    `A new key of ${id} for "${account.name}"; those before it work until ${ends} UTC, or ended before.`,
  )
  printKey(key)
}

async function list(accounts: Accounts, options: CommonOptions): Promise<void> {
  const { accounts: all, corrupt } = await accounts.list()
  if (options.json || all.length > 0)
    printResult(all.map(describeAccount), options, () => formatAccounts(all))
  else if (corrupt.length === 0) console.error('No keys. Create one: candela keys create --plan pro')
  for (const { message } of corrupt) printFailure(message, options)
}

function formatAccounts(accounts: readonly Account[]): string {
  const head = [
    'ID',
    'NAME',
    'PLAN',
    'REQUESTS/15S',
    'CONSTRUCTS',
    'SUBSCRIPTIONS',
    'SCOPES',
    'CREATED',
    'STATE',
  ]
  const now = nowSeconds()
  const rows = accounts.map(account => [
    account.id,
    account.name,
    account.plan,
    limitText(account.requests),
    limitText(account.constructs),
    limitText(account.subscriptions),
    scopesOf(account).join(),
    formatTime(account.created),
    stateOf(account, now),
  ])
  return formatTable(head, rows)
}

function stateOf({ revoked, expires }: Account, now: number): string {
  if (revoked !== undefined) return `revoked ${formatTime(revoked)}`
  if (expires === undefined) return 'active'
  return `${expires > now ? 'active until' : 'expired'} ${formatTime(expires)}`
}

async function update(
  accounts: Accounts,
  text: string,
  options: CommonOptions & AccountChanges,
): Promise<void> {
  const { json: _, ...changes } = options
  if (Object.keys(changes).length === 0)
    throw new CommandFailure('Nothing to change: give --plan, --name, a limit, --scopes or --expires')
  const id = await findId(accounts, text)
  const account = await updateKey(accounts, id, changes)
  if (account === undefined) throw new CommandFailure(`No key with the id "${id}"`)
  const { name, plan } = account
  printResult(
    describeAccount(account),
    options,
    () =>
      `Key ${id} for "${name}", plan ${plan}: ${limitsOf(account)}; scopes ${scopesOf(account).join(', ')}; ${stateOf(account, nowSeconds())}`,
  )
}

/** Limits of a key in words. `perBulk` follows the number of constructs. */
const limitsOf = ({ requests, constructs, subscriptions }: Account, perBulk = ''): string =>
  `${limitText(requests, ' request')} per 15 seconds, ${limitText(constructs, ' construct')}${perBulk}, ${limitText(subscriptions, ' subscription')}`

/** A limit in words. `noun` follows the number and has the plural form after every number but 1. */
function limitText(limit: number, noun = ''): string {
  if (limit === unlimited) return `unlimited${noun && `${noun}s`}`
  return noun === '' ? String(limit) : formatCount(limit, noun.trim())
}

async function revoke(accounts: Accounts, text: string, options: CommonOptions): Promise<void> {
  const id = await findId(accounts, text)
  const now = nowSeconds()
  const account = await revokeKey(accounts, id, now)
  if (account === undefined) throw new CommandFailure(`No key with the id "${id}"`)
  const { name, revoked = now } = account
  const state = revoked < now ? `was revoked before, on ${formatTime(revoked)} UTC` : 'is revoked'
  printResult({ ...describeAccount(account), revoked }, options, () => `Key ${id} for "${name}" ${state}`)
}

/** Minimum number of characters of an id that name a key. */
const minIdLength = 4

/**
 * Finds the only id that `text` names: an id, its first characters, a key, or a name. Throws CommandFailure for none or several.
 */
async function findId(accounts: Accounts, text: string): Promise<string> {
  if (keyPattern.test(text)) {
    const account = await accounts.find(hashOf(text))
    if (account === undefined) throw new CommandFailure('This key is not known')
    return account.id
  }
  const { accounts: readable, corrupt } = await accounts.list()
  const prefix = text.toLowerCase()
  const ofId = [...readable, ...corrupt].filter(
    ({ id }) => prefix.length >= minIdLength && id.startsWith(prefix),
  )
  const ids = (
    ofId.length > 0 ? ofId : readable.filter(({ name, revoked }) => name === text && revoked === undefined)
  ).map(({ id }) => id)
  const [id] = ids
  if (id === undefined)
    throw new CommandFailure(
      prefix.length < minIdLength
        ? `Give at least ${minIdLength} characters of the id, or a name: no key is called "${text}"`
        : `No key with the id "${text}"`,
    )
  if (ids.length > 1)
    throw new CommandFailure(
      `Several keys ${ofId.length > 0 ? 'begin with' : 'are called'} "${text}": ${ids.join(', ')}`,
    )
  return id
}
