import { openAccount } from '../../support/client/account'
import { openAiUrl } from '../../support/client/openai'
import { ownWords } from '../../support/client/request'
import type { Report } from '../../support/suite/report'

type Sample = { from: string; body: object; expected: number; because: string }

/** Bodies as the pages of other gateways show them, sent to POST /videos with the model's name changed. README.md has the table. */
const samples = (prompt: string): Sample[] => [
  {
    from: 'OpenRouter: duration, resolution and aspect_ratio',
    body: { model: 'alpha-h3-fast', prompt, duration: 1, resolution: '480p', aspect_ratio: '16:9' },
    expected: 200,
    because: 'its fields are the native ones',
  },
  {
    from: 'OpenRouter: callback_url',
    body: { model: 'alpha-h3-fast', prompt, duration: 1, resolution: '480p', callback_url: 'https://hooks.example.com/video' },
    expected: 200,
    because: 'the ends of its video are posted there',
  },
  {
    from: 'OpenRouter: frame_images',
    body: { model: 'alpha-h3', prompt, frame_images: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] },
    expected: 400,
    because: 'a frame is input_reference or image_url here',
  },
  {
    from: 'LLMGateway: callback_url and callback_secret',
    body: {
      ...{ model: 'alpha-h3-fast', prompt, seconds: 1, size: '854x480' },
      ...{ callback_url: 'https://hooks.example.com/video', callback_secret: 'a-secret-of-the-client' },
    },
    expected: 200,
    because: 'they are signed with that secret',
  },
  {
    from: 'LLMGateway: seconds and size',
    body: { model: 'alpha-h3-fast', prompt, seconds: 1, size: '854x480' },
    expected: 200,
    because: 'it is OpenAI’s shape',
  },
]

/** Each body of others is taken, or refused as the table says. */
export async function proveSamples(report: Report): Promise<void> {
  const { apiKey } = await openAccount()
  for (const { from, body, expected, because } of samples(ownWords())) {
    const answer = await fetch(`${openAiUrl()}/videos`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    report.check(`${from}: ${expected}, since ${because}`, answer.status === expected, `${answer.status} ${await answer.text()}`)
  }
}
