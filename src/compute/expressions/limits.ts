/** How deep its parts may be nested. */
export const maxDepth = 32
/** Different parts that are computed. */
export const maxNodes = 200
/** Different calculations of indicators: as many as a construct of a bulk request may have. */
export const maxCalculations = 20
/** Other markets whose candles are read. */
export const maxMarkets = 4
/** How many candles ago `[n]` may reach: as far as the longest window. */
export const maxHistory = 500
/** Numbers that have to be remembered from one candle to the next. */
export const maxState = 20_000
