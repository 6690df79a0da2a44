import { expect, it } from 'vitest'
import { greetingOf, localHostOf } from '../../../src/operate/greeting.js'

it('the first start prints its key, a link that opens the page with it, and a command', () => {
  expect(greetingOf('http://127.0.0.1:8080', 'cnd_1')).toBe(
    `Candela listens on http://127.0.0.1:8080

First key, shown this once: cnd_1

The chart, signed in: http://127.0.0.1:8080/#key=cnd_1

curl -H "Authorization: Bearer cnd_1" "http://127.0.0.1:8080/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h"

All documents, with a search: http://127.0.0.1:8080/help`,
  )
})

it('a later start prints the address only', () => {
  expect(greetingOf('http://127.0.0.1:8080', undefined)).toBe('Candela listens on http://127.0.0.1:8080')
})

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
  ['fd00::5', '[fd00::5]'],
  ['candela.example.org', 'candela.example.org'],
])('a service that listens on %s is opened at %s on its own machine', (host, local) => {
  expect(localHostOf(host)).toBe(local)
})
