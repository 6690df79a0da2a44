import { z } from 'zod'
import { noteOfAge } from '../../candles/age.js'
import { formatTime } from '../../candles/format-time.js'
import { refuseUnknown, type Shape } from '../../contract/fields.js'
import { isObject, type JsonObject } from '../../contract/json-value.js'
import type { Refusal } from '../../contract/refusals.js'
import { once } from '../../runtime/once.js'

/** Request of a tool to the service: a POST if it has a body, else a GET. */
export interface ToolRequest {
  readonly method?: 'DELETE'
  readonly path: string
  readonly body?: unknown
}

export interface ToolReply {
  readonly status: number
  readonly body: unknown
  /** Seconds since the end of the newest candle, if the candles are old. */
  readonly age?: number | undefined
}

/** The service as tools see it, for one account. */
export interface ToolService {
  send(request: ToolRequest): Promise<ToolReply>
  /** Returns the current time in Unix seconds. */
  now(): number
  /** Whether alerts may be created and deleted. */
  readonly hasAlerts: boolean
}

/** Answer of a tool: the same content as text for a model, and structured for a program. */
export interface ToolAnswer {
  readonly text: string
  readonly structured: JsonObject
}

export interface Tool {
  readonly name: string
  readonly description: string
  readonly input: () => Shape
  readonly output: () => Shape
  readonly isReading: boolean
  /** Runs the tool. All fields are known ones; their values are not yet checked. */
  run(given: JsonObject, service: ToolService): Promise<ToolAnswer | Refusal>
}

function schemaOf(shape: Shape, isInput: boolean) {
  const { $schema: _, ...schema } = z.toJSONSchema(isInput ? z.strictObject(shape) : z.looseObject(shape), {
    io: 'input',
    unrepresentable: 'any',
  })
  simplify(schema)
  return schema as { readonly type: 'object' }
}

/**
 * Removes parts that cost tokens without information, and parts that strict function calling refuses. Strict function
 * calling refuses several types of one field, and rules for the names of fields. A field for a number or a text is
 * listed as a text.
 */
function simplify(schema: z.core.JSONSchema.JSONSchema): void {
  if (schema.oneOf?.some(each => Object(each).type === 'string')) {
    delete schema.oneOf
    schema.type = 'string'
  }
  if (Array.isArray(schema.type)) delete schema.type
  delete schema.propertyNames
  delete schema.examples
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  for (const inner of [schema.items, schema.additionalProperties, ...Object.values(schema.properties ?? {})])
    if (isObject(inner)) simplify(inner)
  if (JSON.stringify(schema.additionalProperties) === '{}') delete schema.additionalProperties
}

export const listed = (tool: Tool) => ({
  name: tool.name,
  description: tool.description,
  inputSchema: schemaOf(tool.input(), true),
  outputSchema: schemaOf(tool.output(), false),
  annotations: { readOnlyHint: tool.isReading },
})

/** Calls a tool. A field that is null counts as missing. An unknown field is refused with the name that may be meant. */
export async function call(tool: Tool, given: unknown, service: ToolService): Promise<ToolAnswer | Refusal> {
  const fields = Object.fromEntries(
    Object.entries(isObject(given) ? given : {}).filter(([, value]) => value !== null),
  )
  const unknown = refuseUnknown(Object.keys(fields), tool.name, Object.keys(tool.input()))
  return unknown ?? tool.run(fields, service)
}

export async function ask<Body>(
  service: ToolService,
  request: ToolRequest,
): Promise<{ readonly answered: Body; readonly age: number | undefined } | Refusal> {
  const { status, body, age } = await service.send(request)
  if (status === 200 || status === 201) return { answered: body as Body, age }
  const { error = `Status ${status}`, done, total } = Object(body)
  if (status !== 202) return { status, error }
  const progress = total === undefined ? '' : `: ${done} of ${total}`
  return { status, error: `The candles are being fetched${progress}. Ask again in a few seconds.` }
}

/** Answer of lines of text, followed by the notes. */
export const answer = (
  lines: readonly string[],
  structured: JsonObject,
  notes: readonly string[] = [],
): ToolAnswer => ({
  text: [...lines, ...notes].join('\n'),
  structured: notes.length > 0 ? { ...structured, notes } : structured,
})

/** Page of a list, with a note that tells how to get the rest. */
export function pageOf<Item>(items: readonly Item[], offset: number, limit: number) {
  const page = items.slice(offset, offset + limit)
  const end = offset + page.length
  const isAll = end >= items.length
  return {
    page,
    notes: isAll ? [] : [`${offset + 1} to ${end} of ${items.length}. offset=${end} gives the next ones.`],
  }
}

export const pageShape = (limit: number, most: number) => ({
  limit: z.int().min(1).max(most).default(limit),
  offset: z.int().min(0).default(0).describe('how many to skip'),
})

export const notesShape = once(() => ({ notes: z.array(z.string()).optional() }))

/** Significant digits of numbers: enough for any decision, with few tokens. */
const digits = 8

/** Rounds a number to a few digits. Returns other values unchanged. */
export const short = (value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(digits)) : value

const cell = (value: unknown): string =>
  value === null || value === undefined ? '' : String(short(value)).replaceAll(',', ' ')

/** Rows as CSV; texts of several names are separated by spaces. */
export const csv = (header: readonly string[], rows: readonly (readonly unknown[])[]): readonly string[] => [
  header.join(','),
  ...rows.map(row => row.map(cell).join(',')),
]

/** Time of an answer, given in Unix seconds, as models read it. */
export const timeText = (seconds: number): string => formatTime(seconds)

/** Note about candles whose newest one ended `age` seconds ago. */
export const oldNote = (symbol: string, age: number): string =>
  `Not up to date: ${symbol}: ${noteOfAge(age)}.`
