import { exitCodes, Failure } from '../terminal/failure'

/** The id of a task, which becomes a file name and a part of commands that people paste. Throws a Failure for anything else. */
export function checkTaskId(id: string): string {
  if (/^[A-Za-z0-9_-]{1,120}$/.test(id)) return id
  throw new Failure('The API names the task by something that is no id.', { exit: exitCodes.failed, code: 'unexpected_answer' })
}
