import { Filmgate } from '@filmgate/client'

const filmgate = new Filmgate()
const video = await filmgate.generate({{ts}}, { saveTo: 'video.mp4' })
console.log(video.task.id, video.url)
