import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Argument, type Command, InvalidArgumentError } from 'commander'
import { contentsOf, copyAlerts } from '../alerts/alert-copy.js'
import { formatCount } from '../candles/format-count.js'
import { idOf } from '../contract/account.js'
import type { Accounts, ListStore, Store, StoredAccount } from '../contract/storage/stores.js'
import { Archive } from '../markets/archive/archive.js'
import { type CopyOutcome, copySeries, headsOf } from '../markets/archive/archive-copy.js'
import { configure } from '../operate/settings/config.js'
import { describeAddress, parseStoreAddress, type StoreAddress } from '../store/address.js'
import { action, CommandFailure, type CommonOptions } from './failure.js'
import { withStore } from './open-store.js'
import { printResult } from './output.js'
import { createProgressDisplay } from './progress.js'

/** One end of a copy: a data directory, or a shared store. */
interface Place {
  readonly store: StoreAddress
  readonly dataDirectory: string
}

interface Options extends CommonOptions {
  readonly force?: boolean
  readonly whileRunning?: boolean
}

/** Maximum number of ids named in an error. */
const maxNamed = 5

/** `candela migrate`: copies accounts, alerts and candles from one store into another. */
export const addMigrate = (program: Command): void => {
  program
    .command('migrate')
    .description(
      'copy all accounts, alerts and candles into another store, such as ./data into redis://host; existing ones are skipped',
    )
    .addArgument(
      new Argument('<from>', 'a data directory, or the address of a shared store').argParser(parsePlace),
    )
    .addArgument(new Argument('<to>', 'the same, for the store that is written').argParser(parsePlace))
    .option('--force', 'replace accounts, alerts and series that are different there')
    .option('--while-running', 'copy from a shared store although nodes use it')
    .option('--json', 'print the counts as JSON')
    .action(action(run))
}

function parsePlace(text: string): Place {
  if (!/^rediss?(\+\w+)?:/.test(text)) return { store: 'embedded', dataDirectory: resolve(text) }
  const store = parseStoreAddress(text)
  if (store === undefined) throw new InvalidArgumentError('Expected a directory, or an address as in STORE.')
  return { store, dataDirectory: '' }
}

async function run(from: Place, to: Place, options: Options): Promise<void> {
  if (from.store === 'embedded' && !existsSync(from.dataDirectory))
    throw new CommandFailure(`There is no data directory "${from.dataDirectory}"`)
  // If a store is a data directory, no running service may use it.
  const exclusive = { exclusive: true }
  const copy = async (source: Store) => {
    if (!options.whileRunning) await expectUnused(from, source)
    await withStore(target => copyAll(source, target, options), exclusive, to)
  }
  await withStore(copy, exclusive, from)
}

async function copyAll(source: Store, target: Store, options: Options): Promise<void> {
  const { force = false } = options
  // Candles in the journals of stopped services belong to the archive too.
  new Archive(source.keyValues, { depth: configure().historyDepth, journal: source.journal }).recover()
  const accounts = await copyAccounts(source.accounts, target.accounts, force)
  const alerts = await copyAllAlerts(source, target, force)
  const lists = await copyLists(source.lists, target.lists, force)
  const series = await copyAllSeries(source, target, options)
  printResult({ accounts, alerts, lists, series }, options, () => {
    const lines = [summaryOf('account', accounts)]
    if (totalOf(alerts) > 0) lines.push(summaryOf('alert', alerts))
    if (totalOf(lists) > 0) lines.push(summaryOf('list', lists))
    lines.push(summaryOf('series', series))
    for (const [name, { different }] of Object.entries({ Alerts: alerts, Lists: lists, Series: series }))
      if (different > 0) lines.push(`${name} that differ there were left unchanged; --force replaces them.`)
    return lines.join('\n')
  })
}

/** Throws CommandFailure if nodes use a shared store. A data directory in use cannot be opened anyway. */
async function expectUnused({ store: address }: Place, { clusterState }: Store): Promise<void> {
  const count = (await clusterState?.otherNodes()) ?? 0
  if (count === 0 || address === 'embedded') return
  const [nodes, use, them] = count === 1 ? ['1 node', 'uses', 'it'] : [`${count} nodes`, 'use', 'them']
  throw new CommandFailure(
    `${nodes} ${use} the shared store at ${describeAddress(address)}: what ${count === 1 ? 'it writes' : 'they write'} while it is copied would be missing in the copy. Stop ${them}, or add --while-running to copy it as it is`,
  )
}

type Counts = Record<CopyOutcome, number>

/** Copies the accounts that the target lacks. If accounts would be replaced, throws CommandFailure before it writes. */
async function copyAccounts(source: Accounts, target: Accounts, force: boolean): Promise<Counts> {
  const wanted = await source.entries()
  const present = new Map((await target.entries()).map(({ hash, text }) => [idOf(hash), { hash, text }]))
  const presentOf = ({ hash }: StoredAccount) => present.get(idOf(hash))
  const same = wanted.filter(
    each => presentOf(each)?.text === each.text && presentOf(each)?.hash === each.hash,
  )
  const different = wanted.filter(each => presentOf(each) !== undefined && !same.includes(each))
  if (different.length > 0 && !force) {
    const names = different.slice(0, maxNamed).map(({ hash }) => idOf(hash))
    const more = different.length > maxNamed ? ' and others' : ''
    throw new CommandFailure(
      `${formatCount(different.length, 'account')} would be replaced: ${names.join(', ')}${more}. Add --force to replace them`,
    )
  }
  await target.restore(wanted.filter(each => !same.includes(each)))
  const copied = new Map((await target.entries()).map(({ hash, text }) => [hash, text]))
  const missing = wanted.filter(({ hash, text }) => copied.get(hash) !== text)
  if (missing.length > 0)
    throw new CommandFailure(`${formatCount(missing.length, 'account')} could not be read back as written`)
  return { same: same.length, copied: wanted.length - same.length, different: 0 }
}

async function copyAllAlerts(source: Store, target: Store, force: boolean): Promise<Counts> {
  const contents = await contentsOf(source.alerts)
  const counts = await copyAlerts(contents, target.alerts, force)
  const read = new Map((await target.alerts.list()).map(({ id, text }) => [id, text]))
  const missing = contents.alerts.filter(({ id, text }) => read.get(id) !== text).length - counts.different
  if (missing > 0)
    throw new CommandFailure(`${formatCount(missing, 'alert')} could not be read back as written`)
  return counts
}

async function copyLists(source: ListStore, target: ListStore, force: boolean): Promise<Counts> {
  const counts: Counts = { copied: 0, same: 0, different: 0 }
  for (const list of await source.list()) {
    const present = await target.find(list.account, list.name)
    if (present === list.text) counts.same++
    else if (present !== undefined && !force) counts.different++
    else {
      await target.put(list, Number.POSITIVE_INFINITY)
      counts.copied++
    }
  }
  return counts
}

async function copyAllSeries(source: Store, target: Store, options: Options): Promise<Counts> {
  const counts: Counts = { copied: 0, same: 0, different: 0 }
  const heads = await headsOf(source.keyValues)
  await headsOf(target.keyValues)
  const display = createProgressDisplay('Copying', heads.length, options, 'series')
  try {
    for (const [at, head] of heads.entries()) {
      counts[await copySeries(source.keyValues, target.keyValues, head, options.force === true)]++
      display.show({ done: at + 1, back: undefined })
    }
  } finally {
    display.end()
  }
  return counts
}

const totalOf = ({ copied, same, different }: Counts): number => copied + same + different

const summaryOf = (noun: 'account' | 'alert' | 'list' | 'series', counts: Counts): string => {
  const { copied, same, different } = counts
  const total = totalOf(counts)
  const things = noun === 'series' ? `${total} series` : formatCount(total, noun)
  const left = different > 0 ? `, ${different} different` : ''
  return `${things}: ${copied} copied, ${same} already there${left}`
}
