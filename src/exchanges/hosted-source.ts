import type { OnAnomaly, Source } from './source.js'
import type { SymbolCache } from './symbol-cache.js'

/** What a source reports and stores. */
export interface SourcePorts {
  readonly onAnomaly?: OnAnomaly
  readonly symbolCache?: SymbolCache
}

/** A source that shows the spellings that it knows of its symbols. */
export interface HostedSource extends Source {
  /** The listed spelling by the one without a separator; a new map after every fetch. */
  readonly spellings?: ReadonlyMap<string, string> | undefined
}

/** Creates the source of an exchange of ccxt, or of `stocks`. Throws SourceFailure where there is no such exchange. */
export type SourceFactory = (exchange: string, ports: SourcePorts) => HostedSource
