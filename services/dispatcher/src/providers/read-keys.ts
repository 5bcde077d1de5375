import { readFileSync } from 'node:fs'
import { ConfigError } from '@filmgate/kit/environment/variables'
import { keyForm, type OutsideProvider, type OutsideSettings, outsideProviders, providerNames } from './outside-providers'

/** Providers' keys, from the environment or, as they are now, from files. A file that is empty or not there turns its provider off. */
export const readKeys = (outside: OutsideSettings): Partial<Record<OutsideProvider, string>> =>
  Object.fromEntries(
    providerNames.flatMap(provider => {
      const { key, keyFile } = outside[provider]
      const used = key ?? keyIn(`${outsideProviders[provider].key}_FILE`, keyFile)
      return used === undefined ? [] : [[provider, used]]
    }),
  )

/** The files of `readKeys`. */
export const keyFiles = (outside: OutsideSettings): string[] =>
  Object.values(outside).flatMap(({ keyFile }) => (keyFile === undefined ? [] : [keyFile]))

function keyIn(variable: string, file: string | undefined): string | undefined {
  // Files of secrets often end with a line's end that is no part of them.
  const key = file === undefined ? '' : textOf(variable, file).replace(/\r?\n$/, '')
  if (key === '') return undefined
  if (!keyForm.test(key)) throw new ConfigError([`${variable} names a file that holds no key: 16 characters or more in one line`])
  return key
}

/** Only a file that is not there says that its provider is off. */
function textOf(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ENOENT') return ''
    throw new ConfigError([`${variable} names a file that can’t be read: ${code}`])
  }
}
