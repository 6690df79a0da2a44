/** What a node needs to know before it asks for something that another node may have fetched. */
export interface Question {
  /** How many milliseconds ago an answer may have been requested. */
  readonly maxAgeMs: number
  /** How much the answer has to hold at least, in the unit of the fetch. */
  readonly depth: number
  /** Milliseconds for which the answer is kept for other nodes. */
  readonly keepMs: number
}

/** The outcome of a fetch: what was fetched, or why it could not be. */
export interface FetchOutcome {
  readonly bytes: Uint8Array
  readonly isFailure: boolean
}

/** The outcome of another node's fetch. */
export interface ClusterAnswer extends FetchOutcome {
  /** Milliseconds since it was requested. */
  readonly ageMs: number
}

/** Fetches of which each is done by one node at a time; the others wait for its outcome. */
export interface ClusterFetches {
  /**
   * The outcome of another node's fetch that answers the question; or undefined after `work` has run, because this node
   * is the one that fetches. Rejects with NotShared where neither could be had in time; `work` has not run then.
   */
  fetch(
    name: string,
    question: Question,
    work: () => Promise<FetchOutcome>,
  ): Promise<ClusterAnswer | undefined>
}

/** What a node does with a stream that it shares. */
export interface StreamListener {
  /** Called with every event of the node that holds the stream, in their order. */
  onEvent(bytes: Uint8Array): void
  /** Called once, when events may have been missed or none come any more. Nothing is called after it. */
  onLost(reason: string): void
}

/** A stream that this node opens for all nodes. */
export interface HeldStream {
  readonly kind: 'held'
  /** Gives an event to the other nodes, after those before it. Resolves when they can have it, or when it is lost. */
  append(bytes: Uint8Array): Promise<void>
  /** Gives the stream up. Another node may open it: at once, after a while, or not where there is none to be opened. */
  end(outcome: 'released' | 'failed' | 'no stream'): void
}

/** A stream that another node has opened. */
export interface FollowedStream {
  readonly kind: 'followed'
  /** Ends the following; the listener is not called any more. */
  end(): void
}

/** Streams of which each is opened by one node at a time; the others follow it. */
export interface ClusterStreams {
  /**
   * Joins a stream; `listener.onLost` is called for a held one too, when this node is no longer the one that holds it.
   * `no stream` says that another node has found that there is none. Rejects with NotShared where the nodes cannot
   * reach each other.
   */
  join(name: string, listener: StreamListener): Promise<HeldStream | FollowedStream | 'no stream'>
  /**
   * Calls `listener` when it is worth joining again: the nodes can reach each other again, or a join that was refused was
   * long ago. The function returned ends that.
   */
  onBack(listener: () => void): () => void
}

/** What the nodes that use one store share while they run. */
export interface Cluster {
  readonly fetches: ClusterFetches
  readonly streams: ClusterStreams
  /** Runs work that one node does for all, unless one has begun with it in the last `everyMs`. */
  onLeader(name: string, everyMs: number, work: () => Promise<void>): Promise<void>
}

/** Nothing can be shared at present: the node does by itself what it wanted to share. */
export class NotShared extends Error {
  override readonly name: string = 'NotShared'

  constructor(message = 'the shared store is away', options?: ErrorOptions) {
    super(message, options)
  }
}
