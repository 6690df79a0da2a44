// Vectors as files: test/vectors/<indicator>.json holds the expected outputs of an indicator over the markets in the same
// folder.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

const folder = new URL('./', import.meta.url)

/**
 * The descriptions of the vectors that need no other library, by the name of the indicator:
 * `{ source, compute(candles, params), cases: [[market, params], …] }`.
 */
export async function readDefinitions() {
  const descriptions = {}
  for (const file of readdirSync(new URL('definitions/', folder)))
    Object.assign(descriptions, (await import(new URL(`definitions/${file}`, folder))).vectors)
  return descriptions
}

const markets = new Map()
/** The columns of a market in test/vectors/markets, read once. They are shared, so nothing may write to them. */
export function readMarket(name) {
  if (!markets.has(name)) markets.set(name, parseMarket(name))
  return markets.get(name)
}

function parseMarket(name) {
  const [header, ...rows] = readFileSync(new URL(`markets/${name}.csv`, folder), 'utf8')
    .trim()
    .split('\n')
  const cells = rows.map(row => row.split(','))
  return Object.fromEntries(
    header.split(',').map((column, k) => [column, Object.freeze(cells.map(row => Number(row[k])))]),
  )
}

/** Thirteen digits are ten thousand times finer than the tolerance of the tests. */
const printed = value =>
  typeof value !== 'number' ? value : Number.isFinite(value) ? Number(value.toPrecision(13)) : null

/** All values of a column as the file or a definition has it. */
const expand = column =>
  'runs' in column ? column.runs.flatMap(([value, count]) => Array(count).fill(value)) : [...column]

/** A column as JSON: a list, or runs of equal values as [value, count] if the runs are much shorter. */
function columnText(list) {
  const values = list.map(printed)
  const runs = []
  for (const value of values) {
    const last = runs.at(-1)
    if (last && last[0] === value) last[1]++
    else runs.push([value, 1])
  }
  const [plain, short] = [JSON.stringify(values), JSON.stringify({ runs })]
  return short.length < plain.length / 2 ? short : plain
}

/** The file of an indicator: `{ source, cases: [{ market, params, source, outputs }, …] }`; undefined if there is none. */
export function readVector(name) {
  const file = new URL(`${name}.json`, folder)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** Writes test/vectors/<name>.json. A case has its own `source` if its outputs come from a library other than the file's. */
export function writeCases(name, source, cases) {
  const texts = cases.map(each => {
    const columns = Object.entries(each.outputs).map(
      ([key, column]) => `"${key}": ${columnText(expand(column))}`,
    )
    const origin = each.source ? `"source": ${JSON.stringify(each.source)}, ` : ''
    return `{ "market": "${each.market}", "params": ${JSON.stringify(each.params)}, ${origin}"outputs": {\n  ${columns.join(',\n  ')}\n} }`
  })
  writeFileSync(
    new URL(`${name}.json`, folder),
    `{ "source": ${JSON.stringify(source)}, "cases": [\n${texts.join(',\n')}\n] }\n`,
  )
}

/** Computes the cases of a description and writes them. Cases of the file that come from another library stay unchanged. */
export async function writeVector(name, { source, compute, cases }) {
  const before = readVector(name)?.cases ?? []
  const written = []
  for (const [market, params] of cases) {
    const same = before.find(
      each => each.source && each.market === market && JSON.stringify(each.params) === JSON.stringify(params),
    )
    written.push(same ?? { market, params, outputs: await compute(readMarket(market), params) })
  }
  writeCases(name, source, written)
}
