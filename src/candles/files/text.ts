import type { Cell } from './cell.js'

export const maxColumns = 256
export const maxNameLength = 200
export const maxCellLength = 1000
const maxRecordLength = 65_536
/** Maximum number of consecutive empty lines. A file with more is no file of candles, and is not read further. */
const maxEmptyLines = 10_000

/** A record of a table, and its last line, counted from 1. */
export interface TableRecord {
  readonly record: readonly Cell[]
  readonly line: number
  /** Reason why the line has no record. The record is then empty. */
  readonly problem?: string
}

/** Error at a line from which a file cannot be read further. */
export class LineFault extends Error {
  constructor(
    readonly line: number,
    text: string,
  ) {
    super(text)
  }
}

/** Error of a file that cannot be opened, unpacked or written, or has an unsupported format. */
export class FileFailure extends Error {}

/** Minimum number of bytes read ahead to detect the encoding, the format and the delimiter of the columns. */
const headBytes = 4096
/** Maximum number of bytes read ahead if the first ones are white space. */
const maxHeadBytes = 2 ** 20

export interface DecodedText {
  /** First characters, which are also part of `text`. */
  readonly head: string
  readonly text: AsyncIterable<string>
}

/** Whether bytes are only white space, apart from a byte order mark. */
const isBlank = (bytes: Uint8Array = Buffer.of()): boolean =>
  /^[\s\0\u00bb\u00bf\u00ef\u00fe\u00ff]*$/.test(Buffer.from(bytes).toString('latin1'))

/**
 * Decodes a file. A byte order mark of UTF-16 decides. Else the file is UTF-8, or Windows-1252 if its beginning is not UTF-8.
 * Rejects only if reading `input` fails.
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

/** Whether bytes are UTF-8. The last character may be truncated. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/**
 * Detects the delimiter. A first line such as `sep=;` names the delimiter, as in Excel. Else it is the first candidate that
 * occurs at least four times in one of the first lines. A candle has at least five columns.
 */
export function detectDelimiter(head: string): string {
  const named = /^\uFEFF?"?sep=([^\s"])"?[\r\n]/i.exec(head)?.[1]
  if (named !== undefined) return named
  const lines = head.split(/[\r\n]+/, 5)
  return ['\t', ';', ','].find(delimiter => lines.some(line => line.split(delimiter).length > 4)) ?? ','
}

/**
 * Reads the records of a CSV text (RFC 4180) from its pieces. Trims cells. Skips and counts empty lines. Memory holds at most one
 * record.
 */
export class CsvReader {
  /** Text after the last line end. */
  #rest = ''
  #line = 0
  #emptyLines = 0
  /** Complete cells of a record that continues on the next line. `#quoted` is the beginning of its last cell. */
  #cells: string[] = []
  #quoted: string | undefined

  constructor(private readonly delimiter: string) {}

  /**
   * Passes the records that end in a piece to `take`; without a piece, the rest. Throws LineFault after the last valid record.
   */
  read(piece: string | undefined, take: (record: TableRecord) => void): void {
    // The second half of a line end may be in the next piece.
    const text = this.#rest + (piece ?? '')
    const end = piece !== undefined && text.endsWith('\r') ? text.length - 1 : text.length
    const whole = text.slice(0, end)
    const lines = (whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole).split('\n')
    const rest = lines.pop() as string
    for (const line of lines) this.#add(line, take)
    this.#rest = rest + text.slice(end)
    if (piece !== undefined) {
      this.#checkRest(rest)
      return
    }
    this.#rest = ''
    if (rest !== '') this.#add(rest, take)
    if (this.#quoted !== undefined) throw new LineFault(this.#line, 'a quotation mark is not closed')
  }

  #add(line: string, take: (record: TableRecord) => void): void {
    this.#line++
    if (line.length > maxRecordLength) this.#refuse(tooLong)
    const isPlain = this.#quoted === undefined && !line.includes('"')
    const record = isPlain ? line.split(this.delimiter) : this.#readQuoted(line)
    if (record === undefined) return
    for (let at = 0; isPlain && at < record.length; at++) record[at] = (record[at] as string).trim()
    if (record.length > maxColumns) this.#refuse(tooManyColumns)
    if (line.length > maxCellLength || !isPlain)
      if (record.some(cell => cell.length > maxCellLength)) this.#refuse(tooLongCell)
    if (record.length > 1 || record[0] !== '') {
      this.#emptyLines = 0
      take({ record, line: this.#line })
    } else if (++this.#emptyLines > maxEmptyLines)
      this.#refuse(`there are more than ${maxEmptyLines} empty lines in a row`)
  }

  /**
   * Reads a line that has or continues a quoted cell. Returns its record, or undefined if the record continues on the next line.
   */
  #readQuoted(line: string): string[] | undefined {
    const cells = this.#cells
    let quoted = this.#quoted === undefined ? undefined : `${this.#quoted}\n`
    for (let at = 0; ; ) {
      if (quoted === undefined) {
        const start = this.#afterBlanks(line, at)
        if (line[start] !== '"') {
          const end = line.indexOf(this.delimiter, at)
          const cell = (end < 0 ? line.slice(at) : line.slice(at, end)).trim()
          if (cell.includes('"')) this.#refuse(wrongQuotes)
          cells.push(cell)
          if (end < 0) break
          at = end + 1
          continue
        }
        quoted = ''
        at = start + 1
      }
      const end = line.indexOf('"', at)
      quoted += end < 0 ? line.slice(at) : line.slice(at, end)
      if (quoted.length > maxRecordLength) this.#refuse(tooLong)
      if (end < 0) {
        this.#quoted = quoted
        return undefined
      }
      at = end + 1
      if (line[at] === '"') {
        quoted += '"'
        at++
        continue
      }
      cells.push(quoted)
      quoted = undefined
      at = this.#afterBlanks(line, at)
      if (at === line.length) break
      if (line[at++] !== this.delimiter) this.#refuse(wrongQuotes)
    }
    this.#cells = []
    this.#quoted = undefined
    return cells
  }

  #afterBlanks(line: string, from: number): number {
    let at = from
    while (at < line.length && line[at] !== this.delimiter && (line[at] as string).trim() === '') at++
    return at
  }

  /** Refuses a line that is too long, before its end has arrived. */
  #checkRest(rest: string): void {
    if (rest.length <= maxColumns) return
    this.#line++
    const isPlain = this.#quoted === undefined && !rest.includes('"')
    if (isPlain && rest.split(this.delimiter, maxColumns + 1).length > maxColumns)
      this.#refuse(tooManyColumns)
    if (rest.length > maxRecordLength) this.#refuse(tooLong)
    this.#line--
  }

  #refuse(text: string): never {
    throw new LineFault(this.#line, text)
  }
}

const tooManyColumns = `the line has more than ${maxColumns} columns`
const tooLongCell = `a cell has more than ${maxCellLength} characters`
const tooLong = 'the line is too long for a file of candles'
const wrongQuotes = 'the quotation marks are not as in a CSV file'
