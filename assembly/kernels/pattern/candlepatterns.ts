import { Frame } from '../../frame'
import { CandleMarks } from '../../parts/candles/candle-marks'
import { blockSize, PatternBlock } from '../../parts/candles/pattern-block'
import { warmup } from '../../parts/numbers/warmup'
import { _2crows } from './2crows'
import { _3blackcrows } from './3blackcrows'
import { _3inside } from './3inside'
import { _3linestrike } from './3linestrike'
import { _3starsinsouth } from './3starsinsouth'
import { _3whitesoldiers } from './3whitesoldiers'
import { abandonedbaby } from './abandonedbaby'
import { advanceblock } from './advanceblock'
import { breakaway } from './breakaway'
import { concealbabyswall } from './concealbabyswall'
import { counterattack } from './counterattack'
import { darkcloudcover } from './darkcloudcover'
import { dragonflydoji } from './dragonflydoji'
import { eveningdojistar } from './eveningdojistar'
import { eveningstar } from './eveningstar'
import { gapsidesidewhite } from './gapsidesidewhite'
import { gravestonedoji } from './gravestonedoji'
import { hammer } from './hammer'
import { hangingman } from './hangingman'
import { hikkake } from './hikkake'
import { hikkakemod } from './hikkakemod'
import { identical3crows } from './identical3crows'
import { inneck } from './inneck'
import { insidebar } from './insidebar'
import { kicking } from './kicking'
import { kickingbylength } from './kickingbylength'
import { ladderbottom } from './ladderbottom'
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
import { separatinglines } from './separatinglines'
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

/** The lookback of the longest pattern. */
const lookback = 14
/**
 * All candlestick patterns at once: the numbers of patterns with a positive and with a negative signal at the candle,
 * and their names. `patterns` lists the patterns. Each pattern is the indicator of its name with default parameters. A
 * pattern whose sign has no meaning (a doji) counts by its sign.
 * A signal of any size counts once; the first value is that of the pattern that needs the most candles.
 * Source: the kernels of the patterns. They are called only for candles that meet their necessary conditions. Colours,
 * long bodies, gaps and the like are computed once for all patterns.
 */
export function candlepatterns(frame: Frame, from: i32, to: i32): void {
  let start = from
  for (let k = 0; k < 4; k++) start = warmup(frame.output(k), from, to, lookback)
  if (start >= to) return

  const size = (<usize>(to - start)) << 3
  for (let k = 0; k < 4; k++) memory.fill(changetype<usize>(frame.output(k).from(start)), 0, size)
  const block = PatternBlock.create(frame)
  for (let i = start; i < to; i += blockSize) {
    block.begin(i, min(i + blockSize, to))
    findToBeltHold(block)
    findToEveningStar(block)
    findToHikkakeMod(block)
    findToMatchingLow(block)
    findToSeparatingLines(block)
    findToXSideGap(block)
    findOthers(block)
  }
}

/** Candles at which a false breakout from an inside candle began, or up to three candles later. */
function afterBreakout(
  now: CandleMarks,
  one: CandleMarks,
  two: CandleMarks,
  three: CandleMarks,
  four: CandleMarks,
): u64 {
  return (
    (one.inside & (now.stepUp | now.stepDown)) |
    (two.inside & (one.stepUp | one.stepDown)) |
    (three.inside & (two.stepUp | two.stepDown)) |
    (four.inside & (three.stepUp | three.stepDown))
  )
}

/** The same for an inside candle that followed another one. */
function afterNestedBreakout(
  now: CandleMarks,
  one: CandleMarks,
  two: CandleMarks,
  three: CandleMarks,
  four: CandleMarks,
): u64 {
  const earlier = four.inside & (three.stepUp | three.stepDown)
  return (
    afterBreakout(now, one, two, three, four) &
    ((one.inside & two.inside) | (two.inside & three.inside) | (three.inside & four.inside) | earlier)
  )
}

// The patterns in the order of the catalogue, each with necessary conditions at its last candle and at the four candles
// before. A condition may be wider than the pattern, but not narrower. Patterns that marks decide alone are not
// computed; their bullish and bearish signals are counted.

function findToBeltHold(block: PatternBlock): void {
  const now = block.marks(0)
  const one = block.marks(1)
  const two = block.marks(2)
  const three = block.marks(3)
  block.find(_2crows, two.white & two.long & one.bodyGapUp & one.black & now.black)
  block.find(
    _3blackcrows,
    three.white & two.black & two.shavenBottom & one.black & one.shavenBottom & now.black & now.shavenBottom,
  )
  block.find(_3inside, two.long & one.short & one.bodyInside & (two.white ^ now.white))
  block.find(
    _3linestrike,
    (three.white &
      two.white &
      two.closesHigher &
      one.white &
      one.closesHigher &
      now.black &
      now.opensHigher) |
      (three.black & two.black & two.closesLower & one.black & one.closesLower & now.white & now.opensLower),
  )
  // 3outside
  block.count(
    one.bodyOutside & two.black & one.white & now.closesHigher,
    one.bodyOutside & two.white & one.black & now.closesLower,
  )
  block.find(
    _3starsinsouth,
    two.black & two.long & two.lowerShadow & one.black & now.black & now.small & now.inside,
  )
  block.find(
    _3whitesoldiers,
    two.white &
      two.shavenHead &
      one.white &
      one.shavenHead &
      one.closesHigher &
      now.white &
      now.long &
      now.closesHigher,
  )
  block.find(
    abandonedbaby,
    two.long & one.doji & now.long & ((one.gapUp & now.gapDown) | (one.gapDown & now.gapUp)),
  )
  block.find(advanceblock, two.white & two.long & one.white & one.closesHigher & now.white & now.closesHigher)
  // belthold
  block.count(now.long & now.white & now.shavenBottom, now.long & now.black & now.shavenHead)
}

function findToEveningStar(block: PatternBlock): void {
  const now = block.marks(0)
  const one = block.marks(1)
  const two = block.marks(2)
  const three = block.marks(3)
  const four = block.marks(4)
  block.find(
    breakaway,
    four.long & ((four.black & three.bodyGapDown & now.white) | (four.white & three.bodyGapUp & now.black)),
  )
  // closingmarubozu
  block.count(now.long & now.white & now.shavenHead, now.long & now.black & now.shavenBottom)
  block.find(
    concealbabyswall,
    three.black &
      three.shaven &
      two.black &
      two.shaven &
      one.black &
      one.bodyGapDown &
      now.black &
      now.outside,
  )
  block.find(counterattack, one.long & now.long & (one.white ^ now.white) & now.closesNear)
  block.find(darkcloudcover, one.white & one.long & now.black & now.opensAbove, 0.5)
  // doji
  block.count(now.doji, 0)
  // dojistar
  block.count(
    one.long & one.black & now.doji & now.bodyGapDown,
    one.long & one.white & now.doji & now.bodyGapUp,
  )
  block.find(dragonflydoji, now.doji & now.shavenHead)
  // engulfing
  block.count(
    one.black & now.white & now.bodyAround & ~now.bodyWithin,
    one.white & now.black & now.bodyAround & ~now.bodyWithin,
  )
  block.find(eveningdojistar, two.white & two.long & one.doji & one.bodyGapUp & now.black & now.long)
  block.find(eveningstar, two.white & two.long & one.short & one.bodyGapUp & now.black & now.long)
}

function findToHikkakeMod(block: PatternBlock): void {
  const now = block.marks(0)
  const one = block.marks(1)
  const two = block.marks(2)
  const three = block.marks(3)
  const four = block.marks(4)
  block.find(gapsidesidewhite, one.white & (one.bodyGapUp | one.bodyGapDown) & now.white)
  block.find(gravestonedoji, now.doji & now.shavenBottom)
  block.find(hammer, now.small & now.shavenHead & now.lowerShadow)
  block.find(hangingman, now.small & now.shavenHead & now.lowerShadow)
  // harami
  block.count(
    one.black & one.long & now.short & now.bodyWithin,
    one.white & one.long & now.short & now.bodyWithin,
  )
  // haramicross
  block.count(
    one.black & one.long & now.doji & now.bodyWithin,
    one.white & one.long & now.doji & now.bodyWithin,
  )
  // highwave
  block.count(now.white & now.small & now.veryLongShadows, now.black & now.small & now.veryLongShadows)
  block.find(hikkake, afterBreakout(now, one, two, three, four))
  block.find(hikkakemod, afterNestedBreakout(now, one, two, three, four))
}

function findToMatchingLow(block: PatternBlock): void {
  const now = block.marks(0)
  const one = block.marks(1)
  const two = block.marks(2)
  const three = block.marks(3)
  const four = block.marks(4)
  // homingpigeon
  block.count(one.black & one.long & now.black & now.short & now.bodyInside, 0)
  block.find(
    identical3crows,
    two.black &
      two.shavenBottom &
      one.black &
      one.shavenBottom &
      one.closesLower &
      now.black &
      now.shavenBottom,
  )
  block.find(inneck, one.black & one.long & now.white & now.opensBelow)
  // invertedhammer
  block.count(now.small & now.shavenBottom & now.upperShadow & now.bodyGapDown, 0)
  block.find(
    kicking,
    one.shaven & now.long & now.shaven & ((one.black & now.gapUp) | (one.white & now.gapDown)),
  )
  block.find(
    kickingbylength,
    one.shaven & now.long & now.shaven & ((one.black & now.gapUp) | (one.white & now.gapDown)),
  )
  block.find(
    ladderbottom,
    four.black &
      three.black &
      three.closesLower &
      two.black &
      two.closesLower &
      one.black &
      now.white &
      now.closesHigher,
  )
  // longleggeddoji
  block.count(now.doji & (now.upperShadow | now.lowerShadow), 0)
  // longline
  block.count(now.white & now.long & now.shortShadows, now.black & now.long & now.shortShadows)
  // marubozu
  block.count(now.white & now.long & now.shaven, now.black & now.long & now.shaven)
  block.find(matchinglow, one.black & now.black & now.closesNear)
}

function findToSeparatingLines(block: PatternBlock): void {
  const now = block.marks(0)
  const one = block.marks(1)
  const two = block.marks(2)
  const three = block.marks(3)
  const four = block.marks(4)
  block.find(
    mathold,
    four.white & four.long & three.black & three.small & three.bodyGapUp & two.small & one.small & now.white,
    0.5,
  )
  block.find(morningdojistar, two.black & two.long & one.doji & one.bodyGapDown & now.white & now.long)
  block.find(morningstar, two.black & two.long & one.short & one.bodyGapDown & now.white & now.long)
  block.find(onneck, one.black & one.long & now.white & now.opensBelow)
  block.find(piercing, one.black & one.long & now.white & now.long & now.opensBelow)
  block.find(rickshawman, now.doji & now.upperShadow & now.lowerShadow)
  block.find(
    risefall3methods,
    four.long & (four.white ^ three.white) & three.small & two.small & one.small & now.long,
  )
  block.find(
    separatinglines,
    now.long &
      now.opensNear &
      ((one.black & now.white & now.shavenBottom) | (one.white & now.black & now.shavenHead)),
  )
}

function findToXSideGap(block: PatternBlock): void {
  const now = block.marks(0)
  const one = block.marks(1)
  const two = block.marks(2)
  // shootingstar
  block.count(0, now.small & now.shavenBottom & now.upperShadow & now.bodyGapUp)
  // shortline
  block.count(now.white & now.small & now.shortShadows, now.black & now.small & now.shortShadows)
  // spinningtop
  block.count(
    now.white & now.small & now.upperShadow & now.lowerShadow,
    now.black & now.small & now.upperShadow & now.lowerShadow,
  )
  block.find(
    stalledpattern,
    two.white & two.long & one.white & one.long & one.shavenHead & one.closesHigher & now.white & now.small,
  )
  block.find(sticksandwich, two.black & one.white & one.staysAbove & now.black)
  block.find(takuri, now.doji & now.shavenHead & now.lowerShadow)
  block.find(tasukigap, (one.white & one.bodyGapUp & now.black) | (one.black & one.bodyGapDown & now.white))
  block.find(thrusting, one.black & one.long & now.white & now.opensBelow)
  block.find(tristar, two.doji & (one.bodyGapUp | one.bodyGapDown))
  block.find(unique3river, two.black & two.long & one.black & one.closesHigher & now.white & now.small)
  block.find(
    upsidegap2crows,
    two.white & two.long & one.black & one.short & one.bodyGapUp & now.black & now.bodyAround,
  )
  block.find(
    xsidegap3methods,
    (two.white & one.white & one.bodyGapUp & now.black) |
      (two.black & one.black & one.bodyGapDown & now.white),
  )
}

function findOthers(block: PatternBlock): void {
  const now = block.marks(0)
  const one = block.marks(1)
  block.find(tweezertop, one.white & one.long & now.black & now.highsNear)
  block.find(tweezerbottom, one.black & one.long & now.white & now.lowsNear)
  block.find(insidebar, now.inside)
  block.find(outsidebar, now.outside)
  // risingwindow
  block.count(now.gapUp, 0)
  // fallingwindow
  block.count(0, now.gapDown)
  block.find(pinbar, now.upperShadow | now.lowerShadow)
}
