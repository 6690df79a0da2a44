import { catalogue } from '../../catalogue/index.js'
import type { TextFields } from '../../contract/fields.js'
import { methodNotAllowed, missingRequired, notFound } from '../../contract/refusals.js'
import type { ExchangeLookup } from '../../markets/exchanges/registry.js'
import { bodyText, type HttpRequest, ok, type Reply, refused } from '../reply.js'
import type { Ask, TranslatedRequests } from '../translated-requests.js'
import { apps, widgets } from './widgets.js'

const openbbPrefix = '/openbb/'

interface Dependencies {
  readonly exchanges: ExchangeLookup
  readonly requests: TranslatedRequests
  /** Whether the charting widget has a datafeed. */
  readonly hasUdf: boolean
}

type Respond = (fields: TextFields, ask: Ask) => Promise<Reply>

/**
 * A backend of OpenBB Workspace: `/widgets.json`, `/apps.json`, and the rows of its widgets below `/openbb/`. The rows
 * are an array of flat objects. Source: OpenBB Workspace, "widgets.json reference" and "apps.json reference".
 */
export class OpenbbRoutes {
  readonly prefix = openbbPrefix

  constructor(private readonly dependencies: Dependencies) {}

  owns(path: string): boolean {
    return path === '/widgets.json' || path === '/apps.json' || path.startsWith(openbbPrefix)
  }

  async answer(request: HttpRequest): Promise<Reply> {
    const { path, method } = request
    const { exchanges, requests, hasUdf } = this.dependencies
    if (method !== 'get' && method !== 'head') return refused(methodNotAllowed('GET, HEAD'))
    // Replies that are the same for all callers need no key.
    if (path === '/widgets.json') return ok(JSON.stringify(widgets(hasUdf)))
    if (path === '/apps.json') return ok(JSON.stringify(apps(hasUdf)))
    if (path === `${openbbPrefix}exchanges`)
      return ok(JSON.stringify(exchanges.ids().map(id => optionOf(id))))
    if (path === `${openbbPrefix}indicators`) return ok(indicatorOptions())
    const respond = answers.get(path.slice(openbbPrefix.length))
    return respond
      ? requests.answer(request, 'openbb', refused, respond)
      : refused(notFound(path.slice(0, 200)))
  }
}

const optionOf = (value: string, label = value) => ({ label, value })

const indicatorOptions = (): string =>
  JSON.stringify([...catalogue.values()].map(({ name, title }) => optionOf(name, title)))

/** Fields of a market, and the number of rows. */
const windowOf = (fields: TextFields) => ({
  exchange: fields.get('exchange'),
  symbol: fields.get('symbol'),
  timeframe: fields.get('timeframe'),
  results: fields.get('results'),
  format: 'ndjson',
})

const answers: ReadonlyMap<string, Respond> = new Map(
  Object.entries({
    candles: async (fields, ask) => rowsOf(await ask({ path: '/candles', query: windowOf(fields) })),
    indicator: async (fields, ask) => {
      const name = fields.get('indicator')
      if (name === undefined) return refused(missingRequired(['indicator']))
      return rowsOf(await ask({ path: `/indicator/${encodeURIComponent(name)}`, query: windowOf(fields) }))
    },
    expression: async (fields, ask) => {
      const query = { ...windowOf(fields), expression: fields.get('expression') }
      return rowsOf(await ask({ path: '/expression', query }))
    },
    screen: async (fields, ask) => {
      const value = fields.get('value')
      const body = {
        exchange: fields.get('exchange'),
        timeframe: fields.get('timeframe'),
        where: fields.get('where'),
        select: { close: 'close', volume: 'volume', ...(value !== undefined && { value }) },
      }
      return rowsOf(await ask({ path: '/screen', query: { format: 'ndjson' }, body }))
    },
  } satisfies Readonly<Record<string, Respond>>),
)

/** Converts the lines of an answer into an array. Returns an error reply unchanged. */
function rowsOf(reply: Reply): Reply {
  if (reply.status !== 200) return reply
  return ok(`[${bodyText(reply).trimEnd().replaceAll('\n', ',')}]`)
}
