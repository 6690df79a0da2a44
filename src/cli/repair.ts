import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { readAlert } from '../alerts/alert.js'
import { readDeadLetter, readDelivery } from '../alerts/deliveries.js'
import { formatCount } from '../candles/format-count.js'
import { CorruptAccount, type StoredAccount } from '../contract/storage/stores.js'
import { Archive } from '../markets/archive/archive.js'
import { type Findings, type StoredEntry, salvage } from '../markets/archive/salvage.js'
import { configure } from '../operate/settings/config.js'
import { pointedAt, readAccount } from '../store/account-rows.js'
import { alertOf, lastRowOf } from '../store/alert-rows.js'
import { asideName, copyJournals } from '../store/embedded/backup.js'
import { DatabaseFile, type Entry, type LostEntries } from '../store/embedded/database-file.js'
import {
  claimDirectory,
  type DatabaseName,
  databases,
  dataFile,
  type EmbeddedStore,
  installationFile,
  openEmbedded,
} from '../store/embedded/embedded.js'
import type { Lock } from '../store/embedded/lock.js'
import { createDraft, removeDraft, replaceBy } from '../store/embedded/replacement.js'
import { installationKey, readId, readStamp, writeId } from '../store/installation.js'
import type { Row } from '../store/rows.js'
import { action, CommandFailure, type CommonOptions } from './failure.js'

const rowsPerWrite = 1000

/** `candela repair`: checks the data directory, and keeps the readable data of damaged databases. */
export const addRepair = (program: Command): void => {
  program
    .command('repair')
    .description(
      'check the data directory; where it is damaged, keep what can be read and set the rest aside',
    )
    .option('--json', 'print a JSON object')
    .action(action(run))
}

async function run({ json }: CommonOptions): Promise<void> {
  const { dataDirectory, historyDepth } = configure()
  if (!existsSync(dataDirectory)) throw new CommandFailure(`There is no data directory "${dataDirectory}"`)
  const lock = claim(dataDirectory)
  try {
    const damaged = databases.filter(name => !isSound(dataDirectory, name))
    if (damaged.length === 0) {
      removeDraft(dataDirectory)
      await openEmbedded(dataDirectory).close()
      console.log(
        json ? JSON.stringify({ dataDirectory, damaged: {} }, null, 2) : `"${dataDirectory}" is sound.`,
      )
      return
    }
    await repair(dataDirectory, damaged, historyDepth, json === true)
  } finally {
    lock.release()
  }
}

/** Replaces damaged databases with new ones that have their readable data, once the new ones are complete. */
async function repair(
  dataDirectory: string,
  damaged: readonly DatabaseName[],
  historyDepth: number,
  json: boolean,
): Promise<void> {
  const id = idOf(dataDirectory)
  const results = await prepare(dataDirectory, damaged, historyDepth, id)
  const aside = replaceBy(dataDirectory, asideName('damaged')) as string
  const reports: Record<string, { readonly result: string; readonly file: string }> = {}
  for (const name of damaged) {
    const file = join(aside, name, dataFile)
    reports[name] = { result: results[name] as string, file }
    if (!json) console.log(`${name}: ${results[name]}. The damaged file is "${file}".`)
  }
  if (json) console.log(JSON.stringify({ dataDirectory, damaged: reports }, null, 2))
  // The other databases may be missing.
  await openEmbedded(dataDirectory, { anew: id === undefined ? damaged : [] }).close()
}

/** Fills the draft of a data directory with replacements of the damaged databases, and describes these. */
async function prepare(
  dataDirectory: string,
  damaged: readonly DatabaseName[],
  historyDepth: number,
  id: string | undefined,
): Promise<Partial<Record<DatabaseName, string>>> {
  const draft = createDraft(dataDirectory)
  try {
    if (id !== undefined) writeId(join(draft, installationFile), id)
    const store = openEmbedded(draft, { anew: databases })
    const results: Partial<Record<DatabaseName, string>> = {}
    try {
      for (const name of damaged)
        results[name] = await restore[name](join(dataDirectory, name, dataFile), store, historyDepth)
    } finally {
      await store.close()
    }
    for (const name of [...databases.filter(each => !damaged.includes(each)), installationFile])
      rmSync(join(draft, name), { recursive: true })
    if (damaged.includes('candles')) copyJournals(join(dataDirectory, 'candles'), join(draft, 'candles'))
    return results
  } catch (error) {
    removeDraft(dataDirectory)
    throw error
  }
}

/** Reads the id of a data directory from its file, or from a database with an id. */
function idOf(dataDirectory: string): string | undefined {
  const known = readId(join(dataDirectory, installationFile))
  if (known !== undefined) return known
  for (const name of databases) {
    const path = join(dataDirectory, name, dataFile)
    const found = existsSync(path) ? withFile(path, idIn) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function idIn(file: DatabaseFile): string | undefined {
  for (const entry of file.entries())
    if (entry !== 'lost' && entry.key.toString('latin1') === installationKey)
      return readStamp(entry.value?.toString('utf8')).id
  return undefined
}

function claim(dataDirectory: string): Lock {
  try {
    return claimDirectory(dataDirectory)
  } catch (error) {
    throw new CommandFailure(`Cannot repair "${dataDirectory}": ${(error as Error).message}`)
  }
}

/** Reads a file of the store without LMDB, because LMDB would crash the process if the file is damaged. */
function withFile<Result>(path: string, work: (file: DatabaseFile) => Result): Result {
  const file = new DatabaseFile(path)
  try {
    return work(file)
  } finally {
    file.close()
  }
}

/** Entries of a file, except the id of its directory. */
function* entriesOf(file: DatabaseFile): Generator<Entry | LostEntries> {
  for (const entry of file.entries())
    if (entry === 'lost' || entry.key.toString('latin1') !== installationKey) yield entry
}

/** Whether all entries of a database can be read and parsed. */
function isSound(dataDirectory: string, name: DatabaseName): boolean {
  const path = join(dataDirectory, name, dataFile)
  if (!existsSync(path)) return true
  return withFile(path, file => {
    try {
      file.check()
    } catch {
      return false
    }
    if (name !== 'candles') {
      const rowOf = name === 'accounts' ? accountOf : alertRowOf
      for (const entry of entriesOf(file)) if (rowOf(entry) === undefined) return false
      return true
    }
    const findings = newFindings()
    for (const _ of salvage(storedEntries(entriesOf(file)), findings));
    return findings.dropped === 0 && findings.holes === 0
  })
}

const newFindings = (): Findings => ({ kept: 0, dropped: 0, holes: 0, depths: new Map() })

/** Account or pointer of an entry; undefined if it cannot be read. */
function accountOf(entry: Entry | LostEntries): StoredAccount | undefined {
  if (entry === 'lost' || entry.value === undefined) return undefined
  const [hash, text] = [entry.key.toString('utf8'), entry.value.toString('utf8')]
  try {
    if (pointedAt(text) === undefined) readAccount(hash, text)
    return { hash, text }
  } catch (error) {
    if (error instanceof CorruptAccount) return undefined
    throw error
  }
}

async function restoreAccounts(path: string, { accounts }: EmbeddedStore): Promise<string> {
  const found = withFile(path, file => [...entriesOf(file)].map(accountOf))
  const kept = found.filter(account => account !== undefined)
  await accounts.restore(kept)
  const lost = kept.length < found.length ? 'others are lost: create new keys for them' : 'none is lost'
  return `${formatCount(kept.filter(({ text }) => pointedAt(text) === undefined).length, 'account')} kept, ${lost}`
}

function* storedEntries(entries: Iterable<Entry | LostEntries>): Generator<StoredEntry | 'lost'> {
  for (const entry of entries)
    yield entry === 'lost' ? entry : { key: entry.key.toString('latin1'), bytes: entry.value }
}

function restoreCandles(path: string, { keyValues }: EmbeddedStore, historyDepth: number): string {
  const findings = newFindings()
  const kept = new Set<string>()
  // The archive rewrites heads from the chunks.
  const archive = new Archive(keyValues, { depth: historyDepth })
  withFile(path, file => {
    for (const { series, chunks: sound } of salvage(storedEntries(entriesOf(file)), findings)) {
      if (kept.has(series)) archive.remove(series)
      keyValues.write(() => sound)
      kept.add(series)
    }
  })
  for (const series of kept) archive.setDepth(series, findings.depths.get(series) ?? 0)
  return `${formatCount(findings.kept, 'chunk')} of ${kept.size} series kept; the service fetches missing candles again`
}

const isNumber = ({ text }: Row): boolean => Number.isFinite(Number(text))

/** Functions that throw or return false if a row of the alerts cannot be read, by the first part of its key. */
const alertReaders: Readonly<Record<string, (row: Row) => unknown>> = {
  alert: row => readAlert(alertOf(row)),
  due: ({ text }) => readDelivery(JSON.parse(text)),
  dead: ({ text }) => readDeadLetter(text),
  list: ({ text }) => JSON.parse(text),
  usage: ({ text }) => JSON.parse(text),
  fired: isNumber,
  mark: isNumber,
  last: isNumber,
  version: isNumber,
}

/** Row of an entry in the alerts; undefined if it cannot be read. */
function alertRowOf(entry: Entry | LostEntries): Row | undefined {
  if (entry === 'lost' || entry.value === undefined) return undefined
  const row = { key: entry.key.toString('utf8'), text: entry.value.toString('utf8') }
  try {
    const read = alertReaders[row.key.split('/')[0] as string]
    return read === undefined || read(row) === false ? undefined : row
  } catch {
    return undefined
  }
}

async function restoreAlerts(path: string, { alertRows }: EmbeddedStore): Promise<string> {
  const found = withFile(path, file => [...entriesOf(file)].map(alertRowOf))
  const kept = found.filter(row => row !== undefined)
  const rows = [...kept, lastRowOf(kept)]
  for (let from = 0; from < rows.length; from += rowsPerWrite)
    await alertRows.write(new Map(rows.slice(from, from + rowsPerWrite).map(({ key, text }) => [key, text])))
  const countOf = (kind: string) => kept.filter(({ key }) => key.startsWith(`${kind}/`)).length
  const lost = kept.length === found.length ? 'none is lost' : 'others, or messages of them, may be lost'
  const named = countOf('list') > 0 ? ` and ${formatCount(countOf('list'), 'list')}` : ''
  return `${formatCount(countOf('alert'), 'alert')}${named} kept, ${lost}`
}

/** Functions that write the readable data of a damaged database into a new one, and return a summary. */
const restore: Readonly<
  Record<DatabaseName, (path: string, store: EmbeddedStore, historyDepth: number) => string | Promise<string>>
> = { accounts: restoreAccounts, alerts: restoreAlerts, candles: restoreCandles }
