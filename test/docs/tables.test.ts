import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { closings } from '../../interface/stream-messages.js'
import { catalogue } from '../../src/catalogue/index.js'
import { compileExpression } from '../../src/compute/expressions/compile.js'
import { plans } from '../../src/contract/account.js'
import { documentAt } from '../support/documents.js'

it('docs/keys.md has the plans of src/contract/storage/stores.ts', () => {
  const rows = documentAt('docs/keys.md').text.match(/^\| [a-z]+ \|.*$/gm)
  expect(rows).toEqual(
    Object.entries(plans).map(
      ([plan, { requests, constructs, subscriptions }]) =>
        `| ${plan} | ${requests} | ${constructs} | ${subscriptions} |`,
    ),
  )
})

it('docs/streaming.md has the close codes of interface/stream-messages.ts', () => {
  const rows = documentAt('docs/streaming.md').text.match(/^\| [14]\d{3} \|.*$/gm)
  expect(rows).toEqual(closings().map(({ code, because, next }) => `| ${code} | ${because} | ${next} |`))
})

it('docs/tradingview.md has expressions that compile', () => {
  const cells = documentAt('docs/tradingview.md')
    .text.split(/^## /m)
    .filter(section => /^\| Pine \| Expression \|$/m.test(section))
    .flatMap(section => section.match(/(?<=^\| `.*\| )`.*`(?= \|$)/gm) ?? [])
  const expressions = cells.flatMap(cell => cell.match(/(?<=`)[^`]+(?=`(, |$))/g) ?? [])
  expect(expressions.length).toBeGreaterThan(70)
  const faults = expressions.map(text => {
    const compiled = compileExpression(text, { timeframe: '1h' })
    return 'error' in compiled ? `${text}: ${compiled.error}` : undefined
  })
  expect(faults.filter(Boolean)).toEqual([])
})

it('README.md has fewer than 150 lines', () => {
  expect(documentAt('README.md').text.trimEnd().split('\n').length).toBeLessThan(150)
})

it('documents have the figures of the rivals that bench/baseline.json has', () => {
  const { status, stderr } = spawnSync('node', ['scripts/docs-rivals.mjs', '--check'], { encoding: 'utf8' })
  expect(status, stderr).toBe(0)
})

it('the Python client has the indicators of the catalogue', () => {
  const written = readFileSync('python/src/candela_client/_indicators.py', 'utf8')
  const [, table = ''] = /^PARAMETERS: .* = {$([\s\S]*?)^}$/m.exec(written) ?? []
  const names = [...table.matchAll(/^ {4}"(\w+)": \(/gm)].map(([, name]) => name)
  expect(names.sort()).toEqual([...catalogue.keys()].sort())
})
