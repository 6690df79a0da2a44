// Writes test/vectors/<indicator>.json from the definitions in test/vectors/definitions.
//
//   node scripts/vectors.mjs              every indicator that has a definition there
//   node scripts/vectors.mjs kdj vwap     these only
//
// The vectors of indicators that TA-Lib or Tulip has are computed by those libraries: see bench/peers/vectors.mjs.
import { readDefinitions, writeVector } from '../test/vectors/vector-file.js'

const definitions = await readDefinitions()
const names = process.argv.slice(2)
for (const name of names.length > 0 ? names : Object.keys(definitions)) {
  const definition = definitions[name]
  if (!definition) {
    console.error(
      `test/vectors/definitions has no '${name}'; if TA-Lib or Tulip has it, use bench/peers/vectors.mjs`,
    )
    process.exit(1)
  }
  await writeVector(name, definition)
}
