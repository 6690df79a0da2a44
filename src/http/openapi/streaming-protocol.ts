import { authenticationSeconds, maxMessageBytes } from '../../contract/limits.js'
import { closings } from '../../contract/messages.js'

/** The protocol of the streaming connection in CommonMark, because OpenAPI cannot describe messages; `asyncapi.json` describes each of them. */
export const streamingProtocol = `Every message is a JSON object in a text frame, at most ${maxMessageBytes / 1024} KiB from the client.

| Message of the client | fields | reply |
|---|---|---|
| \`auth\` | \`token\`: \`Bearer <API_KEY>\` | \`auth_ok\`, or \`auth_error\` with \`error\`; without a key the connection closes after ${authenticationSeconds} seconds |
| \`subscribe\` | \`id\`, \`exchange\`, \`symbol\`, \`interval\`, \`indicator\`, \`params\` (object), \`candleClose\` (true: closed candles only) | \`update\` at once, then whenever there is a new value: \`subscription\` (\`<exchange>:<symbol>:<interval>\`), \`indicator\`, \`params\` (every one), \`closed\` (false while the candle is forming) and \`data\`: the outputs (a single one under the indicator's name) and \`timestamp\` |
| \`unsubscribe\` | \`id\`: \`<exchange>_<symbol>_<interval>_<id>\`, lower case, symbol without slash | nothing |
| \`alerts\` | \`ack\` (true: alerts are kept until acknowledged) | \`alerts_ok\`, then \`alert\` whenever an alert of the key without a webhook or an e-mail address fires; with \`id\`, \`alert\`, \`exchange\`, \`symbol\`, \`timeframe\`, \`expression\`, \`on\`, \`trigger\`, \`timestamp\`, \`timestampHuman\`, \`closed\` and \`price\` |
| \`alert_ack\` | \`id\` of an \`alert\` | nothing |
| \`screen\` | \`id\`, and \`exchange\`, \`timeframe\`, \`symbols\` or \`quote\`, \`where\` and \`select\` of \`POST /screen\` | \`screen_pending\` with \`id\`, \`done\` and \`total\` while candles are fetched, \`screen_ok\` with \`id\`, \`matches\`, \`screened\` and \`failed\`, then \`screen_update\` whenever something has changed: \`id\`, \`entered\`, \`changed\` (matches) and \`left\` (symbols) |
| \`screen_stop\` | \`id\` | nothing |
| \`breadth\` | \`id\`, and the fields of \`POST /breadth\` without \`from\` and \`to\` | \`breadth_pending\` with \`id\`, \`done\` and \`total\` while candles are fetched, \`breadth_ok\` with \`id\` and the answer of \`POST /breadth\`, then \`breadth_update\` with \`id\` and the candles that have come or changed |
| \`breadth_stop\` | \`id\` | nothing |
| \`list\` | | \`subscriptions\` with \`data\`: \`id\` (composed), \`exchange\`, \`symbol\`, \`interval\`, \`indicator\`, \`params\` |

What cannot be followed is answered by \`error\` with \`id\` (the client's, or null) and \`error\`.

| Close code | because | a client should |
|---|---|---|
${closings()
  .map(({ code, because, next }) => `| ${code} | ${because} | ${next} |`)
  .join('\n')}`
