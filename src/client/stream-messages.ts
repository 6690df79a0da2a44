import type * as json from '../../build/json-types.js'
import type { ScreenMatch, Update } from './types.js'

type Replaced<Message> = {
  readonly [Field in keyof Message]: Field extends 'matches' | 'entered' | 'changed'
    ? readonly ScreenMatch[]
    : Field extends 'data'
      ? Update['data']
      : Message[Field]
}

/** All messages of the service. Fields whose names the request chooses have the types of the client. */
export type ServiceMessage = Replaced<json.Immutable<json.ServiceMessage>>

/** Messages about subscriptions, screens, breadths and alerts. See docs/streaming.md. */
export type FollowedMessage = Exclude<ServiceMessage, { readonly type: 'auth_ok' | 'auth_error' | 'error' }>
