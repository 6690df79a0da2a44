// The pages of the help that are derived from the code, by their paths below docs. None of them is a file there.
import { agreementPage } from './agreement.mjs'
import { comparisonPage } from './comparison.mjs'
import { exchangesPage } from './exchanges.mjs'
import { indicatorPages } from './indicators.mjs'
import { messagesPage } from './messages.mjs'
import { settingsPage } from './settings.mjs'
import { settlingPage } from './settling.mjs'

export const referencePages = () =>
  new Map([
    ...indicatorPages(),
    ['agreement.md', agreementPage],
    ['comparison.md', comparisonPage],
    ['exchanges.md', exchangesPage],
    ['messages.md', messagesPage],
    ['settings.md', settingsPage],
    ['settling.md', settlingPage],
  ])
