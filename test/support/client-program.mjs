// A program that uses the installed client, on any platform: no imports but its arguments.

const market = { exchange: 'demo', symbol: 'BTC/USDT', timeframe: '1m' }
const candles = [1, 2, 3, 4].map(close => ({ open: close, high: close, low: close, close, volume: 1 }))

/** Uses each part of the client once, with a connection that breaks; resolves with its observations. */
export async function runClient({ Candela, WebSocket: Platform, url, key }) {
  const sockets = []
  class Recorded extends Platform {
    constructor(address) {
      super(address)
      sockets.push(this)
    }
  }
  const candela = new Candela({ url, key, WebSocket: Recorded })
  const daily = { ...market, timeframe: '1d' }
  const rsi = await candela.indicator('rsi', daily, { period: 7, results: 3, backtrack: 1 })
  const sma = await candela.compute('sma', candles, { period: 2, results: 'max' })
  const indicators = [{ id: 'ema', indicator: 'ema', period: 5, backtrack: 1 }]
  const { btc } = await candela.bulk([{ ...daily, id: 'btc', indicators }])
  const refused = await candela.indicator('rsi', { ...market, symbol: 'NONE' }).catch(error => error)
  const unanswered = await new Candela({ url: 'http://127.0.0.1:9', key })
    .exchanges()
    .catch(({ name, status }) => [name, status])
  const remaining = (await candela.fetch('/exchanges')).headers.get('ratelimit')

  const states = []
  const times = []
  const subscription = { ...market, id: 'a', indicator: 'rsi', candleClose: true }
  for await (const { data, closed } of candela.stream([subscription], {
    onState: state => states.push(state),
  })) {
    if (closed) times.push(data.timestamp)
    if (times.length === 2) sockets[0].close()
    if (times.length === 6) break
  }
  const controller = new AbortController()
  for await (const _ of candela.stream([subscription], { signal: controller.signal })) controller.abort()
  return {
    rsi,
    sma,
    ema: btc.ema,
    refused: [refused.name, refused.status, refused.message],
    unanswered,
    hasLimit: /r=\d+/.test(remaining),
    states,
    steps: times.slice(1).map((time, at) => time - times[at]),
  }
}
