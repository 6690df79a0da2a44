import { Archive } from '../archive/archive.js'
import { ArchiveLimit } from '../archive/archive-limit.js'
import type { Config } from '../config/config.js'
import type { Log } from '../config/log.js'
import type { History } from '../history/history.js'
import type { Metrics } from '../metrics/metrics.js'
import type { Store } from '../store/store.js'

/** Milliseconds after a line of the log in which no other one says that candles could not be archived. */
const logPauseMs = 10_000

/** The archive with everything in it that earlier processes had journalled. */
export function createArchive(
  config: Config,
  store: Store,
  clock: () => number,
  metrics: Metrics,
  log: Log,
): Archive {
  const corrupt = metrics.counter('candela_archive_corrupt_total', 'Chunks of candles that could not be read')
  const failures = metrics.counter(
    'candela_archive_retries_total',
    'Attempts to archive candles of a series that failed; each is repeated',
  )
  let loggedAt = Number.NEGATIVE_INFINITY
  const onFailure = (error: unknown, series?: string) => {
    failures.add()
    // On a full disk it is all series, again and again.
    if (performance.now() - loggedAt < logPauseMs) return
    loggedAt = performance.now()
    log.error({ err: error, series }, 'candles could not be archived')
  }
  const archive = new Archive(store.keyValues, {
    depth: config.historyDepth,
    journal: store.journal,
    clock,
    onFailure,
    onCorrupt: (series, reason) => {
      corrupt.add()
      log.warn({ series, reason }, 'the archive was damaged')
    },
  })
  try {
    archive.recover()
  } catch (error) {
    onFailure(error)
  }
  return archive
}

/** Drops what the archive has too much of, from now on. */
export function createArchiveLimit(
  config: Config,
  { sharing }: Store,
  archive: Archive,
  history: History,
  log: Log,
): ArchiveLimit {
  const limit = new ArchiveLimit({
    ...sharing,
    archive,
    maxBytes: config.archiveBytes,
    isInMemory: key => history.has(key),
    onDropped: series => log.info({ series }, 'series were dropped from the archive, which was full'),
    onExceeded: bytes =>
      log.warn(
        { bytes },
        'backfilled and imported series take more of the archive than ARCHIVE_BYTES allows',
      ),
    onFailure: error => log.error({ err: error }, 'the size of the archive could not be checked'),
  })
  limit.start()
  return limit
}
