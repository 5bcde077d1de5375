import { ConfigError, flag, type Group, optional, readVariables, secret, text, url } from '@filmgate/kit/environment/variables'
import { readOperators } from './operators'
import type { ServiceUrls } from './services/services'

export type OperateSettings = {
  list: string | undefined
  file: string | undefined
  urls: ServiceUrls
  token: string
  /** Whether operators must have a second factor. */
  secondFactorRequired: boolean
}

const listVariable = 'FILMGATE_CONSOLE_OPERATORS'
const fileVariable = 'FILMGATE_CONSOLE_OPERATORS_FILE'
const serviceUrl = url({ protocols: ['https', 'http'] })

/** Settings of the operators' pages. They are off unless operators are configured; then all service URLs are needed. */
export const operateEnvironment: Group<OperateSettings | undefined> = {
  readGroup(env) {
    const { list, file, development } = readVariables(env, {
      list: [listVariable, optional(text())],
      file: [fileVariable, optional(text())],
      development: ['FILMGATE_DEVELOPMENT', flag(false)],
    })
    if (list === undefined && file === undefined) return undefined
    if (list !== undefined && file !== undefined) throw new ConfigError([`${listVariable} and ${fileVariable} are both set: set one`])
    const { gateway, ledger, mediaProbe, dispatcher, ...settings } = readVariables(env, {
      /** A token that acts for others. Its role limits theirs. */
      token: ['FILMGATE_OPERATOR_TOKEN', secret({ lengthMin: 24 })],
      gateway: ['FILMGATE_GATEWAY_URL', serviceUrl],
      ledger: ['FILMGATE_LEDGER_URL', serviceUrl],
      mediaProbe: ['FILMGATE_MEDIA_PROBE_URL', serviceUrl],
      dispatcher: ['FILMGATE_DISPATCHER_URL', serviceUrl],
      secondFactorRequired: ['FILMGATE_CONSOLE_OPERATORS_SECOND_FACTOR', flag(!development)],
    })
    return {
      ...settings,
      list: checked(list),
      file,
      urls: { gateway, ledger, 'media-probe': mediaProbe, dispatcher },
    }
  },
}

/** An invalid list stops the console at start. */
function checked(list: string | undefined): string | undefined {
  try {
    if (list !== undefined) readOperators(list)
    return list
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new ConfigError([`${listVariable} must be a JSON list such as [{"email":"ada@example.com","role":"support"}]: ${message}`])
  }
}
