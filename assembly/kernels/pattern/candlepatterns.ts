import { Column, Frame, frameSize } from '../../frame'
import { warmup } from '../../parts/warmup'
import { _2crows } from './2crows'
import { _3blackcrows } from './3blackcrows'
import { _3inside } from './3inside'
import { _3linestrike } from './3linestrike'
import { _3outside } from './3outside'
import { _3starsinsouth } from './3starsinsouth'
import { _3whitesoldiers } from './3whitesoldiers'
import { abandonedbaby } from './abandonedbaby'
import { advanceblock } from './advanceblock'
import { belthold } from './belthold'
import { breakaway } from './breakaway'
import { closingmarubozu } from './closingmarubozu'
import { concealbabyswall } from './concealbabyswall'
import { counterattack } from './counterattack'
import { darkcloudcover } from './darkcloudcover'
import { doji } from './doji'
import { dojistar } from './dojistar'
import { dragonflydoji } from './dragonflydoji'
import { engulfing } from './engulfing'
import { eveningdojistar } from './eveningdojistar'
import { eveningstar } from './eveningstar'
import { fallingwindow } from './fallingwindow'
import { gapsidesidewhite } from './gapsidesidewhite'
import { gravestonedoji } from './gravestonedoji'
import { hammer } from './hammer'
import { hangingman } from './hangingman'
import { harami } from './harami'
import { haramicross } from './haramicross'
import { highwave } from './highwave'
import { hikkake } from './hikkake'
import { hikkakemod } from './hikkakemod'
import { homingpigeon } from './homingpigeon'
import { identical3crows } from './identical3crows'
import { inneck } from './inneck'
import { insidebar } from './insidebar'
import { invertedhammer } from './invertedhammer'
import { kicking } from './kicking'
import { kickingbylength } from './kickingbylength'
import { ladderbottom } from './ladderbottom'
import { longleggeddoji } from './longleggeddoji'
import { longline } from './longline'
import { marubozu } from './marubozu'
import { matchinglow } from './matchinglow'
import { mathold } from './mathold'
import { morningdojistar } from './morningdojistar'
import { morningstar } from './morningstar'
import { onneck } from './onneck'
import { outsidebar } from './outsidebar'
import { piercing } from './piercing'
import { pinbar } from './pinbar'
import { rickshawman } from './rickshawman'
import { risefall3methods } from './risefall3methods'
import { risingwindow } from './risingwindow'
import { separatinglines } from './separatinglines'
import { shootingstar } from './shootingstar'
import { shortline } from './shortline'
import { spinningtop } from './spinningtop'
import { stalledpattern } from './stalledpattern'
import { sticksandwich } from './sticksandwich'
import { takuri } from './takuri'
import { tasukigap } from './tasukigap'
import { thrusting } from './thrusting'
import { tristar } from './tristar'
import { tweezerbottom } from './tweezerbottom'
import { tweezertop } from './tweezertop'
import { unique3river } from './unique3river'
import { upsidegap2crows } from './upsidegap2crows'
import { xsidegap3methods } from './xsidegap3methods'

type Pattern = (frame: Frame, from: i32, to: i32) => void

/** Every other simple pattern. Their order is that of the catalogue: the names of the third output. */
const patterns: StaticArray<Pattern> = [
  _2crows,
  _3blackcrows,
  _3inside,
  _3linestrike,
  _3outside,
  _3starsinsouth,
  _3whitesoldiers,
  abandonedbaby,
  advanceblock,
  belthold,
  breakaway,
  closingmarubozu,
  concealbabyswall,
  counterattack,
  darkcloudcover,
  doji,
  dojistar,
  dragonflydoji,
  engulfing,
  eveningdojistar,
  eveningstar,
  gapsidesidewhite,
  gravestonedoji,
  hammer,
  hangingman,
  harami,
  haramicross,
  highwave,
  hikkake,
  hikkakemod,
  homingpigeon,
  identical3crows,
  inneck,
  invertedhammer,
  kicking,
  kickingbylength,
  ladderbottom,
  longleggeddoji,
  longline,
  marubozu,
  matchinglow,
  mathold,
  morningdojistar,
  morningstar,
  onneck,
  piercing,
  rickshawman,
  risefall3methods,
  separatinglines,
  shootingstar,
  shortline,
  spinningtop,
  stalledpattern,
  sticksandwich,
  takuri,
  tasukigap,
  thrusting,
  tristar,
  unique3river,
  upsidegap2crows,
  xsidegap3methods,
  tweezertop,
  tweezerbottom,
  insidebar,
  outsidebar,
  risingwindow,
  fallingwindow,
  pinbar,
]

/** The lookback of the longest pattern. */
const lookback = 14
/** Bits of one column of names; src/catalogue/define.ts says the same. */
const namesPerColumn = 48
/** Scratch columns that a pattern may need. */
const scratchColumns = 2

/**
 * All candlestick patterns at once: how many of the simple patterns give a positive and how many a negative signal at
 * the candle, and the names of both. Each pattern is the one of its own name at its default parameters, so that a
 * pattern whose sign has no meaning (a doji) counts by the sign that it has.
 * A signal of any size counts once; the first value is that of the pattern that needs the most candles.
 * Source: the kernels of the patterns, which are called one after another.
 */
export function candlepatterns(frame: Frame, from: i32, to: i32): void {
  const bullish = frame.output(0)
  const bearish = frame.output(1)
  warmup(bullish, from, to, lookback)
  warmup(bearish, from, to, lookback)
  warmup(frame.output(2), from, to, lookback)
  const start = warmup(frame.output(3), from, to, lookback)
  if (start >= to) return
  const size = (<usize>(to - start)) << 3
  for (let k = 0; k < 4; k++) memory.fill(changetype<usize>(frame.output(k).from(start)), 0, size)
  const signals = frame.scratch(1)
  const own = frameOfPatterns(frame, signals)
  for (let k = 0; k < patterns.length; k++) {
    const pattern = unchecked(patterns[k])
    own.setNumber(0, pattern === darkcloudcover || pattern === mathold ? 0.5 : 0.3)
    pattern(own, start, to)
    const bit = <f64>((<i64>1) << (k % namesPerColumn))
    addSignals(signals, bit, bullish, bearish, frame.output(2 + k / namesPerColumn), start, to)
  }
}

/** The same inputs with a frame of its own for the patterns: in scratch column 0, which no pattern has. */
function frameOfPatterns(frame: Frame, signals: Column): Frame {
  const own = changetype<Frame>(frame.scratch(0))
  memory.copy(changetype<usize>(own), changetype<usize>(frame), frameSize)
  own.setOutput(0, signals)
  for (let k = 0; k < scratchColumns; k++) own.setScratch(k, frame.scratch(2 + k))
  return own
}

/** Counts the signals of one pattern by their sign, and sets its bit where there is one. */
function addSignals(
  signals: Column,
  bit: f64,
  bullish: Column,
  bearish: Column,
  names: Column,
  from: i32,
  to: i32,
): void {
  const zero = f64x2.splat(0)
  const one = f64x2.splat(1)
  const bits = f64x2.splat(bit)
  const afterBullish = bullish[to]
  const afterBearish = bearish[to]
  const afterNames = names[to]
  for (let i = from; i < to; i += 2) {
    const signal = signals.pair(i)
    bullish.setPair(i, f64x2.add(bullish.pair(i), v128.and(f64x2.gt(signal, zero), one)))
    bearish.setPair(i, f64x2.add(bearish.pair(i), v128.and(f64x2.lt(signal, zero), one)))
    names.setPair(i, f64x2.add(names.pair(i), v128.and(f64x2.ne(signal, zero), bits)))
  }
  bullish[to] = afterBullish
  bearish[to] = afterBearish
  names[to] = afterNames
}
