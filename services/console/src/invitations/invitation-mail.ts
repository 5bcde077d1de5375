import type { Role } from '../accounts/roles'
import type { Person } from '../door/person'
import type { Mail } from '../mail/queue-mail'

type Told = { actor: Pick<Person, 'name' | 'email'>; accountName: string; email: string; role: Role; url: string; days: number }

const may: Record<Role, string> = {
  owner: 'as an owner, who also manages its keys, members and payments',
  member: 'as a member, who makes videos with its credits',
  viewer: 'as a viewer, who sees its videos and usage',
}

export const invitationMail = ({ actor, accountName, email, role, url, days }: Told): Mail => ({
  to: email,
  subject: `${actor.name} invites you to “${accountName}” on Filmgate`,
  parts: [
    `${actor.name} (${actor.email}) invites you to the account “${accountName}” on Filmgate, ${may[role]}.`,
    { words: 'Look at the invitation', url },
    `The link works for ${days} days, once, and only for this e-mail address. If you don’t know who that is, ignore this mail: nothing happens.`,
  ],
})
