import type { RouteId } from '../route-table.js'
import type { Json } from './json-schema.js'

/** The routes that the document describes once for each indicator. */
export type IndicatorRouteId = Extract<RouteId, 'getIndicator' | 'postIndicator'>

/** What the document says about a route beside what the route table says. */
export interface Operation {
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Json[]
  /** The schema of the request's body. */
  readonly body?: Json
  /** By status: those that the route does not share with others. */
  readonly responses: Readonly<Record<number, Json>>
}
