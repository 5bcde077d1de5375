import type * as answers from '@filmgate/proto/operator/provider'
import type { AttemptCost, CostSums } from './cost-repository'

export const sumsView = (sums: CostSums): answers.CostSums => ({
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

export const attemptCostView = (attempt: AttemptCost): answers.AttemptCost => ({
  attempt_id: attempt.id,
  task_id: attempt.taskId,
  model: attempt.model,
  provider_model: attempt.providerModel,
  provider_task_id: attempt.providerTaskId,
  state: attempt.state,
  created_at: attempt.createdAt.toISOString(),
  credits: attempt.credits,
  micro_usd: attempt.costMicroUsd,
  basis: attempt.basis,
})
