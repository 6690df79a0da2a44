import { describe } from '../../catalogue/description.js'
import { catalogue, categories } from '../../catalogue/index.js'
import { alertSchemas } from './alert-operations.js'
import { resultSchema } from './indicator-operations.js'
import type { Json } from './json-schema.js'
import { parameters } from './parameters.js'
import { describePaths } from './paths.js'
import { headers, responses } from './responses.js'
import { schemas } from './schemas.js'

/** The version of the interface, not of the program. */
export const version = '2.0.0'

/** The OpenAPI 3.1 document of the whole interface. */
export function describeInterface(): Json {
  const descriptions = [...catalogue.values()].map(describe)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Candela',
      version,
      summary: 'Technical-analysis indicators: bulk computation, single indicators and raw candles.',
      description: `A key is sent as \`Authorization: Bearer <API_KEY>\`. Every reply to a request with a valid key has the headers \`RateLimit-Policy\` and \`RateLimit\`, those with 404 for an unknown path and 405 for another method included. A request that is refused before any work (400, 404, 405, 415, or 429 for the plan) costs nothing, and neither does repeating a pending one (202); one for which an exchange was asked counts. HEAD is answered as GET is, without the body. The messages of the streaming connection are described in [asyncapi.json](asyncapi.json). A reply repeats the \`X-Request-Id\` of its request.`,
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
      'Streaming',
      'Catalogue',
      'Language models',
      'Health',
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
      schemas: {
        ...schemas,
        ...alertSchemas,
        ...Object.fromEntries(
          descriptions.map(description => [`result.${description.id}`, resultSchema(description)]),
        ),
      },
    },
  }
}
