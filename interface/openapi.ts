import type { z } from 'zod'
import { type Description, describe } from '../src/catalogue/description.js'
import { catalogue, categories } from '../src/catalogue/index.js'
import type { Shape } from '../src/contract/fields.js'
import { maxWaitSeconds } from '../src/contract/limits.js'
import { settledShape } from '../src/contract/query.js'
import { candlesShape } from '../src/contract/requests.js'
import { mediaTypes } from '../src/contract/table-format.js'
import type { Route, RouteDescription } from '../src/http/route.js'
import { type AnyRoute, routeTable } from '../src/http/route-table.js'
import { version as program } from '../src/runtime/version.js'
import { describeIndicatorRoute } from './indicators.js'
import { type Json, ref, SchemaWriter } from './json-schema.js'
import { describeResponses, headers, responsesOf } from './responses.js'
import { streamingProtocol } from './stream-messages.js'

/** The version of the interface, not of the program. */
export const version = '2.0.0'

/** Examples of parameters that need one. */
const examples: Json = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h' }

/** Header field of a request whose reply may be 202. */
const prefer: Json = {
  name: 'Prefer',
  in: 'header',
  description: `\`wait=<seconds>\` (at most ${maxWaitSeconds}): wait so long for data that is still being fetched, instead of getting the reply 202 at once.`,
  schema: { type: 'string', pattern: 'wait=\\d+', examples: ['wait=5'] },
}

/** Writes the OpenAPI document of the routes. */
class InterfaceWriter {
  readonly #schemas = new SchemaWriter()
  /** The fields that several routes share, by their schema. */
  readonly #shared = new Map<z.ZodType, string>(
    Object.entries({ ...candlesShape(), ...settledShape() }).map(([name, field]) => [field, name]),
  )

  /** Every route; those of `/indicator/{name}` once for each indicator. */
  paths(indicators: readonly Description[]): Json {
    const paths: Record<string, Record<string, Json>> = {}
    const add = (path: string, route: AnyRoute, description: RouteDescription) => {
      paths[path] = { ...paths[path], [route.method]: this.#operation(route, description) }
    }
    for (const route of routeTable) {
      const description = route.describe()
      if (route.path !== '/indicator/{name}') add(route.path, route, description)
      else
        for (const indicator of indicators)
          add(
            route.path.replace('{name}', indicator.id),
            route,
            describeIndicatorRoute(description, indicator),
          )
    }
    return paths
  }

  components(): Json {
    const parameters = Object.fromEntries(
      [...this.#shared].map(([field, name]) => {
        const example = examples[name]
        return [name, { ...this.#parameter(name, field), ...(example !== undefined && { example }) }]
      }),
    )
    return {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer <API_KEY>`' },
      },
      headers,
      parameters: { ...parameters, prefer },
      responses: describeResponses(this.#schemas),
      schemas: this.#schemas.components(),
    }
  }

  #operation(route: AnyRoute, described: RouteDescription): Json {
    const { id, tag, summary, body } = described
    const description = route.path === '/streaming' ? streamingProtocol() : described.description
    const parameters = this.#parameters(route, described)
    const tables = route.takesTables ? { [mediaTypes.csv]: {}, [mediaTypes.arrow]: {} } : {}
    return {
      tags: [tag],
      operationId: id,
      summary,
      ...(description && { description }),
      ...(parameters.length > 0 && { parameters }),
      ...(body && {
        requestBody: { required: true, content: { ...this.#schemas.content(body), ...tables } },
      }),
      security: route.needsKey ? [{ bearer: [route.scope] }] : [],
      responses: responsesOf(route, described, this.#schemas),
    }
  }

  #parameters({ path, mayBePending }: Route, { segment, query = {} }: RouteDescription): readonly Json[] {
    const [, variable] = /\{(\w+)\}/.exec(path) ?? []
    return [
      ...(segment
        ? [{ name: variable, in: 'path', required: true, schema: this.#schemas.schema(segment) }]
        : []),
      ...this.#queryParameters(query),
      ...(mayBePending ? [ref('parameters', 'prefer')] : []),
    ]
  }

  #queryParameters(query: Shape): readonly Json[] {
    return Object.entries(query).map(([name, field]) => {
      const shared = this.#shared.get(field)
      return shared === undefined ? this.#parameter(name, field) : ref('parameters', shared)
    })
  }

  /** A parameter of a query string. Its description is next to its schema, where readers of the document look. */
  #parameter(name: string, field: z.ZodType): Json {
    const { description, ...schema } = this.#schemas.schema(field)
    const required = !field.safeParse(undefined).success
    return { name, in: 'query', required, ...(description !== undefined && { description }), schema }
  }
}

/** The OpenAPI 3.1 document of the whole interface. */
export function describeInterface(): Json {
  const writer = new InterfaceWriter()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Candela',
      version,
      summary: 'Technical-analysis indicators: bulk computation, single indicators and raw candles.',
      description: `Candela ${program}. The version above, ${version}, is that of this interface. A key is sent as \`Authorization: Bearer <API_KEY>\`. Every reply to a request with a valid key has the headers \`RateLimit-Policy\` and \`RateLimit\`, those with 404 for an unknown path and 405 for another method included. A request that is refused before any work (400, 403, 404, 405, 415, or 429 for the plan) costs nothing, and neither does repeating a pending one (202); one for which an exchange was asked counts. Answers with candles and values may be tables: by the field \`Accept\` of the request, or the parameter \`format\`. HEAD is answered as GET is, without the body. The messages of the streaming connection are described in [asyncapi.json](asyncapi.json). A reply repeats the \`X-Request-Id\` of its request.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [
      'Bulk',
      'Market data',
      'Expressions',
      'Screens and signals',
      'Alerts',
      'Lists',
      'Streaming',
      'Catalogue',
      'Language models',
      'Health',
      'Administration',
      ...Object.keys(categories),
    ].map(name => ({ name })),
    paths: writer.paths([...catalogue.values()].map(describe)),
    components: writer.components(),
  }
}
