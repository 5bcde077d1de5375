import { join } from 'node:path'
import { cached } from '@filmgate/tools/stack/fetch/cached'
import { fetchPinned } from '@filmgate/tools/stack/fetch/fetch-pinned'
import { fetchUv } from '@filmgate/tools/stack/fetch/uv'
import { openInstance } from '@filmgate/tools/stack/instance'
import { spawnChild } from '@filmgate/tools/stack/process/child'
import { instance as instanceName, settings } from '../../support/settings'
import { until } from '../../support/until'

export const litellmVersion = '1.108.7'
const startMsMax = 300_000
const pinInfo = { pinnedIn: 'tests/api/openai/litellm.ts', instead: 'leave the part openai out' }

/** US dollars a second of video, which the proxy multiplies. */
export const dollarsPerSecond = 0.05
export const proxyModel = 'boat'
const proxyKey = 'sk-proxy'

const config = {
  model_list: [
    {
      model_name: proxyModel,
      litellm_params: {
        model: 'openai/alpha-h3-fast',
        api_base: 'os.environ/FILMGATE_OPENAI_URL',
        api_key: 'os.environ/FILMGATE_API_KEY',
      },
      model_info: { mode: 'video_generation', output_cost_per_video_per_second: dollarsPerSecond },
    },
  ],
}

async function fetchProxy(): Promise<string> {
  const uv = await fetchUv()
  const pin = `litellm[proxy]==${litellmVersion}`
  return cached(`litellm-${litellmVersion}`, async filling => {
    await fetchPinned({ pin, ...pinInfo }, [uv, 'pip', 'install', '-q', '--no-cache', '--target', filling, pin])
  })
}

/** LiteLLM's proxy, unmodified, with Filmgate as an `openai/` provider. */
export async function startLitellm(env: { apiKey: string; url: string }) {
  const folder = await fetchProxy()
  const { dir } = openInstance(instanceName, settings.portBase)
  const configFile = join(dir, 'litellm.json')
  await Bun.write(configFile, JSON.stringify(config))
  const port = freePort()
  const command = ['python3', '-m', 'litellm.proxy.proxy_cli', '--config', configFile, '--host', '127.0.0.1', '--port', `${port}`]
  const own = {
    PYTHONPATH: folder,
    FILMGATE_OPENAI_URL: env.url,
    FILMGATE_API_KEY: env.apiKey,
    LITELLM_MASTER_KEY: proxyKey,
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
  }
  const logFile = join(dir, 'logs', 'litellm.log')
  const child = spawnChild({ command, cwd: dir, env: own }, logFile, () => {})
  const stop = async () => {
    child.kill('SIGTERM')
    await child.exited
  }
  const url = `http://127.0.0.1:${port}`
  const isAlive = async () => {
    if (child.exitCode !== null) throw new Error(`LiteLLM ended with ${child.exitCode}, see ${logFile}`)
    return (await fetch(`${url}/health/liveliness`).catch(() => undefined))?.ok
  }
  await until('LiteLLM to answer', isAlive, startMsMax).catch(async error => {
    await stop()
    throw error
  })
  return { url: `${url}/v1`, apiKey: proxyKey, stop }
}

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port = 0 } = server
  server.stop(true)
  return port
}
