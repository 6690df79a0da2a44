import { z } from 'zod'

/** A part of the document: plain JSON. */
export type Json = Readonly<Record<string, unknown>>

export const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

/** References to several components of one kind, by their names. */
export const refs = (kind: string, names: readonly string[]): Json =>
  Object.fromEntries(names.map(name => [name, ref(kind, name)]))

/** The content of a body in JSON. */
export const json = (schema: z.ZodType): Json => ({ 'application/json': { schema: jsonOf(schema) } })

/** The components of the document by their schemas. */
const components = new Map<unknown, string>()

/** Makes a schema a component, to which other schemas refer by its name. */
export function component<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  components.set(schema, name)
  return schema
}

/** What zod adds to a schema: the bounds of a safe integer, and that the names of fields are texts. */
function removeImplied(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames
}

/** A schema of a request or a reply as JSON Schema; of a component, what it is. */
export function definitionOf(schema: z.ZodType): Json {
  const { $schema: _, ...definition } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema, path }) {
      removeImplied(jsonSchema)
      const name = path.length > 0 ? components.get(zodSchema) : undefined
      if (name === undefined) return
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
      Object.assign(jsonSchema, ref('schemas', name))
    },
  })
  return definition
}

/** A schema as JSON Schema; of a component, the reference to it. */
export function jsonOf(schema: z.ZodType): Json {
  const name = components.get(schema)
  return name === undefined ? definitionOf(schema) : ref('schemas', name)
}

/** All components by their names. */
export const describeComponents = (): Json =>
  Object.fromEntries([...components].map(([schema, name]) => [name, definitionOf(schema as z.ZodType)]))
