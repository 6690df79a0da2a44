// The one importer of the package: clients of providers, and the server where uWebSockets.js does not run.
export { WebSocket, WebSocketServer } from 'ws'
