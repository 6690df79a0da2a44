import { z } from 'zod'
import { schemaNames } from '../src/contract/fields.js'

/** A part of a document: plain JSON. */
export type Json = Readonly<Record<string, unknown>>

export const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

/** References to several components of one kind, by their names. */
export const refs = (kind: string, names: readonly string[]): Json =>
  Object.fromEntries(names.map(name => [name, ref(kind, name)]))

/** Removes what zod adds to a schema: the bounds of a safe integer, and that the names of fields are texts. */
function removeImplied(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames
}

/** Writes schemas as JSON Schema. Named schemas are components, to which other schemas refer. */
export class SchemaWriter {
  readonly #components = new Map<string, z.ZodType>()

  /** A schema as JSON Schema; of a named schema its definition. */
  definition(schema: z.ZodType): Json {
    const { $schema: _, ...definition } = z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema, path }) => {
        removeImplied(jsonSchema)
        const reference = path.length > 0 ? this.#reference(zodSchema as unknown as z.ZodType) : undefined
        if (!reference) return
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
        Object.assign(jsonSchema, reference)
      },
    })
    return definition
  }

  /** A schema as JSON Schema; of a named schema the reference to it. */
  schema(schema: z.ZodType): Json {
    return this.#reference(schema) ?? this.definition(schema)
  }

  /** The content of a body in JSON. */
  content(schema: z.ZodType): Json {
    return { 'application/json': { schema: this.schema(schema) } }
  }

  /** The definitions of all components that are referred to, sorted by name. */
  components(): Json {
    const definitions = new Map<string, Json>()
    // A definition may refer to further components, which are appended while the map is read.
    for (const [name, schema] of this.#components) definitions.set(name, this.definition(schema))
    return Object.fromEntries([...definitions].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #reference(schema: z.ZodType): Json | undefined {
    if (!schemaNames.has(schema)) return undefined
    const { name } = schemaNames.get(schema) as { readonly name: string }
    this.#components.set(name, schema)
    return ref('schemas', name)
  }
}
