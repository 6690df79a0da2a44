import { z } from 'zod'
import type { AlertStore } from '../contract/storage/alerts.js'

/**
 * Sends an alert to the connections of an account that subscribe to alerts. Returns `none` without such a connection,
 * `received` if a connection was sent the alert, and `awaited` if one must acknowledge it. Only after `awaited`,
 * `onAcknowledged` is called once. It is called with false if all connections end without acknowledging the alert.
 */
export type SendToAccount = (
  account: string,
  alert: { readonly id: string; readonly body: string },
  onAcknowledged: (isAcknowledged: boolean) => void,
) => 'none' | 'received' | 'awaited'

/** Messages between processes. */
const messages = z.discriminatedUnion('kind', [
  z.object({
    ...{ kind: z.literal('alert'), account: z.string(), number: z.number(), text: z.string() },
    id: z.string(),
  }),
  /** A client has received the alert, must acknowledge it, or has gone without doing so. */
  z.object({ kind: z.enum(['received', 'awaited', 'lost']), number: z.number() }),
  z.object({ kind: z.literal('listening'), account: z.string() }),
])
type Message = z.infer<typeof messages>
type Receipt = 'received' | 'awaited' | 'lost'

/** Timeout for a receipt from another process, in milliseconds. */
const receiptMs = 1000
/** Timeout for a client's acknowledgement, after which the message is sent again, in milliseconds. */
export const acknowledgementMs = 30_000

/**
 * Delivers alerts to streaming connections of all processes that share the store. An alert is delivered once a
 * connection was sent it, or has acknowledged it if the client acknowledges alerts.
 */
export class StreamDelivery {
  readonly #receipts = new Map<number, (receipt: Receipt) => void>()

  constructor(
    private readonly store: Pick<AlertStore, 'send' | 'listen'>,
    private readonly sendToAccount: SendToAccount,
    onListening: (account: string) => void,
  ) {
    store.listen(text => {
      const message = messages.parse(JSON.parse(text))
      if (message.kind === 'listening') onListening(message.account)
      else if (message.kind === 'alert') this.#pass(message)
      else this.#receipts.get(message.number)?.(message.kind)
    })
  }

  /** Must be called when a connection of an account subscribes to alerts. */
  listening(account: string): void {
    this.#send({ kind: 'listening', account })
  }

  /** Sends a message to the connections of an account. Rejects if no client has received it. */
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
    const sent = this.sendToAccount(account, { id, body: text }, isAcknowledged =>
      this.#send({ kind: isAcknowledged ? 'received' : 'lost', number }),
    )
    if (sent !== 'none') this.#send({ kind: sent, number })
  }

  #send(message: Message): void {
    this.store.send(JSON.stringify(message))
  }
}
