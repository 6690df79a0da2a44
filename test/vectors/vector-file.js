// Vectors as files: test/vectors/<indicator>.json holds the expected outputs of an indicator over the markets beside it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

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

/** The columns of a market in test/vectors/markets. */
export function readMarket(name) {
  const [header, ...rows] = readFileSync(new URL(`markets/${name}.csv`, folder), 'utf8')
    .trim()
    .split('\n')
  return Object.fromEntries(
    header.split(',').map((column, k) => [column, rows.map(row => Number(row.split(',')[k]))]),
  )
}

/** Thirteen digits are ten thousand times finer than the tolerance of the tests. */
const printed = value =>
  typeof value !== 'number' ? value : Number.isFinite(value) ? Number(value.toPrecision(13)) : null

/** A column as JSON: a list, or runs of equal values as [value, how many] where that is much shorter. */
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

/** Computes the cases of a description and writes them to test/vectors/<name>.json. */
export async function writeVector(name, { source, compute, cases }) {
  const texts = []
  for (const [market, params] of cases) {
    const outputs = await compute(readMarket(market), params)
    const columns = Object.entries(outputs).map(([key, list]) => `"${key}": ${columnText(list)}`)
    texts.push(
      `{ "market": "${market}", "params": ${JSON.stringify(params)}, "outputs": {\n  ${columns.join(',\n  ')}\n} }`,
    )
  }
  writeFileSync(
    new URL(`${name}.json`, folder),
    `{ "source": ${JSON.stringify(source)}, "cases": [\n${texts.join(',\n')}\n] }\n`,
  )
}
