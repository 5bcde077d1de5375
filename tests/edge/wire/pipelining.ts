import { exchange } from '@filmgate/kit/testing/raw-exchange'
import { openAccount } from '../../support/client/account'
import { ownWords, smallRequest } from '../../support/client/request'
import { simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'
import { head, json } from './wire-case'

const pairs = 20

/** Two generations on one connection, the second sent before the first is answered: each that is made is told, in the order that was asked. */
export async function provePipelining(report: Report, port: number, host: string): Promise<void> {
  for (let pair = 0; pair < pairs; pair++) {
    const { api, apiKey } = await openAccount()
    const prompts = [ownWords(), ownWords()]
    for (const prompt of prompts) await simulator.behave(prompt, [{ name: 'instant' }])
    const requests = prompts.map(prompt => {
      const body = JSON.stringify(smallRequest({ prompt }))
      const lines = `${json}Idempotency-Key: ${crypto.randomUUID()}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
      return head({ host, apiKey }, 'POST', '/api/v1/video/generations', lines) + body
    })
    const { answers, hung } = await exchange(port, requests.join(''), 2, { timeoutMs: 60_000 })
    const told = answers.filter(({ status }) => status === 202).map(({ text }) => JSON.parse(text).id)
    const made = JSON.parse((await api.get('/tasks')).text).data.map(({ id }: { id: string }) => id)
    report.check('pipelined requests are both answered', !hung && told.length === 2, JSON.stringify(answers).slice(0, 300))
    report.check(
      'every task that was made was told of',
      made.length === told.length && made.every((id: string) => told.includes(id)),
      `${made} ${told}`,
    )
    const submits = await Promise.all(told.map(id => api.taskOnce(id)))
    report.check(
      'and ends',
      submits.every(({ status }) => status === 'completed'),
      JSON.stringify(submits).slice(0, 300),
    )
  }
}
