import type { Guide } from './guide-line.js'

export const candlePatternGuide: Guide = {
  '2crows': [
    'A long white candle, a black one that opens above it, and a second black one that closes within the first body. It warns of the end of a rise. It is rare and needs a gap.',
    'upsidegap2crows darkcloudcover tworabbits',
  ],
  '3blackcrows': [
    'Three black candles in a row, each opening within the body before and closing near its low, after a rise. It shows sellers in command. By its end much of the fall has happened.',
    '3whitesoldiers identical3crows',
  ],
  '3inside': [
    'A harami that the third candle confirms by closing beyond the first. The confirmation makes it safer than the harami, and later.',
    'harami 3outside',
  ],
  '3linestrike': [
    'Three candles in one direction and a fourth that takes all of them back. It is read as a pause of the trend; statistics often show the opposite.',
    '3blackcrows 3whitesoldiers',
  ],
  '3outside': [
    'An engulfing pattern that the third candle confirms by closing farther. It is one of the more reliable reversals, and its stop is wide.',
    'engulfing 3inside',
  ],
  '3starsinsouth': [
    'Three black candles that shrink step by step while the lows rise. A fall runs out of sellers. It hardly ever occurs in its strict form.',
    '3blackcrows',
  ],
  '3whitesoldiers': [
    'Three white candles in a row, each opening within the body before and closing near its high. It shows strong buying. After a long rise it is the end rather than the start.',
    '3blackcrows advanceblock stalledpattern',
  ],
  abandonedbaby: [
    'A doji that is separated by gaps on both sides, between two candles of opposite colour. A strong reversal where gaps exist; markets that trade all day have none.',
    'morningdojistar islandreversal',
  ],
  advanceblock: [
    'Three white candles whose bodies shrink and whose upper shadows grow: a rise that tires. It is a warning, not a reversal.',
    '3whitesoldiers stalledpattern descentblock',
  ],
  belthold: [
    'A long candle that opens at its extreme: a white one from the low, a black one from the high. It shows one side from the open on. Single candles say little.',
    'closingmarubozu marubozu',
  ],
  breakaway: [
    'Five candles: a gap in the direction of the trend, small steps on, and a candle that closes back into the gap. Rare, and only in markets with gaps.',
    'abandonedbaby',
  ],
  closingmarubozu: [
    'A long candle without a shadow at the close: it ends at its extreme. The winning side did not give way until the end.',
    'marubozu belthold',
  ],
  concealbabyswall: [
    'Four black candles, the third with a long upper shadow in the second, the fourth engulfing it. A curious reversal after panic; almost never seen.',
    '3starsinsouth',
  ],
  counterattack: [
    'Two long candles of opposite colour that close at the same price. The second takes back a gap but no more. It is weaker than the piercing line and the dark cloud.',
    'piercing separatinglines',
  ],
  darkcloudcover: [
    'A black candle that opens above a long white one and closes well into its body. It warns at the end of a rise. The deeper it closes, the better.',
    'piercing engulfing',
  ],
  doji: [
    'Open and close are nearly equal: neither side won. After long moves it can be a first sign of a turn; in ranges it means nothing.',
    'longleggeddoji dragonflydoji gravestonedoji',
  ],
  dojistar: [
    'A doji that gaps away from a long body. The trend hesitates. It needs the next candle to be a signal.',
    'eveningdojistar morningdojistar',
  ],
  dragonflydoji: [
    'A doji with a long lower and hardly any upper shadow. Buyers took back all of a fall. It counts after a fall only.',
    'gravestonedoji takuri hammer',
  ],
  engulfing: [
    'A body that covers the whole body before it, of the opposite colour. It is the best-known reversal of two candles. On short timeframes it occurs every few candles.',
    'harami 3outside',
  ],
  eveningdojistar: [
    'A long white candle, a doji above it, and a black candle deep into the first body. The evening star in its stronger form.',
    'eveningstar morningdojistar',
  ],
  eveningstar: [
    'A long white candle, a small body above it, and a black candle deep into the first body. It marks the end of a rise. The gap it asks for is missing in many markets.',
    'morningstar eveningdojistar',
  ],
  gapsidesidewhite: [
    'After a gap, two white candles side by side of similar size and open. The gap holds and the trend is expected to go on. A close back through the gap ends the pattern.',
    'tasukigap',
  ],
  gravestonedoji: [
    'A doji with a long upper and hardly any lower shadow. Sellers took back all of a rise. It counts after a rise only.',
    'dragonflydoji shootingstar',
  ],
  hammer: [
    'A small body at the top with a long lower shadow, after a fall. Buyers came in at the low. The next candle must agree.',
    'hangingman invertedhammer takuri',
  ],
  hangingman: [
    'The shape of a hammer after a rise. It is a first hint of selling and wrong more often than right.',
    'hammer shootingstar',
  ],
  harami: [
    'A small body within the long body before. The move pauses. It is a weak signal before the third candle.',
    'haramicross 3inside engulfing',
  ],
  haramicross: [
    'A harami whose second candle is a doji within the long body before. The move has stopped completely. It says that something ends, not what follows.',
    'harami doji',
  ],
  highwave: [
    'A short body with very long shadows on both sides. Nobody leads in a nervous market. After a long trend it is a first warning, elsewhere nothing.',
    'longleggeddoji spinningtop',
  ],
  hikkake: [
    'An inside candle whose breakout fails within three candles. One trades against those who followed it. It occurs often and works in both directions.',
    'hikkakemod insidebar',
  ],
  hikkakemod: [
    'A hikkake with one more candle of compression and a close near the extreme. It is rarer than the plain one.',
    'hikkake',
  ],
  homingpigeon: [
    'A small black body within a long black one after a fall. The fall slows. It needs a white candle to mean more.',
    'harami matchinglow descendinghawk',
  ],
  identical3crows: [
    'Three black candles that each open at the close before. Selling without any relief, which is read as a fall that goes on. Equal prices make it rare.',
    '3blackcrows',
  ],
  inneck: [
    'After a long black candle, a white one that opens below and closes barely into its body. Buyers fail, and the fall is expected to go on. It differs very little from the on-neck and the thrusting pattern.',
    'onneck thrusting',
  ],
  invertedhammer: [
    'A small body at the bottom with a long upper shadow, after a fall. A first try of buyers. It needs confirmation more than the hammer.',
    'hammer shootingstar',
  ],
  kicking: [
    'Two candles without shadows of opposite colour with a gap between. The strongest change of mind in two candles, and very rare.',
    'kickingbylength kicker',
  ],
  kickingbylength: [
    'The kicking pattern with the sign of the longer of its two candles. The stronger candle is trusted more than the newer. It is very rare.',
    'kicking',
  ],
  ladderbottom: [
    'Four falling black candles, the last with an upper shadow, then a white one that opens higher. A fall ends as sellers take their profit. Hardly ever seen.',
    'laddertop',
  ],
  longleggeddoji: [
    'A doji with long shadows: a fight without a winner. After a long move it warns of a turn. In ranges it is an ordinary candle.',
    'doji highwave rickshawman',
  ],
  longline: [
    'A long body with short shadows. It shows a clear side for one candle. It begins moves and ends them alike.',
    'shortline marubozu',
  ],
  marubozu: [
    'A long candle without shadows: one side led from open to close. It often begins a move and often ends one.',
    'closingmarubozu belthold',
  ],
  matchinglow: [
    'Two black candles with the same close: the low holds for once. It is read as support after a fall. Two equal closes are no rare event.',
    'homingpigeon matchinghigh',
  ],
  mathold: [
    'A long white candle, small ones that drift down but hold, and a new white one. The rise goes on. It is the rising three methods with a gap.',
    'risefall3methods',
  ],
  morningdojistar: [
    'A long black candle, a doji below it, and a white candle deep into the first body. The morning star in its stronger form.',
    'morningstar eveningdojistar',
  ],
  morningstar: [
    'A long black candle, a small body below it, and a white candle deep into the first body. It marks the end of a fall. The gap is missing in many markets.',
    'eveningstar morningdojistar',
  ],
  onneck: [
    'After a long black candle, a white one that opens below and closes at its low. Buyers do not even get into the body; the fall goes on.',
    'inneck thrusting',
  ],
  piercing: [
    'A white candle that opens below a long black one and closes above the middle of its body. The mirror of the dark cloud.',
    'darkcloudcover engulfing',
  ],
  rickshawman: [
    'A long-legged doji whose body is in the middle of its range: complete indecision. It asks to wait for the next candle.',
    'longleggeddoji',
  ],
  risefall3methods: [
    'A long candle, three small ones against it within its range, and another long one in its direction. A pause in a trend.',
    'mathold',
  ],
  separatinglines: [
    'Two candles of opposite colour that open at the same price. The second resumes the trend as though the first had not been. It needs an open far from the last close.',
    'counterattack',
  ],
  shootingstar: [
    'A small body at the bottom with a long upper shadow, after a rise. Sellers turned the candle back. The next candle must agree.',
    'invertedhammer hangingman',
  ],
  shortline: [
    'A short body with short shadows: a quiet candle. Several in a row come before movement. One says nothing.',
    'longline',
  ],
  spinningtop: [
    'A small body with shadows longer than it. The market hesitates. It is a part of other patterns and common in itself.',
    'highwave doji',
  ],
  stalledpattern: [
    'Two long white candles and a small third near the high. The rise stalls. It asks for caution only.',
    'advanceblock 3whitesoldiers deliberationblock',
  ],
  sticksandwich: [
    'A white candle between two black ones with the same close. The close has held twice and is read as support. Equal closes may be chance.',
    'matchinglow bearishsticksandwich',
  ],
  takuri: [
    'A dragonfly doji with a very long lower shadow: buyers took back a deep fall. After a long decline it may be its end. It needs a confirming candle.',
    'dragonflydoji hammer',
  ],
  tasukigap: [
    'A gap, a candle in its direction, and one against it that does not close the gap. The trend is expected to go on. If the gap closes, the pattern has failed.',
    'gapsidesidewhite xsidegap3methods',
  ],
  thrusting: [
    'After a long black candle, a white one that closes into its body but below the middle. It is not enough for a turn, and the fall is expected to go on. Statistics hardly bear that out.',
    'inneck piercing',
  ],
  tristar: [
    'Three dojis, the middle one apart from the others. It is read as a turn after a long trend. It is hardly ever seen.',
    'doji abandonedbaby',
  ],
  unique3river: [
    'A long black candle, a black hammer within it with a new low, and a small white one below. A rare bottom.',
    'uniquethreemountain',
  ],
  upsidegap2crows: [
    'A white candle and two black ones above its body, the second engulfing the first. Buyers hold the gap but weaken.',
    '2crows downsidegaptworabbits',
  ],
  xsidegap3methods: [
    'Two candles of one colour with a gap, and a third that closes it. The gap was filled and the trend is said to go on. Others read the same as weakness.',
    'tasukigap',
  ],
  tweezertop: [
    'Two highs at the same price on neighbouring candles after a rise. The level stopped two attempts. Small ranges make it common.',
    'tweezerbottom doubletop',
  ],
  tweezerbottom: [
    'Two lows at the same price on neighbouring candles after a fall. The level held twice. Small ranges make it common.',
    'tweezertop doublebottom',
  ],
  insidebar: [
    'A candle within the range of the one before. The market waits; breaks of it are traded. Many break both ways.',
    'outsidebar hikkake narrowrange',
  ],
  outsidebar: [
    'A candle that passes both ends of the one before. Volatility returns, and the close names the side.',
    'insidebar engulfing',
  ],
  risingwindow: [
    'A gap up between two candles. Its edges serve as support until they are closed through. Markets that trade all day have few.',
    'fallingwindow openinggap',
  ],
  fallingwindow: [
    'A gap down between two candles. Its edges serve as resistance until they are closed through. Markets that trade all day have few.',
    'risingwindow openinggap',
  ],
  pinbar: [
    'A candle with a long shadow on one side and a small body at the other end. The price was rejected there. It needs a level to mean something.',
    'hammer shootingstar',
  ],
  candlepatterns: [
    "TA-Lib's candle patterns and a few more at once: how many are bullish or bearish, and their names. It spares dozens of requests. Several names for one candle are no better proof than one.",
    'engulfing hammer',
  ],
  longuppershadow: [
    'A shadow above the body that takes most of the range: sellers were met there. After a rise it warns. By itself it occurs every few candles.',
    'longlowershadow uppershadow',
  ],
  longlowershadow: [
    'A shadow below the body that takes most of the range: buyers were met there. After a fall it is a first sign of a turn. By itself it occurs every few candles.',
    'longuppershadow lowershadow',
  ],
  thestrat: [
    'Numbers each candle: 1 inside, 2 beyond one side, 3 beyond both. Sequences of them are traded. They describe and do not foretell.',
    'insidebar outsidebar',
  ],
  narrowrange: [
    'The narrowest candle of the last four or seven. Quiet comes before movement. The side is open.',
    'widerange insidebar',
  ],
}
