/**
 * The limits that the interface promises. The layers that enforce them, the refusals and the OpenAPI document all read
 * them from here.
 */

/** Bytes of a request body. */
export const maxBodyBytes = 4 * 1024 * 1024

/** Bytes of a streaming message. */
export const maxMessageBytes = 16 * 1024

/**
 * Bytes of memory that the compiled expressions of the subscriptions of a key may take together on one node, about, and
 * those of its alerts. An expression that several subscriptions have in common counts once.
 */
export const maxExpressionBytes = 64 * 1024 * 1024

/** Constructs of a bulk request, whatever the plan. */
export const maxConstructs = 20

/** Indicators of a construct. */
export const maxIndicators = 20

/** Characters of an exchange, a symbol, an identifier and every other name. */
export const maxNameLength = 100

/** The window in which the requests of an account are counted. */
export { rateWindowSeconds } from '../store/rate-window.js'

/** How long a client may wait for pending candles by `Prefer: wait=<seconds>`. */
export const maxWaitSeconds = 10

/** How long a streaming connection may be open without a key. */
export const authenticationSeconds = 10

/** How long a streaming client may leave updates unread. */
export const maxUnreadSeconds = 15
