import { exitCodes, Failure, usageFailure } from '../terminal/failure'
import { type Config, readConfig } from './config-file'
import type { Environment, Folders } from './folders'

/** What every command may be told on its line. */
export type Given = { url?: string; key?: string }

/** Where the API is, the key for it, and where each is from. */
export type Settings = { url: string; key: string; account?: string; keyFrom: 'option' | 'environment' | 'config' }

/** An option beats the environment, which beats the stored sign-in. A stored key is used for the URL it was made for alone. */
export async function readSettings(given: Given, environment: Environment, folders: Folders): Promise<Settings> {
  const key = given.key ?? (environment.FILMGATE_API_KEY || undefined)
  const url = given.url ?? (environment.FILMGATE_URL || undefined)
  const keyFrom = given.key !== undefined ? 'option' : 'environment'
  if (key !== undefined && url !== undefined) return { url: checkUrl(url), key: checkKey(key), keyFrom }
  const config = await readConfig(folders)
  if (key !== undefined) return { url: checkUrl(url ?? config?.url ?? noUrl()), key: checkKey(key), keyFrom }
  if (!config) throw signedOut(url)
  if (url !== undefined && !isSameUrl(url, config)) throw otherUrl(checkUrl(url), config)
  return { url: checkUrl(config.url), key: config.key, account: config.account, keyFrom: 'config' }
}

/** The URL without a slash at its end. */
export function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password)
    throw usageFailure(`${JSON.stringify(text)} is no URL of a Filmgate API.`, urlHint)
  return text.replace(/\/+$/, '')
}

// It goes into a header: any other character would fail there in words that nobody understands.
function checkKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new Failure('The API key has a space or a character that no key has.', { exit: exitCodes.key, code: 'invalid_api_key' })
}

const urlHint = 'It looks like https://gateway.example.com/api/v1. Give it by --url or FILMGATE_URL.'
const isSameUrl = (url: string, config: Config) => checkUrl(url) === checkUrl(config.url)

const noUrl = (): never => {
  throw usageFailure('The address of the API is not known.', urlHint)
}

const signedOut = (url?: string) =>
  new Failure('You are not signed in.', {
    exit: exitCodes.key,
    code: 'missing_api_key',
    hints: [`Run \`filmgate login${url === undefined ? ' --url URL' : ''}\`, or set FILMGATE_API_KEY and FILMGATE_URL.`],
  })

const otherUrl = (url: string, config: Config) =>
  new Failure(`The stored key is for ${config.url}, and is not sent to ${url}.`, {
    exit: exitCodes.key,
    code: 'missing_api_key',
    hints: [`Run \`filmgate login --url ${url}\`, set FILMGATE_API_KEY, or leave the other URL out.`],
  })
