import type { Archive } from '../../src/markets/archive/archive.js'

/** Facts of all series with candles of an archive, in the order of their keys. */
export function listSeries(archive: Archive) {
  archive.flush()
  const usages = archive.usage(Number.POSITIVE_INFINITY)
  return usages.map(({ key }) => ({ key, ...archive.info(key) })).filter(({ count }) => count > 0)
}
