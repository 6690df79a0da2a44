import { z } from 'zod'
import type { AlertStore } from '../contract/storage/alerts.js'

/**
 * Sends an alert to the connections of an account that ask for alerts. Returns `none` where there is no such connection, `received`
 * where one was sent it, and `awaited` where one is to acknowledge it. Only in this last case `onAcknowledged` is called, once: with
 * false where all connections that were to acknowledge it have ended.
 */
export type SendToAccount = (
  account: string,
  alert: { readonly id: string; readonly body: string },
  onAcknowledged: (isAcknowledged: boolean) => void,
) => 'none' | 'received' | 'awaited'

/** What processes send each other. */
const messages = z.discriminatedUnion('kind', [
  z.object({
    ...{ kind: z.literal('alert'), account: z.string(), number: z.number(), text: z.string() },
    id: z.string(),
  }),
  /** A client has got it, is to acknowledge it, or is gone without that. */
  z.object({ kind: z.enum(['received', 'awaited', 'lost']), number: z.number() }),
  z.object({ kind: z.literal('listening'), account: z.string() }),
])
type Message = z.infer<typeof messages>
type Receipt = 'received' | 'awaited' | 'lost'

/** How long a process waits for another one to say that a client has got a message, in milliseconds. */
const receiptMs = 1000
/** How long a client has to acknowledge a message before it is sent again, in milliseconds. */
export const acknowledgementMs = 30_000

/**
 * Brings alerts to streaming connections, which may be of any process that uses the store. A client has got an alert when
 * one of its connections was sent it, or has acknowledged it where it does that.
 */
export class StreamDelivery {
  readonly #store: Pick<AlertStore, 'send' | 'listen'>
  readonly #sendToAccount: SendToAccount
  readonly #receipts = new Map<number, (receipt: Receipt) => void>()

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
      else if (message.kind === 'alert') this.#pass(message)
      else this.#receipts.get(message.number)?.(message.kind)
    })
  }

  /** To be called when a connection of an account begins to ask for alerts. */
  listening(account: string): void {
    this.#send({ kind: 'listening', account })
  }

  /** Sends a message to the connections of an account. Rejects where no client has got it. */
  deliver(
    account: string,
    { number, id, body }: { readonly number: number; readonly id: string; readonly body: string },
    signal: AbortSignal,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const end = (reason?: string) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        this.#receipts.delete(number)
        if (reason === undefined) resolve()
        else reject(new Error(reason))
      }
      const abort = () => end('no streaming connection of the account asks for alerts')
      const wait = (ms: number, reason: string) => {
        clearTimeout(timer)
        timer = setTimeout(() => end(reason), ms).unref()
      }
      wait(receiptMs, 'no streaming connection of the account asks for alerts')
      signal.addEventListener('abort', abort)
      this.#receipts.set(number, receipt => {
        if (receipt === 'received') end()
        else if (receipt === 'lost') end('the streaming connection has ended without acknowledging it')
        else wait(acknowledgementMs, 'no streaming connection has acknowledged it')
      })
      this.#send({ kind: 'alert', account, number, id, text: body })
    })
  }

  /** Sends an alert to the clients of this process. */
  #pass({ account, number, id, text }: Extract<Message, { kind: 'alert' }>): void {
    const sent = this.#sendToAccount(account, { id, body: text }, isAcknowledged =>
      this.#send({ kind: isAcknowledged ? 'received' : 'lost', number }),
    )
    if (sent !== 'none') this.#send({ kind: sent, number })
  }

  #send(message: Message): void {
    this.#store.send(JSON.stringify(message))
  }
}
