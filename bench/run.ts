import { benchArchive } from './archive.js'
import { compare, findRegressions, machineText, type Table, writeBaseline } from './baseline.js'
import { benchBulk } from './bulk.js'
import { benchCluster } from './cluster/cluster.js'
import { benchCrash } from './crash.js'
import { candlesOption, chosenCandles, chosenIndicators, indicatorsOption, isSmoke } from './effort.js'
import { benchExchange } from './exchange.js'
import { benchFiles } from './files.js'
import { benchFuzz } from './fuzz.js'
import { benchGrowth } from './growth.js'
import { benchHold } from './hold.js'
import { benchHttp } from './http.js'
import { benchKernels } from './kernels.js'
import { benchLibrary } from './library.js'
import { benchMemory } from './memory.js'
import { benchParse } from './parse.js'
import { benchProcesses } from './processes.js'
import { benchResults } from './results.js'
import { benchPeers } from './rivals/peers.js'
import { benchScreen } from './screen.js'
import { benchSharing } from './sharing/sharing.js'
import { benchStart } from './start.js'
import { benchStream } from './stream.js'
import { benchTables } from './tables.js'
import { benchWrite } from './write.js'

/** Records the results of the named benches, as the baseline of later runs. */
const writeOption = '--write-baseline'
/** Measures a little of everything: see `isSmoke`. */
const smokeOption = '--smoke'
/** Writes the results of a bench into its document. */
const documentOption = '--write-document'
const words = process.argv.slice(3)
const isCompared = words[0] === 'compare'
const args = isCompared ? words.slice(1) : words
const isRecorded = args.includes(writeOption)

const benches: Readonly<Record<string, () => Promise<readonly Table[]>>> = {
  start: async () => [await benchStart()],
  kernels: benchKernels,
  library: benchLibrary,
  bulk: benchBulk,
  parse: async () => [await benchParse()],
  write: async () => [await benchWrite()],
  tables: async () => [await benchTables()],
  files: async () => [await benchFiles()],
  http: async () => [await benchHttp()],
  processes: benchProcesses,
  results: benchResults,
  screen: async () => [await benchScreen()],
  stream: benchStream,
  exchange: async () => [await benchExchange()],
  memory: async () => [await benchMemory()],
  hold: async () => [await benchHold()],
  fuzz: async () => [await benchFuzz()],
  archive: benchArchive,
  sharing: benchSharing,
  cluster: () => benchCluster(isRecorded),
  crash: async () => [await benchCrash()],
  peers: benchPeers,
  growth: () => benchGrowth(args.includes(documentOption)),
}

/** Benches with minutes of load each, or that need Redis or other libraries: they run only when named. */
const longBenches = [
  'files',
  'memory',
  'hold',
  'fuzz',
  'crash',
  'sharing',
  'cluster',
  'growth',
  'library',
  'peers',
  'processes',
]

/** The time for `compare`, in minutes; each compared bench has an equal share of the remaining time. */
const compareMinutes = 10

// `npm run bench` runs all but the long ones, `npm run bench -- http` one; `--write-baseline` records their ratios. `npm run
// bench -- growth --write-document` writes the growth into docs/performance.md, with its figure. `npm run bench -- --smoke`
// measures very little, to check that the benches run; with names, the long ones too. `npm run bench -- peers
// --indicators=dema,tema` times these alone, `--candles=1000000` that many candles. `npm run bench -- compare` repeats them
// until their ratios are steady, and ends with code 1 if one has become worse by a tenth; `npm run bench -- compare http
// start` compares some.
const options = [writeOption, documentOption, smokeOption]
const optionsOfPeers = [indicatorsOption, candlesOption]
const named = args.filter(
  arg => !options.includes(arg) && !optionsOfPeers.some(option => arg.startsWith(option)),
)
const isChosen = chosenIndicators !== undefined || chosenCandles !== undefined
if (isChosen && (named.join() !== 'peers' || isRecorded || isCompared)) {
  console.error(
    `${optionsOfPeers.join(' and ')} are for \`peers\`, whose figures are then neither recorded nor compared`,
  )
  process.exit(1)
}
if (isSmoke && (isRecorded || isCompared || args.includes(documentOption))) {
  console.error(`the figures of ${smokeOption} are neither recorded nor compared`)
  process.exit(1)
}
const unknown = named.filter(name => !Object.hasOwn(benches, name))
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`)
  process.exit(1)
}
const wanted = Object.entries(benches).filter(([name]) =>
  named.length > 0 ? named.includes(name) : !longBenches.includes(name),
)
console.log(`Node ${process.version} on ${machineText()}`)
if (isCompared) await compareAll()
else await runAll()

async function runAll(): Promise<void> {
  for (const [name, bench] of wanted) {
    console.log(`\n${name}`)
    const tables = await bench()
    for (const table of tables) console.table(table)
    if (isRecorded) writeBaseline(name, tables)
    else if (!isSmoke && !isChosen) compare(name, tables)
  }
}

async function compareAll(): Promise<void> {
  const end = performance.now() + compareMinutes * 60_000
  let regressions = 0
  for (const [at, [name, bench]] of wanted.entries()) {
    console.log(`\n${name}`)
    const now = performance.now()
    const deadline = now + (end - now) / (wanted.length - at)
    regressions += await findRegressions(name, bench, deadline)
  }
  console.log(
    regressions === 0
      ? '\nno ratio is worse than recorded'
      : `\n${regressions} ratios are worse than recorded`,
  )
  if (regressions > 0) process.exitCode = 1
}
