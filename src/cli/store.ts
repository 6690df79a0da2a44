import { configure } from '../config.js'
import { openStore } from '../store/open.js'
import type { Store } from '../store/store.js'

/** Runs a command on the store that the settings name, and closes it. */
export async function withStore(command: (store: Store) => void | Promise<void>): Promise<void> {
  const store = openStore(configure())
  try {
    await store.ready()
    await command(store)
  } finally {
    await store.close()
  }
}
