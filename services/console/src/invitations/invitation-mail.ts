import type { Role } from '../accounts/roles'
import type { Person } from '../door/person'
import type { Mail } from '../mail/queue-mail'

type Told = { actor: Pick<Person, 'email'>; email: string; role: Role; url: string; days: number }

const may: Record<Role, string> = {
  owner: 'as an owner, who also manages its keys, members and payments',
  member: 'as a member, who makes videos with its credits',
  viewer: 'as a viewer, who sees its videos and usage',
}

/** Says no name that somebody chose: whoever it goes to has asked for nothing. The page behind the link says the account's. */
export const invitationMail = ({ actor, email, role, url, days }: Told): Mail => ({
  to: email,
  subject: 'You are invited to an account on Filmgate',
  parts: [
    `${actor.email} invites you to an account on Filmgate, ${may[role]}.`,
    { words: 'Look at the invitation', url },
    `The link works for ${days} days, once, and only for this e-mail address. If you don’t know who that is, ignore this mail: nothing happens.`,
  ],
})
