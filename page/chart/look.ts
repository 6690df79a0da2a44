import { type ChartOptions, ColorType, CrosshairMode, type DeepPartial, type Time } from 'lightweight-charts'
import type { TimeZoneChoice } from '../view/time-zone.js'
import type { ChartColours } from './colours.js'
import { formatTick, formatTime } from './times.js'

interface Choices {
  readonly colours: ChartColours
  readonly times: TimeZoneChoice
  readonly isIntraday: boolean
}

/**
 * Options of the library for the look of the chart. They exclude the time range and the candle width, which would move the
 * chart.
 */
export function chartLook({ colours, times, isIntraday }: Choices): DeepPartial<ChartOptions> {
  const { background, text, grid, border, crosshair, label } = colours
  return {
    autoSize: true,
    layout: {
      background: { type: ColorType.Solid, color: background },
      textColor: text,
      fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
      fontSize: 11,
      // The page has the attribution in its corner: the library would add a style sheet that the page's policy forbids.
      attributionLogo: false,
      panes: { separatorColor: border, separatorHoverColor: crosshair, enableResize: true },
    },
    grid: { vertLines: { color: grid }, horzLines: { color: grid } },
    crosshair: {
      mode: CrosshairMode.Normal,
      vertLine: { color: crosshair, labelBackgroundColor: label, width: 1 },
      horzLine: { color: crosshair, labelBackgroundColor: label, width: 1 },
    },
    // A label that is not whole would stand on that of the next pane.
    rightPriceScale: { borderColor: border, minimumWidth: 72, entireTextOnly: true },
    timeScale: {
      borderColor: border,
      minBarSpacing: 0.5,
      timeVisible: isIntraday,
      secondsVisible: false,
      tickMarkFormatter: (time: Time, kind: number) =>
        formatTick(time as number, kind, isIntraday ? times : 'utc'),
    },
    localization: {
      timeFormatter: (time: Time) => formatTime(time as number, times, isIntraday),
    },
  }
}
