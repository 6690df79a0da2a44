import type { Segment } from './bulk-layout.js'

/** Longer texts are not sent to a thread only to be written at one end of its answer. In characters. */
const maxSentText = 4_096

const encoder = new TextEncoder()

/** Segments that follow one another, with their weight in nanoseconds. */
export interface Run {
  readonly segments: readonly Segment[]
  readonly weight: number
}

/**
 * Cuts segments into at most `count` runs of about equal weight. Runs keep the order of the request, so that their
 * texts only have to be joined, and most series are used by one thread only.
 */
export function cutIntoRuns(
  segments: readonly Segment[],
  weights: readonly number[],
  count: number,
): readonly Run[] {
  const runs: Run[] = []
  let rest = weights.reduce((sum, weight) => sum + weight, 0)
  let begin = 0
  let weight = 0
  for (const [at, own] of weights.entries()) {
    weight += own
    // A run ends after a computation; the last one takes all remaining segments.
    const isEnd = own > 0 && runs.length < count - 1
    if (isEnd && weight + (nextWeight(weights, at) ?? 0) / 2 >= rest / (count - runs.length)) {
      runs.push({ segments: segments.slice(begin, at + 1), weight })
      begin = at + 1
      rest -= weight
      weight = 0
    }
  }
  if (begin < segments.length) runs.push({ segments: segments.slice(begin), weight })
  return runs
}

/** The weight of the computation after the segment at `at`. */
const nextWeight = (weights: readonly number[], at: number) => weights[at + 2]

/** A run without the long texts before its first and after its last computation. */
interface ShortRun {
  readonly before: readonly Uint8Array[]
  readonly segments: readonly Segment[]
  readonly after: readonly Uint8Array[]
}

/** Takes off the long texts at both ends of a run, which begins with a text. */
export function withoutLongTexts({ segments }: Run): ShortRun {
  const [first, last] = [segments[0], segments.at(-1)]
  const isLong = (text: Segment | undefined): text is string =>
    typeof text === 'string' && text.length > maxSentText
  const short = [...segments]
  if (isLong(first)) short[0] = ''
  if (segments.length > 1 && isLong(last)) short.pop()
  return {
    before: isLong(first) ? [encoder.encode(first)] : [],
    segments: short,
    after: segments.length > 1 && isLong(last) ? [encoder.encode(last)] : [],
  }
}
