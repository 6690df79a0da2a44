import type { ComputeDispatcher } from '../../compute/compute-dispatcher.js'
import type { Account } from '../../store/store.js'
import { type Caller, type Reply, replyOf } from '../reply.js'

/** `POST /bulk-candles`: many indicators over supplied candles. */
export function postBulkCandles(
  { dispatch }: { readonly dispatch: ComputeDispatcher },
  body: Uint8Array,
  account: Account,
  caller: Caller,
): Reply | Promise<Reply> {
  const result = dispatch.runSupplied(body, account.constructs, caller, account.id)
  return result instanceof Promise ? result.then(settled => replyOf(settled)) : replyOf(result)
}
