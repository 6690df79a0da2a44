import { expect, describe as group, it } from 'vitest'
import { describe } from '../../../src/catalogue/description.js'
import { catalogue } from '../../../src/catalogue/index.js'
import type { ShapeKind } from '../../../src/catalogue/shape.js'

const descriptions = [...catalogue.values()].map(describe)
const of = (id: string) => {
  const found = descriptions.find(each => each.id === id)
  if (!found) throw new Error(`there is no ${id}`)
  return found
}
/** Each shape of an indicator as its kind with its outputs. */
const shapes = (id: string) => of(id).drawing.map(({ kind, outputs }) => [kind, ...outputs].join(' '))

/** Outputs that kinds take together; the others are drawn once for each output. */
const together: Partial<Record<ShapeKind, number>> = {
  area: 2,
  cloud: 2,
  candles: 4,
  zone: 2,
  segments: 1,
  retracement: 4,
}

group('how an indicator is drawn', () => {
  it('follows from its outputs where the entry says nothing', () => {
    expect(shapes('rsi')).toEqual(['line value'])
    expect(shapes('macd')).toEqual(['histogram valueMACDHist', 'line valueMACD', 'line valueMACDSignal'])
    expect(shapes('bbands').slice(0, 2)).toEqual([
      'area valueUpperBand valueLowerBand',
      'line valueUpperBand',
    ])
    expect(shapes('pivotsdemark')).toEqual(['level r1', 'level p', 'level s1'])
    expect(shapes('fvg')).toEqual(['zone top bottom'])
    expect(shapes('engulfing')).toEqual(['mark value'])
    expect(shapes('gartley')).toEqual(['level entry', 'level stop', 'trendline target', 'mark value'])
  })

  it('gives bounds one colour, sides theirs, and every other line its own', () => {
    const colours = (id: string) => of(id).drawing.map(({ colour }) => colour)
    expect(colours('bbands')).toEqual([1, 1, 2, 1])
    expect(colours('dmi')).toEqual([1, 'up', 'down'])
    expect(colours('pivotsdemark')).toEqual(['down', 1, 'up'])
    expect(colours('stoch')).toEqual([1, 2])
  })

  it('shows something of every indicator', () => {
    expect(descriptions.filter(({ drawing }) => drawing.length === 0).map(({ id }) => id)).toEqual([])
  })

  it('draws nothing but prices over the candles', () => {
    const drawn = descriptions.flatMap(({ id, outputs, drawing }) =>
      drawing
        .filter(
          ({ pane, kind }) =>
            pane === 'price' && kind !== 'mark' && kind !== 'count' && kind !== 'retracement',
        )
        .flatMap(shape => outputs.filter(({ name }) => shape.outputs.includes(name)))
        .filter(({ kind, unit }) => kind !== 'number' || unit !== 'price')
        .map(({ name }) => `${id} ${name}`),
    )
    // Prices, although their unit is not that of a price: they do not grow by a power of the price.
    expect(drawn.map(text => text.split(' ')[0])).toEqual([
      'mavp',
      'ceil',
      'decay',
      'floor',
      'round',
      'trunc',
    ])
  })

  it('names outputs and parameters that there are, and colours without gaps', () => {
    for (const { id, drawing, outputs, parameters } of descriptions) {
      const names = new Set(outputs.map(({ name }) => name))
      for (const { kind, outputs: drawn, price, ahead, behind, colouredBy, span } of drawing) {
        expect(drawn.length > 0, id).toBe(price === undefined)
        if (together[kind] !== undefined) expect(drawn, id).toHaveLength(together[kind])
        for (const name of [...drawn, colouredBy, span])
          if (name !== undefined) expect(names, id).toContain(name)
        for (const shift of [ahead, behind])
          if (typeof shift === 'string')
            expect(
              parameters.map(({ name }) => name),
              id,
            ).toContain(shift)
      }
      const colours = new Set(drawing.flatMap(({ colour }) => (typeof colour === 'number' ? [colour] : [])))
      expect(
        [...colours].sort((a, b) => a - b),
        id,
      ).toEqual(Array.from(colours, (_, at) => at + 1))
    }
  })
})

group('an output', () => {
  it('says its unit, and which of its texts name a direction', () => {
    expect(of('fibonacciretracement').outputs).toEqual([
      { name: 'value', kind: 'number', unit: 'price' },
      {
        name: 'trend',
        kind: 'label',
        labels: ['UPTREND', 'DOWNTREND'],
        directions: { UPTREND: 1, DOWNTREND: -1 },
      },
      { name: 'startPrice', kind: 'number', unit: 'price' },
      { name: 'endPrice', kind: 'number', unit: 'price' },
      { name: 'startTimestamp', kind: 'number', unit: 'time' },
      { name: 'endTimestamp', kind: 'number', unit: 'time' },
    ])
    expect(of('obv').outputs).toEqual([{ name: 'value', kind: 'number', unit: 'volume' }])
    expect(of('rsi').outputs).toEqual([{ name: 'value', kind: 'number' }])
    expect(of('squeezepro').outputs[1]).toEqual({
      name: 'squeeze',
      kind: 'label',
      labels: ['none', 'low', 'mid', 'high'],
    })
  })
})
