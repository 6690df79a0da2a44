// Writes the generated modules of the Python client: a method for each indicator of the catalogue, the types of replies from the
// OpenAPI document, names of columns, and the synchronous client, which is the asynchronous one without `await`. Also those of
// the Python library: a function for each indicator, the kernels, and the script that checks parameters.
// Reads the built service; `scripts/setup.mjs` runs this program.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  firstNames,
  indexNames,
  quoteCurrencies,
  spellings,
  tickNames,
  volumeStudies,
} from '#dist/candles/files/spellings.js'
import { timeframes } from '#dist/candles/timeframe.js'
import { describe } from '#dist/catalogue/description.js'
import { catalogue } from '#dist/catalogue/index.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const words = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)
const folder = join(root, 'python', 'src', 'candela_client')
/** Asynchronous modules by the names of their synchronous versions. */
const asynchronous = ['client', 'alerts'].map(name => [
  `_${name}`,
  readFileSync(join(folder, `_async_${name}.py`), 'utf8'),
])
/** Methods and fields of the clients, which no indicator replaces. */
const taken = new Set(
  asynchronous.flatMap(([, code]) =>
    [...code.matchAll(/^ +(?:async )?def (\w+)|self\.(\w+) =/gm)].map(([, method, field]) => method ?? field),
  ),
)

/** Names of the interface that differ in Python. Parameters of indicators keep their names. */
const renamed = { asOf: 'as_of', maxAge: 'max_age' }
const nameOf = name => renamed[name] ?? (/^\d/.test(name) ? `_${name}` : words.has(name) ? `${name}_` : name)
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
    { name: 'asOf', type: 'str | float' },
    { name: 'maxAge', type: 'int' },
    { name: 'chart', type: 'str' },
    { name: 'settled', type: 'int' },
  ]
  const all = [...own, ...ofSource, ...window]
  const given = all.map(({ name, type }) => `${nameOf(name)}: ${type} | None = None`).join(', ')
  const query = ['exchange', 'symbol', 'timeframe', 'adjustment', ...all.map(({ name }) => name)]
    .map(name => `"${name}": ${nameOf(name)}`)
    .join(', ')
  const defaults = parameters
    .map(({ name, default: value }) => `${nameOf(name)}=${literal(value)}`)
    .join(', ')
  const text = `${title.replaceAll('\\', '')}. ${defaults === '' ? '' : `By default ${defaults}. `}Columns: ${outputs.map(({ name }) => name).join(', ')}.`
  return `    def ${nameOf(id)}(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, ${given}) -> T:\n        """${text.replaceAll('"', "'")}"""\n        return self._ask("${id}", {${query}})\n`
}

const descriptions = [...catalogue.values()].map(describe).sort((a, b) => (a.id < b.id ? -1 : 1))
const parameters = descriptions.map(
  ({ id, parameters: own }) => `    "${id}": (${own.map(({ name }) => `"${name}",`).join(' ')}),`,
)

const text = `"""The indicators of the catalogue. Written by scripts/build-python.mjs: changes here are lost."""

from __future__ import annotations

from typing import Any, Generic, Literal, TypeVar

T = TypeVar("T")

Timeframe = Literal[${Object.keys(timeframes).map(literal).join(', ')}]

#: Prices of the exchange \`stocks\`: adjusted for splits, as traded, or adjusted for splits and dividends.
Adjustment = Literal["split", "raw", "all"]

#: Seconds of a candle of each timeframe; a month has its greatest length.
TIMEFRAMES: dict[str, int] = {
${Object.entries(timeframes)
  .map(([name, seconds]) => `    "${name}": ${seconds},`)
  .join('\n')}
}

#: The parameters of each indicator, in their order.
PARAMETERS: dict[str, tuple[str, ...]] = {
${parameters.join('\n')}
}

#: Indicators that read nothing but closes.
CLOSE_ONLY = frozenset(
    (
${descriptions
  .filter(({ inputs }) => inputs.length === 1 && inputs[0] === 'close')
  .map(({ id }) => `        "${id}",`)
  .join('\n')}
    )
)


class IndicatorMethods(Generic[T]):
    """A method for each indicator. Parameters that are not given have the defaults of the service."""

    def _ask(self, name: str, query: dict[str, Any]) -> T:
        raise NotImplementedError

${descriptions
  .filter(({ id }) => !taken.has(id))
  .map(methodOf)
  .join('\n')}`

const tuple = names => `(${names.map(name => `${literal(name)}, `).join('')})`
const columns = `"""Names of columns of candles. Written by scripts/build-python.mjs: changes here are lost."""

from __future__ import annotations

#: Possible names of a column by its role, preferred ones first, in the form of \`normalize\`.
SPELLINGS: dict[str, tuple[str, ...]] = {
${Object.entries(spellings)
  .map(([column, names]) => `    "${column === 'timestamp' ? 'time' : column}": ${tuple(names)},`)
  .join('\n')}
}

#: Names of the index of a frame.
INDEX_NAMES = ${tuple(indexNames)}

#: Names of a first column that is the index of a frame.
FIRST_NAMES = ${tuple(firstNames)}

#: Names of the number of price changes, which replaces the volume if a broker knows none.
TICK_NAMES = ${tuple(tickNames)}

#: Currencies of volumes in addition to the base currency.
QUOTE_CURRENCIES = ${tuple(quoteCurrencies)}

#: Words after volume that name a calculation over volumes.
VOLUME_STUDIES = ${tuple(volumeStudies)}
`

/** Replacements that turn asynchronous code into synchronous code, in this order. */
const synchronous = [
  [
    '"""The asynchronous client."""',
    '"""The synchronous client. Written by scripts/build-python.mjs from _async_client.py: changes here are lost."""',
  ],
  [
    'Alerts and lists, asynchronously."""',
    'Alerts and lists. Written by scripts/build-python.mjs from _async_alerts.py: changes here are lost."""',
  ],
  ['from ._async_alerts import', 'from ._alerts import'],
  ['AsyncAlerts', 'Alerts'],
  ['import asyncio\n', 'import time\n'],
  ['import AsyncGenerator, Awaitable, Callable, Mapping', 'import Callable, Generator, Mapping'],
  ['import Begin, OnState, follow', 'import Begin, OnState'],
  [
    'import ARROW, Table, concatenate\n',
    'import ARROW, Table, concatenate\nfrom ._thread import in_thread\n',
  ],
  [
    'follow(begin, self.bulk_results, self.url, self._key, on_state)',
    'in_thread(begin, on_state, url=self.url, key=self._key, wait_seconds=self._wait_seconds)',
  ],
  [/AsyncGenerator\[(\w+), None\]/g, 'Generator[$1, None, None]'],
  ['whose methods are awaited', 'whose methods wait for their answers'],
  ['__aexit__', '__exit__'],
  ['__aenter__', '__enter__'],
  ['aclose()', 'close()'],
  ['await asyncio.sleep', 'time.sleep'],
  [/Awaitable\[(\w+)\]/g, '$1'],
  ['AsyncCandela', 'Candela'],
  ['httpx.Async', 'httpx.'],
  ['async def ', 'def '],
  ['await ', ''],
]

const clients = asynchronous.map(([name, code]) => [
  name,
  synchronous.reduce((written, [from, to]) => written.replaceAll(from, to), code),
])

/** Types of Python by types of JSON schemas. */
const simple = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
  undefined: 'Any',
}
const capital = name => name[0].toUpperCase() + name.slice(1)

/** A TypedDict for each of the named schemas and for each object inside them, named after its schema and its field. */
function typesOf(schemas, names) {
  const classes = new Map()

  function typeOf(schema, name) {
    const { $ref, type, anyOf, items, properties, additionalProperties } = schema
    if ($ref) return capital($ref.split('/').at(-1))
    const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
    if (choices) return `Literal[${choices.map(literal).join(', ')}]`
    if (anyOf) return [...new Set(anyOf.map(each => typeOf(each, name)))].join(' | ')
    if (Array.isArray(type)) return type.map(each => simple[each]).join(' | ')
    if (type === 'array') return `list[${typeOf(items ?? {}, name.replace(/s$/, ''))}]`
    if (type !== 'object') return simple[type]
    // The request decides the field names, as with `select` and parameters.
    if (additionalProperties) return 'dict[str, Any]'
    addClass(name, properties, schema.required ?? [])
    return name
  }

  function addClass(name, properties, required) {
    const fields = Object.entries(properties).map(([field, schema]) => {
      const type = typeOf(schema, name + capital(field))
      return [field, required.includes(field) ? type : `NotRequired[${type}]`, schema.description]
    })
    const comment = text => (text ? `    #: ${text.replaceAll(/\s+/g, ' ')}\n` : '')
    const isClass = !fields.some(([field]) => words.has(field))
    const lines = fields.map(([field, type, text]) =>
      isClass
        ? `${comment(text)}    ${field}: ${type}\n`
        : `${comment(text)}    ${JSON.stringify(field)}: ${JSON.stringify(type)},\n`,
    )
    const text = isClass
      ? `class ${name}(TypedDict):\n${lines.join('')}`
      : `${name} = TypedDict("${name}", {\n${lines.join('').replaceAll('\\"', "'")}})\n`
    classes.set(name, text)
  }

  for (const name of names) typeOf(schemas[name], name)
  return [...classes.values()].join('\n\n')
}

const { components } = JSON.parse(readFileSync(join(root, 'build/openapi.json'), 'utf8'))
const answers = `"""The answers in JSON. Written by scripts/build-python.mjs: changes here are lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired


${typesOf(components.schemas, [
  'EvaluationResult',
  'ReturnStatistics',
  'ExpressionCheck',
  'Alert',
  'AlertMessage',
  'AlertTest',
  'DeadLetter',
  'NamedList',
  'BreadthResult',
  'ScreenFailure',
  'StaleMarket',
])}`

const files = [['_indicators', text], ...clients, ['_answers', answers], ['_spellings', columns]]
for (const [name, code] of files) writeFileSync(join(folder, `${name}.py`), code)

/** Folder of the Python library. */
const library = join(root, 'python', 'ta', 'src', 'candela_ta')
const definitions = JSON.parse(readFileSync(join(root, 'build', 'definitions.json'), 'utf8'))

/**
 * Parameters of an indicator with their types in Python. The default of a parameter that depends on others is None, because
 * the service treats it differently if it is given.
 */
function typedParameters({ id, parameters, source, source2 }) {
  const { params } = catalogue.get(id)
  const receivers = new Set(Object.values(params).map(({ passesTo }) => passesTo))
  const own = parameters.map(parameter => {
    const isDependent = params[parameter.name].follows !== undefined || receivers.has(parameter.name)
    const value = isDependent ? 'None' : literal(parameter.default)
    return { name: parameter.name, type: `${typeOf(parameter)}${isDependent ? ' | None' : ''}`, value }
  })
  const ofSource = [source && 'source', source2 && 'source2'].filter(
    name => name && !parameters.some(parameter => parameter.name === name),
  )
  return [...own, ...ofSource.map(name => ({ name, type: 'Source | None', value: 'None' }))]
}

function boundsOf({ name, default: value, minimum, maximum, choices }) {
  const bounds = minimum === undefined ? choices?.join(', ') : `${minimum} to ${maximum}`
  return `    ${nameOf(name)}: ${literal(value)} by default${bounds ? `; ${bounds}` : ''}`
}

/** A function of the library for an indicator. Its inputs come first, then its parameters. */
function functionOf(description) {
  const { id, title, inputs, parameters, outputs } = description
  const own = typedParameters(description)
  const columns = inputs.map((name, k) => `${nameOf(name)}: Any${k === 0 ? '' : ' = None'}`)
  const rest = own.map(({ name, type, value }) => `${nameOf(name)}: ${type} = ${value}`)
  const paragraphs = [
    `${title}.`,
    ...(definitions[id]?.definition ?? []),
    ...(parameters.length > 0 ? [`Parameters:\n${parameters.map(boundsOf).join('\n')}`] : []),
    `Outputs: ${outputs.map(({ name }) => name).join(', ')}.`,
  ]
  const text = paragraphs
    .join('\n\n')
    .replaceAll(/[\\"]/g, "'")
    .replaceAll(/\n(?=[^\n])/g, '\n    ')
  const values = own.map(({ name }) => `${nameOf(name)}, `).join('')
  const given = inputs.map(name => `${nameOf(name)}, `).join('')
  return `def ${nameOf(id)}(${[...columns, ...rest].join(', ')}, **others: Any) -> Any:\n    """${text}\n    """\n    return _run("${id}", (${given}), (${values}), others)\n`
}

const rolesOfLibrary = {
  timestamp: [...spellings.timestamp, ...spellings.date, ...spellings.clock],
  ...Object.fromEntries(sources.slice(0, 5).map(name => [name, spellings[name]])),
}
const functions = `"""The indicators of the catalogue. Written by scripts/build-python.mjs: changes here are lost."""

from __future__ import annotations

from typing import Any, Literal

from ._compute import run as _run

__all__ = [${descriptions.map(({ id }) => literal(nameOf(id))).join(', ')}]

Source = Literal[${sources.map(literal).join(', ')}]


${descriptions.map(functionOf).join('\n\n')}`

const tables = `"""Names of the catalogue and of columns. Written by scripts/build-python.mjs: changes here are lost."""

from __future__ import annotations

from typing import Any

#: Inputs, parameters and defaults of each indicator.
INDICATORS: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[Any, ...]]] = {
${descriptions
  .map(each => {
    const own = typedParameters(each)
    const defaults = own.map(({ value }) => `${value}, `).join('')
    return `    "${each.id}": (${tuple(each.inputs)}, ${tuple(own.map(({ name }) => name))}, (${defaults})),`
  })
  .join('\n')}
}

#: Possible names of a column by its role, preferred ones first, in lower case without spaces and underscores.
SPELLINGS: dict[str, tuple[str, ...]] = {
${Object.entries(rolesOfLibrary)
  .map(([role, names]) => `    "${role}": ${tuple(names)},`)
  .join('\n')}
}
`
writeFileSync(join(library, '_indicators.py'), functions)
writeFileSync(join(library, '_catalogue.py'), tables)

const modules = join(root, 'node_modules')
for (const name of ['kernels.wasm', 'plans.js']) copyFileSync(join(root, 'build', name), join(library, name))
copyFileSync(join(modules, 'quickjs-wasi', 'quickjs.wasm'), join(library, 'quickjs.wasm'))
/** Holders of the engine inside quickjs-wasi, whose package names only its own. */
const engine = `QuickJS-NG, in quickjs-wasi, under the terms of the licence above

Copyright (c) 2017-2026 Fabrice Bellard
Copyright (c) 2017-2024 Charlie Gordon
Copyright (c) 2023-2026 Ben Noordhuis
Copyright (c) 2023-2026 Saúl Ibarra Corretgé

Its tables of Unicode: Copyright © 1991-2026 Unicode, Inc., https://www.unicode.org/license.txt`
const licences = ['quickjs-wasi', 'zod'].map(
  name => `${name}\n\n${readFileSync(join(modules, name, 'LICENSE'), 'utf8')}`,
)
writeFileSync(join(library, 'licences.txt'), [licences[0], engine, licences[1]].join('\n\n'))
