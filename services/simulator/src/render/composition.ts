import type { FrameSize } from '../generation/frame-size'
import type { GenerationRequest } from '../generation/generation'
import type { Tracks } from './tracks'

/** Names of the files that were fetched, in the folder ffmpeg runs in. */
export type Inputs = { firstFrame?: string; lastFrame?: string; images: string[]; videos: string[]; audios: string[] }

/** File names are relative and of our own making, so nothing in a filter needs escaping. */
export type Composition = {
  request: GenerationRequest
  size: FrameSize
  inputs: Inputs
  font: string
  promptFile: string
  output: string
  tracks: Tracks
}
