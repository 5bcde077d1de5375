import type { SourceFile } from '../child/source-file'
import type { Tools } from '../child/tools'
import { isRejection } from '../errors'
import { choosePicture, chooseSound } from '../movie/choose-tracks'
import { isHidden, probePictureAndSound } from '../movie/probe-movie'
import { checkDecoding } from './measure-video'

/**
 * Whether a client's movie decodes without a fault where its copy does not. It costs at most a second decoding, within
 * the task's processor budget.
 */
export async function decodesWhole(tools: Tools, source: SourceFile): Promise<boolean> {
  try {
    const { streams, packets } = await probePictureAndSound(tools, source)
    const shown = { streams, packets: packets.filter(packet => !isHidden(packet)) }
    const tracks = { picture: choosePicture(streams), sound: chooseSound(streams) }
    return !(await checkDecoding(tools, source, shown, tracks)).reportedErrors
  } catch (error) {
    if (isRejection(error)) return false
    throw error
  }
}
