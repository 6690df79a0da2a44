// Runs the tests that break things around a running service, and prints a line for each promise of
// test/faults/promises.json. `npm run test:faults -- --only disk` runs the tests whose promise contains a text.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const all = JSON.parse(readFileSync(new URL('../test/faults/promises.json', import.meta.url), 'utf8'))
const promises = all.filter(({ promise, file }) => `${promise} ${file}`.includes(values.only))
if (promises.length === 0) {
  console.error(`no promise contains "${values.only}"`)
  process.exit(2)
}

// Sizes of the documented figures; `npm test` runs the same tests with smaller ones.
process.env.FAULTS = 'whole'
process.env.CRASHES ??= '25'

/** Results by file: the full name of each test with its result. */
const results = new Map()
const failures = []
const reporter = {
  onTestCaseResult(test) {
    const file = test.module.relativeModuleId
    const { state, errors } = test.result()
    const { figure } = test.meta()
    const seconds = (test.diagnostic()?.duration ?? 0) / 1000
    results.set(file, [...(results.get(file) ?? []), { name: test.fullName, state, figure, seconds }])
    if (state === 'failed') failures.push(`${file}: ${test.fullName}\n${errors?.[0]?.message ?? ''}`)
  },
  onTestModuleEnd(module) {
    for (const { message } of module.errors()) failures.push(`${module.relativeModuleId}: ${message}`)
    report(module.relativeModuleId)
  },
}

const isOf = (promise, name) => promise.tests.some(text => name.includes(text))
const reported = new Set()
let failed = 0

/** Prints the promises of a file whose tests have ended. */
function report(file) {
  for (const entry of promises) {
    if (entry.file !== file) continue
    reported.add(entry)
    const tests = (results.get(file) ?? []).filter(({ name }) => isOf(entry, name))
    const isMissing = entry.tests.some(text => !tests.some(({ name }) => name.includes(text)))
    const isSkipped = tests.length > 0 && tests.every(({ state }) => state === 'skipped')
    const isKept = !isMissing && tests.every(({ state }) => state !== 'failed')
    const seconds = tests.reduce((sum, test) => sum + test.seconds, 0)
    const figures = tests.flatMap(({ figure }) => figure ?? [])
    const count = tests.length === 1 ? '1 test' : `${tests.length} tests`
    const figure = figures.length > 0 ? figures : [`${count} in ${seconds.toFixed(1)} s`]
    if (!isKept) failed++
    const verdict = isSkipped ? 'skip' : isKept ? 'pass' : 'FAIL'
    console.log(`${verdict}  ${entry.promise}: ${isMissing ? 'a test is missing' : figure.join('\n      ')}`)
  }
}

const files = [...new Set(promises.map(({ file }) => file))]
const vitest = await startVitest('test', files, {
  run: true,
  watch: false,
  reporters: [reporter],
  // One file at a time, because a parallel test would disturb the measurements.
  fileParallelism: false,
  testTimeout: 120_000,
  hookTimeout: 60_000,
})
const unhandled = vitest.state.getUnhandledErrors()
await vitest.close()
for (const failure of failures) console.error(`\n${failure}`)
for (const error of unhandled) console.error(`\n${error.stack ?? error.message ?? error}`)
console.log(`${promises.length - failed} of ${promises.length} promises are kept`)
process.exit(
  failed > 0 || failures.length > 0 || unhandled.length > 0 || reported.size < promises.length ? 1 : 0,
)
