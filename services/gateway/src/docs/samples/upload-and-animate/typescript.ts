import { Filmgate } from '@filmgate/client'

const filmgate = new Filmgate()
const image_url = await filmgate.uploads.create('boat.jpg')
const video = await filmgate.generate(
  { model: 'alpha-h3', mode: 'image-to-video', prompt: 'The boat drifts away', duration: 4, image_url },
  { saveTo: 'video.mp4' },
)
console.log(video.url)
