import { APIError } from 'better-auth/api'

/** What an address that wants to sign up is held against, in order; the first that says something refuses it, in these words. */
export type SignUpRule = (email: string) => string | undefined

/** Domains, and all below them, that no address of may sign up: those of mailboxes that are thrown away. */
export function deniedDomains(domains: Iterable<string>): SignUpRule {
  const denied = new Set([...domains].map(domain => domain.trim().toLowerCase().replace(/^@/, '')).filter(Boolean))
  return email => {
    const labels = email.toLowerCase().split('@').at(-1)?.split('.') ?? []
    const isDenied = labels.some((_, index) => denied.has(labels.slice(index).join('.')))
    return isDenied ? 'Addresses of this domain can’t sign up. Take another of yours.' : undefined
  }
}

/** A file of domains: one a line, `#` begins a comment. */
export const domainsOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.replace(/#.*/, '').trim())
    .filter(Boolean)

export const readDomains = async (file?: string): Promise<string[]> => (file === undefined ? [] : domainsOf(await Bun.file(file).text()))

export const issueOf = (rules: readonly SignUpRule[], email: string): string | undefined =>
  rules.map(rule => rule(email)).find(issue => issue !== undefined)

/** The rules as the environment tells them. */
export async function readSignUpRules({
  deniedDomains: domains,
  deniedDomainsFile: file,
}: {
  deniedDomains: string[]
  deniedDomainsFile?: string
}) {
  return [deniedDomains([...domains, ...(await readDomains(file))])]
}

/** For the library, whichever way somebody comes: throws what it takes for a refusal. */
export const refuseBy = (rules: readonly SignUpRule[]) => (email: string) => {
  const issue = issueOf(rules, email)
  if (issue !== undefined) throw new APIError('FORBIDDEN', { message: issue, code: 'sign_up_refused' })
}
