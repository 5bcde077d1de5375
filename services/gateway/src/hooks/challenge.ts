import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/**
 * Providers that ask an address whether it is ours before they call back to it. MiniMax wants its `challenge` back within 3 s:
 * platform.minimax.io/docs/api-reference/video-generation-v2-create, `callback_url`.
 */
const askingProviders = ['minimax']

/** What isn't printable ASCII, or longer, is no challenge. */
const challengeForm = TypeCompiler.Compile(Type.Object({ challenge: Type.String({ pattern: '^[!-~]{1,512}$' }) }))
const bodyBytesMax = 4_096

/** What such a provider wants back; undefined where a call is a callback. */
export function challengeOf(provider: string, body: Uint8Array): string | undefined {
  if (!askingProviders.includes(provider) || body.byteLength > bodyBytesMax) return undefined
  try {
    const content: unknown = JSON.parse(Buffer.from(body).toString())
    return challengeForm.Check(content) ? content.challenge : undefined
  } catch {
    return undefined
  }
}
