import { Columns, columnNames, type Snapshot } from '../../candles/columns.js'
import { bodyNotObject, malformedJson, type Refusal } from '../../contract/refusals.js'
import { maxSuppliedCandles, readSuppliedCandles } from '../../contract/supplied-candles.js'
import { instantiate, type WasmModule } from '../wasm-module.js'

/** Candles that were read along with the body; stands in it where their array stood. */
export class ParsedCandles {
  constructor(readonly snapshot: Snapshot) {}
}

/** The objects of a parsed body whose field `candles` the endpoint reads. */
export type CandleHolders = (body: unknown) => Iterable<unknown>

/** What stands for the array number `k` while the rest is parsed. No other string has a NUL, as escapes are refused. */
const placeholderMark = '\0'
const placeholder = (k: number) => Buffer.from(`"\\u0000${k}"`)

/** The most arrays in one body that are worth it; no endpoint takes more than 20. */
const maxArrays = 32

/** Bytes of zeros that follow a text: see assembly/json/candles.ts. */
const paddingBytes = 16
/** Bytes before the columns of an array. */
const headerSize = 16
const page = 65_536
const roundUp = (bytes: number) => (bytes + 15) & ~15

const decoder = new TextDecoder('utf-8', { fatal: true })
const parseAll = (body: Uint8Array): unknown => JSON.parse(decoder.decode(body))

/** An array of the body that was read: its bytes [from, to). */
interface Found {
  readonly from: number
  readonly to: number
  readonly candles: ParsedCandles
}

/**
 * Reads JSON bodies with candles in them. The arrays of candles go from their bytes into columns without becoming
 * objects; everything around them is for `JSON.parse`, and so is the whole body as soon as one array has anything
 * unusual or wrong in it. Hence a body means the same on both ways.
 */
export class BodyParser {
  readonly #module: WasmModule
  readonly #start: number
  #bytes = new Uint8Array()
  /** Bytes of bodies that were left to `JSON.parse` as a whole: their texts are garbage, and large. */
  fallbackBytes = 0

  constructor(module = instantiate()) {
    this.#module = module
    this.#start = roundUp(module.start.value as number)
  }

  /**
   * The value of a JSON body in UTF-8, in which arrays of faultless candles may be `Intaken`: those that are the field
   * `candles` of a holder. Throws where the body is not JSON.
   */
  read(body: Uint8Array, holders: CandleHolders): unknown {
    const found = this.#find(body)
    if (found.length === 0) return this.#parse(body)
    const parts: Uint8Array[] = []
    let from = 0
    found.forEach((array, k) => {
      parts.push(body.subarray(from, array.from), placeholder(k))
      from = array.to
    })
    parts.push(body.subarray(from))
    const value = parseAll(Buffer.concat(parts))
    let placed = 0
    for (const holder of holders(value)) {
      if (!hasCandles(holder)) continue
      const { candles } = holder
      if (typeof candles !== 'string' || !candles.startsWith(placeholderMark)) continue
      holder.candles = (found[Number(candles.slice(1))] as Found).candles
      placed++
    }
    // An array elsewhere, or one that a repeated key has replaced.
    return placed === found.length ? value : this.#parse(body)
  }

  #parse(body: Uint8Array): unknown {
    this.fallbackBytes += body.length
    return parseAll(body)
  }

  /** The fields of a body that is a JSON object; its faultless candles are `Intaken` as `read` says. */
  fields(body: Uint8Array, holders: CandleHolders): Map<string, unknown> | Refusal {
    let parsed: unknown
    try {
      parsed = this.read(body, holders)
    } catch {
      return malformedJson()
    }
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return bodyNotObject()
    return new Map(Object.entries(parsed))
  }

  /** The arrays under keys "candles", read; none where any of them is not for us. */
  #find(body: Uint8Array): readonly Found[] {
    const text = this.#start
    const end = text + body.length
    const place = roundUp(end + paddingBytes)
    this.#reserve(place + headerSize + columnNames.length * maxSuppliedCandles * 8)
    this.#bytes.set(body, text)
    this.#bytes.fill(0, end, end + paddingBytes)
    const found: Found[] = []
    let at = this.#module.findCandles(text, end)
    while (at < end) {
      if (at === 0 || found.length === maxArrays) return []
      const count = this.#module.readCandles(at, place, maxSuppliedCandles)
      if (count === 0) return []
      const { buffer } = this.#module.memory
      const to = new Uint32Array(buffer, place, 1)[0] as number
      const columns = place + headerSize
      const own = buffer.slice(columns, columns + columnNames.length * count * 8)
      const snapshot = { columns: new Columns(count, own), closed: count, forming: undefined, count }
      found.push({ from: at - text, to: to - text, candles: new ParsedCandles(snapshot) })
      at = this.#module.findCandles(to, end)
    }
    return found
  }

  #reserve(size: number): void {
    const { memory } = this.#module
    const missing = size - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / page))
    if (this.#bytes.buffer !== memory.buffer) this.#bytes = new Uint8Array(memory.buffer)
  }
}

const hasCandles = (holder: unknown): holder is { candles: unknown } =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, 'candles')

/** Whatever stands among the constructs of a bulk body. */
export const constructsOf: CandleHolders = body => {
  const constructs = (body as { constructs?: unknown } | null)?.constructs
  return Array.isArray(constructs) ? constructs : []
}

/** The candles of a field of a body: its snapshot, or the text of the first fault. */
export const readCandlesField = (field: unknown, place?: string): Snapshot | Refusal =>
  field instanceof ParsedCandles ? field.snapshot : readSuppliedCandles(field, place)
