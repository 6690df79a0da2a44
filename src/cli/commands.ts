import type { Command } from 'commander'

type AddCommand = (program: Command) => void

/** Commands, in the order of the help. Each is loaded separately, because loading all commands is several times as slow. */
export const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./serve.js')).addServe,
  settings: async () => (await import('./serve.js')).addSettings,
  health: async () => (await import('./serve.js')).addHealth,
  keys: async () => (await import('./keys.js')).addKeys,
  mcp: async () => (await import('./serve.js')).addMcp,
  alerts: async () => (await import('./alerts.js')).addAlerts,
  lists: async () => (await import('./lists.js')).addLists,
  watch: async () => (await import('./watch.js')).addWatch,
  chart: async () => (await import('./chart.js')).addChart,
  screen: async () => (await import('./screen.js')).addScreen,
  breadth: async () => (await import('./screen.js')).addBreadth,
  evaluate: async () => (await import('./evaluate.js')).addEvaluate,
  expression: async () => (await import('./expression.js')).addExpression,
  pine: async () => (await import('./pine.js')).addPine,
  compute: async () => (await import('./compute.js')).addCompute,
  indicators: async () => (await import('./indicators.js')).addIndicators,
  exchanges: async () => (await import('./exchanges.js')).addExchanges,
  backfill: async () => (await import('./backfill.js')).addBackfill,
  import: async () => (await import('./import.js')).addImport,
  export: async () => (await import('./export.js')).addExport,
  migrate: async () => (await import('./migrate.js')).addMigrate,
  backup: async () => (await import('./backup.js')).addBackup,
  restore: async () => (await import('./backup.js')).addRestore,
  repair: async () => (await import('./repair.js')).addRepair,
  store: async () => (await import('./backup.js')).addStore,
  completion: async () => (await import('./completion.js')).addCompletion,
}
