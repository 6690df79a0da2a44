import { z } from 'zod'
import { readShape, type Shape } from '../../contract/fields.js'
import { maxNameLength } from '../../contract/limits.js'
import { isRefusal } from '../../contract/refusals.js'
import { once } from '../../runtime/once.js'
import { answer, ask, notesShape, pageOf, pageShape, type Tool } from './tool.js'

const input = once(() => ({
  exchange: z.string().max(maxNameLength).optional().describe('without it, exchanges are listed'),
  lists: z
    .boolean()
    .default(false)
    .describe('the named lists of symbols instead, for screen and alerts as list:<name>'),
  contains: z.string().max(maxNameLength).default('').describe('part of the name, such as btc'),
  ...pageShape(60, 500),
}))

const output = once(
  (): Shape => ({
    names: z.array(z.string()),
    symbols: z.record(z.string(), z.array(z.string())).optional(),
    total: z.number(),
    ...notesShape(),
  }),
)

interface Names {
  readonly exchanges?: readonly string[]
  readonly symbols?: readonly string[]
  readonly lists?: readonly { readonly name: string; readonly symbols: readonly string[] }[]
}

export const markets: Tool = {
  name: 'markets',
  description: 'Lists the exchanges, the symbols of one, or the named lists of the key.',
  input,
  output,
  isReading: true,
  async run(given, service) {
    const asked = readShape(input(), given)
    if (isRefusal(asked)) return asked
    const { exchange, lists, contains, limit, offset } = asked
    const ofExchange =
      exchange === undefined ? '/exchanges' : `/exchanges/${encodeURIComponent(exchange)}/symbols`
    const reply = await ask<Names>(service, { path: lists ? '/lists' : ofExchange })
    if (isRefusal(reply)) return reply
    const { answered } = reply
    const all = answered.lists?.map(({ name }) => name) ?? answered.exchanges ?? answered.symbols ?? []
    const wanted = contains.toLowerCase().replace(/[/-]/g, '')
    const found = all.filter(name => name.toLowerCase().includes(wanted))
    const { page, notes } = pageOf(found, offset, limit)
    const none =
      found.length === 0 ? [all.length === 0 ? 'There are none.' : `None contains "${contains}"`] : []
    const shown = new Set(page)
    const named = answered.lists?.filter(({ name }) => shown.has(name))
    const lines = named?.map(({ name, symbols }) => `${name}: ${symbols.join(' ')}`) ?? [page.join(' ')]
    return answer(
      page.length > 0 ? lines : [],
      {
        names: page,
        ...(named && { symbols: Object.fromEntries(named.map(({ name, symbols }) => [name, symbols])) }),
        total: found.length,
      },
      [...none, ...notes],
    )
  },
}
