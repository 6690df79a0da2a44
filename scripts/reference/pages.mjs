// The pages of the help that are derived from the code, by their paths below docs. None of them is a file there.
import { readFileSync } from 'node:fs'
import { agreementPage } from './agreement.mjs'
import { comparisonPage } from './comparison.mjs'
import { exchangesPage } from './exchanges.mjs'
import { indicatorPages } from './indicators.mjs'
import { settingsTable } from './settings.mjs'
import { settlingPage } from './settling.mjs'

const settings = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8').replaceAll(
  '\r\n',
  '\n',
)

export const referencePages = () =>
  new Map([
    ...indicatorPages(),
    ['agreement.md', agreementPage],
    ['comparison.md', comparisonPage],
    ['exchanges.md', exchangesPage],
    ['settings.md', settings.replace(/^<!-- settings -->$/m, () => settingsTable)],
    ['settling.md', settlingPage],
  ])
