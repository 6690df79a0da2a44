import type { Description } from '../../catalogue/description.js'
import { type RouteRow, routeTable } from '../route-table.js'
import { indicatorOperations } from './indicator-operations.js'
import { type Json, json } from './json-schema.js'
import type { Operation } from './operation.js'
import { operations } from './operations.js'
import { responsesOf } from './responses.js'

/** What the document says about one route. */
function describeRoute({ needsKey, statuses }: RouteRow, operation: Operation): Json {
  const { id, tag, summary, description, parameters, body, responses } = operation
  return {
    tags: [tag],
    operationId: id,
    summary,
    ...(description && { description }),
    ...(parameters && { parameters }),
    ...(body && { requestBody: { required: true, content: json(body) } }),
    ...(!needsKey && { security: [] }),
    responses: responsesOf(statuses, responses),
  }
}

/** Every route of the service; those of `/indicator/{name}` are described once for each indicator. */
export function describePaths(indicators: readonly Description[]): Json {
  const paths: Record<string, Record<string, Json>> = {}
  const add = (path: string, row: RouteRow, operation: Operation) => {
    paths[path] = { ...paths[path], [row.method]: describeRoute(row, operation) }
  }
  for (const row of routeTable) {
    if (row.id === 'getIndicator' || row.id === 'postIndicator') {
      const describe = indicatorOperations[row.id]
      for (const indicator of indicators)
        add(row.path.replace('{name}', indicator.id), row, describe(indicator))
    } else add(row.path, row, operations[row.id])
  }
  return paths
}
