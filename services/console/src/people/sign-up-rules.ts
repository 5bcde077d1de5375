import { APIError } from 'better-auth/api'

/** A check of addresses that sign up. Returns the error message, or undefined. The first rule that rejects wins. */
export type SignUpRule = (email: string) => string | undefined

/** Rejects addresses of these domains and their subdomains, such as disposable mailboxes. */
export function deniedDomains(domains: Iterable<string>): SignUpRule {
  const denied = new Set([...domains].map(domain => domain.trim().toLowerCase().replace(/^@/, '')).filter(Boolean))
  return email => {
    const labels = email.toLowerCase().split('@').at(-1)?.split('.') ?? []
    const isDenied = labels.some((_, index) => denied.has(labels.slice(index).join('.')))
    return isDenied ? 'Addresses of this domain can’t sign up. Use another address.' : undefined
  }
}

/** Parses a file of domains: one per line, `#` starts a comment. */
export const parseDomains = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.replace(/#.*/, '').trim())
    .filter(Boolean)

export const readDomains = async (file?: string): Promise<string[]> => (file === undefined ? [] : parseDomains(await Bun.file(file).text()))

export const signUpIssue = (rules: readonly SignUpRule[], email: string): string | undefined =>
  rules.map(rule => rule(email)).find(issue => issue !== undefined)

/** The configured rules. */
export async function readSignUpRules({
  deniedDomains: domains,
  deniedDomainsFile: file,
}: {
  deniedDomains: string[]
  deniedDomainsFile?: string
}) {
  return [deniedDomains([...domains, ...(await readDomains(file))])]
}

/** For better-auth, for every way to sign up: throws an error that it treats as a rejection. */
export const rejectNewPerson = (rules: readonly SignUpRule[]) => (email: string) => {
  const issue = signUpIssue(rules, email)
  if (issue !== undefined) throw new APIError('FORBIDDEN', { message: issue, code: 'sign_up_refused' })
}
