import { text } from 'node:stream/consumers'
import { Filmgate } from '@filmgate/client'
import type { Command } from 'commander'
import { configPath, deleteConfig, readConfig, writeConfig } from '../config/config-file'
import { checkUrl } from '../config/settings'
import { signIn } from '../login/device-flow'
import { discover } from '../login/discover'
import { connect, type Session } from '../session'
import { exitCodes, Failure, usageFailure } from '../terminal/failure'
import { plain } from '../terminal/plain'
import { table } from '../terminal/terminal'
import type { Run } from './run'

export function addSignIn(program: Command, run: Run): void {
  program
    .command('login')
    .description('sign in through the console in your browser, and keep a new API key')
    .option('--with-key', 'read an API key from stdin instead')
    .addHelpText('after', '\nThe key is kept in ~/.config/filmgate/config.json, which only you can read.')
    .action(run(login))
  program.command('logout').description('forget the stored key').action(run(logout))
  program.command('whoami').description('whose key is used, and where').action(run(whoami))
}

async function login(session: Session, { withKey }: { withKey?: boolean }): Promise<void> {
  const { terminal, folders, environment, given, signal } = session
  const stored = await readConfig(folders).catch(() => undefined)
  const url = given.url ?? (environment.FILMGATE_URL || stored?.url)
  if (!url) throw usageFailure('Where is the API?', 'Say it: filmgate login --url https://gateway.example.com/api/v1')
  const signedIn = withKey ? { key: await keyFromStdin(session), account: '' } : await throughConsole(session, checkUrl(url))
  const config = { url: checkUrl(url), ...signedIn }
  // Nothing is kept that does not work.
  const { prefix } = await new Filmgate({ apiKey: config.key, baseUrl: config.url }).key({ signal })
  await writeConfig(folders, config)
  terminal.printJson({ url: config.url, account: config.account, prefix })
  const account = config.account ? ` for ${plain(config.account)}` : ''
  terminal.print(`Signed in to ${config.url}${account}.`)
  terminal.note(`The key ${plain(prefix)}… is in ${configPath(folders)}.`)
  if (environment.FILMGATE_API_KEY) terminal.note('FILMGATE_API_KEY is set, and is used before it.')
}

async function throughConsole(session: Session, url: string) {
  const { terminal, signal } = session
  const server = await discover(url, fetch, signal).catch(error => {
    throw error instanceof Failure ? error : unreachable(url, error)
  })
  return signIn(server, { fetch, signal }, prompt => {
    const { userCode, verificationUrl, completeUrl, expiresInSeconds } = prompt
    terminal.note(`Open    ${plain(verificationUrl)}`)
    terminal.note(`Enter   ${terminal.style('bold', plain(userCode), 'stderr')}`)
    if (completeUrl) terminal.note(`or open ${plain(completeUrl)}`)
    terminal.note(`Waiting for your approval, at most ${Math.round(expiresInSeconds / 60)} min. Ctrl-C ends it.`)
    terminal.printJson({ user_code: userCode, verification_uri: verificationUrl, verification_uri_complete: completeUrl })
  })
}

async function keyFromStdin({ terminal }: Session): Promise<string> {
  if (process.stdin.isTTY) terminal.note('Paste the key, then press Enter and Ctrl-D.')
  const key = (await text(process.stdin)).trim()
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw usageFailure('stdin has no API key.', 'As in: filmgate login --with-key --url URL < key.txt')
}

const unreachable = (url: string, error: Error) =>
  new Failure(`${new URL(url).origin} does not answer: ${causeOf(error)}.`, {
    exit: exitCodes.failed,
    code: 'connection_failed',
    hints: ['Check --url (or FILMGATE_URL) and your network.'],
  })

const causeOf = ({ message, cause }: Error) => (cause instanceof Error && cause.message) || message

async function logout({ terminal, folders }: Session): Promise<void> {
  const wasThere = await deleteConfig(folders)
  terminal.printJson({ signed_out: wasThere })
  terminal.print(wasThere ? 'Signed out: the key is deleted from this machine.' : 'You were not signed in.')
  if (wasThere) terminal.note('It still works until you revoke it in the console, under API keys.')
}

async function whoami(session: Session): Promise<void> {
  const { filmgate, settings } = await connect(session)
  const key = await filmgate.key({ signal: session.signal })
  const { url, account = null, keyFrom } = settings
  session.terminal.printJson({ url, account, key_from: keyFrom, key_id: key.key_id, prefix: key.prefix, name: key.name })
  const rows = [
    ['url', url],
    ...(account ? [['account', account]] : []),
    ['key', `${key.prefix}… (${key.name})`],
    ['from', { option: '--key', environment: 'FILMGATE_API_KEY', config: 'filmgate login' }[keyFrom]],
  ]
  session.terminal.print(table(rows))
}
