import { Filmgate, isCode, type VideoGenerationRequest } from '@filmgate/client'

const filmgate = new Filmgate()
const request: VideoGenerationRequest = {{ts}}
const { credits } = await filmgate.estimate(request)
try {
  await filmgate.generate({ ...request, max_credits: credits }, { saveTo: 'video.mp4' })
} catch (error) {
  if (!isCode(error, 'max_credits_exceeded')) throw error
  console.log(`The price has risen to ${error.details.price_credits} credits. Nothing was charged.`)
}
