import { workWith } from '../compute/workers/worker.js'
import type { OlderLocation, OlderReader } from '../markets/history/older-reader.js'

let reader: OlderReader | undefined

/** Runs the tasks of a worker thread of the service. The thread can read candles from the archive. */
export default workWith(async () => {
  // Loaded on the first read, because most threads never read the archive.
  const [{ OlderReader }, { openCandles }] = await Promise.all([
    import('../markets/history/older-reader.js'),
    import('../store/embedded/embedded.js'),
  ])
  const loaded = reader ?? new OlderReader(openCandles)
  reader = loaded
  return (location, from, to, closesOnly) => loaded.read(location as OlderLocation, from, to, closesOnly)
})
