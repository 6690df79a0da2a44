// Writes the table of settings in docs/settings.md.
//
//   node scripts/docs-settings.mjs           writes the table
//   node scripts/docs-settings.mjs --check   fails if the table is out of date
//
// Both use the built service; `npm run docs` builds it first.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { settings } from '#dist/operate/settings/config.js'

const target = fileURLToPath(new URL('../docs/settings.md', import.meta.url))
const marked = /(<!-- settings -->\n)[\s\S]*?(\n<!-- \/settings -->)/

const rows = settings.map(
  ({ name, default: standard, expected, meaning }) =>
    `| \`${name}\` | \`${standard}\` | ${expected} | ${meaning} |`,
)
const table = ['| Variable | Default | Allowed | Meaning |', '|---|---|---|---|', ...rows].join('\n')

// A checkout on Windows may have other line endings.
const current = readFileSync(target, 'utf8').replaceAll('\r\n', '\n')
if (!marked.test(current)) throw new Error('docs/settings.md has no place for the table')
const page = current.replace(marked, (_, start, end) => start + table + end)
if (page !== current && process.argv[2] === '--check') {
  console.error('docs/settings.md is out of date: run npm run docs')
  process.exitCode = 1
} else if (page !== current) writeFileSync(target, page)
