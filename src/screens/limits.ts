/** Markets of a screen for each construct that the plan allows in a bulk request. */
export const marketsPerConstruct = 100
/** Screens of one account that fetch candles at once. */
export const maxScansPerAccount = 2
/** Screens of all accounts that fetch candles at once. */
export const maxScans = 20
/** Live screens of one account at a time, and of all accounts: each is evaluated every second. */
export const maxLiveScreensPerAccount = 5
export const maxLiveScreens = 50
