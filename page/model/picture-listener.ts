import type { Candle, StudyRow } from './rows.js'
import type { Status } from './status.js'

/** What the picture reports to the chart. */
export interface PictureListener {
  onStatus(status: Status): void
  /** All candles are new, or some were added before others. */
  onCandles(): void
  /** The newest candle changed, or one was appended. */
  onCandle(candle: Candle): void
  onStudy(id: string): void
  onStudyRow(id: string, row: StudyRow): void
  /** There are no candles before the oldest one, and why. */
  onBeginning(reason: string | undefined): void
}
