import { timeframes } from '../../candles/timeframe.js'

/** Initial market of widgets: `demo` needs no exchange. */
const exchange = 'demo'
const symbol = 'BTCUSDT'

interface Parameter {
  readonly paramName: string
  readonly label: string
  readonly description: string
  readonly value: string
  readonly type: 'text' | 'endpoint'
  readonly optionsEndpoint?: string
  readonly options?: readonly { readonly label: string; readonly value: string }[]
}

const text = (paramName: string, label: string, description: string, value: string): Parameter => ({
  ...{ paramName, label, description, value },
  type: 'text',
})

const exchangeParameter: Parameter = {
  ...text('exchange', 'Exchange', 'Exchange of the market', exchange),
  type: 'endpoint',
  optionsEndpoint: 'openbb/exchanges',
}
const timeframeParameter: Parameter = {
  ...text('timeframe', 'Timeframe', 'The length of a candle', '1h'),
  options: Object.keys(timeframes).map(name => ({ label: name, value: name })),
}
const symbolParameter = text('symbol', 'Symbol', 'The market, such as BTCUSDT', symbol)
const marketParameters = [
  exchangeParameter,
  symbolParameter,
  timeframeParameter,
  text('results', 'Rows', 'Number of newest candles', '200'),
]

const timeColumn = { field: 'time', headerName: 'Time', cellDataType: 'text', chartDataType: 'time' }
const numberColumn = (field: string) => ({
  field,
  headerName: field[0]?.toUpperCase() + field.slice(1),
  cellDataType: 'number',
  formatterFn: 'none',
  chartDataType: 'series',
})

interface Table {
  readonly name: string
  readonly description: string
  readonly endpoint: string
  readonly params: readonly Parameter[]
  readonly columnsDefs?: readonly object[]
}

const tableWidget = ({ name, description, endpoint, params, columnsDefs }: Table) => ({
  ...{ name, description, category: 'Candela', type: 'table', endpoint, params },
  gridData: { w: 20, h: 12 },
  data: { table: { showAll: true, ...(columnsDefs && { columnsDefs }) } },
})

const tables = {
  candela_candles: tableWidget({
    name: 'Candles',
    description: 'The newest candles of a market',
    endpoint: 'openbb/candles',
    params: marketParameters,
    columnsDefs: [timeColumn, ...['open', 'high', 'low', 'close', 'volume'].map(numberColumn)],
  }),
  candela_indicator: tableWidget({
    name: 'Indicator',
    description: 'The newest values of an indicator with its usual parameters',
    endpoint: 'openbb/indicator',
    params: [
      {
        ...text('indicator', 'Indicator', 'Name of the indicator', 'rsi'),
        type: 'endpoint',
        optionsEndpoint: 'openbb/indicators',
      },
      ...marketParameters,
    ],
  }),
  candela_expression: tableWidget({
    name: 'Expression',
    description: 'The newest values of a formula or condition over indicators, prices and longer timeframes',
    endpoint: 'openbb/expression',
    params: [text('expression', 'Expression', 'Such as rsi(14) < 30', 'rsi(14)'), ...marketParameters],
    columnsDefs: [timeColumn, { field: 'value', headerName: 'Value' }],
  }),
  candela_screen: tableWidget({
    name: 'Screen',
    description: 'The markets of an exchange at which a condition holds',
    endpoint: 'openbb/screen',
    params: [
      exchangeParameter,
      timeframeParameter,
      text('where', 'Condition', 'Such as rsi(14) < 30 and close > ema(200)', 'rsi(14) < 50'),
      text('value', 'Value', 'A value to show of each market', 'rsi(14)'),
    ],
    columnsDefs: [
      { field: 'symbol', headerName: 'Symbol', cellDataType: 'text', chartDataType: 'category' },
      timeColumn,
      ...['close', 'volume', 'value'].map(numberColumn),
    ],
  }),
}

const chart = {
  candela_chart: {
    name: 'Chart',
    description: 'A chart of any market',
    category: 'Candela',
    type: 'advanced_charting',
    endpoint: '/udf',
    gridData: { w: 20, h: 20 },
    data: { defaultSymbol: `${exchange}:${symbol}`, updateFrequency: 60_000 },
  },
}

/** Widgets by their ids. A chart reads candles from the datafeed. */
export const widgets = (hasUdf: boolean): object => (hasUdf ? { ...chart, ...tables } : tables)

export function apps(hasUdf: boolean): readonly object[] {
  const ids = Object.keys(widgets(hasUdf))
  const layout = ids.map((i, at) => ({ i, x: 20 * (at % 2), y: 20 * Math.floor(at / 2), w: 20, h: 20 }))
  const ofMarket = Object.keys(tables).filter(id => id !== 'candela_screen')
  const group = (
    name: string,
    paramName: string,
    type: string,
    defaultValue: string,
    widgetIds = ofMarket,
  ) => ({
    ...{ name, type, paramName, defaultValue, widgetIds },
  })
  return [
    {
      name: 'Candela',
      description: 'Candles, indicators, expressions and screens of a self-hosted service',
      img: '',
      img_dark: '',
      img_light: '',
      allowCustomization: true,
      tabs: { markets: { id: 'markets', name: 'Markets', layout } },
      groups: [
        group('Group 1', 'symbol', 'param', symbol),
        group('Group 2', 'exchange', 'endpointParam', exchange, [...ofMarket, 'candela_screen']),
        group('Group 3', 'timeframe', 'param', '1h', [...ofMarket, 'candela_screen']),
      ],
    },
  ]
}
