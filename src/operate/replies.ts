import { StoreFailure } from '../contract/storage/stores.js'
import type { ServeOptions } from '../http/drivers/server.js'
import type { Context } from './parts.js'
import { ReplyCounts } from './reply-counts.js'
import { AccessLog } from './settings/access-log.js'

/** The access log of the settings; undefined where there is none. Throws where its file cannot be opened. */
export function openAccessLog({ config, log, metrics }: Context): AccessLog | undefined {
  const dropped = metrics.counter(
    'candela_access_log_dropped_total',
    'Lines of the access log that were dropped, because the disk was full or too slow',
  )
  if (config.accessLog === undefined) return undefined
  try {
    return new AccessLog(config.accessLog, log, () => dropped.add())
  } catch (cause) {
    throw new StoreFailure(`Cannot open the access log "${config.accessLog}": ${(cause as Error).message}`, {
      cause,
    })
  }
}

/** What happens with each reply, where metrics or an access log are wanted; nothing is done otherwise. */
export function watchReplies(
  { config, metrics, tracing }: Context,
  accessLog: AccessLog | undefined,
): Pick<ServeOptions, 'onReply'> {
  const counts = config.metricsPort === undefined ? undefined : new ReplyCounts(metrics)
  if (!counts && !accessLog && !tracing) return {}
  return {
    onReply(request, { status, body, headers }, startedAt) {
      const { route, account, method, isHead } = request
      counts?.count(route, status, startedAt)
      tracing?.answered(request, { route, account, status })
      accessLog?.add({
        time: new Date().toISOString(),
        id: request.headers?.['X-Request-Id'] ?? headers?.['X-Request-Id'],
        account,
        method: method.toUpperCase(),
        route,
        status,
        ms: Math.round((performance.now() - startedAt) * 1000) / 1000,
        bytes: isHead ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength,
      })
    },
  }
}
