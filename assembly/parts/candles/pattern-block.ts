import { Column, Frame, frameSize } from '../../frame'
import { CandlePairs } from '../numbers/simd'
import { CandleMarks } from './candle-marks'

type Pattern = (frame: Frame, from: i32, to: i32) => void

/** Bits of one column of names; must equal the value in src/catalogue/define.ts. */
const namesPerColumn = 48
/** Maximum number of candles of a pattern before its last one. These candles have marks as well. */
const candlesBefore = 4
/** Maximum number of candles of a block. */
export const blockSize = 64 - candlesBefore
/** Minimum number of matching candles per block at which a pattern is computed for all candles between them as well. */
const manyCandles = 12

/** Scratch columns: the frame in which the patterns are computed, and their signals. */
const ownColumn = 0
const signalsColumn = 1
/** The only scratch column that the patterns use. */
const patternColumn = 2
/** The first one of the columns with marks. */
const marksColumn = 3

/** Candles that are processed together. A view of a scratch column. */
@unmanaged
export class PatternBlock {
  private frame: Frame
  private own: Frame
  /** Index of the candle of bit 0. */
  private first: i32
  /** The number of the next pattern. */
  private number: i32
  /** The bits of the candles that get values. */
  private wanted: u64

  /** Makes a frame for the patterns, with the same inputs, and a block without candles. */
  static create(frame: Frame): PatternBlock {
    const own = changetype<Frame>(frame.scratch(ownColumn))
    memory.copy(changetype<usize>(own), changetype<usize>(frame), frameSize)
    own.setOutput(0, frame.scratch(signalsColumn))
    own.setScratch(0, frame.scratch(patternColumn))
    const block = changetype<PatternBlock>(changetype<usize>(own) + frameSize)
    block.frame = frame
    block.own = own
    return block
  }

  /** Marks the candles [from, to), at most `blockSize`. The patterns follow in the order of the catalogue. */
  begin(from: i32, to: i32): void {
    const frame = this.frame
    const first = from - candlesBefore
    this.first = first
    this.number = 0
    this.wanted = (<u64>-1 >> (64 - (to - from))) << candlesBefore
    const bodies = frame.scratch(patternColumn).from(-first)
    const ranges = frame.scratch(signalsColumn).from(-first)
    const now = this.marks(0)
    now.mark(CandlePairs.of(frame), first, to, bodies, ranges)
    for (let k = 1; k <= candlesBefore; k++) now.shift(k, this.marks(k))
  }

  /** The marks in which bit n belongs to the candle `candlesBack` before the n-th one. */
  marks(candlesBack: i32): CandleMarks {
    return CandleMarks.of(this.frame.scratch(marksColumn + candlesBack))
  }

  /**
   * Computes the next pattern, which has no signal where `possible` is not set, and counts its signals. `penetration` is the
   * default of the pattern's only parameter, if it has one.
   */
  find(pattern: Pattern, possible: u64, penetration: f64 = 0.3): void {
    const candles = possible & this.wanted
    let bullish: u64 = 0
    let bearish: u64 = 0
    if (candles !== 0) {
      this.own.setNumber(0, penetration)
      const signals = this.calculate(pattern, candles).from(this.first)
      for (let rest = candles; rest !== 0; rest &= rest - 1) {
        const n = ctz(rest)
        const signal = signals[<i32>n]
        bullish |= (<u64>(signal > 0)) << n
        bearish |= (<u64>(signal < 0)) << n
      }
    }
    this.count(bullish, bearish)
  }

  /**
   * The signals of a pattern at the given candles: computed one by one, or for all candles from the first to the last one.
   */
  private calculate(pattern: Pattern, candles: u64): Column {
    const own = this.own
    const first = this.first
    if (<i32>popcnt(candles) < manyCandles) {
      for (let rest = candles; rest !== 0; rest &= rest - 1) {
        const i = first + <i32>ctz(rest)
        pattern(own, i, i + 1)
      }
    } else pattern(own, first + <i32>ctz(candles), first + 64 - <i32>clz(candles))
    return own.output(0)
  }

  /** Counts the signals of the next pattern by sign, and sets the bit of the pattern at candles with a signal. */
  count(bullish: u64, bearish: u64): void {
    const number = this.number++
    const signals = (bullish | bearish) & this.wanted
    if (signals === 0) return
    const ups = this.frame.output(0).from(this.first)
    const downs = this.frame.output(1).from(this.first)
    const names = this.frame.output(2 + number / namesPerColumn).from(this.first)
    const bit = <f64>((<i64>1) << (number % namesPerColumn))
    for (let rest = signals; rest !== 0; rest &= rest - 1) {
      const n = <i32>ctz(rest)
      const up = <f64>((bullish >> n) & 1)
      ups[n] += up
      downs[n] += 1 - up
      names[n] += bit
    }
  }
}
