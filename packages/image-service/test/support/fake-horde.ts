import { randomUUID } from 'node:crypto';
import { createDeferred, until } from '@darkroom/testing';
import sharp from 'sharp';
import { createFakeMachine, type MachineAnswer, type MachineRequest } from './fake-machine.ts';

/** A request that was handed in, and how far it is. A test takes it forward. */
export interface HordeRequest {
  id: string;
  body: {
    prompt: string;
    models: string[];
    params: { width: number; height: number; steps: number; seed: string; cfg_scale: number };
  } & Record<string, unknown>;
  check: Record<string, unknown>;
  generations: Record<string, unknown>[];
  cancelled: boolean;
}

/** What an alchemist is to make of a picture. */
interface HordeForm {
  id: string;
  body: { forms: { name: string }[]; source_image: string };
  state: string;
  result?: Record<string, unknown>;
  made?: Buffer;
  cancelled: boolean;
}

export const HORDE_KEY = 'horde-key-of-somebody';

export type FakeHorde = Awaited<ReturnType<typeof createFakeHorde>>;

/** The AI Horde's interface over a real socket, as its own description has it. Closes with the test. */
export async function createFakeHorde({ models = ['Dreamshaper', 'stable_diffusion', 'Anything v5'] } = {}) {
  const requests: HordeRequest[] = [];
  const forms: HordeForm[] = [];
  const known = new Set([HORDE_KEY, '0000000000']);
  let held: Promise<void> | undefined;
  const { host, asked, answer } = await createFakeMachine(async (request) => {
    const answered = route(request);
    if (request.path.endsWith('/async')) await held;
    return answered;
  });

  function route({ method, path, headers, text }: MachineRequest): MachineAnswer {
    const refused = (status: number, rc: string, message: string) => ({ status, body: { message, rc } });
    if (path === '/api/v2/status/models')
      return {
        status: 200,
        body: models.map((name, at) => ({ name, count: models.length - at, queued: 0 })),
      };
    const hasKey = known.has(`${headers.apikey}`);
    if (path === '/api/v2/find_user')
      return hasKey
        ? { status: 200, body: { username: 'ann#1', kudos: 1_234, concurrency: 30 } }
        : refused(404, 'UserNotFound', 'User not found.');
    if (path === '/api/v2/generate/async') {
      if (!hasKey) return refused(401, 'InvalidAPIKey', 'No user matching sent API Key.');
      const body: HordeRequest['body'] = JSON.parse(text);
      const { width, height } = body.params;
      if (width % 64 || height % 64) return refused(400, 'InvalidSize', 'Invalid size.');
      const request: HordeRequest = {
        id: randomUUID(),
        body,
        check: { ...WAITING },
        generations: [],
        cancelled: false,
      };
      requests.push(request);
      return { status: 202, body: { id: request.id, kudos: 9 } };
    }
    if (path === '/api/v2/interrogate/async') {
      if (!hasKey) return refused(401, 'InvalidAPIKey', 'No user matching sent API Key.');
      const form: HordeForm = {
        id: randomUUID(),
        body: JSON.parse(text),
        state: 'waiting',
        cancelled: false,
      };
      forms.push(form);
      return { status: 202, body: { id: form.id } };
    }
    const [, formId] = /^\/api\/v2\/interrogate\/status\/([^/]+)$/.exec(path) ?? [];
    if (formId !== undefined) {
      const form = forms.find((each) => each.id === formId);
      if (!form) return refused(404, 'RequestNotFound', `Interrogation with ID '${formId}' not found.`);
      if (method === 'DELETE') form.cancelled = true;
      const { state, result, body } = form;
      return { status: 200, body: { state, forms: [{ form: body.forms[0]?.name, state, result }] } };
    }
    const made = forms.find(({ id }) => path === `/made/${id}`);
    if (made?.made) return { status: 200, body: made.made };
    const [, kind, id] = /^\/api\/v2\/generate\/(check|status)\/([^/]+)$/.exec(path) ?? [];
    const request = requests.find((each) => each.id === id);
    if (!request) return refused(404, 'RequestNotFound', `Image Waiting Prompt with ID '${id}' not found.`);
    if (method === 'DELETE') request.cancelled = true;
    if (kind === 'check') return { status: 200, body: request.check };
    return { status: 200, body: { ...request.check, generations: request.generations } };
  }

  return {
    url: `http://${host}/api/v2`,
    /** Everything that was asked, in order. */
    asked,
    requests,
    /** The request of that number, from 0, as soon as it is there. */
    request: (at = 0): Promise<HordeRequest> => until(() => requests[at], 'a request at the Horde'),
    /** The form of that number, from 0, as soon as it is there. */
    form: (at = 0): Promise<HordeForm> => until(() => forms[at], 'a form at the Horde'),
    /** An alchemist has made this of its picture, and put it where the Horde says. */
    finishForm(form: HordeForm, made: Buffer, address = `http://${host}/made/${form.id}`): void {
      form.made = made;
      form.result = { [form.body.forms[0]?.name ?? '']: address };
      form.state = 'done';
    },
    /** Answers the next calls to a path (`POST /api/v2/generate`) in another way; once unless told. */
    answer,
    /** Lets what is handed in wait for its answer until the function is called that it returns. */
    hold(): () => void {
      const { promise, resolve } = createDeferred<void>();
      held = promise;
      return resolve;
    },
    /** A machine begins to draw it. */
    take: (request: HordeRequest): void => {
      request.check = { ...WAITING, processing: 1, waiting: 0, queue_position: 0 };
    },
    /** A machine has drawn it; with `generation` in another way. */
    async finish(request: HordeRequest, generation: Record<string, unknown> = {}): Promise<void> {
      const { width, height } = request.body.params;
      const picture = sharp({ create: { width, height, channels: 3, background: '#35506b' } });
      const img = await picture
        .withExif({ IFD0: { ImageDescription: request.body.prompt } })
        .webp()
        .toBuffer();
      request.generations = [
        { img: img.toString('base64'), seed: '7', censored: false, gen_metadata: [], ...generation },
      ];
      request.check = {
        ...WAITING,
        done: true,
        finished: 1,
        waiting: 0,
        wait_time: 0,
        queue_position: 0,
        kudos: 7,
      };
    },
    /** Nobody took it for twenty minutes. */
    expire: (request: HordeRequest) => void requests.splice(requests.indexOf(request), 1),
    expireForm: (form: HordeForm) => void forms.splice(forms.indexOf(form), 1),
  };
}

const WAITING = {
  finished: 0,
  processing: 0,
  restarted: 0,
  waiting: 1,
  done: false,
  faulted: false,
  wait_time: 30,
  queue_position: 5,
  kudos: 0,
  is_possible: true,
};
