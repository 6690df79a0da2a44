/** What a hostile or broken client sends: a text, or bytes in a binary frame. */
export type Noise = string | Uint8Array

const words = [
  'auth',
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
 * Messages for a streaming connection, drawn with `next` (numbers in [0, 1)): half of them sound, such as subscriptions
 * that come and go, the others wrong in every way that a message can be wrong.
 */
export function createNoise(next: () => number, indicators: readonly string[]): () => Noise {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T
  const whole = (most: number) => Math.floor(next() * most)
  const value = (depth = 0): unknown => {
    const kinds = depth > 3 ? 6 : 8
    switch (whole(kinds)) {
      case 0:
        return null
      case 1:
        return pick([0, -1, 1.5, 1e308, -0, 2 ** 53, 14])
      case 2:
        return next() < 0.5
      case 3:
        return 'x'.repeat(whole(300))
      case 4:
        return pick(words)
      case 5:
        return String.fromCharCode(...Array.from({ length: whole(8) }, () => whole(0xd7ff)))
      case 6:
        return Array.from({ length: whole(4) }, () => value(depth + 1))
      default:
        return Object.fromEntries(
          Array.from({ length: whole(4) }, () => [pick([...fields, ...words]), value(depth + 1)]),
        )
    }
  }
  const id = () => `n${whole(40)}`
  const wish = () => ({
    type: 'subscribe',
    id: id(),
    exchange: 'demo',
    symbol: pick(symbols),
    interval: pick(intervals),
    indicator: pick(indicators),
    params: pick([undefined, {}, { period: 2 + whole(50) }, { period: whole(100_000) }]),
    candleClose: pick([undefined, true, false]),
  })
  const ending = () => {
    const { symbol, interval } = wish()
    return {
      type: 'unsubscribe',
      id: `demo_${symbol.replace(/[/-]/g, '').toLowerCase()}_${interval}_${id()}`,
    }
  }
  const mutilated = (text: string) => {
    const at = whole(text.length)
    return pick([text.slice(0, at), text.slice(at), text.replace(/"/, ''), `${text}${text}`, `[${text}`])
  }
  return () => {
    const dice = next()
    if (dice < 0.3) return JSON.stringify(wish())
    if (dice < 0.45) return JSON.stringify(ending())
    if (dice < 0.5) return '{"type":"list"}'
    if (dice < 0.6) return JSON.stringify({ ...wish(), [pick(fields)]: value() })
    if (dice < 0.7) return JSON.stringify(value())
    if (dice < 0.8) return mutilated(JSON.stringify(wish()))
    if (dice < 0.9) return JSON.stringify({ type: pick(words), token: value(), id: value() })
    if (dice < 0.95) return '['.repeat(whole(5000))
    if (dice < 0.998) return String.fromCharCode(...Array.from({ length: whole(200) }, () => whole(0xd7ff)))
    return dice < 0.999 ? Uint8Array.from({ length: whole(500) }, () => whole(256)) : 'y'.repeat(17_000)
  }
}
