// The page /help/messages: every message for a person, with its cause and what to do, from docs/messages.json.
import { readFileSync } from 'node:fs'

const sections = JSON.parse(readFileSync(new URL('../../docs/messages.json', import.meta.url), 'utf8'))

const row = ({ texts, cause, remedy }) =>
  `| ${texts.map(text => `\`${text}\``).join(', ')} | ${cause} | ${remedy} |`

export const messagesPage = [
  '# Messages',
  '',
  'Every message of the service, its commands and the page, with its cause and what to do. `…` stands for a value. Paste a printed message into the search to find it here.',
  'Problems without a message are in [When something does not work](troubleshooting.md).',
  '',
  ...sections.flatMap(({ title, about, messages }) => [
    `## ${title}`,
    '',
    ...(about === undefined ? [] : [about, '']),
    '| Message | Cause | What to do |',
    '|---|---|---|',
    ...messages.map(row),
    '',
  ]),
].join('\n')
