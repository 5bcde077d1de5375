import { changeCredits, reportReuse } from '../account/change-credits'
import { conclude } from '../reservation/conclude'
import { release } from '../reservation/release'
import { reserve } from '../reservation/reserve'
import { retell } from '../reservation/retell'
import { type Books, type Draft, openDraft, type Rules } from './draft'
import type { Instruction } from './instruction'

/**
 * Follows the instructions in order of arrival. Pure: it reads no clock and no database, and the caller holds the locks of the
 * accounts, so what it decides is what gets written.
 */
export function decide(books: Books, instructions: readonly Instruction[], rules: Rules): Draft {
  const draft = openDraft(books, rules)
  for (const instruction of instructions) follow(draft, instruction)
  for (const [accountId, traceparent] of draft.untold) {
    const account = draft.accounts.get(accountId)
    if (account) draft.sent.push({ accountId, event: draft.events.balanceChanged(account), traceparent })
  }
  return draft
}

function follow(draft: Draft, instruction: Instruction): void {
  // Accounts are opened before they are locked: nothing is left to do for an open_account.
  if (instruction.kind === 'grant_credits' || instruction.kind === 'debit_credits') changeCredits(draft, instruction)
  else if (instruction.kind === 'report_reuse') reportReuse(draft, instruction)
  else if (instruction.kind === 'reserve') reserve(draft, instruction)
  else if (instruction.kind === 'conclude') conclude(draft, instruction)
  else if (instruction.kind === 'retell') retell(draft, instruction)
  else if (instruction.kind === 'release') release(draft, instruction)
}
