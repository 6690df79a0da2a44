import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { settings } from '../../src/config.js'
import { plans } from '../../src/store/store.js'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

it('lists the settings of src/config.ts', () => {
  const rows = settings.map(
    ({ name, default: standard, meaning }) => `| \`${name}\` | \`${standard}\` | ${meaning} |`,
  )
  const table = ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
  expect(/<!-- settings -->\n([\s\S]*?)\n<!-- \/settings -->/.exec(readme)?.[1]).toBe(table)
})

it('lists the plans of src/store/store.ts', () => {
  for (const [plan, { requests, constructs, subscriptions }] of Object.entries(plans)) {
    expect(readme).toContain(`| ${plan} | ${requests} | ${constructs} | ${subscriptions} |`)
  }
})
