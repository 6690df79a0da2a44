import { workWith } from '../compute/workers/worker.js'
import type { OlderPlace, OlderReader } from '../markets/history/older-reader.js'

let reader: OlderReader | undefined

/** Runs the tasks of a thread of the service, which reads the candles of its archive. */
export default workWith(async () => {
  // Most threads never read any, and begin without the database.
  const [{ OlderReader }, { openCandles }] = await Promise.all([
    import('../markets/history/older-reader.js'),
    import('../store/embedded/embedded.js'),
  ])
  const loaded = reader ?? new OlderReader(openCandles)
  reader = loaded
  return (place, from, to, closesOnly) => loaded.read(place as OlderPlace, from, to, closesOnly)
})
