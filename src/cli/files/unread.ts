import { CommandFailure } from '../failure.js'

/** Formats that are not read, by how their files begin: what they are, and the way out. */
const unread: Readonly<Record<string, string>> = {
  '425a68': 'compressed with bzip2: unpack it',
  fd377a58: 'compressed with xz: unpack it',
  '04224d18': 'compressed with LZ4: unpack it',
  '377abcaf': 'an archive of 7-Zip: unpack it',
  '52617221': 'an archive of RAR: unpack it',
  d0cf11e0: 'an Excel workbook (.xls, or one with a password): save it as .xlsx or CSV',
  '89484446': 'HDF5: write it as CSV or Parquet',
  '53514c69': 'a database of SQLite: write its table as CSV',
  '4f5243': 'ORC: write it as Parquet',
  '4f626a01': 'Avro: write it as Parquet',
  '25504446': 'PDF: get its table as CSV',
}

/** Throws CommandFailure where a file begins as one of a format that is not read. */
export function refuseUnread(name: string, signature: string): void {
  for (const [start, text] of Object.entries(unread))
    if (signature.startsWith(start)) throw isNotRead(name, text)
}

/** The failure for a file of a format that is not read: what it is, and the way out. */
export const isNotRead = (name: string, what: string) =>
  new CommandFailure(`"${name}" is not read: it is ${what}`)
