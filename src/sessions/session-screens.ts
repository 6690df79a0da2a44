import type { Entry } from '../catalogue/index.js'
import { isRefusal, type Refusal } from '../contract/refusals.js'
import { duplicateScreen, screenNotFound } from '../contract/screen-refusals.js'
import { whenKnown } from '../runtime/when-known.js'
import type { LiveScreens } from '../screen/live-screens.js'
import type { ScreenState } from '../screen/screener.js'
import type { Account } from '../store/store.js'
import { type LiveScreenRequest, screenBegun, screenPending, screenUpdate } from './protocol.js'

/** What the screens of a session need from what the session belongs to. */
export interface ScreensHost {
  readonly screens: Pick<LiveScreens, 'follow'>
  readonly onBug: (error: unknown) => void
  /**
   * Counts one more of the subscriptions that the account may have over all its sessions, and of the new ones that it
   * may make in a window, unless it has them all. Those of the same `key` are one of the new ones. The memory that its
   * `indicator` takes counts where that is an expression.
   */
  reserveSubscription(
    account: Account,
    key: string,
    indicator: Entry,
  ): Refusal | undefined | Promise<Refusal | undefined>
  releaseSubscription(account: Account, indicator: Entry): void
}

/** How a session answers. */
interface Answers {
  /** Sends a text, unless the client reads too slowly; whether it was sent. */
  send(text: string): boolean
  refuse(id: string, refusal: Refusal): void
}

interface LiveScreen {
  end: () => void
}

/** The live screens of one session. */
export class SessionScreens {
  readonly #host: ScreensHost
  readonly #answers: Answers
  /** By the id of the client. */
  readonly #live = new Map<string, LiveScreen>()

  constructor(host: ScreensHost, answers: Answers) {
    this.#host = host
    this.#answers = answers
  }

  begin(request: LiveScreenRequest, account: Account) {
    const { id, key } = request
    if (this.#live.has(id)) return this.#answers.refuse(id, duplicateScreen(id))
    const screen: LiveScreen = { end: () => {} }
    this.#live.set(id, screen)
    const limit = this.#host.reserveSubscription(account, key, indicatorOf(request))
    const begun = whenKnown(limit, refusal => this.#reserved(screen, request, account, refusal))
    Promise.resolve(begun).catch(error => this.#host.onBug(error))
  }

  stop(id: string) {
    const screen = this.#live.get(id)
    if (!screen) return this.#answers.refuse(id, screenNotFound(id))
    this.#live.delete(id)
    screen.end()
  }

  /** Ends all of them. */
  close(): void {
    for (const { end } of this.#live.values()) end()
    this.#live.clear()
  }

  /** Goes on with a screen once it is known whether it counts. */
  #reserved(screen: LiveScreen, asked: LiveScreenRequest, account: Account, refusal: Refusal | undefined) {
    const { id, screen: request } = asked
    const isWanted = this.#live.get(id) === screen
    if (refusal) {
      if (isWanted) this.#refuse(id, refusal)
      return
    }
    const release = () => this.#host.releaseSubscription(account, indicatorOf(asked))
    if (!isWanted) return release()
    let sent: ScreenState['matches'] | undefined
    const stop = this.#host.screens.follow(request, account, {
      onProgress: (done, total) => this.#answers.send(screenPending(id, done, total)),
      onState: state => {
        const text = sent ? screenUpdate(id, sent, state) : screenBegun(id, state)
        // What a slow client was not sent is part of the next change.
        if (text !== undefined && this.#answers.send(text)) sent = state.matches
      },
      onRefusal: ended => {
        release()
        this.#refuse(id, ended)
      },
    })
    if (isRefusal(stop)) {
      release()
      return this.#refuse(id, stop)
    }
    screen.end = () => {
      stop()
      release()
    }
  }

  #refuse(id: string, refusal: Refusal) {
    this.#live.delete(id)
    this.#answers.refuse(id, refusal)
  }
}

const indicatorOf = ({ screen }: LiveScreenRequest): Entry => screen.compiled.spec.indicator
