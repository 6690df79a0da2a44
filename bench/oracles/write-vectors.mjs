// Writes cases of other libraries into test/vectors. Reads a list of { name, cases } from standard input: for each case of
// the file { source, outputs }, or null to keep the file's.

import { readVector, writeCases } from '../../test/vectors/vector-file.js'

let text = ''
for await (const part of process.stdin) text += part
for (const { name, cases } of JSON.parse(text)) {
  const vector = readVector(name)
  writeCases(
    name,
    vector.source,
    vector.cases.map(({ market, params, outputs }, k) => ({ market, params, outputs, ...cases[k] })),
  )
}
