// Results of the kernels, for the Python programs in this folder.
//
// Reads a list of { id, market, params } from standard input, market being the name of a market or its columns, and writes a
// list of { columns, inputs, params, outputs }: a column per output with numbers, signals and codes of labels, null for a
// missing value, and the completed parameters. Without an id it writes the catalogue: { id: { category, namesElsewhere,
// inputs, params, outputs, talib } }, talib being our parameters by TA-Lib's names.

import { Columns, columnNames } from '../../dist/candles/columns.js'
import { catalogue, talibNamesOf } from '../../dist/catalogue/index.js'
import { Calculator } from '../../dist/compute/kernels/calculator.js'
import { readQuery } from '../../dist/contract/query.js'
import { readMarket } from '../../test/vectors/vector-file.js'

const calculator = new Calculator()

function columnsOf(given) {
  const market = typeof given === 'string' ? readMarket(given) : given
  const count = market.timestamp.length
  const columns = new Columns(count)
  for (const column of columnNames) columns[column].set(market[column])
  return { columns, closed: count, forming: undefined, count }
}

function values({ id, market, params }) {
  const indicator = catalogue.get(id)
  const query = readQuery(indicator, new Map(Object.entries(params)), 'json')
  if ('error' in query) throw new Error(`${id}: ${query.error}`)
  const { columns } = calculator.calculate({ indicator, ...query }, columnsOf(market))
  const outputs = indicator.outputs.map(({ column }) =>
    [...columns[column]].map(x => (Number.isFinite(x) ? x : null)),
  )
  return { params: query.params, outputs }
}

let text = ''
for await (const part of process.stdin) text += part
const asked = JSON.parse(text || '[]')
const answer =
  asked.length > 0
    ? asked.map(values)
    : Object.fromEntries(
        [...catalogue.values()].map(({ name, inputs, params, outputs, category, namesElsewhere }) => [
          name,
          {
            category,
            namesElsewhere,
            inputs,
            params: Object.fromEntries(Object.entries(params).map(([key, param]) => [key, param.default])),
            outputs: outputs.map(output => output.name),
            talib: Object.fromEntries(
              Object.keys(params).flatMap(key => talibNamesOf(name, key).map(alias => [alias, key])),
            ),
          },
        ]),
      )
process.stdout.write(JSON.stringify(answer))
