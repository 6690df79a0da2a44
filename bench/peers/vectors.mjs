// Writes test/vectors/<indicator>.json: the outputs of each indicator over the markets there, computed by TA-Lib and Tulip,
// or by test/vectors/definitions if neither has the indicator.
//
//   node vectors.mjs              all of them
//   node vectors.mjs rsi macd     these only
import { readdirSync } from 'node:fs'
import { readDefinitions, writeVector } from '../../test/vectors/vector-file.js'

const indicators = await readDefinitions()
// One file per family in families/, each exporting one record of indicators.
const families = new URL('families/', import.meta.url)
for (const file of readdirSync(families)) {
  for (const family of Object.values(await import(new URL(file, families)))) Object.assign(indicators, family)
}

const names = process.argv.slice(2)
for (const name of names.length > 0 ? names : Object.keys(indicators)) {
  const indicator = indicators[name]
  if (!indicator) throw new Error(`no vector is described for '${name}'`)
  await writeVector(name, indicator)
}
