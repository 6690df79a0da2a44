import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import type { Candle } from '../../../src/candles/candle.js'
import { readCandles } from '../../../src/cli/compute/candle-input.js'
import { openFiles } from '../../../src/cli/files/input-file.js'
import type { ReadingOptions } from '../../../src/cli/files/lines.js'
import { readRows } from '../../../src/cli/files/rows.js'

const directory = mkdtempSync(join(tmpdir(), 'candela-forms-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

let files = 0
function fileOf(content: string | Uint8Array): string {
  const path = join(directory, `${files++}.txt`)
  writeFileSync(path, content)
  return path
}

/** What `candela compute` reads of a file, and the notes that it prints. */
async function computed(path: string, options: ReadingOptions = {}) {
  const notes: string[] = []
  const candles: Candle[] = []
  for await (const candle of readCandles([path], { ...options, onNote: note => notes.push(note) }))
    candles.push(candle)
  return { candles, notes }
}

/** What `candela import` reads of a file, by time. */
async function imported(path: string, options: ReadingOptions = {}) {
  const candles: Candle[] = []
  for await (const file of openFiles([path])) {
    const { problems } = await readRows(file, options, (_, candle) => candles.push(candle))
    expect(problems).toEqual([])
  }
  return candles.sort((a, b) => a.timestamp - b.timestamp)
}

const day = 86_400
/** 11 January 2024, 00:00 UTC. */
const first = 1_704_931_200
const candle = (
  at: number,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
): Candle => ({
  timestamp: first + at * day,
  open,
  high,
  low,
  close,
  volume,
})
/** Four days of a market, as every file below has them. */
const days = [
  candle(0, 46650.5, 48969.25, 45606.75, 46339.5, 1203.5),
  candle(1, 46339.5, 46515.25, 41500.5, 42782.75, 2310.25),
  candle(4, 41732.5, 43400.75, 41718.25, 42511.5, 875.75),
  candle(5, 42511.5, 43578.25, 42050.5, 43137.75, 940.5),
]
const withVolumes = (...volumes: readonly number[]) =>
  days.map((each, at) => ({ ...each, volume: volumes[at] as number }))
const withoutVolume = withVolumes(0, 0, 0, 0)

interface Form {
  readonly name: string
  readonly text: string
  readonly notes?: readonly string[]
  readonly candles?: readonly Candle[]
  readonly options?: ReadingOptions
}

const forms: readonly Form[] = [
  {
    name: "Binance's klines without a header, in milliseconds",
    text: `1704931200000,46650.5,48969.25,45606.75,46339.5,1203.5,1705017599999,55769678.25,9000,600.5,27826839.1,0
1705017600000,46339.5,46515.25,41500.5,42782.75,2310.25,1705103999999,98838858.1,9000,600.5,27826839.1,0
1705276800000,41732.5,43400.75,41718.25,42511.5,875.75,1705363199999,37229506.1,9000,600.5,27826839.1,0
1705363200000,42511.5,43578.25,42050.5,43137.75,940.5,1705449599999,40571053.8,9000,600.5,27826839.1,0
`,
    notes: ["no names of columns, read as one of Binance's public files"],
  },
  {
    name: "Binance's klines with a header, in microseconds",
    text: `open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore
1704931200000000,46650.5,48969.25,45606.75,46339.5,1203.5,1705017599999999,55769678.25,9000,600.5,27826839.1,0
1705017600000000,46339.5,46515.25,41500.5,42782.75,2310.25,1705103999999999,98838858.1,9000,600.5,27826839.1,0
1705276800000000,41732.5,43400.75,41718.25,42511.5,875.75,1705363199999999,37229506.1,9000,600.5,27826839.1,0
1705363200000000,42511.5,43578.25,42050.5,43137.75,940.5,1705449599999999,40571053.8,9000,600.5,27826839.1,0
`,
  },
  {
    name: 'Coinbase, the newest first, with a header',
    text: `time,low,high,open,close,volume
1705363200,42050.5,43578.25,42511.5,43137.75,940.5
1705276800,41718.25,43400.75,41732.5,42511.5,875.75
1705017600,41500.5,46515.25,46339.5,42782.75,2310.25
1704931200,45606.75,48969.25,46650.5,46339.5,1203.5
`,
  },
  {
    name: 'Coinbase, the newest first, as arrays',
    text: `[[1705363200,42050.5,43578.25,42511.5,43137.75,940.5],
[1705276800,41718.25,43400.75,41732.5,42511.5,875.75],
[1705017600,41500.5,46515.25,46339.5,42782.75,2310.25],
[1704931200,45606.75,48969.25,46650.5,46339.5,1203.5]]`,
    notes: ['no names of columns, read as time, low, high, open, close, volume'],
  },
  {
    name: 'Kraken, without a header',
    text: `1704931200,46650.5,48969.25,45606.75,46339.5,1203.5,9000
1705017600,46339.5,46515.25,41500.5,42782.75,2310.25,9100
1705276800,41732.5,43400.75,41718.25,42511.5,875.75,9200
1705363200,42511.5,43578.25,42050.5,43137.75,940.5,9300
`,
    notes: ['no names of columns, read as time, open, high, low, close, volume'],
  },
  {
    name: 'Bitstamp',
    text: `timestamp,open,high,low,close,volume
1704931200,46650.5,48969.25,45606.75,46339.5,1203.5
1705017600,46339.5,46515.25,41500.5,42782.75,2310.25
1705276800,41732.5,43400.75,41718.25,42511.5,875.75
1705363200,42511.5,43578.25,42050.5,43137.75,940.5
`,
  },
  {
    name: 'CryptoDataDownload, the newest first, below its address',
    text: `https://www.CryptoDataDownload.com
unix,date,symbol,open,high,low,close,Volume BTC,Volume USD
1705363200,2024-01-16 00:00:00,BTC/USD,42511.5,43578.25,42050.5,43137.75,940.5,40571053.8
1705276800,2024-01-15 00:00:00,BTC/USD,41732.5,43400.75,41718.25,42511.5,875.75,37229506.1
1705017600,2024-01-12 00:00:00,BTC/USD,46339.5,46515.25,41500.5,42782.75,2310.25,98838858.1
1704931200,2024-01-11 00:00:00,BTC/USD,46650.5,48969.25,45606.75,46339.5,1203.5,55769678.2
`,
    notes: ['volume: column 8 "Volume BTC"'],
  },
  {
    name: 'CryptoDataDownload without a symbol',
    text: `Unix Timestamp,Open,High,Low,Close,Volume BTC,Volume USDT
1704931200,46650.5,48969.25,45606.75,46339.5,1203.5,55769678.2
1705017600,46339.5,46515.25,41500.5,42782.75,2310.25,98838858.1
1705276800,41732.5,43400.75,41718.25,42511.5,875.75,37229506.1
1705363200,42511.5,43578.25,42050.5,43137.75,940.5,40571053.8
`,
    notes: ['volume: column 6 "Volume BTC"'],
  },
  {
    name: 'TradingView, with times of New York and a study',
    text: `time,open,high,low,close,Volume,Volume MA
2024-01-10T19:00:00-05:00,46650.5,48969.25,45606.75,46339.5,1203.5,NaN
2024-01-11T19:00:00-05:00,46339.5,46515.25,41500.5,42782.75,2310.25,NaN
2024-01-14T19:00:00-05:00,41732.5,43400.75,41718.25,42511.5,875.75,1463.1
2024-01-15T19:00:00-05:00,42511.5,43578.25,42050.5,43137.75,940.5,1375.5
`,
  },
  {
    name: 'Yahoo, with days without trade',
    text: `Date,Open,High,Low,Close,Adj Close,Volume
2024-01-11,46650.5,48969.25,45606.75,46339.5,46000,1203.5
2024-01-12,46339.5,46515.25,41500.5,42782.75,42500,2310.25
2024-01-13,null,null,null,null,null,null
2024-01-15,41732.5,43400.75,41718.25,42511.5,42300,875.75
2024-01-16,42511.5,43578.25,42050.5,43137.75,43000,940.5
`,
    notes: ['1 row without prices left out'],
  },
  {
    name: 'yfinance, with one line of names',
    text: `Datetime,Open,High,Low,Close,Volume,Dividends,Stock Splits
2024-01-11 00:00:00+00:00,46650.5,48969.25,45606.75,46339.5,1203.5,0.0,0.0
2024-01-12 00:00:00+00:00,46339.5,46515.25,41500.5,42782.75,2310.25,0.0,0.0
2024-01-15 00:00:00+00:00,41732.5,43400.75,41718.25,42511.5,875.75,0.0,0.0
2024-01-16 00:00:00+00:00,42511.5,43578.25,42050.5,43137.75,940.5,0.0,0.0
`,
  },
  {
    name: 'yfinance, with three lines of names',
    text: `Price,Close,High,Low,Open,Volume
Ticker,BTC-USD,BTC-USD,BTC-USD,BTC-USD,BTC-USD
Date,,,,,
2024-01-11,46339.5,48969.25,45606.75,46650.5,1203.5
2024-01-12,42782.75,46515.25,41500.5,46339.5,2310.25
2024-01-15,42511.5,43400.75,41718.25,41732.5,875.75
2024-01-16,43137.75,43578.25,42050.5,42511.5,940.5
`,
    notes: ['timestamp: column 1 "Price"'],
  },
  {
    name: 'Alpha Vantage, the newest first',
    text: `timestamp,open,high,low,close,volume
2024-01-16,42511.5,43578.25,42050.5,43137.75,940.5
2024-01-15,41732.5,43400.75,41718.25,42511.5,875.75
2024-01-12,46339.5,46515.25,41500.5,42782.75,2310.25
2024-01-11,46650.5,48969.25,45606.75,46339.5,1203.5
`,
  },
  {
    name: 'Stooq',
    text: `<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>
BTCUSD,D,20240111,000000,46650.5,48969.25,45606.75,46339.5,1203.5,0
BTCUSD,D,20240112,000000,46339.5,46515.25,41500.5,42782.75,2310.25,0
BTCUSD,D,20240115,000000,41732.5,43400.75,41718.25,42511.5,875.75,0
BTCUSD,D,20240116,000000,42511.5,43578.25,42050.5,43137.75,940.5,0
`,
  },
  {
    name: 'Nasdaq, the newest first',
    text: `Date,Close/Last,Volume,Open,High,Low
01/16/2024,$43137.75,940.5,$42511.50,$43578.25,$42050.50
01/15/2024,$42511.50,875.75,$41732.50,$43400.75,$41718.25
01/12/2024,$42782.75,2310.25,$46339.50,$46515.25,$41500.50
01/11/2024,$46339.50,1203.5,$46650.50,$48969.25,$45606.75
`,
    notes: ['close: column 2 "Close/Last"'],
  },
  {
    name: 'Investing.com, the newest first',
    text: `"Date","Price","Open","High","Low","Vol.","Change %"
"01/16/2024","43,137.75","42,511.50","43,578.25","42,050.50","940.50K","1.47%"
"01/15/2024","42,511.50","41,732.50","43,400.75","41,718.25","0.87575M","-0.63%"
"01/12/2024","42,782.75","46,339.50","46,515.25","41,500.50","2.31025M","-7.68%"
"01/11/2024","46,339.50","46,650.50","48,969.25","45,606.75","1.2035M","-0.67%"
`,
    notes: ['close: column 2 "Price"'],
    candles: withVolumes(1_203_500, 2_310_250, 875_750, 940_500),
  },
  {
    name: 'Investing.com in German, of a currency',
    text: `"Datum","Zuletzt","Eröffn.","Hoch","Tief","Vol.","+/- %"
"16.01.2024","43.137,75","42.511,50","43.578,25","42.050,50","-","1,47%"
"15.01.2024","42.511,50","41.732,50","43.400,75","41.718,25","-","-0,63%"
"12.01.2024","42.782,75","46.339,50","46.515,25","41.500,50","-","-7,68%"
"11.01.2024","46.339,50","46.650,50","48.969,25","45.606,75","-","-0,67%"
`,
    notes: [
      'timestamp: column 1 "Datum", open: column 3 "Eröffn.", high: column 4 "Hoch", low: column 5 "Tief", close: column 2 "Zuletzt"',
    ],
    candles: withoutVolume,
  },
  {
    name: 'German headings with pieces and turnover',
    text: `Datum;Erster;Hoch;Tief;Schlusskurs;Stuecke;Volumen
2024-01-16;42.511,50;43.578,25;42.050,50;43.137,75;940,5;40.571.053
2024-01-15;41.732,50;43.400,75;41.718,25;42.511,50;875,75;37.229.506
2024-01-12;46.339,50;46.515,25;41.500,50;42.782,75;2.310,25;98.838.858
2024-01-11;46.650,50;48.969,25;45.606,75;46.339,50;1.203,5;55.769.678
`,
    notes: [
      'timestamp: column 1 "Datum", open: column 2 "Erster", high: column 3 "Hoch", low: column 4 "Tief", close: column 5 "Schlusskurs", volume: column 6 "Stuecke"',
    ],
  },
  {
    name: 'MetaTrader 4, without a header',
    text: `2024.01.11,00:00,46650.5,48969.25,45606.75,46339.5,1203
2024.01.12,00:00,46339.5,46515.25,41500.5,42782.75,2310
2024.01.15,00:00,41732.5,43400.75,41718.25,42511.5,875
2024.01.16,00:00,42511.5,43578.25,42050.5,43137.75,940
`,
    notes: ['no names of columns, read as date, time, open, high, low, close, volume'],
    candles: withVolumes(1203, 2310, 875, 940),
  },
  {
    name: 'MetaTrader 5, whose broker knows no volume',
    text: `<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>
2024.01.11\t00:00:00\t46650.5\t48969.25\t45606.75\t46339.5\t1203\t0\t12
2024.01.12\t00:00:00\t46339.5\t46515.25\t41500.5\t42782.75\t2310\t0\t12
2024.01.15\t00:00:00\t41732.5\t43400.75\t41718.25\t42511.5\t875\t0\t12
2024.01.16\t00:00:00\t42511.5\t43578.25\t42050.5\t43137.75\t940\t0\t12
`,
    notes: ['volume: column 7 "<TICKVOL>"'],
    candles: withVolumes(1203, 2310, 875, 940),
  },
  {
    name: 'Dukascopy',
    text: `Gmt time,Open,High,Low,Close,Volume
11.01.2024 00:00:00.000,46650.5,48969.25,45606.75,46339.5,1203.5
12.01.2024 00:00:00.000,46339.5,46515.25,41500.5,42782.75,2310.25
15.01.2024 00:00:00.000,41732.5,43400.75,41718.25,42511.5,875.75
16.01.2024 00:00:00.000,42511.5,43578.25,42050.5,43137.75,940.5
`,
  },
  {
    name: 'Dukascopy with local times',
    text: `Local time,Open,High,Low,Close,Volume
11.01.2024 01:00:00.000 GMT+0100,46650.5,48969.25,45606.75,46339.5,1203.5
12.01.2024 01:00:00.000 GMT+0100,46339.5,46515.25,41500.5,42782.75,2310.25
15.01.2024 01:00:00.000 GMT+0100,41732.5,43400.75,41718.25,42511.5,875.75
16.01.2024 01:00:00.000 GMT+0100,42511.5,43578.25,42050.5,43137.75,940.5
`,
  },
  {
    name: 'HistData, whose times are five hours behind UTC',
    text: `20240110 190000;46650.5;48969.25;45606.75;46339.5;0
20240111 190000;46339.5;46515.25;41500.5;42782.75;0
20240114 190000;41732.5;43400.75;41718.25;42511.5;0
20240115 190000;42511.5;43578.25;42050.5;43137.75;0
`,
    notes: ['no names of columns, read as time, open, high, low, close, volume'],
    candles: withoutVolume,
    options: { utcOffset: -18_000 },
  },
  {
    name: "Polygon's flat files, with several markets",
    text: `ticker,volume,open,close,high,low,window_start,transactions
A,5,1,1,1,1,1704931200000000000,3
BTC,1203.5,46650.5,46339.5,48969.25,45606.75,1704931200000000000,90
BTC,2310.25,46339.5,42782.75,46515.25,41500.5,1705017600000000000,90
BTC,875.75,41732.5,42511.5,43400.75,41718.25,1705276800000000000,90
BTC,940.5,42511.5,43137.75,43578.25,42050.5,1705363200000000000,90
C,5,1,1,1,1,1704931200000000000,3
`,
    notes: ['timestamp: column 7 "window_start"'],
    options: { symbol: 'BTC' },
  },
  {
    name: "ccxt's arrays",
    text: JSON.stringify(
      days.map(each => [each.timestamp * 1000, each.open, each.high, each.low, each.close, each.volume]),
    ),
    notes: ['no names of columns, read as time, open, high, low, close, volume'],
  },
  {
    name: 'pandas, whose index has no name',
    text: `,open,high,low,close,volume
2024-01-11,46650.5,48969.25,45606.75,46339.5,1203.5
2024-01-12,46339.5,46515.25,41500.5,42782.75,2310.25
2024-01-15,41732.5,43400.75,41718.25,42511.5,875.75
2024-01-16,42511.5,43578.25,42050.5,43137.75,940.5
`,
    notes: ['timestamp: column 1 ""'],
  },
  {
    name: 'columns that the caller names',
    text: `day,a,b,c,d,turnover,shares
2024-01-11,46650.5,48969.25,45606.75,46339.5,1,1203.5
2024-01-12,46339.5,46515.25,41500.5,42782.75,1,2310.25
2024-01-15,41732.5,43400.75,41718.25,42511.5,1,875.75
2024-01-16,42511.5,43578.25,42050.5,43137.75,1,940.5
`,
    options: {
      columns: { timestamp: 'day', open: 'A', high: '3', low: 'c', close: 'd', volume: 'shares' },
    },
    notes: [
      'timestamp: column 1 "day", open: column 2 "a", high: column 3 "b", low: column 4 "c", close: column 5 "d", volume: column 7 "shares"',
    ],
  },
]

describe.each(forms)('a file of $name', ({ text, notes = [], candles = days, options = {} }) => {
  it('is read by compute, oldest first', async () => {
    expect(await computed(fileOf(text), options)).toEqual({ candles, notes })
  })

  it('is read by import', async () => {
    expect(await imported(fileOf(text), options)).toEqual(candles)
  })
})

const plain = forms.find(({ name }) => name === 'Bitstamp')?.text as string
/** Compressed by `zstd -19`, and written by pyarrow: see their README. */
const stored = (name: string) => fileURLToPath(new URL(`../../support/candle-files/${name}`, import.meta.url))

describe('a file', () => {
  it.each([
    ['compressed with gzip', () => fileOf(gzipSync(plain))],
    ['compressed with zstd', () => stored('days.csv.zst')],
    ['in Windows-1252', () => fileOf(Buffer.from(germanHead.replace('TEXT', 'Eröffnung'), 'latin1'))],
    ['of Parquet, compressed with snappy', () => stored('snappy.parquet')],
    ['of Parquet, compressed with zstd', () => stored('zstd.parquet')],
    ["of Parquet with pandas' index", () => stored('pandas.parquet')],
  ])('%s is read', async (_, file) => {
    expect((await computed(file())).candles).toEqual(days)
    expect(await imported(file())).toEqual(days)
  })

  it.each([
    [
      'whose days and months may be each other',
      'Date,Open,High,Low,Close\n01/02/2024,1,2,1,2\n02/02/2024,1,2,1,2\n',
      '"01/02/2024" may begin with the day or the month (add --dates dmy or --dates mdy)',
      { dateOrder: 'dmy' },
    ],
    [
      'whose commas may be of thousands or of decimals',
      'Date;Open;High;Low;Close\n2024-01-02;1,250;1,250;1,250;1,250\n',
      'the comma in "1,250" may begin decimals or separate thousands (add --decimal comma or --decimal point)',
      { decimalMark: 'comma' },
    ],
    [
      'with two volumes',
      'time,open,high,low,close,Volume ETH,Volume BTC\n1704931200,1,2,1,2,3,4\n',
      'the volume may be "Volume ETH" or "Volume BTC" (add --columns volume=<name>)',
      { columns: { volume: 'Volume ETH' } },
    ],
    [
      'with two columns of one name',
      'time,open,high,low,close,close\n1704931200,1,2,1,2,3\n',
      'two columns are called close (add --columns close=<number>)',
      { columns: { close: '5' } },
    ],
    [
      'with more columns than usual and no names',
      '1704931200,1,2,1,2,1.5,7,8\n',
      'no names of columns, and 8 of them: the first line must name them (add --columns timestamp=1,open=2,high=3,low=4,close=5,volume=6)',
      { columns: { timestamp: '1', open: '2', high: '3', low: '4', close: '5', volume: '7' } },
    ],
  ] as const)('%s is refused with what decides it', async (_, text, message, options) => {
    const path = fileOf(text)
    await expect(computed(path)).rejects.toThrow(`${path} line 1: ${message}`)
    expect((await computed(path, options)).candles.length).toBeGreaterThan(0)
  })

  it('with several markets needs the name of one', async () => {
    const path = fileOf('symbol,time,open,high,low,close\nA,1704931200,1,2,1,2\nB,1704931200,1,2,1,2\n')
    await expect(computed(path)).rejects.toThrow(
      'line 3: the file has candles of several markets, such as "A" and "B": add --symbol',
    )
    expect((await computed(path, { symbol: 'B' })).candles).toHaveLength(1)
  })

  it('with its newest candle first must have it so to its end', async () => {
    const path = fileOf(
      'time,open,high,low,close\n1705017600,1,2,1,2\n1704931200,1,2,1,2\n1704931200,1,2,1,2\n',
    )
    await expect(computed(path)).rejects.toThrow(
      'line 4: 2024-01-11 00:00:00 is not before 2024-01-11 00:00:00, the candle above; the newest comes first in this file',
    )
  })

  it('with a chosen column that is not there is refused', async () => {
    const path = fileOf('time,open,high,low,close\n1705017600,1,2,1,2\n')
    await expect(computed(path, { columns: { volume: 'turnover' } })).rejects.toThrow(
      'there is no column "turnover" for volume',
    )
  })
})

const germanHead = `Datum;TEXT;Hoch;Tief;Schluss;Volumen
11.01.2024;46650,5;48969,25;45606,75;46339,5;1203,5
12.01.2024;46339,5;46515,25;41500,5;42782,75;2310,25
15.01.2024;41732,5;43400,75;41718,25;42511,5;875,75
16.01.2024;42511,5;43578,25;42050,5;43137,75;940,5
`
