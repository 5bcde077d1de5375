import { callProvider, type ProviderAnswer, type ProviderCall, ProviderTrouble } from './call'

/** A cancel that is one call: any success says that it was taken, and `isRefusal` knows the provider's words for no. */
export async function cancelByCall(
  call: Omit<ProviderCall, 'call'>,
  isRefusal: (answer: ProviderAnswer) => boolean,
): Promise<'taken' | 'refused'> {
  const answer = await callProvider({ ...call, call: 'cancel' })
  if (answer.status >= 200 && answer.status < 300) return 'taken'
  if (isRefusal(answer)) return 'refused'
  throw new ProviderTrouble(`answered ${answer.status} to a cancel`, true)
}
