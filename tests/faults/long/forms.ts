/** A form of a fault and the tests that are it, on a stack of its own with the settings of a file. */
export type Form = { name: string; paths: string[]; namePattern?: string; settings: string; lastsAsAsked: boolean }

const long = { settings: 'tests/faults/long/stack.env', lastsAsAsked: true }
const refused = (owner: string): Form => ({
  ...long,
  name: `login-${owner}`,
  paths: ['tests/faults/refused-login.test.ts'],
  namePattern: `the ${owner}'s login`,
})

/** The longest first: they are begun one after another, and then go side by side. */
export const forms: Form[] = [
  { name: 'alerts', paths: ['tests/faults/long/alerts/alerts.ts'], settings: 'tests/faults/long/alerts/stack.env', lastsAsAsked: false },
  { name: 'restore', paths: ['tests/faults/long/restore/drills.ts'], settings: 'tests/faults/long/restore/stack.env', lastsAsAsked: true },
  { ...long, name: 'egress', paths: ['tests/faults/lost-egress.test.ts'] },
  refused('gateway'),
  refused('ledger'),
  refused('dispatcher'),
  {
    name: 'exits',
    paths: ['tests/faults/exits.test.ts', 'tests/faults/expired-letters.test.ts', 'tests/faults/hidden-provider.test.ts'],
    settings: 'tests/stack.env',
    lastsAsAsked: false,
  },
  { ...long, name: 'rotation', paths: ['tests/faults/long/rotation/rotation.ts'], lastsAsAsked: false },
]

/** What an operator has for a task that stands still; each is used in one form at least. */
export const exits = ['dlq replay', 'task replay', 'task release', 'task acknowledge', 'review accept', 'review retry', 'review refund']
