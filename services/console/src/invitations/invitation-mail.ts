import type { Role } from '../accounts/roles'
import type { Person } from '../http/person'
import type { Mail } from '../mail/queue-mail'

type InvitationMailInput = { actor: Pick<Person, 'email'>; email: string; role: Role; url: string; days: number }

const roleText: Record<Role, string> = {
  owner: 'as an owner, who also manages its keys, members and payments',
  member: 'as a member, who makes videos with its credits',
  viewer: 'as a viewer, who sees its videos and usage',
}

/**
 * Contains no name that a person chose, because the recipient may be a stranger. The page of the link shows the
 * account's name.
 */
export const invitationMail = ({ actor, email, role, url, days }: InvitationMailInput): Mail => ({
  to: email,
  subject: 'You are invited to an account on Filmgate',
  parts: [
    `${actor.email} invites you to an account on Filmgate, ${roleText[role]}.`,
    { label: 'View the invitation', url },
    `The link works once, within ${days} days, and only for this e-mail address. If you don’t know the sender, ignore this mail.`,
  ],
})
