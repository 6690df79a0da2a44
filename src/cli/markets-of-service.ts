import { Candela, CandelaError, type SocketClass } from '../client/index.js'
import type { IndicatorName, ResultWindow, Subscription } from '../client/types.js'
import type { IndicatorSpec } from '../contract/query.js'
import { CommandFailure } from './failure.js'
import type { Markets } from './markets.js'
import { chartOf } from './option-parsers.js'

/** The class of WebSockets; Node has one of its own from version 22 on. */
async function socketClass(): Promise<SocketClass> {
  const own = (globalThis as { readonly WebSocket?: SocketClass }).WebSocket
  return own ?? (await import('../runtime/web-sockets.js')).WebSocket
}

/** The parameters of a calculation as a request has them. */
const paramsOf = ({ params, source, source2 }: IndicatorSpec) => ({
  ...params,
  ...(source ? { source } : {}),
  ...(source2 ? { source2 } : {}),
})

/** The markets of a running service. */
export async function createServiceMarkets(options: {
  readonly url: string
  readonly key: string
}): Promise<Markets> {
  if (!/^https?:\/\//.test(options.url) || !URL.canParse(options.url))
    throw new CommandFailure(`"${options.url}" is no address of a service, such as http://127.0.0.1:8080`)
  if (options.key === '') throw new CommandFailure('The service needs a key: set CANDELA_KEY, or add --key')
  const client = new Candela({ ...options, WebSocket: await socketClass() })
  return {
    candles: (market, count, chart) => client.candles(market, { results: count, ...chartOf(chart) }),

    values: (market, spec, count) =>
      client.indicator(spec.indicator.name as IndicatorName, market, {
        ...paramsOf(spec),
        results: count,
        ...chartOf(spec.chart),
      } as ResultWindow),

    screen: (request, onProgress) => client.screen(request, { onProgress }),

    breadth: (request, onProgress) => client.breadth(request, { onProgress }),

    evaluate: request => client.evaluate(request),

    async follow(market, spec, { closedOnly, signal, onUpdate, onNote }) {
      // A wrong address, key or symbol is refused here; the stream would be opened again and again.
      await client.candles(market, { results: 1 }, { signal }).catch(error => {
        if (!signal.aborted) throw error
      })
      const subscription = {
        ...market,
        id: 'watch',
        candleClose: closedOnly,
        indicator: spec.indicator.name,
        params: paramsOf(spec),
        ...chartOf(spec.chart),
        ...(spec.settled && { settled: spec.settled.digits }),
      } as unknown as Subscription
      const onState = (state: string) => {
        if (state === 'reconnecting') onNote('the connection is lost and is opened again')
      }
      try {
        for await (const { closed, data } of client.stream([subscription], { signal, onState }))
          onUpdate({ closed, data })
      } catch (error) {
        if (!(error instanceof CandelaError) || !signal.aborted) throw error
      }
    },

    close: async () => {},
  }
}
