import type { Guide } from './guide-line.js'

export const volumeGuide: Guide = {
  obv: [
    'Adds the volume of candles that rise and subtracts that of those that fall. A line that rises ahead of price is read as quiet buying. A candle that closes one tick higher counts all its volume.',
    'pvt ad sobv obvdivergence',
  ],
  ad: [
    'Adds volume according to where in its range each candle closes. It tries to show buying and selling within candles. It ignores gaps and depends on where it began.',
    'adosc cmf obv',
  ],
  adosc: [
    'The difference of two exponential averages of the accumulation line, a short one less a long one, which start as the first value of the line. Crossings of zero show money turning. Its size depends on the volume, and closes near the middle of the range make it noisy.',
    'ad cmf adoscdivergence',
  ],
  cmf: [
    'The share of volume that went into closes near the high, less that near the low, over a window. Above 0.05 buyers are said to lead. A single large candle holds it until it leaves the window.',
    'ad twiggs cmfdivergence',
  ],
  vwap: [
    'The mean price of all trading since an anchor such as the start of the day, weighted by volume. Large traders measure themselves by it. Late in the period new trading hardly moves it.',
    'vwapbands mvwap twap',
  ],
  kvo: [
    "Klinger's oscillator: a short less a long average of volume that counts with the direction of the market. It looks for changes of money flow behind the price. Its sums react strongly to single volumes.",
    'obv adosc',
  ],
  emv: [
    "Tulip's ease of movement: how far the middle of the candle moved, times its range, for each ten thousand units of volume. Positive values mean a rise that took little volume. It grows with the square of prices, so it compares nothing between markets.",
    'eom marketfi',
  ],
  marketfi: [
    'The range of a candle per unit of volume. Compared with the volume it tells whether new money moves the price. Its size means nothing by itself.',
    'eom volume',
  ],
  nvi: [
    "Changes only on candles whose volume falls, since those are said to be the days of informed money. Above its yearly average a market was held to be safe. Today's volumes hardly bear out the idea.",
    'pvi obv',
  ],
  pvi: [
    'Changes only on candles whose volume rises, the days of the crowd. It is read against the negative volume index. Like it, it depends on its first candle.',
    'nvi obv',
  ],
  wad: [
    'Sums the moves from the true high or low to the close. In spite of its name it uses no volume in most software. Divergences with price are its use.',
    'ad wvad',
  ],
  volume: [
    'The volume of each candle, negative where it closed below its open, so that a histogram shows the side by its sign. A quiet candle of a busy hour and a busy one of a quiet hour look alike.',
    'relativevolume vroc netvolume',
  ],
  volumesplit: [
    "Splits each candle's volume into buying and selling by where it closes. It is an estimate; the true split needs the trades.",
    'updownvolume cmf',
  ],
  forceindex: [
    'The change of price times volume, smoothed. Above zero buyers push. Short lengths find pullbacks, long ones trends; values cannot be compared between markets.',
    'obv elderray pvt',
  ],
  pvt: [
    'Adds volume times the change in percent, so large moves count more than small ones. It is a finer form of the on-balance volume. Its level has no meaning.',
    'obv ad',
  ],
  pvo: [
    'The MACD of volume in percent: whether activity grows or shrinks. It confirms breakouts. It says nothing about the side.',
    'vosc vroc ppo',
  ],
  relativevolume: [
    'Volume divided by its recent mean: 2 means twice the usual. It finds candles that deserve attention. Times of day with regular peaks look unusual each day.',
    'volume vroc bettervolume',
  ],
  vroc: [
    'The change of volume in percent. It shows sudden interest, which should come with breakouts. Small bases give huge values.',
    'pvo relativevolume',
  ],
  vfi: [
    'Adds volume of moves that are larger than noise and cuts off extreme volumes. It is a steadier on-balance volume. Several settings decide what counts as noise.',
    'obv fve',
  ],
  intradayintensity: [
    'Where in its range each candle closes, divided by or times the volume, averaged. Positive values mean closes near the highs. The two forms differ in scale by many orders, so one must know which is meant.',
    'cmf ad',
  ],
  vpci: [
    'Whether volume confirms the trend of price: relations of volume-weighted to simple averages. Positive values confirm. It is a product of three ratios, and small errors multiply.',
    'vwma vwmacd',
  ],
  pricevolumerank: [
    'Sorts candles into four kinds by whether price and volume rise or fall. Averages of the rank are compared. Four steps are a rough scale.',
    'volumeaccumulation',
  ],
  aobv: [
    'The on-balance volume with a fast and a slow average, and flags while the fast one rises or falls. It says whether the volume line trends. The flags look at the fast average; the slow one only has to move.',
    'obv amat',
  ],
  pricevolume: [
    'Price times volume: about the money that changed hands in a candle. It finds liquid times and lets markets with different prices be compared. It has no direction unless it is signed.',
    'volume vwap',
  ],
  pricedistance: [
    'The way that price travels in a candle beyond its net change, gaps included. Large distances without progress show that neither side wins. It has no direction.',
    'tr',
  ],
  evwma: [
    "An average that moves towards the close by the candle's share in the volume of the last candles, as though it were the mean price paid for those shares. A candle of heavy volume pulls it at once; where nothing is traded it stays.",
    'vwma vwap',
  ],
  sobv: [
    'The on-balance volume smoothed by an average. Its slope shows the side of volume more calmly than the line itself. It turns later.',
    'obv aobv',
  ],
  twiggs: [
    "Chaikin's money flow with true ranges and Wilder's smoothing, so gaps count and old candles leave without a jump. Above zero is accumulation.",
    'cmf ad',
  ],
  twap: [
    'The mean of prices since an anchor, each candle counting alike. It is the goal of orders that are spread over time. It ignores where trading took place.',
    'vwap',
  ],
  wvad: [
    'Volume weighted by body over range, summed over a window. Long bodies with volume show which side led. Candles without a body add nothing.',
    'ad bop',
  ],
  volumeaccumulation: [
    'Sums volume by where candles close against their middle. A rising line shows closes in the upper halves. It depends on where it began and ignores gaps.',
    'ad wvad',
  ],
  updownvolume: [
    'Volume of rising candles over that of falling ones. Above 1 buyers are more active. One huge candle decides the ratio of a window.',
    'volumesplit obv',
  ],
  tradevolumeindex: [
    'Adds volume while the price moves up and subtracts it while it moves down; steps below a minimum do not change the side. It was made for single trades; on candles it is an on-balance volume with a threshold. The minimum is a price, 0.125 dollars; choose `unit` percent for markets of other prices.',
    'obv',
  ],
  netvolume: [
    'The volume with the sign of the change of the close. It is the step of the on-balance volume, and shows single candles of strong buying or selling. One tick decides the sign.',
    'obv',
  ],
  vwapbands: [
    'The volume-weighted average price with bands of its dispersion. Prices at outer bands are far from what was paid on average. Bands are narrow after the anchor and wide at the end.',
    'vwap bbands',
  ],
  mvwap: [
    'The mean of the volume-weighted average prices of a moving window. It has no anchor and no jump at the start of a day. It lags by both windows.',
    'vwap vwma',
  ],
  bettervolume: [
    'Sorts candles by volume and range into climax, churn, both, low and ordinary ones. Climax marks ends of moves, churn turns. The classes are relative to the window.',
    'relativevolume',
  ],
  fve: [
    "Money flow that counts a candle's volume only if its move exceeds a share of the volatility. Zero crossings and slope are used.",
    'vfi cmf',
  ],
  tsv: [
    'Volume times change of price, summed over a window, and an average of it. Above zero is accumulation. It is close to the force index.',
    'forceindex obv',
  ],
  vzo: [
    'The share of signed volume in all volume, smoothed, from −100 to 100. Beyond ±40 it is extreme. In trends it stays on one side.',
    'obv pvo',
  ],
  vwad: [
    "Chaikin's accumulation in which each candle counts by its share of recent volume, and once more by its volume. Busy candles decide the line. Its level depends on where it began.",
    'wad ad',
  ],
  amihud: [
    'The absolute return per unit of money traded: how much the price gives way. High values mean an illiquid market. Volumes of exchanges that report too much hide it.',
    'rollspread kyleslambda',
  ],
  rollspread: [
    'Estimates the spread between bid and ask from how changes of price alternate. It needs only closes. In trends they do not alternate, and it is 0.',
    'amihud kyleslambda',
  ],
  kyleslambda: [
    'The slope of changes of price on signed volume: the impact of an order. Signs are guessed from candles, so it is a rough number.',
    'amihud rollspread',
  ],
  tdpressure: [
    "DeMark's volume times body over range, summed over a window as a share of all. It shows the side that leads within candles. Gaps do not appear in it.",
    'bop wvad',
  ],
}
