// Counts the calls of each function of a built service, by V8's precise coverage. Each message is answered with the counts since the
// last one. What the service repeats by intervals never begins, so that it is not counted with a request.
import { Session } from 'node:inspector/promises'

const { setInterval } = globalThis
globalThis.setInterval = (callback, _, ...values) => setInterval(callback, 2 ** 31 - 1, ...values)

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
process.on('message', async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const called = result
    .filter(({ url }) => url.includes('/dist/'))
    .flatMap(({ url, functions }) =>
      functions.flatMap(({ functionName, ranges: [{ startOffset, count }] }) =>
        count > 0 && (functionName !== '' || startOffset > 0)
          ? [{ url, name: functionName || '(anonymous)', at: startOffset, count }]
          : [],
      ),
    )
  process.send(called)
})
// The channel does not keep the process running.
process.channel.unref()
