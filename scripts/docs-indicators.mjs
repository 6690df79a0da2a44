// Writes docs/indicators.md, and the number of indicators into README.md.
//
//   node scripts/docs-indicators.mjs           writes them
//   node scripts/docs-indicators.mjs --check   fails if one of them is out of date
//
// Both read the built service; `npm run docs` builds it first.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeOrCheck } from './generated-files.mjs'
import { agreementCount } from './reference/agreement.mjs'
import { indicatorCount, indicatorList } from './reference/indicators.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const marked = (text, mark, value) =>
  text.replaceAll(new RegExp(`(<!-- ${mark} -->).*?(?=<!-- /${mark} -->)`, 'g'), `$1${value}`)

const readme = readFileSync(`${root}README.md`, 'utf8').replaceAll('\r\n', '\n')
const { confirmed, all } = agreementCount
writeOrCheck(
  root,
  new Map([
    [
      'README.md',
      marked(marked(readme, 'indicators', indicatorCount), 'agreement', `${confirmed} of ${all}`),
    ],
    ['docs/indicators.md', indicatorList],
  ]),
)
