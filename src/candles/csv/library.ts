export { CsvError, type Parser, parse } from 'csv-parse'
