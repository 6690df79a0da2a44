import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * Another process of the bench, so that neither its processor time nor its busy loop counts for the measured process. It
 * answers one message at a time.
 */
export class ForkedProcess<Message extends object> {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  /** Starts a file of this folder, named without its extension. */
  static start<Message extends object>(file: string, args: readonly string[] = []): ForkedProcess<Message> {
    const path = fileURLToPath(new URL(`./${file}.js`, import.meta.url))
    return new ForkedProcess<Message>(fork(path, [...args], { execArgv: ['--expose-gc'] }))
  }

  /** Sends a message and waits for its reply. */
  request<Reply>(message: Message): Promise<Reply> {
    this.#child.send(message)
    return this.reply()
  }

  /** The next reply. Rejects if the process ends first. */
  reply<Reply>(): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`a process of the bench ended with ${code}`))
      this.#child.once('exit', onExit)
      this.#child.once('message', message => {
        this.#child.off('exit', onExit)
        resolve(message as Reply)
      })
    })
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.kill()
    await exited
  }
}
