import { createHash } from 'node:crypto'

/** A program in Lua that the engine runs as one step, on keys of one slot. */
export interface Script {
  readonly lua: string
  /** Under which the engine knows it once it has run. */
  readonly sha: string
}

/** Gives a script that begins with it `now`, the time of the engine in milliseconds. */
export const timeOfEngine = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

export const createScript = (lua: string): Script => ({
  lua,
  sha: createHash('sha1').update(lua).digest('hex'),
})
