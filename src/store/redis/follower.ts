import type { StreamListener } from '../sharing.js'
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

/** The messages that wait while missed ones are read; with more, reading them is given up. */
const maxWaiting = 1000

/**
 * Follows the stream that another node has opened. Every event is delivered once, in the order of the numbers; what is
 * missing is read again, and where that is not possible the stream is lost.
 */
export class Follower {
  /** Resolves when no message is missed any more. */
  readonly listening: Promise<void>
  readonly #options: Options
  readonly #lease: ReturnType<Leases['watch']>
  /** The last event that was delivered; undefined until the stream's fence is known. */
  #position: Position | undefined
  /** Messages that came before the position was known, or while missed ones are read. */
  #waiting: Message[] = []
  #isReading = false
  #isEnded = false

  constructor(options: Options) {
    this.#options = options
    const { name, channels, leases } = options
    this.#lease = leases.watch(name, () => this.lose('the node that had opened the stream is gone'))
    this.listening = channels.listen(`events:${name}`, message => this.#receive(readMessage(message)))
  }

  /** Begins with the last event that is stored, which is delivered as well. */
  begin(fence: number, last: Message | undefined): void {
    if (last?.fence === fence) {
      this.#position = { fence, number: last.number - 1 }
      this.#take(last)
    } else this.#position = { fence, number: 0 }
    this.#lease.expect(fence)
    // What the node before this one has sent came too early.
    this.#waiting = this.#waiting.filter(message => message.fence >= fence)
    this.#takeWaiting()
  }

  /** Reads what was missed, while the connection was lost or a message was. */
  async reread(): Promise<void> {
    const position = this.#position
    if (this.#isReading || this.#isEnded || !position) return
    this.#isReading = true
    try {
      for (const event of await this.#options.read(position)) this.#take(event)
      this.#isReading = false
      this.#takeWaiting()
    } catch {
      this.#isReading = false
      this.lose('missed events cannot be read')
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
    if (!this.#position || this.#isReading) {
      if (this.#waiting.push(message) > maxWaiting) this.lose('events come faster than they can be read')
      return
    }
    const { fence, number } = this.#position
    if (message.bytes && message.fence === fence && message.number > number + 1) {
      this.#waiting.push(message)
      void this.reread()
    } else this.#take(message)
  }

  #takeWaiting(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const message of waiting) this.#take(message)
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
