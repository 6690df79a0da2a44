/** A message of a hostile or broken client: a text, or bytes in a binary frame. */
export type FuzzMessage = string | Uint8Array

const words = [
  'auth',
  'alerts',
  'screen',
  'screen_stop',
  'subscribe',
  'unsubscribe',
  'list',
  'update',
  '__proto__',
  'constructor',
  '',
  '\u0000',
  '💥',
]
const fields = [
  'type',
  'id',
  'exchange',
  'symbol',
  'interval',
  'indicator',
  'params',
  'candleClose',
  'token',
  'x',
]
const intervals = ['1m', '5m', '15m', '1h', '4h', '1d', '1w']
const symbols = ['BTCUSDT', 'ethusdt', 'SOL/USDT', 'dcr-usdt', 'NOPE']

/**
 * Messages for a streaming connection, drawn with `random` (numbers in [0, 1)): half of them valid, such as subscribing
 * and unsubscribing, the others invalid in every way that a message can be.
 */
export function createFuzzMessages(random: () => number, indicators: readonly string[]): () => FuzzMessage {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T
  const below = (bound: number) => Math.floor(random() * bound)
  const value = (depth = 0): unknown => {
    const kinds = depth > 3 ? 6 : 8
    switch (below(kinds)) {
      case 0:
        return null
      case 1:
        return pick([0, -1, 1.5, 1e308, -0, 2 ** 53, 14])
      case 2:
        return random() < 0.5
      case 3:
        return 'x'.repeat(below(300))
      case 4:
        return pick(words)
      case 5:
        return String.fromCharCode(...Array.from({ length: below(8) }, () => below(0xd7ff)))
      case 6:
        return Array.from({ length: below(4) }, () => value(depth + 1))
      default:
        return Object.fromEntries(
          Array.from({ length: below(4) }, () => [pick([...fields, ...words]), value(depth + 1)]),
        )
    }
  }
  const id = () => `n${below(40)}`
  const subscribe = () => ({
    type: 'subscribe',
    id: id(),
    exchange: 'demo',
    symbol: pick(symbols),
    interval: pick(intervals),
    indicator: pick(indicators),
    params: pick([undefined, {}, { period: 2 + below(50) }, { period: below(100_000) }]),
    candleClose: pick([undefined, true, false]),
  })
  const unsubscribe = () => {
    const { symbol, interval } = subscribe()
    return {
      type: 'unsubscribe',
      id: `demo_${symbol.replace(/[/-]/g, '').toLowerCase()}_${interval}_${id()}`,
    }
  }
  const screen = () => ({
    type: 'screen',
    id: id(),
    exchange: 'demo',
    timeframe: pick(intervals),
    symbols: pick([undefined, [pick(symbols)], ['BTCUSDT', pick(symbols)]]),
    where: pick([
      'close > open',
      'rsi(14) < 50 and close > ema(20)',
      'rsi(14)',
      'close >',
      '(('.repeat(below(99)),
    ]),
    select: pick([undefined, {}, { close: 'close' }, { symbol: 'close' }]),
  })
  const damaged = (text: string) => {
    const at = below(text.length)
    return pick([text.slice(0, at), text.slice(at), text.replace(/"/, ''), `${text}${text}`, `[${text}`])
  }
  return () => {
    const draw = random()
    if (draw < 0.25) return JSON.stringify(subscribe())
    if (draw < 0.28) return JSON.stringify(screen())
    if (draw < 0.29) return JSON.stringify({ ...screen(), [pick(fields)]: value() })
    if (draw < 0.3) return JSON.stringify({ type: 'screen_stop', id: id() })
    if (draw < 0.45) return JSON.stringify(unsubscribe())
    if (draw < 0.5) return '{"type":"list"}'
    if (draw < 0.6) return JSON.stringify({ ...subscribe(), [pick(fields)]: value() })
    if (draw < 0.7) return JSON.stringify(value())
    if (draw < 0.8) return damaged(JSON.stringify(subscribe()))
    if (draw < 0.9) return JSON.stringify({ type: pick(words), token: value(), id: value() })
    if (draw < 0.95) return '['.repeat(below(5000))
    if (draw < 0.998) return String.fromCharCode(...Array.from({ length: below(200) }, () => below(0xd7ff)))
    return draw < 0.999 ? Uint8Array.from({ length: below(500) }, () => below(256)) : 'y'.repeat(17_000)
  }
}
