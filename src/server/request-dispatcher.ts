import { needsBody, type RequestHead } from '../api/reply.js'
import { BodyReceiver } from './body-receiver.js'
import type { OpenRequests } from './open-requests.js'
import type { HttpResponse, RequestContext } from './request-context.js'
import type { ServeOptions } from './server.js'

/** Passes requests to `handle` and their replies to their responses. */
export class RequestDispatcher<Response extends HttpResponse> {
  readonly #handle: ServeOptions['handle']
  readonly #requests: OpenRequests<Response>
  readonly #bodies: BodyReceiver<Response>

  constructor(handle: ServeOptions['handle'], requests: OpenRequests<Response>) {
    this.#handle = handle
    this.#requests = requests
    this.#bodies = new BodyReceiver(requests)
  }

  /** Answers a request. `contentLength` is the header field, empty where there is none. */
  dispatch(context: RequestContext<Response>, head: RequestHead, contentLength: string): void {
    const requests = this.#requests
    try {
      const reply = this.#handle(head)
      if (reply instanceof Promise) {
        requests.open(context)
        reply
          .then(arrived => requests.send(context, arrived))
          .catch(error => requests.fail(context, error, head))
      } else if (needsBody(reply)) {
        requests.open(context)
        this.#bodies.receive(context, head, Number(contentLength), reply)
      } else requests.answer(context, reply)
    } catch (error) {
      requests.fail(context, error, head)
    }
  }
}
