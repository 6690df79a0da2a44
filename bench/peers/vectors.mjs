// Rewrites test/vectors/<indicator>.json: what each indicator has to say about the markets next to them, computed by
// TA-Lib and Tulip, or by test/vectors/definitions.js where neither has the indicator.
//
//   node vectors.mjs              all of them
//   node vectors.mjs rsi macd     these only
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const vectors = new URL('../../test/vectors/', import.meta.url)

// One file per family in families/, each exporting one record of indicators.
const families = new URL('families/', import.meta.url)
const indicators = {}
for (const file of readdirSync(families)) {
  for (const family of Object.values(await import(new URL(file, families)))) Object.assign(indicators, family)
}

function readMarket(name) {
  const [header, ...rows] = readFileSync(new URL(`markets/${name}.csv`, vectors), 'utf8')
    .trim()
    .split('\n')
  return Object.fromEntries(
    header.split(',').map((column, k) => [column, rows.map(row => Number(row.split(',')[k]))]),
  )
}

/** Thirteen digits are ten thousand times finer than what a kernel is held to. */
const printed = value =>
  typeof value !== 'number' ? value : Number.isFinite(value) ? Number(value.toPrecision(13)) : null

function write(name, { source, cases }) {
  const texts = cases.map(({ market, params, outputs }) => {
    const columns = Object.entries(outputs).map(
      ([key, list]) => `"${key}": ${JSON.stringify(list.map(printed))}`,
    )
    return `{ "market": "${market}", "params": ${JSON.stringify(params)}, "outputs": {\n  ${columns.join(',\n  ')}\n} }`
  })
  writeFileSync(
    new URL(`${name}.json`, vectors),
    `{ "source": ${JSON.stringify(source)}, "cases": [\n${texts.join(',\n')}\n] }\n`,
  )
}

const asked = process.argv.slice(2)
for (const name of asked.length > 0 ? asked : Object.keys(indicators)) {
  const indicator = indicators[name]
  if (!indicator) throw new Error(`no vector is described for '${name}'`)
  const cases = []
  for (const [market, params] of indicator.cases)
    cases.push({ market, params, outputs: await indicator.compute(readMarket(market), params) })
  write(name, { source: indicator.source, cases })
}
