import type { AttemptCost, CostSums } from './cost-repository'

/** Money in whole millionths of a US dollar, as it is kept. */
export const sumsView = (sums: CostSums) => ({
  provider: sums.provider,
  model: sums.model,
  attempts: sums.attempts,
  open: sums.open,
  completed: sums.completed,
  unknown: sums.unknown,
  credits: sums.credits,
  unknown_credits: sums.unknownCredits,
  told_micro_usd: sums.toldMicroUsd,
  listed_micro_usd: sums.listedMicroUsd,
  lost_micro_usd: sums.lostMicroUsd,
})

/** `micro_usd` is null where `basis` is `unknown`: that is not 0. */
export const attemptCostView = (attempt: AttemptCost) => ({
  attempt_id: attempt.id,
  task_id: attempt.taskId,
  model: attempt.model,
  provider_model: attempt.providerModel,
  provider_task_id: attempt.providerTaskId,
  state: attempt.state,
  created_at: attempt.createdAt,
  credits: attempt.credits,
  micro_usd: attempt.costMicroUsd,
  basis: attempt.basis,
})
