import { createHash } from 'node:crypto'
import { type PathLike, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { BodyFragments } from '../../runtime/buffer-pool.js'
import { once } from '../../runtime/once.js'
import type { Reply, RequestHead } from '../reply.js'

type Headers = Readonly<Record<string, string>>
type TypedHeaders = Headers & { readonly 'Content-Type': string }

/** Compressed encodings of bodies, the preferred one first. */
const compressed = ['br', 'gzip'] as const
type Encoding = (typeof compressed)[number] | 'identity'

/** Minimum length of a compressed body, in bytes. */
const minCompressedBytes = 1024
/** Length of the pieces of a long body, in bytes. A client that reads slowly uses only the memory of one piece. */
const pieceBytes = 256 * 1024
/** Media types that are worth compressing. Pictures and fonts are already compressed. */
const compressible = /^text\/|json|javascript|svg/

/** Brotli at 9 of 11: megabytes need a fraction of a second on a thread, and the result is hardly larger. */
const compress = {
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 9 }),
}

/**
 * A body that stays the same while the service runs. All replies share its bytes. A compressed form is made outside the
 * event loop when it is first requested. Clients that have the body get 304.
 */
export class FixedBody {
  readonly #headers: Headers
  readonly #etag: string
  readonly #notModified: Reply
  readonly #isCompressible: boolean
  readonly #replies = new Map<Encoding, Reply | Promise<Reply>>()

  /** `headers` are the fields of its replies. Unless they allow caching, clients must check for a newer form each time. */
  constructor(
    private readonly bytes: Uint8Array,
    headers: TypedHeaders,
  ) {
    const { 'Content-Type': type, ...others } = headers
    // The ETag is weak, because it is the same for every encoding.
    this.#etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
    this.#isCompressible = bytes.byteLength >= minCompressedBytes && compressible.test(type)
    const lasting = {
      'Cache-Control': 'no-cache',
      ...others,
      ETag: this.#etag,
      Vary: 'Accept-Encoding, Origin',
    }
    this.#notModified = { status: 304, body: '', headers: lasting }
    this.#headers = { 'Content-Type': type, ...lasting }
  }

  reply(head: Pick<RequestHead, 'header'>): Reply | Promise<Reply> {
    if (this.#isKnown(head.header('if-none-match'))) return this.#notModified
    const accepted = this.#isCompressible ? encodingOf(head.header('accept-encoding'), compressed) : undefined
    const encoding: Encoding = accepted ?? 'identity'
    let reply = this.#replies.get(encoding)
    if (!reply) {
      reply = encoding === 'identity' ? this.#replyOf(this.bytes) : this.#compressed(encoding)
      this.#replies.set(encoding, reply)
    }
    return reply
  }

  /** Whether the client has the body, by the ETags of its `If-None-Match`. */
  #isKnown(etags: string): boolean {
    if (etags === '') return false
    const opaque = (etag: string) => etag.trim().replace(/^W\//, '')
    return etags.trim() === '*' || etags.split(',').some(etag => opaque(etag) === opaque(this.#etag))
  }

  async #compressed(encoding: 'br' | 'gzip'): Promise<Reply> {
    try {
      const reply = this.#replyOf(await compress[encoding](this.bytes), { 'Content-Encoding': encoding })
      this.#replies.set(encoding, reply)
      return reply
    } catch (error) {
      this.#replies.delete(encoding)
      throw error
    }
  }

  #replyOf(bytes: Uint8Array, own: Headers = {}): Reply {
    return { status: 200, body: fragmentsOf(bytes), headers: { ...this.#headers, ...own } }
  }
}

function fragmentsOf(bytes: Uint8Array): BodyFragments {
  const count = Math.max(1, Math.ceil(bytes.byteLength / pieceBytes))
  const pieces = Array.from({ length: count }, (_, i) => bytes.subarray(i * pieceBytes, (i + 1) * pieceBytes))
  return new BodyFragments(pieces, Math.min(bytes.byteLength, pieceBytes))
}

/** Body of a file, read at the first request, because most files are never requested. Throws if the file cannot be read. */
export const fixedBodyOf = (file: PathLike, headers: TypedHeaders): (() => FixedBody) =>
  once(() => new FixedBody(readFileSync(file), headers))

/**
 * Encoding of a reply: the first of `offered` that the `Accept-Encoding` of the request accepts (RFC 9110, section
 * 12.5.3). Undefined if the body is sent without an encoding.
 */
export function encodingOf<const Encoding extends string>(
  header: string,
  offered: readonly Encoding[],
): Encoding | undefined {
  if (header === '') return undefined
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', weight] = part.split(';', 2).map(text => text.trim())
    weights.set(name, weight?.startsWith('q=') ? Number(weight.slice(2)) : 1)
  }
  return offered.find(encoding => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0)
}
