import { z } from 'zod'
import { tiers } from '../../catalogue/about.js'
import { stabilities, units } from '../../catalogue/description.js'
import { categories } from '../../catalogue/index.js'
import { colourings, panes, shapeKinds } from '../../catalogue/shape.js'
import { component } from './json-schema.js'

const text = (description: string) => z.string().describe(description)
const number = (description: string) => z.number().describe(description)
const integer = (description: string) => z.int().describe(description)

/** The keys of a record, each with what it means. */
const keysOf = (meanings: Readonly<Record<string, string>>) => ({
  names: Object.keys(meanings),
  text: Object.entries(meanings)
    .map(([name, meaning]) => `\`${name}\`: ${meaning}`)
    .join('; '),
})
const kinds = keysOf(shapeKinds)
const rules = keysOf(colourings)
const shift = (description: string) =>
  z.union([z.number(), z.string()]).describe(`${description}; a text names the parameter that says how many.`)

const shape = component(
  'Shape',
  z.object({
    kind: z.enum(kinds.names).describe(`${kinds.text}.`),
    outputs: z
      .array(z.string())
      .describe(
        'A kind that takes one output is drawn for each of them; several lines are a ribbon, each paler than the one before.',
      ),
    pane: z.enum(panes).describe('`price`: over the candles; `own`: in the pane of the indicator.'),
    colour: z
      .union([z.int(), z.enum(['up', 'down', 'quiet'])])
      .describe('A number is its place among the colours of the indicator, from 1 on.')
      .optional(),
    colouring: z
      .enum(rules.names)
      .describe(
        `What decides between the colours of rises and of falls: ${rules.text}. A line is broken where it changes.`,
      )
      .optional(),
    colouredBy: text(
      'The output that decides instead: a number above 0, a text that means up, or a flag that is set has the colour of rises.',
    ).optional(),
    ahead: shift('Candles by which it is drawn later than its candle').optional(),
    behind: shift('Candles by which it is drawn earlier').optional(),
    fromPrice: z
      .literal(true)
      .describe('It begins at the last candle whose price it is: a level at a high or low, a zone at both.')
      .optional(),
    span: text(
      'The output that says from how many candles before a line leads to a mark, from low to low or from high to high.',
    ).optional(),
    label: text('A short text at it.').optional(),
    at: z
      .enum(['above', 'below', 'sign'])
      .describe(
        'The side of a mark that is no advice; with `sign` above a value above 0, as of a high, and below any other.',
      )
      .optional(),
    price: z
      .literal('close')
      .describe('The column of the candles that a line without outputs draws.')
      .optional(),
    from: integer('The first number of a count that is shown.').optional(),
    ratios: z.array(z.number()).describe('The levels of a retracement.').optional(),
    except: z.array(z.string()).describe('Texts that are too frequent to be marked.').optional(),
  }),
)

const indicatorDescription = component(
  'IndicatorDescription',
  z.object({
    id: z.string(),
    title: z.string(),
    category: z.enum(Object.keys(categories)),
    parameters: z.array(
      z.object({
        name: z.string(),
        type: z.enum(['integer', 'number', 'string', 'boolean']),
        default: z.union([z.number(), z.string(), z.boolean()]),
        minimum: z.number().optional(),
        maximum: z.number().optional(),
        choices: z.array(z.string()).optional(),
        follows: text('The parameter whose value is the default when that one was given.').optional(),
        meaning: text('What the numbers stand for.').optional(),
        atMost: text('The parameter that this one must not exceed.').optional(),
        atLeast: text('The parameter that must not exceed this one.').optional(),
      }),
    ),
    outputs: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['number', 'signal', 'flag', 'label', 'names']),
        labels: z.array(z.string()).optional(),
        directions: z
          .record(z.string(), z.literal([1, -1]))
          .describe('The texts that name a direction: 1 up, -1 down.')
          .optional(),
        unit: z
          .enum(units)
          .describe('What the numbers are measured in, with default parameters; a time is in Unix seconds.')
          .optional(),
      }),
    ),
    inputs: z.array(z.string()),
    source: z.boolean().describe('Whether `source` replaces the first input.'),
    source2: z.boolean().describe('Whether `source2` replaces the second input.'),
    lookback: integer('Candles before the first value, by default.'),
    results: integer('Values returned where `results` is not given, by default.'),
    stability: z.enum(Object.values(stabilities)),
    settled4: z
      .int()
      .nullable()
      .describe(
        'Candles before the first value whose first 4 digits do not depend on where the history begins, by default. Null where there is no such number.',
      ),
    settled8: z.int().nullable().describe('The same for 8 digits.'),
    overlay: z.boolean().describe('Whether the outputs are prices.'),
    scale: z
      .object({
        minimum: number('Of all values, where prices are above 0').optional(),
        maximum: number('Of all values, where prices are above 0').optional(),
        levels: z
          .array(z.number())
          .describe(
            'Where charts draw lines: limits that its author or a widely used chart names, and what it swings around.',
          ),
      })
      .optional(),
    drawing: z
      .array(shape)
      .describe(
        'How it is drawn: its shapes, the first one behind the others. An output that none of them names is not drawn.',
      ),
    tier: z.literal(tiers).describe('How widely it is known: 1 widely, 3 hardly.'),
    description: text('What it shows, how it is read and where it is weak.').optional(),
    otherNames: z.array(z.string()).describe('Names by which other libraries and charts know it.'),
    related: z.array(z.string()).describe('Indicators that are alike or are read together with it.'),
  }),
)

export const indicatorList = component(
  'IndicatorList',
  z.object({ count: z.int(), indicators: z.array(indicatorDescription) }),
)
