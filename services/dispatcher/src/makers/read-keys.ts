import { readFileSync } from 'node:fs'
import { ConfigError } from '@filmgate/kit/environment/variables'
import { keyForm, makerNames, type OutsideMaker, type OutsideSettings, outsideMakers } from './outside-makers'

/** Makers' keys, from the environment or, as they are now, from files. A file that is empty or not there turns its maker off. */
export const readKeys = (outside: OutsideSettings): Partial<Record<OutsideMaker, string>> =>
  Object.fromEntries(
    makerNames.flatMap(maker => {
      const { key, keyFile } = outside[maker]
      const used = key ?? keyIn(`${outsideMakers[maker].key}_FILE`, keyFile)
      return used === undefined ? [] : [[maker, used]]
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

/** Only a file that is not there says that its maker is off. */
function textOf(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ENOENT') return ''
    throw new ConfigError([`${variable} names a file that can’t be read: ${code}`])
  }
}
