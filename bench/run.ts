import { cpus } from 'node:os'
import { benchArchive } from './archive.js'
import { benchBulk } from './bulk.js'
import { benchCrash } from './crash.js'
import { benchHttp } from './http.js'
import { benchKernels } from './kernels.js'
import { benchParse } from './parse.js'
import { benchWrite } from './write.js'

const benches = {
  kernels: async () => console.table(await benchKernels()),
  bulk: async () => {
    for (const table of await benchBulk()) console.table(table)
  },
  parse: async () => console.table(await benchParse()),
  write: async () => console.table(await benchWrite()),
  http: async () => console.table(await benchHttp()),
  archive: async () => {
    for (const table of await benchArchive()) console.table(table)
  },
}
/** Run only where they are asked for, because they take many minutes. */
const soaks = {
  crash: async () => console.table(await benchCrash()),
}
const all = { ...benches, ...soaks }

// `npm run bench` runs them all, `npm run bench -- http` one.
const wanted = process.argv.slice(3)
const unknown = wanted.filter(name => !Object.hasOwn(all, name))
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(', ')}; there are ${Object.keys(all).join(', ')}`)
  process.exit(1)
}
console.log(`Node ${process.version} on ${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores`)
for (const [name, bench] of Object.entries(all)) {
  if (wanted.length > 0 ? !wanted.includes(name) : name in soaks) continue
  console.log(`\n${name}`)
  await bench()
}
