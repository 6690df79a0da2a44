// Writes types of Python for the schemas of an OpenAPI document.

const simple = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
  undefined: 'Any',
}
const capital = name => name[0].toUpperCase() + name.slice(1)
const literal = value => (typeof value === 'boolean' ? capital(String(value)) : JSON.stringify(value))

/**
 * A TypedDict for each of the named schemas, and for each object inside them, whose name is that of its schema and its
 * field. `keywords` are names that a field of a class must not have.
 */
export function typesOf(schemas, names, keywords) {
  const classes = new Map()

  function typeOf(schema, name) {
    const { $ref, type, anyOf, items, properties, additionalProperties } = schema
    if ($ref) return capital($ref.split('/').at(-1))
    const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
    if (choices) return `Literal[${choices.map(literal).join(', ')}]`
    if (anyOf) return [...new Set(anyOf.map(each => typeOf(each, name)))].join(' | ')
    if (Array.isArray(type)) return type.map(each => simple[each]).join(' | ')
    if (type === 'array') return `list[${typeOf(items ?? {}, name.replace(/s$/, ''))}]`
    if (type !== 'object') return simple[type]
    // Names that only a request knows: those of `select`, of parameters and so on.
    if (additionalProperties) return 'dict[str, Any]'
    addClass(name, properties, schema.required ?? [])
    return name
  }

  function addClass(name, properties, required) {
    const fields = Object.entries(properties).map(([field, schema]) => {
      const type = typeOf(schema, name + capital(field))
      return [field, required.includes(field) ? type : `NotRequired[${type}]`, schema.description]
    })
    const comment = text => (text ? `    #: ${text.replaceAll(/\s+/g, ' ')}\n` : '')
    const isClass = !fields.some(([field]) => keywords.has(field))
    const lines = fields.map(([field, type, text]) =>
      isClass
        ? `${comment(text)}    ${field}: ${type}\n`
        : `${comment(text)}    ${JSON.stringify(field)}: ${JSON.stringify(type)},\n`,
    )
    const text = isClass
      ? `class ${name}(TypedDict):\n${lines.join('')}`
      : `${name} = TypedDict("${name}", {\n${lines.join('').replaceAll('\\"', "'")}})\n`
    classes.set(name, text)
  }

  for (const name of names) typeOf(schemas[name], name)
  return [...classes.values()].join('\n\n')
}
