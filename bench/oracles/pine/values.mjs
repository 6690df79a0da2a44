// Values of PineTS, an independent program for scripts of Pine, for test/vectors/oracles/pine.json.
//
// Runs each script of test/golden/pine/scripts.pine over three markets of test/vectors and writes, for each plot, its values at
// every nth candle and the newest one. PineTS is licensed under the AGPL and is no part of this project; its numbers are facts.

import { readFileSync, writeFileSync } from 'node:fs'
import { PineTS } from 'pinets'
import { readMarket } from '../../../test/vectors/vector-file.js'

const root = new URL('../../../', import.meta.url)
const markets = ['daily', 'volatile', 'shapes']
/** Distance of the candles whose values are kept. */
const every = 37

const candlesOf = market =>
  market.timestamp.map((time, i) => ({
    ...Object.fromEntries(['open', 'high', 'low', 'close', 'volume'].map(name => [name, market[name][i]])),
    openTime: time * 1000,
    closeTime: time * 1000 + 3_599_999,
  }))

/** A number, 1 or 0 for a condition, null for a missing value. */
const plain = value =>
  typeof value === 'boolean' ? Number(value) : Number.isFinite(value) ? Number(value.toPrecision(13)) : null

/** Whether a value is kept: every nth one, and the newest one. */
const isKept = (_, i, all) => i % every === every - 1 || i === all.length - 1

/** Values by title. PineTS shows no reason for a script that it cannot run. */
async function plotsOf(script, market) {
  const { plots } = await new PineTS(candlesOf(readMarket(market))).run(script)
  return Object.fromEntries(
    Object.entries(plots)
      .filter(
        ([title, { data }]) => !title.startsWith('__') && data?.length === readMarket(market).close.length,
      )
      .map(([title, { data }]) => [title, data.map(({ value }) => plain(value)).filter(isKept)]),
  )
}

const values = {}
const scripts = readFileSync(new URL('test/golden/pine/scripts.pine', root), 'utf8')
  .split(/^\/\/ === (.*)\n/m)
  .slice(1)
for (let k = 0; k < scripts.length; k += 2) {
  const [name, script] = scripts.slice(k, k + 2)
  try {
    const found = await Promise.all(markets.map(market => plotsOf(script, market)))
    values[name] = Object.fromEntries(
      Object.keys(found[0]).map(title => [
        title,
        Object.fromEntries(markets.map((market, m) => [market, found[m][title]])),
      ]),
    )
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : error}`)
  }
}
writeFileSync(new URL('test/vectors/oracles/pine.json', root), `${JSON.stringify({ every, values })}\n`)
