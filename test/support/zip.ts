import { crc32 } from 'node:zlib'

/** A .zip of stored files; `announced` is a wrong length for the header. */
export function zipOf(files: Readonly<Record<string, string | Uint8Array>>, announced?: number): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const body = Buffer.from(text as string)
    const fixed = Buffer.alloc(26)
    fixed.writeUInt16LE(20, 0)
    fixed.writeUInt32LE(crc32(body), 10)
    fixed.writeUInt32LE(body.length, 14)
    fixed.writeUInt32LE(announced ?? body.length, 18)
    fixed.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), fixed, Buffer.from(name), body])
    locals.push(local)
    centrals.push(Buffer.concat([Buffer.from('504b01021400', 'hex'), fixed, place, Buffer.from(name)]))
    offset += local.length
  }
  const central = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.write('504b0506', 'hex')
  end.writeUInt16LE(locals.length, 8)
  end.writeUInt16LE(locals.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, central, end])
}
