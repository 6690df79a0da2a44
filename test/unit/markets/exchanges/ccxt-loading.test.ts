import { Session } from 'node:inspector'
import { afterAll, expect, test } from 'vitest'
import { CcxtSource } from '../../../../src/markets/exchanges/ccxt/ccxt-source.js'
import { exchangeIds, resolveExchangeId } from '../../../../src/markets/exchanges/ccxt/exchange-list.js'
import { ccxtOptions, startBinance } from '../../../support/binance.js'

/** The ccxt files that this thread has loaded so far, from the package's folder on. */
function loaded(): string[] {
  const files = new Set<string>()
  const session = new Session()
  session.connect()
  session.on('Debugger.scriptParsed', ({ params }) => {
    const path = params.url.split('/node_modules/ccxt/')[1]
    if (path !== undefined) files.add(path)
  })
  session.post('Debugger.enable')
  session.disconnect()
  return [...files].sort()
}

const binance = await startBinance()
afterAll(() => binance.close())

test('ccxt is not loaded before the first request, and then for that exchange only', async () => {
  expect(exchangeIds.length).toBeGreaterThan(50)
  expect(resolveExchangeId('binance')).toBe('binance')
  const source = new CcxtSource('binance', { options: ccxtOptions(binance.url) })
  expect(loaded(), 'files loaded before the first request').toEqual([])

  await source.symbols()
  const files = loaded()
  expect(files).toContain('js/src/binance.js')
  expect(files, 'another exchange').not.toContain('js/src/kraken.js')
  expect(files, 'the whole of ccxt').not.toContain('js/ccxt.js')
  await source.close?.()
})
