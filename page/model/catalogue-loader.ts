import { type Catalogue, readCatalogue } from './catalogue.js'
import type { Loader } from './loader.js'
import type { Store } from './store.js'

/** Fetches the catalogue once. */
export class CatalogueLoader {
  readonly #loader: Loader
  readonly #store: Store
  #loading: Promise<Catalogue | undefined> | undefined

  constructor(loader: Loader, store: Store) {
    this.#loader = loader
    this.#store = store
  }

  /** The catalogue; undefined if the service refuses it, and the next call tries again. */
  load(): Promise<Catalogue | undefined> {
    this.#loading ??= this.#fetch()
    return this.#loading
  }

  async #fetch(): Promise<Catalogue | undefined> {
    const { signal } = new AbortController()
    const { client } = this.#loader
    const send = (options: { signal: AbortSignal }) => client.get('indicators', options)
    const loaded = await this.#loader.load(this.#store.market, send, signal, () => {})
    if (loaded) this.#store.catalogue.value = readCatalogue(loaded.body)
    else this.#loading = undefined
    return this.#store.catalogue.value
  }
}
