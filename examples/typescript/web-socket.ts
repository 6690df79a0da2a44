// Node has a WebSocket of its own from version 22 on; before, the package ws has one.
export const WebSocket: new (url: string) => globalThis.WebSocket =
  globalThis.WebSocket ?? (await import('ws')).WebSocket
