import type { Candle, StudyRow } from './rows.js'
import type { Status } from './status.js'

/** Reports of the picture to the chart. */
export interface PictureListener {
  onStatus(status: Status): void
  /** Called when all candles are new, or some were added before others. */
  onCandles(): void
  /** Called when the newest candle changed, or one was appended. */
  onCandle(candle: Candle): void
  onStudy(id: string): void
  onStudyRow(id: string, row: StudyRow): void
  /** Called when the oldest candle is known, with the reason. */
  onBeginning(reason: string | undefined): void
}
