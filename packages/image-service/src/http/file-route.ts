import { once } from 'node:events';
import { ANY_REQUEST_ERRORS } from '@darkroom/image-api/contract';
import { DatabaseUnavailable } from '@darkroom/storage';
import type { Clock } from '@darkroom/time';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import mime from 'mime';
import { z } from 'zod';
import { ApiError } from '../api-error.ts';
import { FilesUnavailable } from '../files/file-place.ts';
import type { Files, StoredFile } from '../files/files.ts';
import type { WatchedPlace } from '../files/watched-place.ts';
import { errorResponses } from './responses.ts';

const RETRY_AFTER_SECONDS = '10';

/** Where finished pictures are, below the service's address. */
export const FILES_PATH = '/files';

const bytes = { schema: z.any() };
const PICTURES = { 'image/png': bytes, 'image/webp': bytes };

const noPicture = () => new ApiError('file_not_found', 'There is no such picture.');

/** While the database is down, pictures that are in their place are fetched all the same. */
const byItsName = (name: string): StoredFile => ({
  kind: 'picture',
  contentType: mime.getType(name) ?? 'application/octet-stream',
  expiresAt: 0,
  gone: false,
});

function cacheControl({ kind, expiresAt }: StoredFile, clock: Clock): string {
  const seconds = Math.floor((expiresAt - clock.now()) / 1_000);
  return kind === 'picture' && seconds > 0 ? `public, max-age=${seconds}, immutable` : 'no-store';
}

/** Finished pictures. No key is needed: an address cannot be guessed, and is made to be passed on. */
export const fileRoute: FastifyPluginAsyncZod<{
  files: Files;
  clock: Clock;
  place: Pick<WatchedPlace, 'problem'>;
}> = async (app, { files, clock, place }) => {
  /** Where the whole place is away, or refuses everything alike, the log has said so once. */
  function isSaid(cause: Error): boolean {
    const problem = place.problem();
    if (cause instanceof FilesUnavailable && cause.problem === problem) return true;
    return problem === 'does not answer' || problem === 'is not the one that it was';
  }

  const unavailable = (cause: Error) =>
    new ApiError(
      'file_unavailable',
      'This picture is there, but the service cannot read it at the moment. Try again later.',
      {
        cause: isSaid(cause) ? undefined : cause,
        headers: { 'retry-after': RETRY_AFTER_SECONDS },
      },
    );

  app.route({
    method: 'GET',
    url: `${FILES_PATH}/:name`,
    schema: {
      summary: 'A picture',
      operationId: 'picture',
      tags: ['pictures'],
      security: [],
      params: z.object({ name: z.string() }),
      response: {
        ...errorResponses([...ANY_REQUEST_ERRORS, 'file_not_found', 'file_expired', 'file_unavailable']),
        200: { content: PICTURES },
      },
    },
    handler: async (request, reply) => {
      const { name } = request.params;
      const file = await files.find(name).catch((error: unknown) => {
        if (error instanceof DatabaseUnavailable) return byItsName(name);
        throw error;
      });
      if (!file) throw noPicture();
      if (file.gone) throw new ApiError('file_expired', 'This picture has expired and been deleted.');
      // Requests that came earlier on this connection are answered first; until then no file is held open for this
      // one.
      if (!reply.raw.socket) await once(reply.raw, 'socket');
      const found = await files.open(name).catch((error: unknown) => {
        throw error instanceof FilesUnavailable ? unavailable(error) : error;
      });
      // A preview is removed with the end of its task; a picture stays until it expires.
      if (!found) throw file.kind === 'preview' ? noPicture() : unavailable(new Error(`${name} is missing`));
      // Fastify would read all of it for a HEAD, which wants its headers alone.
      if (request.method === 'HEAD') found.stream.destroy();
      return reply
        .type(file.contentType)
        .header('content-length', found.size)
        .header('cache-control', cacheControl(file, clock))
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "default-src 'none'")
        .send(found.stream);
    },
  });
};
