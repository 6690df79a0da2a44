import { createHash } from 'node:crypto'

/** A program in Lua that Redis runs as one step, on keys of one slot. */
export interface Script {
  readonly lua: string
  /** Under which Redis knows it once it has run. */
  readonly sha: string
}

/** Gives a script that begins with it `now`, the time of Redis in milliseconds. */
export const timeOfRedis = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/**
 * Gives a script that begins with it `isHeld`: whether a key is there that ends after some milliseconds. One that lasts for
 * longer dates from before Redis's clock was set back, and ends after that time.
 */
export const leaseOfRedis = `
local function isHeld(key, ms)
  local left = redis.call('PTTL', key)
  if left > tonumber(ms) then redis.call('PEXPIRE', key, ms) end
  return left ~= -2
end
`

export const createScript = (lua: string): Script => ({
  lua,
  sha: createHash('sha1').update(lua).digest('hex'),
})

/** Frees a lease where it is still that of the token. */
export const releaseLease = createScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`)
