import { cpus } from 'node:os'
import { benchArchive } from './archive.js'
import { compare, type Table, writeBaseline } from './baseline.js'
import { benchBulk } from './bulk.js'
import { benchCrash } from './crash.js'
import { benchExchange } from './exchange.js'
import { benchFuzz } from './fuzz.js'
import { benchHold } from './hold.js'
import { benchHttp } from './http.js'
import { benchKernels } from './kernels.js'
import { benchMemory } from './memory.js'
import { benchParse } from './parse.js'
import { benchResults } from './results.js'
import { benchScreen } from './screen.js'
import { benchSharing } from './sharing.js'
import { benchStart } from './start.js'
import { benchStream } from './stream.js'
import { benchWrite } from './write.js'

const benches: Readonly<Record<string, () => Promise<readonly Table[]>>> = {
  start: async () => [benchStart()],
  kernels: async () => [await benchKernels()],
  bulk: benchBulk,
  parse: async () => [await benchParse()],
  write: async () => [await benchWrite()],
  http: async () => [await benchHttp()],
  results: benchResults,
  screen: async () => [await benchScreen()],
  stream: benchStream,
  exchange: async () => [await benchExchange()],
  memory: async () => [await benchMemory()],
  hold: async () => [await benchHold()],
  fuzz: async () => [await benchFuzz()],
  archive: benchArchive,
  sharing: benchSharing,
  crash: async () => [await benchCrash()],
}

/** Minutes of load each, or in need of Redis: they run only when named. */
const longBenches = ['memory', 'hold', 'fuzz', 'crash', 'sharing']

// `npm run bench` runs all but the long ones, `npm run bench -- http` one; `--write-baseline` records their ratios.
const writeOption = '--write-baseline'
const args = process.argv.slice(3)
const named = args.filter(arg => arg !== writeOption)
const unknown = named.filter(name => !Object.hasOwn(benches, name))
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`)
  process.exit(1)
}
console.log(`Node ${process.version} on ${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores`)
for (const [name, bench] of Object.entries(benches)) {
  if (named.length > 0 ? !named.includes(name) : longBenches.includes(name)) continue
  console.log(`\n${name}`)
  const tables = await bench()
  for (const table of tables) console.table(table)
  if (args.includes(writeOption)) writeBaseline(name, tables)
  else compare(name, tables)
}
