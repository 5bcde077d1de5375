import { type Copy, judgeMovie } from './judge-movie'
import { judgePicture } from './judge-picture'
import { judgeSound } from './judge-sound'

/** What is wrong with a copy, in words; a reader that breaks on it is one of them. */
export async function judge(copy: Copy): Promise<string[]> {
  const { format } = copy.media
  const by = format === 'mp4' || format === 'mov' ? judgeMovie : format === 'mp3' || format === 'wav' ? judgeSound : judgePicture
  return by(copy).catch(error => [`could not be judged: ${error}`])
}
