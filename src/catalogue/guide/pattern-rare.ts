import type { Guide } from './guide-line.js'

export const rareCandlePatternGuide: Guide = {
  widerange: [
    'The widest candle of the last few. A move is under way, or at its climax: the close and the place in the trend must tell. After quiet days even a small candle qualifies.',
    'narrowrange bigcandle',
  ],
  fourpricedoji: [
    'Body and both shadows are small compared with the usual range: hardly any trading. It says that the candle can be ignored.',
    'doji',
  ],
  bigcandle: [
    'A body that is several times the usual. It shows sudden agreement. Often there is a setback after it.',
    'widerange longline',
  ],
  kicker: [
    'A candle that opens beyond the open of the previous one and closes away from it. A change of mind overnight. It needs markets that pause.',
    'kicking',
  ],
  keyreversal: [
    'A new extreme that closes beyond the previous close on the other side. It marks days of climax. Most trends contain several.',
    'reversalbar outsidebar',
  ],
  pocketpivot: [
    'A rising candle whose volume exceeds that of each falling one of late. A sign of strong buyers after Morales and Kacher.',
    'relativevolume',
  ],
  stomach: [
    'A candle that opens at or beyond the middle of the opposite body before it and stays there. A reversal after Bulkowski. It looks at no trend.',
    'piercing darkcloudcover',
  ],
  twoblackgapping: [
    'A gap down from a high and two black candles with lower highs. The fall is expected to go on. It needs gaps, which many markets do not have.',
    'fallingwindow 3blackcrows',
  ],
  gappingdoji: [
    'A doji whose whole range lies above or below that of the candle before. It is said to go on in the direction of the gap after the pause. Whether there was a trend is not looked at, and the next candle has to confirm it.',
    'dojistar abandonedbaby',
  ],
  collapsingdojistar: [
    'A white candle, a doji that gaps below it, and a black candle that gaps below the doji. A collapse of confidence; very rare.',
    'abandonedbaby eveningdojistar',
  ],
  newpricelines: [
    'A row of higher highs, or of lower lows. The old Japanese rule is to expect a rest after eight or more. It fires on every candle of a longer row.',
    'streak tdsequential',
  ],
  reversalbar: [
    "A candle with a lower low that closes in its upper half, or the mirror. The first entry of Williams' system, where it counts only at a distance from the Alligator. Without that it is common.",
    'williamsalligator keyreversal',
  ],
  islandreversal: [
    'Candles cut off by a gap before and a gap after. Those who traded on the island are caught, and a strong turn is expected. It needs markets with gaps.',
    'abandonedbaby',
  ],
  turtlesoup: [
    'A new extreme of twenty candles whose close is back at once. It trades against breakouts that fail. The stop is near, and often hit.',
    'liquiditysweeps donchianchannels',
  ],
  matchinghigh: [
    'Two white candles with the same close: the high holds for once. It is the mirror of the matching low and is read as resistance. Two equal closes are no rare event.',
    'matchinglow',
  ],
  tworabbits: [
    'The mirror of the two crows: a black candle, and two white ones of which the second closes within its body. It is read as the end of a fall. It needs a gap and is rare.',
    '2crows',
  ],
  downsidegaptworabbits: [
    'The mirror of the upside gap two crows: two white candles below the body of a black one. Sellers hold the gap but weaken. It needs a gap and is rare.',
    'upsidegap2crows',
  ],
  uniquethreemountain: [
    'The mirror of the unique three river: a long white candle, a white one within it with a new high, and a small black one above. A top that hardly ever occurs.',
    'unique3river',
  ],
  descendinghawk: [
    'A small white body within a long white one after a rise. The rise slows. It is the mirror of the homing pigeon and weak by itself.',
    'homingpigeon',
  ],
  descentblock: [
    'Three black candles whose bodies shrink while their lower shadows grow: a fall that tires. It is the mirror of the advance block, a warning and no reversal.',
    'advanceblock',
  ],
  deliberationblock: [
    'Two long black candles and a small one near the low: the fall stalls. It is the mirror of the stalled pattern and asks sellers for caution only.',
    'stalledpattern',
  ],
  laddertop: [
    'Four rising white candles, the last with a lower shadow, then a black one that opens lower. It is the mirror of the ladder bottom and read as the end of a rise. Hardly ever seen.',
    'ladderbottom',
  ],
  bearishsticksandwich: [
    'A black candle between two white ones with the same close. The close has been refused twice. It is the mirror of the stick sandwich; equal closes may be chance.',
    'sticksandwich',
  ],
  squeezealert: [
    'Three candles, each within the range of the one before. The sign is against the colour of the first. The break of the last is traded.',
    'insidebar narrowrange',
  ],
  doubletrouble: [
    'Two candles of one colour, the second with a larger body and a range well above the usual. A move gathers speed. It may also be its end.',
    'bigcandle',
  ],
  bottle: [
    'A candle in the direction of the one before that opens at its extreme, within the previous move. The trend goes on without looking back. It occurs often in thin markets.',
    'marubozu',
  ],
  slingshot: [
    'A strong candle beyond the previous high, a pause below it, and a candle that tests the broken high and closes above all. It demands four candles to fit, and so is rare.',
    'newpricelines',
  ],
  hpattern: [
    'A doji between two candles of one colour, of which the last closes beyond it. The trend goes on, in the shape of an H.',
    'risefall3methods',
  ],
  euphoria: [
    'Three candles of one colour whose bodies grow. Everybody joins, so the sign is against the move: three growing white candles are bearish. In strong trends that is too early.',
    '3whitesoldiers bigcandle',
  ],
  blockade: [
    'A black candle, two candles that stay in its lower part, and a white one that closes above it all; or the mirror. The low was defended three times. It needs exact places and is rare.',
    'mathold',
  ],
  tddifferential: [
    "DeMark's comparison of buying and selling pressure of two candles after two lower or higher closes. It hints at a short turn.",
    'tdreversedifferential tdsequential',
  ],
  tdreversedifferential: [
    'The comparison of the TD Differential after two closes in the same direction as the pressure, as a sign that the move goes on. Its sign differs between ports; the definition says which is meant.',
    'tddifferential',
  ],
  tdantidifferential: [
    'A sequence of closes: two down, one up, one down, or its mirror. DeMark expects a turn on the next candle. Such a sequence is common in any market.',
    'tddifferential',
  ],
  tdopen: [
    'An open beyond the previous range whose candle trades back into it. The gap was a mistake, and the other side takes over. It needs markets with gaps at the open.',
    'tdtrap openinggap',
  ],
  tdclop: [
    'A candle that opens on one side of the previous open and close and passes both. Pressure has changed. It looks at two candles only.',
    'tdclopwin',
  ],
  tdclopwin: [
    'A body within the previous body, with the sign of the change of close. The next move is said to follow it.',
    'tdclop insidebar',
  ],
  tdcamouflage: [
    'A lower close that is above its own open at a new low, or the mirror. It is read as strength that the close hides. It is a hint for one or two candles.',
    'tddifferential',
  ],
  tdtrap: [
    'A candle that opens within the previous range and leaves it on one side. It is a short-term breakout. Half of the candles of a lively market do it.',
    'tdopen insidebar',
  ],
}
