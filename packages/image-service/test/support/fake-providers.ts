import sharp from 'sharp';
import { createFakeMachine, type MachineAnswer, type MachineRequest } from './fake-machine.ts';

/** What a provider was asked for: its model and the fields, as it takes them. */
export interface ProviderRequest {
  model: string;
  fields: Record<string, unknown>;
}

const refused = (status: number, detail: string): MachineAnswer => ({ status, body: { detail } });

/** A picture of one colour, with words in its metadata. */
const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#35506b' } })
    .withExif({ IFD0: { ImageDescription: 'words' } })
    .png()
    .toBuffer();

/**
 * Black Forest Labs' interface over a real socket, from its own description (https://api.bfl.ai/openapi.json): a task that is
 * polled, and its picture at an address. Closes with the test.
 */
export async function createFakeBfl({ key }: { key: string }) {
  const requests: ProviderRequest[] = [];
  const machine = await createFakeMachine(route);
  const url = `http://${machine.host}`;

  async function route({ path, headers, text }: MachineRequest): Promise<MachineAnswer> {
    if (path === '/picture.png') {
      const { width = 1024, height = 1024 } = requests.at(-1)?.fields ?? {};
      return { status: 200, body: await picture(Number(width), Number(height)), headers: PNG };
    }
    if (headers['x-key'] !== key) return refused(403, 'Not authenticated - Invalid Authentication');
    if (path === '/v1/credits') return { status: 200, body: { credits: 12 } };
    if (path === '/v1/get_result')
      return { status: 200, body: { id: 'task', status: 'Ready', result: { sample: `${url}/picture.png` } } };
    const fields = JSON.parse(text);
    const model = path.slice('/v1/'.length);
    if (model.includes('fill') && typeof fields.image !== 'string')
      return {
        status: 422,
        body: { detail: [{ loc: ['body', 'image'], msg: 'Field required', type: 'missing' }] },
      };
    requests.push({ model, fields });
    return { status: 200, body: { id: 'task', polling_url: `${url}/v1/get_result?id=task`, cost: 5 } };
  }
  return { ...machine, baseUrl: `${url}/v1`, requests };
}

/** Replicate's interface over a real socket, from its own description (https://api.replicate.com/openapi.json). */
export async function createFakeReplicate({ key }: { key: string }) {
  const requests: ProviderRequest[] = [];
  const machine = await createFakeMachine(route);
  const url = `http://${machine.host}`;

  async function route({ path, headers, text }: MachineRequest): Promise<MachineAnswer> {
    if (path === '/picture.png') return { status: 200, body: await picture(1248, 832), headers: PNG };
    if (headers.authorization !== `Bearer ${key}`)
      return refused(401, 'You did not pass a valid authentication token');
    if (path === '/v1/account') return { status: 200, body: { type: 'user', username: 'ann' } };
    const [, model] = /^\/v1\/models\/(.+)\/predictions$/.exec(path) ?? [];
    if (model === undefined) return refused(404, 'The requested resource could not be found.');
    requests.push({ model, fields: JSON.parse(text).input });
    return { status: 201, body: { id: 'prediction', status: 'succeeded', output: `${url}/picture.png` } };
  }
  return { ...machine, baseUrl: `${url}/v1`, requests };
}

const PNG = { 'content-type': 'image/png' };
