const report = `build/mutation/${process.env.MUTATION_AREA}`

export default {
  packageManager: 'npm',
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.mjs' },
  coverageAnalysis: 'perTest',
  // A mutant of code that runs once, while a module is loaded, would need all tests again.
  ignoreStatic: true,
  disableTypeChecks: false,
  // The version of TypeScript that the project uses has no interface for Stryker, and the sandbox needs no such file.
  tsconfigFile: 'none',
  ignorePatterns: [
    '/bench',
    '/build/bench',
    '/build/python',
    '/build/rivals',
    '/data',
    '/deploy',
    '/docs',
    '/page',
    '/reference',
    '/test/mutation/node_modules',
    '/test/vectors',
  ],
  tempDirName: 'build/mutation/sandbox',
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: `${report}.html` },
  jsonReporter: { fileName: `${report}.json` },
  timeoutMS: 10_000,
}
