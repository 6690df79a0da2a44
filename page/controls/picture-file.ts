import type { CandleChart } from '../chart/candle-chart.js'
import type { Market } from '../view/view.js'
import { h } from './dom.js'

/** Saves the chart as a PNG, with the market written on it. */
export function savePicture(chart: CandleChart, { exchange, symbol, timeframe }: Market): void {
  const canvas = chart.api.takeScreenshot()
  const context = canvas.getContext('2d')
  if (context) {
    const scale = canvas.width / chart.api.chartElement().clientWidth
    context.font = `600 ${13 * scale}px system-ui, sans-serif`
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--text')
    context.fillText(`${symbol} ${timeframe} · ${exchange} · Candela`, 12 * scale, 22 * scale)
  }
  canvas.toBlob(blob => {
    if (!blob) return
    const href = URL.createObjectURL(blob)
    h('a', { attributes: { href, download: `${symbol}-${timeframe}.png` } }).click()
    setTimeout(() => URL.revokeObjectURL(href), 10_000)
  })
}
