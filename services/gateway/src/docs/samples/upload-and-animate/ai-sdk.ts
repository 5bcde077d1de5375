import { readFile, writeFile } from 'node:fs/promises'
import { filmgate } from '@filmgate/ai-sdk-provider'
import { experimental_generateVideo as generateVideo } from 'ai'

const { video } = await generateVideo({
  model: filmgate.video('alpha-h3'),
  prompt: { text: 'The boat drifts away', image: await readFile('boat.jpg') },
  duration: 4,
})
await writeFile('video.mp4', video.uint8Array)
