/** Whether uWebSockets.js has a binary for this Node and platform. Comparisons with it are skipped elsewhere. */
export const hasUws = await import('uWebSockets.js').then(
  () => true,
  () => false,
)
