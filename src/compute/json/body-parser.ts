import { Columns, type Snapshot } from '../../candles/columns.js'
import { type Fields, readObject } from '../../contract/fields.js'
import { isObject } from '../../contract/json-value.js'
import { maxSuppliedCandles } from '../../contract/limits.js'
import { malformedJson, type Refusal } from '../../contract/refusals.js'
import { readSuppliedCandles } from '../../contract/supplied-candles.js'
import { instantiate } from '../wasm/kernels-file.js'
import { alignAddress, firstFreeAddress, growMemory, type WasmModule } from '../wasm/module.js'

/** Returns the objects of a parsed body whose field `candles` the endpoint reads. */
export type CandleHolders = (body: unknown) => Iterable<unknown>

/**
 * Start of the string that replaces an array of candles while the rest is parsed. No other string in the body has a
 * NUL, because bodies with escapes in strings are left to `JSON.parse`.
 */
const placeholderMark = '\0'

/** Maximum number of arrays; bodies with more are left to `JSON.parse`. No endpoint accepts more than 20. */
const maxArrays = 32

/** Bytes of zeros that must follow a text: see assembly/json/candles.ts. */
const paddingBytes = 16
/** Bytes before the columns of an array: see assembly/json/candles.ts. */
const headerBytes = 16
/** Maximum bytes of one array, with its alignment. */
const maxArrayBytes = headerBytes + Columns.byteLength(maxSuppliedCandles) + 16

const decoder = new TextDecoder('utf-8', { fatal: true })
const parseAll = (body: Uint8Array): unknown => JSON.parse(decoder.decode(body))

interface CandleArray {
  readonly from: number
  readonly to: number
  readonly candles: Snapshot
}

/**
 * Parses JSON bodies that contain candles. Arrays of candles are read from bytes into columns without creating objects,
 * and `JSON.parse` reads the rest. If any array has something unusual or wrong, `JSON.parse` reads the whole body. Both
 * paths give a body the same meaning.
 */
export class BodyParser {
  #module: WasmModule | undefined
  /** Address of the text of a body. */
  #text = 0
  #bytes = new Uint8Array()
  /** Number of bytes of bodies that `JSON.parse` read as a whole. Their texts become garbage, and are large. */
  fallbackBytes = 0

  /**
   * Parses a JSON body in UTF-8. An array of valid candles in the field `candles` of a holder, which is the body itself without
   * `holders`, may become a snapshot.
   * Throws if the body is not JSON.
   */
  read(body: Uint8Array, holders?: CandleHolders): unknown {
    const arrays = this.#parseArrays(body)
    if (arrays.length === 0) return this.#parseAll(body)
    const chunks: Uint8Array[] = []
    let from = 0
    for (const array of arrays) {
      chunks.push(body.subarray(from, array.from), Buffer.from(`"\\u0000${chunks.length >> 1}"`))
      from = array.to
    }
    chunks.push(body.subarray(from))
    const value = parseAll(Buffer.concat(chunks))
    let placed = 0
    for (const holder of holders ? holders(value) : [value]) {
      if (!isObject(holder)) continue
      const { candles } = holder
      if (typeof candles !== 'string' || !candles.startsWith(placeholderMark)) continue
      const parsed = arrays[Number(candles.slice(1))] as CandleArray
      Object.assign(holder, { candles: parsed.candles })
      placed++
    }
    // The remaining arrays are outside the holders, or were replaced by a repeated key.
    return placed === arrays.length ? value : this.#parseAll(body)
  }

  /** Reads the fields of a body that must be a JSON object and holds candles itself, unless `holders` says otherwise. */
  fields(body: Uint8Array, holders?: CandleHolders): Fields | Refusal {
    let parsed: unknown
    try {
      parsed = this.read(body, holders)
    } catch {
      return malformedJson()
    }
    return readObject(parsed)
  }

  #parseAll(body: Uint8Array): unknown {
    this.fallbackBytes += body.length
    return parseAll(body)
  }

  /** Parses the arrays under keys "candles". Returns none if any of them must be left to `JSON.parse`. */
  #parseArrays(body: Uint8Array): readonly CandleArray[] {
    if (!this.#module) {
      this.#module = instantiate()
      this.#text = firstFreeAddress(this.#module)
    }
    const module = this.#module
    const { memory } = module
    const text = this.#text
    const end = text + body.length
    const target = alignAddress(end + paddingBytes)
    const needed = target + maxArrayBytes
    if (memory.buffer.byteLength < needed) growMemory(memory, needed)
    if (this.#bytes.buffer !== memory.buffer) this.#bytes = new Uint8Array(memory.buffer)
    this.#bytes.set(body, text)
    this.#bytes.fill(0, end, end + paddingBytes)
    const arrays: CandleArray[] = []
    let at = module.findCandles(text, end)
    while (at < end) {
      if (at === 0 || arrays.length === maxArrays) return []
      const count = module.readCandles(at, target, maxSuppliedCandles)
      if (count === 0) return []
      const { buffer } = memory
      const to = new Uint32Array(buffer, target, 1)[0] as number
      const from = target + headerBytes
      const columns = new Columns(count, buffer.slice(from, from + Columns.byteLength(count)))
      const candles = { columns, closed: count, forming: undefined, count }
      arrays.push({ from: at - text, to: to - text, candles })
      at = module.findCandles(to, end)
    }
    return arrays
  }
}

/** Returns the constructs of a bulk body that is not checked yet. */
export const constructsOf: CandleHolders = body => {
  const constructs = (body as { constructs?: unknown } | null)?.constructs
  return Array.isArray(constructs) ? constructs : []
}

/** Reads the candles in a field of a body, which `BodyParser` may have parsed. Returns the refusal of the first fault. */
export const readCandlesField = (field: unknown): Snapshot | Refusal =>
  (field as Snapshot | undefined)?.columns instanceof Columns
    ? (field as Snapshot)
    : readSuppliedCandles(field)
