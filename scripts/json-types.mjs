// Writes build/json-types.d.ts, the types of the JSON of requests and replies, from the schemas of src/contract and interface. The
// TypeScript client and the service use these types. `scripts/setup.mjs` runs this program before it compiles the service.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { compile } from 'json-schema-to-typescript-lite'
import { rolldown } from 'rolldown'
import { toJSONSchema, z } from 'zod'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The modules with the schemas. They are bundled first, because nothing is compiled yet. */
async function loadContract() {
  const modules = [
    'src/catalogue/index',
    ...['market', 'query', 'requests', 'time-range'].map(name => `src/contract/${name}`),
    ...['replies', 'stream-messages'].map(name => `interface/${name}`),
  ]
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: 'contract',
    external: ['zod'],
    resolve: { extensionAlias: { '.js': ['.ts'] } },
    plugins: [
      {
        name: 'contract',
        resolveId: id => (id === 'contract' ? id : null),
        load: id =>
          id === 'contract'
            ? modules.map(name => `export * from ${JSON.stringify(join(root, `${name}.ts`))}\n`).join('')
            : null,
      },
    ],
  })
  const file = join(root, 'build', 'contract.mjs')
  await bundle.write({ file, format: 'esm' })
  await bundle.close()
  return import(pathToFileURL(file).href)
}

const contract = await loadContract()
const alertShape = contract.alertShape()
const { chart } = contract.chartShape()

/** Schemas by the names of their types. */
const types = {
  Market: z.object(contract.marketShape()),
  IndicatorSearch: z.object(contract.catalogueShape()),
  CandleInput: contract.suppliedCandle().options[0],
  Window: z.object({ ...contract.windowShape(), ...contract.ageShape(), ...contract.settledShape() }),
  Screen: z.object(contract.screenShape()),
  Breadth: z.object(contract.breadthShape()),
  Signals: z.object(contract.evaluationShape()),
  AlertRequest: z.object({ ...alertShape, symbol: alertShape.symbol.optional() }),
  Candle: contract.candle(),
  ExpressionResult: contract.expressionResult(),
  ExpressionCheck: contract.expressionCheck(),
  BulkResult: contract.bulkResult(),
  Envelope: contract.envelope(),
  ScreenFailure: contract.screenFailure(),
  StaleMarket: contract.staleMarket(),
  ScreenResult: contract.screenResult(),
  NamedList: contract.namedList(),
  BreadthResult: contract.breadthResult(),
  ReturnStatistics: contract.returnStatistics(),
  Evaluation: contract.evaluationResult(),
  IndicatorDescription: contract.indicatorDescription(),
  Alert: contract.alert(),
  AlertMessage: contract.alertMessage(),
  AlertTest: contract.alertTest(),
  DeadLetter: contract.deadLetter(),
  Readiness: contract.readiness(),
  StreamingHealth: contract.streamingHealth(),
  ServiceMessage: z.union(
    Object.entries(contract.serviceMessages()).map(([type, { shape }]) =>
      z.object({ type: z.literal(type), ...shape }),
    ),
  ),
}
const nameOf = new Map(Object.entries(types).map(([name, schema]) => [schema, name]))

/** Type of the names of charts, which JSON Schema cannot describe. */
const chartType =
  "'candles' | 'heikinashi' | 'linebreak' | " +
  ['renko:', 'renko:atr', 'range:', 'linebreak:'].map(start => `\`${start}\${number}\``).join(' | ')

function definitionOf(schema) {
  return toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema, path }) {
      // The types of lists of at least one element would be tuples.
      if (jsonSchema.minItems !== jsonSchema.maxItems) {
        delete jsonSchema.minItems
        delete jsonSchema.maxItems
      }
      // TypeScript has no type for an object with more fields, whose names the request chooses. The client adds these fields.
      if (Object.keys(jsonSchema.properties ?? {}).length > 0) delete jsonSchema.additionalProperties
      if (zodSchema === chart) jsonSchema.tsType = chartType
      const name = path.length > 0 ? nameOf.get(zodSchema) : undefined
      if (name === undefined) return
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
      jsonSchema.$ref = `#/definitions/${name}`
    },
  })
}

const definitions = Object.fromEntries(
  Object.entries(types).map(([name, schema]) => [name, definitionOf(schema)]),
)
const text = await compile({ title: 'Root', type: 'object', definitions }, 'Root', {
  additionalProperties: false,
  unreachableDefinitions: true,
})
const closeOnly = [...contract.catalogue.values()].filter(each => contract.readsClosesOnly(each))
const written = `// Written by scripts/json-types.mjs.
/** A value of JSON that is only read. */
export type Immutable<Value> = { readonly [Field in keyof Value]: Immutable<Value[Field]> }
/** Indicators that read nothing but the closes of their candles. */
export type CloseOnlyName = ${closeOnly.map(({ name }) => `'${name}'`).join(' | ') || 'never'}
${text.replace('export interface Root {}', '')}`
writeFileSync(join(root, 'build', 'json-types.d.ts'), written)
