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

/** Words of a question that say nothing about its subject. */
const fillers = new Set(
  'a an and are at by can do does for from how i in is it my not of on or the there to what when where why with'.split(
    ' ',
  ),
)
/** A text with more words is probably a message that was pasted. */
const maxWordsOfQuestion = 5
/** Weight of messages, of which many contain a common word, for a shorter text. */
const weightOfMessages = 0.3

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
        processTerm: term => (fillers.has(term.toLowerCase()) ? null : term.toLowerCase()),
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
    const isQuestion = text.trim().split(/\s+/).length <= maxWordsOfQuestion
    const boostDocument = (id: number) =>
      isQuestion && this.#all[id]?.address.startsWith('messages#') ? weightOfMessages : 1
    const found = this.#index.search(text, { combineWith: 'AND', boostDocument })
    const most = found.length > 0 ? found : this.#index.search(text, { boostDocument })
    return most.slice(0, maxFound).map(({ id }) => this.#all[id] as Found)
  }
}
