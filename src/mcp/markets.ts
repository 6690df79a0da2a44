import { z } from 'zod'
import { readShape, type Shape } from '../contract/fields.js'
import { maxNameLength } from '../contract/limits.js'
import { isRefusal } from '../contract/refusals.js'
import { once } from '../runtime/once.js'
import { answer, ask, notesShape, pageOf, pageShape, type Tool } from './tool.js'

const input = once(() => ({
  exchange: z.string().max(maxNameLength).optional().describe('without it, exchanges are listed'),
  contains: z.string().max(maxNameLength).default('').describe('part of the name, such as btc'),
  ...pageShape(60, 500),
}))

const output = once((): Shape => ({ names: z.array(z.string()), total: z.number(), ...notesShape() }))

export const markets: Tool = {
  name: 'markets',
  description: 'Lists the exchanges, or the symbols of one.',
  input,
  output,
  isReading: true,
  async run(given, service) {
    const asked = readShape(input(), given)
    if (isRefusal(asked)) return asked
    const { exchange, contains, limit, offset } = asked
    const path = exchange === undefined ? '/exchanges' : `/exchanges/${encodeURIComponent(exchange)}/symbols`
    const reply = await ask<{ readonly exchanges?: string[]; readonly symbols?: string[] }>(service, { path })
    if (isRefusal(reply)) return reply
    const { exchanges, symbols = [] } = reply.answered
    const wanted = contains.toLowerCase().replace(/[/-]/g, '')
    const found = (exchanges ?? symbols).filter(name => name.toLowerCase().includes(wanted))
    const { page, notes } = pageOf(found, offset, limit)
    const none = found.length === 0 ? [`None contains "${contains}"`] : []
    return answer(page.length > 0 ? [page.join(' ')] : [], { names: page, total: found.length }, [
      ...none,
      ...notes,
    ])
  },
}
