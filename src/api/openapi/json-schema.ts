/** A part of the document: plain JSON. */
export type Json = Readonly<Record<string, unknown>>

export const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

/** References to several components of one kind, by their names. */
export const refs = (kind: string, names: readonly string[]): Json =>
  Object.fromEntries(names.map(name => [name, ref(kind, name)]))

export const object = (properties: Json, required: readonly string[], more: Json = {}): Json => ({
  type: 'object',
  properties,
  required,
  ...more,
})

export const array = (items: Json, more: Json = {}): Json => ({ type: 'array', items, ...more })

export const text = (description: string, more: Json = {}): Json => ({ type: 'string', description, ...more })

export const number = (description: string): Json => ({ type: 'number', description })

/** The content of a body in JSON. */
export const json = (schema: Json): Json => ({ 'application/json': { schema } })
