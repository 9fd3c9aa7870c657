import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import type { Context } from '../context.ts';
import { renderAvatar } from './drawing.ts';

interface File {
  Params: { channelId: string; attachmentId: string; filename: string };
  Querystring: { ex?: string; is?: string; hm?: string };
}
interface Picture {
  Params: { id: string; file: string };
}

/** What a drawn picture is sent as, by the ending of its address. */
const RASTER: ReadonlyMap<string, 'png' | 'webp' | 'jpeg'> = new Map([
  ['.png', 'png'],
  ['.gif', 'png'],
  ['.webp', 'webp'],
  ['.jpg', 'jpeg'],
  ['.jpeg', 'jpeg'],
]);

const FOREVER = 'public, max-age=31536000, immutable';

/** What Discord serves from its CDN. Source: 'Reference', CDN endpoints and signed attachment URLs. */
export function routeCdn(app: FastifyInstance, { state, files, links }: Context): void {
  for (const folder of ['attachments', 'ephemeral-attachments']) {
    app.get<File>(`/${folder}/:channelId/:attachmentId/:filename`, async (request, reply) => {
      const path = request.url.split('?', 1)[0] ?? '';
      const attachment = state.attachments.get(request.params.attachmentId);
      const bytes = attachment && (await files.get(attachment.id));
      if (!bytes || !links.valid(path, request.query)) {
        return reply.code(404).type('text/plain').send('This content is no longer available.');
      }
      const { contentType } = attachment;
      // What bots upload must not run as a page of this server.
      return reply
        .header('content-type', contentType)
        .header('content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'")
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', FOREVER)
        .send(Buffer.from(bytes));
    });
  }

  for (const [route, nameOf] of [
    ['/avatars', (id: string) => state.users.get(id)?.displayName ?? state.webhooks.get(id)?.name],
    ['/icons', (id: string) => state.guilds.get(id)?.name],
    ['/embed', (id: string) => id],
  ] as const) {
    app.get<Picture>(`${route}/:id/:file`, async ({ params }, reply) => {
      const svg = renderAvatar(params.id, nameOf(params.id) ?? '?');
      reply.header('cache-control', FOREVER);
      const kind = RASTER.get(extname(params.file));
      if (!kind) return reply.type('image/svg+xml').send(svg);
      const bytes = await sharp(Buffer.from(svg)).resize(128).toFormat(kind).toBuffer();
      return reply.type(`image/${kind}`).send(bytes);
    });
  }
}
