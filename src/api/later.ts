import { type NeedsBody, needsBody, type Reply, type RequestHead, refused } from './reply.js'

/** The header fields that are read after a request was admitted. */
const keptFields = ['prefer', 'if-none-match', 'accept-encoding']

/** The head of a request for as long as it takes to answer it. */
export function keepHead(head: RequestHead): RequestHead {
  const { method, path, queryString, authorization, contentType } = head
  const fields = new Map<string, string>()
  for (const name of keptFields) {
    const value = head.header(name)
    if (value !== '') fields.set(name, value)
  }
  return {
    method,
    path,
    queryString,
    authorization,
    contentType,
    header: name => fields.get(name) ?? '',
  }
}

/**
 * What to do with a request while it is not certain that it is admitted. A body of at most `maxBytes` is received
 * meanwhile, because it cannot be asked for later; undefined where none is read.
 */
export function answerLater(
  admission: Promise<Reply | Promise<Reply> | NeedsBody>,
  maxBytes: number | undefined,
): Promise<Reply> | NeedsBody {
  // Without a body, what is admitted is answered.
  if (maxBytes === undefined) return admission as Promise<Reply>
  const admitted = admission as Promise<Reply | NeedsBody>
  return {
    maxBytes,
    refused: admitted.then(result => (needsBody(result) ? result.refused : result)),
    refuse: refusal =>
      admitted.then(result => (needsBody(result) ? (result.refuse?.(refusal) ?? refused(refusal)) : result)),
    read: (body, caller) => admitted.then(result => (needsBody(result) ? result.read(body, caller) : result)),
  }
}
