// Bundles the page into dist/page: index.html, and assets whose names change with their content.
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

await build({
  root: fileURLToPath(new URL('../page', import.meta.url)),
  configFile: false,
  // Relative, so that the page works below any path of a proxy.
  base: './',
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: fileURLToPath(new URL('../dist/page', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // The page's policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
