// Builds the programs that time the rivals, from their sources, into build/rivals; needs a C compiler, Rust, Python's pip and
// the registries of npm, PyPI and Rust. `npm run bench -- peers` uses them.
//
//   node bench/rivals/build.mjs
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const native = join(dirname(fileURLToPath(import.meta.url)), 'native')
const built = join(native, '..', '..', '..', 'build', 'rivals')
const run = (command, args, cwd = built) => {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args[0]} failed`, { cause: error })
}

mkdirSync(built, { recursive: true })
run('cargo', ['build', '--release', '--locked', '--target-dir', join(built, 'target')], native)

// Tulip's sources are in a package of npm, the C library of TA-Lib and that of TAKT in their packages for Python.
run('npm', ['pack', 'tulind@0.8.20', '--silent'])
run('tar', ['-xzf', 'tulind-0.8.20.tgz'])
const tulip = join(built, 'package', 'external')
compile('rivals-c', 'talib-c', 'TA-Lib', 'ta_lib')
compile('rivals-takt', 'talib-takt', 'ta-lib-takt', 'ta_lib_takt')

/** Builds the program that times the C library in a package for Python, version 0.8.2, and Tulip. */
function compile(program, library, packageName, wheelName) {
  run('python3', [
    ...['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:'],
    ...['--dest', built, `${packageName}==0.8.2`],
  ])
  const folder = `wheel-${library}`
  const wheel = readdirSync(built).find(
    name => name.startsWith(`${wheelName}-0.8.2`) && name.endsWith('.whl'),
  )
  run('python3', ['-m', 'zipfile', '-e', wheel, folder])
  const libraries = join(built, folder, 'ta_lib.libs')
  const shared = readdirSync(libraries).find(name => name.startsWith('libta-lib'))
  run('cc', [
    ...['-O2', '-fno-strict-aliasing', '-w', `-I${tulip}`, `-DTALIB="${library}"`],
    ...[join(native, 'rivals.c'), join(tulip, 'tiamalgamation.c'), join(libraries, shared)],
    ...[`-Wl,-rpath,${libraries}`, '-lm', '-o', join(built, program)],
  ])
}
