/** A number in [0, 1) at every call, always the same row of numbers for the same seed. */
export type Random = () => number

/** Spreads the 32 bits of an integer over all 32 bits (the finaliser of MurmurHash3, Austin Appleby, public domain). */
function mix(bits: number): number {
  let hash = bits
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The golden ratio's share of 2³²: adding it visits every 32-bit integer once, in steps that look unordered. */
const stride = 0x9e3779b9

/** One 32-bit seed out of several integers; their order matters. */
export const seedOf = (...parts: readonly number[]): number =>
  parts.reduce((seed, part) => mix(Math.imul(seed, 31) + stride + mix(part | 0)), 0)

/** A 32-bit seed out of a text. */
export const seedOfText = (text: string): number =>
  seedOf(...Array.from(text, letter => letter.codePointAt(0) ?? 0))

/** The numbers of one seed. Only integer arithmetic is used, so they are the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + stride) | 0
    return mix(state) / 0x1_0000_0000
  }
}

const rootOfThree = 1.7320508075688772

/**
 * A number near the standard normal distribution: the sum of four uniform ones (Irwin–Hall), moved and stretched to
 * mean 0 and variance 1. It ends at ±2√3.
 */
export const normal = (random: Random): number =>
  (random() + random() + random() + random() - 2) * rootOfThree
