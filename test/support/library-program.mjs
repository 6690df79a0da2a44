// Computes all indicators and some expressions over markets, in Node.js or in a browser.

/** A digest of a column: of the bits of its numbers with one NaN, or of its texts. */
function digestOf(column) {
  const bytes =
    column instanceof Float64Array
      ? new Uint8Array(column.map(value => (Number.isNaN(value) ? Number.NaN : value)).buffer)
      : new TextEncoder().encode(column.join())
  let hash = 0x811c9dc5
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash
}

/** Digests of every column, by calculation. */
export function digests({ compute, expression }, { markets, names, expressions }) {
  const found = {}
  for (const [k, candles] of markets.entries()) {
    for (const name of names)
      for (const [output, column] of Object.entries(compute(name, candles)))
        found[`${k} ${name}.${output}`] = digestOf(column)
    for (const text of expressions) found[`${k} ${text}`] = digestOf(expression(text, candles))
  }
  return found
}
