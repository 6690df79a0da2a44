import type { Guide } from './guide-line.js'

export const structureGuide: Guide = {
  swings: [
    'Marks highs and lows that stand above or below a number of candles on both sides. They are the points from which structure is read. A swing is known only after the candles on its right.',
    'fractals zigzag marketstructure',
  ],
  zigzag: [
    'Joins highs and lows that are at least a given move apart and leaves smaller moves out. It makes the past easy to read. The last leg is not final; here a point is given when it is confirmed, so nothing is redrawn.',
    'swings retracements',
  ],
  fractals: [
    "Williams' five-candle highs and lows. They serve as levels for breakouts and stops. Each appears two candles late.",
    'swings fcb williamsalligator',
  ],
  bos: [
    'A close beyond the last swing in the direction of the trend: the structure continues. Traders use it to confirm a trend. Many breaks fail, and the swing size decides what counts.',
    'choch marketstructure swings',
  ],
  choch: [
    'A close beyond the last swing against the trend: the first sign that the structure changes. It comes before a new trend and before many returns to the old one.',
    'bos marketstructure',
  ],
  marketstructure: [
    'Names the trend by the last swing that was broken: up after a swing high, down after a swing low. It also gives the last swings and the kind of each break. In ranges the trend changes with every break.',
    'bos choch swings',
  ],
  fvg: [
    'A gap between the first and the third of three candles that the middle one left behind, at least half of an average true range wide unless `minGapATR` says otherwise. Prices are said to return to such gaps. Between a fifth and a third of the candles of a random walk leave a gap of any size.',
    'ifvg volumeimbalance openinggap',
  ],
  ifvg: [
    'A fair value gap that was closed through and is now expected to hold from the other side. It needs two events in turn, so it comes late and seldom.',
    'fvg breakerblocks',
  ],
  orderblocks: [
    'The last candle against a move that broke structure, kept as a zone until it is traded through. Returns to it are used for entries. There are many definitions; results depend on them.',
    'breakerblocks mitigationblocks bos',
  ],
  breakerblocks: [
    'An order block that failed, which then is watched from the other side. It is a form of the old rule that support becomes resistance.',
    'orderblocks mitigationblocks',
  ],
  mitigationblocks: [
    'An order block whose move began without a new extreme: the price failed to pass the last swing, turned, and broke structure. A return to it is traded like one to an order block. Whether the last swing was passed depends on the swing settings.',
    'breakerblocks orderblocks',
  ],
  rejectionblocks: [
    'Zones of long shadows at swings, where prices were turned back. A return tests them. Long shadows are common in thin markets.',
    'liquiditysweeps pinbar',
  ],
  liquiditysweeps: [
    'A candle that passes a swing with its shadow and closes back. It is read as stops being taken before a turn. A next candle may go through all the same.',
    'liquiditypools turtlesoup equalhighslows',
  ],
  equalhighslows: [
    'Swings at nearly the same price, above or below which stops are thought to lie. They draw price, the idea says. What is equal depends on the tolerance.',
    'liquiditypools liquiditysweeps',
  ],
  liquiditypools: [
    'Groups of swings near one price, until they are taken. They mark targets and risky places for stops. Any busy price range has some.',
    'equalhighslows liquiditysweeps',
  ],
  premiumdiscount: [
    'Where the close lies in the range between the last two swings: above 0.55 premium, below 0.45 discount, between the two equilibrium. One buys in the lower part. The range is known only after the second swing is confirmed, and prices may be outside it by then.',
    'ote goldenzone retracements',
  ],
  ote: [
    'The zone between 62 and 79 percent of the last leg, where some enter with the trend. It holds while the leg holds. Its percentages are a convention.',
    'goldenzone retracements premiumdiscount',
  ],
  goldenzone: [
    'The prices between which the range of the last candles is retraced by 50 to 61.8 percent from its high. Reactions there are looked for after a rise; it is always measured from the high, so after a fall it is the part in which a recovery stops. Most ranges are retraced that far at some time.',
    'ote retracements fibonacciretracement',
  ],
  openinggap: [
    'The gap between the open of a day or week and the close before, and whether it has been filled. Gaps in shares are often filled on the same day. Markets that trade all day have none.',
    'fvg sessions',
  ],
  volumeimbalance: [
    'A gap between two bodies over which shadows reach. It is a weaker form of gap that prices may return to. It occurs often.',
    'fvg openinggap',
  ],
  previoushighlow: [
    'The high and low of the day, week or month before, and whether they were passed. They are the levels that most people see. Breaks of them fail about as often as they hold.',
    'sessions pivotpoints',
  ],
  sessions: [
    "The high and low of a trading session such as London or New York. Breaks of an early session's range are traded in later ones. The hours are fixed in UTC and take no notice of daylight saving.",
    'previoushighlow openinggap',
  ],
  retracements: [
    'How much of the last leg has been taken back, now and at its deepest. Shallow values show strength. Legs depend on the swing length.',
    'fibonacciretracement zigzag',
  ],
  fibonacciretracement: [
    'The price at a Fibonacci ratio of the range of a window. Traders look for turns at these levels. With so many levels in a range, one is always near.',
    'retracements goldenzone',
  ],
  pivotpoints: [
    'Levels from the high, low and close of the previous period, by the method that is chosen. They are the same for all traders, which is their main force. They say nothing about which one will hold.',
    'pivotstraditional pivotsfibonacci pivotscamarilla cpr',
  ],
  pivotstraditional: [
    'Floor-trader pivots with five levels on each side, as charts draw them. The first levels are reached on most days, the outer hardly ever.',
    'pivotpoints pivotsclassic',
  ],
  pivotsclassic: [
    'Pivot points whose outer levels are whole ranges from the pivot. They are read like the traditional ones and lie farther apart. The outer levels are seldom reached.',
    'pivotpoints pivotstraditional',
  ],
  pivotsfibonacci: [
    'Pivot points whose levels are Fibonacci shares of the previous range. All of them are equally well known, but not equally often reached.',
    'pivotpoints retracements',
  ],
  pivotscamarilla: [
    'Levels close to the previous close, of which the third are for returns and the fourth for breakouts. It suits days that stay in range.',
    'pivotpoints',
  ],
  pivotswoodie: [
    'Pivot points in which the open of the new period counts twice. A gap at the open shifts all levels. Where trading does not pause, the open is the close before and brings nothing new.',
    'pivotpoints',
  ],
  pivotsdemark: [
    "One high and one low for the next period, from a sum that depends on the candle's colour. DeMark meant them as a forecast of the range.",
    'pivotpoints tdrangeprojection',
  ],
  cpr: [
    'The pivot and two lines around it. A narrow range foretells a day of movement, a wide one a quiet day. The rule is a tendency.',
    'pivotpoints',
  ],
  rollingpivots: [
    'Pivot levels from a moving window rather than from a calendar period. They suit markets without sessions, and move with every candle.',
    'pivotpoints donchianchannels',
  ],
  supportresistance: [
    'The newest confirmed swing high as resistance and the newest swing low as support, and the closes that break them on rising volume. Levels are known only some candles after the swing.',
    'swings trendlines',
  ],
  trendlines: [
    'The line through the last two swing highs where the newer is lower, and through the last two lows where the newer is higher, drawn on to the present, and breaks of them. They are drawn the same way each time, unlike by hand. Two points are a weak base for a line.',
    'supportresistance linearreg',
  ],
  darvasbox: [
    "A box between a high that held for three candles and the lowest low around it. A close above is Darvas' entry. In ranges boxes break both ways.",
    'donchianchannels consolidation',
  ],
  consolidation: [
    'A stretch in which closes stay within a narrow range, and its limits. Breakouts from it are traded. Many are short and false.',
    'rectangle squeeze',
  ],
  priorswinghigh: [
    'The highest close and the highest high of the candles before this one. They serve as levels for breakouts and as stops of short positions. The candles after a high need not confirm it, so in a rise the level follows the price.',
    'priorswinglow swings donchianchannels',
  ],
  priorswinglow: [
    'The lowest close and the lowest low of the candles before this one. They serve as levels for breakdowns and as stops of long positions. The candles after a low need not confirm it, so in a fall the level follows the price.',
    'priorswinghigh swings donchianchannels',
  ],
  fvgtrailingstop: [
    'A trailing stop from the averages of unfilled fair value gaps. It follows trends that leave gaps. Quiet trends leave none.',
    'fvg atrtrailingstop',
  ],
  tdrangeprojection: [
    "DeMark's forecast of the next candle's high and low from the present one. It serves as a target for the day. News ignores it.",
    'pivotsdemark',
  ],
}
