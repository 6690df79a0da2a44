// The page /help/settings.
import { settings } from '#dist/operate/settings/config.js'

export const settingsPage = [
  '# Settings',
  '',
  'Settings are environment variables, for the service and for the commands of `candela`. An empty variable counts as not set. An invalid value, or a name',
  'that is a letter or two away from a setting or begins with `CANDELA_`, `ALERTS_` or `STREAM_`, ends the start with a message.',
  '',
  'This command prints the values in force and where they come from. Secrets are not shown. In a container, run it there; for a unit of systemd, add',
  '`--property=EnvironmentFile=/etc/candela.env` to the function of [Deploying](deploying.md#systemd).',
  '',
  '```sh',
  'npx candela-ta settings --changed --json',
  '```',
  '',
  '| Variable | Default | Allowed | Meaning |',
  '|---|---|---|---|',
  ...settings.map(
    ({ name, default: standard, expected, meaning }) =>
      `| \`${name}\` | \`${standard}\` | ${expected} | ${meaning} |`,
  ),
  '',
  '## Options of exchanges',
  '',
  '`EXCHANGES` accepts, per exchange, every option of the constructor of ccxt, such as `{"binance":{"httpsProxy":"http://proxy:3128"}}`.',
  '`STOCKS` accepts `url`, `symbolsUrl` and `requestsPerSecond` (to Yahoo, default 4), and `alpaca`, `massive` and `twelvedata` with `url`, `streamUrl` and',
  '`requestsPerSecond`: `{"massive":{"requestsPerSecond":0.08}}`. See [sources of stocks](markets.md#sources-of-stocks).',
  '',
].join('\n')
