import { z } from 'zod'
import { noteOfAge } from '../../candles/age.js'
import { formatTime } from '../../candles/format-time.js'
import { refuseUnknown, type Shape } from '../../contract/fields.js'
import { isObject, type JsonObject } from '../../contract/json-value.js'
import type { Refusal } from '../../contract/refusals.js'
import { once } from '../../runtime/once.js'

/** A request of a tool to the service: a GET, or a POST where there is a body. */
export interface ToolRequest {
  readonly method?: 'DELETE'
  readonly path: string
  readonly body?: unknown
}

/** A reply of the service. */
export interface ToolReply {
  readonly status: number
  readonly body: unknown
  /** Where the candles are old: seconds since the end of the newest one. */
  readonly age?: number | undefined
}

/** The service as tools see it: what they may ask, and as whom. */
export interface ToolService {
  send(request: ToolRequest): Promise<ToolReply>
  /** Unix seconds. */
  now(): number
  /** Whether alerts may be made and deleted. */
  readonly hasAlerts: boolean
}

/** What a tool answers: the same for a model to read and for a program. */
export interface ToolAnswer {
  readonly text: string
  readonly structured: JsonObject
}

/** A tool of the protocol. */
export interface Tool {
  readonly name: string
  readonly description: string
  /** What it takes. */
  readonly input: () => Shape
  /** What its structured answer has. */
  readonly output: () => Shape
  /** Whether it changes nothing. */
  readonly isReading: boolean
  /** Its fields are known ones, and not checked otherwise. */
  run(given: JsonObject, service: ToolService): Promise<ToolAnswer | Refusal>
}

/** A shape as JSON Schema. */
function schemaOf(shape: Shape, isInput: boolean) {
  const { $schema: _, ...schema } = z.toJSONSchema(isInput ? z.strictObject(shape) : z.looseObject(shape), {
    io: 'input',
    unrepresentable: 'any',
  })
  simplify(schema)
  return schema as { readonly type: 'object' }
}

/**
 * Removes what costs tokens and says nothing, and what strict function calling refuses: several types of one field, and rules for
 * the names of fields. A field that takes a number or a text is listed as a text.
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

/** A tool as it is listed. */
export const listed = (tool: Tool) => ({
  name: tool.name,
  description: tool.description,
  inputSchema: schemaOf(tool.input(), true),
  outputSchema: schemaOf(tool.output(), false),
  annotations: { readOnlyHint: tool.isReading },
})

/** Calls a tool. A field that is null is missing. A field that it does not have is refused with the name that may be meant. */
export async function call(tool: Tool, given: unknown, service: ToolService): Promise<ToolAnswer | Refusal> {
  const fields = Object.fromEntries(
    Object.entries(isObject(given) ? given : {}).filter(([, value]) => value !== null),
  )
  const unknown = refuseUnknown(Object.keys(fields), tool.name, Object.keys(tool.input()))
  return unknown ?? tool.run(fields, service)
}

/** Sends a request and returns its answer, or the refusal of the service. */
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

/** Lines of text with the notes behind them. */
export const answer = (
  lines: readonly string[],
  structured: JsonObject,
  notes: readonly string[] = [],
): ToolAnswer => ({
  text: [...lines, ...notes].join('\n'),
  structured: notes.length > 0 ? { ...structured, notes } : structured,
})

/** A part of a list, and the note that says how to get the rest. */
export function pageOf<Item>(items: readonly Item[], offset: number, limit: number) {
  const page = items.slice(offset, offset + limit)
  const end = offset + page.length
  const isAll = end >= items.length
  return {
    page,
    notes: isAll ? [] : [`${offset + 1} to ${end} of ${items.length}. offset=${end} gives the next ones.`],
  }
}

/** The fields that choose a part of a list. */
export const pageShape = (limit: number, most: number) => ({
  limit: z.int().min(1).max(most).default(limit),
  offset: z.int().min(0).default(0).describe('how many to skip'),
})

/** What every structured answer may have. */
export const notesShape = once(() => ({ notes: z.array(z.string()).optional() }))

/** Digits of numbers: enough for any decision, and fewer tokens. */
const digits = 8

/** A number with few digits, and all else as it is. */
export const short = (value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(digits)) : value

const cell = (value: unknown): string =>
  value === null || value === undefined ? '' : String(short(value)).replaceAll(',', ' ')

/** Rows as CSV; texts of several names are separated by spaces. */
export const csv = (header: readonly string[], rows: readonly (readonly unknown[])[]): readonly string[] => [
  header.join(','),
  ...rows.map(row => row.map(cell).join(',')),
]

/** The times that an answer has, in Unix seconds, as models read them. */
export const timeText = (seconds: number): string => formatTime(seconds)

/** What is said of candles whose newest one ended so many seconds ago. */
export const oldNote = (symbol: string, age: number): string =>
  `Not up to date: ${symbol}: ${noteOfAge(age)}.`
