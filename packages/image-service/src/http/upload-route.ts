import { OPERATIONS } from '@darkroom/image-api/contract';
import type { Clock } from '@darkroom/time';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { picturesUnavailable } from '../files/pictures-unavailable.ts';
import type { WatchedPlace } from '../files/watched-place.ts';
import { examinePicture } from '../inputs/input-picture.ts';
import { createRoom } from '../inputs/room.ts';
import type { Uploads } from '../inputs/uploads.ts';
import type { ServiceLimits } from '../limits.ts';
import { tooManyUploads } from '../tasks/submission-rate.ts';
import { holderOf } from './authentication.ts';
import { limitHolders } from './holder-rate.ts';
import { routeOf } from './operation.ts';
import { success } from './responses.ts';
import { readFile } from './upload-body.ts';

/** Pictures: each may take its bound of memory. */
const AT_ONCE = { ofAccount: 8, ofAll: 16 };

export interface UploadRoute {
  uploads: Uploads;
  limits: ServiceLimits;
  clock: Clock;
  place: Pick<WatchedPlace, 'problem'>;
}

/** Uploading a picture. Its body is a form and no JSON, read only for who has shown a key. */
export const uploadRoute: FastifyPluginAsyncZod<UploadRoute> = async (
  app,
  { uploads, limits, clock, place },
) => {
  const countUpload = limitHolders({ limits, clock, refusal: tooManyUploads });
  const inRoom = createRoom(AT_ONCE);
  const { file } = OPERATIONS.upload;

  app.removeAllContentTypeParsers();
  // The handler reads it.
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));

  const route = routeOf(OPERATIONS.upload);
  app.route({
    ...route,
    config: { ...route.config, limited: true },
    async onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      countUpload(request, reply);
      const problem = place.problem();
      if (problem) throw picturesUnavailable(problem);
    },
    handler: async (request) => {
      const { account } = holderOf(request);
      return inRoom(account.id, 1, async (stay) => {
        const brought = await examinePicture(await readFile(request, { part: file, signal: stay.signal }));
        const kept = await uploads.keep({ accountId: account.id, stay }, brought);
        const { id, width, height, bytes, expiresAt } = kept;
        const warnings = brought.warnings(kept);
        return success({
          id,
          width,
          height,
          bytes,
          expires_at: new Date(expiresAt).toISOString(),
          ...(brought.isAnimated && { animated: true }),
          ...(warnings.length > 0 && { warnings }),
        });
      });
    },
  });
};
