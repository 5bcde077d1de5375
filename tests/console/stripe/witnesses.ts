import { join } from 'node:path'
import { ensureGo } from '@filmgate/tools/modules/go'
import { cached } from '@filmgate/tools/stack/fetch/cached'
import { fetchPinned } from '@filmgate/tools/stack/fetch/fetch-pinned'
import { ensureClient } from '@filmgate/tools/stack/fetch/package-client'
import { endWithParent } from '@filmgate/tools/stack/process/child'
import { until } from '../../support/until'

const pinnedIn = 'tests/console/stripe/witnesses.ts'
const mock = 'github.com/stripe/stripe-mock@v0.203.0'
const localstripe = 'localstripe==1.15.10'
const startMsMax = 30_000

export type Witness = { url: string; stop(): Promise<void> }

/** Stripe's own mock: it holds each call against Stripe's description of its API. It keeps nothing. */
export async function startMock(port: number): Promise<Witness> {
  const folder = await cached('stripe-mock-0.203.0', async filling => {
    const go = await ensureGo()
    const env = { GOBIN: filling, GOFLAGS: '-mod=mod' }
    await fetchPinned({ pin: mock, pinnedIn, instead: 'leave the part payments out' }, [go, 'install', mock], { env })
  })
  return started([join(folder, 'stripe-mock'), '-http-port', String(port)], `http://127.0.0.1:${port}`, '/v1/customers')
}

/** A server of somebody else's that keeps customers, payments and refunds, and signs its webhooks by itself. */
export async function startLocalstripe(port: number): Promise<Witness> {
  const folder = await cached('localstripe-1.15.10', async filling => {
    await ensureClient('python')
    const command = [
      'python3',
      '-m',
      'pip',
      'install',
      '-q',
      '--no-compile',
      '--disable-pip-version-check',
      '--target',
      filling,
      localstripe,
    ]
    await fetchPinned({ pin: localstripe, pinnedIn, instead: 'leave the part payments out' }, command)
  })
  const command = ['env', `PYTHONPATH=${folder}`, 'python3', '-m', 'localstripe', '--port', String(port), '--from-scratch']
  return started(command, `http://127.0.0.1:${port}`, '/v1/customers')
}

async function started(command: string[], url: string, path: string): Promise<Witness> {
  const child = Bun.spawn(endWithParent(command, 'KILL'), { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
  const headers = { authorization: 'Bearer sk_test_123' }
  const answers = async () => {
    if (child.exitCode !== null) throw new Error(`${command.join(' ')} ended with ${child.exitCode}`)
    return (await fetch(`${url}${path}`, { headers, keepalive: false }).catch(() => undefined))?.ok
  }
  await until(`${url} to answer`, answers, startMsMax)
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}
