import { zipOf } from './zip.js'

/** A cell of a sheet: a number, a text, or a number with the style of a date (1), of a date and time (2), or of a time of day (3). */
export type SheetCell = number | string | null | { readonly serial: number; readonly style: 1 | 2 | 3 }
export type SheetRows = readonly (readonly SheetCell[])[]

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const relations = (targets: readonly (readonly [kind: string, target: string])[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
    .map(
      ([kind, target], at) => `<Relationship Id="rId${at + 1}" Type="${office}/${kind}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

/** Formats 14 and 22 are dates; 20 is a time of day (ECMA-376, part 1, 18.8.30). */
const styles = `<styleSheet xmlns="${main}"><cellXfs count="4">${[0, 14, 22, 20]
  .map(format => `<xf numFmtId="${format}"/>`)
  .join('')}</cellXfs></styleSheet>`

/** The parts of a workbook (.xlsx, ECMA-376), without Excel's additions. Texts of the first sheet are shared. */
export function workbookParts(
  sheets: Readonly<Record<string, SheetRows>>,
  { is1904 = false } = {},
): Record<string, string> {
  const names = Object.keys(sheets)
  const shared: string[] = []
  const cellOf = (cell: SheetCell, isShared: boolean): string => {
    if (cell === null) return '<c/>'
    if (typeof cell === 'number') return `<c><v>${cell}</v></c>`
    if (typeof cell === 'object') return `<c s="${cell.style}"><v>${cell.serial}</v></c>`
    return isShared
      ? `<c t="s"><v>${shared.push(cell) - 1}</v></c>`
      : `<c t="inlineStr"><is><t>${cell}</t></is></c>`
  }
  const parts = Object.values(sheets).map((rows, sheet) => {
    const text = rows.map(
      (row, at) => `<row r="${at + 1}">${row.map(each => cellOf(each, sheet === 0)).join('')}</row>`,
    )
    return `<worksheet xmlns="${main}"><sheetData>${text.join('')}</sheetData></worksheet>`
  })
  return {
    'xl/worksheets/sheet1.xml': '',
    ...Object.fromEntries(parts.map((text, at) => [`xl/worksheets/sheet${at + 1}.xml`, text])),
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${shared.map(text => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': styles,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${names
      .map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ...names.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const),
      ['sharedStrings', 'sharedStrings.xml'],
      ['styles', 'styles.xml'],
    ]),
    '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
    '[Content_Types].xml': '<Types/>',
  }
}

export const workbookOf = (...given: Parameters<typeof workbookParts>): Buffer =>
  zipOf(workbookParts(...given))
