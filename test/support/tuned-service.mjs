// The service of `dist/main.js` in one process, with the values of TUNING (JSON) instead of the usual tuning.
import { greetingOf } from '../../dist/operate/greeting.js'
import { Service } from '../../dist/operate/service.js'
import { configure } from '../../dist/operate/settings/config.js'
import { shutDownOnSignals } from '../../dist/operate/shutdown.js'
import { createLog } from '../../dist/runtime/log.js'

const config = configure()
const log = createLog(config.logLevel)
const service = new Service(config, { log, tuning: JSON.parse(process.env.TUNING) })
const { url, firstKey } = await service.start()
shutDownOnSignals(service, config, log)
console.log(greetingOf(url, firstKey))
