import { cpus } from 'node:os'
import { benchBulk } from './bulk.js'
import { benchHttp } from './http.js'
import { benchKernels } from './kernels.js'
import { benchParse } from './parse.js'
import { benchFuzz, benchHold, benchStream } from './stream.js'
import { benchWrite } from './write.js'

const benches = {
  kernels: async () => console.table(await benchKernels()),
  bulk: async () => {
    for (const table of await benchBulk()) console.table(table)
  },
  parse: async () => console.table(await benchParse()),
  write: async () => console.table(await benchWrite()),
  http: async () => console.table(await benchHttp()),
  stream: async () => {
    for (const table of await benchStream()) console.table(table)
  },
  hold: async () => console.table(await benchHold()),
  fuzz: async () => console.table(await benchFuzz()),
}

/** Minutes of load, for those who ask for it. */
const endurance = ['hold', 'fuzz']

// `npm run bench` runs all that measure, `npm run bench -- http` one.
const wanted = process.argv.slice(3)
const unknown = wanted.filter(name => !Object.hasOwn(benches, name))
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`)
  process.exit(1)
}
console.log(`Node ${process.version} on ${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores`)
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 ? !wanted.includes(name) : endurance.includes(name)) continue
  console.log(`\n${name}`)
  await bench()
}
