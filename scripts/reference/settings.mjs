// The table of settings in the page /help/settings.
import { settings } from '#dist/operate/settings/config.js'

export const settingsTable = [
  '| Variable | Default | Allowed | Meaning |',
  '|---|---|---|---|',
  ...settings.map(
    ({ name, default: standard, expected, meaning }) =>
      `| \`${name}\` | \`${standard}\` | ${expected} | ${meaning} |`,
  ),
].join('\n')
