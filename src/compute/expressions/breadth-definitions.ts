/** A measure of breadth that has a name. */
export interface BreadthDefinition {
  /** What it means, over the values of all markets: see `compileMeasures`. `$n` stands for its parameter. */
  readonly text: string
  /** The default of its only parameter, a number of candles. */
  readonly candles?: number
  readonly about: string
  /** Where the definition was published. */
  readonly source: string
}

/** The most candles that the parameter of a measure may be. */
export const maxBreadthCandles = 500

const advanceDecline = 'Leonard P. Ayres and James F. Hughes, 1926'
const mcclellan = 'Sherman and Marian McClellan, "Patterns for Profit", 1970'
const miekka = 'James R. Miekka, as in Steven B. Achelis, "Technical Analysis from A to Z", 2nd edition, 2001'
const ratioAdjusted = 'Tom McClellan, "The McClellan Market Report"'
const highsAndLows = 'Steven B. Achelis, "Technical Analysis from A to Z", 2nd edition, 2001'

/** The measures of breadth that have a name. */
export const breadthDefinitions: Readonly<Record<string, BreadthDefinition>> = {
  advances: {
    text: 'count(close > close[1])',
    about: 'Markets whose close is above the one before',
    source: advanceDecline,
  },
  declines: {
    text: 'count(close < close[1])',
    about: 'Markets whose close is below the one before',
    source: advanceDecline,
  },
  netadvances: {
    text: 'advances - declines',
    about: 'Advances less declines',
    source: advanceDecline,
  },
  advancedecline: {
    text: 'cumsum(netadvances)',
    about: 'The advance/decline line: net advances summed up from the first candle in memory on',
    source: advanceDecline,
  },
  mcclellan: {
    text: 'ema(netadvances, 19) - ema(netadvances, 39)',
    about:
      'The McClellan oscillator: the averages of net advances that take a tenth and a twentieth of each new value',
    source: mcclellan,
  },
  mcclellansummation: {
    text: '1000 + 19 * ema(netadvances, 39) - 9 * ema(netadvances, 19)',
    about:
      'The McClellan summation index, which changes by the oscillator at each candle. This form is 1,000 where net advances are 0 for long, wherever the candles begin',
    source: miekka,
  },
  rationetadvances: {
    text: '1000 * (advances - declines) / (advances + declines)',
    about: 'Net advances for each 1,000 markets that advance or decline',
    source: ratioAdjusted,
  },
  ratiomcclellan: {
    text: 'ema(rationetadvances, 19) - ema(rationetadvances, 39)',
    about: 'The ratio-adjusted McClellan oscillator, which numbers of markets do not change',
    source: ratioAdjusted,
  },
  ratiomcclellansummation: {
    text: '19 * ema(rationetadvances, 39) - 9 * ema(rationetadvances, 19)',
    about: 'The ratio-adjusted summation index, which is 0 where net advances are 0 for long',
    source: ratioAdjusted,
  },
  newhighs: {
    text: 'count(high > highest(high, $n)[1])',
    candles: 252,
    about: 'Markets whose high is above those of the n candles before',
    source: highsAndLows,
  },
  newlows: {
    text: 'count(low < lowest(low, $n)[1])',
    candles: 252,
    about: 'Markets whose low is below those of the n candles before',
    source: highsAndLows,
  },
  highslows: {
    text: 'newhighs($n) - newlows($n)',
    candles: 252,
    about: 'New highs less new lows',
    source: highsAndLows,
  },
  trin: {
    text: '(advances / declines) / (total(if(close > close[1], volume, 0)) / total(if(close < close[1], volume, 0)))',
    about:
      'The Arms index: advances for each decline over their volume for each volume of declines. Undefined where nothing declines or no volume does',
    source: 'Richard W. Arms, Barron\'s, 1967; "The Arms Index", 1989',
  },
}
