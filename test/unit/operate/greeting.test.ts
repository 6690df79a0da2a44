import { expect, it } from 'vitest'
import { greetingOf } from '../../../src/operate/greeting.js'

it('the first start prints its key, a link that opens the page with it, and a command', () => {
  expect(greetingOf('http://127.0.0.1:8080', 'cnd_1')).toBe(
    `Candela listens on http://127.0.0.1:8080

First key, shown this once: cnd_1

The chart, signed in: http://127.0.0.1:8080/#key=cnd_1

curl -H "Authorization: Bearer cnd_1" "http://127.0.0.1:8080/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h"`,
  )
})

it('a later start prints the address only', () => {
  expect(greetingOf('http://127.0.0.1:8080', undefined)).toBe('Candela listens on http://127.0.0.1:8080')
})
