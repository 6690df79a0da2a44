import { CorruptAccount, StoreFailure } from '../../contract/storage/stores.js'
import type { DiskSpace } from './disk-space.js'

/** The result of `work`; what it throws as a StoreFailure that says what could not be done. A write names its `space`. */
export function attempt<Result>(action: string, work: () => Result, space?: DiskSpace): Result {
  try {
    return work()
  } catch (cause) {
    space?.probeNext()
    throw failureOf(action, cause)
  }
}

/** The same for work that ends later. */
export async function attemptLater<Result>(
  action: string,
  work: () => Promise<Result>,
  space?: DiskSpace,
): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    space?.probeNext()
    throw failureOf(action, await commitErrorOf(cause))
  }
}

/** LMDB's reason for a commit that failed, which lmdb-js adds as a promise that rejects; any other error itself. */
async function commitErrorOf(cause: unknown): Promise<unknown> {
  const { commitError } = cause as { readonly commitError?: Promise<never> }
  return commitError ? commitError.catch((reason: unknown) => reason) : cause
}

export const failureOf = (action: string, cause: unknown): unknown =>
  cause instanceof CorruptAccount
    ? cause
    : new StoreFailure(`Cannot ${action}: ${reasonOf(cause as Error)}`, { cause })

/** LMDB's reason in words; the map is the space that the file may grow to. */
const reasonOf = ({ message }: Error): string =>
  /MDB_MAP_FULL|mapsize/i.test(message) ? 'the file has reached its greatest size' : message
