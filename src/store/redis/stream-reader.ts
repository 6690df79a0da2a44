import type { StreamListener } from '../../contract/storage/cluster.js'
import type { Channels } from './channels.js'
import type { Leases } from './leases.js'

/** Where an event stands: the number of the fence of the node that has sent it, and its own number. */
interface Position {
  readonly fence: number
  readonly number: number
}

/** An event; without bytes, the end of the stream. */
export interface Message extends Position {
  readonly bytes: Buffer | undefined
}

/** The events of a reply to XRANGE or XREVRANGE. Throws where one of them has another form. */
export const readEvents = (reply: readonly [id: Buffer, fields: readonly Buffer[]][]): readonly Message[] =>
  reply.map(([id, [field, bytes, ...others]]) => {
    if (field?.toString() !== 'e' || bytes === undefined || others.length > 0)
      throw new Error('a stored event of another form')
    return { ...positionOf(id.toString()), bytes }
  })

function positionOf(id: string): Position {
  const [, fence, number] = /^(\d+)-(\d+)$/.exec(id) ?? []
  if (fence === undefined) throw new Error('an event without its number')
  return { fence: Number(fence), number: Number(number) }
}

function readMessage(message: Buffer): Message {
  const at = message.indexOf(0x20)
  const id = message.toString('latin1', 0, Math.max(0, at))
  if (/^\d+-end$/.test(id)) return { fence: Number.parseInt(id, 10), number: 0, bytes: undefined }
  return { ...positionOf(id), bytes: message.subarray(at + 1) }
}

interface Options {
  readonly name: string
  readonly listener: StreamListener
  readonly channels: Channels
  readonly leases: Leases
  /** The events after a position, as they are stored. */
  readonly read: (after: Position) => Promise<readonly Message[]>
  readonly onEnd: () => void
}

/**
 * Follows the stream that another node has opened. Every event is delivered once, in the order of the numbers. An event
 * is stored before its message is sent, so what was missed, or came too early, is read there. Where it is not stored any more,
 * the stream is lost.
 */
export class StreamReader {
  /** Resolves when no message is missed any more. */
  readonly listening: Promise<void>
  readonly #options: Options
  readonly #lease: ReturnType<Leases['watch']>
  /** The last event that was delivered; undefined until the stream's fence is known. */
  #position: Position | undefined
  #isReading = false
  /** Whether a message has come that is to be read. */
  #isBehind = false
  /** The end of a stream that has come before everything in front of it was read. */
  #end: Message | undefined
  #isEnded = false

  constructor(options: Options) {
    this.#options = options
    const { name, channels, leases } = options
    this.#lease = leases.watch(name, () => this.lose('the node that had opened the stream is gone'))
    this.listening = channels.listen(`events:${name}`, message => this.#receive(readMessage(message)))
  }

  /** Begins with the last event that is stored, which is delivered as well. */
  begin(fence: number, last: Message | undefined): void {
    this.#position = { fence, number: last?.fence === fence ? last.number - 1 : 0 }
    this.#lease.expect(fence)
    if (last?.fence === fence) this.#take(last)
    if (this.#isBehind) void this.reread()
  }

  /** Reads what was missed, while the connection was lost or a message was. */
  async reread(): Promise<void> {
    this.#isBehind = true
    if (this.#isReading) return
    this.#isReading = true
    try {
      while (this.#isBehind && !this.#isEnded && this.#position) {
        this.#isBehind = false
        for (const event of await this.#options.read(this.#position)) this.#take(event)
      }
      if (this.#end && this.#end.fence === this.#position?.fence) this.#take(this.#end)
    } catch {
      this.lose('missed events cannot be read')
    } finally {
      this.#isReading = false
    }
  }

  lose(reason: string): void {
    if (this.#isEnded) return
    this.end()
    this.#options.listener.onLost(reason)
  }

  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#lease.end()
    this.#options.channels.leave(`events:${this.#options.name}`)
    this.#options.onEnd()
  }

  #receive(message: Message): void {
    if (this.#isEnded) return
    this.#lease.hear()
    const { fence, number } = this.#position ?? message
    const isMissing = message.fence === fence && message.number > number + 1
    if (this.#position && !this.#isReading && !isMissing) this.#take(message)
    else {
      if (!message.bytes) this.#end = message
      void this.reread()
    }
  }

  /** Delivers an event that is the next one; one that was delivered is left out. */
  #take({ fence, number, bytes }: Message): void {
    const position = this.#position
    if (this.#isEnded || !position) return
    // It is a lower number where Redis has lost its data.
    if (fence !== position.fence) this.lose('another node has opened the stream')
    else if (!bytes) this.lose('the node that had opened the stream has ended it')
    else if (number > position.number + 1) this.lose('events were missed that are not stored any more')
    else if (number === position.number + 1) {
      this.#position = { fence, number }
      this.#deliver(bytes)
    }
  }

  /** What an event says that cannot be read is not known, so that the stream has a hole from there on. */
  #deliver(bytes: Buffer): void {
    try {
      this.#options.listener.onEvent(bytes)
    } catch (error) {
      this.lose('an event cannot be read')
      throw error
    }
  }
}
