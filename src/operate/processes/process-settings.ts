import { availableParallelism } from 'node:os'
import type { Config } from '../settings/config.js'

/** Number of serving processes. */
export const processesOf = ({ processes }: Pick<Config, 'processes'>): number =>
  processes ?? availableParallelism()

/**
 * Settings of one of `processes` processes. Bounds on memory, threads and connections of the service are divided among
 * the processes. Bounds on a single key, address or connection stay, because the system chooses a client's process.
 */
export function settingsOfEach(config: Config, processes: number): Config {
  const share = (whole: number) => Math.ceil(whole / processes)
  return {
    ...config,
    historyBytes: share(config.historyBytes),
    resultsBytes: share(config.resultsBytes),
    httpMaxBackpressure: share(config.httpMaxBackpressure),
    httpMaxBodies: share(config.httpMaxBodies),
    poolThreads: share(config.poolThreads ?? availableParallelism()),
    maxConnections: config.maxConnections && share(config.maxConnections),
    streamMaxConnections: share(config.streamMaxConnections),
  }
}
