import { readQueryString, type TextFields, toTextFields } from '../contract/fields.js'
import { isRefusal, type Refusal } from '../contract/refusals.js'
import { type Admission, noBody } from './admission.js'
import { ageHeaders } from './candles-reply.js'
import { type HttpRequest, ownRequest, type Reply, withHeaders } from './reply.js'
import { type KeyRoute, neverCharged } from './route.js'
import type { RouteParts } from './route-table.js'

/** Request to an endpoint of this service, translated from another protocol. */
export interface OwnRequest {
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** Variable of the path. */
  readonly segment?: string
  /** Content of the JSON body. */
  readonly body?: unknown
}

/** Calls a route of this service for the account of an admitted request. */
export type Ask = (route: KeyRoute<RouteParts>, own: OwnRequest) => Promise<Reply>

/** Seconds that these requests wait for candles that are fetched for the first time, because the programs do not retry. */
const waitSeconds = 10

/**
 * Answers requests in the protocols of other programs with the endpoints of this service. The key is in the header
 * `Authorization`, or in the query string as `key`, because some of these programs cannot set a header.
 */
export class TranslatedRequests {
  constructor(
    private readonly admission: Admission,
    private readonly parts: RouteParts,
  ) {}

  /**
   * Authenticates and counts a request under `kind`, and answers it with `respond`. `refuse` writes a refusal of the
   * request itself.
   */
  async answer(
    request: HttpRequest,
    kind: string,
    refuse: (refusal: Refusal) => Reply,
    respond: (fields: TextFields, ask: Ask) => Promise<Reply>,
  ): Promise<Reply> {
    const { path, queryString } = request
    const query = readQueryString(queryString)
    if (isRefusal(query)) return refuse(query)
    const fields = toTextFields(query)
    const key = fields.get('key')
    const authorization = key === undefined ? request.authorization : `Bearer ${key}`
    return this.admission.answer(request, { scope: 'read', kind, authorization }, refuse, async account => {
      let age: Reply['headers']
      const ask: Ask = async (route, own) => {
        const reply = await route.answer(this.parts, {
          request: ownRequest(
            request,
            { method: route.method, path, queryString: queryStringOf(own) },
            waitSeconds,
          ),
          account,
          segment: own.segment ?? '',
          body: bodyOf(own),
          charge: neverCharged,
        })
        age ??= ageHeaders(reply)
        return reply
      }
      const reply = await respond(fields, ask)
      return age ? withHeaders(reply, age) : reply
    })
  }
}

const bodyOf = ({ body }: OwnRequest): Uint8Array =>
  body === undefined ? noBody : new TextEncoder().encode(JSON.stringify(body))

const queryStringOf = ({ query = {} }: OwnRequest): string =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString()
