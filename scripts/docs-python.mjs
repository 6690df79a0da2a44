// Writes what of the Python client follows from something else: its methods, one for each indicator, from the catalogue, and the
// synchronous client from the asynchronous one.
//
//   node scripts/docs-python.mjs           writes the files
//   node scripts/docs-python.mjs --check   fails if one is out of date
//
// Both use the built service; `npm run docs` builds it first.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe } from '#dist/catalogue/description.js'
import { catalogue } from '#dist/catalogue/index.js'
import { writeOrCheck } from './generated-files.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const words = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)
/** Methods of the clients, which no indicator replaces. */
const taken = new Set([
  'candles',
  'indicator',
  'expression',
  'compute',
  'bulk',
  'frame',
  'screen',
  'evaluate',
  'alerts',
  'exchanges',
  'symbols',
  'indicators',
  'close',
  'url',
])

const nameOf = name => (/^\d/.test(name) ? `_${name}` : words.has(name) ? `${name}_` : name)
const literal = value => (typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value))
const types = { integer: 'int', number: 'float', boolean: 'bool', string: 'str' }
const sources = ['open', 'high', 'low', 'close', 'volume', 'hl2', 'hlc3', 'ohlc4']

function typeOf({ type, choices, minimum }) {
  if (!choices) return types[type]
  const texts = `Literal[${choices.map(choice => JSON.stringify(choice)).join(', ')}]`
  return minimum === undefined ? texts : `int | ${texts}`
}

function methodOf({ id, title, parameters, outputs, source, source2 }) {
  const own = parameters.map(({ name, ...rest }) => ({ name, type: typeOf({ name, ...rest }) }))
  const ofSource = [source && 'source', source2 && 'source2']
    .filter(name => name && !parameters.some(parameter => parameter.name === name))
    .map(name => ({ name, type: `Literal[${sources.map(each => `"${each}"`).join(', ')}]` }))
  const names = new Set(parameters.map(({ name }) => name))
  const range =
    names.has('from') || names.has('to') ? [] : ['from', 'to'].map(name => ({ name, type: 'str | float' }))
  const window = [
    { name: 'results', type: 'int | Literal["max"]' },
    { name: 'backtrack', type: 'int' },
    ...range,
  ]
  const all = [...own, ...ofSource, ...window]
  const given = all.map(({ name, type }) => `${nameOf(name)}: ${type} | None = None`).join(', ')
  const query = ['exchange', 'symbol', 'timeframe', ...all.map(({ name }) => name)]
    .map(name => `"${name}": ${nameOf(name)}`)
    .join(', ')
  const defaults = parameters
    .map(({ name, default: value }) => `${nameOf(name)}=${literal(value)}`)
    .join(', ')
  const text = `${title.replaceAll('\\', '')}. ${defaults === '' ? '' : `By default ${defaults}. `}Columns: ${outputs.map(({ name }) => name).join(', ')}.`
  return `    def ${nameOf(id)}(self, *, exchange: str, symbol: str, timeframe: str, ${given}) -> T:\n        """${text.replaceAll('"', "'")}"""\n        return self._ask("${id}", {${query}})\n`
}

const descriptions = [...catalogue.values()].map(describe).sort((a, b) => (a.id < b.id ? -1 : 1))
const parameters = descriptions.map(
  ({ id, parameters: own }) => `    "${id}": (${own.map(({ name }) => `"${name}",`).join(' ')}),`,
)
const finite = descriptions
  .filter(({ stability }) => stability === 'start-independent')
  .map(({ id }) => `"${id}"`)

const text = `"""The indicators of the catalogue. Written by scripts/docs-python.mjs: changes here are lost."""

from __future__ import annotations

from typing import Any, Generic, Literal, TypeVar

T = TypeVar("T")

#: The parameters of each indicator, in their order.
PARAMETERS: dict[str, tuple[str, ...]] = {
${parameters.join('\n')}
}

#: Indicators whose values depend on a number of candles alone, not on where the history begins.
FINITE: frozenset[str] = frozenset(
    (${finite.join(', ')})
)


class IndicatorMethods(Generic[T]):
    """A method for each indicator. Parameters that are not given have the defaults of the service."""

    def _ask(self, name: str, query: dict[str, Any]) -> T:
        raise NotImplementedError

${descriptions
  .filter(({ id }) => !taken.has(id))
  .map(methodOf)
  .join('\n')}`

/** What is written otherwise where nothing is awaited, in this order. */
const synchronous = [
  [
    '"""The asynchronous client."""',
    '"""The synchronous client. Written by scripts/docs-python.mjs from _async_client.py: changes here are lost."""',
  ],
  [
    'import asyncio\nfrom collections.abc import Awaitable, Sequence',
    'import time\nfrom collections.abc import Sequence',
  ],
  ['whose methods are awaited', 'whose methods wait for their answers'],
  // The formatter puts into one line what fits into it.
  [/async def __aexit__\(\n +(.*)\n +\) -> None:/g, 'def __exit__($1) -> None:'],
  ['__aenter__', '__enter__'],
  ['aclose()', 'close()'],
  ['await asyncio.sleep', 'time.sleep'],
  ['Awaitable[Table]', 'Table'],
  ['AsyncCandela', 'Candela'],
  ['httpx.Async', 'httpx.'],
  ['async def ', 'def '],
  ['await ', ''],
]

const folder = 'python/src/candela_client'
const client = synchronous.reduce(
  (code, [from, to]) => code.replaceAll(from, to),
  readFileSync(join(root, folder, '_async_client.py'), 'utf8'),
)

writeOrCheck(
  root,
  new Map([
    [`${folder}/_indicators.py`, text],
    [`${folder}/_client.py`, client],
  ]),
)
