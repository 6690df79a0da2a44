import { timeframes } from '../../candles/timeframe.js'
import {
  type Description,
  describe,
  type ParameterDescription,
  stabilities,
} from '../../catalogue/description.js'
import { catalogue, categories, sources } from '../../catalogue/index.js'
import { bulkLimits, idPattern } from '../../contract/bulk.js'
import { maxSuppliedCandles } from '../../contract/supplied-candles.js'
import { ok, type Reply } from '../reply.js'

/** The version of the interface, not of the program. */
const version = '2.0.0'

type Json = Readonly<Record<string, unknown>>

const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })
const refs = (kind: string, names: readonly string[]): Json =>
  Object.fromEntries(names.map(name => [name, ref(kind, name)]))
const object = (properties: Json, required: readonly string[], more: Json = {}): Json => ({
  type: 'object',
  properties,
  required,
  ...more,
})
const array = (items: Json, more: Json = {}): Json => ({ type: 'array', items, ...more })
const json = (schema: Json): Json => ({ 'application/json': { schema } })
const text = (description: string, more: Json = {}): Json => ({ type: 'string', description, ...more })
const number = (description: string): Json => ({ type: 'number', description })

const seconds = { type: 'integer', description: 'Unix seconds of the candle open' }

/** Headers of every reply to a caller with a key. */
const rate = refs('headers', ['RateLimit-Policy', 'RateLimit'])

const headers: Json = {
  'RateLimit-Policy': {
    description:
      'Requests (`q`) per window of `w` seconds: draft-ietf-httpapi-ratelimit-headers, structured field.',
    schema: { type: 'string' },
    example: '"window";q=30;w=15',
  },
  RateLimit: {
    description: 'Requests that remain (`r`) and seconds until the window ends (`t`).',
    schema: { type: 'string' },
    example: '"window";r=29;t=15',
  },
  'Retry-After': { description: 'Seconds after which to ask again.', schema: { type: 'integer' } },
  Warning: {
    description: '`110`: the exchange is down, the answer comes from the last candles that were fetched.',
    schema: { type: 'string' },
  },
  'Preference-Applied': {
    description: 'The wait that was asked for by `Prefer` and granted.',
    schema: { type: 'string' },
    example: 'wait=5',
  },
  'WWW-Authenticate': { description: 'The scheme that is expected: Bearer.', schema: { type: 'string' } },
}

const refusal = (description: string, own: readonly string[] = [], isKnown = true): Json => ({
  description,
  headers: { ...(isKnown ? rate : {}), ...refs('headers', own) },
  content: json(ref('schemas', 'Error')),
})

const responses: Json = {
  Pending: {
    description:
      'The candles are being fetched for the first time: repeat the request after `Retry-After`. Costs nothing.',
    headers: { ...rate, ...refs('headers', ['Retry-After', 'Preference-Applied']) },
    content: json(ref('schemas', 'Pending')),
  },
  BadRequest: refusal('A parameter or field is missing, mistyped, unknown or out of range.'),
  Unauthorized: refusal('The key is missing or invalid.', ['WWW-Authenticate'], false),
  NotFound: refusal('There is no such exchange, symbol or indicator.'),
  TooLarge: refusal('The body is larger than 4 MiB.'),
  UnsupportedMediaType: refusal('The body is not declared as application/json.'),
  TooManyRequests: refusal('The rate window or the plan is used up.', ['Retry-After']),
  Unavailable: refusal('The exchange cannot be reached.', ['Retry-After']),
}

const faults = (...statuses: readonly (keyof typeof named)[]): Json =>
  Object.fromEntries(statuses.map(status => [String(status), ref('responses', named[status])]))
const named = {
  202: 'Pending',
  400: 'BadRequest',
  401: 'Unauthorized',
  404: 'NotFound',
  413: 'TooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  503: 'Unavailable',
} as const

const answered = (description: string, schema: Json, own: readonly string[] = []): Json => ({
  '200': { description, headers: { ...rate, ...refs('headers', own) }, content: json(schema) },
})

const resultsSchema: Json = {
  oneOf: [{ type: 'integer', minimum: 1 }, { const: 'max' }],
  description: 'How many values, the newest ones; max for all there are.',
}
const backtrackSchema: Json = {
  type: 'integer',
  minimum: 0,
  default: 0,
  description: 'Candles to skip from the newest, which is the forming one.',
}
const timeframeSchema: Json = { type: 'string', enum: Object.keys(timeframes) }
const exchangeSchema = text('An identifier from GET /exchanges; `stocks` for US shares.', {
  examples: ['demo', 'stocks'],
})
const symbolSchema = text('A symbol without slash, or a ticker.', { examples: ['BTCUSDT', 'AAPL'] })

const query = (name: string, schema: Json, required = false): Json => ({
  name,
  in: 'query',
  required,
  schema,
})

const parameters: Json = {
  exchange: query('exchange', exchangeSchema, true),
  symbol: query('symbol', symbolSchema, true),
  timeframe: query('timeframe', timeframeSchema, true),
  results: query('results', { ...resultsSchema, default: 1 }),
  backtrack: query('backtrack', backtrackSchema),
  prefer: {
    name: 'Prefer',
    in: 'header',
    description: '`wait=<seconds>` (at most 10): be held instead of being told that the data is pending.',
    schema: { type: 'string', pattern: 'wait=\\d+', examples: ['wait=5'] },
  },
}
const market = ['exchange', 'symbol', 'timeframe'].map(name => ref('parameters', name))
const window = ['results', 'backtrack', 'prefer'].map(name => ref('parameters', name))

const id = text('The key of its entry in the answer.', {
  pattern: idPattern.source,
  maxLength: bulkLimits.nameLength,
})
const indicators = array(ref('schemas', 'BulkIndicator'), { minItems: 1, maxItems: bulkLimits.indicators })

const bulk = (construct: string): Json =>
  object(
    {
      constructs: array(ref('schemas', construct), { minItems: 1, maxItems: bulkLimits.constructs }),
      verbose: {
        type: 'boolean',
        default: false,
        description: 'Wrap each result with its indicator, its parameters and its errors.',
      },
    },
    ['constructs'],
    { additionalProperties: false },
  )

const candleFields = {
  open: number('Opening price'),
  high: number('Highest price'),
  low: number('Lowest price'),
  close: number('Closing price'),
  volume: { ...number('Traded volume'), minimum: 0 },
}
const shortFields = { o: 'open', h: 'high', l: 'low', c: 'close', v: 'volume' } as const

const schemas: Json = {
  Error: object({ error: text('What is wrong, for a human reader.') }, ['error'], {
    additionalProperties: false,
  }),
  Pending: object({ pending: { const: true }, key: text('Names the data that is fetched.') }, [
    'pending',
    'key',
  ]),
  Candle: object(
    {
      timestamp: seconds,
      timestampHuman: text('The same in UTC, YYYY-MM-DD HH:MM:SS'),
      ...candleFields,
    },
    ['timestamp', 'timestampHuman', ...Object.keys(candleFields)],
  ),
  SuppliedCandle: {
    description: 'One candle in the long or the short spelling; timestamps are on all candles or on none.',
    anyOf: [
      object({ timestamp: seconds, ...candleFields }, Object.keys(candleFields)),
      object(
        {
          t: seconds,
          ...Object.fromEntries(Object.entries(shortFields).map(([key, name]) => [key, candleFields[name]])),
        },
        Object.keys(shortFields),
      ),
    ],
  },
  SuppliedCandles: array(ref('schemas', 'SuppliedCandle'), {
    minItems: 1,
    maxItems: maxSuppliedCandles,
    description: 'Oldest to newest.',
  }),
  IndicatorResult: object({ timestamp: array({ type: 'integer' }) }, ['timestamp'], {
    description: 'One array per output, aligned with timestamp, oldest first; null where there is no value.',
    additionalProperties: array({}),
  }),
  BulkIndicator: object(
    {
      id,
      indicator: text('An identifier from GET /indicators, in any case.', { examples: ['rsi'] }),
      results: resultsSchema,
      backtrack: backtrackSchema,
    },
    ['id', 'indicator'],
    {
      description: 'Beside these fields it takes the parameters of its indicator.',
      additionalProperties: true,
    },
  ),
  MarketConstruct: object(
    { id, exchange: exchangeSchema, symbol: symbolSchema, timeframe: timeframeSchema, indicators },
    ['id', 'exchange', 'symbol', 'timeframe', 'indicators'],
    { additionalProperties: false },
  ),
  CandlesConstruct: object(
    { id, candles: ref('schemas', 'SuppliedCandles'), indicators },
    ['id', 'candles', 'indicators'],
    { additionalProperties: false },
  ),
  Envelope: object(
    {
      indicator: { type: 'string' },
      params: { type: 'object', description: 'Every parameter, defaults included.' },
      result: { anyOf: [ref('schemas', 'IndicatorResult'), { type: 'null' }] },
      errors: array({ type: 'string' }),
    },
    ['indicator', 'params', 'result', 'errors'],
  ),
  BulkResult: {
    type: 'object',
    description: 'By construct id, then by indicator id.',
    additionalProperties: {
      type: 'object',
      properties: {
        _error: text('Why the candles of this construct could not be had.'),
        _asset: object(
          { exchange: { type: 'string' }, symbol: { type: 'string' }, timeframe: timeframeSchema },
          ['exchange', 'symbol', 'timeframe'],
          { description: 'With verbose on exchange data: the market.' },
        ),
      },
      additionalProperties: {
        anyOf: [ref('schemas', 'IndicatorResult'), ref('schemas', 'Envelope'), { type: 'null' }],
      },
    },
  },
  ExchangeList: object({ exchanges: array({ type: 'string' }), count: { type: 'integer' } }, [
    'exchanges',
    'count',
  ]),
  SymbolList: object({ count: { type: 'integer' }, symbols: array({ type: 'string' }) }, [
    'count',
    'symbols',
  ]),
  IndicatorList: object(
    { count: { type: 'integer' }, indicators: array(ref('schemas', 'IndicatorDescription')) },
    ['count', 'indicators'],
  ),
  IndicatorDescription: object(
    {
      id: { type: 'string' },
      title: { type: 'string' },
      category: { type: 'string', enum: Object.keys(categories) },
      parameters: array(
        object(
          {
            name: { type: 'string' },
            type: { enum: ['integer', 'number', 'string', 'boolean'] },
            default: { type: ['number', 'string', 'boolean'] },
            minimum: { type: 'number' },
            maximum: { type: 'number' },
            choices: array({ type: 'string' }),
            follows: text('The parameter whose value is the default when that one was given.'),
            meaning: text('What the numbers stand for.'),
            atMost: text('The parameter that this one must not exceed.'),
            atLeast: text('The parameter that must not exceed this one.'),
          },
          ['name', 'type', 'default'],
        ),
      ),
      outputs: array(
        object(
          {
            name: { type: 'string' },
            kind: { enum: ['number', 'signal', 'flag', 'label'] },
            labels: array({ type: 'string' }),
          },
          ['name', 'kind'],
        ),
      ),
      inputs: array({ type: 'string' }),
      source: { type: 'boolean', description: 'Whether `source` replaces the first input.' },
      source2: { type: 'boolean', description: 'Whether `source2` replaces the second input.' },
      lookback: { type: 'integer', description: 'Candles before the first value, by default.' },
      results: { type: 'integer', description: 'Values returned where `results` is not given, by default.' },
      stability: { enum: Object.values(stabilities) },
      overlay: { type: 'boolean', description: 'Whether the outputs are prices.' },
    },
    [
      'id',
      'title',
      'category',
      'parameters',
      'outputs',
      'inputs',
      'source',
      'source2',
      'lookback',
      'results',
      'stability',
      'overlay',
    ],
  ),
  Status: object({ status: { type: 'string' } }, ['status']),
  StreamingHealth: object(
    {
      status: { const: 'ok' },
      connections: { type: 'integer', description: 'Connections that are open.' },
      subscriptions: { type: 'integer', description: 'Subscriptions of all connections.' },
      feeds: { type: 'integer', description: 'Markets that are watched or polled.' },
      uptime: { type: 'integer', description: 'Seconds since the service started.' },
    },
    ['status', 'connections', 'subscriptions', 'feeds', 'uptime'],
  ),
}

/** The schema of a parameter's value. */
function schemaOf(parameter: ParameterDescription): Json {
  const { type, minimum, maximum, choices, follows, meaning, atMost, atLeast } = parameter
  // JSON Schema has no word for a default that depends on another field.
  const rule = follows
    ? `Default: the value of ${follows} where that is given, else ${parameter.default}.`
    : undefined
  const relation = atMost ? `At most ${atMost}.` : atLeast ? `At least ${atLeast}.` : undefined
  const words = [meaning && `${meaning}.`, relation, rule].filter(Boolean).join(' ')
  return {
    type,
    ...(minimum === undefined ? {} : { minimum, maximum }),
    ...(choices ? { enum: choices } : {}),
    ...(rule ? {} : { default: parameter.default }),
    ...(words ? { description: words } : {}),
  }
}

/** Own parameters of an indicator with the schemas of their values, the source columns included. */
function ownParameters({ parameters, inputs, source, source2 }: Description): readonly [string, Json][] {
  const column = (input: string | undefined): Json => ({
    type: 'string',
    enum: sources,
    default: input,
    description: 'The price column to calculate with.',
  })
  return [
    ...parameters.map((parameter): [string, Json] => [parameter.name, schemaOf(parameter)]),
    ...(source ? [['source', column(inputs[0])] as [string, Json]] : []),
    ...(source2 ? [['source2', column(inputs[1])] as [string, Json]] : []),
  ]
}

/** The result of one indicator: an array per output, and the timestamps. */
function resultOf({ outputs }: Description): Json {
  const columns = outputs.map(({ name, kind, labels }): [string, Json] => {
    if (kind === 'label') return [name, array({ enum: [...(labels ?? []), null] })]
    const type = kind === 'flag' ? 'boolean' : kind === 'signal' ? 'integer' : 'number'
    return [name, array({ type: [type, 'null'] })]
  })
  return object({ ...Object.fromEntries(columns), timestamp: array({ type: 'integer' }) }, [
    ...outputs.map(output => output.name),
    'timestamp',
  ])
}

/** The path of one indicator. */
function indicatorPath(description: Description): Json {
  const { id, title, category, lookback, results, stability } = description
  const own = ownParameters(description)
  const told = { tags: [category], summary: title }
  const result = answered('The newest values.', ref('schemas', `result.${id}`), [
    'Warning',
    'Preference-Applied',
  ])
  const usual = results === 1 ? ref('parameters', 'results') : query('results', resultsSchema)
  return {
    get: {
      ...told,
      operationId: `get_${id}`,
      description: `On exchange data. By default ${lookback} candles come before the first value; ${stability}.`,
      parameters: [...market, ...own.map(([name, schema]) => query(name, schema)), usual, ...window.slice(1)],
      responses: { ...result, ...faults(202, 400, 401, 404, 429, 503) },
    },
    post: {
      ...told,
      operationId: `post_${id}`,
      description: 'On supplied candles.',
      requestBody: {
        required: true,
        content: json(
          object(
            {
              candles: ref('schemas', 'SuppliedCandles'),
              ...Object.fromEntries(own),
              results: results === 1 ? { ...resultsSchema, default: 1 } : resultsSchema,
              backtrack: backtrackSchema,
            },
            ['candles'],
            { additionalProperties: false },
          ),
        ),
      },
      responses: {
        ...answered('The newest values.', ref('schemas', `result.${id}`)),
        ...faults(400, 401, 413, 415, 429),
      },
    },
  }
}

/** The protocol of the streaming connection in CommonMark: OpenAPI has no words for messages. */
const streaming = `Every message is a JSON object in a text frame, at most 16 KiB from the client.

| The client says | with | and hears |
|---|---|---|
| \`auth\` | \`token\`: \`Bearer <API_KEY>\` | \`auth_ok\`, or \`auth_error\` with \`error\`; without a key the connection closes after 10 seconds |
| \`subscribe\` | \`id\`, \`exchange\`, \`symbol\`, \`interval\`, \`indicator\`, \`params\` (object), \`candleClose\` (true: closed candles only) | \`update\` at once, then whenever there is a new value: \`subscription\` (\`<exchange>:<symbol>:<interval>\`) and \`data\`: the outputs (a single one under the indicator's name) and \`timestamp\` |
| \`unsubscribe\` | \`id\`: \`<exchange>_<symbol>_<interval>_<id>\`, lower case, symbol without slash | nothing |
| \`list\` | | \`subscriptions\` with \`data\`: \`id\` (composed), \`exchange\`, \`symbol\`, \`interval\`, \`indicator\`, \`params\` |

What cannot be followed is answered by \`error\` with \`id\` (the client's, or null) and \`error\`.

| Close code | because |
|---|---|
| 1001 | the service is stopping |
| 1003, 1009 | a message was binary, or larger than 16 KiB |
| 1008 | too many messages |
| 1013 | updates were not read for 15 seconds |
| 4401 | the key was revoked |
| 4408 | no key within 10 seconds |`

const fixedPaths: Json = {
  '/bulk': {
    post: {
      tags: ['Bulk'],
      operationId: 'bulk',
      summary: 'Many indicators over many markets',
      description: 'Candles that cannot be had mark only their own construct, by `_error`.',
      requestBody: { required: true, content: json(ref('schemas', 'Bulk')) },
      responses: {
        ...answered('The results.', ref('schemas', 'BulkResult'), ['Warning']),
        ...faults(400, 401, 413, 415, 429),
      },
    },
  },
  '/bulk-candles': {
    post: {
      tags: ['Bulk'],
      operationId: 'bulkCandles',
      summary: 'Many indicators over supplied candles',
      requestBody: { required: true, content: json(ref('schemas', 'BulkCandles')) },
      responses: {
        ...answered('The results.', ref('schemas', 'BulkResult')),
        ...faults(400, 401, 413, 415, 429),
      },
    },
  },
  '/candles': {
    get: {
      tags: ['Market data'],
      operationId: 'candles',
      summary: 'Raw candles',
      parameters: [...market, ...window],
      responses: {
        ...answered('Candles, oldest first.', array(ref('schemas', 'Candle')), [
          'Warning',
          'Preference-Applied',
        ]),
        ...faults(202, 400, 401, 404, 429, 503),
      },
    },
  },
  '/exchanges': {
    get: {
      tags: ['Market data'],
      operationId: 'exchanges',
      summary: 'The exchanges',
      responses: { ...answered('Identifiers.', ref('schemas', 'ExchangeList')), ...faults(401, 429) },
    },
  },
  '/exchanges/{exchange}/symbols': {
    get: {
      tags: ['Market data'],
      operationId: 'symbols',
      summary: 'The symbols of an exchange',
      parameters: [{ name: 'exchange', in: 'path', required: true, schema: exchangeSchema }],
      responses: {
        ...answered('Symbols, those of spot markets first.', ref('schemas', 'SymbolList')),
        ...faults(401, 404, 429, 503),
      },
    },
  },
  '/indicators': {
    get: {
      tags: ['Catalogue'],
      operationId: 'indicators',
      summary: 'Every indicator with its parameters and outputs',
      responses: { ...answered('The catalogue.', ref('schemas', 'IndicatorList')), ...faults(401, 429) },
    },
  },
  '/openapi.json': {
    get: {
      tags: ['Catalogue'],
      operationId: 'openapi',
      summary: 'This document',
      security: [],
      responses: { '200': { description: 'An OpenAPI document.', content: json({ type: 'object' }) } },
    },
  },
  '/streaming': {
    get: {
      tags: ['Streaming'],
      operationId: 'streaming',
      summary: 'Live updates over a WebSocket',
      description: streaming,
      security: [],
      responses: {
        '101': { description: 'The connection is a WebSocket from here on.' },
        '426': { description: 'The request does not ask for one.', content: json(ref('schemas', 'Error')) },
        '503': { description: 'Too many connections.', content: json(ref('schemas', 'Error')) },
      },
    },
  },
  '/streaming/health': {
    get: {
      tags: ['Streaming'],
      operationId: 'streamingHealth',
      summary: 'What the streaming connections hold at present',
      responses: { ...answered('It works.', ref('schemas', 'StreamingHealth')), ...faults(401, 429) },
    },
  },
  '/health/live': {
    get: {
      tags: ['Health'],
      operationId: 'live',
      summary: 'Whether the process answers',
      security: [],
      responses: { '200': { description: 'It does.', content: json(ref('schemas', 'Status')) } },
    },
  },
  '/health/ready': {
    get: {
      tags: ['Health'],
      operationId: 'ready',
      summary: 'Whether requests are welcome',
      security: [],
      responses: {
        '200': { description: 'They are.', content: json(ref('schemas', 'Status')) },
        '503': { description: 'The service is stopping.', content: json(ref('schemas', 'Status')) },
      },
    },
  },
}

/** The OpenAPI 3.1 document of the whole interface. */
export function describeInterface(): Json {
  const descriptions = [...catalogue.values()].map(describe)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Candela',
      version,
      summary: 'Technical-analysis indicators: bulk computation, single indicators and raw candles.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: ['Bulk', 'Market data', 'Streaming', 'Catalogue', 'Health', ...Object.keys(categories)].map(
      name => ({ name }),
    ),
    paths: {
      ...fixedPaths,
      ...Object.fromEntries(
        descriptions.map(description => [`/indicator/${description.id}`, indicatorPath(description)]),
      ),
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer <API_KEY>`' },
      },
      headers,
      parameters,
      responses,
      schemas: {
        ...schemas,
        Bulk: bulk('MarketConstruct'),
        BulkCandles: bulk('CandlesConstruct'),
        ...Object.fromEntries(
          descriptions.map(description => [`result.${description.id}`, resultOf(description)]),
        ),
      },
    },
  }
}

let document: Reply | undefined

/** `GET /openapi.json`. The document is made when it is asked for the first time. */
export function openapi(): Reply {
  document ??= ok(JSON.stringify(describeInterface()))
  return document
}
