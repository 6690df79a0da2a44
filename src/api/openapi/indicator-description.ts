import { stabilities } from '../../catalogue/description.js'
import { categories } from '../../catalogue/index.js'
import { tiers } from '../../catalogue/tiers.js'
import { array, object, text } from './json-schema.js'

/** The schema of an entry of `GET /indicators`. */
export const indicatorDescription = object(
  {
    id: { type: 'string' },
    title: { type: 'string' },
    category: { type: 'string', enum: Object.keys(categories) },
    parameters: array(
      object(
        {
          name: { type: 'string' },
          type: { enum: ['integer', 'number', 'string', 'boolean'] },
          default: { type: ['number', 'string', 'boolean'] },
          minimum: { type: 'number' },
          maximum: { type: 'number' },
          choices: array({ type: 'string' }),
          follows: text('The parameter whose value is the default when that one was given.'),
          meaning: text('What the numbers stand for.'),
          atMost: text('The parameter that this one must not exceed.'),
          atLeast: text('The parameter that must not exceed this one.'),
        },
        ['name', 'type', 'default'],
      ),
    ),
    outputs: array(
      object(
        {
          name: { type: 'string' },
          kind: { enum: ['number', 'signal', 'flag', 'label', 'names'] },
          labels: array({ type: 'string' }),
        },
        ['name', 'kind'],
      ),
    ),
    inputs: array({ type: 'string' }),
    source: { type: 'boolean', description: 'Whether `source` replaces the first input.' },
    source2: { type: 'boolean', description: 'Whether `source2` replaces the second input.' },
    lookback: { type: 'integer', description: 'Candles before the first value, by default.' },
    results: { type: 'integer', description: 'Values returned where `results` is not given, by default.' },
    stability: { enum: Object.values(stabilities) },
    overlay: { type: 'boolean', description: 'Whether the outputs are prices.' },
    tier: { enum: tiers, description: 'How widely it is known: 1 widely, 3 hardly.' },
    description: text('What it shows, how it is read and where it is weak.'),
    otherNames: array(
      { type: 'string' },
      { description: 'Names by which other libraries and charts know it.' },
    ),
    related: array(
      { type: 'string' },
      { description: 'Indicators that are alike or are read together with it.' },
    ),
  },
  [
    'id',
    'title',
    'category',
    'parameters',
    'outputs',
    'inputs',
    'source',
    'source2',
    'lookback',
    'results',
    'stability',
    'overlay',
    'tier',
    'otherNames',
    'related',
  ],
)
