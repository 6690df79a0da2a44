export { CsvError, type Parser, parse } from 'csv-parse'
export { parse as parseAll } from 'csv-parse/sync'
