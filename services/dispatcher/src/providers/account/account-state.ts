import type { ProviderAnswer } from '../call'
import type { AccountState, SubmitOutcome } from '../connector'

/** Of an answer's body: what says that the balance is empty or the account locked, and what says that the key is refused. */
type Patterns = { balance?: RegExp; key?: RegExp }

/**
 * What the status doesn't say: 402 is a balance, 401 a key. A 403 may be about content or one model. Each is from the page that its connector
 * names, but for fal (github.com/fal-ai/fal, issues 1147, 1163 and 1168), OpenAI (platform.openai.com/docs/guides/error-codes) and xAI
 * (second-hand, by many). Each starts at a field's name: a quote in a client's own text would be escaped.
 */
const patternsOf: Record<string, Patterns> = {
  fal: { balance: /"detail":"User is locked\./i },
  runware: { balance: /"code":"\w*insufficientCredits?"/i },
  ark: { balance: /"code":"AccountOverdueError/ },
  minimax: { balance: /"(status_)?code":"?1008\b|"type":"insufficient_balance_error"/, key: /"status_code":(1004|2049)\b/ },
  // 1101: in arrears. 1102: the resource pack is used up.
  kling: { balance: /"code":(1101|1102)\b/ },
  google: { balance: /"reason":"BILLING_DISABLED"|"message":"Please enable billing/, key: /"reason":"API_KEY_INVALID"/ },
  dashscope: { balance: /"code":"(Arrearage|AllocationQuota\.FreeTierOnly)"/ },
  vidu: { balance: /"reason":"CreditInsufficient"/ },
  pixverse: { balance: /"ErrCode":500090\b/, key: /"ErrCode":(1000[1-5]|400012)\b/ },
  'openai-videos': { balance: /"code":"(insufficient_quota|billing_hard_limit_reached)"/ },
  xai: { balance: /"error":"Your team has (either )?used all available credits/, key: /"error":"Incorrect API key/ },
}

/** Of an answer that refuses a submit. */
export function accountStateOf(provider: string, { status, body }: Pick<ProviderAnswer, 'status' | 'body'>): AccountState | undefined {
  const { balance, key } = patternsOf[provider] ?? {}
  const text = JSON.stringify(body) ?? ''
  if (status === 402 || balance?.test(text)) return 'no_balance'
  return status === 401 || key?.test(text) ? 'key_refused' : undefined
}

/** A refusal of the content, or for inputs that could not be read, says nothing of the account. */
export function withAccountState(provider: string, answer: ProviderAnswer, outcome: SubmitOutcome): SubmitOutcome {
  if (outcome.outcome !== 'refused' || outcome.code !== 'generation_unavailable' || outcome.inputsUnread) return outcome
  const account = accountStateOf(provider, answer)
  return account ? { ...outcome, account } : outcome
}
