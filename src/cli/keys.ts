import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { formatTime } from '../candles/format-time.js'
import { maxConstructs } from '../contract/limits.js'
import {
  type AccountChanges,
  hashOf,
  idOf,
  issueKey,
  keyPattern,
  type NewAccount,
  revokeKey,
  updateKey,
} from '../store/key.js'
import { type Account, type Accounts, plans } from '../store/store.js'
import { action, CommandFailure, type CommonOptions, printFailure } from './failure.js'
import { withStore } from './open-store.js'
import { integer, time } from './option-parsers.js'
import { formatTable, printResult } from './output.js'

/** So many characters of an id must be given to name a key. */
const minIdLength = 4

/** Adds `keys create`, `keys update`, `keys list` and `keys revoke`. They work while services use the same store. */
export function addKeys(program: Command): void {
  const keys = program.command('keys').description('create, change, list and revoke API keys')

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
    .option('--json', 'print a JSON object')
    .action(onAccounts(create))

  keys
    .command('update')
    .description('change the plan, the limits, the name or the end of a key')
    .addArgument(idArgument())
    .addOption(new Option('--plan <plan>', 'another plan, with its limits').choices(Object.keys(plans)))
    .option('--name <name>', 'another name of the owner', parseName)
    .option('--requests <n>', 'requests per 15 seconds', integer(1))
    .option('--constructs <n>', `constructs per bulk request, at most ${maxConstructs}`, parseConstructs)
    .option('--subscriptions <n>', 'live subscriptions at a time', integer(1))
    .option('--expires <time>', 'when the key is refused from, such as 2027-01-31, or never', parseEnd)
    .option('--json', 'print a JSON object')
    .action(onAccounts(update))

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

const idArgument = () =>
  new Argument(
    '<id>',
    `id of the key, the first characters of the id (at least ${minIdLength} characters), or the key itself`,
  )

/** A time in Unix seconds, or null for no end. */
const parseEnd = (text: string): number | null => (text === 'never' ? null : time(text))

function parseName(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > 64 || /\p{Cc}/u.test(name)) {
    throw new InvalidArgumentError('Expected 1 to 64 characters on one line.')
  }
  return name
}

/** Requests with more than `maxConstructs` are refused for every key. */
function parseConstructs(text: string): number {
  const constructs = integer(1)(text)
  return constructs > maxConstructs ? integer(1, maxConstructs)(text) : constructs
}

/** The action of a command on the accounts of the store. */
const onAccounts = (run: (accounts: Accounts, ...given: never[]) => Promise<void>) =>
  action((...given: never[]) => withStore(({ accounts }) => run(accounts, ...given)))

const nowSeconds = () => Math.floor(Date.now() / 1000)

interface CreateOptions extends CommonOptions, Omit<NewAccount, 'name'> {
  readonly name?: string
}

async function create(accounts: Accounts, { json, ...options }: CreateOptions): Promise<void> {
  const now = nowSeconds()
  const named = { ...options, name: options.name ?? `${options.plan} ${formatTime(now).slice(0, 10)}` }
  const { key, account } = await issueKey(accounts, named, now)
  if (json) {
    console.log(JSON.stringify({ key, ...account }, null, 2))
    return
  }
  const { id, name, plan, requests, constructs, subscriptions } = account
  console.error(`Key ${id} for "${name}", plan ${plan}:`)
  console.error(
    `${requests} requests per 15 seconds, ${constructs} constructs per bulk request, ${subscriptions} subscriptions.`,
  )
  console.error('Keep it: it is not stored and cannot be shown again.')
  console.log(key)
}

async function list(accounts: Accounts, options: CommonOptions): Promise<void> {
  const { accounts: all, corrupt } = await accounts.list()
  if (options.json || all.length > 0) printResult(all, options, () => formatAccounts(all))
  else if (corrupt.length === 0) console.error('No keys. Create one: candela keys create --plan pro')
  for (const { message } of corrupt) printFailure(message, options)
}

function formatAccounts(accounts: readonly Account[]): string {
  const head = ['ID', 'NAME', 'PLAN', 'REQUESTS/15S', 'CONSTRUCTS', 'SUBSCRIPTIONS', 'CREATED', 'STATE']
  const now = nowSeconds()
  const rows = accounts.map(account => [
    account.id,
    account.name,
    account.plan,
    String(account.requests),
    String(account.constructs),
    String(account.subscriptions),
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
    throw new CommandFailure('Nothing to change: give --plan, --name, a limit or --expires')
  const id = await findId(accounts, text)
  const account = await updateKey(accounts, id, changes)
  if (account === undefined) throw new CommandFailure(`No key with the id "${id}"`)
  const { name, plan, requests, constructs, subscriptions } = account
  printResult(
    account,
    options,
    () =>
      `Key ${id} for "${name}", plan ${plan}: ${requests} requests per 15 seconds, ${constructs} constructs, ${subscriptions} subscriptions; ${stateOf(account, nowSeconds())}`,
  )
}

async function revoke(accounts: Accounts, text: string, options: CommonOptions): Promise<void> {
  const id = await findId(accounts, text)
  const now = nowSeconds()
  const account = await revokeKey(accounts, id, now)
  if (account === undefined) throw new CommandFailure(`No key with the id "${id}"`)
  const { name, revoked = now } = account
  const state = revoked < now ? `was revoked before, on ${formatTime(revoked)} UTC` : 'is revoked'
  printResult({ ...account, revoked }, options, () => `Key ${id} for "${name}" ${state}`)
}

/** The only id that `text` names: the id, its first characters, or the key. Throws CommandFailure if there are none or several. */
async function findId(accounts: Accounts, text: string): Promise<string> {
  const isKey = keyPattern.test(text)
  const prefix = isKey ? idOf(hashOf(text)) : text.toLowerCase()
  if (prefix.length < minIdLength)
    throw new CommandFailure(`Give at least ${minIdLength} characters of the id`)
  const { accounts: readable, corrupt } = await accounts.list()
  const ids = [...readable, ...corrupt].map(({ id }) => id).filter(id => id.startsWith(prefix))
  const [id] = ids
  if (id === undefined)
    throw new CommandFailure(isKey ? 'This key is not known' : `No key with the id "${text}"`)
  if (ids.length > 1) throw new CommandFailure(`Several keys begin with "${text}": ${ids.join(', ')}`)
  return id
}
