// Starts the built service once, asks it for an indicator of the demo exchange, and stores what V8 has compiled until then beside
// the bundle (docs/adr/0066-compiled-code-is-stored.md). Nothing is said by it where this works.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// The service shall have no setting of the one who builds it, such as its port or its shared store.
const kept = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SYSTEMROOT', 'NODE_OPTIONS']
for (const name of Object.keys(process.env)) if (!kept.includes(name.toUpperCase())) delete process.env[name]

const directory = mkdtempSync(join(tmpdir(), 'candela-code-'))
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
Object.assign(process.env, { DATA_DIR: directory, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' })

const greeting = new Promise(resolve => {
  console.log = resolve
})
const { bundle } = await import('../dist/main.js')
const [, authorization, url] = /^curl -H "Authorization: (.+)" "(.+)"$/m.exec(await greeting) ?? []
const reply = await fetch(url, { headers: { authorization, prefer: 'wait=5' } })
if (!reply.ok) throw new Error(`the service answered ${reply.status}`)
await reply.text()
bundle.storeCode()
process.kill(process.pid)
