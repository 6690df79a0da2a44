/** Requirements for an answer that another node may have fetched. */
export interface Question {
  /** Maximum age of an answer, in milliseconds since it was requested. */
  readonly maxAgeMs: number
  /** Minimum size of the answer, in the unit of the fetch. */
  readonly depth: number
  /** Milliseconds for which the answer is kept for other nodes. */
  readonly keepMs: number
}

export interface FetchOutcome {
  readonly bytes: Uint8Array
  readonly isFailure: boolean
}

export interface ClusterAnswer extends FetchOutcome {
  /** Milliseconds since the answer was requested. */
  readonly ageMs: number
}

/** Fetches shared by all nodes. One node at a time does each fetch; the other nodes wait for its outcome. */
export interface ClusterFetches {
  /**
   * Returns the outcome of another node's fetch that answers the question. Otherwise runs `work` on this node and
   * returns undefined. Rejects with NotShared if neither was possible in time; `work` has then not run.
   */
  fetch(
    name: string,
    question: Question,
    work: () => Promise<FetchOutcome>,
  ): Promise<ClusterAnswer | undefined>
}

/** Callbacks of a node for a shared stream. */
export interface StreamListener {
  /** Called with every event of the node that holds the stream, in order. */
  onEvent(bytes: Uint8Array): void
  /** Called once, when events may have been missed or the stream has ended. Nothing is called after it. */
  onLost(reason: string): void
}

/** A stream that this node opens for all nodes. */
export interface HeldStream {
  readonly kind: 'held'
  /** Sends an event to the other nodes, in order. Resolves when the nodes can read the event, or when it is lost. */
  append(bytes: Uint8Array): Promise<void>
  /** Gives up the stream. Another node may open it at once (`released`), after a while (`failed`) or never (`no stream`). */
  end(outcome: 'released' | 'failed' | 'no stream'): void
}

/** A stream that another node has opened. */
export interface FollowedStream {
  readonly kind: 'followed'
  /** Stops following. The listener is not called after it. */
  end(): void
}

/** Streams shared by all nodes. One node at a time opens each stream; the other nodes follow it. */
export interface ClusterStreams {
  /**
   * Joins a stream. For a held stream, `listener.onLost` is called when this node stops being the holder. Returns `no
   * stream` if another node has found that the stream does not exist. Rejects with NotShared if the nodes cannot reach
   * each other.
   */
  join(name: string, listener: StreamListener): Promise<HeldStream | FollowedStream | 'no stream'>
  /**
   * Calls `listener` when another join may succeed: the nodes can reach each other again, or the last refused join is
   * long ago. The returned function removes the listener.
   */
  onBack(listener: () => void): () => void
}

/** Work that nodes with the same store share while they run. */
export interface Cluster {
  readonly fetches: ClusterFetches
  readonly streams: ClusterStreams
  /** Runs work that one node does for all nodes. Does nothing if a node has started this work in the last `everyMs`. */
  onLeader(name: string, everyMs: number, work: () => Promise<void>): Promise<void>
}

/** Error if nothing can be shared at present. The node then does the work alone. */
export class NotShared extends Error {
  override readonly name: string = 'NotShared'

  constructor(message = 'the shared store is away', options?: ErrorOptions) {
    super(message, options)
  }
}
