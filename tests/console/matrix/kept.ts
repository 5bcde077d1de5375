import { consoleOf } from '../../support/client/console'
import { run } from '../../support/servers/databases'
import type { Side } from './furnish'

const ofAccount = [
  'select * from account where id = $1',
  'select * from membership where account_id = $1 order by person_id',
  'select * from invitation where account_id = $1 order by id',
  'select * from purchase where account_id = $1 order by id',
  'select * from operator_act where account_id = $1 order by id',
]
const ofPerson = [
  'select id, name, email, email_verified, two_factor_enabled from person where id = $1',
  'select id from session where person_id = $1 order by id',
  'select id, password from credential where person_id = $1 order by id',
  'select * from passkey where person_id = $1 order by id',
]

/** All that could be taken from somebody, or changed for them: the same before and after means that nobody did. */
export async function keptOf({ accountId, things }: Side): Promise<string> {
  const gateway = consoleOf(accountId)
  const rows = await Promise.all([
    ...ofAccount.map(text => run('console', text, [accountId])),
    ...ofPerson.map(text => run('console', text, [things.person ?? ''])),
    gateway.read('/keys'),
    gateway.read('/credit-changes'),
    gateway.read(''),
  ])
  return JSON.stringify(rows, null, 1)
}

/** The lines that are not in both. */
export function apart(before: string, after: string): string {
  const [one, other] = [before.split('\n'), after.split('\n')]
  return [
    ...one.filter(line => !other.includes(line)).map(line => `- ${line}`),
    ...other.filter(line => !one.includes(line)).map(line => `+ ${line}`),
  ].join('\n')
}
