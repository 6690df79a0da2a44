/**
 * The number of the form in which nodes talk to each other: of messages on channels, and of the keys that are of use only
 * to nodes that hear these messages (leases, events, answers, windows). To be raised when one of them changes its form:
 * nodes of two numbers then share the stored accounts, alerts and candles, and nothing else.
 */
const messageFormat = 3

/** The name of a channel, or of such a key, without the prefix of the installation. */
export const numbered = (name: string): string => `v${messageFormat}:${name}`
