/** Whether uWebSockets.js has a binary for this Node and platform. What is compared with it is left out elsewhere. */
export const hasUws = await import('uWebSockets.js').then(
  () => true,
  () => false,
)
