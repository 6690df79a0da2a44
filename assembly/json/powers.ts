/** The powers of ten from 10^-342 to 10^324: all factors that reading and writing doubles needs. */
export const minPower = -342
export const maxPower = 324
/** The powers of ten from 0 to this one are exact in 128 bits. */
export const lastExactPower = 55

/** 10^0 … 10^22, the powers that are exact doubles. */
export const exactPowers = memory.data<f64>([
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
  1e20, 1e21, 1e22,
])

const table = memory.data((maxPower - minPower + 1) * 16, 16)
/** 30 limbs of 32 bits, least first, with 128 bits of zeros before them. */
const zeros = memory.data(136, 8)
const limbs = zeros + 16
const limbCount = 30
let isReady = false

/** The upper 64 bits of a product of 128. */
export function multiplyHigh(a: u64, b: u64): u64 {
  const a0 = a & 0xffff_ffff
  const a1 = a >> 32
  const b0 = b & 0xffff_ffff
  const b1 = b >> 32
  const cross = a1 * b0 + ((a0 * b0) >> 32)
  const other = a0 * b1 + (cross & 0xffff_ffff)
  return a1 * b1 + (cross >> 32) + (other >> 32)
}

/** Bits 64…127 of the first 128 bits of 10^q, the topmost of which is set. */
export function powerHigh(q: i32): u64 {
  return load<u64>(table + ((<usize>(q - minPower)) << 4), 8)
}

/** Bits 0…63 of the first 128 bits of 10^q: cut off for a positive q, rounded up for a negative one. */
export function powerLow(q: i32): u64 {
  return load<u64>(table + ((<usize>(q - minPower)) << 4))
}

/** Fills the table once. Both callers of the table do so before they read it. */
export function readyPowers(): void {
  if (!isReady) makePowers()
}

/**
 * 10^q and 5^q have the same leading bits. Positive powers are multiplied up from 1; negative ones divided down from
 * 2^959, where truncating after each division equals truncating once.
 */
function makePowers(): void {
  store<u32>(limbs, 1)
  let length = 1
  for (let q = 0; q <= maxPower; q++) {
    storePower(q, length, 0)
    let carry: u64 = 0
    for (let i = 0; i < length; i++) {
      const limb = limbs + ((<usize>i) << 2)
      carry += <u64>load<u32>(limb) * 5
      store<u32>(limb, <u32>carry)
      carry >>= 32
    }
    if (carry === 0) continue
    store<u32>(limbs + ((<usize>length) << 2), <u32>carry)
    length++
  }

  memory.fill(limbs, 0, limbCount << 2)
  length = limbCount
  store<u32>(limbs + ((<usize>(length - 1)) << 2), 0x8000_0000)
  for (let q = -1; q >= minPower; q--) {
    let rest: u64 = 0
    for (let i = length - 1; i >= 0; i--) {
      const limb = limbs + ((<usize>i) << 2)
      rest = (rest << 32) | <u64>load<u32>(limb)
      store<u32>(limb, <u32>(rest / 5))
      rest %= 5
    }
    if (load<u32>(limbs + ((<usize>(length - 1)) << 2)) === 0) length--
    storePower(q, length, 1)
  }
  isReady = true
}

/** Stores the first 128 bits of the number in the lowest `length` limbs, with `added` at the end, as 10^q. */
function storePower(q: i32, length: i32, added: u64): void {
  const top = limbs + ((<usize>(length - 1)) << 2)
  const lead = <u64>load<u32>(top)
  const shift = clz<u64>(lead) - 32
  const upper = (lead << 32) | <u64>load<u32>(top - 4)
  const lower = ((<u64>load<u32>(top - 8)) << 32) | <u64>load<u32>(top - 12)
  const beyond = (<u64>load<u32>(top - 16)) << 32
  // A shift by 64 would be one by 0.
  const high = shift === 0 ? upper : (upper << shift) | (lower >> (64 - shift))
  const low = (shift === 0 ? lower : (lower << shift) | (beyond >> (64 - shift))) + added
  const at = table + ((<usize>(q - minPower)) << 4)
  store<u64>(at, low)
  store<u64>(at, high + <u64>(added !== 0 && low === 0), 8)
}
