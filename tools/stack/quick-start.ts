import { relative } from 'node:path'
import type { NewAccount } from '@filmgate/proto/operator/account'
import { providers } from '../providers'
import { apiUrl, firstAccount } from './contents/first-account'
import { commandFor, type Instance, localUserEmail, root } from './instance'
import { mailPageUrl } from './mail-catcher'
import type { RunStackOptions } from './run-stack'
import { consoleUrl } from './services'
import { signInLink } from './sign-in-link'

/** Runs when everything is up: creates the first account and prints the next commands. */
export const printQuickStart =
  (instance: Instance, only: RunStackOptions['only']): NonNullable<RunStackOptions['onReady']> =>
  async ({ supervisor, report, elapsed }) => {
    const account = only === 'all' ? await firstAccount(instance, supervisor.addresses) : undefined
    report(`ready after ${elapsed()}`)
    if (!account) return
    const link = await signInLink({ url: consoleUrl(instance), token: instance.consoleToken, accountId: account.account_id })
    console.log(quickStart(instance, account, link))
  }

/** npx prepends its own temporary Bun to PATH. */
const bun = Bun.which('bun')?.includes('/_npx/') === false ? 'bun' : 'npx --yes bun@1.4.5'

function videoSource(): string {
  const on = Object.values(providers).filter(({ key }) => process.env[key])
  if (on.length === 0 || process.env.FILMGATE_PROVIDERS === 'simulated')
    return "The videos are the simulator's, which stands in for the providers (README: Where the videos come from)."
  const names = on.map(({ name }) => name).join(' and ')
  const keys = on.map(({ key }) => key).join(', ')
  return `${keys} set: videos are made at ${names}, on your account there; what has no mapping there is refused, and only models that nobody there has are the simulator’s (README: Real videos).`
}

function quickStart(instance: Instance, account: NewAccount, consoleLink: string): string {
  const url = apiUrl(instance)
  const command = (description: string) => commandFor(instance, `${bun} run ${description}`)
  const links: [string, string][] = [
    [`${consoleUrl(instance)}/operate`, 'the operators’ pages, which the same link opens'],
    [mailPageUrl(instance), 'what the console has mailed: nothing leaves this machine'],
    [new URL('/docs', url).href, 'the reference of all models, with try-it'],
    [command('ops task show ID'), 'its whole story; `ops --help`: accounts, credits, keys, reviews, audit'],
    [command('stack logs -f'), `what the services say; their logs are in ${relative(root, instance.dir)}/logs`],
  ]
  const width = Math.max(...links.map(([link]) => link.length))
  return `
Open Filmgate in a browser: this link signs in ${localUserEmail}, who owns the first account and is an operator.
It works once, for ten minutes; another: ${command('ops operator link')}

  ${consoleLink}

Its API is at ${url}; its settings and an API key are in ${instance.envFile}

  curl -sS ${url}/video/generations \\
    -H 'Authorization: Bearer ${account.api_key}' \\
    -H 'Content-Type: application/json' \\
    -H "Idempotency-Key: first-$(date +%s)" \\
    -d '{"model":"alpha-h3","prompt":"A paper boat on a rainy street","duration":5,"resolution":"768p","aspect_ratio":"16:9"}'

It answers 202 with an id. Ask until it is completed, then open output.video_url:

  curl -sS ${url}/tasks/ID -H 'Authorization: Bearer ${account.api_key}'

${links.map(([link, description]) => `  ${link.padEnd(width)}  ${description}`).join('\n')}

${videoSource()}
Ctrl-C, or \`${command('stack down')}\` where it runs in the background, stops everything and keeps the data.
`
}
