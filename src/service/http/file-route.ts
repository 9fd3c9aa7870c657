import { once } from 'node:events';
import { open } from 'node:fs/promises';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import type { Picture } from '../engines/engine.ts';
import type { Files } from '../files.ts';
import { Refusal } from '../refusal.ts';
import { refusals } from './answer.ts';

/** Where finished pictures are, below the service's address. */
export const FILES_PATH = '/files';

const bytes = { schema: z.any() };
const PICTURES = { 'image/png': bytes, 'image/webp': bytes, 'image/jpeg': bytes } satisfies Record<
  Picture['contentType'],
  unknown
>;

const noPicture = () => new Refusal('file_not_found', 'There is no such picture.');

/** Finished pictures. Whoever knows an address may fetch it: that is what it is for, and it cannot be guessed. */
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
      response: { ...refusals('file_not_found', 'file_expired'), 200: { content: PICTURES } },
    },
    handler: async (request, reply) => {
      const file = await files.find(request.params.name);
      if (!file) throw noPicture();
      if (file.gone) throw new Refusal('file_expired', 'This picture has expired and been deleted.');
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
