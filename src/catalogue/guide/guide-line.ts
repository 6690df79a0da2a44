/**
 * An indicator in plain words: what it shows, how it is read and where it is weak; and the names of indicators that are
 * alike or are read together with it, separated by spaces.
 */
export type GuideLine = readonly [text: string, related: string]

export type Guide = Readonly<Record<string, GuideLine>>
