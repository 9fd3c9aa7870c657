import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { ANY_REQUEST_ERRORS } from '@darkroom/image-api';
import type { Clock } from '@darkroom/time';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ApiError } from '../api-error.ts';
import type { DrawnPicture } from '../engines/engine.ts';
import type { Files } from '../files.ts';
import { errorResponses } from './responses.ts';

/** Where finished pictures are, below the service's address. */
export const FILES_PATH = '/files';

const bytes = { schema: z.any() };
const PICTURES = { 'image/png': bytes, 'image/webp': bytes, 'image/jpeg': bytes } satisfies Record<
  DrawnPicture['contentType'],
  unknown
>;

const noPicture = () => new ApiError('file_not_found', 'There is no such picture.');

/** Finished pictures. No key is needed: an address cannot be guessed, and is made to be passed on. */
export const fileRoute: FastifyPluginAsyncZod<{ files: Files; clock: Clock }> = async (
  app,
  { files, clock },
) => {
  app.route({
    method: 'GET',
    url: `${FILES_PATH}/:name`,
    schema: {
      summary: 'A picture',
      security: [],
      params: z.object({ name: z.string() }),
      response: {
        ...errorResponses([...ANY_REQUEST_ERRORS, 'file_not_found', 'file_expired']),
        200: { content: PICTURES },
      },
    },
    handler: async (request, reply) => {
      const file = await files.find(request.params.name);
      if (!file) throw noPicture();
      if (file.gone) throw new ApiError('file_expired', 'This picture has expired and been deleted.');
      // Requests that came earlier on this connection are answered first; until then no file is held open for this one.
      if (!reply.raw.socket) await once(reply.raw, 'socket');
      const handle = await open(file.path).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw noPicture();
        throw error;
      });
      const { size } = await handle.stat();
      const secondsLeft = Math.floor((file.expiresAt - clock.now()) / 1_000);
      return reply
        .type(file.contentType)
        .header('content-length', size)
        .header(
          'cache-control',
          file.kind === 'picture' ? `public, max-age=${secondsLeft}, immutable` : 'no-store',
        )
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "default-src 'none'")
        .send(handle.createReadStream());
    },
  });
};
