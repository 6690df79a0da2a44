import { z } from 'zod'
import type { Shape } from '../../contract/fields.js'
import { isAbsent, type JsonObject } from '../../contract/json-value.js'
import { expected, invalidValue, isRefusal, missingRequired, type Refusal } from '../../contract/refusals.js'
import { alertShape } from '../../contract/requests.js'
import { once } from '../../runtime/once.js'
import { answer, ask, notesShape, type Tool, type ToolAnswer, type ToolService } from './tool.js'

const actions = ['create', 'list', 'delete'] as const

const input = once((): Shape => {
  const { exchange, symbol, timeframe, symbols, quote, on, trigger, chart, webhook, name } = alertShape()
  return {
    action: z.enum(actions),
    id: z.string().optional().describe('of the alert that is deleted'),
    exchange: exchange.optional(),
    symbol: symbol.optional(),
    symbols: symbols.describe('several, instead of symbol'),
    quote: quote.describe('instead of both: all symbols that end with it'),
    timeframe: timeframe.optional(),
    expression: z.string().optional().describe('a condition, as compute has them'),
    on,
    trigger,
    settled: z.int().min(0).max(8).optional(),
    chart,
    webhook: webhook.describe('where it is sent; without one, to streaming connections of the key'),
    name,
  }
})

const output = once((): Shape => ({ alerts: z.array(z.looseObject({ id: z.string() })), ...notesShape() }))

export const alerts: Tool = {
  name: 'alerts',
  description:
    'Makes an alert, which sends a message when a condition becomes true, lists the alerts of the key, or deletes one. Answers JSON.',
  input,
  output,
  isReading: false,
  async run({ action, id, ...alert }, service) {
    switch (action) {
      case 'create':
        return created(alert, service)
      case 'list':
        return listed(service)
      case 'delete':
        return isAbsent(id) ? missingRequired(['id']) : deleted(String(id), service)
      default:
        return isAbsent(action)
          ? missingRequired(['action'])
          : invalidValue('action', action, expected.oneOf(actions))
    }
  },
}

async function created(alert: JsonObject, service: ToolService): Promise<ToolAnswer | Refusal> {
  const reply = await ask<JsonObject>(service, { path: '/alerts', body: alert })
  if (isRefusal(reply)) return reply
  const notes = 'secret' in reply.answered ? ['The secret of the webhook is not shown again.'] : []
  return answer([JSON.stringify(reply.answered)], { alerts: [reply.answered] }, notes)
}

async function listed(service: ToolService): Promise<ToolAnswer | Refusal> {
  const reply = await ask<{ readonly alerts: readonly JsonObject[] }>(service, { path: '/alerts' })
  if (isRefusal(reply)) return reply
  const { alerts: all } = reply.answered
  return answer(all.length === 0 ? ['No alerts.'] : all.map(each => JSON.stringify(each)), { alerts: all })
}

async function deleted(id: string, service: ToolService): Promise<ToolAnswer | Refusal> {
  const reply = await ask<JsonObject>(service, {
    method: 'DELETE',
    path: `/alerts/${encodeURIComponent(id)}`,
  })
  return isRefusal(reply) ? reply : answer([`Deleted: ${id}`], { alerts: [{ id }] })
}
