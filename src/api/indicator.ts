import { LRUCache } from 'lru-cache'
import type { Snapshot } from '../candles/columns.js'
import { catalogue, type Entry } from '../catalogue/index.js'
import { answer } from '../compute/answer.js'
import type { Calculator } from '../compute/calculator.js'
import { type BodyParser, readCandlesField } from '../compute/json/body-parser.js'
import { type Market, marketFields, readMarket } from '../contract/market.js'
import { type Query, readQuery } from '../contract/query.js'
import { readQueryString } from '../contract/query-string.js'
import {
  badCandles,
  isRefusal,
  notEnoughCandles,
  type Refusal,
  unknownIndicator,
} from '../contract/refusals.js'
import type { ExchangeLookup } from '../exchanges/registry.js'
import type { History } from '../history/history.js'
import { answerFromCandles } from './market-data.js'
import { ok, type Reply, refused } from './reply.js'

interface Parts {
  readonly calculator: Calculator
  readonly bodyParser: BodyParser
  readonly exchanges: ExchangeLookup
  readonly history: History
}

/** A query string read to the end: which market, and what to ask of it. */
interface Read {
  readonly market: Market
  readonly query: Query
}

/** How many answers are remembered for one state of a series, and how long (in characters) they may be. */
const remembered = { answers: 200, length: 2_048 } as const

/** Queries recur: the same bot asks the same thing every few seconds. */
const readQueries = 5_000

/** `/indicator/<name>`: one indicator on exchange data (GET) or on supplied candles (POST). */
export class IndicatorRoute {
  readonly #parts: Parts
  readonly #read = new LRUCache<string, Read>({ max: readQueries })
  /** The same query over the same candles has the same answer; answers go when their candles move. */
  readonly #answers = new WeakMap<Snapshot, Map<Query, Reply>>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get(name: string, queryString: string, prefer: string): Reply | Promise<Reply> {
    const key = `${name}?${queryString}`
    let read = this.#read.get(key)
    if (!read) {
      const fresh = readRequest(name, queryString)
      if (isRefusal(fresh)) return refused(fresh)
      read = fresh
      this.#read.set(key, read)
    }
    const { market, query } = read
    return answerFromCandles(this.#parts, market, prefer, ({ snapshot }) => {
      const answers = this.#answersOf(snapshot)
      const known = answers.get(query)
      if (known) return known
      const reply = this.#answer(query, snapshot)
      const { body } = reply
      if (answers.size < remembered.answers && typeof body === 'string' && body.length <= remembered.length)
        answers.set(query, reply)
      return reply
    })
  }

  post(name: string, body: Uint8Array): Reply {
    const indicator = find(name)
    if (isRefusal(indicator)) return refused(indicator)
    const fields = this.#parts.bodyParser.fields(body, whole => [whole])
    if (isRefusal(fields)) return refused(fields)
    const query = readQuery(indicator, fields, 'json', ['candles'])
    if (isRefusal(query)) return refused(query)
    const snapshot = fields.has('candles') ? readCandlesField(fields.get('candles')) : 'candles is missing'
    return typeof snapshot === 'string' ? refused(badCandles(snapshot)) : this.#answer(query, snapshot)
  }

  #answersOf(snapshot: Snapshot): Map<Query, Reply> {
    let answers = this.#answers.get(snapshot)
    if (!answers) {
      answers = new Map()
      this.#answers.set(snapshot, answers)
    }
    return answers
  }

  #answer(query: Query, snapshot: Snapshot): Reply {
    const json = answer(this.#parts.calculator, query, snapshot)
    if (typeof json === 'string') return ok(json)
    return refused(notEnoughCandles(query.indicator.name, json.needed, json.available))
  }
}

const find = (name: string): Entry | Refusal => catalogue.get(name) ?? unknownIndicator(name.slice(0, 60))

function readRequest(name: string, queryString: string): Read | Refusal {
  const indicator = find(name)
  if (isRefusal(indicator)) return indicator
  const fields = readQueryString(queryString)
  if (isRefusal(fields)) return fields
  const market = readMarket(fields)
  if (isRefusal(market)) return market
  const query = readQuery(indicator, fields, 'text', marketFields)
  return isRefusal(query) ? query : { market, query }
}
