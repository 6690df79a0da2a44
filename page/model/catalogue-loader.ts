import type { Market } from '../view/view.js'
import { type Catalogue, readCatalogue } from './catalogue.js'
import type { Loader } from './loader.js'

/** Fetches the catalogue once. */
export class CatalogueLoader {
  readonly #loader: Loader
  readonly #market: () => Market
  #loading: Promise<Catalogue | undefined> | undefined
  value: Catalogue | undefined

  /** `market` is what the person waits for while the catalogue is fetched. */
  constructor(loader: Loader, market: () => Market) {
    this.#loader = loader
    this.#market = market
  }

  /** Undefined where the service refuses it; the next call asks again. */
  load(): Promise<Catalogue | undefined> {
    this.#loading ??= this.#fetch()
    return this.#loading
  }

  async #fetch(): Promise<Catalogue | undefined> {
    const { signal } = new AbortController()
    const { client } = this.#loader
    const send = (options: { signal: AbortSignal }) => client.get('indicators', options)
    const loaded = await this.#loader.load(this.#market(), send, signal, () => {})
    if (loaded) this.value = readCatalogue(loaded.body)
    else this.#loading = undefined
    return this.value
  }
}
