import { ok, type Reply } from '../reply.js'

/** `GET /health/live`: the process answers. */
export const getLive = (): Reply => ok('{"status":"ok"}')

/** `GET /health/ready`: whether requests are accepted. */
export const getReady = ({ isReady }: { readonly isReady: () => boolean }): Reply =>
  isReady() ? ok('{"status":"ready"}') : { status: 503, body: '{"status":"stopping"}' }
