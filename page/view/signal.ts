/** Something that runs again after a change of a signal that it has read. */
interface Reader {
  readonly run: () => void
  readonly sources: Set<Set<Reader>>
}

let reading: Reader | undefined
let depth = 0
const changed = new Set<Reader>()

/** Runs all pending readers. Changes during the run are processed after it, in the same call. */
function flush(): void {
  if (depth > 0) return
  depth++
  try {
    for (const reader of changed) {
      changed.delete(reader)
      reader.run()
    }
  } finally {
    depth--
  }
}

/** A value that may change: effects that have read it run again. */
export class Signal<Value> {
  #value: Value
  readonly #readers = new Set<Reader>()

  constructor(value: Value) {
    this.#value = value
  }

  get value(): Value {
    if (reading) {
      this.#readers.add(reading)
      reading.sources.add(this.#readers)
    }
    return this.#value
  }

  set value(value: Value) {
    if (Object.is(value, this.#value)) return
    this.#value = value
    for (const reader of this.#readers) changed.add(reader)
    flush()
  }
}

/** Runs `work` at once, and again after a change of a signal that it read the last time. The result stops it. */
export function effect(work: () => void): () => void {
  const forget = () => {
    for (const readers of reader.sources) readers.delete(reader)
    reader.sources.clear()
  }
  const run = () => {
    forget()
    const outer = reading
    reading = reader
    try {
      work()
    } finally {
      reading = outer
    }
  }
  const reader: Reader = { run, sources: new Set() }
  run()
  return () => {
    forget()
    changed.delete(reader)
  }
}

/** Reads signals without running again when they change. */
export function untracked<Result>(work: () => Result): Result {
  const outer = reading
  reading = undefined
  try {
    return work()
  } finally {
    reading = outer
  }
}

/** Changes several signals, after which each effect runs once. */
export function together(work: () => void): void {
  depth++
  try {
    work()
  } finally {
    depth--
  }
  flush()
}
