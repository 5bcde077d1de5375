import { type BookChanges, type Books, noChanges, type Outcome, type Rules } from '../books/book-changes'
import type { Instruction, TaskInstruction } from '../books/instruction'
import { publishBudgets, setBudget } from './budgets/budget'
import { changeCredits, reportReuse } from './change-credits'
import { conclude } from './conclude'
import { balanceChanged } from './credits-event'
import { setLimits } from './limits/set-limits'
import { raiseVersion } from './recovery/raise-version'
import { replay } from './recovery/replay'
import { release } from './release'
import { reserve } from './reserve'

/**
 * Follows the instructions in order of arrival. Pure: it reads no clock and no database. The caller holds the locks of the accounts, so that
 * nothing changes between what was read and what is written.
 */
export function decide(books: Books, instructions: readonly Instruction[], rules: Rules): BookChanges {
  const changes = noChanges(books, rules)
  for (const instruction of instructions) follow(changes, instruction)
  for (const [accountId, traceparent] of changes.unpublishedBalances) {
    const account = changes.accounts.get(accountId)
    if (account) changes.events.push({ accountId, event: balanceChanged(account), traceparent })
  }
  publishBudgets(changes)
  return changes
}

function follow(changes: BookChanges, instruction: Instruction): void {
  // Accounts are opened before they are locked: nothing is left to do for an open_account.
  if (instruction.kind === 'open_account') return
  if (instruction.kind === 'set_limits') setLimits(changes, instruction)
  else if ('change' in instruction) changeCredits(changes, instruction)
  else if (instruction.kind === 'report_reuse') reportReuse(changes, instruction)
  else if (instruction.kind === 'set_budget') setBudget(changes, instruction)
  else if (instruction.kind === 'raise_version') raiseVersion(changes, instruction)
  else if (decideTask(changes, instruction) === 'decided_before') replay(changes, instruction)
}

function decideTask(changes: BookChanges, instruction: TaskInstruction): Outcome {
  if (instruction.kind === 'reserve') return reserve(changes, instruction)
  if (instruction.kind === 'conclude') return conclude(changes, instruction)
  if (instruction.kind === 'release') return release(changes, instruction)
  return 'decided_before'
}
