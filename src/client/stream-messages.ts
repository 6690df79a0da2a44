import type {
  AlertMessage,
  BreadthResult,
  ScreenMatch,
  ScreenProgress,
  ScreenResult,
  Update,
} from './types.js'

export interface UpdateMessage {
  readonly type: 'update'
  /** Id that the client has chosen for the subscription. */
  readonly id: string
  readonly subscription: string
  readonly indicator: string
  readonly params: Readonly<Record<string, unknown>>
  readonly settled?: number
  /** Chart type. Absent for candles. */
  readonly chart?: string
  readonly closed: boolean
  readonly data: Update['data']
  /** Age of an old newest candle of the market: seconds since its end. Absent if the candle is current. */
  readonly age?: number
}

/** Messages of the service about subscriptions, screens, breadths and alerts. See docs/streaming.md. */
export type FollowedMessage =
  | UpdateMessage
  | ({ readonly type: 'screen_pending' } & ScreenProgress)
  | ({ readonly type: 'screen_ok' } & ScreenResult)
  | {
      readonly type: 'screen_update'
      readonly entered: readonly ScreenMatch[]
      readonly changed: readonly ScreenMatch[]
      readonly left: readonly string[]
      readonly stale?: NonNullable<ScreenResult['stale']>
    }
  | ({ readonly type: 'breadth_pending' } & ScreenProgress)
  | ({ readonly type: 'breadth_ok' | 'breadth_update'; readonly id: string } & BreadthResult)
  | { readonly type: 'alerts_ok'; readonly ack?: true }
  | AlertMessage

/** All messages of the service. */
export type ServiceMessage =
  | FollowedMessage
  | { readonly type: 'auth_ok' }
  | { readonly type: 'auth_error'; readonly error: string }
  | { readonly type: 'error'; readonly id: string | null; readonly error: string }
