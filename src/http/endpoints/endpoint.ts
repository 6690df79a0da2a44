import type { Account } from '../../contract/storage/stores.js'
import type { HttpRequest, Reply } from '../reply.js'
import type { Charge } from './supplied.js'

/**
 * `segment` is the variable of the path. The body is empty where the route has none, and reused after the reply. `charge`
 * counts further requests.
 */
export type Endpoint = (
  request: HttpRequest,
  account: Account,
  segment: string,
  body: Uint8Array,
  charge: Charge,
) => Reply | Promise<Reply>
