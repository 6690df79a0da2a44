import { entriesOf, readBodyFields } from '../../contract/body.js'
import { refuseScope } from '../../contract/key-refusals.js'
import { maxWaitSeconds } from '../../contract/limits.js'
import { isRefusal, notFound } from '../../contract/refusals.js'
import { scopesOf } from '../../contract/scopes.js'
import type { Account } from '../../contract/storage/stores.js'
import { once } from '../../runtime/once.js'
import { noBody } from '../admission.js'
import type { HttpMessage } from '../mcp/http.js'
import type { ToolService } from '../mcp/tool.js'
import { type HttpRequest, type Origins, type Reply, refused } from '../reply.js'
import { RouteMatcher } from '../route-matcher.js'
import { type KeyRouteId, type RouteRow, routeTable } from '../route-table.js'
import { textOf } from '../translated-requests.js'
import type { Endpoint } from './endpoint.js'

interface Dependencies {
  readonly clock: () => number
  readonly corsOrigins: Origins
}

/** A message of the protocol has four fields. */
const maxFields = 10

/** The routes that tools ask. */
const routes = once(
  () =>
    new RouteMatcher(
      routeTable.filter((row): row is typeof row & RouteRow<KeyRouteId, true> => row.needsKey),
    ),
)

/** `POST /mcp`: one message of the Model Context Protocol. Its tools are answered like requests of the same account. */
export async function postMcp(
  { clock, corsOrigins }: Dependencies,
  endpoints: Readonly<Record<KeyRouteId, Endpoint>>,
  request: HttpRequest,
  account: Account,
  body: Uint8Array,
): Promise<Reply> {
  const fields = readBodyFields(body)
  if (isRefusal(fields)) return refused(fields)
  const send: ToolService['send'] = async ({ path, body: given, method }) => {
    const match = routes().match(path)
    const verb = method?.toLowerCase() ?? (given === undefined ? 'get' : 'post')
    const route = match?.path.methods.get(verb)
    const refusal = route ? refuseScope(account, route.scope) : notFound(path)
    const reply =
      route && !refusal
        ? await endpoints[route.id](
            ownRequestOf(request, verb, path),
            account,
            match?.segment ?? '',
            given === undefined ? noBody : Buffer.from(JSON.stringify(given)),
            async () => undefined,
          )
        : refused(refusal ?? notFound(path))
    const { Age } = reply.headers ?? {}
    return {
      status: reply.status,
      body: JSON.parse(textOf(reply)) as unknown,
      age: Age === undefined ? undefined : Number(Age),
    }
  }
  // Loaded at the first message, because most services never get one.
  const { answerMessage, checkedHeaders } = await import('../mcp/http.js')
  const message = Object.fromEntries(entriesOf(fields, maxFields))
  const headers = Object.fromEntries(
    checkedHeaders.map(name => [name, request.header(name)]),
  ) as HttpMessage['headers']
  const { status, body: answered } = await answerMessage(
    { message, headers, origins: corsOrigins },
    { send, now: clock, hasAlerts: scopesOf(account).includes('alerts') },
  )
  return { status, body: answered }
}

/** A request of a tool, which waits for candles that are fetched for the first time. */
const ownRequestOf = ({ signal }: HttpRequest, method: string, path: string): HttpRequest => ({
  method,
  path,
  queryString: '',
  authorization: '',
  contentType: 'application/json',
  header: name => (name === 'prefer' ? `wait=${maxWaitSeconds}` : ''),
  signal,
  body: async () => noBody,
})
