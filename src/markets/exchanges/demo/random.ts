/** Returns a number in [0, 1) at every call: the same sequence for the same seed. */
export type Random = () => number

/** Hashes 32 bits (the finaliser of MurmurHash3, Austin Appleby, public domain). */
function mix(bits: number): number {
  let hash = bits
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** 2³² divided by the golden ratio: adding it again and again visits every 32-bit integer once, in no visible order. */
const stride = 0x9e3779b9

/** A 32-bit seed from several integers; their order matters. */
export const seedOf = (...parts: readonly number[]): number =>
  parts.reduce((seed, part) => mix(Math.imul(seed, 31) + stride + mix(part | 0)), 0)

/** A 32-bit seed from a text. */
export const seedOfText = (text: string): number =>
  seedOf(...Array.from(text, letter => letter.codePointAt(0) ?? 0))

/** A generator (SplitMix32). It uses integer arithmetic only, so its numbers are the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + stride) | 0
    return mix(state) / 0x1_0000_0000
  }
}

const rootOfThree = 1.7320508075688772

/**
 * A number of nearly the standard normal distribution: the sum of four uniform ones (Irwin–Hall), shifted and scaled to
 * mean 0 and variance 1. It lies in [−2√3, 2√3].
 */
export const normal = (random: Random): number =>
  (random() + random() + random() + random() - 2) * rootOfThree
