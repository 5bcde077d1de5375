import { expect, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { until } from '../../../support/until'
import { newHome, program } from './program'

/** A home in which `filmgate` is a command, and models were listed before. */
function homeWithCommand() {
  const home = newHome()
  mkdirSync(home.path('bin'))
  writeFileSync(home.path('bin/filmgate'), `#!/bin/sh\nexec ${program.map(word => `'${word}'`).join(' ')} "$@"\n`)
  chmodSync(home.path('bin/filmgate'), 0o755)
  mkdirSync(home.path('.cache/filmgate'), { recursive: true })
  writeFileSync(home.path('.cache/filmgate/models.json'), '["alpha-h3","alpha-h3-fast","beta-2.0"]')
  writeFileSync(home.path('a boat.jpg'), 'x')
  return { home, environment: { PATH: `${home.path('bin')}:${process.env.PATH}` } }
}

test('bash completes commands, options, models and files by the script that the program prints', async () => {
  const { home, environment } = homeWithCommand()
  const ask = (line: string) => {
    const words = line.split(' ')
    const array = words.map(word => `'${word}'`).join(' ')
    return `COMP_WORDS=(${array}); COMP_CWORD=${words.length - 1}; _filmgate 2>/dev/null; printf '%s,' "\${COMPREPLY[@]}"; echo`
  }
  const lines = [
    'filmgate gen',
    'filmgate generate x -m alpha',
    'filmgate tasks wait --o',
    'filmgate generate --image a',
    'filmgate completion ',
  ]
  const script = ['source <(filmgate completion bash)', 'complete -p filmgate', ...lines.map(ask)].join('\n')
  const { out, err } = await home.run(['--norc', '-c', script], { command: ['bash'], environment })
  expect(out.trim().split('\n')).toEqual([
    'complete -F _filmgate filmgate',
    'generate,',
    'alpha-h3,alpha-h3-fast,',
    '--output,',
    ',',
    'bash,zsh,fish,',
  ])
  expect(err).toBe('')
})

test('in an interactive bash the tab key completes a model and a path with a space in it', async () => {
  const { home, environment } = homeWithCommand()
  const { child, type, screen } = home.startInTerminal(['--norc', '-i'], { command: ['bash'], environment: { ...environment, PS1: '> ' } })
  type('source <(filmgate completion bash); echo lo""aded\n')
  await until('the script', async () => screen().includes('loaded'))
  type('filmgate generate -m be\t--image a\t')
  await until('both', async () => screen().includes('-m beta-2.0 --image a\\ boat.jpg'))
  child.kill('SIGKILL')
})

/** Others than bash are tried where the machine has them. */
test.skipIf(!Bun.which('zsh'))('zsh loads the script and completes', async () => {
  const { home, environment } = homeWithCommand()
  const script = `autoload -Uz compinit && compinit -u -d zcompdump; source <(filmgate completion zsh)
_describe() { print -l -- "\${(@P)2}"; }; _files() { print files; }
words=(filmgate generate x -m alpha); CURRENT=5; _filmgate
words=(filmgate generate --image ''); CURRENT=4; _filmgate
print -- \${_comps[filmgate]}`
  const { out, err } = await home.run(['-f', '-c', script], { command: ['zsh'], environment })
  expect([out, err]).toEqual(['alpha-h3:\nalpha-h3-fast:\nfiles\n_filmgate\n', ''])
})

test.skipIf(!Bun.which('fish'))('fish loads the script and completes', async () => {
  const { home, environment } = homeWithCommand()
  const script = `filmgate completion fish | source
complete -C 'filmgate generate x -m alpha'
complete -C 'filmgate comp'
complete -C 'filmgate generate --image a'`
  const { out } = await home.run(['--no-config', '-c', script], { command: ['fish'], environment })
  expect(out).toBe('alpha-h3\nalpha-h3-fast\ncompletion\ta script that completes commands, options and models in your shell\na boat.jpg\n')
})
