import { join } from 'node:path'
import { fetchPythonPackage } from '@filmgate/tools/stack/fetch/uv'
import { openInstance } from '@filmgate/tools/stack/instance'
import { freePort, startProgram } from '../../support/servers/program'
import { instance as instanceName, settings } from '../../support/settings'

export const litellmVersion = '1.108.7'
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

/** LiteLLM's proxy, unmodified, with Filmgate as an `openai/` provider. */
export async function startLitellm(env: { apiKey: string; url: string }) {
  const folder = await fetchPythonPackage('litellm[proxy]', litellmVersion, pinInfo)
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
  const url = `http://127.0.0.1:${port}`
  const program = { name: 'LiteLLM', command, folder: dir, env: own, logFile, healthUrl: `${url}/health/liveliness` }
  const { stop } = await startProgram(program)
  return { url: `${url}/v1`, apiKey: proxyKey, stop }
}
