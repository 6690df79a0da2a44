import { describe } from '../../catalogue/description.js'
import { catalogue, categories } from '../../catalogue/index.js'
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
      description:
        'The messages of the streaming connection are described in [asyncapi.json](asyncapi.json). A reply repeats the `X-Request-Id` of its request.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: ['Bulk', 'Market data', 'Streaming', 'Catalogue', 'Health', ...Object.keys(categories)].map(
      name => ({ name }),
    ),
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
        ...Object.fromEntries(
          descriptions.map(description => [`result.${description.id}`, resultSchema(description)]),
        ),
      },
    },
  }
}
