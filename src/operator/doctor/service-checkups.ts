import type { ImageClient } from '@darkroom/image-api';
import { ServiceError } from '@darkroom/image-api/contract';
import { messageOf, OperatorError } from '@darkroom/process';
import type { Config } from '../../config.ts';
import { serviceProblem } from '../service-problem.ts';
import type { Words } from '../words/words.ts';
import type { Checkups } from './checkup.ts';

/** Whether the image service answers, takes the operator's key, and has its pictures read on this machine. */
export function serviceCheckups(
  config: Pick<Config, 'IMAGE_API_URL' | 'IMAGE_API_KEY'>,
  words: Words,
): Checkups {
  const { doctor } = words;
  const { IMAGE_API_URL: baseUrl, IMAGE_API_KEY: apiKey } = config;

  async function ask<Answer>(call: (images: ImageClient) => Promise<Answer>): Promise<Answer> {
    // The client is loaded by whoever has a service elsewhere.
    const { createImageClient } = await import('@darkroom/image-api');
    const images = createImageClient({ baseUrl: baseUrl ?? '' });
    try {
      return await call(images);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw new OperatorError(doctor.serviceDown('unreachable'));
      // Every service has a balance: an address that knows of none is another's, whose words do not help.
      const isElsewhere = error.kind === 'not-found';
      throw new OperatorError(isElsewhere ? doctor.serviceDown(error.kind) : serviceProblem(error, words));
    } finally {
      await images.close();
    }
  }

  let pinging: Promise<unknown> | undefined;
  const ping = (signal: AbortSignal) => {
    // With a key its own checkup tells more than an answer without one.
    pinging ??= ask((images) =>
      apiKey === undefined ? images.recognize({ signal }) : images.ping({ signal }),
    );
    return pinging;
  };

  return {
    async service(signal) {
      if (baseUrl === undefined) return doctor.includedService;
      await ping(signal);
      return doctor.answers;
    },

    async key(signal) {
      if (apiKey === undefined) return doctor.noKey;
      if (baseUrl === undefined) return doctor.includedKey;
      await ping(signal).catch(() => {
        throw new OperatorError(doctor.withoutService);
      });
      await ask((images) => images.balance({ apiKey, signal }));
      return doctor.acceptedKey;
    },

    // The included service loads it at its start, and says it there.
    ...(baseUrl !== undefined && {
      async pictures() {
        // Its binaries refuse some machines: https://sharp.pixelplumbing.com/install
        await import('sharp').catch((cause: unknown) => {
          throw new OperatorError(doctor.noSharp(messageOf(cause)), { cause });
        });
        return doctor.sharp;
      },
    }),
  };
}
