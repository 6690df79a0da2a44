// Publishes the package: packs it, tries the tarball as its users will, and hands it to npm with provenance.
//
//   npm run release -- --dry-run    everything but publishing
//   npm run release                 in a pipeline that can prove where it runs
//
// Provenance needs the address of the repository. It comes from the pipeline (GITHUB_SERVER_URL and GITHUB_REPOSITORY), or
// from `--repository`.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: path } = process.env
const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    repository: { type: 'string', default: server && path ? `${server}/${path}` : '' },
  },
})
const isDry = values['dry-run']

function fail(message) {
  console.error(`candela: ${message}`)
  process.exit(1)
}

const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
if (!readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## ${version}\n`))
  fail(`CHANGELOG.md has no section ${version}`)
const changes = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
if (!isDry && changes !== '') fail(`there are changes that are not committed:\n${changes}`)
if (!isDry && values.repository === '') fail('--repository is missing')

const folder = mkdtempSync(join(tmpdir(), 'candela-release-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Runs a program whose failure ends the release. */
function run(command, args, cwd = root) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) fail(`${command} ${args.join(' ')} failed`)
}

run(process.execPath, [join(root, 'scripts', 'setup.mjs')])
run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder])
const tarball = join(folder, `${name}-${version}.tgz`)
run(process.execPath, [join(root, 'scripts', 'try-package.mjs'), '--tarball', tarball])

// The files that users get, with the address that provenance is checked against.
run('tar', ['-xzf', tarball, '-C', folder])
const manifest = join(folder, 'package', 'package.json')
const published = JSON.parse(readFileSync(manifest, 'utf8'))
if (values.repository !== '') published.repository = { type: 'git', url: `git+${values.repository}.git` }
for (const field of ['scripts', 'devDependencies', 'workspaces', 'overrides']) delete published[field]
writeFileSync(manifest, `${JSON.stringify(published, undefined, 2)}\n`)
// A dry run has no pipeline for provenance.
run('npm', ['publish', ...(isDry ? ['--dry-run', '--no-provenance'] : []), join(folder, 'package')])
