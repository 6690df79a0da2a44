import { expect, it } from 'vitest'
import { createAlert } from '../../../src/alerts/alert.js'
import { getAlerts } from '../../../src/http/endpoints/alerts.js'

const request = {
  markets: [{ exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h' }],
  screen: undefined,
  expression: 'close > 3',
  on: 'close',
  trigger: 'edge',
} as const

it('thousands of alerts of a key are described in several turns of the event loop', async () => {
  const alerts = Array.from({ length: 20_000 }, (_, created) => createAlert('a', request, created))
  let turns = 0
  let isAnswered = false
  const count = () => {
    turns++
    if (!isAnswered) setImmediate(count)
  }
  setImmediate(count)
  const dependencies = { alerts: { list: async () => alerts, fired: async () => new Map() } } as never
  const { status, body } = await getAlerts(dependencies, 'a')
  isAnswered = true
  expect(status).toBe(200)
  const described = JSON.parse(String(body)).alerts as { created: number }[]
  expect(described.map(({ created }) => created)).toEqual(alerts.map(([alert]) => alert.created))
  expect(turns).toBeGreaterThan(3)
})
