import { once } from '../../contract/once.js'
import { describeInterface } from '../openapi/document.js'
import { ok, type Reply } from '../reply.js'

/** `GET /openapi.json`: the description of the interface. */
export const getOpenapi = once((): Reply => ok(JSON.stringify(describeInterface())))
