import type { Study, View } from '../view/view.js'
import { bulkBody, candlesPath } from './requests.js'

/** Environment variable with the key in examples; a key is never written into a text that is meant to be shared. */
const variable = 'CANDELA_KEY'
const needed = `${variable} must be set to your key.`
/** The first lines of programs in JavaScript. */
const readKey = `const key = process.env.${variable}
if (!key) throw new Error('${needed}')
`

export const languages = ['curl', 'TypeScript', 'Python', 'WebSocket'] as const
export type Language = (typeof languages)[number]

const indent = (text: string, spaces: number) => text.replaceAll('\n', `\n${' '.repeat(spaces)}`)
/** The request for the newest values of the indicators on the chart; without indicators, for its candles. */
function requestOf({ market, studies }: View, results: number) {
  const path = studies.length === 0 ? candlesPath(market, { results }) : 'bulk'
  return { path, body: studies.length === 0 ? undefined : bulkBody(market, studies, { results }) }
}

/** JSON with one indicator per line: short enough to be read, and equal to the sent body. */
function writeBody(body: ReturnType<typeof bulkBody>): string {
  const [construct] = body.constructs
  const { indicators = [], ...market } = construct ?? {}
  const lines = indicators.map(indicator => `      ${JSON.stringify(indicator)}`).join(',\n')
  const fields = Object.entries(market).map(([name, value]) => `"${name}":${JSON.stringify(value)}`)
  return `{
  "constructs": [{
    ${fields.join(', ')},
    "indicators": [
${lines}
    ]
  }],
  "verbose": ${body.verbose}
}`
}

/** A text in single quotes of a shell. */
const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function curl(base: string, view: View, results: number): string {
  const { path, body } = requestOf(view, results)
  const start = `# ${needed}\ncurl ${shellQuoted(base + path)} \\\n  -H "Authorization: Bearer \${${variable}:?is not set}"`
  if (!body) return start
  return `${start} \\\n  -H 'Content-Type: application/json' \\\n  -d ${shellQuoted(writeBody(body))}`
}

function typescript(base: string, view: View, results: number): string {
  const { path, body } = requestOf(view, results)
  const authorization = `authorization: \`Bearer \${key}\``
  const options = body
    ? `  method: 'POST',
  headers: {
    ${authorization},
    'content-type': 'application/json',
  },
  body: JSON.stringify(${indent(writeBody(body), 2)}),`
    : `  headers: { ${authorization} },`
  return `${readKey}
const response = await fetch('${base}${path}', {
${options}
})
if (!response.ok) throw new Error(await response.text())
const ${body ? 'values' : 'candles'} = await response.json()
console.log(${body ? 'values.chart' : 'candles'})`
}

const pythonLiteral = (json: string) =>
  json.replace(/("(?:[^"\\]|\\.)*")|\btrue\b|\bfalse\b|\bnull\b/g, (word, text) => {
    if (text !== undefined) return text
    return word === 'true' ? 'True' : word === 'false' ? 'False' : 'None'
  })

function python(base: string, view: View, results: number): string {
  const { path, body } = requestOf(view, results)
  const headers = `headers={"Authorization": f"Bearer {os.environ['${variable}']}"}`
  const json = body ? `\n    json=${indent(pythonLiteral(writeBody(body)), 4)},` : ''
  return `import os
import requests

if "${variable}" not in os.environ:
    raise SystemExit("${needed}")
response = requests.${body ? 'post' : 'get'}(
    "${base}${path}",
    ${headers},${json}
)
response.raise_for_status()
print(response.json()${body ? '["chart"]' : ''})`
}

const subscribeMessage = ({ market, studies }: View) => {
  const { exchange, symbol, timeframe: interval } = market
  const candles = { id: 'candles', indicator: 'candle', params: {} }
  return [candles, ...studies.map(({ id, indicator, params }: Study) => ({ id, indicator, params }))].map(
    ({ id, indicator, params }) =>
      JSON.stringify({ type: 'subscribe', id, exchange, symbol, interval, indicator, params }),
  )
}

function webSocket(base: string, view: View): string {
  return `${readKey}if (!globalThis.WebSocket) throw new Error('Node 22 or later is needed; with Node 20, use the package ws.')

const socket = new WebSocket('${base.replace(/^http/, 'ws')}streaming')
const subscriptions = [
${subscribeMessage(view)
  .map(message => `  ${message},`)
  .join('\n')}
]
socket.onopen = () =>
  socket.send(JSON.stringify({ type: 'auth', token: \`Bearer \${key}\` }))
socket.onclose = ({ code, reason }) => console.error('The connection has ended:', code, reason)
socket.onmessage = ({ data }) => {
  const message = JSON.parse(data)
  if (message.type === 'auth_ok')
    for (const subscription of subscriptions) socket.send(JSON.stringify(subscription))
  else console.log(message)
}`
}

/**
 * The request for the contents of the chart in a language; `base` is the address of the service, with a slash at the end.
 */
export function requestText(language: Language, base: string, view: View, results: number): string {
  switch (language) {
    case 'curl':
      return curl(base, view, results)
    case 'TypeScript':
      return typescript(base, view, results)
    case 'Python':
      return python(base, view, results)
    case 'WebSocket':
      return webSocket(base, view)
  }
}
