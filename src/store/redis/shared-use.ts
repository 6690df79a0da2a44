import type { WindowUse } from '../store.js'

/** A use of a window that nodes share, which other uses are not to be mistaken for. */
export class SharedUse implements WindowUse {
  constructor(
    readonly allowed: boolean,
    readonly remaining: number,
    readonly reset: number,
    /** By the clock of Redis. */
    readonly ends: number,
  ) {}
}

/** `remaining` are the requests that are left after this one, `leftMs` is the time until the window ends. */
export const createSharedUse = (
  allowed: boolean,
  remaining: number,
  leftMs: number,
  ends: number,
): SharedUse => new SharedUse(allowed, remaining, Math.max(1, Math.ceil(Math.floor(leftMs) / 1000)), ends)
