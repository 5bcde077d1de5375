import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { openAccount } from '../../../support/client/account'
import { ownWords } from '../../../support/client/request'
import { simulator } from '../../../support/simulator'
import { until } from '../../../support/until'
import { newHome } from './program'

async function newCase() {
  const { apiKey, api } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const words = ['generate', prompt, '-m', 'alpha-h3-fast', '--duration', '1', '--resolution', '480p', '-o', 'boat.mp4']
  return { api, words, home: newHome(apiKey) }
}

const question = 'Make it? [y/N]'
const colour = '\u001b[32m'

test.concurrent('at a terminal the price is asked about; yes makes the video behind a line that is drawn again', async () => {
  const { words, home } = await newCase()
  const { child, screen, type } = home.startInTerminal(words)
  await until('the question', async () => screen().includes(question))
  type('y\n')
  expect([await child.exited, existsSync(home.path('boat.mp4'))]).toEqual([0, true])
  expect(screen()).toContain('Price: 4 credits')
  expect(screen()).toContain('\r\u001b[K')
  expect(screen()).toContain(colour)
})

test.concurrent.each([
  ['no', 'n\n', 1],
  ['Enter alone', '\n', 1],
  ['the end of input', '\u0004', 1],
  ['Ctrl-C', '\u0003', 130],
])('at the question %s makes nothing', async (_what, keys, code) => {
  const { words, home, api } = await newCase()
  const { child, screen, type } = home.startInTerminal(words)
  await until('the question', async () => screen().includes(question))
  type(keys)
  expect([await child.exited, home.pending(), await api.credits()]).toEqual([code, [], 10_000])
  expect(screen()).toContain('Nothing was made or charged.')
})

test.concurrent('NO_COLOR leaves a terminal without colours', async () => {
  const { words, home } = await newCase()
  const { child, screen } = home.startInTerminal([...words, '--yes'], { environment: { NO_COLOR: '1' } })
  expect([await child.exited, screen().includes('done vt_'), screen().includes(colour)]).toEqual([0, true, false])
})
