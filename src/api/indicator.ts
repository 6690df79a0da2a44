import { LRUCache } from 'lru-cache'
import type { Snapshot } from '../candles/columns.js'
import { catalogue, type Entry } from '../catalogue/index.js'
import { answer } from '../compute/answer.js'
import type { Calculator } from '../compute/calculator.js'
import { type Intake, suppliedCandles } from '../compute/json/body-parser.js'
import { type Market, marketFields, readMarket } from '../contract/market.js'
import { readQuery } from '../contract/query-string.js'
import { type Question, readQuestion } from '../contract/query.js'
import {
  badCandles,
  isRefusal,
  notEnoughCandles,
  type Refusal,
  unknownIndicator,
} from '../contract/refusals.js'
import type { Exchanges } from '../exchanges/registry.js'
import type { History } from '../history/history.js'
import { fromCandles } from './market-data.js'
import { ok, type Reply, refused } from './reply.js'

interface Parts {
  readonly calculator: Calculator
  readonly intake: Intake
  readonly exchanges: Exchanges
  readonly history: History
}

/** A query string read to the end: which market, and what to ask of it. */
interface Read {
  readonly market: Market
  readonly question: Question
}

/** How many answers are remembered for one state of a series, and how long (in characters) they may be. */
const remembered = { answers: 200, length: 2_048 } as const

/** Queries recur: the same bot asks the same thing every few seconds. */
const readQueries = 5_000

/** `/indicator/<name>`: one indicator on exchange data (GET) or on supplied candles (POST). */
export class IndicatorRoute {
  readonly #parts: Parts
  readonly #read = new LRUCache<string, Read>({ max: readQueries })
  /** The same question over the same candles has the same answer; answers go when their candles move. */
  readonly #answers = new WeakMap<Snapshot, Map<Question, Reply>>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get(name: string, query: string, prefer: string): Reply | Promise<Reply> {
    const key = `${name}?${query}`
    let read = this.#read.get(key)
    if (!read) {
      const fresh = readRequest(name, query)
      if (isRefusal(fresh)) return refused(fresh)
      read = fresh
      this.#read.set(key, read)
    }
    const { market, question } = read
    return fromCandles(this.#parts, market, prefer, ({ snapshot }) => {
      const answers = this.#answersOf(snapshot)
      const known = answers.get(question)
      if (known) return known
      const reply = this.#answer(question, snapshot)
      const { body } = reply
      if (answers.size < remembered.answers && typeof body === 'string' && body.length <= remembered.length)
        answers.set(question, reply)
      return reply
    })
  }

  post(name: string, body: Uint8Array): Reply {
    const indicator = find(name)
    if (isRefusal(indicator)) return refused(indicator)
    const fields = this.#parts.intake.fields(body, whole => [whole])
    if (isRefusal(fields)) return refused(fields)
    const question = readQuestion(indicator, fields, 'json', ['candles'])
    if (isRefusal(question)) return refused(question)
    const snapshot = fields.has('candles') ? suppliedCandles(fields.get('candles')) : 'candles is missing'
    return typeof snapshot === 'string' ? refused(badCandles(snapshot)) : this.#answer(question, snapshot)
  }

  #answersOf(snapshot: Snapshot): Map<Question, Reply> {
    let answers = this.#answers.get(snapshot)
    if (!answers) {
      answers = new Map()
      this.#answers.set(snapshot, answers)
    }
    return answers
  }

  #answer(question: Question, snapshot: Snapshot): Reply {
    const json = answer(this.#parts.calculator, question, snapshot)
    if (typeof json === 'string') return ok(json)
    return refused(notEnoughCandles(question.indicator.name, json.needed, json.available))
  }
}

const find = (name: string): Entry | Refusal => catalogue.get(name) ?? unknownIndicator(name.slice(0, 60))

function readRequest(name: string, query: string): Read | Refusal {
  const indicator = find(name)
  if (isRefusal(indicator)) return indicator
  const fields = readQuery(query)
  if (isRefusal(fields)) return fields
  const market = readMarket(fields)
  if (isRefusal(market)) return market
  const question = readQuestion(indicator, fields, 'text', marketFields)
  return isRefusal(question) ? question : { market, question }
}
