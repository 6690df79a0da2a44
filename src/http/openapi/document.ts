import type { z } from 'zod'
import { type Description, describe } from '../../catalogue/description.js'
import { catalogue, categories } from '../../catalogue/index.js'
import { mediaTypes } from '../../contract/table-format.js'
import { version as program } from '../../runtime/version.js'
import { type RouteRow, routeTable } from '../route-table.js'
import { indicatorOperations, resultSchema } from './indicator-operations.js'
import { describeComponents, type Json, json } from './json-schema.js'
import { type Operation, operations } from './operations.js'
import { parameters } from './parameters.js'
import { headers, responses, responsesOf } from './responses.js'

/** The version of the interface, not of the program. */
export const version = '2.0.0'

/** The content of a body that is a table. */
const tableBodies: Json = { [mediaTypes.csv]: {}, [mediaTypes.arrow]: {} }

/** What the document says about one route. */
function describeRoute({ id: routeId, needsKey, scope, statuses }: RouteRow, operation: Operation): Json {
  const { id = routeId, tag, summary, description, parameters, body, takesTables, responses } = operation
  return {
    tags: [tag],
    operationId: id,
    summary,
    ...(description && { description }),
    ...(parameters && { parameters }),
    ...(body && {
      requestBody: { required: true, content: { ...json(body), ...(takesTables && tableBodies) } },
    }),
    security: needsKey ? [{ bearer: [scope] }] : [],
    responses: responsesOf(statuses, responses),
  }
}

/** Every route of the service; those of `/indicator/{name}` are described once for each indicator. */
function describePaths(indicators: readonly Description[]): Json {
  const results = new Map(indicators.map(indicator => [indicator.id, resultSchema(indicator)]))
  const paths: Record<string, Record<string, Json>> = {}
  const add = (path: string, row: RouteRow, operation: Operation) => {
    paths[path] = { ...paths[path], [row.method]: describeRoute(row, operation) }
  }
  for (const row of routeTable) {
    if (row.id === 'getIndicator' || row.id === 'postIndicator') {
      const describeOperation = indicatorOperations[row.id]
      for (const indicator of indicators)
        add(
          row.path.replace('{name}', indicator.id),
          row,
          describeOperation(indicator, results.get(indicator.id) as z.ZodType),
        )
    } else add(row.path, row, operations[row.id])
  }
  return paths
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
    paths: describePaths(descriptions),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer <API_KEY>`' },
      },
      headers,
      parameters,
      responses,
      schemas: describeComponents(),
    },
  }
}
