import type { TestConsole } from './open-console'

export const visitors = ['owner', 'member', 'viewer', 'stranger', 'signed out'] as const
export type WhoMay = Record<(typeof visitors)[number], number>

/** The status that each kind of visitor gets for a path of an account. `path` is below the account. */
export async function whoMay(
  { ask }: TestConsole,
  account: Awaited<ReturnType<TestConsole['newAccount']>>,
  path: string,
  form?: () => Record<string, string>,
): Promise<WhoMay> {
  const people = {
    owner: account.owner,
    member: account.member,
    viewer: account.viewer,
    stranger: account.stranger,
    'signed out': undefined,
  }
  const statuses: Partial<WhoMay> = {}
  // The owner comes last, because their action may change the other answers.
  for (const name of [...visitors].reverse())
    statuses[name] = (await ask(people[name], `${account.path}${path}`, form && { form: form() })).status
  return statuses as WhoMay
}

/** A signed-out visitor is redirected to the sign-in; a stranger learns nothing. */
export const readers = (status = 200): WhoMay => ({ owner: status, member: status, viewer: status, stranger: 404, 'signed out': 303 })
export const ownersOnly = (status: number): WhoMay => ({ owner: status, member: 403, viewer: 403, stranger: 404, 'signed out': 303 })
