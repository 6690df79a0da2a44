/** How an invented market behaves. Prices are in the quote currency, changes are shares of the price per week. */
export interface MarketProfile {
  /** The mean price. */
  readonly mean: number
  /** Prices stay in [mean / range, mean × range]. */
  readonly range: number
  /** The ticks in a price of 1, a power of ten. */
  readonly ticks: number
  /** The standard deviation of a week's change. */
  readonly volatility: number
  /** Mean reversion: the share of the distance to the mean by which the price returns in a week. */
  readonly reversion: number
  /** The change of a week in the direction of the trend; the trend turns within a factor of three of a bound. */
  readonly drift: number
  /** Inside a week 1 is a random walk, below 1 moves persist, above 1 they reverse. */
  readonly roughness: number
  /** The smallest volume, in the base currency: a power of two, so that sums of volumes are exact. */
  readonly lot: number
  /** The volume of an average week, in the base currency, when the price is at its mean. */
  readonly turnover: number
}

const coin = { range: 12, reversion: 0.03, drift: 0, roughness: 1 }

/** The markets by symbol: the names are real, every number is invented. */
export const marketProfiles: Readonly<Record<string, MarketProfile>> = {
  AAVEUSDT: { ...coin, mean: 160, ticks: 1e2, volatility: 0.1, lot: 1 / 16, turnover: 450_000 },
  ADAUSDT: { ...coin, mean: 0.6, ticks: 1e5, volatility: 0.09, lot: 1, turnover: 700_000_000 },
  ATOMUSDT: { ...coin, mean: 8, ticks: 1e4, volatility: 0.09, lot: 1 / 4, turnover: 14_000_000 },
  AVAXUSDT: { ...coin, mean: 28, ticks: 1e3, volatility: 0.11, lot: 1 / 8, turnover: 12_000_000 },
  BNBUSDT: { ...coin, mean: 420, ticks: 1e2, volatility: 0.06, lot: 1 / 16, turnover: 1_200_000 },
  BTCUSDT: { ...coin, mean: 60_000, ticks: 1e2, volatility: 0.055, lot: 1 / 64, turnover: 160_000 },
  // Illiquid: most minutes have no trade.
  DCRUSDT: { ...coin, mean: 25, ticks: 1e2, volatility: 0.07, lot: 1 / 4, turnover: 6_000 },
  DOGEUSDT: { ...coin, mean: 0.15, ticks: 1e6, volatility: 0.12, lot: 1, turnover: 6e9 },
  DOTUSDT: { ...coin, mean: 7, ticks: 1e4, volatility: 0.09, lot: 1 / 4, turnover: 20_000_000 },
  // Mean-reverting: on every timeframe.
  ETHBTC: {
    ...coin,
    mean: 0.05,
    ticks: 1e6,
    range: 2,
    volatility: 0.03,
    reversion: 0.3,
    roughness: 1.3,
    lot: 1 / 16,
    turnover: 180_000,
  },
  ETHUSDT: { ...coin, mean: 2_800, ticks: 1e2, volatility: 0.07, lot: 1 / 32, turnover: 2_800_000 },
  // Low volatility: a pair of currencies.
  EURUSDT: { ...coin, mean: 1.1, ticks: 1e5, range: 1.4, volatility: 0.009, lot: 1, turnover: 40_000_000 },
  LINKUSDT: { ...coin, mean: 15, ticks: 1e4, volatility: 0.09, lot: 1 / 8, turnover: 16_000_000 },
  LTCUSDT: { ...coin, mean: 85, ticks: 1e3, volatility: 0.08, lot: 1 / 8, turnover: 2_600_000 },
  // Strongly trending: long trends up and down.
  NEARUSDT: {
    ...coin,
    mean: 4,
    ticks: 1e4,
    volatility: 0.025,
    reversion: 0,
    drift: 0.04,
    roughness: 0.7,
    lot: 1 / 4,
    turnover: 30_000_000,
  },
  PAXGUSDT: { ...coin, mean: 2_400, ticks: 1e2, range: 3, volatility: 0.015, lot: 1 / 128, turnover: 18_000 },
  // Very volatile, with a very low price.
  PEPEUSDT: { ...coin, mean: 0.000_009, ticks: 1e10, range: 40, volatility: 0.22, lot: 1, turnover: 9e13 },
  // A very low price.
  SHIBUSDT: { ...coin, mean: 0.000_015, ticks: 1e9, volatility: 0.1, lot: 1, turnover: 7e12 },
  SOLUSDT: { ...coin, mean: 130, ticks: 1e3, volatility: 0.1, lot: 1 / 8, turnover: 22_000_000 },
  // Nearly flat: two stablecoins.
  USDCUSDT: {
    ...coin,
    mean: 1,
    ticks: 1e4,
    range: 1.02,
    volatility: 0.0005,
    reversion: 0.5,
    lot: 1,
    turnover: 9e8,
  },
  XRPUSDT: { ...coin, mean: 0.9, ticks: 1e5, volatility: 0.1, lot: 1, turnover: 900_000_000 },
}
