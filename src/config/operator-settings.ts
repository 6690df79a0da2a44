import { setting } from './setting.js'
import { orWord, pathOrStdout } from './setting-formats.js'

/** The settings of what an operator sees of requests. */
export const operatorSettings = {
  ACCESS_LOG: setting(
    'off',
    orWord('off', pathOrStdout),
    'file to which one line is added for each request, or `stdout`; off writes none. On SIGHUP it is opened again; see [Deploying](deploying.md#access-log)',
  ),
}
