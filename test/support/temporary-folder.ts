import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system in memory: what tests sync to it costs nothing. */
const memory = '/dev/shm'
const neededBytes = 4 * 2 ** 30

const hasRoom = () => {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > neededBytes
}

/** Gives all processes of a run one folder for their temporary files, and removes it after the run. */
export default function setUp(): () => void {
  const folder = mkdtempSync(join(hasRoom() ? memory : tmpdir(), 'candela-'))
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
