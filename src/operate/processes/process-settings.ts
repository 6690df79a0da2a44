import { availableParallelism } from 'node:os'
import type { Config } from '../settings/config.js'

/** How many processes serve. */
export const processesOf = ({ processes }: Pick<Config, 'processes'>): number =>
  processes ?? availableParallelism()

/**
 * The settings of each of so many processes: what bounds memory, threads and connections of the service is divided among them. What
 * bounds a single key, address or connection stays, because the system and not the client chooses its process.
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
