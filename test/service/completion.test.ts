import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { completionsOf } from '../../src/cli/complete.js'
import { completionScripts, shells } from '../../src/cli/completion.js'
import { bash } from '../support/shell.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cli = fileURLToPath(new URL('../../dist/cli/candela.js', import.meta.url))

describe('completion', () => {
  it.each([
    [['co'], ['compute', 'completion']],
    [
      ['keys', ''],
      ['create', 'update', 'rotate', 'usage', 'list', 'revoke'],
    ],
    [['keys', 'create', '--pl'], ['--plan']],
    [
      ['keys', 'create', '--plan', ''],
      ['free', 'basic', 'pro', 'expert', 'enterprise'],
    ],
    [['compute', 'macde'], ['macdext']],
    [['compute', 'stoch', '--slow'], []],
    [['compute', 'macd', '--slow'], ['--slowPeriod']],
    [
      ['compute', 'rsi', '--source', 'h'],
      ['high', 'hl2', 'hlc3'],
    ],
    [['compute', 'rsi', '--period', '9', 'can'], []],
    [
      ['watch', 'binanceus'],
      ['binanceus', 'binanceusdm'],
    ],
    [['watch', 'demo', 'BT'], ['BTCUSDT']],
    [
      ['watch', 'demo', 'BTCUSDT', '1'],
      ['1m', '15m', '1h', '12h', '1d', '1w', '1M'],
    ],
    [['chart', 'demo', 'BTCUSDT', '1h', 'supertr'], ['supertrend']],
    [['import', '--exchange', 'krakenf'], ['krakenfutures']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['nothing', ''], []],
  ])('offers after %j what may stand there', async (words, expected) => {
    const lines = await completionsOf(words)
    expect(lines.map(line => line.split('\t')[0])).toEqual(expected)
  })

  it('describes what it offers', async () => {
    expect(await completionsOf(['compute', 'rs'])).toEqual([
      'rsidivergence\tRSI divergence',
      'rsi\tRelative Strength Index (RSI)',
      'rsx\tRelative Strength Xtra (RSX)',
      'rsquared\tR-squared of the Linear Regression',
    ])
    expect(await completionsOf(['keys', 'rev'])).toEqual([
      'revoke\trevoke a key: requests with it are refused from now on',
    ])
  })

  it('works in bash, with words that have spaces and are no commands to run', async () => {
    const script = [
      `candela() { '${process.execPath}' '${cli}' "$@"; }`,
      completionScripts.bash,
      'complete -p candela',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of bash
      'try() { COMP_WORDS=(candela "$@"); COMP_CWORD=$#; _candela; echo "${#COMPREPLY[@]}: ${COMPREPLY[*]}"; }',
      'try compute macde',
      'try keys create --name "a b" --plan pr',
      "try compute '$(echo made)' rs",
      'try compute rsi candles',
    ].join('\n')
    const { out, err } = await bash(script, root)
    expect(err).toBe('')
    expect(out.split('\n')).toEqual([
      'complete -o bashdefault -o default -F _candela candela',
      '1: macdext',
      '1: pro',
      '0: ',
      '0: ',
      '',
    ])
  })

  it.each(shells)('in %s is a script that this shell accepts', async shell => {
    const script = completionScripts[shell]
    await expect(script).toMatchFileSnapshot(`../golden/completion.${shell}`)
    const { error, status, stderr } = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' })
    // Where the shell is not installed, the golden file stands for it.
    if (error === undefined) expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})
