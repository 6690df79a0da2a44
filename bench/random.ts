import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { mersenne } from 'pure-rand/generator/mersenne'

// The random numbers of benches and tests. Of the generators of pure-rand, Mersenne Twister is the one that mixes a
// small seed into its first numbers: neighbouring seeds give unrelated sequences.

/** Numbers in [0, 1), the same sequence for the same seed. */
export function createRandom(seed: number): () => number {
  const generator = mersenne(seed)
  return () => uniformFloat64(generator)
}

/** Integers of 32 random bits, the same sequence for the same seed. */
export function createRandomBits(seed: number): () => number {
  const generator = mersenne(seed)
  return () => generator.next() >>> 0
}
