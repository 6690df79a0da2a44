// Idle process that runs next to the attacked service. The delay of its event loop shows how busy the machine is. It answers
// each message with the longest delay in milliseconds.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 2 })
delay.enable()
process.on('message', () => {
  process.send(delay.max / 1e6)
  delay.reset()
})
process.on('disconnect', () => process.exit())
