import type { RouteId } from '../route-table.js'
import { ref } from './json-schema.js'
import type { Operation } from './operation.js'
import { answered } from './responses.js'

const tag = 'Screens and signals'
const waiting = ['Warning', 'Preference-Applied']

/** The routes that ask for many markets, or for a whole history, by expressions. */
export const screenOperations: Readonly<Record<Extract<RouteId, 'screen' | 'evaluate'>, Operation>> = {
  screen: {
    id: 'screen',
    tag,
    summary: 'The markets of an exchange at which a condition holds',
    description:
      'The first screen of an exchange fetches the candles of its markets under the exchange’s rate limit: it is pending (202) meanwhile, with `done` and `total`. Later ones are answered from memory.',
    parameters: [ref('parameters', 'prefer')],
    body: ref('schemas', 'Screen'),
    responses: { 200: answered('The matches.', ref('schemas', 'ScreenResult'), waiting) },
  },
  evaluate: {
    id: 'evaluate',
    tag,
    summary: 'What followed when a condition became true',
    description:
      'Over the closed candles of a market, or over `candles`. A signal at the close of a candle acts at the open of the next one, so nothing looks ahead.',
    parameters: [ref('parameters', 'prefer')],
    body: ref('schemas', 'Evaluation'),
    responses: { 200: answered('The statistics.', ref('schemas', 'EvaluationResult'), waiting) },
  },
}
