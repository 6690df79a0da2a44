import { crc32 } from 'node:zlib'

/** A .zip of one file that is stored as it is. */
export function zipOf(name: string, text: string): Buffer {
  const body = Buffer.from(text)
  const fixed = Buffer.alloc(26)
  fixed.writeUInt16LE(20, 0)
  fixed.writeUInt32LE(crc32(body), 10)
  fixed.writeUInt32LE(body.length, 14)
  fixed.writeUInt32LE(body.length, 18)
  fixed.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('504b0304', 'hex'), fixed, Buffer.from(name), body])
  const central = Buffer.concat([
    Buffer.from('504b01021400', 'hex'),
    fixed,
    Buffer.alloc(14),
    Buffer.from(name),
  ])
  const end = Buffer.alloc(22)
  end.write('504b0506', 'hex')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, central, end])
}
