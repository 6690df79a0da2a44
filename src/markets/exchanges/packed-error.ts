import { type FetchFault, SourceFailure } from './source.js'

/** An error as a message of another thread or node can hold it: neither structured cloning nor JSON keeps its class. */
export interface PackedError {
  readonly name: string
  readonly message: string
  readonly stack?: string | undefined
  /** Such as ECONNREFUSED. */
  readonly code?: string | undefined
  readonly cause?: PackedError | undefined
  /** The fields of a SourceFailure. */
  readonly failure?:
    | (Pick<SourceFailure, 'kind' | 'near'> & {
        readonly isDelisted?: boolean | undefined
        readonly retryAfter?: number | undefined
        readonly fault?: FetchFault | undefined
      })
    | undefined
}

/** ccxt's messages hold whole responses, which may have megabytes. */
const maxTextLength = 4000
/** Errors whose causes lead back to themselves would have no end. */
const maxCauses = 5

const shortened = (text: string) =>
  text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength)}… (${text.length} characters)`

/** Packs anything that was thrown. */
export function packError(thrown: unknown, causes = maxCauses): PackedError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const { name, message, stack, cause } = error
  const { code } = error as NodeJS.ErrnoException
  const { kind, retryAfter, near, isDelisted, fault } = error as SourceFailure
  return {
    name,
    message: shortened(message),
    stack: stack === undefined ? undefined : shortened(stack),
    code: typeof code === 'string' ? code : undefined,
    cause: cause === undefined || causes === 0 ? undefined : packError(cause, causes - 1),
    failure: error instanceof SourceFailure ? { kind, retryAfter, near, isDelisted, fault } : undefined,
  }
}

/** The error again. One that was no SourceFailure becomes an Error with the same name. */
export function unpackError({ name, message, stack, code, cause, failure }: PackedError): Error {
  const options = cause === undefined ? {} : { cause: unpackError(cause) }
  const error =
    failure === undefined
      ? Object.assign(new Error(message, options), { name })
      : new SourceFailure(failure.kind, message, { ...options, ...failure })
  if (stack !== undefined) error.stack = stack
  return code === undefined ? error : Object.assign(error, { code })
}
