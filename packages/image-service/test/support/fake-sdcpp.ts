import { until } from '@darkroom/testing';
import { createFakeMachine, type MachineAnswer, type MachineRequest } from './fake-machine.ts';
import { picture } from './fake-webui.ts';

/** A job that was handed in, and how far it is. A test takes it forward. */
interface SdcppJob {
  id: string;
  body: {
    prompt: string;
    negative_prompt: string;
    width: number;
    height: number;
    seed: number;
    sample_params: { sample_steps: number; sample_method?: string; guidance: { txt_cfg: number } };
    embed_image_metadata: boolean;
    /** Base64. */
    init_image?: string;
    mask_image?: string;
    strength?: number;
  };
  status: 'queued' | 'generating' | 'completed' | 'failed' | 'cancelled';
  result: unknown;
  error: { code: string; message: string } | null;
}

const refused = (status: number, error: string): MachineAnswer => ({ status, body: { error } });

/** The server of stable-diffusion.cpp over a real socket: its own `/sdcpp/v1`, and what it has of the WebUI's. */
export async function createFakeSdcpp({ model = 'v1-5-pruned-emaonly' } = {}) {
  const jobs: SdcppJob[] = [];
  const machine = await createFakeMachine(route);

  function route({ method, path, text }: MachineRequest): MachineAnswer {
    const [, id, cancelled] = /^\/sdcpp\/v1\/jobs\/([\w-]+)(\/cancel)?$/.exec(path) ?? [];
    if (id !== undefined) return answerJob(id, cancelled !== undefined);
    switch (`${method} ${path}`) {
      case 'GET /sdcpp/v1/capabilities':
        return {
          status: 200,
          body: {
            model: { name: `${model}.safetensors`, stem: model, path: `/models/${model}.safetensors` },
            current_mode: 'img_gen',
            supported_modes: ['img_gen'],
            limits: { min_width: 64, max_width: 4096, min_height: 64, max_height: 4096, max_queue_size: 64 },
          },
        };
      case 'GET /sdapi/v1/sd-models':
        return {
          status: 200,
          body: [
            {
              title: model,
              model_name: model,
              filename: `${model}.safetensors`,
              hash: '8888888888',
              sha256: '8888888888888888888888888888888888888888888888888888888888888888',
              config: null,
            },
          ],
        };
      case 'POST /sdcpp/v1/img_gen': {
        const job: SdcppJob = {
          id: `job_6a8c1f2e_${String(jobs.length).padStart(8, '0')}`,
          body: JSON.parse(text),
          status: 'queued',
          result: null,
          error: null,
        };
        if (job.body.prompt === '') return refused(400, 'invalid generation parameters');
        jobs.push(job);
        const { status } = job;
        return { status: 202, body: { id: job.id, kind: 'img_gen', status, created: 1_787_961_134 } };
      }
      default:
        return refused(404, 'Not Found');
    }
  }

  function answerJob(id: string, cancels: boolean): MachineAnswer {
    const job = jobs.find((each) => each.id === id);
    if (!job) return refused(404, 'job not found');
    if (cancels && job.status === 'generating')
      return refused(409, 'job is currently generating and cannot be interrupted yet');
    if (cancels && job.status === 'queued')
      Object.assign(job, {
        status: 'cancelled',
        error: { code: 'cancelled', message: 'job cancelled by client' },
      });
    const { status, result, error } = job;
    const queue_position = status === 'queued' ? 1 : 0;
    return { status: 200, body: { id, kind: 'img_gen', status, queue_position, result, error } };
  }

  return {
    ...machine,
    url: `http://${machine.host}`,
    jobs,
    /** The job of that number, from 0, as soon as it is there. */
    job: (at = 0): Promise<SdcppJob> => until(() => jobs[at], 'a job at stable-diffusion.cpp'),
    /** It has drawn the job: a picture of one colour, unless told. */
    async finish(job: SdcppJob, b64_json?: string): Promise<void> {
      const images = [{ index: 0, b64_json: b64_json ?? (await picture(job.body)) }];
      Object.assign(job, { status: 'completed', result: { output_format: 'png', images } });
    },
    /** It has restarted, or forgotten what ended ten minutes ago. */
    forget: () => void jobs.splice(0),
  };
}
