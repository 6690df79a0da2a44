import { z } from 'zod'
import { parseRedisAddress, type RedisAddress } from './redis/address.js'

/** Location of the persistent data: the data directory of the service, or a Redis that several nodes share. */
export type StoreAddress = 'embedded' | RedisAddress

/** Reads the address of a store; undefined if the text has another form. */
export const parseStoreAddress = (text: string): StoreAddress | undefined =>
  text === 'embedded' ? text : parseRedisAddress(text)

/** Format of the setting STORE. */
export const storeAddress = {
  expected:
    'embedded, redis://host:port, rediss://… (TLS), redis+sentinel://host,host/name, redis+cluster://host,host or unix:///file',
  schema: z.string().transform((text, context): StoreAddress => {
    const parsed = parseStoreAddress(text)
    if (parsed !== undefined) return parsed
    context.addIssue({ code: 'custom', message: 'no address of a store' })
    return z.NEVER
  }),
}
