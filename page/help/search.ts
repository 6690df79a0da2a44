import MiniSearch from 'minisearch'

/** Index of a document in `search.json`: its sections, and the rows of its lists. */
export interface SearchedDocument {
  /** Address below /help. */
  readonly address: string
  readonly title: string
  readonly entries: readonly (readonly [anchor: string, title: string, text: string, names: string])[]
}

/** A section or a row that matches. */
export interface Found {
  /** Address below /help, with an anchor. */
  readonly address: string
  readonly title: string
  /** The title of its document. */
  readonly document: string
  readonly text: string
  /** Other names of its subject. */
  readonly names: string
}

const maxFound = 30

/** Finds sections of the documents, indicators, settings and messages by their words. */
export class Search {
  readonly #index: MiniSearch<Found & { readonly id: number }>
  readonly #all: readonly Found[]

  constructor(documents: readonly SearchedDocument[]) {
    this.#all = documents.flatMap(({ address, title, entries }) =>
      entries.map(([anchor, heading, text, names]) => ({
        address: anchor === '' ? address : `${address}#${anchor}`,
        title: heading,
        document: title,
        text,
        names,
      })),
    )
    this.#index = new MiniSearch({
      fields: ['title', 'names', 'text', 'document'],
      searchOptions: {
        boost: { title: 5, names: 4 },
        prefix: (term, at, terms) => at === terms.length - 1 && term.length > 1,
        fuzzy: term => (term.length > 4 ? 0.2 : false),
        weights: { prefix: 0.4, fuzzy: 0.2 },
      },
    })
    this.#index.addAll(this.#all.map((each, id) => ({ id, ...each })))
  }

  /**
   * The entries that contain all words, best first. If none contains them all, as for a message with values in it, the
   * entries that contain most words.
   */
  find(text: string): readonly Found[] {
    const found = this.#index.search(text, { combineWith: 'AND' })
    const most = found.length > 0 ? found : this.#index.search(text)
    return most.slice(0, maxFound).map(({ id }) => this.#all[id] as Found)
  }
}
