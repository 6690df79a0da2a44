declare module 'vitest' {
  interface TaskMeta {
    /** The program without which a test is skipped. */
    needs?: keyof typeof debianPackages
  }
}

/** Programs that some tests need and npm does not install, with the package of Debian that has each. */
export const debianPackages = {
  chromium: 'chromium-headless-shell',
  nginx: 'nginx-light',
  'redis-server': 'redis-server',
  cc: 'gcc',
  python3: 'python3',
  prlimit: 'util-linux',
  'systemd-analyze': 'systemd',
  go: 'golang-go',
} as const

/** The option of a test that is skipped without a program: the report of the run names the program. */
export const needs = (program: keyof typeof debianPackages) => ({ meta: { needs: program } })
