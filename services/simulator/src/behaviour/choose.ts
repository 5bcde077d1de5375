import type { Behaviour, RuleRequest } from './behaviour'

export type Rule = RuleRequest & { id: string; left: number | null }
export type Submitted = { client_task_id: string; prompt: string }

/**
 * What is done to this submit: the first rule, oldest first, that matches, has turns left and whose die falls.
 * The die is the seed and the prompt alone, so a run repeats whatever order its submits arrive in.
 */
export function choose(rules: Iterable<Rule>, submitted: Submitted): { rule: Rule | undefined; behaviours: Behaviour[] } {
  for (const rule of rules) {
    if (rule.left === 0 || !matches(rule, submitted)) continue
    if (rule.probability !== undefined && fraction(`${rule.seed ?? 0}:${submitted.prompt}`) >= rule.probability) continue
    if (rule.left !== null) rule.left -= 1
    return { rule, behaviours: rule.behaviours }
  }
  return { rule: undefined, behaviours: [] }
}

function matches({ match }: Rule, { client_task_id, prompt }: Submitted): boolean {
  if (match?.client_task_id !== undefined && match.client_task_id !== client_task_id) return false
  return match?.prompt_includes === undefined || prompt.includes(match.prompt_includes)
}

/** 0 ≤ fraction < 1, evenly spread. */
const fraction = (words: string) => Number(Bun.hash.xxHash32(words)) / 2 ** 32
