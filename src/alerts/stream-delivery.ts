import { z } from 'zod'
import type { AlertStore } from '../store/alerts.js'

/** Sends a text to the connections of an account that ask for alerts; answers whether there is one. */
export type SendToAccount = (account: string, text: string) => boolean

/** What processes send each other. */
const messages = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('alert'), account: z.string(), number: z.number(), text: z.string() }),
  z.object({ kind: z.literal('received'), number: z.number() }),
  z.object({ kind: z.literal('listening'), account: z.string() }),
])
type Message = z.infer<typeof messages>

/** How long a process waits for another one to say that a client has got a message, in milliseconds. */
const receiptMs = 1000

/**
 * Brings alerts to streaming connections, which may be of any process that uses the store. A client has got an alert when
 * one of its connections was sent it.
 */
export class StreamDelivery {
  readonly #store: Pick<AlertStore, 'send' | 'listen'>
  readonly #sendToAccount: SendToAccount
  readonly #receipts = new Map<number, () => void>()

  /** `onListening` is called when a client has come that asks for alerts. */
  constructor(
    store: Pick<AlertStore, 'send' | 'listen'>,
    sendToAccount: SendToAccount,
    onListening: (account: string) => void,
  ) {
    this.#store = store
    this.#sendToAccount = sendToAccount
    store.listen(text => {
      const message = messages.parse(JSON.parse(text))
      if (message.kind === 'listening') onListening(message.account)
      else if (message.kind === 'received') this.#receipts.get(message.number)?.()
      else if (this.#sendToAccount(message.account, message.text))
        this.#send({ kind: 'received', number: message.number })
    })
  }

  /** To be called when a connection of an account begins to ask for alerts. */
  listening(account: string): void {
    this.#send({ kind: 'listening', account })
  }

  /** Sends a text to the connections of an account. Rejects where there is none that asks for alerts. */
  deliver(account: string, number: number, text: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', fail)
        this.#receipts.delete(number)
        settle()
      }
      const fail = end(() => reject(new Error('no streaming connection of the account asks for alerts')))
      const timer = setTimeout(fail, receiptMs).unref()
      signal.addEventListener('abort', fail)
      this.#receipts.set(number, end(resolve))
      this.#send({ kind: 'alert', account, number, text })
    })
  }

  #send(message: Message): void {
    this.#store.send(JSON.stringify(message))
  }
}
