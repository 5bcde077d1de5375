import { rmSync } from 'node:fs'
import { access, constants, link, mkdtemp, rename, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { exitCodes, Failure, usageFailure } from '../terminal/failure'

/** Where a video is saved. A folder takes it under the id of its task. */
export type Output = { path: string; isFolder: boolean; force: boolean }

/** Checks, before anything is charged, that the video can be saved there. Throws a usage Failure. */
export async function checkOutput(given: string, { force = false }: { force?: boolean }): Promise<Output> {
  const path = resolve(given)
  const found = await stat(path).catch(() => undefined)
  const isFolder = found?.isDirectory() ?? given.endsWith('/')
  const folder = isFolder ? path : dirname(path)
  const isThere = await stat(folder).then(
    entry => entry.isDirectory(),
    () => false,
  )
  if (!isThere) throw usageFailure(`-o ${given}: there is no folder ${folder}.`, 'Make it first.')
  await access(folder, constants.W_OK).catch(() => {
    throw usageFailure(`-o ${given}: you may not write to ${folder}.`)
  })
  if (found && !isFolder && !found.isFile()) throw usageFailure(`-o ${given}: this is no file.`)
  if (found?.isFile() && !force) throw usageFailure(`-o ${given}: the file is there already.`, 'Choose another name, or say --force.')
  return { path, isFolder, force }
}

/**
 * Saves a video by `save`, which writes to the path it is given: whole under its name, or not at all. A file that appeared
 * meanwhile stays, and the Failure says so.
 */
export async function saveTo(output: Output, taskId: string, save: (path: string) => Promise<unknown>): Promise<string> {
  const path = output.isFolder ? join(output.path, `${taskId}.mp4`) : output.path
  const folder = await mkdtemp(join(dirname(path), '.filmgate-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // Ctrl-C ends the process here and now.
  process.once('exit', remove)
  try {
    const temporary = join(folder, basename(path))
    await save(temporary)
    await (output.force ? rename(temporary, path) : linkNew(temporary, path))
  } finally {
    process.off('exit', remove)
    remove()
  }
  return path
}

// A link fails where the name is taken; a rename would replace the file.
async function linkNew(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new Failure(`${path} is there already, and was not replaced.`, {
        exit: exitCodes.failed,
        code: 'file_exists',
        hints: ['Name another file by -o, or say --force.'],
      })
    if (await stat(path).catch(() => undefined)) throw error
    await rename(temporary, path)
  }
}
