/** Screens of one account that fetch candles at once. */
export const maxScansPerAccount = 2
/** Screens of all accounts that fetch candles at once. */
export const maxScans = 20
/** Live screens of one account at a time, and of all accounts: each is evaluated every second. */
export const maxLiveScreensPerAccount = 5
export const maxLiveScreens = 50
