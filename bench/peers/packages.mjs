// The packages of npm that a program in Node.js could use instead: for each entry of the catalogue, the calculation of all
// its values with each of them, from the package's input types to its output types. The waiting time of the program counts,
// so that conversions of a binding are included.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as tradingSignals from 'trading-signals'
import { same, talibCalls, talibName, tulipCalls } from '../../build/bench/rivals/calls.js'

const require = createRequire(import.meta.url)
const [talib, tulind, technicalindicators, indicatorts, ixjb, talibWeb] = [
  'talib',
  'tulind',
  'technicalindicators',
  'indicatorts',
  '@ixjb94/indicators',
  'talib-web',
].map(name => require(name))

/** Arrays of numbers, as the packages take them, and candles as objects. */
export function inputsOf(columns, count) {
  const list = name => Array.from(columns[name].subarray(0, count))
  const [open, high, low, close, volume] = ['open', 'high', 'low', 'close', 'volume'].map(list)
  const candles = close.map((_, i) => ({
    open: open[i],
    high: high[i],
    low: low[i],
    close: close[i],
    volume: volume[i],
  }))
  return { open, high, low, close, volume, candles, count }
}

/** The C functions have a maximum, a minimum or another number of inputs; two inputs are high and low. */
const realsOf = (inputs, wanted) => (wanted === 1 ? [inputs.close] : [inputs.high, inputs.low])

function ofTalib(entry, params) {
  const special = talibCalls[entry.name] ?? {}
  const name = 'name' in special ? special.name : talibName(entry)
  const described = name && talib.functions.find(each => each.name === name)
  if (!described) return undefined
  const options = (special.options ?? same)({ ...params, ...special.with })
  const names = (described.optInputs ?? []).map(option => option.name)
  if (names.length !== options.length) return undefined
  const rest = Object.fromEntries(names.map((option, k) => [option, options[k]]))
  const reals = described.inputs.filter(input => input.type === 'real')
  return inputs => {
    const given = { name, startIdx: 0, endIdx: inputs.count - 1, ...rest }
    for (const input of described.inputs) {
      if (input.type !== 'price') continue
      for (const price of Object.values(input.flags)) given[price] = inputs[price]
    }
    const values = name === 'OBV' ? [inputs.close] : realsOf(inputs, reals.length)
    reals.forEach((input, k) => {
      given[input.name] = values[k]
    })
    return () => talib.execute(given)
  }
}

/** The names of the inputs and options of each function, in their order, from the types of the package. */
function talibWebFunctions() {
  const types = readFileSync(require.resolve('talib-web').replace('index.cjs.js', 'index.d.ts'), 'utf8')
  const found = new Map()
  for (const [, name, body] of types.matchAll(/export declare function (\w+)\(params: \{([^}]*)\}/g)) {
    const fields = [...body.matchAll(/(\w+)(\??): ([\w[\]]+)/g)]
    found.set(name, {
      inputs: fields.filter(([, , optional]) => optional === '').map(([, field]) => field),
      options: fields.filter(([, , optional]) => optional !== '').map(([, field]) => field),
    })
  }
  return found
}
const ofWeb = talibWebFunctions()
/** It reads its binary with `fetch`, which accepts no files in Node: without `fetch` it reads from the disk. */
const { fetch } = globalThis
globalThis.fetch = undefined
await talibWeb.init()
globalThis.fetch = fetch

function ofTalibWeb(entry, params) {
  const special = talibCalls[entry.name] ?? {}
  const name = 'name' in special ? special.name : talibName(entry)
  const described = name && ofWeb.get(name)
  // Its memory for results is one value too short: without a warm-up the results overwrite its heap, and it crashes soon
  // afterwards.
  if (!described || entry.lookback({ ...params, ...special.with }) === 0) return undefined
  const options = (special.options ?? same)({ ...params, ...special.with })
  if (options.length !== described.options.length) return undefined
  const rest = Object.fromEntries(described.options.map((option, k) => [option, options[k]]))
  return inputs => {
    const given = { ...rest, endIdx: inputs.count - 1 }
    const reals = described.inputs.filter(input => input.startsWith('inReal'))
    const values = name === 'OBV' ? [inputs.close] : realsOf(inputs, reals.length)
    for (const input of described.inputs) given[input] = inputs[input] ?? values[reals.indexOf(input)]
    return () => talibWeb[name](given)
  }
}

function ofTulind(entry, params) {
  const special = tulipCalls[entry.name] ?? {}
  const name = 'name' in special ? special.name : entry.name
  const described = name && tulind.indicators[name]
  if (!described) return undefined
  const options = (special.options ?? same)(params)
  if (options.length !== described.options) return undefined
  return inputs => {
    const given = tulipInputs(described.input_names, inputs)
    // It calls back before it returns.
    return () =>
      described.indicator(given, options, error => {
        if (error) throw error
      })
  }
}

const tulipInputs = (names, inputs) =>
  names.map(
    (name, k) => inputs[name] ?? (names.length === 1 ? inputs.close : k === 0 ? inputs.high : inputs.low),
  )

const ofIxjb = new ixjb.IndicatorsSync()
/** Its functions are translations of Tulip's: the same inputs and options, in the same order. */
function ofIxjb94(entry, params) {
  const special = tulipCalls[entry.name] ?? {}
  const name = 'name' in special ? special.name : entry.name
  const described = name && tulind.indicators[name]
  if (!described || typeof ofIxjb[name] !== 'function') return undefined
  const options = (special.options ?? same)(params)
  if (options.length !== described.options) return undefined
  return inputs => {
    const given = [...tulipInputs(described.input_names, inputs), ...options]
    return () => ofIxjb[name](...given)
  }
}

const period = p => ({ period: p.period })
const averages = { fast: p => p.fastPeriod, slow: p => p.slowPeriod }
/** Functions of indicatorts: their inputs, and their options from the parameters. */
const indicatortsCalls = {
  ad: ['ad', 'high low close volume'],
  accbands: ['ab', 'high low close', period],
  ao: ['ao', 'high low', () => ({ fast: 5, slow: 34 })],
  apo: ['apo', 'close', p => ({ fast: averages.fast(p), slow: averages.slow(p) })],
  aroon: ['aroon', 'high low', period],
  atr: ['atr', 'high low close', period],
  bbands: ['bb', 'close', period],
  bop: ['bop', 'open high low close'],
  cci: ['cci', 'high low close', period],
  cmf: ['cmf', 'high low close volume', period],
  dema: ['dema', 'close', period],
  ema: ['ema', 'close', period],
  emv: ['emv', 'high low volume', () => ({ period: 1 })],
  kdj: ['kdj', 'high low close', () => ({})],
  macd: ['macd', 'close', p => ({ fast: p.fastPeriod, slow: p.slowPeriod, signal: p.signalPeriod })],
  mass: ['mi', 'high low', p => ({ emaPeriod: 9, miPeriod: p.period })],
  max: ['mmax', 'close', period],
  mfi: ['mfi', 'high low close volume', period],
  min: ['mmin', 'close', period],
  nvi: ['nvi', 'close volume', () => ({ start: 1000 })],
  obv: ['obv', 'close volume'],
  ppo: ['ppo', 'close', p => ({ fast: p.fastPeriod, slow: p.slowPeriod, signal: 9 })],
  psar: ['psar', 'high low close', () => ({ step: 0.02, max: 0.2 })],
  qstick: ['qstick', 'open close', period],
  roc: ['roc', 'close', period],
  rsi: ['rsi', 'close', period],
  sma: ['sma', 'close', period],
  stddev: ['mstd', 'close', period],
  stoch: ['stoch', 'high low close', p => ({ kPeriod: p.kPeriod, dPeriod: p.dPeriod })],
  sum: ['msum', 'close', period],
  tema: ['tema', 'close', period],
  tr: ['tr', 'high low close'],
  trima: ['trima', 'close', period],
  trix: ['trix', 'close', period],
  typprice: ['typicalPrice', 'high low close'],
  vwma: ['vwma', 'close volume', period],
  willr: ['willr', 'high low close', period],
}

function ofIndicatorts(entry, params) {
  const [name, columns, options] = indicatortsCalls[entry.name] ?? []
  if (!name) return undefined
  return inputs => {
    const given = columns.split(' ').map(column => inputs[column])
    if (options) given.push(options(params))
    return () => indicatorts[name](...given)
  }
}

const t = tradingSignals
/** Classes of trading-signals, created from the parameters, and their input: `close` or candles. */
const tradingSignalsCalls = {
  ad: ['candles', () => new t.AD()],
  adosc: ['candles', p => new t.ADOSC(p)],
  adx: ['candles', p => new t.ADX(p.period)],
  ao: ['candles', () => new t.AO(5, 34)],
  apo: ['close', p => new t.APO(p)],
  aroon: ['candles', p => new t.Aroon(p.period)],
  atr: ['candles', p => new t.ATR(p.period)],
  bbands: ['close', p => new t.BollingerBands(p.period, p.stddev)],
  bop: ['candles', () => new t.BOP()],
  cci: ['candles', p => new t.CCI(p.period)],
  cmf: ['candles', p => new t.CMF(p.period)],
  cmo: ['close', p => new t.CMO(p.period)],
  cvi: ['candles', p => new t.CVI(p.period)],
  dema: ['close', p => new t.DEMA(p.period)],
  dpo: ['close', p => new t.DPO(p.period)],
  dx: ['candles', p => new t.DX(p.period)],
  ema: ['close', p => new t.EMA(p.period)],
  fisher: ['candles', p => new t.FisherTransform(p.period)],
  hma: ['close', p => new t.HMA(p.period)],
  imi: ['candles', p => new t.IMI(p.period)],
  kvo: ['candles', p => new t.KVO(p.shortPeriod, p.longPeriod)],
  macd: [
    'close',
    p => new t.MACD(new t.EMA(p.fastPeriod), new t.EMA(p.slowPeriod), new t.EMA(p.signalPeriod)),
  ],
  marketfi: ['candles', () => new t.MarketFacilitationIndex()],
  mass: ['candles', p => new t.MassIndex(p.period)],
  mfi: ['candles', p => new t.MFI(p.period)],
  mom: ['close', p => new t.MOM(p.period)],
  natr: ['candles', p => new t.NATR(p.period)],
  nvi: ['candles', () => new t.NVI()],
  obv: ['candles', () => new t.OBV(1)],
  ppo: ['close', p => new t.PPO(p)],
  psar: ['candles', () => new t.PSAR({ accelerationStep: 0.02, accelerationMax: 0.2 })],
  pvi: ['candles', () => new t.PVI()],
  qstick: ['candles', p => new t.Qstick(p.period)],
  roc: ['close', p => new t.ROC(p.period)],
  rsi: ['close', p => new t.RSI(p.period)],
  sma: ['close', p => new t.SMA(p.period)],
  stoch: [
    'candles',
    p => new t.StochasticOscillator({ kPeriod: p.kPeriod, kSlowingPeriod: p.kSmooth, dPeriod: p.dPeriod }),
  ],
  t3: ['close', p => new t.T3(p.period, p.vFactor)],
  tema: ['close', p => new t.TEMA(p.period)],
  tr: ['candles', () => new t.TR()],
  trima: ['close', p => new t.TRIMA(p.period)],
  trix: ['close', p => new t.TRIX(p.period)],
  ultosc: [
    'candles',
    p => new t.UltimateOscillator({ shortPeriod: p.period1, mediumPeriod: p.period2, longPeriod: p.period3 }),
  ],
  vhf: ['close', p => new t.VHF(p.period)],
  wad: ['candles', () => new t.WAD()],
  wilders: ['close', p => new t.WSMA(p.period)],
  willr: ['candles', p => new t.WilliamsR(p.period)],
  wma: ['close', p => new t.WMA(p.period)],
  zlema: ['close', p => new t.ZLEMA(p.period)],
}

function ofTradingSignals(entry, params) {
  const [column, create] = tradingSignalsCalls[entry.name] ?? []
  if (!create) return undefined
  return inputs => {
    const given = inputs[column]
    return () => {
      const indicator = create(params)
      const results = []
      for (const value of given) results.push(indicator.update(value, false))
      return results
    }
  }
}

const ti = technicalindicators
const prices = 'high low close'
/** Classes of technicalindicators: their name, inputs and options. */
const technicalindicatorsCalls = {
  sma: ['SMA', 'values', period],
  ema: ['EMA', 'values', period],
  wma: ['WMA', 'values', period],
  wilders: ['WEMA', 'values', period],
  rsi: ['RSI', 'values', period],
  macd: [
    'MACD',
    'values',
    p => ({
      fastPeriod: p.fastPeriod,
      slowPeriod: p.slowPeriod,
      signalPeriod: p.signalPeriod,
      SimpleMAOscillator: false,
      SimpleMASignal: false,
    }),
  ],
  bbands: ['BollingerBands', 'values', p => ({ period: p.period, stdDev: p.stddev })],
  adx: ['ADX', prices, period],
  atr: ['ATR', prices, period],
  tr: ['TrueRange', prices],
  roc: ['ROC', 'values', period],
  psar: ['PSAR', 'high low', () => ({ step: 0.02, max: 0.2 })],
  stoch: ['Stochastic', prices, p => ({ period: p.kPeriod, signalPeriod: p.dPeriod })],
  willr: ['WilliamsR', prices, period],
  ad: ['ADL', 'high low close volume'],
  obv: ['OBV', 'close volume'],
  trix: ['TRIX', 'values', p => ({ period: p.period })],
  cci: ['CCI', prices, period],
  ao: ['AwesomeOscillator', 'high low', () => ({ fastPeriod: 5, slowPeriod: 34 })],
  mfi: ['MFI', 'high low close volume', period],
  max: ['Highest', 'values', period],
  min: ['Lowest', 'values', period],
  sum: ['Sum', 'values', period],
  stddev: ['SD', 'values', period],
}

function ofTechnicalindicators(entry, params) {
  const [name, columns, options] = technicalindicatorsCalls[entry.name] ?? []
  if (!name) return undefined
  return inputs => {
    const given = { ...options?.(params) }
    for (const column of columns.split(' '))
      given[column] = column === 'values' ? inputs.close : inputs[column]
    return () => ti[name].calculate(given)
  }
}

/** Calculations by package: a function of an entry and its parameters, undefined if the package lacks the indicator. */
export const packages = {
  talib: ofTalib,
  'talib-web': ofTalibWeb,
  tulind: ofTulind,
  technicalindicators: ofTechnicalindicators,
  indicatorts: ofIndicatorts,
  'trading-signals': ofTradingSignals,
  '@ixjb94/indicators': ofIxjb94,
}

/**
 * Live calculations by package: `close` adds a candle and returns its value, `update` replaces a forming one, where a package
 * can. A function of an entry and its parameters, undefined if the package lacks the indicator.
 */
export const live = {
  'trading-signals': ({ name }, params) => {
    const [column, create] = tradingSignalsCalls[name] ?? []
    if (!create) return undefined
    const indicator = create(params)
    const given = candle => (column === 'close' ? candle.close : candle)
    return {
      close: candle => indicator.update(given(candle), false),
      update: candle => indicator.update(given(candle), true),
    }
  },
  technicalindicators: ({ name }, params) => {
    const [type, columns, options] = technicalindicatorsCalls[name] ?? []
    if (!type) return undefined
    const empty = Object.fromEntries(columns.split(' ').map(column => [column, []]))
    const indicator = new ti[type]({ ...empty, ...options?.(params) })
    return { close: candle => indicator.nextValue(columns === 'values' ? candle.close : candle) }
  },
}

/** Number of names of each package. */
export const sizes = {
  talib: talib.functions.length,
  'talib-web': ofWeb.size,
  tulind: Object.keys(tulind.indicators).length,
  technicalindicators: ti.AvailableIndicators.length,
}
