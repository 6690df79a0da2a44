import type { Candle } from '../../candles/candle.js'
import { Columns } from '../../candles/columns.js'
import { catalogue, type Entry, type SourceName, type Values } from '../../catalogue/index.js'
import type { Question } from '../../contract/query.js'
import type { Refusal } from '../../contract/refusals.js'
import type { Computation, Piece } from '../bulk-layout.js'

/** A series as it crosses threads: its columns by handle, its forming candle by value. */
interface SentSeries {
  readonly buffer: ArrayBufferLike
  readonly closed: number
  readonly forming: Candle | undefined
  readonly count: number
}

/** A question as it crosses threads: its indicator by name. */
interface SentQuestion {
  readonly indicator: string
  readonly params: Values
  readonly source: SourceName | undefined
  readonly source2: SourceName | undefined
  readonly results: number
  readonly backtrack: number
}

/** A run of pieces of a bulk answer, packed for another thread. */
export interface Part {
  /** The text before each computation, and where it is one longer, the text behind the last. */
  readonly texts: readonly string[]
  /** For each computation its series and its question, by index. */
  readonly places: Uint16Array
  readonly series: readonly SentSeries[]
  readonly questions: readonly SentQuestion[]
  readonly verbose: boolean
}

/** The body of `POST /bulk-candles` as it came in, for a plan that allows so many constructs. */
export interface Supplied {
  readonly body: Uint8Array
  readonly allowed: number
}

/** What another thread made of a part or a body. */
export interface Outcome {
  /** JSON text in UTF-8 that is to be given back, or why there is none. */
  readonly result: readonly Uint8Array[] | Refusal
  /** Nanoseconds per candle of each question of a part. */
  readonly costs: Float64Array
  /** What the bugs said that ended computations. */
  readonly bugs: readonly string[]
}

const sent = new WeakMap<Question, SentQuestion>()

/** One object per question: an object that a message holds many times crosses once. */
function asSent(question: Question): SentQuestion {
  let known = sent.get(question)
  if (!known) {
    const { indicator, params, source, source2, results, backtrack } = question
    known = { indicator: indicator.name, params, source, source2, results, backtrack }
    sent.set(question, known)
  }
  return known
}

/** The place of `key` in a list, at its end when it was not in it. */
function placeOf<Key>(places: Map<Key, number>, key: Key): number {
  let place = places.get(key)
  if (place === undefined) {
    place = places.size
    places.set(key, place)
  }
  return place
}

/** Packs pieces that alternate between text and computation, text first. */
export function pack(pieces: readonly Piece[], verbose: boolean): Part {
  const texts = pieces.filter(piece => typeof piece === 'string')
  const computations = pieces.filter(piece => typeof piece !== 'string')
  const series = new Map<Computation['snapshot'], number>()
  const questions = new Map<Question, number>()
  const places = new Uint16Array(2 * computations.length)
  for (const [at, { snapshot, question }] of computations.entries()) {
    places[2 * at] = placeOf(series, snapshot)
    places[2 * at + 1] = placeOf(questions, question)
  }
  return {
    texts,
    places,
    series: [...series.keys()].map(({ columns, closed, forming, count }) => ({
      buffer: columns.buffer,
      closed,
      forming,
      count,
    })),
    questions: [...questions.keys()].map(asSent),
    verbose,
  }
}

/** The pieces of a part. */
export function unpack({ texts, places, series, questions }: Part): readonly Piece[] {
  const snapshots = series.map(({ buffer, closed, forming, count }) => ({
    columns: Columns.over(buffer),
    closed,
    forming,
    count,
  }))
  const asked = questions.map(question => ({
    ...question,
    indicator: catalogue.get(question.indicator) as Entry,
  }))
  const pieces: Piece[] = []
  for (const [at, text] of texts.entries()) {
    pieces.push(text)
    if (2 * at < places.length) {
      pieces.push({
        snapshot: snapshots[places[2 * at] as number] as Computation['snapshot'],
        question: asked[places[2 * at + 1] as number] as Question,
      })
    }
  }
  return pieces
}
