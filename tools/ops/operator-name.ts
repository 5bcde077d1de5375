import { userInfo } from 'node:os'

/** Who types the command where nobody is named: the login name; undefined where the machine knows none, as in a container. */
export function loginName(): string | undefined {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}
