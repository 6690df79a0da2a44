/** What is said where a history has as many candles as the service keeps of one, so that older ones may exist. */
export const keptCandles = (isFull: boolean): string =>
  isFull ? ': HISTORY_DEPTH is the number of candles that are kept, a request with from reads older ones' : ''

/** What an answer says that has fewer values than `results` asks for; `isFull` says that the history has all candles that are kept. */
export const fewerValues = (given: number, results: number, isFull: boolean): string =>
  `Fewer values than results: ${given} of ${results}${keptCandles(isFull)}`
