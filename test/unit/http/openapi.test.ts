import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/catalogue/index.js'
import { readQuery } from '../../../src/contract/query.js'
import { isRefusal } from '../../../src/contract/refusals.js'
import { routeTable } from '../../../src/http/route-table.js'

// biome-ignore lint/suspicious/noExplicitAny: the document is read as plain JSON, as a client reads it
let document: any
beforeAll(() => {
  // What `npm run build` has written; `service/files.test.ts` compares it with its source.
  document = JSON.parse(readFileSync(new URL('../../../build/openapi.json', import.meta.url), 'utf8'))
})

/** Every value of the key `$ref` in a JSON value. */
function* references(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$ref') yield inner as string
    else yield* references(inner)
  }
}

const resolve = (reference: string) =>
  reference
    .slice(2)
    .split('/')
    // biome-ignore lint/suspicious/noExplicitAny: as above
    .reduce<any>((inner, key) => inner?.[key.replaceAll('~1', '/')], document)

const entries = [...catalogue.values()]

describe('the OpenAPI document', () => {
  it('is valid by the schema of OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect(valid, JSON.stringify(errors)?.slice(0, 2000)).toBe(true)
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '2.0.0'])
  })

  it('has no reference to a missing component, and no component without a reference', () => {
    const referred = new Set(references(document))
    for (const reference of referred) expect(resolve(reference), reference).toBeDefined()
    for (const kind of ['headers', 'parameters', 'responses', 'schemas']) {
      for (const name of Object.keys(document.components[kind]))
        expect(referred, 'the references').toContain(`#/components/${kind}/${name}`)
    }
  })

  it('says which ids and which defaults of results there are, and what 404 and 405 carry', () => {
    const { BulkIndicator, MarketConstruct } = document.components.schemas
    expect(BulkIndicator.properties.id).toMatchObject({
      maxLength: 100,
      not: { enum: ['_asset', '_error', '_age'] },
      description: expect.stringContaining('`_asset`, `_error`, `_age` are reserved'),
    })
    expect(MarketConstruct.properties.id.maxLength).toBe(100)
    expect(BulkIndicator.properties.results.description).toContain('Default: 1; `candles`: 14.')
    const { get, post } = document.paths['/indicator/candles']
    const inQuery = get.parameters.find(({ name }: { name?: string }) => name === 'results')
    expect(inQuery.description).toContain('Default: 14 with the default parameters')
    const inBody = post.requestBody.content['application/json'].schema.properties.results
    expect(inBody.description).toContain('Default: 14 with the default parameters')
    expect(document.info.description).toMatch(/404 for an unknown path and 405/)
    for (const path of ['/bulk', '/bulk-candles'])
      expect(Object.keys(document.paths[path].post.responses)).toContain('503')
  })

  it('says which series of a derivative a symbol may name', () => {
    const { description } = document.components.parameters.symbol
    expect(description).toContain('`.funding`, `.openinterest`, `.markprice` or `.indexprice`')
  })

  it('names each operation once', () => {
    const ids = Object.values(document.paths).flatMap(path =>
      Object.values(path as object).map(operation => operation.operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('has every route with the statuses of its replies, and no other', () => {
    const expected = routeTable.flatMap(route => {
      const { path, method, needsKey, maxBytes, mayBePending } = route
      const { replies, statuses = [] } = route.describe()
      const ofKey = [
        400,
        401,
        403,
        429,
        503,
        ...(maxBytes > 0 ? [413, 415] : []),
        ...(mayBePending ? [202] : []),
      ]
      const all = new Set([
        ...Object.keys(replies),
        ...statuses.map(String),
        ...(needsKey ? ofKey : []).map(String),
      ])
      return (path === '/indicator/{name}' ? entries.map(({ name }) => `/indicator/${name}`) : [path]).map(
        one => `${method} ${one} ${[...all].sort()}`,
      )
    })
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods as object).map(
        ([method, { responses }]) => `${method} ${path} ${Object.keys(responses).sort()}`,
      ),
    )
    expect(described.sort()).toEqual(expected.sort())
  })

  it('has the status 503 for the bulk routes', () => {
    for (const path of ['/bulk', '/bulk-candles'])
      expect(document.paths[path].post.responses, path).toHaveProperty('503')
  })

  it('has a path for every indicator and for no other', () => {
    const paths = Object.keys(document.paths).filter(path => path.startsWith('/indicator/'))
    expect(paths.sort()).toEqual(entries.map(({ name }) => `/indicator/${name}`).sort())
  })
})

describe.each(entries)('the path of $name', entry => {
  const path = () => document.paths[`/indicator/${entry.name}`]
  const body = () => path().post.requestBody.content['application/json'].schema
  /** The parameters that the service accepts, as the refusal of an unknown one lists them. */
  const accepted = (otherFields: readonly string[]) => {
    const refusal = readQuery(entry, new Map([['nonsense', '1']]), 'text', otherFields)
    return isRefusal(refusal) ? (refusal.error.split('accepts: ')[1] as string).split(', ') : []
  }

  it('has exactly the query parameters that the service accepts', () => {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const given: any[] = path().get.parameters
    const names = given
      .map(parameter => (parameter.$ref ? resolve(parameter.$ref) : parameter))
      .filter(parameter => parameter.in === 'query')
      .map(parameter => parameter.name)
    expect(names.sort()).toEqual(
      accepted(['exchange', 'symbol', 'timeframe', 'adjustment', 'asOf', 'maxAge', 'format']).sort(),
    )
  })

  it('has exactly the body fields that the service accepts', () => {
    expect(Object.keys(body().properties).sort()).toEqual(accepted(['candles']).sort())
    expect(body().required).toEqual(['candles'])
  })

  it('has type, range and default of each parameter', () => {
    for (const [name, param] of Object.entries(entry.params)) {
      const schema = body().properties[name]
      if (param.follows) expect(schema.description).toContain(param.follows)
      else expect(schema.default).toBe(param.default)
      if (param.kind === 'integer' || param.kind === 'number')
        expect([schema.type, schema.minimum, schema.maximum]).toEqual([param.kind, param.min, param.max])
      if (param.kind === 'choice') expect(schema.enum).toEqual(param.of)
      if (param.kind === 'average')
        expect(schema.oneOf).toEqual([
          { type: 'integer', minimum: 0, maximum: 8 },
          { type: 'string', enum: param.of },
        ])
    }
  })

  it('has every output in its result', () => {
    const result = document.components.schemas[`result.${entry.name}`]
    const names = [...entry.outputs.map(output => output.name), 'timestamp']
    expect(Object.keys(result.properties)).toEqual(names)
    expect(result.required).toEqual(names)
  })
})
