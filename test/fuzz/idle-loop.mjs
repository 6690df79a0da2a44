// A process that does nothing, beside the service that is attacked: how long its event loop is held shows how busy the
// machine is. It says the longest hold in milliseconds whenever it is asked.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 2 })
delay.enable()
process.on('message', () => {
  process.send(delay.max / 1e6)
  delay.reset()
})
process.on('disconnect', () => process.exit())
