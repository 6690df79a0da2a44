/** Point of control and value area of the volumes of the last candles, spread evenly over the range of each candle. */
function volumeprofile({ high, low, volume }, { period = 100, rows = 24, valueArea = 70 }) {
  const values = high.map((_, i) => {
    const none = { poc: NaN, vah: NaN, val: NaN }
    if (i < period - 1) return none
    const traded = high
      .map((top, k) => ({ top, bottom: low[k], volume: volume[k] }))
      .slice(i - period + 1, i + 1)
      .filter(candle => candle.volume > 0)
    if (traded.length === 0) return none
    const lowest = Math.min(...traded.map(candle => candle.bottom))
    const height = (Math.max(...traded.map(candle => candle.top)) - lowest) / rows
    const edge = row => lowest + row * height
    const rowOf = price => (height === 0 ? 0 : Math.min(rows - 1, Math.floor((price - lowest) / height)))
    // A candle within one row gives it all, another one each row its share of the range.
    const shareOf = ({ top, bottom }, row) =>
      rowOf(top) === rowOf(bottom)
        ? Number(row === rowOf(top))
        : Math.max(0, Math.min(top, edge(row + 1)) - Math.max(bottom, edge(row))) / (top - bottom)
    const profile = Array.from({ length: rows }, (_, row) =>
      traded.reduce((sum, candle) => sum + candle.volume * shareOf(candle, row), 0),
    )
    const isMore = (a, b) => a - b > 1e-12 * Math.max(Math.abs(a), Math.abs(b))
    const control = profile.reduce((best, sum, row) => (isMore(sum, profile[best]) ? row : best), 0)
    const total = profile.reduce((sum, each) => sum + each)
    const area = [control]
    while (
      area.length < rows &&
      isMore(
        (valueArea / 100) * total,
        area.map(row => profile[row]).reduce((sum, each) => sum + each),
      )
    ) {
      const [below, above] = [area[0] - 1, area.at(-1) + 1]
      if (isMore(profile[below] ?? -1, profile[above] ?? -1)) area.unshift(below)
      else area.push(above)
    }
    return { poc: edge(control + 0.5), vah: edge(area.at(-1) + 1), val: edge(area[0]) }
  })
  return Object.fromEntries(['poc', 'vah', 'val'].map(name => [name, values.map(each => each[name])]))
}

export const vectors = {
  volumeprofile: {
    source: 'definition: J. Peter Steidlmayer, CBOT Market Profile (1984), with volumes instead of TPOs',
    compute: volumeprofile,
    cases: [
      ['volatile', {}],
      ['daily', { period: 1 }],
      ['penny', { period: 20, rows: 2, valueArea: 30 }],
      ['shapes', { period: 300, rows: 100, valueArea: 90 }],
    ],
  },
}
