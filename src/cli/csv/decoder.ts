/** Bytes that are read ahead to find the encoding and the delimiter of the columns. */
const headBytes = 4096

/** The text of a file. */
export interface DecodedText {
  /** The first characters, also part of `text`. */
  readonly head: string
  readonly text: AsyncIterable<string>
}

/** Decodes a file as its byte order mark says: UTF-16, or UTF-8 where there is none. Rejects only where reading `input` does. */
export async function decodeText(input: AsyncIterable<Uint8Array>): Promise<DecodedText> {
  const iterator = input[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  for (let size = 0; size < headBytes; ) {
    const { value, done } = await iterator.next()
    if (done) break
    chunks.push(value)
    size += value.length
  }
  const bytes = Buffer.concat(chunks)
  const mark = bytes.subarray(0, 2).toString('hex')
  const decoder = new TextDecoder(mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8')
  const head = decoder.decode(bytes, { stream: true })
  async function* text() {
    yield head
    for await (const chunk of { [Symbol.asyncIterator]: () => iterator })
      yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  }
  return { head, text: text() }
}

/** The first delimiter that occurs at least four times in one of the first lines, because a candle has at least five columns. */
export function detectDelimiter(head: string): string {
  const lines = head.split(/[\r\n]+/, 5)
  return ['\t', ';', ','].find(delimiter => lines.some(line => line.split(delimiter).length > 4)) ?? ','
}
