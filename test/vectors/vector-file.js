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

/** Computes the cases of a description and writes them to test/vectors/<name>.json. */
export async function writeVector(name, { source, compute, cases }) {
  const texts = []
  for (const [market, params] of cases) {
    const outputs = await compute(readMarket(market), params)
    const columns = Object.entries(outputs).map(
      ([key, list]) => `"${key}": ${JSON.stringify(list.map(printed))}`,
    )
    texts.push(
      `{ "market": "${market}", "params": ${JSON.stringify(params)}, "outputs": {\n  ${columns.join(',\n  ')}\n} }`,
    )
  }
  writeFileSync(
    new URL(`${name}.json`, folder),
    `{ "source": ${JSON.stringify(source)}, "cases": [\n${texts.join(',\n')}\n] }\n`,
  )
}
