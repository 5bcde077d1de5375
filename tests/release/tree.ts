import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { mustRun, type RunResult, run } from '@filmgate/tools/stack/fetch/run'
import { cacheDir, root } from '@filmgate/tools/stack/instance'

const releaseTimeoutMs = 3_600_000

/** A repository of its own with the files of this one as they are now, in one commit. */
export type Tree = {
  folder: string
  git(...words: string[]): Promise<string>
  /** Runs `bun run release` there. */
  release(...words: string[]): Promise<RunResult>
  /** The same, until its output has `words`: then it is interrupted as by Ctrl-C. Its whole output. */
  interruptAt(words: string, call: string[]): Promise<string>
}

export async function copyTree(folder: string, password: string): Promise<Tree> {
  mkdirSync(join(folder, '.local'), { recursive: true })
  symlinkSync(cacheDir, join(folder, '.local/cache'))
  const listed = await mustRun('Listing the files', ['git', 'ls-files', '-co', '--exclude-standard'], { cwd: root })
  const list = join(folder, '.local/files')
  await Bun.write(list, [...new Set(listed.split('\n'))].filter(file => existsSync(join(root, file))).join('\n'))
  await mustRun('Copying the tree', ['sh', '-c', 'tar -C "$1" -T "$2" -cf - | tar -xf - -C "$3"', 'copy', root, list, folder])
  const git = (...words: string[]) => mustRun(`git ${words[0]}`, ['git', ...words], { cwd: folder })
  await git('init', '--quiet', '--initial-branch', 'main')
  await git('config', 'user.name', 'release')
  await git('config', 'user.email', 'release@filmgate.test')
  await git('add', '--all')
  await git('commit', '--quiet', '-m', 'tests: the tree')
  const command = (words: string[]) => [process.execPath, 'run', 'release', ...words]
  const env = { COSIGN_PASSWORD: password }
  return {
    folder,
    git,
    release: (...words) => run(command(words), { cwd: folder, env, timeoutMs: releaseTimeoutMs }),
    async interruptAt(words, call) {
      const child = Bun.spawn(command(call), { cwd: folder, env: { ...process.env, ...env }, stdin: 'ignore', stderr: 'inherit' })
      let output = ''
      for await (const chunk of child.stdout) {
        const before = output.includes(words)
        output += new TextDecoder().decode(chunk)
        if (!before && output.includes(words)) child.kill('SIGINT')
      }
      await child.exited
      return output
    },
  }
}
