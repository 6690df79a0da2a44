import { parentPort, workerData } from 'node:worker_threads'
import { packError } from '../packing.js'
import { type SourceSettings, sourceFactory } from '../source-factory.js'
import { SourceHost } from './source-host.js'

// Entry point of the exchange thread, which loads ccxt and Yahoo's client and reads their responses.
const port = parentPort
if (port === null) throw new Error('this module runs in a thread only')
const host = new SourceHost(sourceFactory(workerData as SourceSettings), (message, transfer) =>
  port.postMessage(message, transfer),
)
port.on('message', message => host.receive(message))
// A rejection that a library does not catch must not end the thread. The request that waits for the promise ends by
// its timeout.
process.on('unhandledRejection', cause => {
  const error = new Error('a promise was rejected without a handler', { cause })
  port.postMessage({ kind: 'fault', error: packError(error) })
})
