/** The pages of a submit, `callback_url`: to be given back within 3 s. */
const answerTimeoutMs = 3_000

/** Whether an address gives back what it is sent, as MiniMax wants it from every `callback_url` before it calls there. Never throws. */
export async function givesBack(url: string): Promise<boolean> {
  const challenge = crypto.randomUUID()
  try {
    const answer = await fetch(url, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ challenge }) },
      ...{ redirect: 'manual', signal: AbortSignal.timeout(answerTimeoutMs) },
    })
    const body: unknown = await answer.json()
    return answer.ok && Bun.deepEquals(body, { challenge })
  } catch {
    return false
  }
}
