import { Filmgate } from '@filmgate/client'

const filmgate = new Filmgate()
await filmgate.generate({{ts}}, {
  onProgress: ({ phase, percent }) => console.log(phase, percent === undefined ? '' : `${percent} %`),
  saveTo: 'video.mp4',
})
