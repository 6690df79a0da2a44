import { readQueryString, type TextFields, toTextFields } from '../contract/fields.js'
import { isRefusal, type Refusal } from '../contract/refusals.js'
import type { Admission } from './admission.js'
import { ageHeaders } from './candles-reply.js'
import { type HttpRequest, type Reply, withHeaders } from './reply.js'
import type { OwnRequest } from './route.js'
import type { RouteParts } from './route-table.js'

/** Sends a request to this service for the account of an admitted request. */
export type Ask = (own: OwnRequest) => Promise<Reply>

/** Seconds that these requests wait for candles that are fetched for the first time, because the programs do not retry. */
const waitSeconds = 10

/**
 * Answers requests in the protocols of other programs with the endpoints of this service. The key is in the header
 * `Authorization`, or in the query string as `key`, because some of these programs cannot set a header.
 */
export class TranslatedRequests {
  constructor(
    private readonly admission: Admission,
    private readonly parts: Pick<RouteParts, 'answerOwn'>,
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
    const query = readQueryString(request.queryString)
    if (isRefusal(query)) return refuse(query)
    const fields = toTextFields(query)
    const key = fields.get('key')
    const authorization = key === undefined ? request.authorization : `Bearer ${key}`
    return this.admission.answer(request, { scope: 'read', kind, authorization }, refuse, async account => {
      let age: Reply['headers']
      const ask: Ask = async own => {
        const reply = await this.parts.answerOwn({ request, account }, own, waitSeconds)
        age ??= ageHeaders(reply)
        return reply
      }
      const reply = await respond(fields, ask)
      return age ? withHeaders(reply, age) : reply
    })
  }
}
