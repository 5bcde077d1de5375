import { simulator } from '../simulator'
import { openAccount } from './account'
import { ownWords, smallRequest } from './request'

/** Buys a video. What a provider doesn't know of is believed to be nothing only while it shows another of ours that it must show. */
export async function buyShownVideo(): Promise<void> {
  const { api } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const { body } = await api.generate(smallRequest({ prompt }))
  await api.taskOnce(body.id)
}
