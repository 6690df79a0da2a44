// Loaded before a command by `node --import`: ends the process, like `kill -9`, at the call of node:fs with the number
// KILL_AT, among the calls that change something. Without KILL_AT, the names and paths of these calls are written to the
// file CALLS when the process ends.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { CALLS, KILL_AT } = process.env
const ends = KILL_AT === undefined ? Number.POSITIVE_INFINITY : Number(KILL_AT)
const changes =
  /^(append|chmod|copy|cp|fchmod|fdatasync|fsync|ftruncate|link|mkdir|mkdtemp|rename|rm|rmdir|symlink|truncate|unlink|write|writev)(File)?(Sync)?$/
const { writeFileSync } = fs
/** Paths by descriptor. */
const paths = new Map()
const lines = []
let calls = 0

/** Counts a call before it is made. */
function count(name, [first, second]) {
  calls++
  if (calls >= ends) process.kill(process.pid, 'SIGKILL')
  // A process that has received the signal may still make calls.
  if (calls > ends) for (;;);
  const place = typeof first === 'number' ? (paths.get(first) ?? '') : String(first)
  const target = /^(rename|copyFile|link)/.test(name) ? ` ${second}` : ''
  lines.push(`${name} ${place}${target}`)
}

function watch(module, isOpening) {
  for (const name of Object.keys(module)) {
    const own = module[name]
    if (typeof own !== 'function' || !(changes.test(name) || isOpening(name))) continue
    module[name] = (...given) => {
      // Only opening for writing changes something.
      if (!isOpening(name) || /[wa+]/.test(String(given[1]))) count(name, given)
      const result = own(...given)
      if (name === 'openSync') paths.set(result, String(given[0]))
      return result
    }
  }
}

watch(fs, name => name === 'openSync' || name === 'open')
watch(fs.promises, name => name === 'open')
syncBuiltinESMExports()
if (CALLS !== undefined) process.on('exit', () => writeFileSync(CALLS, lines.join('\n')))
