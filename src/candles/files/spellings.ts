/**
 * Roles of the columns of a table of candles. `timestamp` is a complete time; `date` and `clock` are its day and its time of day.
 */
export type Role = 'timestamp' | 'date' | 'clock' | 'open' | 'high' | 'low' | 'close' | 'volume' | 'symbol'

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/**
 * Names of columns by role, preferred names first, in the form of `normalize`: in English, German, French, Spanish, Italian,
 * Portuguese and Dutch. Some German names are also listed as in files that lost their umlauts.
 */
export const spellings: Readonly<Record<Role, readonly string[]>> = {
  timestamp: words(`
    opentime timeopen opentimestamp windowstart timestamp unix unixtime unixtimestamp epoch ts t
    datetime gmttime localtime zeitstempel datumzeit datumuhrzeit horodatage fechahora fechayhora
    dataora datahora datumtijd`),
  date: words(`
    date day tradedate tradingdate tradingday tradeday dtyyyymmdd yyyymmdd ymd datum tag handelstag jour
    fecha dia data giorno dag`),
  clock: words('time timeofday clock hhmmss hhmm tradetime uhrzeit zeit heure hora ora tijd'),
  open: words(`
    open o openprice priceopen opening eroffnung eroffnungskurs eroeffnung erffnung eroffn erffn erster
    ouverture ouv apertura abertura opening`),
  high: words(`
    high h highprice pricehigh hoch hochst hchst hoechst hochstkurs plushaut haut maximo maxima massimo
    max hoog`),
  low: words('low l lowprice pricelow tief tiefst tiefstkurs plusbas bas minimo minima min laag'),
  close: words(`
    close c closeprice priceclose closelast last latest schluss schlusskurs zuletzt cloture fermeture
    dernier cierre chiusura fechamento ultimo slot laatst price`),
  volume: words(`
    volumebase basevolume volbase basevol volume vol v stuecke stucke stcke volumen volumes tickvolume
    tickvol`),
  symbol: words('ticker symbol pair instrument code'),
}

export const indexNames: readonly string[] = ['indexlevel0', 'index']

/** Names of a first column that is the index of a data frame. yfinance names it like the level of all columns. */
export const firstNames: readonly string[] = ['', 'price', 'unnamed0']

/** Names of the number of price changes, which replaces the volume if a broker provides none. */
export const tickNames: readonly string[] = ['tickvol', 'tickvolume']

/** Quote currencies in which tables have volumes in addition to the volume in the base currency. */
export const quoteCurrencies = words('usd usdt usdc busd tusd fdusd eur gbp jpy krw try')

/** Words after `Volume` that name a calculation over volumes. Such a column is not the volume. */
export const volumeStudies = words(`
  ma sma ema wma average avg mean median delta change chg pct ratio oscillator osc profile up down buy
  sell weighted vwap zscore usdma trend`)

/**
 * Normalizes a column name. `Open time (UTC)`, `open_time` and `<OPENTIME>` become equal, and so do `1. open` and `open`, or
 * `Clôture` and `cloture`.
 */
export const normalize = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/^\d+\. /, '')
    .replace(/\((?:utc|gmt|ms|s|unix)\)/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/(?<=.)(?:utc|gmt)$/, '')
