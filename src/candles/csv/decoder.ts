/** Bytes that are read ahead to find the encoding, the format and the delimiter of the columns. */
const headBytes = 4096
/** So many at most, where the first bytes are white space. */
const maxHeadBytes = 2 ** 20

/** The text of a file. */
export interface DecodedText {
  /** The first characters, also part of `text`. */
  readonly head: string
  readonly text: AsyncIterable<string>
}

/** Whether there is nothing but white space, beside a byte order mark. */
const isBlank = (bytes: Uint8Array = Buffer.of()): boolean =>
  /^[\s\0\u00bb\u00bf\u00ef\u00fe\u00ff]*$/.test(Buffer.from(bytes).toString('latin1'))

/**
 * Decodes a file as its byte order mark says: UTF-16, or UTF-8 where there is none, or Windows-1252 where its beginning is not UTF-8.
 * Rejects only where reading `input` does.
 */
export async function decodeText(input: AsyncIterable<Uint8Array>): Promise<DecodedText> {
  const iterator = input[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  for (let size = 0; size < headBytes || (isBlank(chunks.at(-1)) && size < maxHeadBytes); ) {
    const { value, done } = await iterator.next()
    if (done) break
    chunks.push(value)
    size += value.length
  }
  const bytes = Buffer.concat(chunks)
  const mark = bytes.subarray(0, 2).toString('hex')
  const decoder = new TextDecoder(
    mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : isUtf8(bytes) ? 'utf-8' : 'windows-1252',
  )
  const head = decoder.decode(bytes, { stream: true })
  async function* text() {
    yield head
    for await (const chunk of { [Symbol.asyncIterator]: () => iterator })
      yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  }
  return { head, text: text() }
}

/** Whether bytes are UTF-8, of which the last letter may be cut. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/**
 * The delimiter that a first line such as `sep=;` names, as Excel reads it; else the first one that occurs at least four times in one of
 * the first lines, because a candle has at least five columns.
 */
export function detectDelimiter(head: string): string {
  const named = /^\uFEFF?"?sep=([^\s"])"?[\r\n]/i.exec(head)?.[1]
  if (named !== undefined) return named
  const lines = head.split(/[\r\n]+/, 5)
  return ['\t', ';', ','].find(delimiter => lines.some(line => line.split(delimiter).length > 4)) ?? ','
}
