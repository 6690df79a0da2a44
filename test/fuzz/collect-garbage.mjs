// Loaded by the service that a fuzz attacks: collects the garbage on SIGUSR2, so that only what is held is measured.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  process.on('SIGUSR2', () => collect())
}
