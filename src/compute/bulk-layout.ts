import type { Snapshot } from '../candles/columns.js'
import type { Item } from '../contract/bulk.js'
import type { Market } from '../contract/market.js'
import type { Question } from '../contract/query.js'
import { computationFailed, notEnoughCandles } from '../contract/refusals.js'
import { find, print } from './answer.js'
import type { Calculator } from './calculator.js'
import type { Costs } from './costs.js'
import type { Sheet } from './json/sink.js'

/** A place in a bulk answer that has to be computed. */
export interface Computation {
  readonly question: Question
  readonly snapshot: Snapshot
}

/** A bulk answer before it is computed: text that is settled, and places between. */
export type Piece = string | Computation

/** A construct whose candles are there, or the text that says why they are not. */
export interface Section {
  readonly id: string
  readonly items: readonly Item[]
  readonly outcome: Snapshot | string
  /** What `_asset` names. */
  readonly market?: Market
}

/**
 * Lays out a bulk answer in the order of the request. Objects would not do: JavaScript moves keys that look like
 * numbers to the front. Ids need no escapes, their alphabet has none.
 */
export function compose(sections: readonly Section[], verbose: boolean): readonly Piece[] {
  const pieces: Piece[] = []
  let text = '{'
  for (const [at, { id, items, outcome, market }] of sections.entries()) {
    text += `${at === 0 ? '' : ','}"${id}":{`
    const meta: string[] = []
    if (verbose && market) {
      const { exchange, symbol, timeframe } = market
      meta.push(`"_asset":${JSON.stringify({ exchange, symbol, timeframe })}`)
    }
    if (typeof outcome === 'string') meta.push(`"_error":${JSON.stringify(outcome)}`)
    text += meta.join(',')
    for (const [k, item] of items.entries()) {
      text += `${k === 0 && meta.length === 0 ? '' : ','}"${item.id}":`
      if (typeof outcome === 'string') {
        text += 'null'
        continue
      }
      if (verbose) text += envelopeOf(item.question)
      pieces.push(text, { question: item.question, snapshot: outcome })
      text = ''
    }
    text += '}'
  }
  pieces.push(`${text}}`)
  return pieces
}

/** The envelope of an entry, up to where its result belongs. */
const envelopeOf = ({ indicator, params, source, source2 }: Question): string =>
  `{"indicator":"${indicator.name}","params":${JSON.stringify({ ...params, source, source2 })},"result":`

/** What follows the result of an entry: nothing, or with an envelope what went wrong. */
const ending = (verbose: boolean, error?: string): string =>
  verbose ? `,"errors":[${error === undefined ? '' : JSON.stringify(error)}]}` : ''

const lost = (verbose: boolean): string => `null${ending(verbose, computationFailed())}`

/** Where `write` is done. */
export interface Desk {
  readonly calculator: Calculator
  readonly costs: Costs
  /** Told of computations that ended with a bug. */
  readonly onBug: (error: unknown) => void
  /** Called between computations: the moment to let others have the processor. */
  readonly pause?: (() => void) | undefined
}

/** Computes the pieces and writes them. A computation that throws costs its own entry. */
export function write(desk: Desk, pieces: readonly Piece[], verbose: boolean, sheet: Sheet): void {
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      sheet.add(piece)
      continue
    }
    desk.pause?.()
    const found = tryFind(desk, piece)
    if (!found) sheet.add(lost(verbose))
    else if ('columns' in found) {
      print(found, sheet)
      sheet.add(ending(verbose))
    } else {
      const { error } = notEnoughCandles(piece.question.indicator.name, found.needed, found.available)
      sheet.add(`null${ending(verbose, error)}`)
    }
  }
}

function tryFind({ calculator, costs, onBug }: Desk, { question, snapshot }: Computation) {
  try {
    return find(calculator, question, snapshot, costs)
  } catch (error) {
    onBug(error)
    return undefined
  }
}

/** The pieces as text when nothing of them could be computed. */
export const writeLost = (pieces: readonly Piece[], verbose: boolean): string =>
  pieces.map(piece => (typeof piece === 'string' ? piece : lost(verbose))).join('')
