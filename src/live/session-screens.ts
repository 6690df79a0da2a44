import type { Entry } from '../catalogue/index.js'
import type { Account } from '../contract/account.js'
import { isRefusal, type Refusal } from '../contract/refusals.js'
import { duplicateScreen, screenNotFound } from '../contract/screen-refusals.js'
import { whenKnown } from '../runtime/when-known.js'
import type { BreadthState } from '../screens/breadth/breadths.js'
import type { LiveScreens } from '../screens/live-screens.js'
import type { ScreenState } from '../screens/screener.js'
import {
  breadthMessage,
  type LiveScreenRequest,
  screenBegun,
  screenPending,
  screenUpdate,
} from './protocol.js'

/** Parts of the host that the screens of a session need. */
export interface ScreensHost {
  readonly screens: Pick<LiveScreens, 'follow' | 'followBreadth'>
  readonly onBug: (error: unknown) => void
  /**
   * Counts a subscription against two limits of the account: subscriptions over all its sessions, and new subscriptions
   * in a time window. Subscriptions of the same `key` count once as new. If `indicator` is an expression, its memory
   * counts too. A subscription above a limit is not counted.
   */
  reserveSubscription(
    account: Account,
    key: string,
    indicator: Entry,
  ): Refusal | undefined | Promise<Refusal | undefined>
  releaseSubscription(account: Account, indicator: Entry): void
}

/** Functions with which a session answers its client. */
interface Answers {
  /** Sends a text, unless the client reads too slowly. Returns whether it was sent. */
  send(text: string): boolean
  refuse(id: string, refusal: Refusal): void
}

interface LiveScreen {
  end: () => void
}

/** The live screens and breadths of one session. */
export class SessionScreens {
  readonly #host: ScreensHost
  readonly #answers: Answers
  /** Live screens and breadths by kind and client id. */
  readonly #live = new Map<string, LiveScreen>()

  constructor(host: ScreensHost, answers: Answers) {
    this.#host = host
    this.#answers = answers
  }

  begin(request: LiveScreenRequest, account: Account) {
    const { id, key } = request
    if (this.#live.has(placeOf(request))) return this.#answers.refuse(id, duplicateScreen(id))
    const screen: LiveScreen = { end: () => {} }
    this.#live.set(placeOf(request), screen)
    const limit = this.#host.reserveSubscription(account, key, indicatorOf(request))
    const begun = whenKnown(limit, refusal => this.#reserved(screen, request, account, refusal))
    Promise.resolve(begun).catch(error => this.#host.onBug(error))
  }

  stop(kind: LiveScreenRequest['kind'], id: string) {
    const screen = this.#live.get(placeOf({ kind, id }))
    if (!screen) return this.#answers.refuse(id, screenNotFound(id))
    this.#live.delete(placeOf({ kind, id }))
    screen.end()
  }

  /** Ends all live screens and breadths. */
  close(): void {
    for (const { end } of this.#live.values()) end()
    this.#live.clear()
  }

  /** Starts a screen after its subscription was counted, or refuses it. */
  #reserved(screen: LiveScreen, asked: LiveScreenRequest, account: Account, refusal: Refusal | undefined) {
    const isWanted = this.#live.get(placeOf(asked)) === screen
    if (refusal) {
      if (isWanted) this.#refuse(asked, refusal)
      return
    }
    const release = () => this.#host.releaseSubscription(account, indicatorOf(asked))
    if (!isWanted) return release()
    const stop = this.#follow(asked, account, ended => {
      release()
      this.#refuse(asked, ended)
    })
    if (isRefusal(stop)) {
      release()
      return this.#refuse(asked, stop)
    }
    screen.end = () => {
      stop()
      release()
    }
  }

  /** Sends the results from now on. The next message to a slow client includes the changes that it missed. */
  #follow(asked: LiveScreenRequest, account: Account, onRefusal: (refusal: Refusal) => void) {
    const { kind, id } = asked
    const { screens } = this.#host
    const onProgress = (done: number, total: number) =>
      void this.#answers.send(screenPending(kind, id, done, total))
    if (asked.kind === 'breadth') {
      const onState = (state: BreadthState) => {
        if (this.#answers.send(breadthMessage(id, state))) state.sent()
      }
      return screens.followBreadth(asked.request, account, { onProgress, onState, onRefusal })
    }
    let sent: ScreenState['matches'] | undefined
    const onState = (state: ScreenState) => {
      const text = sent ? screenUpdate(id, sent, state) : screenBegun(id, state)
      if (text !== undefined && this.#answers.send(text)) sent = state.matches
    }
    return screens.follow(asked.request, account, { onProgress, onState, onRefusal })
  }

  #refuse(asked: LiveScreenRequest, refusal: Refusal) {
    this.#live.delete(placeOf(asked))
    this.#answers.refuse(asked.id, refusal)
  }
}

const placeOf = ({ kind, id }: Pick<LiveScreenRequest, 'kind' | 'id'>): string => `${kind} ${id}`

const indicatorOf = ({ request }: LiveScreenRequest): Entry => request.compiled.spec.indicator
