import { createImageClient, type ImageClient, ServiceError } from '@darkroom/image-api';
import { OperatorError } from '@darkroom/process';
import type { Config } from '../../config.ts';
import type { Checkup } from './checkup.ts';

/** Whether the image service answers, and takes the operator's key. */
export function serviceCheckups(config: Pick<Config, 'IMAGE_API_URL' | 'IMAGE_API_KEY'>): Checkup[] {
  const { IMAGE_API_URL: baseUrl, IMAGE_API_KEY: apiKey } = config;

  async function ask<Answer>(call: (images: ImageClient) => Promise<Answer>): Promise<Answer> {
    const images = createImageClient({ baseUrl: baseUrl ?? '' });
    try {
      return await call(images);
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'unauthorized')
        throw new OperatorError('it does not accept IMAGE_API_KEY. Copy the key again, or make a new one.');
      const kind = error instanceof ServiceError ? error.kind : 'unreachable';
      throw new OperatorError(`no good answer (${kind}). Check IMAGE_API_URL, and that the service runs.`);
    } finally {
      await images.close();
    }
  }

  return [
    {
      name: 'service',
      async examine(signal) {
        if (baseUrl === undefined) return 'the included one, in the process of the bot';
        await ask((images) => images.ping({ signal }));
        return 'answers';
      },
    },
    {
      name: 'key',
      async examine(signal) {
        if (apiKey === undefined) return 'no IMAGE_API_KEY: members and servers link keys of their own';
        if (baseUrl === undefined) return 'is tried by the included service when the bot runs';
        await ask((images) => images.balance({ apiKey, signal }));
        return 'the service accepts IMAGE_API_KEY';
      },
    },
  ];
}
