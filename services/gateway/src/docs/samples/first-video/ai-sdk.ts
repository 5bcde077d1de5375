import { writeFile } from 'node:fs/promises'
import { filmgate } from '@filmgate/ai-sdk-provider'
import { experimental_generateVideo as generateVideo } from 'ai'

const { video } = await generateVideo({
  model: filmgate.video('{{model}}'),
  {{aisdk}}
})
await writeFile('video.mp4', video.uint8Array)
