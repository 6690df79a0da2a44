import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Catalogue, readCatalogue, readResult } from '../../page/model/catalogue.js'
import { Loader } from '../../page/model/loader.js'
import { Picture } from '../../page/model/picture.js'
import { bulkBody, readBulk } from '../../page/model/requests.js'
import type { StudyRow, Value } from '../../page/model/rows.js'
import type { StudyData } from '../../page/model/study-data.js'
import { ServiceClient } from '../../page/service/client.js'
import { type Study, type View, withStudy } from '../../page/view/view.js'
import { createDemoSource } from '../../src/markets/exchanges/demo/demo-source.js'
import { midnight, startTestService, type TestService } from '../support/test-service.js'
import { examples } from './stage/examples.js'

// Charts of candles that are older than the candles in memory, drawn by every kind of shape.

const market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h' } as const
let service: TestService
let catalogue: Catalogue

beforeAll(async () => {
  service = await startTestService({ historyDepth: 1000 }, { demo: createDemoSource(() => midnight) })
  const listed = await client().get('indicators')
  catalogue = readCatalogue(listed.kind === 'ok' ? listed.body : {})
})
afterAll(() => service.close())

const client = () => new ServiceClient({ base: `${service.url}/`, key: () => 'many' })

/** A picture that has loaded older candles `pages` times. */
async function scrolled(view: View, pages: number): Promise<Picture> {
  const picture = new Picture({
    loader: new Loader({ client: client(), onStatus: () => {} }),
    catalogue: async () => catalogue,
    follow: () => {},
    listener: () => ({
      onStatus: () => {},
      onCandles: () => {},
      onCandle: () => {},
      onStudy: () => {},
      onStudyRow: () => {},
      onBeginning: () => {},
    }),
    findNear: async () => [],
  })
  picture.show(view)
  await isLoaded(picture)
  for (let page = 0; page < pages; page++) await picture.loadOlder()
  return picture
}

const isLoaded = (picture: Picture) =>
  expect
    .poll(
      () => picture.candles.length > 0 && [...picture.studies.values()].every(({ isLoading }) => !isLoading),
    )
    .toBe(true)

/** The rows of the stored history over all candles of a picture but the forming one. */
async function storedRows({ candles }: Picture, study: Study): Promise<readonly StudyRow[]> {
  const [from, to] = [candles[0]?.timestamp ?? 0, candles.at(-2)?.timestamp ?? 0]
  const reply = await client().post('bulk', bulkBody(market, [study], { from, to }), {})
  const entries = readBulk(reply.kind === 'ok' ? reply.body : {})
  const description = catalogue.get(study.indicator)
  if (typeof entries === 'string' || !description) throw new Error(String(entries))
  return readResult(description, entries.get(study.id)?.result)
}

/** Rows that a picture lacks or shows otherwise, beyond the four digits to which values settle. */
function faultsOf(rows: readonly StudyRow[], stored: readonly StudyRow[]): readonly string[] {
  const byTime = new Map(rows.map(row => [row.timestamp, row.values]))
  const largest = (stored[0]?.values ?? []).map((_, at) =>
    Math.max(...stored.map(({ values }) => Math.abs(Number(values[at]) || 0))),
  )
  const isNear = (a: Value | undefined, b: Value | undefined, at: number) =>
    typeof a === 'number' && typeof b === 'number'
      ? Math.abs(a - b) <= 1e-3 * (largest[at] ?? 0)
      : JSON.stringify(a) === JSON.stringify(b)
  return stored.flatMap(({ timestamp, values }) => {
    const shown = byTime.get(timestamp)
    if (!shown) return [`no value at ${timestamp}`]
    return values.every((value, at) => isNear(shown[at], value, at))
      ? []
      : [`${timestamp}: ${shown} for ${values}`]
  })
}

const view = (indicators: readonly (readonly [string, Study['params']?])[]): View =>
  indicators.reduce<View>((all, [id, params]) => withStudy(all, id, params), { market, studies: [] })
const inParts = <T>(all: readonly T[], size: number): T[][] =>
  all.length === 0 ? [] : [all.slice(0, size), ...inParts(all.slice(size), size)]

for (const [at, part] of inParts(Object.values(examples), 3).entries()) {
  const options = at === 0 ? {} : { tags: ['browser'] }
  it(`shows the values of one whole range: ${part.map(([id]) => id).join(', ')}`, options, async () => {
    const picture = await scrolled(view(part), 7)
    expect(picture.candles.length).toBeGreaterThan(3000)
    const faults = await Promise.all(
      [...picture.studies.values()].map(async ({ study, rows }) => [
        study.indicator,
        faultsOf(rows, await storedRows(picture, study)).slice(0, 3),
      ]),
    )
    expect(Object.fromEntries(faults)).toEqual(Object.fromEntries(part.map(([id]) => [id, []])))
  })
}

it('shows the same where an indicator is added after scrolling', async () => {
  const picture = await scrolled(view([]), 3)
  picture.show(view([['sma', { period: 200 }]]))
  await isLoaded(picture)
  const data = picture.studies.get('sma') as StudyData
  const stored = await storedRows(picture, data.study)
  await expect.poll(() => faultsOf(data.rows, stored).slice(0, 3)).toEqual([])
})

it('does not join sums over two histories to one line', async () => {
  const picture = await scrolled(view([['obv']]), 3)
  expect(picture.candles.length).toBeGreaterThan(1500)
  const { rows = [] } = picture.studies.get('obv') ?? {}
  expect(rows).toHaveLength(1000)
})
