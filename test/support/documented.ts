import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { fetchByClient } from './client-call.js'
import { documentedPathOf } from './documented-path.js'

/** A reply of the service, as a client sees it. */
interface Seen {
  readonly method: string
  /** With or without a query string. */
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, { readonly schema: unknown }>>
}
type Operations = Readonly<
  Record<string, { readonly responses: Readonly<Record<string, DocumentedResponse>> }>
>

interface Document {
  readonly paths: Readonly<Record<string, Operations>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** The OpenAPI document of the service. */
const document: Document = JSON.parse(
  readFileSync(new URL('../../build/openapi.json', import.meta.url), 'utf8'),
)

/** Schemas whose objects may have only the named fields. */
const closed = (text: string) =>
  JSON.parse(text, (_, value) =>
    value?.type === 'object' && value.properties && value.additionalProperties === undefined
      ? { ...value, additionalProperties: false }
      : value,
  )

/** Not optimized: most schemas are used a few times, and the optimizer costs more than it saves. */
const ajv = new Ajv2020({ strict: false, validateSchema: false, code: { optimize: false } })
addFormats.default(ajv, ['email'])
ajv.addSchema({
  $id: 'openapi',
  components: { schemas: closed(JSON.stringify(document.components.schemas)) },
})

/** Header fields that the document must name if a reply has them. */
const documentedFields = [
  'etag',
  'preference-applied',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'warning',
  'www-authenticate',
]

function resolve<Value>(value: Value | { readonly $ref: string }): Value {
  const reference = (value as { readonly $ref?: string }).$ref
  if (reference === undefined) return value as Value
  const keys = reference.slice(2).split('/')
  // biome-ignore lint/suspicious/noExplicitAny: a path through plain JSON
  return keys.reduce<any>((inner, key) => inner[key], document)
}

const validators = new Map<unknown, ValidateFunction>()
function validatorOf(schema: unknown): ValidateFunction {
  let validator = validators.get(schema)
  if (!validator) {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"openapi#/')
    validator = ajv.compile(closed(text))
    validators.set(schema, validator)
  }
  return validator
}

/** The operations of a path; those of any indicator if the path names an unknown one. */
function operationsOf(path: string): Operations | undefined {
  const documented = documentedPathOf(Object.keys(document.paths), path)
  if (documented !== undefined) return document.paths[documented]
  return /^\/indicator\/[^/]+$/.test(path) ? document.paths['/indicator/rsi'] : undefined
}

/** The documented response for a reply; undefined if there is none. */
function responseOf({ method, path, status }: Seen): DocumentedResponse | undefined {
  const [name = ''] = path.split('?')
  const operations = operationsOf(name)
  const error = resolve(document.components.responses?.NotFound as DocumentedResponse)
  if (!operations) return status === 404 ? error : undefined
  const operation = operations[method === 'HEAD' ? 'get' : method.toLowerCase()]
  if (!operation) return status === 405 ? error : undefined
  const response = operation.responses[status]
  if (response) return resolve(response)
  return status === 404 && !document.paths[name] ? error : undefined
}

/** The body that was valid last: tests often receive the same body many times, and some have megabytes. */
const newestValid = new Map<ValidateFunction, string>()

/** The fault of a body; undefined if it is as documented. */
function faultOf(response: DocumentedResponse, { headers, text }: Seen): string | undefined {
  const type = headers.get('content-type')
  if (!response.content) return text === '' && type === null ? undefined : `a body (${type})`
  const media = response.content[type ?? '']
  if (!media) return `the content type ${type}`
  const validate = validatorOf(media.schema)
  if (newestValid.get(validate) === text) return undefined
  if (validate(JSON.parse(text))) {
    newestValid.set(validate, text)
    return undefined
  }
  return `${text.slice(0, 500)}, because ${JSON.stringify(validate.errors?.slice(0, 4))}`
}

/** Throws unless the OpenAPI document has the reply: its status, its content type, its body and its header fields. */
export function checkDocumented(seen: Seen): void {
  const { method, path, status, headers } = seen
  const name = `${method} ${path.slice(0, 200)} → ${status}`
  const response = responseOf(seen)
  if (!response) throw new Error(`${name} is not in the OpenAPI document: ${seen.text.slice(0, 500)}`)
  const fault = method === 'HEAD' ? undefined : faultOf(response, seen)
  if (fault) throw new Error(`${name} has what is not in the OpenAPI document: ${fault}`)
  const documented = Object.keys(response.headers ?? {}).map(field => field.toLowerCase())
  for (const field of documentedFields) {
    if (headers.has(field) && !documented.includes(field))
      throw new Error(`${name} has a header field that is not in the OpenAPI document: ${field}`)
  }
}

/**
 * Sends a request to a service by the TypeScript client. Rejects if the OpenAPI document lacks the reply or the client's
 * result differs from it.
 */
export async function fetchDocumented(base: string, path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetchByClient(base, path, init)
  const { status, headers } = response
  checkDocumented({
    method: init.method ?? 'GET',
    path,
    status,
    headers,
    text: await response.clone().text(),
  })
  return response
}
