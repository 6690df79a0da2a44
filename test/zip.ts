import { crc32, deflateRawSync } from 'node:zlib'

/** A zip archive with one file, as a program would make it that takes its checksum for `sum`. */
export function zipOf(name: string, bytes: Buffer, sum = crc32(bytes)): Buffer {
  const packed = deflateRawSync(bytes)
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(8, 4)
  common.writeUInt32LE(sum, 10)
  common.writeUInt32LE(packed.length, 14)
  common.writeUInt32LE(bytes.length, 18)
  common.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed])
  const central = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\x00'),
    common,
    Buffer.alloc(14),
    Buffer.from(name),
  ])
  const end = Buffer.alloc(18)
  end.writeUInt16LE(1, 4)
  end.writeUInt16LE(1, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(local.length, 12)
  return Buffer.concat([local, central, Buffer.from('PK\x05\x06'), end])
}
