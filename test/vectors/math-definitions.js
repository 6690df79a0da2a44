// Definitions of what neither TA-Lib nor Tulip has, because there is nothing to calculate.

/** The candle itself. */
export const candle = ({ open, high, low, close, volume }) => ({ open, high, low, close, volume })

/** The column itself. */
export const price = column => ({ value: column })
