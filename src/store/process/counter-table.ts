import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Numbers, NumberTable, WindowTable } from '../bounds.js'
import { dataFile, openDatabase, type RootDatabase } from '../embedded/embedded.js'

/** Bytes of the file, half of them for `SharedWindows`. The file is filled at the start, so that a full disk causes no later failure. */
const fileBytes = 32 * 2 ** 20
/** Number of bytes that LMDB writes when it creates a file. */
const firstBytes = 64 * 1024
const numberBytes = 8

/** Number of windows, of which each has a key and a word: several times the number of accounts that a database holds. */
const maxWindows = 2 ** 20
const wordBytes = 8
/** More than lmdb-js copies when a value is read (16 MiB), so that it returns the memory of the file itself. */
const windowsBytes = 2 * maxWindows * wordBytes + wordBytes
const windowsKey = 'windows'

/** Maximum number of keys per sweep: less than a millisecond of work. */
const sweptKeys = 1000

/**
 * Numbers that the processes of one machine share in memory. They are in an LMDB file that is never flushed, so no change waits for
 * the disk. The numbers are lost when the service ends.
 */
export class CounterTable implements NumberTable {
  readonly now: () => number
  readonly #db: RootDatabase<Uint8Array, string>
  readonly #windows: SharedWindows | undefined
  #isChanging = false
  /** Key at which the next sweep begins. */
  #swept = ''

  /**
   * Opens the table of a data directory. The first process deletes an older table. `now` is monotonic and counts whole
   * milliseconds from a time that all processes share.
   */
  constructor(directory: string, isFirst: boolean, now: () => number) {
    this.now = now
    const path = join(directory, 'processes')
    if (isFirst) rmSync(path, { recursive: true, force: true })
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const options = {
      path,
      encoding: 'binary',
      mapSize: fileBytes,
      noSync: true,
    } as const
    // The types of lmdb-js lack `useWritemap`, with which a transaction changes the mapped file directly.
    this.#db = openDatabase<Uint8Array, string>({ ...options, ...{ useWritemap: true } })
    if (isFirst) fill(join(path, dataFile))
    // The value is written once, so that it stays where it is in the file.
    if (isFirst) this.#db.putSync(windowsKey, Buffer.alloc(windowsBytes))
    const memory = this.#db.getBinaryFast(windowsKey)
    if (memory && isShared(memory)) this.#windows = new SharedWindows(memory, now)
  }

  /** The table for windows: without transactions of LMDB, unless its binary for this system cannot share memory. */
  get windows(): WindowTable {
    return this.#windows ?? this
  }

  get(key: string, now = this.now()): readonly number[] | undefined {
    this.#refresh()
    const bytes = this.#db.getBinary(key)
    if (bytes === undefined) return undefined
    const numbers: number[] = []
    for (let at = 0; at < bytes.byteLength; at += numberBytes) numbers.push(bytes.readDoubleLE(at))
    return (numbers.at(-1) as number) > now ? numbers : undefined
  }

  change(
    key: string,
    now: number,
    next: (numbers: readonly number[] | undefined) => Numbers | undefined,
  ): readonly number[] | undefined {
    return this.transaction(() => {
      const numbers = this.get(key, now)
      const changed = next(numbers)
      if (changed) this.set(key, changed)
      return changed ?? numbers
    })
  }

  set(key: string, numbers: Numbers): void {
    const bytes = Buffer.allocUnsafe(numbers.length * numberBytes)
    for (const [at, number] of numbers.entries()) bytes.writeDoubleLE(number, at * numberBytes)
    this.#db.putSync(key, bytes)
  }

  remove(key: string): void {
    this.#db.removeSync(key)
  }

  removeAll(prefix: string): void {
    const keys = this.keys(prefix).filter(key => key.startsWith(prefix))
    this.transaction(() => {
      for (const key of keys) this.remove(key)
    })
  }

  transaction<Result>(work: () => Result): Result {
    return this.#db.transactionSync(() => {
      this.#isChanging = true
      try {
        return work()
      } finally {
        this.#isChanging = false
      }
    })
  }

  /** Sorted keys from `from` on, at most `limit` of them. */
  keys(from: string, limit?: number): readonly string[] {
    this.#refresh()
    return [...this.#db.getKeys({ start: from, ...(limit !== undefined && { limit }) })]
  }

  /** Removes some entries that have ended. Each call continues where the last one stopped. */
  sweep(): void {
    const keys = this.keys(this.#swept, sweptKeys)
    this.transaction(() => {
      for (const key of keys) if (key !== windowsKey && this.get(key) === undefined) this.remove(key)
    })
    this.#swept = keys.length < sweptKeys ? '' : (keys.at(-1) as string)
  }

  close(): Promise<void> {
    this.#windows?.close()
    return this.#db.close()
  }

  /** Makes reads see the changes of other processes. Without this, the reads of a turn of the event loop share a snapshot. */
  #refresh(): void {
    if (!this.#isChanging) this.#db.resetReadTxn()
  }
}

/** Whether bytes that lmdb-js returns are the memory of the file, and no copy. */
const isShared = ({ buffer }: Uint8Array): boolean =>
  (buffer as { readonly isSharedMap?: boolean }).isSharedMap === true

/** Bits of a word for the count of a window; the others are for its end. */
const countBits = 30
const maxCount = 2 ** countBits - 1
/** Number of ends that differ in the lower half of a word. */
const lowEnds = 2 ** (32 - countBits)
/** Ends are stored modulo this number of milliseconds, which is half a year. */
const endCycle = 2 ** (64 - countBits)
/** Time until the end of a window is shorter, in milliseconds. An end that seems to be later has passed. */
const longestMs = 120_000

/**
 * Windows that the processes of one machine share: a count below 2 ** 30 and an end at most two minutes ahead, under a key that
 * is never removed. A window is one word of shared memory, which changes as a whole, so that a process may be killed at any time.
 */
export class SharedWindows implements WindowTable {
  readonly now: () => number
  /** Hashes of the keys. 0 marks a free slot. */
  #keys: BigUint64Array
  #words: BigUint64Array
  readonly #slots = new Map<string, number>()
  /** A word and its halves, which are numbers: to compute with a BigInt costs several times as much. */
  readonly #word = new BigUint64Array(1)
  readonly #halves = new Uint32Array(this.#word.buffer)

  /** `memory` is shared by all processes. */
  constructor(memory: Uint8Array, now: () => number) {
    this.now = now
    this.#keys = new BigUint64Array(memory.buffer, memory.byteOffset, maxWindows)
    this.#words = new BigUint64Array(memory.buffer, memory.byteOffset + maxWindows * wordBytes, maxWindows)
  }

  get(key: string, now?: number): readonly number[] | undefined {
    return this.#read(Atomics.load(this.#words, this.#slotOf(key)), now)
  }

  change(
    key: string,
    now: number,
    next: (numbers: readonly number[] | undefined) => Numbers | undefined,
  ): readonly number[] | undefined {
    const slot = this.#slotOf(key)
    for (;;) {
      const word = Atomics.load(this.#words, slot)
      const numbers = this.#read(word, now)
      const changed = next(numbers)
      if (!changed) return numbers
      if (Atomics.compareExchange(this.#words, slot, word, this.#wordOf(changed)) === word) return changed
    }
  }

  /** Reads the count and the end of a word; undefined if the window has ended at `now`, by default the present time. */
  #read(word: bigint, at?: number): readonly number[] | undefined {
    // A window that was never changed needs no time.
    if (word === 0n) return undefined
    const now = at ?? this.now()
    this.#word[0] = word
    const low = this.#halves[0] as number
    const high = this.#halves[1] as number
    const left = (high * lowEnds + (low >>> countBits) - (now % endCycle) + endCycle) % endCycle
    return left > 0 && left <= longestMs ? [low & maxCount, now + left] : undefined
  }

  #wordOf([count = 0, ends = 0]: readonly number[]): bigint {
    const end = ends % endCycle
    this.#halves[0] = (end % lowEnds) * 2 ** countBits + Math.min(count, maxCount)
    this.#halves[1] = end / lowEnds
    return this.#word[0] as bigint
  }

  /** Must be called before the memory is closed, where a further use would end the process. Later uses throw. */
  close(): void {
    this.#keys = this.#words = new BigUint64Array(0)
  }

  #slotOf(key: string): number {
    return this.#slots.get(key) ?? this.#findSlot(key)
  }

  /** Finds the slot of a key, or takes the next free one. */
  #findSlot(key: string): number {
    const hash = createHash('sha256').update(key).digest().readBigUInt64LE() || 1n
    const first = Number(hash % BigInt(maxWindows))
    for (let passed = 0; passed < maxWindows; passed++) {
      const slot = (first + passed) % maxWindows
      const former = Atomics.compareExchange(this.#keys, slot, 0n, hash)
      if (former !== 0n && former !== hash) continue
      this.#slots.set(key, slot)
      return slot
    }
    throw new Error(`no more than ${maxWindows} windows can be shared`)
  }
}

/** Allocates the file on disk, because lmdb-js may crash the process if a write of LMDB fails. */
function fill(path: string): void {
  const file = openSync(path, 'r+')
  try {
    const zeros = Buffer.alloc(2 ** 20)
    for (let at = firstBytes; at < fileBytes; )
      at += writeSync(file, zeros, 0, Math.min(zeros.length, fileBytes - at), at)
  } finally {
    closeSync(file)
  }
}
