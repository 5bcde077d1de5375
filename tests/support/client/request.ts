/** Words no other test uses, to steer the simulator by and to find a submit with. */
export const ownWords = () => `scene ${crypto.randomUUID()}`

/** The smallest generation there is: one second of 480p, which renders in a moment. */
export const smallRequest = (changes: Record<string, unknown> = {}) => ({
  model: 'alpha-h3-fast',
  prompt: ownWords(),
  duration: 1,
  resolution: '480p',
  ...changes,
})
